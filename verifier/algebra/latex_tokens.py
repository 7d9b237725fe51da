"""LaTeX as a list of tokens: spacing and sizes dropped, groups kept together, names spelled as in the formula language."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from verifier.algebra.heads import GREEK
from verifier.errors import FormulaError

_TOKEN = re.compile(
    r"\s+|%[^\n]*|\\(?P<command>operatorname\*|[A-Za-z]+|.)|(?P<number>\d+(?:\.\d+)?(?:e[+-]?\d+)?|\.\d+)|(?P<sign>.)", re.DOTALL
)
_SKIPPED = frozenset(
    ", ; : ! > quad qquad thinspace left right middle big Big bigg Bigg bigl bigr Bigl Bigr biggl biggr Biggl Biggr bigm displaystyle "
    "textstyle scriptstyle limits nolimits nonumber notag mathstrut hfill allowbreak".split()
) | {" ", "\n"}
_DROPPED = frozenset("label tag hspace vspace phantom hphantom vphantom color".split())
GREEK_COMMANDS = {
    **{name: name for name in GREEK.values() if name != "nabla"},
    "varepsilon": "epsilon",
    "vartheta": "theta",
    "varphi": "phi",
    "varrho": "rho",
    "varsigma": "sigma",
    "hbar": "hbar",
}
FONTS = frozenset(
    "mathcal mathbf bm boldsymbol mathit mathfrak mathscr pmb mathsf mathbb mathds mathbbm mathnormal symbf vec bold".split()
)
WORDS = frozenset(
    "mathrm text operatorname operatorname* textrm textbf textit textsc textsf texttt mathtt mbox rm textnormal".split()
)
ACCENTS = {
    "hat": "hat",
    "widehat": "hat",
    "bar": "bar",
    "overline": "bar",
    "tilde": "tilde",
    "widetilde": "tilde",
    "dot": "dot",
    "ddot": "ddot",
    "check": "check",
    "breve": "breve",
    "underline": "under",
    "mathring": "ring",
}
_SIGNS = {"+": "p", "-": "m", "=": "eq", "<": "lt", ">": "gt", "'": "prime", "*": "star", ":": "to"}
_NAMED = {"ell": "ell", "ast": "star", "star": "star", "prime": "prime", "infty": "inf", "leq": "le", "le": "le", "geq": "ge"}


@dataclass(frozen=True, slots=True)
class Token:
    r"""A piece of LaTeX.

    Attributes:
        kind: `command`, `number`, `sign`, `group` (what stood in braces), `word` (the text of `\text{...}`) or `end`.
        text: the command's or sign's name, the number, or the word.
        column: 1-based.
        inside: a group's tokens, closed by an `end`.
    """

    kind: str
    text: str
    column: int
    inside: tuple[Token, ...] = ()


def refuse(what: str, token: Token) -> FormulaError:
    """The error for something that is not understood."""
    return FormulaError(f"{what} in column {token.column}", token.column)


def tokenize(text: str) -> tuple[Token, ...]:
    """Split LaTeX into tokens, the last of which is an `end`. Raises FormulaError on unbalanced braces."""
    flat = list(_flat(text))
    tokens, at = _grouped(flat, 0, "")
    assert at == len(flat)
    return tokens


def _flat(text: str) -> Iterator[Token]:
    for found in _TOKEN.finditer(text.replace("~", " ")):
        column = found.start() + 1
        if command := found["command"]:
            yield Token("command", command, column)
        elif found["number"]:
            yield Token("number", found["number"], column)
        elif (sign := found["sign"]) and sign != "$":
            yield Token("command", GREEK[sign], column) if sign in GREEK and sign != "∇" else Token("sign", sign, column)
    yield Token("end", "", len(text) + 1)


def _grouped(flat: list[Token], at: int, opener: str) -> tuple[tuple[Token, ...], int]:
    out: list[Token] = []
    while True:
        token = flat[at]
        at += 1
        if token.kind == "end":
            if opener:
                raise refuse("`{` is not closed before the end of the formula,", token)
            return (*out, token), at
        if token == Token("sign", "}", token.column):
            if not opener:
                raise refuse("`}` without `{`", token)
            return (*out, Token("end", "", token.column)), at
        if token.kind == "sign" and token.text == "{":
            inside, at = _grouped(flat, at, "{")
            previous = out[-1] if out else None
            if previous and previous.kind == "command" and previous.text in _DROPPED:
                out.pop()
            elif previous and previous.kind == "command" and previous.text in WORDS:
                out[-1] = Token("word", _word(inside), previous.column)
            else:
                out.append(Token("group", "", token.column, inside))
        elif token.kind == "command" and token.text in _SKIPPED:
            if token.text in ("left", "right") and flat[at].text == ".":
                at += 1
        else:
            out.append(token)


def _word(inside: tuple[Token, ...]) -> str:
    r"""The text in `\text{...}`, with blanks and hyphens as underscores."""
    out = ""
    end = -1
    for token in inside[:-1]:
        gap = out and token.column > end and end >= 0
        text = token.text if token.kind != "group" else _word(token.inside)
        text = "_" if text in ("-", "_", " ") else text
        out += ("_" if gap and not out.endswith("_") else "") + text
        end = token.column + len(token.text) + (1 if token.kind == "command" else 0)
    return out.strip("_")


def subscript(tokens: tuple[Token, ...]) -> str:
    r"""A subscript, or a superscript that is part of a name, as the tail of a name: `t+1` is `tp1`, `\text{adv}` is `adv`.

    Raises:
        FormulaError: something in it cannot be part of a name.
    """
    parts = [part for token in tokens if (part := _part(token))]
    return "".join(f"_{part}_" if part in _GREEK_WORDS or len(part) > 2 else part for part in parts).replace("__", "_").strip("_")


def _part(token: Token) -> str:
    if token.kind == "group":
        return subscript(token.inside)
    if token.kind in ("number", "word"):
        return token.text.replace(".", "p")
    if token.kind == "command" and (token.text in _IN_NAMES or token.text in FONTS or token.text in _UNSPOKEN):
        return _IN_NAMES.get(token.text, "")
    if token.kind == "sign" and (token.text in _SIGNS or token.text.isalnum()):
        return _SIGNS.get(token.text, token.text)
    if token.kind == "end" or (token.kind == "sign" and token.text in "_^,()|;./[]\\&!"):
        return ""
    raise refuse(f"`{token.text}` is not understood as part of a name,", token)


_UNSPOKEN = frozenset("cdot mid rightarrow to neq | dagger circ bullet".split())
_IN_NAMES = {**GREEK_COMMANDS, **ACCENTS, **_NAMED, "max": "max", "min": "min"}
_GREEK_WORDS = frozenset(GREEK_COMMANDS.values())
_SIMPLE_WRAPPERS = frozenset(
    {"aligned", "align", "align*", "equation", "equation*", "split", "gather", "gather*", "gathered", "multline"}
)


def unwrapped(tokens: tuple[Token, ...]) -> tuple[Token, ...]:
    """The tokens without the environment of a displayed equation, its alignment marks and its closing point."""
    out: list[Token] = []
    at, depth = 0, 0
    while at < len(tokens):
        token = tokens[at]
        if token.kind == "command" and token.text in ("begin", "end") and tokens[at + 1].kind == "group":
            name = "".join(inner.text for inner in tokens[at + 1].inside)
            if name in _SIMPLE_WRAPPERS:
                at += 2
                continue
            depth += 1 if token.text == "begin" else -1
        if depth or not (token.text in ("&", "\\") and token.kind in ("sign", "command")):
            out.append(token)
        at += 1
    while len(out) > 1 and out[-2].kind == "sign" and out[-2].text in ".,;":
        out.pop(-2)
    return tuple(out)
