"""The tokens of mathematics as papers type it: ASCII, Unicode and the braces of LaTeX indices, without LaTeX commands."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

_MARKS = {"\u0302": "_hat", "\u0304": "_bar", "\u0305": "_bar", "\u0303": "_tilde", "\u0307": "_dot", "\u20d7": ""}
_SIGNS = {
    "×": "*",
    "·": "*",
    "⋅": "*",
    "⊙": "*",
    "∘": "*",
    "∗": "*",
    "−": "-",
    "–": "-",
    "÷": "/",
    "≤": "<=",
    "≥": ">=",
    "≠": "!=",
    "‖": "||",
    "‖²": "||",
}
_LETTER = r"A-Za-zÀ-ÖØ-öø-ÿĀ-ſα-ωΑ-Ω𝔼𝟙ℝℓ\u0300-\u0307\u20d7"
_INDEX = (
    r"(?:[_^]\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}"  # _{i, j} ^{(k)}
    r"|[_^]\([A-Za-z0-9]\)"
    r"|\^[*+†∘](?!\w)"
    r"|\*(?=\([^()+*/=-]*\)|[),\s][^\s\w(|])"
    r"|_[A-Za-z0-9α-ωθφ]+"
    r"|\^[A-Za-zα-ω]+(?![\w{])"
    r"|'+)"
)
_TOKEN = re.compile(
    r"(?P<space>\s+)"
    r"|(?P<number>(?:\d+(?:,\d{3})+(?!\d)|\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)"
    rf"|(?P<name>[{_LETTER}∇](?:[{_LETTER}0-9]|_(?![{{(]))*(?:[-.](?=[A-Za-z]{{2}})[{_LETTER}0-9_]+)*)(?P<index>{_INDEX}*)"
    r"|(?P<op>\.\*|\*\*|<=|>=|==|!=|:=|\|\||‖|∑|Σ|∏|∫|√|∞|[⁰¹²³⁴⁵⁶⁷⁸⁹]+|ᵀ|⊤|[-+*/@^=<>()\[\]{},|;~×·⋅⊙∘∗−–÷≤≥≠!])"
)

_SUFFIX = re.compile(r"(?:[kKMB]|T(?!\s*[/*+)\].;,])|ep|%|h|x)(?![A-Za-z0-9_^(])|x\d")


@dataclass(frozen=True, slots=True)
class Piece:
    """A token of a formula.

    Attributes:
        kind: `number`, `name`, `op` or `end`.
        text: the number, the base of the name, or the sign.
        index: of a name, its sub- and superscripts as typed.
        start: place in the text. stop: place after it.
        spaced: whether blanks stand before it.
    """

    kind: str
    text: str
    start: int
    stop: int
    index: str = ""
    spaced: bool = False


def lex(text: str, start: int = 0) -> Iterator[Piece]:
    """The tokens from a place on, up to the first character that is no mathematics; `end` closes them."""
    at, spaced = start, False
    letters = frozenset(re.findall(r"(?<![\w.])([KMBT])(?![\w-])", text))
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None or (
            match["number"] is not None and (found := _SUFFIX.match(text, match.end())) and found[0] not in letters
        ):
            break
        if match["space"] is not None:
            if "\n" in match["space"]:
                break
            spaced, at = True, match.end()
            continue
        if match["name"] is not None:
            base, rest = _operator(match["name"])
            yield Piece("name", base, at, match.end(), rest + (match["index"] or ""), spaced)
        elif match["number"] is not None:
            yield Piece("number", match["number"].replace(",", ""), at, match.end(), "", spaced)
        else:
            yield Piece("op", _SIGNS.get(match["op"], match["op"]), at, match.end(), "", spaced)
        spaced, at = False, match.end()
    yield Piece("end", "", at, at, "", True)


_OPERATORS = re.compile(r"(sum|Sum|Σ|∑|Π|∏|prod|max|min|argmax|argmin|arg_max|arg_min|E|log|softmax|grad|nabla)_(?!KL)(\w+)")


def _operator(name: str) -> tuple[str, str]:
    """`sum_i` is a sum with an index, not a symbol of its own."""
    match = _OPERATORS.fullmatch(name)
    return (match[1], "_" + match[2]) if match and name not in ("log_softmax", "arg_max", "arg_min") else (name, "")


def identifier(text: str) -> str:
    """One name for a symbol or a call: `hat_alpha_{t-1}` is `hat_alpha_t_1`, `V(s')` is `V_s_prime`, `θ̂` is `θ_hat`."""
    text = "".join(_MARKS.get(char, char) for char in unicodedata.normalize("NFD", text))
    text = text.replace("'", "_prime").replace("*", "_star").replace("+", "_p").replace("-", "_m")
    text = re.sub(r"_+", "_", re.sub(r"\W+", "_", text)).strip("_")
    return text if text[:1].isalpha() else f"s_{text}"
