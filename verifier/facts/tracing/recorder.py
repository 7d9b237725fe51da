"""The record of a trace while it is being made."""

from __future__ import annotations

from dataclasses import dataclass, field

from verifier.model.facts import EntryKind, Event, EventForm, Place, Placeholder, Trace
from verifier.model.location import Location


@dataclass(eq=False, slots=True)
class Draft:
    """An event that may still learn where it ends and what its result is made of; the attributes are those of `Event`."""

    names: list[str]
    location: Location
    path: tuple[str, ...]
    form: EventForm
    target: str = ""
    receiver: tuple[str, ...] = ()
    context: tuple[str, ...] = ()
    inputs: frozenset[int] = frozenset()
    result: frozenset[int] | None = None
    stub: Placeholder | None = None
    dead: str = ""
    alternatives: tuple[tuple[int, int], ...] = ()
    loops: tuple[int, ...] = ()
    depth: int = 0
    end: int = 0
    looks: set[int] = field(default_factory=set)
    bound: tuple[str, ...] = ()

    def finished(self) -> Event:
        """The event as a fact."""
        return Event(
            tuple(dict.fromkeys(self.names)) if len(self.names) > 1 else tuple(self.names),
            self.target,
            Place(self.location, self.path, self.dead),
            self.form,
            self.receiver,
            self.context,
            tuple(sorted(self.inputs)) if self.inputs else (),
            None if self.result is None else tuple(sorted(self.result)),
            self.alternatives,
            self.loops,
            self.depth,
            self.end,
            self.stub,
            tuple(sorted(self.looks)) if self.looks else (),
            self.bound,
        )


class Recorder:
    """Numbers the events of one trace.

    Args:
        limit: how many events are kept.

    Attributes:
        alternatives, loops, dead, depth: what holds for the next event.
        muted: above zero, nothing is recorded.
        choices: branches that the caller of the program chooses between.
        truncated: why events are missing; empty when none are.
        listed: the turns of listed sequences.
        firsts: branches in a loop of which one arm comes first.
        saved, loaded: names of the files that are written and read.
        running: the events of the calls that are being walked into, innermost last.
    """

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.drafts: list[Draft] = []
        self.alternatives: tuple[tuple[int, int], ...] = ()
        self.loops: tuple[int, ...] = ()
        self.dead = ""
        self.depth = 0
        self.muted = 0
        self.choices: list[int] = []
        self.truncated = ""
        self.running: list[int] = []
        self.listed: list[int] = []
        self.firsts: list[tuple[int, int]] = []
        self.saved: set[str] = set()
        self.loaded: set[str] = set()
        self._numbers = 0

    def number(self) -> int:
        """A fresh number for a branch or a loop."""
        self._numbers += 1
        return self._numbers

    def emit(self, draft: Draft) -> int:
        """Record an event that happens now.

        Returns:
            Its number; -1 when nothing is recorded.
        """
        if self.muted:
            return -1
        index = len(self.drafts)
        if index >= self.limit:
            self.truncated = self.truncated or f"more than {self.limit} events"
            return -1
        draft.dead, draft.alternatives, draft.loops = self.dead, self.alternatives, self.loops
        draft.depth, draft.end = self.depth, index + 1
        self.drafts.append(draft)
        if draft.form is EventForm.LISTED:
            self.listed.append(index)
        return index

    def name_listed(self, first: int, names: tuple[str, ...]) -> None:
        """Say what the listed sequences are bound to whose turns came after the first `first`."""
        for index in self.listed[first:]:
            self.drafts[index].path += tuple(name for name in names if name not in self.drafts[index].path)

    def close(self, index: int, result: frozenset[int] | None) -> None:
        """Say that everything that happens inside an event has been recorded."""
        if index >= 0:
            self.drafts[index].end = len(self.drafts)
            self.drafts[index].result = result

    def look(self, sources: frozenset[int]) -> None:
        """Say that the running call prints results or decides by them."""
        if sources and self.running and not self.muted:
            self.drafts[self.running[-1]].looks |= sources

    def finish(self, entry: str, place: Place, kind: EntryKind) -> Trace:
        """The trace."""
        events = tuple(draft.finished() for draft in self.drafts)
        return Trace(entry, place, events, kind, tuple(self.choices), self.truncated, frozenset(self.saved), frozenset(self.loaded),
                     tuple(self.firsts))  # fmt: skip
