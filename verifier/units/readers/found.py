"""What readers hand back: checks with the tokens that they explain."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from verifier.model.check import Check, Origin, Source
from verifier.model.unit import Unread
from verifier.units.tokens import Token


@dataclass(frozen=True, slots=True)
class Found:
    """A check, or a part that gives none, read from the tokens `start` to `stop`."""

    start: int
    stop: int
    result: Check | Unread


@dataclass(slots=True)
class Page:
    """A claim as the readers see it: its tokens, and which of them are explained already.

    Attributes:
        text: the claim.
        tokens: its tokens.
        taken: indexes of tokens that a reader has explained; later readers leave them alone.
        found: everything read so far.
    """

    text: str
    tokens: Sequence[Token]
    taken: set[int] = field(default_factory=set)
    found: list[Found] = field(default_factory=list)

    def words(self, start: int, stop: int) -> str:
        """The claim's text from one token to the one before another."""
        return self.text[self.tokens[start].start : self.tokens[stop - 1].end] if stop > start else ""

    def source(self, start: int, stop: int) -> Source:
        """The source of a check that was read from these tokens."""
        return Source(origin=Origin.COMPILED, words=self.words(start, stop).strip())

    def add(self, start: int, stop: int, result: Check | Unread, takes: Iterable[int] | None = None) -> None:
        """Keep a result and mark its tokens as explained (those of `takes` instead, when given)."""
        self.found.append(Found(start, stop, result))
        self.taken.update(range(start, stop) if takes is None else takes)

    def free(self, start: int, stop: int) -> bool:
        """Whether no token of a stretch is explained yet."""
        return self.taken.isdisjoint(range(start, stop))
