"""Calls that no call expression writes: properties, context managers, decorators, hooks, callbacks."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING

from verifier.facts.program import External
from verifier.facts.scopes import Scope, tail
from verifier.facts.tracing.site import Arguments, Site, written
from verifier.facts.tracing.values import UNKNOWN, Frame, Function, Value
from verifier.model.facts import EventForm

if TYPE_CHECKING:
    from verifier.facts.tracing.machine import Machine


class Implicit:
    """Makes them."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self._decorated: dict[int, Value] = {}

    def forget(self) -> None:
        """Forget what decorators made; a new trace has its own."""
        self._decorated = {}

    def call(self, callee: Value, arguments: list[Value], node: ast.expr, frame: Frame, name: str) -> Value:
        """A call that the language or a framework makes at a node."""
        function = next((thing for thing in callee.things if isinstance(thing, Function)), None)
        if function is None:
            return UNKNOWN
        owner = function.scope.parent
        shown = owner.name if name.startswith("__") and owner is not None and owner.is_class else name
        return self.machine.calls.run(Site(node, frame, shown), function, callee, Arguments(arguments))

    def called_back(self, site: Site, function: Function, handed: Value) -> Value:
        """Something outside calls a function that it was handed."""
        return self.machine.calls.run(Site(site.node, site.frame, ""), function, UNKNOWN, Arguments(open=handed))

    def enter_from_outside(self, site: Site, function: Function, index: int) -> None:
        """Somebody outside calls a function with arguments that nobody knows."""
        self.machine.calls.enter(site, function, Arguments(open=Value()), index)

    def note(self, site: Site, name: str, inputs: frozenset[int], receiver: Value) -> int:
        """Record a call whose doing is known."""
        return self.machine.calls.emit(site, [name], "", EventForm.CALL, inputs, receiver)

    def read_property(self, getter: Function, node: ast.Attribute, frame: Frame) -> Value:
        """Read a property."""
        return self.machine.calls.run(Site(node, frame, node.attr, written=written(node)), getter, UNKNOWN, Arguments())

    def managed(self, expression: ast.expr, frame: Frame, body: Callable[[Value], None]) -> None:
        """Enter a context manager, run a body inside it, leave it."""
        self.machine.calls.consumers[id(expression)] = body
        value = self.machine.expressions.eval(expression, frame)
        self.machine.calls.consumers.pop(id(expression), None)
        for thing in value.objects():
            if isinstance(thing.cls, Scope):
                manager = Value((thing,), value.sources)
                entered = self.machine.expressions.member(manager, "__enter__")
                inside = self.call(entered, [], expression, frame, "__enter__")
                body(inside if inside.things else manager)
                self.call(self.machine.expressions.member(manager, "__exit__"), [UNKNOWN] * 3, expression, frame, "__exit__")
                return
        body(value)

    def decorated(self, value: Value) -> Value:
        """What a definition's name stands for once the repository's own decorators have been applied."""
        function = value.things[0] if value.things else None
        if not isinstance(function, Function) or not isinstance(function.scope.node, ast.FunctionDef | ast.AsyncFunctionDef):
            return value
        decorators = function.scope.node.decorator_list
        if not decorators:
            return value
        key = id(function.scope)
        if function.frame is None and key in self._decorated:
            return self._decorated[key]
        if function.frame is None:
            self._decorated[key] = value
        outer = function.frame or Frame(function.scope.parent or function.scope.module)
        result = value
        self.machine.record.muted += 1
        for decorator in reversed(decorators):
            head = decorator.func if isinstance(decorator, ast.Call) else decorator
            target = self.machine.program.resolve(head, outer.scope)
            if isinstance(target, External) or (isinstance(target, Scope) and not target.is_function):
                continue
            wrapper = self.machine.expressions.eval(decorator, outer)
            if any(isinstance(thing, Function) for thing in wrapper.things):
                made = self.machine.calls.invoke(Site(decorator, outer, tail(head)), wrapper, Arguments([result]))
                if any(isinstance(thing, Function) for thing in made.things):
                    result = made
        self.machine.record.muted -= 1
        if function.frame is None:
            self._decorated[key] = result
        return result
