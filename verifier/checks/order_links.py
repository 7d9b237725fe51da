"""Whether the result of one event reaches another."""

from __future__ import annotations

from collections.abc import Sequence

from verifier.checks.order_sequence import Occurrence, Way
from verifier.model.facts import Event, EventForm


def broken(events: Sequence[Event], way: Way, steps: int, cyclic: frozenset[int]) -> tuple[int, int] | None:
    """The first two steps that are not linked on a way, as numbers of events; None when each step's result reaches the next.

    Args:
        events: the events of the trace.
        way: a way on which the steps are in order.
        steps: how many steps there are.
        cyclic: steps that may close the turn of a loop before.

    A step that closes the turn of a loop before the next one's steps is taken to reach them over the back edge.
    """
    carriers = _of(way.occurrences, 0)
    for step in range(1, steps):
        takers = _of(way.occurrences, step)
        turning = step - 1 in cyclic
        linked = [
            taker
            for taker in takers
            if any(_over_the_turn(events, carrier, taker, turning) or reaches(events, carrier, taker) for carrier in carriers)
        ]
        if not linked:
            return carriers[0], next((taker for taker in takers if taker > carriers[0]), takers[0])
        carriers = linked
    return None


def _over_the_turn(events: Sequence[Event], carrier: int, taker: int, turning: bool) -> bool:
    return carrier > taker and (turning or not set(events[carrier].loops).isdisjoint(events[taker].loops))


def _of(occurrences: tuple[Occurrence, ...], step: int) -> list[int]:
    return [event for event, found in occurrences if found == step]


def reaches(events: Sequence[Event], source: int, sink: int) -> bool:
    """Whether the result of an event, or a change that it makes, is used by another.

    Args:
        events: the events of the trace.
        source: number of the event whose result is followed.
        sink: number of the event that should use it.
    """
    if sink < source < events[sink].end:
        return True
    first, last = source, events[source].end
    pending = _used(events, sink)
    seen = set(pending)
    while pending:
        current = pending.pop()
        if first <= current < last:
            return True
        event = events[current]
        for origin in event.inputs if event.result is None else event.result:
            if origin not in seen:
                seen.add(origin)
                pending.append(origin)
    return False


def _used(events: Sequence[Event], sink: int) -> list[int]:
    """What an event really uses: of a call that was walked into, what its inside uses and returns."""
    event = events[sink]
    if event.end <= sink + 1 and event.result is None:
        return list(event.inputs)
    used = dict.fromkeys((*(event.result or ()), *event.looks))
    if event.form is EventForm.CONSTRUCT or event.result is None:
        used.update(dict.fromkeys(event.inputs))
    for inner in events[sink + 1 : event.end]:
        used.update(dict.fromkeys(number for number in inner.inputs if inner.result is None))
        used.update(dict.fromkeys((*(inner.result or ()), *inner.looks)))
    return [number for number in used if not sink <= number < event.end]
