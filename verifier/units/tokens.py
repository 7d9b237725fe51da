"""The words of a claim: tokens, brackets and clauses, which all readers share.

Papers mix prose, assignments (`lr=8e-5`), sizes (`512x512`) and symbols (`W_{u}^{(k)}`) in one sentence, so the lexer knows numbers in
their notations and keeps a symbol's indices attached to it. A full stop, semicolon, spaced dash, bar or arrow outside brackets ends a
clause.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum


class Kind(StrEnum):
    """What a token is."""

    NUMBER = "number"
    WORD = "word"
    QUOTE = "quote"
    OPEN = "open"
    CLOSE = "close"
    COMMA = "comma"
    BREAK = "break"
    COLON = "colon"
    OP = "op"


@dataclass(frozen=True, slots=True)
class Token:
    """A token with its span in the claim and how many brackets it stands in."""

    kind: Kind
    text: str
    start: int
    end: int
    depth: int = 0

    @property
    def low(self) -> str:
        """The text in lower case."""
        return self.text.lower()


_SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹⁻"
_ABBREVIATION = r"(?:e\.g\.|i\.e\.|w\.r\.t\.|et\s+al\.|etc\.|vs\.|cf\.|approx\.|resp\.|(?:Sec|Eq|Eqs|Fig|Figs|Tab|Alg|App|No)\.)"
_NUMBER = (
    r"(?:\d{1,3}(?:,\d{3})+(?![\d])(?:\.\d+)?|\d+(?:\.\d+)?(?:[eE][-+−]?\d+)?|\.\d+)"
    r"(?:\s?[×x*·]\s?10(?:\^?\{?[-+−]?\d+\}?|[" + _SUPERSCRIPTS + r"]+)|\^\{?[-+−]?\d+\}?|[" + _SUPERSCRIPTS + r"]+)?"
    r"(?:\s?%|[kKMBT](?![A-Za-z0-9_]))?"
)
_INDEX = r"(?:[_^]\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}|[_^]\([^()]*\)|\^[-*+A-Za-zα-ω]+|_[A-Za-z0-9α-ω]+|'+(?![A-Za-z]))"
_LETTERS = r"A-Za-zÀ-ÖØ-öø-ÿα-ωΑ-Ω"
_JOINED = rf"(?:['’]s\b|[-‑][{_LETTERS}0-9]+|\.(?=[A-Za-z0-9_])[A-Za-z0-9_]+|\+\+?(?=[/)\s,=]))"
_WORD = rf"\\?(?:[{_LETTERS}]|_(?![{{(]))(?:[{_LETTERS}0-9]|_(?![{{(]))*{_JOINED}*"
_LEXER = re.compile(
    "|".join(
        (
            rf"(?P<abbreviation>{_ABBREVIATION})",
            r"(?P<quote>(?<!\w)'[^'\s][^']{0,80}'(?!\w)|\"[^\"]{1,80}\"|“[^”]{1,80}”)",
            r"(?P<ordinal>\d+(?:st|nd|rd|th)\b|\d+D\b(?:-[A-Za-z]+)*)",
            r"(?P<size>\d+(?:\s?[x×]\s?\d+(?![\d^]))+(?![A-Za-z^.]))",
            rf"(?P<number>{_NUMBER})",
            rf"(?P<word>{_WORD}{_INDEX}*)",
            r"(?P<break>\s*\n\s*|\s[—–|]\s|\s---?\s|;|\s*(?:→|⟶|⇒|->|=>)\s*|\.(?=\s|$))",
            r"(?P<open>[(\[{⟨])",
            r"(?P<close>[)\]}⟩])",
            r"(?P<comma>,)",
            r"(?P<colon>:(?!=))",
            r"(?P<op>:=|<=|>=|==|!=|\+/-|[≤≥≠±≈∼~<>=+\-−–—*/^|×·∈⊙&%@√∑Σ∏∞∇∂∫!?‖]|\S)",
        )
    )
)
_SIGNED_AFTER = frozenset({Kind.OPEN, Kind.COMMA, Kind.COLON, Kind.OP, Kind.BREAK})
_HORIZON = re.compile(r"T\s*(?:[/*+)\].;,]|$)")
_ARROWS = frozenset({"→", "⟶", "⇒", "->", "=>"})


def tokenize(text: str) -> tuple[Token, ...]:
    """The tokens of a claim, in order."""
    tokens: list[Token] = []
    brackets: list[str] = []
    letters = frozenset(re.findall(r"(?<![\w.])([KMBT])(?![\w-])", text))
    for match in _LEXER.finditer(text):
        group = match.lastgroup or "op"
        if group == "open":
            brackets.append(match.group())
        kind = {"abbreviation": Kind.WORD, "ordinal": Kind.WORD, "size": Kind.NUMBER}.get(group) or Kind(group)
        token = Token(kind, match.group().strip(), match.start(), match.end(), len(brackets))
        if group == "close" and brackets:
            brackets.pop()
        if kind is Kind.NUMBER and _is_product(token, letters, text):
            _append(tokens, Token(Kind.NUMBER, token.text[0], token.start, token.end - 1, token.depth))
            tokens.append(Token(Kind.WORD, token.text[1], token.end - 1, token.end, token.depth))
        elif kind is Kind.NUMBER and brackets and brackets[-1] in "[{" and "," in token.text:
            tokens.extend(_items(token))
        else:
            _append(tokens, token)
    return tuple(tokens)


def _is_product(token: Token, letters: frozenset[str], text: str) -> bool:
    """Whether `2T` is two times T: the claim has T as a symbol, or goes on as a formula."""
    if not re.fullmatch(r"\d[KMBT]", token.text):
        return False
    return token.text[1] in letters or bool(_HORIZON.match(text, token.end - 1))


def _items(token: Token) -> Iterator[Token]:
    """`512,768` in a list is two items, not half a million."""
    at = token.start
    for index, part in enumerate(token.text.split(",")):
        if index:
            yield Token(Kind.COMMA, ",", at, at + 1, token.depth)
            at += 1
        yield Token(Kind.NUMBER, part, at, at + len(part), token.depth)
        at += len(part)


def _append(tokens: list[Token], token: Token) -> None:
    """Add a token; a minus that can only be a sign joins its number."""
    minus = tokens[-1] if tokens and tokens[-1].text in {"-", "−"} else None
    before = tokens[-2] if len(tokens) > 1 else None
    if token.kind is Kind.NUMBER and minus and minus.end == token.start and (before is None or before.kind in _SIGNED_AFTER):
        tokens[-1] = Token(Kind.NUMBER, "-" + token.text, minus.start, token.end, token.depth)
    else:
        tokens.append(token)


def is_arrow(token: Token) -> bool:
    """Whether the token is an arrow between two steps."""
    return token.kind is Kind.BREAK and token.text in _ARROWS


def closing(tokens: Sequence[Token], start: int) -> int:
    """The index of the bracket that closes the one at `start`; the last index when none does."""
    depth = 0
    for index in range(start, len(tokens)):
        if tokens[index].kind is Kind.OPEN:
            depth += 1
        elif tokens[index].kind is Kind.CLOSE:
            depth -= 1
            if depth <= 0:
                return index
    return len(tokens) - 1


@dataclass(frozen=True, slots=True)
class Clause:
    """A stretch of tokens that says one thing.

    Attributes:
        start: index of its first token in the claim. stop: index after its last.
        head: the words before the colon that introduces it, e.g. `baselines`; empty when there is none.
    """

    start: int
    stop: int
    head: tuple[str, ...] = ()


def clauses(tokens: Sequence[Token]) -> Iterator[Clause]:
    """The clauses of a claim: split at breaks outside brackets, each with its head."""
    start = 0
    for index in range(len(tokens) + 1):
        if index == len(tokens) or (tokens[index].kind is Kind.BREAK and tokens[index].depth == 0):
            if index > start:
                yield from _headed(tokens, start, index)
            start = index + 1


_HEAD_LENGTH = 14


def _headed(tokens: Sequence[Token], start: int, stop: int) -> Iterator[Clause]:
    """Split `head: body` at its last colon outside brackets whose head is short; head and body are both clauses."""
    colons = [i for i in range(start + 1, stop - 1) if tokens[i].kind is Kind.COLON and tokens[i].depth == 0]
    begin, head = start, ()  # type: tuple[int, tuple[str, ...]]
    for colon in colons:
        before = tokens[begin:colon]
        yield Clause(begin, colon, head)
        words = tuple(token.text for token in before if token.kind is Kind.WORD)
        comma = max((i for i, token in enumerate(before) if token.kind is Kind.COMMA and token.depth == 0), default=-1)
        head = tuple(token.text for token in before[comma + 1 :] if token.kind is Kind.WORD) or words
        head = head[-_HEAD_LENGTH:]
        begin = colon + 1
    yield Clause(begin, stop, head)
