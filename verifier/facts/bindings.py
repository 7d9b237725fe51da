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
from verifier.model.location import Location


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

    def off_by_default(self, name: str, location: Location) -> bool:
        """Whether the name given a value at a place is false there, and wherever else code sets it for the same owner."""
        live = [binding for binding in self.of(name) if not binding.place.dead and binding.worths]
        owners = {binding.owner[-1:] for binding in live if binding.place.location.line == location.line}
        kin = [binding for binding in live if binding.owner[-1:] in owners]
        return bool(kin) and all(worth.value is False for binding in kin for worth in binding.worths)

    def _all(self) -> Iterator[tuple[str, Maker]]:
        arguments, assignments, periods = Arguments(self), Assignments(self), Periods(self)
        for scope in self.program.scopes:
            yield from arguments.of_scope(scope)
            yield from assignments.of_scope(scope)
            yield from periods.of_scope(scope)
        yield from Tables(self).all()
