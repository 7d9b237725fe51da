"""Negations: `no biases`, `without dropout`, `dropout disabled`."""

from __future__ import annotations

from verifier.model.check import Check, Equals, NotCheck, PresentCheck, ValueCheck
from verifier.units.readers.found import Page
from verifier.units.readers.names import right_phrase, singular
from verifier.units.readers.vocabulary import COUNTED_ENTITIES, GENERIC, HARDWARE
from verifier.units.tokens import Clause, Kind, closing

_NEGATES = frozenset({"no", "without"})
_FLAGS = frozenset({"bias", "shuffle", "dropout", "momentum", "nesterov", "amsgrad"})
_CONTRASTS = frozenset({"vs", "vs.", "or", "and", "versus", "/"})


def read(page: Page, clause: Clause) -> None:
    """Read the negations of a clause; a contrast (`with and without`) is an experiment, not a negation."""
    tokens = page.tokens
    for index in range(clause.start, clause.stop - 1):
        if tokens[index].low == "not" and tokens[index - 1].text == "(" and index not in page.taken:
            page.taken.update(range(index, closing(tokens, index - 1)))
        if tokens[index].low not in _NEGATES or index in page.taken:
            continue
        before = tokens[index - 1].low if index > clause.start else ""
        words, stop = right_phrase(tokens[: clause.stop], index + 1)
        if not words or before in _CONTRASTS or not page.free(index, stop):
            continue
        check = _check(page, words, index, stop)
        if check is None or any(token.kind is Kind.NUMBER for token in tokens[index:stop]):
            page.taken.update(range(index, stop))
        else:
            page.add(index, stop, check)


def _check(page: Page, words: list[str], start: int, stop: int) -> Check | None:
    source = page.source(start, stop)
    head = singular(words[-1]).lower().removesuffix("e") if words[-1].lower() == "biases" else singular(words[-1]).lower()
    if head in _FLAGS:
        return ValueCheck(subjects=(head, f"use {head}"), test=Equals(False), source=source)
    if words[-1].lower() in GENERIC | COUNTED_ENTITIES:
        return None
    if (
        all(word.lower() in GENERIC | COUNTED_ENTITIES | HARDWARE or word.lower().endswith("ly") for word in words)
        or len(words) < 2
    ):
        return None
    return NotCheck(check=PresentCheck(entity=" ".join(words[-3:]), source=source), source=source)
