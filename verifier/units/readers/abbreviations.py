"""Abbreviations: `power spectral density (PSD)`, `PSD (power spectral density, lower is better)`: one thing with two names."""

from __future__ import annotations

import re
from collections.abc import Sequence

from verifier.model.check import AnyCheck, PresentCheck
from verifier.units.readers.entities import is_own
from verifier.units.readers.found import Page
from verifier.units.readers.mechanisms import alternatives
from verifier.units.readers.names import is_content
from verifier.units.tokens import Clause, Kind, Token

_LONGEST = 6


def read(page: Page, clause: Clause, own: str = "") -> None:
    """Read the abbreviations of a clause with what they stand for."""
    tokens = page.tokens
    for index in range(clause.start, clause.stop - 1):
        if tokens[index + 1].text != "(" or tokens[index].kind is not Kind.WORD or not page.free(index, index + 3):
            continue
        inner = _words(tokens, index + 2, clause.stop)
        if not inner:
            continue
        if _abbreviates(tokens[index], inner):
            _add(page, index, index + 2 + len(inner), tokens[index], inner, own)
            continue
        for size in range(min(_LONGEST, index + 1 - clause.start), 1, -1):
            long = tokens[index + 1 - size : index + 1]
            if all(is_content(token) or token.low in {"of", "the"} for token in long) and _abbreviates(inner[0], long):
                _add(page, index + 1 - size, index + 3, inner[0], long, own)
                break


def _words(tokens: Sequence[Token], start: int, stop: int) -> list[Token]:
    found: list[Token] = []
    for token in tokens[start : min(start + _LONGEST, stop)]:
        if token.kind is not Kind.WORD:
            break
        found.append(token)
    return found


def _abbreviates(short: Token, long: Sequence[Token]) -> bool:
    """Whether the capitals of one word are the initials of others."""
    letters = re.sub(r"[^A-Z]", "", short.text.removesuffix("s")).lower()
    initials = "".join(part[:1] for token in long if token.low not in {"of", "the"} for part in token.low.split("-"))
    return len(long) > 1 and len(letters) > 1 and letters == initials


def _add(page: Page, start: int, stop: int, short: Token, long: Sequence[Token], own: str) -> None:
    if is_own(short.text, own):
        page.taken.update(range(start, stop))
        return
    source = page.source(start, stop)
    names = dict.fromkeys((*alternatives(list(long)), short.text))
    page.add(start, stop, AnyCheck(checks=tuple(PresentCheck(entity=name, source=source) for name in names), source=source))
