"""Numbers that are told, not set: citations, sections, years, versions, sizes of data and models, results."""

from __future__ import annotations

import re
from collections.abc import Sequence

from verifier.units.readers.found import Page
from verifier.units.readers.names import is_content, is_symbol
from verifier.units.readers.numbers import Value, numeral
from verifier.units.readers.vocabulary import CITATION_HEADS, DATA_UNITS, PREPOSITIONS, QUANTITIES, SCORES, VERBS
from verifier.units.tokens import Clause, Kind, Token

ASSIGNS = frozenset({"=", ":=", "==", "≈", "~", "∈"})
LEADING = frozenset({"total", "maximum", "minimum", "the", "max", "min"})
ABBREVIATED = {"ep": "epochs", "eps": "epochs", "it": "iterations", "iters": "iterations", "px": "pixels"}
_ARITHMETIC = frozenset("*·×⊙+^/√|")


def sets_something(tokens: Sequence[Token], clause: Clause, value: Value) -> bool:
    """Whether a number may be a setting: no citation, number of a section, year, version, enumeration or part of a formula."""
    if value.stop < clause.stop and _runs_on(tokens, clause, value):
        return False
    if value.start == clause.start:
        return True
    first, before = tokens[value.start], tokens[value.start - 1]
    after = tokens[value.stop] if value.stop < clause.stop else None
    if first.text in {"<", ">"} or (before.kind is Kind.CLOSE and first.text in {"<=", ">=", "≤", "≥"}):
        return False
    if before.text in {"+", "*", "/", "^", "-", "·", "#", "√"} or before.text.endswith("_"):
        return False
    if first.text == "[" and value.stop - value.start == 3 and before.text not in ASSIGNS and before.low not in QUANTITIES:
        return False
    if before.kind is Kind.OPEN and after and after.kind is Kind.CLOSE and value.stop - value.start == 1:
        return before.text == "(" and value.start >= 2 and tokens[value.start - 2].low in QUANTITIES
    return not (_labels(tokens, value, after) or _year(tokens, value) or _version(tokens, value))


def _runs_on(tokens: Sequence[Token], clause: Clause, value: Value) -> bool:
    """Whether what follows a number makes it something else: a formula, a glued word, a multiple."""
    after = tokens[value.stop]
    glued = after.kind is Kind.WORD and after.start == tokens[value.stop - 1].end
    if glued and len(after.text) > 2 and after.low not in ABBREVIATED:
        return True
    return after.text in {"x", "×"} or _continues(tokens, value.stop, clause.stop)


def _labels(tokens: Sequence[Token], value: Value, after: Token | None) -> bool:
    """Whether a number is a label: `Section 4`, `stage 2`, the `0-1` of a loss; a list or a counted noun is none."""
    if [token.text for token in tokens[value.start : value.stop]] == ["0", "-", "1"]:
        return True
    listed = value.stop - value.start > 4
    counted = after is not None and is_content(after) and after.low not in VERBS
    return tokens[value.start - 1].low in CITATION_HEADS and not listed and not counted


def _continues(tokens: Sequence[Token], index: int, stop: int) -> bool:
    """Whether an expression goes on after a number, so that the number is no value by itself."""
    after = tokens[index]
    if after.text in _ARITHMETIC and after.text != "/":
        return True
    following = tokens[index + 1] if index + 1 < stop else None
    if after.text in {"-", "−", "/"} and following is not None:
        return following.start > after.end or following.kind is Kind.OPEN or is_symbol(following.text)
    return (
        after.kind is Kind.OPEN
        and after.start == tokens[index - 1].end
        and after.text in "{("
        and tokens[index - 1].kind is Kind.NUMBER
    )


def _year(tokens: Sequence[Token], value: Value) -> bool:
    worth = numeral(value.tests[0])
    text = tokens[value.start].text
    before = tokens[value.start - 1]
    named = before.kind is Kind.COMMA or before.low.startswith("et") or before.text[:1].isupper() or before.text == "("
    return bool(worth and re.fullmatch(r"(?:19|20)\d\d", text)) and named


def _version(tokens: Sequence[Token], value: Value) -> bool:
    """`Gemini 1.5 Flash`, `Dolma 1.7`, `SAM 2`: a bare number right after a proper name that is no quantity."""
    before, text = tokens[value.start - 1], tokens[value.start].text
    if before.kind is not Kind.WORD or not before.text[:1].isupper() or before.low in QUANTITIES or before.low in VERBS:
        return False
    if before.text.isupper() and len(before.text) > 2 and re.fullmatch(r"\d", text):
        return True
    camel = any(char.islower() for char in before.text[1:]) or len(before.text) > 3
    return camel and bool(re.fullmatch(r"\d(?:\.\d)?", text)) and before.low not in PREPOSITIONS


def is_told(page: Page, value: Value, left: list[str], right: list[str]) -> bool:
    """Whether a number is only told, not set: an approximation, a size of a model or a data set, another work's value."""
    if _compared(page, value) or (left and left[-1].lower() in SCORES):
        return True
    if value.start > 0 and page.tokens[value.start - 1].text in ASSIGNS:
        return False
    if left and left[-1].endswith(("'s", "’s")):
        return True
    if value.approximate and not page.tokens[value.stop - 1].text.endswith("%"):
        return True
    worth = numeral(value.tests[0]) or 0
    named = bool(left) and left[-1][:1].isupper() and not binds(left)
    sized = bool(right) and right[-1].lower() in {"active", "total", "params", "parameters", "parameter", "model", "models"}
    data = (
        not right
        and worth >= 10_000
        and any(word[:1].isupper() and word[1:2].islower() or word.lower() in DATA_UNITS for word in left)
    )
    return worth >= 1e6 and (sized or (named and not right) or worth >= 1e9 and not right) or (data and not binds(left))


def _compared(page: Page, value: Value) -> bool:
    """Whether a percentage is compared with another (`46.7% vs gated=4.8%`), as results are."""
    if not page.tokens[value.stop - 1].text.endswith("%"):
        return False
    near = [*page.tokens[max(0, value.start - 3) : value.start], *page.tokens[value.stop : value.stop + 1]]
    return any(token.low in {"vs", "vs.", "versus"} for token in near)


def binds(left: Sequence[str]) -> bool:
    """Whether a phrase asks for a value on its right: it ends in a quantity, a symbol or an identifier."""
    if left[-1].lower() in LEADING:
        return False
    return left[-1].lower().rstrip("s") in QUANTITIES or left[-1].lower() in QUANTITIES or is_symbol(left[-1]) or "_" in left[-1]


def is_large(value: Value) -> bool:
    """Whether a number is of the size of data sets rather than of settings."""
    worth = numeral(value.tests[0])
    return worth is not None and worth >= 20_000
