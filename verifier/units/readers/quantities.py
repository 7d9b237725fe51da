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

from verifier.model.check import AnyCheck, Between, Check, Equals, FormulaCheck, PresentCheck, Source, Test, ValueCheck
from verifier.model.unit import Unread
from verifier.units.readers.found import Page
from verifier.units.readers.names import clean, is_content, is_symbol, left_phrase, owner, right_phrase, subjects
from verifier.units.readers.numbers import Value, distinctive, numeral, read_value
from verifier.units.readers.vocabulary import (
    CITATION_HEADS,
    CONNECTORS,
    COUNTED_ENTITIES,
    DATA_UNITS,
    GENERIC,
    HARDWARE,
    PREPOSITIONS,
    QUANTITIES,
    SCORES,
    VERBS,
)
from verifier.units.tokens import Clause, Kind, Token, is_arrow

_ASSIGNS = frozenset({"=", ":=", "==", "≈", "~", "∈"})
_ARITHMETIC = frozenset("*·×⊙+^/√|")
_KINDS = {
    "number": "number of {}",
    "fraction": "{} probability",
    "probability": "{} probability",
    "percentage": "{} probability",
    "proportion": "{} probability",
    "frequency": "{} interval",
    "size": "{} size",
    "dimension": "{} size",
    "weight": "{} weight",
    "ratio": "{} ratio",
    "level": "{} level",
    "bound": "{} bound",
}
"""What kind of value a description names, and the lexicon's pattern for it."""
_STOPS = frozenset({"used", "given", "set", "applied"})
_INDEXES = frozenset("ijklmnt")
_PARAMETERS = frozenset({"parameter", "parameters", "params", "param"})
_IMAGES = frozenset("resolution image images input inputs generation observation observations observations pixels frames frame".split())
_RANGES = frozenset({"in", "over", "from", "between", "within", "range", "to", "∈"})
_ABBREVIATED = {"ep": "epochs", "eps": "epochs", "it": "iterations", "iters": "iterations", "px": "pixels"}
_LEADING = frozenset({"total", "maximum", "minimum", "the", "max", "min"})


def read(page: Page, clause: Clause) -> None:
    """Read the quantities of a clause."""
    if clause.start < clause.stop and all(token.kind is Kind.BREAK for token in page.tokens[clause.stop :]):
        _trailing(page, clause)
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
        if not _sets_something(page.tokens, clause, value):
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
    left, start = left_phrase(tokens, value.start - 2, 0)
    right, _ = right_phrase(tokens[: clause.stop], value.stop)
    if not left or not (_binds(left) or not right):
        return False
    _emit(page, clause, value, value.start, value.stop, left, [])
    return True


def _trailing(page: Page, clause: Clause) -> None:
    """A claim that ends in `= VALUE` or `: VALUE` behind a description in prose is about that one value."""
    tokens = page.tokens
    signs = [i for i in range(max(clause.start - 1, 1), clause.stop - 1) if tokens[i].text in "=:" and tokens[i].depth == 0]
    at = signs[-1] if signs else None
    if at is None or not page.free(at, clause.stop):
        return
    first = at + 1 + sum(tokens[i].low in {"once", "every"} for i in range(at + 1, min(at + 3, clause.stop)))
    value = read_value(tokens, first)
    words = [token for token in tokens[:at] if token.kind is Kind.WORD and not is_symbol(token.text)]
    listed = any(
        token.kind is Kind.COMMA
        and token.depth == 0
        and tokens[i + 1].kind is Kind.WORD
        and "=" in [t.text for t in tokens[i : i + 4]]
        for i, token in enumerate(tokens[: at - 1])
    )
    if value is None or len(words) < 5 or listed or any(token.kind is Kind.COLON for token in tokens[:at]):
        return
    unit, end = right_phrase(tokens[: clause.stop], value.stop)
    if (end if unit else value.stop) != clause.stop:
        return
    whole = Clause(0, clause.stop, clause.head)
    whole = whole if _lead_words(tokens, 0, at)[0] else clause
    left, _ = left_phrase(tokens, at, 0)
    _lead(page, whole, value, left)
    numbers = [i for i in range(at) if tokens[i].kind is Kind.NUMBER]
    page.taken.update(numbers)


def _sets_something(tokens: Sequence[Token], clause: Clause, value: Value) -> bool:
    """Whether a number may be a setting: no citation, number of a section, year, version, enumeration or part of a formula."""
    first = tokens[value.start]
    before = tokens[value.start - 1] if value.start > clause.start else None
    after = tokens[value.stop] if value.stop < clause.stop else None
    if (
        after
        and after.kind is Kind.WORD
        and after.start == tokens[value.stop - 1].end
        and len(after.text) > 2
        and after.low not in _ABBREVIATED
    ):
        return False
    if after and _continues(tokens, value.stop, clause.stop):
        return False
    if after and after.kind is Kind.WORD and after.text in {"x", "×"}:
        return False
    if before is None:
        return True
    if first.text in {"<", ">"} or (before.kind is Kind.CLOSE and first.text in {"<=", ">=", "≤", "≥"}):
        return False
    listed = value.stop - value.start > 4
    if before.low in CITATION_HEADS and not listed and not (after and is_content(after) and after.low not in VERBS):
        return False
    if before.text in {"+", "*", "/", "^", "-", "·", "#", "√"} or before.text.endswith("_"):
        return False
    if first.text == "[" and value.stop - value.start == 3 and before.text not in _ASSIGNS and before.low not in QUANTITIES:
        return False
    if before.kind is Kind.OPEN and after and after.kind is Kind.CLOSE and value.stop - value.start == 1:
        return before.text == "(" and value.start >= 2 and tokens[value.start - 2].low in QUANTITIES
    return not _year(tokens, value) and not _version(tokens, value)


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


def _quantity(page: Page, clause: Clause, value: Value) -> int:
    """Read one quantity around its value; the index to go on from."""
    tokens = page.tokens
    right, after = right_phrase(tokens[: clause.stop], value.stop)
    left, start = left_phrase(tokens, value.start, clause.start)
    if any(word.lower() in HARDWARE for word in right[:2]):
        page.add(value.start, after, Unread(page.words(value.start, after), "hardware or time, which code does not set", False))
        return after
    if (numeral(value.tests[0]) or 0) >= 10_000 and _PARAMETERS.intersection(word.lower() for word in (*right[-1:], *clause.head)):
        page.add(start, after, Unread(page.words(start, after), "the size of a model, which is not computed", True))
        return after
    if _aside(page, value, left, right):
        reason = (
            "an achieved result"
            if left and left[-1].lower() in SCORES
            else "a size that follows from the data or the architecture"
        )
        page.add(value.start, after, Unread(page.words(value.start, after), reason, False))
        return after
    if len(left) == 1 and left[0] in _INDEXES and any(isinstance(test, Between) for test in value.tests):
        return value.stop
    assigned = value.start > clause.start and (
        tokens[value.start - 1].text in _ASSIGNS
        or tokens[value.start - 1].low in CONNECTORS
        or tokens[value.start].text in "≥≤<>"
        or tokens[value.start].text in {">=", "<="}
    )
    if _is_lead(page, clause, value):
        return _lead(page, clause, value, left)
    explicit = value.start > clause.start and tokens[value.start - 1].text in _ASSIGNS
    if explicit and left and start > clause.start and tokens[start - 1].text in {"-", "−", "+", "*", "/", "·"}:
        return _complement(page, clause, value, left, start)
    if explicit and left:
        symbolic = all(is_symbol(word) for word in left)
        gloss = right if right and symbolic and right[-1].lower() not in COUNTED_ENTITIES else []
        return _emit(page, clause, value, start, after if gloss else value.stop, _of_head(clause, left), gloss)
    if right and not (left and _binds(left)) and right[-1].lower() not in PREPOSITIONS:
        named_of = left if tokens[value.start - 1].low == "of" else []
        return _count(page, value, left if start < value.start and not assigned else [], right, after, named_of)
    if left and (assigned or _binds(left) or (not right and start == value.start - len(left))):
        return _emit(page, clause, value, start, value.stop, left, [])
    return _share(page, clause, value)


def _complement(page: Page, clause: Clause, value: Value, left: list[str], start: int) -> int:
    """`1 - beta = 0.05` says that beta is 0.95; any other expression is no value of its last symbol."""
    worth = numeral(value.tests[0])
    if worth is not None and start - 2 >= clause.start and tokens_text(page, start - 2, start) == ["1", "-"]:
        rest = Value((Equals(round(1 - worth, 12)),), value.start, value.stop)
        return _emit(page, clause, rest, start, value.stop, left, [])
    return value.stop


def tokens_text(page: Page, start: int, stop: int) -> list[str]:
    """The texts of a stretch of tokens."""
    return [token.text.replace("−", "-") for token in page.tokens[start:stop]]


def _aside(page: Page, value: Value, left: list[str], right: list[str]) -> bool:
    """Whether a number is only told, not set: an approximation, a size of a model or a data set, another work's value."""
    if _compared(page, value) or (left and left[-1].lower() in SCORES):
        return True
    if value.start > 0 and page.tokens[value.start - 1].text in _ASSIGNS:
        return False
    if left and left[-1].endswith(("'s", "’s")):
        return True
    if value.approximate and not page.tokens[value.stop - 1].text.endswith("%"):
        return True
    worth = numeral(value.tests[0]) or 0
    named = bool(left) and left[-1][:1].isupper() and not _binds(left)
    sized = bool(right) and right[-1].lower() in {"active", "total", "params", "parameters", "parameter", "model", "models"}
    data = (
        not right
        and worth >= 10_000
        and any(word[:1].isupper() and word[1:2].islower() or word.lower() in DATA_UNITS for word in left)
    )
    return worth >= 1e6 and (sized or (named and not right) or worth >= 1e9 and not right) or (data and not _binds(left))


def _compared(page: Page, value: Value) -> bool:
    """Whether a percentage is compared with another (`46.7% vs gated=4.8%`), as results are."""
    if not page.tokens[value.stop - 1].text.endswith("%"):
        return False
    near = page.tokens[max(0, value.start - 3) : value.start] + page.tokens[value.stop : value.stop + 1]
    return any(token.low in {"vs", "vs.", "versus"} for token in near)


def _binds(left: Sequence[str]) -> bool:
    """Whether a phrase asks for a value on its right: it ends in a quantity, a symbol or an identifier."""
    if left[-1].lower() in _LEADING:
        return False
    return left[-1].lower().rstrip("s") in QUANTITIES or left[-1].lower() in QUANTITIES or is_symbol(left[-1]) or "_" in left[-1]


def _of_head(clause: Clause, left: list[str]) -> list[str]:
    """`loss weights: reconstruction=1.0`: the head's last word says what kind of value each item is."""
    kind = clause.head[-1].lower() if clause.head else ""
    single = kind.rstrip("s")
    if kind.endswith("s") and single in QUANTITIES and left[-1].lower() not in QUANTITIES and not is_symbol(left[-1]):
        return [*left, single]
    return left


def _count(page: Page, value: Value, left: list[str], right: list[str], after: int, whole: Sequence[str] = ()) -> int:
    """Add a number of things; `whole` is what has them: the vocabulary in `a vocabulary of 50,304 tokens`."""
    right = [*right[:-1], _ABBREVIATED.get(right[-1].lower(), right[-1])]
    right = _expanded(page, right)
    head = right[-1].lower()
    if head in _PARAMETERS:
        page.add(value.start, after, Unread(page.words(value.start, after), "the size of a model, which is not computed", True))
        return after
    if head in COUNTED_ENTITIES or (head in DATA_UNITS and _large(value)):
        if _large(value):
            page.add(value.start, after, Unread(page.words(value.start, after), "a size that follows from the data", False))
        return after
    if value.tests and isinstance(value.tests[0], Equals) and isinstance(value.tests[0].value, str):
        right = right if head in QUANTITIES else [*right, "size"]
    names = subjects(right, loose=distinctive(value.tests[0]), count=right[-1] != "size")
    if head == "channels" and (numeral(value.tests[0]) or 9) in (1, 3, 4):
        names = ("in channels", "input channels", "image channels", "number of image channels")
    if head == "times" and left:
        names = subjects(left, loose=True)
    if whole:
        names = (*names, *subjects([*whole, "size"], loose=True), " ".join(whole[-2:]))
    if left and len(left) <= 2:
        names = (" ".join([*left, *right[-1:]]), *names)
    _add(page, value, value.start, after, names)
    return after


def _expanded(page: Page, right: list[str]) -> list[str]:
    """`64E` in a claim that speaks of experts: a single capital stands for the plural or participle that it begins."""
    if len(right) != 1 or len(right[0]) != 1 or not right[0].isupper():
        return right
    for token in page.tokens:
        if (
            token.kind is Kind.WORD
            and len(token.text) > 4
            and token.low.startswith(right[0].lower())
            and token.low.endswith(("s", "ed", "ive"))
        ):
            return [token.text]
    return right


def _large(value: Value) -> bool:
    worth = numeral(value.tests[0])
    return worth is not None and worth >= 20_000


def _emit(page: Page, clause: Clause, value: Value, start: int, stop: int, words: Sequence[str], gloss: list[str]) -> int:
    """Add an assignment; a symbol without a noun is named by its gloss: `n=10 frequency bands`, `alpha=0.01 (balancing weight)`."""
    counted = bool(gloss)
    if not gloss and all(is_symbol(word) for word in words):
        gloss, stop = _gloss(page.tokens, stop)
    names = subjects(words, loose=distinctive(value.tests[0]))
    names = (*subjects(gloss, count=counted), *names) if gloss else (*names, *_headline(clause, words))
    _add(page, value, start, stop, tuple(dict.fromkeys(names)))
    return stop


def _headline(clause: Clause, words: Sequence[str]) -> tuple[str, ...]:
    """`Stochastic depth rate by model size: T=0.1`: variants that are mere letters are named by the head of their list."""
    if not all(is_symbol(word) for word in words):
        return ()
    stop = next((i for i, word in enumerate(clause.head) if word.lower() in PREPOSITIONS), len(clause.head))
    head = clause.head[:stop]
    return subjects(head) if head and head[-1].lower() in QUANTITIES else ()


def _gloss(tokens: Sequence[Token], index: int) -> tuple[list[str], int]:
    """The words of a bracket right after a value: `alpha=0.01 (load balancing weight)`."""
    if index >= len(tokens) or tokens[index].text != "(":
        return [], index
    words, at = [], index + 1
    while at < len(tokens) and is_content(tokens[at]) and len(words) < 5:
        words.append(tokens[at].text)
        at += 1
    return (words, at) if at < len(tokens) and tokens[at].kind in (Kind.CLOSE, Kind.COMMA) else ([], index)


def _is_lead(page: Page, clause: Clause, value: Value) -> bool:
    """Whether the clause is one description of one value: `Number of calibration samples in the experiment = 10`."""
    at = clause.start
    while at < clause.stop and page.tokens[at].low in _LEADING:
        at += 1
    opens = at + 1 < clause.stop and page.tokens[at].low in _KINDS and page.tokens[at + 1].low in {"of", "for"}
    ends = value.stop >= clause.stop and value.start > clause.start and page.tokens[value.start - 1].text in {"=", ":"}
    plain = not any(token.kind is Kind.NUMBER or token.text in "=,([{" for token in page.tokens[clause.start : value.start - 1])
    return ends and (opens or (plain and value.start - clause.start > 5))


def _lead(page: Page, clause: Clause, value: Value, left: list[str]) -> int:
    tokens = page.tokens
    words, kind, after = _lead_words(tokens, clause.start, value.start)
    names = list(subjects(words, loose=distinctive(value.tests[0]), count=kind == "number"))
    if words and tokens[after].text == "/":
        names += subjects([*words[:-1], tokens[after + 1].text], count=kind == "number")
        names += subjects([tokens[after + 1].text], count=kind == "number")
    pattern = _KINDS.get(kind, "{}")
    telling = [_stem(word) for word in words if word.lower() not in QUANTITIES | GENERIC and not is_symbol(word)]
    if kind:
        names += [pattern.format(" ".join(telling[-2:])), *(pattern.format(word) for word in telling)] if telling else []
    names += [token.text for token in tokens[clause.start : value.start] if token.kind is Kind.WORD and is_symbol(token.text)]
    names += [" ".join(left[-2:])] if left else []
    unique = tuple(dict.fromkeys(clean(name) for name in names if clean(name)))
    _add(page, value, clause.start, value.stop, unique, range(value.start, value.stop))
    return value.stop


def _lead_words(tokens: Sequence[Token], start: int, stop: int) -> tuple[list[str], str, int]:
    """The noun phrase that a description starts with, the kind of value it names, and the index after the phrase."""
    at = start
    while at < stop and tokens[at].low in _LEADING:
        at += 1
    kind = tokens[at].low if tokens[at].low in _KINDS else ""
    at += 2 if kind and at + 1 < stop and tokens[at + 1].low in {"of", "for", "at"} else 0
    if at < stop and tokens[at].low == "which":
        at += 1
    words: list[str] = []
    while at < stop and len(words) < 6 and not (words and tokens[at].low in (PREPOSITIONS - {"the", "a", "of"}) | _STOPS):
        if is_content(tokens[at]) and not tokens[at].low.endswith("ly"):
            words.append(tokens[at].text)
        elif tokens[at].kind is not Kind.WORD and words:
            break
        at += 1
    return words, kind, at


def _stem(word: str) -> str:
    """`dropping` is `drop`, `sampled` is `sampl`-free: only doubled consonants and plain endings are cut."""
    cut = re.sub(r"([bdgmnprt])\1ing$", r"\1", word)
    return cut if cut != word else re.sub(r"(?<=[a-z]{4})ing$", "", word)


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
            _add(page, value, value.start, stop, tuple(dict.fromkeys(clean(name) for name in names)))
            return stop
    percent = tokens[value.start].text.endswith("%")
    if not (value.interval and before in _RANGES) and not percent:
        return value.stop
    nearest = _nearest(tokens, clause, value.start)
    if nearest:
        base = subjects(nearest, loose=distinctive(value.tests[0]))
        names = tuple(f"{name} range" for name in base[:2]) + base + (("range", "support", "bounds") if value.interval else ())
        _add(page, value, value.start, value.stop, names if value.interval else base)
    return value.stop


def _nearest(tokens: Sequence[Token], clause: Clause, index: int) -> list[str]:
    """The last noun phrase before a token, over prepositions and verbs, within its comma."""
    at = index - 1
    while at >= clause.start and tokens[at].kind is not Kind.COMMA:
        if is_content(tokens[at]) and tokens[at].low not in VERBS and not tokens[at].low.endswith("ly"):
            return left_phrase(tokens, at + 1, clause.start)[0]
        at -= 1
    return []


def _word_value(page: Page, clause: Clause, index: int) -> bool:
    """`activation=GELU`: a word behind an equals sign whose left side is a name, not a symbol."""
    tokens = page.tokens
    if tokens[index].text != "=" or index + 1 >= clause.stop or index == clause.start:
        return False
    word, left = tokens[index + 1], left_phrase(tokens, index, clause.start)
    following = tokens[index + 2] if index + 2 < clause.stop else None
    closed = following is None or following.kind in (Kind.COMMA, Kind.CLOSE, Kind.BREAK, Kind.OPEN) or following.kind is Kind.WORD
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


def _add(page: Page, value: Value, start: int, stop: int, names: tuple[str, ...], takes: range | None = None) -> None:
    """Add a check for each variant of a value; an interval may stand as a pair or as its upper bound."""
    if any(
        isinstance(test, Equals) and isinstance(test.value, str) and re.fullmatch(r"\d+x\d+.*", test.value)
        for test in value.tests
    ):
        imaged = any(word in _IMAGES for name in names for word in name.lower().split())
        names = (*names, "image size", "resolution") if imaged else names
    if not names:
        return
    source = page.source(start, stop)
    names = _owned(page, start, names)
    if any(isinstance(test, Between) for test in value.tests):
        names = (*names, *(f"{bound} {names[0]}" for bound in ("min", "max")), f"{names[0]} threshold", "threshold")
    for test in value.tests:
        for part, labels in _parts(test, names):
            check = _value(labels, part, source)
            if value.interval and isinstance(part, Equals) and isinstance(part.value, tuple):
                top = max(part.value, key=lambda bound: float(bound) if isinstance(bound, (int, float)) else 0.0)
                high = ValueCheck(subjects=tuple(f"max {name}" for name in labels[:2]) + labels, test=Equals(top), source=source)
                check = AnyCheck(checks=(*(check.checks if isinstance(check, AnyCheck) else (check,)), high), source=source)
            page.add(start, stop, check, takes)


def _value(names: tuple[str, ...], test: Test, source: Source) -> Check:
    """One check on the full names; in place of it another on the bare words among them, or what a loss weight may be in code."""
    full = tuple(name for name in names if re.search(r"[ _.]", name) or name == names[0])
    bare = tuple(name for name in names if name not in full)
    checks: list[Check] = [ValueCheck(subjects=full, test=test, source=source)]
    if bare:
        checks.append(ValueCheck(subjects=bare, test=test, source=source))
    checks += _weighted(names[0], test, source)
    return checks[0] if len(checks) == 1 else AnyCheck(checks=tuple(checks), source=source)


def _weighted(name: str, test: Test, source: Source) -> list[Check]:
    """A weight of 1 is met by a term that is simply added, another by the factor of the term."""
    match = re.fullmatch(r"(.+?)(?:[ _]loss)? (?:weight|coefficient|coef)", name)
    worth = numeral(test)
    if match is None or worth is None or isinstance(test, Between):
        return []
    term = match[1].replace("_", " ")
    if worth == 1:
        return [PresentCheck(entity=f"{term} loss", source=source)]
    symbol = re.sub(r"\W+", "_", f"{term}_loss".lower())
    hints = ((symbol, (f"{term} loss", f"loss {term}", f"{term.split()[-1]} loss")),)
    return [FormulaCheck(text=f"{worth:.12g}*{symbol}", symbols=hints, source=source)]


def _owned(page: Page, start: int, names: tuple[str, ...]) -> tuple[str, ...]:
    """Names inside a bracket belong to the phrase before it: `AdamW (lr 3e-4)`, `horizontal flip (p=0.5)`."""
    above = [word for word in owner(page.tokens, start) if not is_symbol(word)] if page.tokens[start].depth else []
    if not above or len(above[-1]) < 3:
        return names
    phrase = " ".join(above[-2:])
    short = is_symbol(names[0]) or len(names[0]) <= 2
    qualified = [f"{above[-1]}.{names[0]}"] if above[-1][:1].isupper() else [f"{phrase} {names[0]}"]
    extra = [f"{phrase} prob"] if names[0] in {"p", "prob"} else [phrase] if short else []
    return tuple(dict.fromkeys((*(clean(name) for name in qualified), *names, *(clean(name) for name in extra))))


def _parts(test: Test, names: tuple[str, ...]) -> list[tuple[Test, tuple[str, ...]]]:
    """`256x256x3` is a resolution and a number of channels."""
    text = test.value if isinstance(test, Equals) else None
    if isinstance(text, str) and (match := re.fullmatch(r"(\d+x\d+)x([134])", text)):
        return [(Equals(match[1]), names), (Equals(int(match[2])), ("channels", "in channels", "number of channels"))]
    return [(test, names)]
