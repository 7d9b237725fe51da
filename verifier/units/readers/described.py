"""Descriptions: a claim, or a clause, that spells out one quantity and ends in its value.

description = kind? "of"? phrase anything* ("=" | ":") value         Number of calibration samples in the experiment = 10
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from verifier.units.readers.found import Page
from verifier.units.readers.names import clean, is_content, is_symbol, left_phrase, right_phrase, subjects
from verifier.units.readers.numbers import Value, distinctive, read_value
from verifier.units.readers.told import LEADING
from verifier.units.readers.valued import add_value
from verifier.units.readers.vocabulary import GENERIC, PREPOSITIONS, QUANTITIES
from verifier.units.tokens import Clause, Kind, Token

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


def read_trailing(page: Page, clause: Clause) -> None:
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
    whole = whole if tokens[0].kind is Kind.WORD and _lead_words(tokens, 0, at)[0] else clause
    left, _ = left_phrase(tokens, at, 0)
    describe(page, whole, value, left)
    numbers = [i for i in range(at) if tokens[i].kind is Kind.NUMBER]
    page.taken.update(numbers)


def is_description(page: Page, clause: Clause, value: Value) -> bool:
    """Whether the clause is one description of one value: `Number of calibration samples in the experiment = 10`."""
    at = clause.start
    while at < clause.stop and page.tokens[at].low in LEADING:
        at += 1
    opens = at + 1 < clause.stop and page.tokens[at].low in _KINDS and page.tokens[at + 1].low in {"of", "for"}
    ends = value.stop >= clause.stop and value.start > clause.start and page.tokens[value.start - 1].text in {"=", ":"}
    plain = not any(token.kind is Kind.NUMBER or token.text in "=,([{" for token in page.tokens[clause.start : value.start - 1])
    return ends and (opens or (plain and value.start - clause.start > 5))


def describe(page: Page, clause: Clause, value: Value, left: list[str]) -> int:
    """Add the value of a description under its head noun and every symbol that it mentions; the index to go on from."""
    tokens = page.tokens
    words, kind, after = _lead_words(tokens, clause.start, value.start)
    names = list(subjects(words, loose=distinctive(value.tests[0]), count=kind == "number"))
    if words and tokens[after].text == "/":
        names += subjects([*words[:-1], tokens[after + 1].text], count=kind == "number")
        names += subjects([tokens[after + 1].text], count=kind == "number")
    pattern = _KINDS.get(kind, "{}")
    telling = [_stem(word) for word in words if word.lower() not in QUANTITIES | GENERIC and not is_symbol(word)]
    if kind and telling:
        pairs = (" ".join(telling[-2:]), f"{telling[-1]} {telling[0]}")
        names += [pattern.format(core) for core in (*pairs, *telling)]
    names += [token.text for i, token in enumerate(tokens[: value.start]) if i >= clause.start and _is_free(tokens, i)]
    names += [" ".join(left[-2:])] if left else []
    unique = tuple(dict.fromkeys(clean(name) for name in names if clean(name)))
    add_value(page, value, clause.start, value.stop, unique, range(value.start, value.stop))
    return value.stop


def _is_free(tokens: Sequence[Token], index: int) -> bool:
    """Whether a token is a symbol by itself: in `1 - beta` what is described is not `beta`."""
    token = tokens[index]
    joined = index > 0 and tokens[index - 1].text in {"-", "−", "+", "*", "/"}
    return token.kind is Kind.WORD and is_symbol(token.text) and not joined


def _lead_words(tokens: Sequence[Token], start: int, stop: int) -> tuple[list[str], str, int]:
    """The noun phrase that a description starts with, the kind of value it names, and the index after the phrase."""
    at = start
    while at < stop and tokens[at].low in LEADING:
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
