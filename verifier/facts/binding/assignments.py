"""Bindings by code itself: assignments, parameter and field defaults, counted loops."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

from verifier.facts import instances, parameters
from verifier.facts.binding.context import Context, adds, overridden, starts_at_zero
from verifier.facts.binding.counts import is_measured, rounds, takes_apart
from verifier.facts.scopes import Scope, Write, tail
from verifier.facts.values import Instance, Items, Known, Table, is_unknown, worths
from verifier.model.facts import Binding, Place, Role

Maker = Callable[[], Binding | None]


@dataclass
class Assignments:
    """What code assigns.

    Attributes:
        context: the analyses they rest on.
    """

    context: Context

    def of_scope(self, scope: Scope) -> Iterator[tuple[str, Maker]]:
        """What the code of a scope assigns, counts through, and gives its parameters by default."""
        yield from self._defaults(scope)
        yield from self._assignments(scope)
        yield from self._loops(scope)

    def _defaults(self, scope: Scope) -> Iterator[tuple[str, Maker]]:
        if scope.is_function:
            for name, writes in scope.writes.items():
                if writes[0].kind != "param":
                    continue
                if writes[0].value is not None:
                    yield name, partial(self._default, writes[0], scope)
                if self._is_command(scope) if writes[0].value is None else self.context.ev.options.is_command(scope):
                    yield name, partial(self._started, writes[0], scope)

    @staticmethod
    def _is_command(function: Scope) -> bool:
        return any(
            tail(decorator) in {"option", "argument", "command"} for decorator in getattr(function.node, "decorator_list", ())
        )

    def _started(self, write: Write, function: Scope) -> Binding | None:
        """A parameter that the command line fills."""
        values = self.context.ev.options.of_parameter(write, function)
        if values is None or all(isinstance(value, Table) for value in values):
            return None
        reason = self.context.liveness.scope_reason(function) or self.context.reads.parameter_unread(function, write.name)
        place = Place(write.location, (*function.names, write.name), reason)
        return Binding(write.name, (function.name,), Role.OPTION, place, worths(values, place.location))

    def _default(self, write: Write, function: Scope) -> Binding:
        assert write.value is not None
        values = parameters.default(self.context.ev, write, function)
        reason = self.context.liveness.scope_reason(function) or self.context.reads.parameter_unread(function, write.name)
        if not reason:
            effective = parameters.parameter(self.context.ev, write, function, None)
            reason = overridden(values, effective, f"every call passes another {write.name}")
        place = Place(function.location(write.value), (*function.names, write.name), reason)
        return Binding(write.name, (parameters.shown(function),), Role.DEFAULT, place, worths(values, place.location))

    def _assignments(self, scope: Scope) -> Iterator[tuple[str, Maker]]:
        counters = self.context.counters
        for name, writes in scope.writes.items():
            counter = (id(scope), name) in counters
            for write in writes:
                if write.kind in {"assign", "augment"} and not (counter and _counts(write)):
                    yield name, partial(self._assigned_value, write)
        for write in scope.stores:
            counter = (id(scope.module), write.name) in counters
            if write.kind in {"assign", "augment"} and not (counter and _counts(write)):
                yield write.name.rsplit(".", 1)[-1], partial(self._assigned_value, write)

    def _assigned_value(self, write: Write) -> Binding | None:
        scope = write.scope
        is_field = scope.is_class and instances.is_record(self.context.ev, scope)
        values = instances.field_default(self.context.ev, write) if is_field else self.context.ev.written(write)
        if all(isinstance(value, Table) for value in values) or takes_apart(write):
            return None
        if is_unknown(values) and is_measured(write.value, scope, self.context.program.reaching):
            return None
        reason = self.context.liveness.reason(write.node, scope) or self.context.reads.unread(write)
        if not reason and is_field:
            effective = instances.instance_attribute(self.context.ev, Instance(scope), write.name)
            reason = overridden(values, effective, f"every {scope.name} is made with another {write.name}")
        optional = self.context.optional(write.node, scope)
        if not reason and not optional:
            reason = self.context.superseded(write)
        if not reason and scope.is_class:
            reason = self._patched(write)
        if not reason and "." in write.name:
            reason = self._overwritten(write)
        if not reason and (scope.is_class or "." in write.name):
            reason = self.context.unreached(write.name.rsplit(".", 1)[-1], values)
        path = (*scope.names, *(part for part in write.name.split(".") if part not in {"self", "cls"}))
        stub = self.context.placeholders.statement(write.node, scope) if isinstance(write.node, ast.stmt) else None
        place = Place(write.location, path, reason)
        owner = (scope.name,) if scope.is_class else tuple(write.name.split(".")[:-1])
        return Binding(
            write.name.rsplit(".", 1)[-1],
            owner,
            Role.DEFAULT if is_field else Role.ASSIGNMENT,
            place,
            worths(self.context.told(values), place.location),
            stub,
            optional,
        )

    def _patched(self, write: Write) -> str:
        """Whether code outside of a class gives its attribute another value: `Net.dropout = 0`."""
        later = self.context.program.patches(write.scope, write.name)
        return f"{write.name} is overwritten on line {later[-1].location.line}" if later else ""

    def _overwritten(self, write: Write) -> str:
        flow = self.context.program.flow(write.scope)
        final = flow.exit.get(write.name)
        if final is None or write in final or any(write in seen for seen in flow.reaching.values()):
            return ""
        return f"{write.name} is overwritten on line {getattr(final[-1].node, 'lineno', 0)}"

    def _loops(self, scope: Scope) -> Iterator[tuple[str, Maker]]:
        for name, writes in scope.writes.items():
            for write in writes:
                if write.kind == "loop":
                    count = rounds(write.value) if isinstance(write.value, ast.Call) else None
                    yield name, partial(self._loop, write, count) if count is not None else partial(self._taken, write)

    def _taken(self, write: Write) -> Binding | None:
        """A variable that takes the elements of a sequence; no setting when they are not known."""
        values = self.context.ev.written(write)
        if not all(isinstance(value, Known | Items) for value in values):
            return None
        reason = self.context.liveness.reason(write.node, write.scope) or self.context.reads.unread(write)
        place = Place(write.location, (*write.scope.names, write.name), reason)
        return Binding(write.name, (), Role.LOOP, place, worths(values, place.location))

    def _loop(self, write: Write, count: ast.expr) -> Binding:
        place = Place(
            write.scope.location(count), (*write.scope.names, write.name), self.context.liveness.reason(write.node, write.scope)
        )
        return Binding(write.name, (), Role.LOOP, place, worths(self.context.ev.evaluate(count, write.scope), place.location))


def _counts(write: Write) -> bool:
    """Whether a write belongs to a counter or a running sum: such a name is no setting, neither at its start nor later."""
    return adds(write) or starts_at_zero(write)
