"""Calls of a function that was walked into before: what happened then happens again."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from verifier.facts.scopes import Scope

if TYPE_CHECKING:
    from verifier.facts.tracing.machine import Machine

MAX_COPIED = 250
"""Events of one call that are recorded once more."""
MAX_COPIED_PER_TRACE = 1_500


class Replays:
    """Records them once more.

    Attributes:
        walked: id of a scope, with the texts it was given -> number of the event of the call that was walked into.
    """

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.walked: dict[tuple[int, tuple[str, ...]], int] = {}
        self._copied = 0

    def forget(self) -> None:
        """Forget the calls of another trace."""
        self.walked = {}
        self._copied = 0

    def again(self, index: int, scope: Scope, given: tuple[str, ...]) -> None:
        """Record what happened in an earlier call of a function as inside of another call.

        Args:
            index: number of the other call's event.
            scope: the function.
            given: the texts that it is given.
        """
        record = self.machine.record
        first = self.walked.get((id(scope), given), -1) if index >= 0 else -1
        if first < 0 or record.muted or record.drafts[first].end > index:
            return
        last = record.drafts[first].end
        if last - first - 1 > MAX_COPIED or self._copied + last - first > MAX_COPIED_PER_TRACE:
            return
        self._copied += last - first
        copy = _Copy(self.machine, first, index, scope)
        for number in range(first + 1, last):
            if not copy.event(number):
                return
        result = record.drafts[first].result
        record.close(index, copy.inputs(result) if result is not None else None)


class _Copy:
    """One call recorded once more, as `index` instead of `first`."""

    def __init__(self, machine: Machine, first: int, index: int, scope: Scope) -> None:
        self.record = machine.record
        self.old, self.new = self.record.drafts[first], self.record.drafts[index]
        self.first, self.shift, self.last = first, index - first, self.old.end
        self.home = (*self.new.path, *scope.names)
        self._loops: dict[int, int] = {}

    def event(self, number: int) -> bool:
        """Record one event; whether there was room for it."""
        draft = self.record.drafts[number]
        path = tuple(dict.fromkeys((*self.home, *draft.path[len(self.old.path) :])))
        made = replace(
            draft,
            names=list(draft.names),
            path=path,
            inputs=self.inputs(draft.inputs),
            looks=set(self.inputs(frozenset(draft.looks))),
        )
        index = self.record.emit(made)
        if index < 0:
            return False
        made.result = self.inputs(draft.result) if draft.result is not None else None
        made.end = draft.end + index - number
        made.dead = self.new.dead or draft.dead
        made.depth = draft.depth - self.old.depth + self.new.depth
        made.alternatives = (*self.new.alternatives, *draft.alternatives[len(self.old.alternatives) :])
        made.loops = (*self.new.loops, *(self._loop(loop) for loop in draft.loops[len(self.old.loops) :]))
        return True

    def inputs(self, events: frozenset[int]) -> frozenset[int]:
        """The same inputs: those from inside are those of the copy, those from outside what the other call is given."""
        inside = {event + self.shift for event in events if self.first <= event < self.last}
        return (
            frozenset(inside) | self.new.inputs
            if any(not self.first <= event < self.last for event in events)
            else frozenset(inside)
        )

    def _loop(self, loop: int) -> int:
        if loop not in self._loops:
            self._loops[loop] = self.record.number()
        return self._loops[loop]
