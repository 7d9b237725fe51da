"""Quantities: a name with a value.

    assignment = phrase gloss? ("=" | ":" | "of" | "set to" | "at" ...)? value          batch size 768; lr = 8e-5; dropout of 0.1
    count      = value "-"? phrase                                                      350 epochs; 3-layer CNN
    share      = percentage "of" phrase | ("fraction" | "probability" ...) "of" phrase ... value
    bounds     = phrase ("in" | "over" | "from") interval                               65 bins over [-10, 10]

Numbers that set nothing (citations, section numbers, years, versions, hardware, achieved results) give no check.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from verifier.model.check import AnyCheck, Between, Check, Equals, PresentCheck, ValueCheck
from verifier.model.unit import Unread
from verifier.units.readers.described import describe, is_description, read_trailing
from verifier.units.readers.entities import is_proper
from verifier.units.readers.found import Page
from verifier.units.readers.glosses import expanded, gloss_of, headline_names, measured_names, opening_name, qualified_names
from verifier.units.readers.names import clean, is_content, is_symbol, left_phrase, right_phrase, subjects
from verifier.units.readers.numbers import Value, distinctive, numeral, read_value
from verifier.units.readers.told import ABBREVIATED, ASSIGNS, binds, is_large, is_told, sets_something
from verifier.units.readers.valued import add_value
from verifier.units.readers.vocabulary import (
    CONNECTORS,
    COUNTED_ENTITIES,
    DATA_UNITS,
    HARDWARE,
    PREPOSITIONS,
    QUANTITIES,
    SCORES,
    VERBS,
)
from verifier.units.tokens import Clause, Kind, Token, is_arrow

_INDEXES = frozenset("ijklmnt")
_PARAMETERS = frozenset({"parameter", "parameters", "params", "param"})
_RANGE = re.compile(r"\s*,?\s*(?:\.\.|…|\\[lc]?dots)")
_RANGES = frozenset({"in", "over", "from", "between", "within", "range", "to", "∈"})


def read(page: Page, clause: Clause) -> None:
    """Read the quantities of a clause."""
    if clause.start < clause.stop and all(token.kind is Kind.BREAK for token in page.tokens[clause.stop :]):
        read_trailing(page, clause)
    index = clause.start
    while index < clause.stop:
        if index in page.taken:
            index += 1
            continue
        if _word_value(page, clause, index):
            continue
        value = read_value(page.tokens, index)
        if value is not None and _changed(page, clause, value):
            index = value.stop
            continue
        if value is None or value.stop > clause.stop or not page.free(value.start, value.stop):
            index += 1
            continue
        if not sets_something(page.tokens, clause, value) or _RANGE.match(page.text, page.tokens[value.stop - 1].end):
            index = value.stop
            continue
        index = max(_quantity(page, clause, value), value.stop)


def _changed(page: Page, clause: Clause, value: Value) -> bool:
    """`RoPE base 10,000 -> 1,000,000`: the value behind an arrow has the name of the one before it."""
    tokens = page.tokens
    if (
        value.start != clause.start
        or value.start < 2
        or not is_arrow(tokens[value.start - 1])
        or tokens[value.start - 2].kind is not Kind.NUMBER
    ):
        return False
    left, _ = left_phrase(tokens, value.start - 2, 0)
    right, _ = right_phrase(tokens[: clause.stop], value.stop)
    if not left or not (binds(left) or not right):
        return False
    _emit(page, clause, value, value.start, value.stop, left, [])
    return True


def _quantity(page: Page, clause: Clause, value: Value) -> int:
    """Read one quantity around its value; the index to go on from."""
    tokens = page.tokens
    right, after = right_phrase(tokens[: clause.stop], value.stop)
    left, start = left_phrase(tokens, value.start, clause.start)
    aside = _aside(page, clause, value, (start, after), left, right)
    if aside is not None:
        return aside
    if len(left) == 1 and left[0] in _INDEXES and any(isinstance(test, Between) for test in value.tests):
        return value.stop
    assigned = value.start > clause.start and (
        tokens[value.start - 1].text in ASSIGNS
        or tokens[value.start - 1].low in CONNECTORS
        or tokens[value.start].text in "≥≤<>"
        or tokens[value.start].text in {">=", "<="}
    )
    if is_description(page, clause, value):
        return describe(page, clause, value, left)
    explicit = value.start > clause.start and tokens[value.start - 1].text in ASSIGNS
    if explicit and left and start > clause.start and tokens[start - 1].text in {"-", "−", "+", "*", "/", "·"}:
        return _complement(page, clause, value, left, start)
    if explicit and left:
        symbolic = all(is_symbol(word) for word in left)
        gloss = right if right and symbolic and right[-1].lower() not in COUNTED_ENTITIES else []
        return _emit(page, clause, value, start, after if gloss else value.stop, _of_head(clause, left), gloss)
    if right and not (left and binds(left)) and right[-1].lower() not in PREPOSITIONS:
        named_of = left if tokens[value.start - 1].low == "of" else []
        return _count(page, value, left if start < value.start and not assigned else [], right, after, named_of)
    ranged = value.stop - value.start > 1 and value.start > clause.start and tokens[value.start - 1].low in _RANGES
    if left and (assigned or ranged or binds(left) or (not right and start == value.start - len(left))):
        return _emit(page, clause, value, start, value.stop, left, [])
    return _share(page, clause, value)


def _aside(page: Page, clause: Clause, value: Value, around: tuple[int, int], left: list[str], right: list[str]) -> int | None:
    """Set a number aside that no code sets: hardware, the size of a model, a result; the index to go on from."""
    start, after = around
    if any(word.lower() in HARDWARE for word in right[:2]):
        page.add(value.start, after, Unread(page.words(value.start, after), "hardware or time, which code does not set", False))
        return after
    worth = numeral(value.tests[0]) or 0
    counted = worth >= 10_000 and bool(_PARAMETERS.intersection(word.lower() for word in (*right[-1:], *clause.head)))
    if counted or (worth >= 1e6 and _is_model_size(left)):
        stop = after if counted else value.stop
        page.add(start, stop, Unread(page.words(start, stop), "the size of a model, which is not computed", True))
        return stop
    if is_told(page, value, left, right):
        reason = (
            "an achieved result"
            if left and left[-1].lower() in SCORES
            else "a size that follows from the data or the architecture"
        )
        page.add(value.start, after, Unread(page.words(value.start, after), reason, False))
        return after
    return None


def _is_model_size(left: Sequence[str]) -> bool:
    """Whether a name is of a model's size: `model size`, `activated_params`."""
    lows = [word.lower() for word in left]
    return lows[-2:] == ["model", "size"] or bool(lows and lows[-1].split("_")[-1] in _PARAMETERS)


def _complement(page: Page, clause: Clause, value: Value, left: list[str], start: int) -> int:
    """`1 - beta = 0.05` says that beta is 0.95; any other expression is no value of its last symbol."""
    worth = numeral(value.tests[0])
    if worth is not None and start - 2 >= clause.start and _texts(page, start - 2, start) == ["1", "-"]:
        rest = Value((Equals(round(1 - worth, 12)),), value.start, value.stop)
        return _emit(page, clause, rest, start, value.stop, left, [])
    return value.stop


def _texts(page: Page, start: int, stop: int) -> list[str]:
    """The texts of a stretch of tokens."""
    return [token.text.replace("−", "-") for token in page.tokens[start:stop]]


def _of_head(clause: Clause, left: list[str]) -> list[str]:
    """`loss weights: reconstruction=1.0`: the head's last word says what kind of value each item is."""
    kind = clause.head[-1].lower() if clause.head else ""
    single = kind.rstrip("s")
    if kind.endswith("s") and single in QUANTITIES and left[-1].lower() not in QUANTITIES and not is_symbol(left[-1]):
        return [*left, single]
    return left


def _count(page: Page, value: Value, left: list[str], right: list[str], after: int, whole: Sequence[str] = ()) -> int:
    """Add a number of things; `whole` is what has them: the vocabulary in `a vocabulary of 50,304 tokens`."""
    right = [*right[:-1], ABBREVIATED.get(right[-1].lower(), right[-1])]
    right = expanded(page, right)
    head = right[-1].lower()
    if head in _PARAMETERS:
        page.add(value.start, after, Unread(page.words(value.start, after), "the size of a model, which is not computed", True))
        return after
    if head in COUNTED_ENTITIES or (head in DATA_UNITS and is_large(value)):
        if is_large(value):
            page.add(value.start, after, Unread(page.words(value.start, after), "a size that follows from the data", False))
        return after
    if value.tests and isinstance(value.tests[0], Equals) and isinstance(value.tests[0].value, str):
        right = right if head in QUANTITIES else [*right, "size"]
    counted = right[-1].lower() not in {"size", "rate", "accuracy", "ratio", "probability"}
    names = subjects(right, loose=distinctive(value.tests[0]), count=counted)
    if head == "channels" and (numeral(value.tests[0]) or 9) in (1, 3, 4):
        names = ("in channels", "input channels", "image channels", "number of image channels")
    if head == "times" and left:
        names = subjects(left, loose=True)
    if whole:
        names = (*names, *subjects([*whole, "size"], loose=True), " ".join(whole[-2:]))
    if left and len(left) <= 2:
        names = (" ".join([*left, *right[-1:]]), *names)
    add_value(page, value, value.start, after, names)
    return after


def _emit(page: Page, clause: Clause, value: Value, start: int, stop: int, words: Sequence[str], gloss: list[str]) -> int:
    """Add an assignment; a symbol without a noun is named by its gloss: `n=10 frequency bands`, `alpha=0.01 (balancing weight)`."""
    counted = bool(gloss)
    if not gloss and all(is_symbol(word) for word in words):
        gloss, stop = gloss_of(page.tokens, stop)
    names = subjects(words, loose=distinctive(value.tests[0]))
    if gloss:
        names = (*subjects(gloss, count=counted), *names)
    else:
        names = (
            *qualified_names(page, clause, start),
            *measured_names(page, clause, start, words),
            *names,
            *headline_names(clause, words),
            *opening_name(page, clause, start),
        )
    add_value(page, value, start, stop, tuple(dict.fromkeys(names)))
    return stop


def _share(page: Page, clause: Clause, value: Value) -> int:
    """`20% of transitions`, `uniformly from [0, 255]`, `65 bins over [-10, 10]`: named by what stands around."""
    tokens = page.tokens
    after = value.stop
    before = tokens[value.start - 1].low if value.start > clause.start else ""
    if after < clause.stop and tokens[after].low == "of":
        words, stop = right_phrase(
            tokens[: clause.stop], after + 1 + (tokens[min(after + 1, clause.stop - 1)].low in {"the", "all", "each"})
        )
        if words:
            names = [f"{words[-1]} {suffix}" for suffix in ("fraction", "ratio", "prob", "percent")] + list(
                subjects(words, loose=True)
            )
            add_value(page, value, value.start, stop, tuple(dict.fromkeys(clean(name) for name in names)))
            return stop
    percent = tokens[value.start].text.endswith("%")
    if not (value.interval and before in _RANGES) and not percent:
        return value.stop
    nearest = _nearest(tokens, clause, value.start)
    if nearest:
        base = subjects(nearest, loose=distinctive(value.tests[0]))
        ranges = (*(f"{name} range" for name in base[:2]), *base, "range", "support", "bounds")
        add_value(page, value, value.start, value.stop, ranges if value.interval else base)
    return value.stop


def _nearest(tokens: Sequence[Token], clause: Clause, index: int) -> list[str]:
    """The last noun phrase before a token, over prepositions and verbs, within its comma."""
    at = index - 1
    while at >= clause.start and tokens[at].kind is not Kind.COMMA:
        if is_content(tokens[at]) and tokens[at].low not in VERBS and not tokens[at].low.endswith("ly"):
            return left_phrase(tokens, at + 1, clause.start)[0]
        at -= 1
    return []


def _names(following: Token, word: Token) -> bool:
    """Whether a word is a value by itself before another word, as names are; `success = agent solves the level` defines."""
    return following.kind is Kind.WORD and (is_proper(word) or following.low in PREPOSITIONS or "_" in word.text)


def _word_value(page: Page, clause: Clause, index: int) -> bool:
    """`activation=GELU`: a word behind an equals sign whose left side is a name, not a symbol."""
    tokens = page.tokens
    if tokens[index].text != "=" or index + 1 >= clause.stop or index == clause.start:
        return False
    word, left = tokens[index + 1], left_phrase(tokens, index, clause.start)
    following = tokens[index + 2] if index + 2 < clause.stop else None
    closed = following is None or following.kind in (Kind.COMMA, Kind.CLOSE, Kind.BREAK, Kind.OPEN) or _names(following, word)
    if word.kind is not Kind.WORD or is_symbol(word.text) or not left[0] or is_symbol(left[0][-1]) or not closed:
        return False
    if word.low in PREPOSITIONS or (following is not None and following.kind is Kind.OPEN and following.start == word.end):
        return False
    source = page.source(left[1], index + 2)
    text: bool | str = {"true": True, "false": False}.get(word.low, word.text)
    checks: list[Check] = [ValueCheck(subjects=subjects(left[0]), test=Equals(text), source=source)]
    if isinstance(text, str):
        checks.append(PresentCheck(entity=text, source=source))
    page.add(left[1], index + 2, AnyCheck(checks=tuple(checks), source=source) if len(checks) > 1 else checks[0])
    return True
