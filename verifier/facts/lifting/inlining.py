"""Close calls: put what functions of the repository return, and what operators of libraries compute, in their place."""

from __future__ import annotations

import ast
from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from verifier.facts.lifting.calls import Keywords, apply_outside, shown_arguments, tail_of
from verifier.facts.lifting.judging import computes
from verifier.facts.lifting.operate import operate, operate_module
from verifier.facts.lifting.terms import (
    NONE,
    Call,
    Class,
    Function,
    Gradient,
    Instance,
    Mapping,
    Member,
    Outside,
    Sequence,
    Value,
    expression,
    named,
    node,
    number,
    size,
    too_large,
    unnamed,
)
from verifier.facts.scopes import Scope
from verifier.model.expression import Apply, Expr, Number, Symbol
from verifier.model.location import Location

if TYPE_CHECKING:
    from verifier.facts.lifting.lifter import Lifter


MAX_HELPER = 120
"""Nodes of what a helper returns above which its calls stay unknown functions: a whole network is no part of a formula."""


class Event(NamedTuple):
    """Something that happened while closing: a `choice` met, a function `called` or `inlined`."""

    kind: str
    key: int
    scope: Scope | None = None


Closed = tuple[Value, Value, tuple[Event, ...]]
"""What was closed (kept alive, as it is known by its identity), what it became, and what happened meanwhile."""


@dataclass(slots=True, eq=False)
class Frame:
    """The arguments of one call, and where its function was defined.

    Attributes:
        bindings: parameter -> closed argument; a parameter that is not there stays a symbol.
        closure: the frame of the function around it. stack: the functions on the way here.
        memo: what was closed in this frame. chosen: the same for what depends on choices, with those and whether they
            were refused.
    """

    scope: Scope
    bindings: dict[str, Value] = field(default_factory=dict)
    closure: Frame | None = None
    stack: tuple[int, ...] = ()
    memo: dict[int, Closed] = field(default_factory=dict)
    chosen: dict[int, list[tuple[tuple[tuple[int, bool], ...], Closed]]] = field(default_factory=dict)


class Inlining(ABC):
    """Closes calls; its heir closes everything else."""

    lifter: Lifter
    depth: int
    work: int
    events: list[Event]
    _origins: dict[int, tuple[Value, Location]]

    @abstractmethod
    def close(self, value: Value, frame: Frame) -> Value:
        """A value with everything open in it closed."""

    @abstractmethod
    def generic(self, scope: Scope) -> Frame:
        """The frame of a function that nobody has called."""

    def _arguments(self, positional: tuple[Value, ...], keywords: Keywords, frame: Frame) -> tuple[tuple[Value, ...], Keywords]:
        return tuple([self.close(item, frame) for item in positional]), tuple(
            [(name, self.close(item, frame)) for name, item in keywords]
        )

    def _call(self, value: Call, frame: Frame) -> Value:
        positional, keywords = self._arguments(value.positional, value.keywords, frame)
        callee = self.close(value.callee, frame)
        return self._apply(callee, value, positional, keywords, frame)

    def _apply(self, callee: Value, value: Call, positional: tuple[Value, ...], keywords: Keywords, frame: Frame) -> Value:
        head = value.head
        match callee:
            case Function():
                result = self._inline(callee, positional, keywords, frame.stack)
                if result is not None:
                    return self._result(callee.scope.name if callee.scope.name[:1] != "<" else tail_of(head), result)
                owner = callee.scope.name
                head = (
                    head if tail_of(head) == owner or head.startswith("super.") else owner if not owner.startswith("<") else head
                )
            case Instance():
                result = self._instance_call(callee, positional, keywords, frame)
                if result is not None:
                    return result
                head = callee.path or head
            case Outside():
                all_keywords = callee.keywords + keywords
                result = apply_outside(self.lifter.table, callee, callee.positional + positional, all_keywords)
                if result is not None:
                    return result
                head = callee.shown
            case Gradient():
                return self._gradient(callee, positional, keywords, value, frame)
            case Class(scope=scope) if scope.is_class:
                return Instance(scope, positional, keywords)
            case Symbol(name=name):
                return self._symbol_call(name, value, positional, keywords, frame)
            case Apply():
                return self._computed_call(callee, value, positional, keywords, frame)
        return node(head, *shown_arguments(positional, keywords))

    def _result(self, name: str, result: Value) -> Value:
        return named(name, result) if isinstance(result, Apply) and computes(unnamed(result)) else result

    def _symbol_call(self, name: str, value: Call, positional: tuple[Value, ...], keywords: Keywords, frame: Frame) -> Value:
        """Call something that is known by name only; a method with a tensor's name is the tensor's."""
        if isinstance(value.callee, Member):
            operator = self.lifter.table.methods.get(value.callee.key)
            base = self.close(value.callee.base, frame)
            if operator is not None and not isinstance(base, Instance):
                done = operate(operator, (base, *positional), keywords)
                if done is not None:
                    return done
        return node(name, *shown_arguments(positional, keywords))

    def _computed_call(
        self, callee: Apply, value: Call, positional: tuple[Value, ...], keywords: Keywords, frame: Frame
    ) -> Value:
        shown = shown_arguments(positional, keywords)
        if isinstance(value.callee, Member):
            base = self.close(value.callee.base, frame)
            return node(value.callee.key, expression(base), *shown)
        if callee.head == "named" and isinstance(callee.args[0], Symbol):
            return node(callee.args[0].name, *shown)
        return node("call", callee, *shown)

    def _instance_call(self, callee: Instance, positional: tuple[Value, ...], keywords: Keywords, frame: Frame) -> Value | None:
        if isinstance(callee.cls, str):
            if callee.cls in self.lifter.table.transparent_modules and positional:
                return positional[0]
            module = self.lifter.table.modules.get(callee.cls)
            if callee.cls in self.lifter.table.layers:
                if self.depth == 0:
                    return None
                self.events.append(Event("inlined", id(callee.cls)))
            return None if module is None else operate_module(module, (callee.positional, callee.keywords), positional, keywords)
        for name in ("forward", "__call__", "call"):
            method = self.lifter.program.method(callee.cls, name)
            if method is not None:
                result = self._inline(Function(method, None, (callee,)), positional, keywords, frame.stack)
                return None if result is None else self._result(tail_of(callee.path), result)
        return None

    def _gradient(self, callee: Gradient, positional: tuple[Value, ...], keywords: Keywords, value: Call, frame: Frame) -> Value:
        inner = self._apply(callee.function, value, positional, keywords, frame)
        if isinstance(inner, Sequence) and inner.items:
            inner = inner.items[0]
        wanted = positional[callee.index] if callee.index < len(positional) else NONE
        gradient = node("grad", expression(inner), expression(wanted))
        return Sequence((inner, gradient)) if callee.with_value else gradient

    def _inline(
        self, function: Function, positional: tuple[Value, ...], keywords: Keywords, stack: tuple[int, ...]
    ) -> Value | None:
        """What a function of the repository returns for these arguments; None when it is not substituted."""
        scope = function.scope
        self.events.append(Event("called", id(scope), scope))
        if len(stack) > self.depth or id(scope) in stack or self.work <= 0:
            return None
        result = self.lifter.summary(scope).result
        if result is None or (isinstance(result, Apply) and size(result) > MAX_HELPER):
            return None
        self.events.append(Event("inlined", id(scope), scope))
        frame = self._bound(function, positional, keywords, (*stack, id(scope)))
        closed = self.close(result, frame)
        if isinstance(closed, Apply) and too_large(closed):
            return None
        self._remember(scope, result, closed)
        return closed

    def _remember(self, scope: Scope, result: Value, closed: Value) -> None:
        """Keep where a helper computes what it returns."""
        pairs = [(result, closed)]
        if isinstance(result, Sequence) and isinstance(closed, Sequence):
            pairs = list(zip(result.items, closed.items, strict=False))
        for opened, made in pairs:
            if isinstance(made, Apply) and id(made) not in self._origins:
                self._origins[id(made)] = (made, scope.location(self.lifter.statement(scope, opened)))

    def origin(self, term: Expr) -> Location | None:
        """Where a closed term is computed, when a helper returns it as it stands."""
        while isinstance(term, Apply):
            known = self._origins.get(id(term))
            if known is not None:
                return known[1]
            if term.head != "named":
                return None
            term = term.args[1]
        return None

    def _bound(self, function: Function, positional: tuple[Value, ...], keywords: Keywords, stack: tuple[int, ...]) -> Frame:
        scope = function.scope
        arguments = getattr(scope.node, "args", None)
        frame = Frame(scope, {}, function.frame or self._outer(scope), stack)
        if not isinstance(arguments, ast.arguments):
            return frame
        names = [parameter.arg for parameter in (*arguments.posonlyargs, *arguments.args)]
        given = function.positional + positional
        frame.bindings.update(zip(names, given, strict=False))
        known = {*names, *(parameter.arg for parameter in arguments.kwonlyargs)}
        if arguments.vararg is not None:
            frame.bindings[arguments.vararg.arg] = Sequence(given[len(names) :])
        rest = {name: item for name, item in function.keywords + keywords if name not in known}
        if arguments.kwarg is not None:
            frame.bindings[arguments.kwarg.arg] = Mapping(rest)
        frame.bindings.update({name: item for name, item in function.keywords + keywords if name in known})
        self._defaults(scope, frame)
        return frame

    def _outer(self, scope: Scope) -> Frame | None:
        outer = scope.parent
        return self.generic(outer) if outer is not None and outer.is_function else None

    def _defaults(self, scope: Scope, frame: Frame) -> None:
        for name, writes in scope.writes.items():
            default = writes[0].value if writes[0].kind == "param" else None
            if default is not None and name not in frame.bindings:
                bound = constant(default)
                if bound is not None:
                    frame.bindings[name] = bound


def constant(tree: ast.expr) -> Value | None:
    """The default of a parameter, when it is a constant."""
    if isinstance(tree, ast.UnaryOp) and isinstance(tree.op, ast.USub):
        inner = constant(tree.operand)
        return Number(-inner.value) if isinstance(inner, Number) else None
    if not isinstance(tree, ast.Constant):
        return None
    value = tree.value
    if value is None or isinstance(value, bool):
        return Symbol(str(value))
    if isinstance(value, int | float) and abs(value) < 10**40:
        return number(value)
    return Symbol(f"'{value}'") if isinstance(value, str) else None
