"""In which order the steps of a check happen in one trace."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

from verifier.model.facts import Event, Trace

MAX_WAYS = 64
MAX_OUTER = 8

Occurrence = tuple[int, int]
"""Number of an event, number of the step that it is."""


@dataclass(frozen=True, slots=True)
class Way:
    """The steps along one way through a part of a trace.

    Attributes:
        occurrences: events and steps in execution order.
        right: whether the steps are in the order of the check.
    """

    occurrences: tuple[Occurrence, ...]
    right: bool


def ways(trace: Trace, found: Sequence[Sequence[int]], cyclic: frozenset[int]) -> list[Way]:
    """The ways on which all steps happen, in the smallest parts of the trace (a loop, a call, all of it) that have them all.

    Args:
        trace: the trace.
        found: for each step, the numbers of the events that are it, ascending.
        cyclic: steps that may close the turn of a loop before.

    Returns:
        None of them when the steps exclude one another.
    """
    inner, outer, closed = _parts(trace.events, found)
    result = [way for part in inner for way in _in_part(trace.events, part, found, cyclic)]
    if result and (closed or any(way.right for way in result)):
        return result
    for part in outer[:1] if result else outer:
        result += _in_part(trace.events, part, found, cyclic, once=True)
        if any(way.right for way in result):
            break
    return result


def _in_part(
    events: Sequence[Event], part: tuple[int, int], found: Sequence[Sequence[int]], cyclic: frozenset[int], *, once: bool = False
) -> list[Way]:
    inside = sorted((event, step) for step, numbers in enumerate(found) for event in numbers if part[0] <= event < part[1])
    if once:
        inside = _first_of_each_place(events, inside)
    complete = _of_one_function(events, inside, len(found))
    ways = [
        taken
        for group in complete or [inside]
        for taken in _ways(events, group)
        if len({step for _, step in taken}) == len(found)
    ]
    return [Way(taken, _is_right(events, taken, len(found), cyclic)) for taken in ways]


def _of_one_function(events: Sequence[Event], inside: list[Occurrence], steps: int) -> list[list[Occurrence]]:
    """What stands in one function, for each that has every step; what other functions do besides says nothing about it."""
    groups: dict[tuple[str, ...], list[Occurrence]] = {}
    for event, step in inside:
        groups.setdefault(events[event].place.path, []).append((event, step))
    return [group for group in groups.values() if len({step for _, step in group}) == steps]


def _first_of_each_place(events: Sequence[Event], inside: list[Occurrence]) -> list[Occurrence]:
    """Without what the same code does once more: its second turn does not come after its first in any telling way."""
    seen: dict[tuple[object, int, tuple[tuple[int, int], ...]], Occurrence] = {}
    for event, step in inside:
        seen.setdefault((events[event].place.location, step, events[event].alternatives), (event, step))
    return list(seen.values())


_Part = tuple[int, int]


def _parts(events: Sequence[Event], found: Sequence[Sequence[int]]) -> tuple[list[_Part], list[_Part], bool]:
    """Half-open ranges of events that have every step.

    Returns:
        Those with no smaller one inside; the calls around them, innermost first; whether one of the first is a call, not a loop.
    """
    rarest = min(found, key=len)
    loops = _loops(events)
    turns = {loops[loop] for position in rarest for loop in events[position].loops}
    calls = {(start, event.end) for start, event in enumerate(events) if event.end > start + 1 and _has(rarest, start, event.end)}
    complete = [part for part in turns | calls if all(_has(numbers, *part) for numbers in found)]
    complete.sort(key=lambda part: (part[1] - part[0], part))
    kept: list[_Part] = []
    for part in complete:
        if not any(part[0] <= inner[0] and inner[1] <= part[1] for inner in kept):
            kept.append(part)
    outer = [part for part in complete if part in calls and part not in kept]
    return kept, [*outer[:MAX_OUTER], (0, len(events))], any(part in calls for part in kept)


def _has(numbers: Sequence[int], first: int, last: int) -> bool:
    at = bisect_left(numbers, first)
    return at < len(numbers) and numbers[at] < last


def _loops(events: Sequence[Event]) -> dict[int, tuple[int, int]]:
    found: dict[int, tuple[int, int]] = {}
    for position, event in enumerate(events):
        for loop in event.loops:
            found[loop] = (found[loop][0] if loop in found else position, position + 1)
    return found


def _ways(events: Sequence[Event], inside: list[Occurrence]) -> list[tuple[Occurrence, ...]]:
    """The occurrences that can happen in one run, for each choice of arms; the fullest first."""
    arms: dict[int, dict[int, None]] = {}
    for event, _ in inside:
        for branch, arm in events[event].alternatives:
            arms.setdefault(branch, {})[arm] = None
    branches = [branch for branch in arms if len(arms[branch]) > 1]
    if not branches:
        return [tuple(inside)]
    total = 1
    for branch in branches:
        total *= len(arms[branch])
    if total > MAX_WAYS:
        branches = branches[: MAX_WAYS.bit_length() - 1]
    result: dict[tuple[Occurrence, ...], None] = {}
    for choice in list(product(*(arms[branch] for branch in branches)))[:MAX_WAYS]:
        chosen = dict(zip(branches, choice, strict=True))
        taken = tuple(
            (event, step)
            for event, step in inside
            if all(chosen.get(branch, arm) == arm for branch, arm in events[event].alternatives)
        )
        result[taken] = None
    return sorted(result, key=lambda taken: -len(taken))


def _is_right(events: Sequence[Event], taken: tuple[Occurrence, ...], steps: int, cyclic: frozenset[int]) -> bool:
    ends = sorted(taken, key=lambda pair: (events[pair[0]].end, pair[1]))
    return any(_in_order(events, order, steps) for order in (taken, ends, *_turned(events, taken, cyclic)))


def _in_order(events: Sequence[Event], taken: Sequence[Occurrence], steps: int) -> bool:
    """Whether the steps stand in order: once in a row at least, and no second full set of one function in another order."""
    runs: list[list[Occurrence]] = []
    for occurrence in taken:
        if runs and occurrence[1] >= runs[-1][-1][1]:
            runs[-1].append(occurrence)
        else:
            runs.append([occurrence])
    rest = [run for run in runs if len({step for _, step in run}) < steps]
    letters = [step for run in rest for _, step in run]
    if len(rest) == len(runs):
        return _reads(letters, steps)
    return not _of_one_function(events, [occurrence for run in rest for occurrence in run], steps) or _reads(letters, steps)


def _reads(letters: list[int], steps: int) -> bool:
    """Whether steps read in order with others of them between, and none comes too early while its forerunner comes too late."""
    wanted = 0
    for letter in letters:
        wanted += letter == wanted
    if wanted < steps:
        return False
    for step in range(steps - 1):
        early = late = False
        open_ = False
        for letter in letters:
            if letter == step:
                open_ = True
            elif letter == step + 1:
                early = early or not open_
                open_ = False
        late = open_
        if early and late:
            return False
    return True


def _turned(events: Sequence[Event], taken: tuple[Occurrence, ...], cyclic: frozenset[int]) -> list[tuple[Occurrence, ...]]:
    """The same turn begun where a step that makes ready for the next turn stands; a function may be one turn of its caller's loop."""
    shared = set(events[taken[0][0]].loops)
    for event, _ in taken:
        shared &= set(events[event].loops)
    if not cyclic:
        return []
    turned = []
    cut = len(taken)
    while cut > 0 and taken[cut - 1][1] in cyclic:
        cut -= 1
        if not _used_after(events, taken[cut][0], shared):
            turned.append((*taken[cut:], *taken[:cut]))
    cut = 0
    while cut < len(taken) and taken[cut][1] in cyclic:
        cut += 1
        turned.append((*taken[cut:], *taken[:cut]))
    return turned


def _used_after(events: Sequence[Event], position: int, loops: set[int]) -> bool:
    """Whether an update still follows in the same turn, so that a reset before it loses what it needs."""
    receiver = events[position].receiver[:1]
    for event in events[position + 1 :]:
        if loops and not loops & set(event.loops):
            break
        if "step" in event.names and event.receiver[:1] == receiver:
            return True
    return False
