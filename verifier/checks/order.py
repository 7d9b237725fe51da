"""The check `order`: live code does the steps in this order, and with `link: data` each step's result reaches the next."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from verifier.checks.order_links import broken
from verifier.checks.order_names import EXACT, KNOWN, Step
from verifier.checks.order_sequence import Way, ways
from verifier.checks.order_sightings import Sighting, sight
from verifier.lexicon import Lexicon
from verifier.model.check import OrderCheck
from verifier.model.facts import EntryKind, Event, FactBase, Trace
from verifier.model.finding import Finding
from verifier.model.finding import Step as Evidence
from verifier.model.location import Location
from verifier.model.verdict import Cause, Verdict


def check_order(check: OrderCheck, facts: FactBase, lexicon: Lexicon) -> Finding:
    """Whether live code does the steps of a check in their order.

    Args:
        check: the check.
        facts: the facts of the repository; only its traces are used.
        lexicon: what names mean; only its frameworks are used.
    """
    steps = [Step(alternatives, lexicon.frameworks) for alternatives in check.steps]
    return _Judge(check, steps, facts.traces).finding()


class _Judge:
    """Decides one check.

    Args:
        check: the check.
        steps: its steps.
        traces: what happens, programs first; the others are looked at only when no program decides.
    """

    def __init__(self, check: OrderCheck, steps: list[Step], traces: Iterable[Trace]) -> None:
        self.check, self.steps, self.traces = check, steps, traces
        self.sightings: list[Sighting] = []
        self.cyclic = frozenset(number for number, step in enumerate(steps) if step.cyclic)
        self.names = [step.text for step in steps]

    def finding(self) -> Finding:
        """The finding."""
        excluded: list[Sighting] = []
        waiting = iter(self.traces)
        program = self._look(waiting, EntryKind.PROGRAM)
        decided = self._judged(program, excluded)
        if decided:
            return self._decide(decided)
        public = self._look(waiting, EntryKind.PUBLIC, EntryKind.DEAD)
        rival = self._rival() if public else None
        if rival is not None:
            return self._unused(public[0], rival)
        decided = self._judged(public, excluded)
        if decided:
            return self._decide(decided)
        return self._exclusive(excluded[0]) if excluded else self._incomplete()

    def _look(self, waiting: Iterator[Trace], *kinds: EntryKind) -> list[Sighting]:
        """Look for the steps in the next traces, as long as they are of these kinds; those that have all of them live."""
        for trace in waiting:
            self.sightings.append(sight(trace, self.steps, self.check.near))
            if trace.kind not in kinds:
                break
        return [s for s in self.sightings if s.trace.kind is kinds[0] and s.live == len(self.steps)]

    def _judged(self, complete: list[Sighting], excluded: list[Sighting]) -> list[tuple[Sighting, list[Way]]]:
        """The ways on which the steps happen in the traces where they fit best; `excluded` gains those where they exclude one another."""
        best = min((sighting.rank for sighting in complete), default=0)
        judged = [(s, ways(s.trace, s.found, self.cyclic)) for s in complete if s.rank == best]
        excluded += [sighting for sighting, found in judged if not found]
        return [(sighting, found) for sighting, found in judged if found]

    def _rival(self) -> Sighting | None:
        """A program that does all steps but one, though not the whole order."""
        if len(self.steps) < 3:
            return None
        for sighting in self.sightings:
            sure = all(rank <= KNOWN or not events for rank, events in zip(sighting.ranks, sighting.found, strict=True))
            if sighting.trace.kind is EntryKind.PROGRAM and sighting.live == len(self.steps) - 1 and sure:
                return sighting
        return None

    # --- verdicts -------------------------------------------------------------------------------------------------------

    def _decide(self, decided: list[tuple[Sighting, list[Way]]]) -> Finding:
        right = [(sighting, way) for sighting, found in decided for way in found if way.right]
        if not right:
            sighting, found = decided[0]
            return self._wrong(sighting, found[0])
        if self.check.link == "data":
            gaps = [(sighting, way, broken(sighting.trace.events, way, len(self.steps), self.cyclic)) for sighting, way in right]
            linked = [(sighting, way) for sighting, way, gap in gaps if gap is None]
            if not linked:
                sighting, way, gap = gaps[0]
                assert gap is not None
                return self._deferred(sighting, way) or self._unlinked(sighting, way, gap)
            right = linked
        real = [(sighting, way) for sighting, way in right if self._stub(sighting, way) is None]
        if not real:
            stub = self._deferred(*right[0])
            assert stub is not None
            return stub
        return self._aligned(*real[0])

    def _chain(self, way: Way) -> list[int]:
        """One event a step, in the order of the steps."""
        return [next(event for event, found in way.occurrences if found == step) for step in range(len(self.steps))]

    def _aligned(self, sighting: Sighting, way: Way) -> Finding:
        events = sighting.trace.events
        chain = self._chain(way)
        outer = min(chain, key=lambda number: (events[number].depth, number))
        text = " -> ".join(self.names)
        return self._finding(
            Verdict.ALIGNED,
            None,
            text,
            events[outer].place.location,
            f"in this order from {sighting.trace.entry} on",
            self._trail(sighting, chain),
        )

    def _stub(self, sighting: Sighting, way: Way) -> Event | None:
        for step in range(len(self.steps)):
            events = [sighting.trace.events[event] for event, found in way.occurrences if found == step]
            if all(event.stub is not None for event in events):
                return events[0]
        return None

    def _deferred(self, sighting: Sighting, way: Way) -> Finding | None:
        event = self._stub(sighting, way)
        if event is None or event.stub is None:
            return None
        return self._placeholder(event, self._trail(sighting, self._chain(way)))

    def _placeholder(self, event: Event, trail: tuple[Evidence, ...] = ()) -> Finding:
        assert event.stub is not None
        message = f"{event.names[0]} is a placeholder: {event.stub.reason}"
        return self._finding(Verdict.DEFERRED, Cause.PLACEHOLDER, event.stub.reason, event.stub.location, message, trail)

    def _wrong(self, sighting: Sighting, way: Way) -> Finding:
        events = sighting.trace.events
        found: list[tuple[int, int]] = []
        for event, step in way.occurrences:
            if not found or found[-1][1] != step:
                found.append((event, step))
        early, late = _misplaced(found)
        location = _between(events[early[0]].place.location, events[late[0]].place.location)
        message = (f"{self.names[early[1]]} ({events[early[0]].place.location}) comes before "
                   f"{self.names[late[1]]} ({events[late[0]].place.location})")  # fmt: skip
        text = " -> ".join(self.names[step] for _, step in found[:12])
        return self._finding(
            Verdict.DRIFTED, Cause.WRONG_ORDER, text, location, message, self._trail(sighting, [event for event, _ in found[:12]])
        )

    def _unlinked(self, sighting: Sighting, way: Way, gap: tuple[int, int]) -> Finding:
        first, second = (sighting.trace.events[number] for number in gap)
        steps = dict(way.occurrences)
        message = (f"in order but not linked: the result of {self.names[steps[gap[0]]]} ({first.place.location}) does not reach "
                   f"{self.names[steps[gap[1]]]} ({second.place.location})")  # fmt: skip
        location = _between(first.place.location, second.place.location)
        return self._finding(Verdict.DRIFTED, Cause.WRONG_ORDER, message, location, message, self._trail(sighting, list(gap)))

    def _exclusive(self, sighting: Sighting) -> Finding:
        events = sighting.trace.events
        chosen = {branch for numbers in sighting.found for number in numbers for branch, _ in events[number].alternatives}
        places = [events[numbers[0]].place.location for numbers in sighting.found]
        names = " or ".join(f"{name} ({place})" for name, place in zip(self.names, places, strict=True))
        turns = self._by_turns(sighting)
        told = self._in_phases(sighting, turns)
        if told is not None:
            return told
        if turns:
            message = f"each turn of a loop does either {names}; nothing tells in which order"
            return self._finding(Verdict.UNDECIDED, None, None, None, message)
        if chosen & set(sighting.trace.choices):
            message = (
                f"who starts {sighting.trace.entry} chooses between {names}; nothing in the repository runs one after another"
            )
            return self._finding(Verdict.UNDECIDED, None, None, None, message)
        found = f"either {' or '.join(self.names)}"
        return self._finding(Verdict.DRIFTED, Cause.WRONG_ORDER, found, places[-1], f"either {names}, never one after another")

    def _in_phases(self, sighting: Sighting, turns: set[int]) -> Finding | None:
        """What a counter says that chooses between the steps in each turn of a loop."""
        events = sighting.trace.events
        for branch, first in sighting.trace.firsts:
            if branch in turns:
                chosen = [dict(events[numbers[0]].alternatives)[branch] != first for numbers in sighting.found]
                way = Way(tuple(sorted(((numbers[0], step) for step, numbers in enumerate(sighting.found)),
                                       key=lambda pair: (chosen[pair[1]], pair[0]))), right=False)  # fmt: skip
                right = [step for _, step in way.occurrences] == list(range(len(self.steps)))
                return self._aligned(sighting, way) if right else self._wrong(sighting, way)
        return None

    def _by_turns(self, sighting: Sighting) -> set[int]:
        """The branches inside one loop of which the steps are arms, so that each turn may take another."""
        events = [sighting.trace.events[number] for numbers in sighting.found for number in numbers]
        loops = set(events[0].loops).intersection(*(event.loops for event in events))
        shared = {branch for branch, _ in events[0].alternatives}.intersection(
            *({b for b, _ in event.alternatives} for event in events)
        )
        return {branch for branch in shared if any(loop < branch for loop in loops)}

    def _unused(self, sighting: Sighting, rival: Sighting | None) -> Finding:
        numbers = [events[0] for events in sighting.found if events]
        event = sighting.trace.events[numbers[0]]
        reason = sighting.trace.place.dead or event.place.dead or f"nothing calls {sighting.trace.entry}"
        running = f"; what runs is {rival.trace.entry}" if rival is not None else ""
        message = f"{' -> '.join(self.names)} only in {sighting.trace.entry}: {reason}{running}"
        return self._finding(
            Verdict.UNUSED, Cause.DEAD_CODE, reason, event.place.location, message, self._trail(sighting, numbers)
        )

    # --- steps that are not all in one live trace -----------------------------------------------------------------------

    def _incomplete(self) -> Finding:
        dead = [sighting for sighting in self.sightings if sighting.complete]
        if dead:
            stepwise = next((sighting for sighting in dead if sighting.trace.kind is not EntryKind.DEAD), dead[0])
            return self._unused_step(stepwise, min(stepwise.dead)) if stepwise.dead else self._unused(stepwise, None)
        absent = [
            name for number, name in enumerate(self.names) if not any(sighting.found[number] for sighting in self.sightings)
        ]
        if absent:
            return self._finding(Verdict.MISSING, Cause.MISSING, None, None, f"no live code does {', '.join(absent)}")
        best = max(self.sightings, key=lambda s: (s.trace.kind is EntryKind.PROGRAM, s.live, -s.rank))
        missing = [number for number in range(len(self.steps)) if not best.found[number] or number in best.dead]
        for number in missing:
            others = [sighting for sighting in self.sightings if sighting.found[number]]
            stub = self._only_stub(others, number)
            if stub is not None:
                return self._placeholder(stub)
            programs = [s for s in others if s.trace.kind is EntryKind.PROGRAM and number not in s.dead]
            if best.trace.kind is EntryKind.PROGRAM and best.live and not programs:
                return self._unused_step(others[0], number)
            if all(s.trace.kind is EntryKind.DEAD or number in s.dead for s in others):
                return self._unused_step(others[0], number)
        handed = self._handed_on()
        if handed is not None:
            return handed
        message = f"{' and '.join(self.names)} are there, but nothing in the repository does one after another"
        return self._finding(Verdict.UNDECIDED, None, None, None, message)

    def _handed_on(self) -> Finding | None:
        """What the files say that one program writes and another reads, when each step is in a program of its own."""
        programs = [s for s in self.sightings if s.trace.kind is EntryKind.PROGRAM]
        homes: list[Sighting] = []
        for step in range(len(self.steps)):
            having = [s for s in programs if s.found[step] and step not in s.dead]
            if not having:
                return None
            homes.append(min(having, key=lambda s: s.ranks[step]))
        places = [home.trace.events[home.found[step][0]].place.location for step, home in enumerate(homes)]
        trail = tuple(Evidence(name, place) for name, place in zip(self.names, places, strict=True))
        files: list[str] = []
        for number, (before, after) in enumerate(pairwise(homes)):
            forth, back = before.trace.saved & after.trace.loaded, after.trace.saved & before.trace.loaded
            if before is after or bool(forth) == bool(back):
                return None
            if back:
                text = (f"{self.names[number]} ({places[number]}) reads {min(back)}, which {self.names[number + 1]} "
                        f"({places[number + 1]}) writes")  # fmt: skip
                return self._finding(Verdict.DRIFTED, Cause.WRONG_ORDER, text, places[number], text, trail)
            files.append(min(forth))
        text = f"programs of their own, one after another by way of {', '.join(files)}"
        return self._finding(Verdict.ALIGNED, None, " -> ".join(self.names), places[-1], text, trail)

    def _only_stub(self, others: list[Sighting], number: int) -> Event | None:
        events = [sighting.trace.events[event] for sighting in others for event in sighting.found[number]]
        return events[0] if all(event.stub is not None for event in events) else None

    def _unused_step(self, sighting: Sighting, number: int) -> Finding:
        event = sighting.trace.events[sighting.found[number][0]]
        reason = sighting.trace.place.dead or event.place.dead or f"nothing calls {sighting.trace.entry}"
        message = f"{self.names[number]} is there, but {reason}"
        return self._finding(Verdict.UNUSED, Cause.DEAD_CODE, reason, event.place.location, message)

    # --- findings -------------------------------------------------------------------------------------------------------

    def _trail(self, sighting: Sighting, numbers: Sequence[int]) -> tuple[Evidence, ...]:
        events = sighting.trace.events
        return tuple(
            Evidence(events[number].names[0] if events[number].names else "", events[number].place.location) for number in numbers
        )

    def _finding(
        self,
        status: Verdict,
        cause: Cause | None,
        found: str | None,
        location: Location | None,
        message: str,
        trail: tuple[Evidence, ...] = (),
    ) -> Finding:
        text = " -> ".join(self.names)
        return Finding(
            kind=self.check.kind, subject=text, status=status, cause=cause, expected=text, found=found, location=location, message=message,
            origin=self.check.source.origin.value, words=self.check.source.words, trail=trail,
        )  # fmt: skip


def _misplaced(found: list[tuple[int, int]]) -> tuple[tuple[int, int], tuple[int, int]]:
    """The two neighbours that stand the wrong way round."""
    for before, after in pairwise(found):
        if before[1] > after[1]:
            return before, after
    return found[0], found[-1]


def _between(first: Location, second: Location) -> Location:
    """The lines from one place to another of the same file; else the later of the two."""
    if first.file != second.file or second.line < first.line or second.line - first.line > 40:
        return second
    return Location(first.file, first.line, first.column, max(first.end_line, second.end_line))


__all__ = ["EXACT", "check_order"]
