"""Close open terms: put arguments for parameters, results for calls, and what constructors set for attributes."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

from verifier.facts.lifting.inlining import Closed, Event, Frame, Inlining, constant
from verifier.facts.lifting.judging import computes, decided
from verifier.facts.lifting.lookups import PAIRED
from verifier.facts.lifting.terms import (
    Call,
    Choice,
    Class,
    Filled,
    Free,
    Function,
    Gradient,
    Held,
    Instance,
    Item,
    Mapping,
    Member,
    Node,
    Outside,
    Parameter,
    Sequence,
    Value,
    expression,
    named,
    node,
    too_large,
    unnamed,
)
from verifier.facts.scopes import Scope
from verifier.model.expression import Apply, Expr, Number, Symbol

if TYPE_CHECKING:
    from collections.abc import Callable

    from verifier.facts.lifting.lifter import Lifter
    from verifier.model.location import Location

MAX_DEPTH = 3
"""How many calls deep helpers are substituted."""
MAX_WORK = 6_000
"""Terms that closing one definition may look at; calls met after that stay unknown functions."""

Keywords = tuple[tuple[str, Value], ...]


_PLAIN = frozenset({Number, Symbol})


class Closer(Inlining):
    """Closes terms.

    Args:
        lifter: what knows all scopes.
        depth: how many calls deep helpers are substituted; 0 leaves every call and attribute as it stands.
    """

    def __init__(self, lifter: Lifter, depth: int = MAX_DEPTH) -> None:
        self.lifter, self.depth = lifter, depth
        self.refused: tuple[int, ...] = ()
        self.events: list[Event] = []
        self.work = MAX_WORK
        self._generic: dict[int, Frame] = {}
        self._constructed: dict[tuple[int, int], tuple[Instance, Frame]] = {}
        self._origins: dict[int, tuple[Value, Location]] = {}
        self._busy: set[int] = set()
        self._ways: dict[type, Callable[[Any, Frame], Value]] = {
            Filled: lambda value, _: Number(value.value),
            Parameter: self._parameter,
            Free: self._free,
            Member: self._member,
            Held: lambda value, frame: self.close(value.value, frame),
            Call: self._call,
            Item: self._item,
            Choice: self._choice,
            Node: self._node,
        }

    def start(self, refused: tuple[int, ...] = ()) -> None:
        """Begin another term: what happens from here on is about that one.

        Args:
            refused: the choices, by key, that take their second alternative.
        """
        self.refused = refused
        self.events = []
        self.work = MAX_WORK

    def generic(self, scope: Scope) -> Frame:
        """The frame of a function that nobody has called: its parameters stay symbols."""
        found = self._generic.get(id(scope))
        if found is None:
            outer = scope.parent if scope.parent is not None and scope.parent.is_function else None
            found = self._generic[id(scope)] = Frame(scope, {}, self.generic(outer) if outer else None, (id(scope),))
        return found

    def close(self, value: Value, frame: Frame) -> Value:
        """A value with everything open in it closed."""
        kind = type(value)
        if kind in _PLAIN:
            return value
        key = id(value)
        known = frame.memo.get(key)
        if known is None and frame.chosen:
            known = self._chosen(key, frame)
        if known is not None:
            if known[2]:
                self.events.extend(known[2])
            return known[1]
        if kind is Parameter:
            closed = self._parameter(value, frame)  # type: ignore[arg-type]
            frame.memo[key] = (value, closed, ())
            return closed
        self.work -= 1
        outside, self.events = self.events, []
        closed = self._ways.get(kind, self._structure)(value, frame)
        happened = tuple(dict.fromkeys(self.events)) if self.events else ()
        self.events = outside
        choices = (
            tuple([(event.key, event.key in self.refused) for event in happened if event.kind == "choice"]) if happened else ()
        )
        if choices:
            frame.chosen.setdefault(key, []).append((choices, (value, closed, happened)))
        else:
            frame.memo[key] = (value, closed, happened)
        outside.extend(happened)
        return closed

    def _chosen(self, key: int, frame: Frame) -> Closed | None:
        """What a value became when the choices that it depends on were the same as now."""
        for choices, known in frame.chosen.get(key, ()):
            if all((choice in self.refused) is refused for choice, refused in choices):
                return known
        return None

    def expr(self, value: Value, frame: Frame) -> Expr:
        """A value closed, as an expression of bounded size."""
        term = expression(self.close(value, frame))
        return Symbol("...") if too_large(term) else term

    def _structure(self, value: Value, frame: Frame) -> Value:
        match value:
            case Sequence():
                grown = None if value.grown is None else self.expr(value.grown, frame)
                return Sequence(tuple(self.close(item, frame) for item in value.items), grown, value.source)
            case Mapping():
                return Mapping({key: self.close(entry, frame) for key, entry in value.entries.items()})
            case Function():
                positional, keywords = self._arguments(value.positional, value.keywords, frame)
                return Function(value.scope, value.frame or self._defining(value.scope, frame), positional, keywords)
            case Instance() if not value.generic:
                positional, keywords = self._arguments(value.positional, value.keywords, frame)
                return Instance(value.cls, positional, keywords, value.path, value.generic)
            case Outside():
                positional, keywords = self._arguments(value.positional, value.keywords, frame)
                return Outside(value.name, value.shown, positional, keywords)
            case Gradient():
                return Gradient(self.close(value.function, frame), value.index, value.with_value)
        return value

    def _defining(self, scope: Scope, frame: Frame) -> Frame | None:
        """The frame of the function in which a nested one is defined."""
        current: Frame | None = frame
        while current is not None and current.scope is not scope.parent:
            current = current.closure
        return current

    def _node(self, value: Node, frame: Frame) -> Value:
        if value.head == "named":
            inner = self.close(value.args[1], frame)
            if not isinstance(inner, Number | Symbol | Apply):
                return inner
            assert isinstance(value.args[0], Symbol)
            return named(value.args[0].name, inner)
        if value.head == "layout":
            return self.close(value.args[0], frame)
        args = [arg if type(arg) in _PLAIN else self.expr(arg, frame) for arg in value.args]
        return node(value.head, *args, axis=value.axis)

    def _choice(self, value: Choice, frame: Frame) -> Value:
        known = decided(self.close(value.args[0], frame))
        if known is not None:
            return self.close(value.args[1 if known else 2], frame)
        self.events.append(Event("choice", value.key, frame.scope))
        return self.close(value.args[1] if value.key not in self.refused else value.args[2], frame)

    # --- names ------------------------------------------------------------------------------------------------------------

    def _parameter(self, value: Parameter, frame: Frame) -> Value:
        current: Frame | None = frame
        while current is not None and current.scope is not value.scope:
            current = current.closure
        bound = current.bindings.get(value.name) if current is not None else None
        if bound is None:
            return self._receiver(value) or self._left_out(value)
        if isinstance(bound, Number | Symbol | Apply):
            inner = unnamed(bound)
            return named(value.name, bound) if inner is bound and not isinstance(inner, Symbol) else bound
        return bound

    def _left_out(self, value: Parameter) -> Expr:
        """A parameter that no caller is known to give: the number that is its default, under its name, or a symbol."""
        name = self._kept_as(value)
        writes = value.scope.writes.get(value.name, ())
        default = writes[0].value if writes and writes[0].kind == "param" else None
        bound = constant(default) if default is not None else None
        return named(name, bound) if isinstance(bound, Number) else Symbol(name)

    def _kept_as(self, value: Parameter) -> str:
        """The attribute in which a constructor keeps its argument as it is; else the argument's own name, told from constants."""
        if value.scope.name != "__init__" or self.depth == 0:
            return f"{value.name}_" if value.name in {"e", "pi"} else value.name
        held = self.lifter.summary(value.scope).env
        path = f"{value.scope.receiver}.{value.name}"
        kept = held.get(path)
        return path if isinstance(kept, Parameter) and kept.name == value.name else value.name

    def _receiver(self, value: Parameter) -> Instance | None:
        """The object of a method that nobody has called."""
        owner = value.scope.parent
        if owner is None or value.name != value.scope.receiver:
            return None
        return Instance(owner, path=value.name, generic=True)

    def _free(self, value: Free, frame: Frame) -> Value:
        owner = value.owner
        current: Frame | None = frame
        while current is not None and current.scope is not owner:
            current = current.closure
        if owner.is_class or (owner.is_module and self.depth == 0 and not self._is_constant(value)):
            return Symbol(value.name)
        summary = self.lifter.summary(owner)
        held = summary.env.get(value.name)
        if held is None:
            return self._imported(value)
        home = current or self.generic(owner)
        if id(held) in self._busy:
            return Symbol(value.name)
        closed = self._guarded(held, home)
        if owner.is_module and isinstance(closed, Number | Symbol | Apply) and not isinstance(unnamed(closed), Number):
            return Symbol(value.name)
        return closed

    def _is_constant(self, value: Free) -> bool:
        writes = value.owner.writes.get(value.name, [])
        return len(writes) == 1 and isinstance(writes[0].value, ast.Constant)

    def _guarded(self, value: Value, frame: Frame) -> Value:
        """Close what a name holds, which may lead back to that name."""
        self._busy.add(id(value))
        try:
            return self.close(value, frame)
        finally:
            self._busy.discard(id(value))

    def _imported(self, value: Free) -> Value:
        for write in value.owner.writes.get(value.name, ()):
            source = self.lifter.imported_from(write)
            if source is not None and source[0] is not value.owner and source[1] in source[0].writes:
                found = self.lifter.global_value(source[1], source[0])
                held = self.lifter.summary(source[0]).env.get(source[1])
                closed = found or (self.close(held, self.generic(source[0])) if held is not None else None)
                if closed is not None and (
                    not isinstance(closed, Number | Symbol | Apply) or isinstance(unnamed(closed), Number)
                ):
                    return closed
        return Symbol(value.name)

    def _member(self, value: Member, frame: Frame) -> Value:
        base = self.close(value.base, frame)
        key = value.key
        match base:
            case Mapping(entries=entries):
                entry = entries.get(key, Symbol(value.name))
                return named(value.name, entry) if isinstance(entry, Number) else entry
            case Instance():
                return self._attribute(base, key, value.name)
            case Outside():
                return Outside(f"{base.name}.{key}", f"{base.shown}.{key}")
            case Class():
                return self.lifter.member_value(base.scope, key) or Symbol(value.name)
        term = expression(base)
        inner = unnamed(term)
        if isinstance(inner, Symbol):
            return Symbol(f"{inner.name}.{key}")
        if term is not inner and isinstance(term, Apply) and isinstance(term.args[0], Symbol):
            return Symbol(f"{term.args[0].name}.{key}")
        return node("index", inner, Symbol(key))

    def _attribute(self, base: Instance, key: str, shown: str) -> Value:
        """An attribute of an object: a method, a property, or what the constructor sets."""
        path = f"{base.path}.{key}" if base.path else shown
        if isinstance(base.cls, str):
            return Symbol(shown)
        found = self.lifter.attributes(base.cls).get(key)
        if found is None:
            return self._class_member(base, key, path)
        value, setter = found
        if id(value) in self._busy:
            return Symbol(path)
        closed = self._guarded(value, self._constructor(base, setter))
        match closed:
            case Instance():
                return Instance(closed.cls, closed.positional, closed.keywords, path, closed.generic)
            case Number() | Symbol() | Apply():
                return self._held(path, closed)
            case Sequence() | Mapping():
                return closed if self.depth and isinstance(closed, Mapping) and closed.entries else Symbol(path)
        return closed

    def _held(self, path: str, closed: Expr) -> Expr:
        inner = unnamed(closed)
        if self.depth == 0 and not isinstance(inner, Number):
            return Symbol(path)
        if isinstance(inner, Number) or (isinstance(inner, Apply) and computes(inner)):
            return named(path, inner)
        return Symbol(path)

    def _constructor(self, base: Instance, setter: Scope) -> Frame:
        if base.generic or self.depth == 0:
            return self.generic(setter)
        known = self._constructed.get((id(base), id(setter)))
        if known is None:
            function = Function(setter, None, (base, *base.positional), base.keywords)
            known = self._constructed[id(base), id(setter)] = (base, self._bound(function, (), (), (id(setter),)))
        return known[1]

    def _class_member(self, base: Instance, key: str, path: str) -> Value:
        assert isinstance(base.cls, Scope)
        member = self.lifter.program.member(base.cls, key)
        if isinstance(member, Scope) and member.is_function:
            kinds = {_decorator(d) for d in getattr(member.node, "decorator_list", [])}
            if kinds & {"property", "cached_property"}:
                return self._property(Function(member, None, (base,)), path)
            receiver: tuple[Value, ...] = () if "staticmethod" in kinds else (base,)
            return Function(member, None, receiver)
        if member is not None and not isinstance(member, Scope):
            return Outside(member.name, path)
        constant = self.lifter.class_constant(base.cls, key)
        if constant is not None:
            return named(path, constant)
        return Symbol(path)

    def _property(self, function: Function, path: str) -> Value:
        if id(function.scope) in self._busy:
            return Symbol(path)
        self._busy.add(id(function.scope))
        try:
            found = self._inline(function, (), (), (0,))
        finally:
            self._busy.discard(id(function.scope))
        if isinstance(found, Apply) and computes(found):
            return named(path, found)
        return Symbol(path) if found is None else found

    def _item(self, value: Item, frame: Frame) -> Value:
        base = self.close(value.base, frame)
        if isinstance(base, Sequence):
            if isinstance(value.key, int) and base.grown is None and -len(base.items) <= value.key < len(base.items):
                return base.items[value.key]
            return base.grown if base.grown is not None else Symbol(value.name or "...")
        term = expression(base)
        inner = unnamed(term)
        if isinstance(inner, Apply):
            if inner.head in PAIRED and inner.axis and value.key in {0, 1}:
                return inner if value.key == 0 else node(PAIRED[inner.head], *inner.args)
            if inner.head == "tuple" and isinstance(value.key, int) and -len(inner.args) <= value.key < len(inner.args):
                return inner.args[value.key]
        if isinstance(inner, Symbol) and value.name:
            return Symbol(value.name)
        picked = node("index", term, value.args[1])
        return named(value.name, picked) if value.name else picked


def _decorator(tree: ast.expr) -> str:
    return tree.attr if isinstance(tree, ast.Attribute) else tree.id if isinstance(tree, ast.Name) else ""
