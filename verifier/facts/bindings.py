"""Bindings: every place where a name is given a value, evaluated when a check asks for the name."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from verifier.facts.binding.arguments import Arguments, Maker
from verifier.facts.binding.assignments import Assignments
from verifier.facts.binding.context import Context
from verifier.facts.binding.periods import Periods
from verifier.facts.binding.tables import Tables
from verifier.model.facts import Binding


class Bindings(Context):
    """All bindings of a program, by raw name."""

    @cached_property
    def _makers(self) -> dict[str, list[Maker]]:
        found: dict[str, list[Maker]] = {}
        for name, maker in self._all():
            found.setdefault(name, []).append(maker)
        return found

    @cached_property
    def _known(self) -> dict[str, tuple[Binding, ...]]:
        return {}

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Every raw name that is given a value."""
        return tuple(sorted(self._makers))

    def of(self, name: str) -> tuple[Binding, ...]:
        """The bindings of a raw name, sorted by place."""
        if name not in self._known:
            made = [maker() for maker in self._makers.get(name, ())]
            kept = [binding for binding in made if binding is not None]
            self._known[name] = tuple(sorted(kept, key=lambda b: (b.place.location, b.role, b.owner)))
        return self._known[name]

    def _all(self) -> Iterator[tuple[str, Maker]]:
        arguments, assignments, periods = Arguments(self), Assignments(self), Periods(self)
        for scope in self.program.scopes:
            yield from arguments.of_scope(scope)
            yield from assignments.of_scope(scope)
            yield from periods.of_scope(scope)
        yield from Tables(self).all()
