"""Where the steps of a check are seen in one trace."""

from __future__ import annotations

from dataclasses import dataclass

from verifier.checks.order_names import AROUND, KNOWN, Step, places
from verifier.lexicon.names import path_has
from verifier.model.facts import EntryKind, Event, EventForm, Trace

_FORM_ORDER = {
    EventForm.CALL: 0,
    EventForm.STAGE: 0,
    EventForm.ASSIGN: 1,
    EventForm.LISTED: 2,
    EventForm.CONSTRUCT: 3,
    EventForm.ENTRY: 4,
}


@dataclass(frozen=True, slots=True)
class Sighting:
    """The steps as found in one trace.

    Attributes:
        found: for each step, the events that are it best; dead ones only where there is no live one.
        ranks: how well they fit.
        dead: the steps for which only dead events were found.
    """

    trace: Trace
    found: tuple[tuple[int, ...], ...]
    ranks: tuple[int, ...]
    dead: frozenset[int]

    @property
    def complete(self) -> bool:
        """Whether every step was found."""
        return all(self.found)

    @property
    def live(self) -> int:
        """How many steps were found live."""
        if self.trace.kind is EntryKind.DEAD:
            return 0
        return sum(bool(events) and step not in self.dead for step, events in enumerate(self.found))

    @property
    def rank(self) -> int:
        """How well the steps fit, the smaller the better."""
        return sum(self.ranks)


def sight(trace: Trace, steps: list[Step], near: tuple[str, ...]) -> Sighting:
    """Look for the steps of a check.

    Args:
        trace: where to look.
        steps: the steps.
        near: words that the place of each step must have.
    """
    cache: dict[int, bool] = {}
    fitting: list[dict[tuple[bool, int, int], list[int]]] = [{} for _ in steps]
    for number, event in enumerate(trace.events):
        for step, table in zip(steps, fitting, strict=True):
            rank = step.rank(event)
            if event.form is EventForm.STAGE and rank is not None and event.end == number + 1:
                rank = AROUND  # a branch in which nothing happens, such as a check of the settings
            made = "__init__" in event.place.path
            if made and rank == KNOWN and step.updates:
                continue  # the copy that an object begins with is no update
            if rank is not None and _is_near(event, near, cache):
                table.setdefault((bool(event.place.dead), rank, _form(step, event, rank) + made * len(_FORM_ORDER)), []).append(
                    number
                )
    best = [min(table) if table else None for table in fitting]
    found = tuple(tuple(table[key]) if key is not None else () for table, key in zip(fitting, best, strict=True))
    ranks = tuple(key[1] if key is not None else AROUND + 1 for key in best)
    return Sighting(trace, found, ranks, frozenset(step for step, key in enumerate(best) if key is not None and key[0]))


def _form(step: Step, event: Event, rank: int) -> int:
    """How much of a step an event is by its form: a call by what is called, else like an assignment to what its result is bound to."""
    if event.bound and event.form is EventForm.CALL and step.called(event) != rank:
        return _FORM_ORDER[EventForm.ASSIGN]
    return _FORM_ORDER[event.form]


def _is_near(event: Event, near: tuple[str, ...], cache: dict[int, bool]) -> bool:
    if not near:
        return True
    path = event.place.path
    if id(path) not in cache:
        cache[id(path)] = path_has(path, near)
    return cache[id(path)] or path_has((*path, *places(event)), near)
