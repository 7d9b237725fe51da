"""Expressions: what they are worth, and the events that happen while they are evaluated."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from verifier.facts.program import External
from verifier.facts.scopes import Scope, tail
from verifier.facts.tracing.machine import constant, of_target
from verifier.facts.tracing.operators import Operators
from verifier.facts.tracing.values import UNKNOWN, Const, Frame, Function, Object, Super, Thing, Value, join, labelled

if TYPE_CHECKING:
    from verifier.facts.tracing.machine import Machine

_LIST = External("builtins.list")
_DICT = External("builtins.dict")
_PROPERTIES = frozenset({"property", "cached_property"})


class Expressions:
    """Evaluates expressions."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        operators = Operators(machine)
        self._members: dict[tuple[int, str], Value] = {}
        self._table: dict[type, Callable[[Any, Frame], Value]] = {
            ast.Constant: lambda node, _: (
                constant(node.value) if isinstance(node.value, int | float | str | bool | None) else UNKNOWN
            ),
            ast.Name: machine.names.read,
            ast.Attribute: self._attribute,
            ast.Call: self._call,
            ast.Subscript: self._subscript,
            ast.List: self._sequence,
            ast.Tuple: self._sequence,
            ast.Set: self._sequence,
            ast.Dict: self._dict,
            ast.BinOp: operators.binary,
            ast.BoolOp: operators.bool,
            ast.Compare: operators.compare,
            ast.UnaryOp: operators.unary,
            ast.IfExp: operators.conditional,
            ast.Lambda: lambda node, frame: Value((Function(machine.program.scope_of[id(node)], frame=frame),)),
            ast.ListComp: lambda node, frame: machine.loops.comprehension(node, [node.elt], frame),
            ast.SetComp: lambda node, frame: machine.loops.comprehension(node, [node.elt], frame),
            ast.GeneratorExp: lambda node, frame: machine.loops.comprehension(node, [node.elt], frame),
            ast.DictComp: lambda node, frame: machine.loops.comprehension(node, [node.key, node.value], frame),
            ast.JoinedStr: operators.joined,
            ast.NamedExpr: self._named,
            ast.Await: lambda node, frame: self.eval(node.value, frame),
            ast.Starred: lambda node, frame: self.eval(node.value, frame),
            ast.Yield: self._yield,
            ast.YieldFrom: self._yield_from,
            ast.Slice: self._slice,
        }

    def forget(self) -> None:
        """Forget the objects in class attributes; a new trace has its own."""
        self._members = {}

    def eval(self, node: ast.expr, frame: Frame) -> Value:
        """Evaluate one expression."""
        handler = self._table.get(type(node))
        return handler(node, frame) if handler is not None else UNKNOWN

    def _call(self, node: ast.Call, frame: Frame) -> Value:
        return self.machine.calls.call(node, frame)

    # --- attributes and elements ----------------------------------------------------------------------------------------

    def _attribute(self, node: ast.Attribute, frame: Frame) -> Value:
        base = self.eval(node.value, frame)
        found = self.member(base, node.attr)
        getter = next((thing for thing in found.things if isinstance(thing, Function) and _is_property(thing.scope)), None)
        if getter is not None:
            return self.machine.implicit.read_property(getter, node, frame)
        return found

    def member(self, base: Value, name: str) -> Value:
        """An attribute of a value; of unknown things, the same unknown thing each time."""
        if len(base.things) == 1:
            return self._of_thing(base.things[0], name, base)
        if not base.things:
            return Value((Object(owner=base, attribute=name, labels=[name]),), base.sources)
        return join([self._of_thing(thing, name, base) for thing in base.things])

    def _of_thing(self, thing: Thing, name: str, base: Value) -> Value:
        if isinstance(thing, Object):
            return self._of_object(thing, name, base)
        if isinstance(thing, External):
            return Value((External(f"{thing.name}.{name}"),))
        if isinstance(thing, Scope):
            if thing.is_module:
                submodule = self.machine.program.modules.get(f"{thing.qualified}.{name}")
                found = self.machine.names.of_module(thing, name)
                return of_target(submodule) if submodule is not None and not found.things else found
            return self._of_class(thing, name, None)
        if isinstance(thing, Super):
            return self._of_super(thing, name)
        if isinstance(thing, Const) and isinstance(thing.value, str) and name in {"value", "name"}:
            enumerated = self.machine.enums.attribute(thing.value, name)
            if enumerated is not None:
                return enumerated
        if isinstance(thing, Function) and name == "__call__":
            return Value((thing,))
        return Value((Object(owner=Value((thing,), base.sources), attribute=name, labels=[name]),), base.sources)

    def _of_object(self, thing: Object, name: str, base: Value) -> Value:
        known = thing.fields.get(name)
        if known is not None:
            changed = base.sources | thing.touched
            return known if changed <= known.sources else Value(known.things, known.sources | changed)
        if isinstance(thing.cls, Scope) and thing.cls.is_class:
            found = self._of_class(thing.cls, name, Value((thing,), base.sources))
            if found.things:
                return found
        child = Object(owner=Value((thing,), base.sources), attribute=name, labels=[name], level=thing.level)
        value = thing.fields[name] = Value((child,))
        return Value(value.things, base.sources | thing.touched)

    def _of_class(self, cls: Scope, name: str, receiver: Value | None) -> Value:
        if name in self.machine.enums.members(cls):
            return self.machine.enums.member(cls, name)
        key = (id(cls), name)
        if key not in self._members:
            self._members[key] = self._declared(cls, name)
        found = self._members[key]
        function = next((thing for thing in found.things if isinstance(thing, Function)), None)
        if function is None:
            return found
        decorators = _decorators(function.scope)
        if "staticmethod" in decorators:
            return found
        bound = (
            receiver
            if receiver is not None and "classmethod" not in decorators
            else Value((cls,))
            if "classmethod" in decorators
            else None
        )
        whole = self.machine.implicit.decorated(found)
        return Value(tuple(_bind(thing, bound) for thing in whole.things), whole.sources)

    def _declared(self, cls: Scope, name: str) -> Value:
        for owner in self.machine.program.mro(cls):
            if not isinstance(owner, Scope):
                continue
            for write in reversed(owner.writes.get(name, ())):
                if write.kind in ("def", "class"):
                    return of_target(self.machine.program.written(write))
                if write.kind == "assign" and write.value is not None and not write.unpack:
                    self.machine.record.muted += 1
                    value = self.eval(write.value, Frame(owner, path=owner.names))
                    self.machine.record.muted -= 1
                    return value if value.const() != Const(None) else Value((Object(labels=[name]),))
        return UNKNOWN

    def _of_super(self, thing: Super, name: str) -> Value:
        for base in self.machine.program.mro(thing.cls)[1:]:
            if isinstance(base, Scope):
                for write in reversed(base.writes.get(name, ())):
                    if write.kind == "def":
                        found = of_target(self.machine.program.written(write))
                        return Value(tuple(_bind(function, thing.receiver) for function in found.things))
        outside = next((base for base in self.machine.program.mro(thing.cls) if isinstance(base, External)), External(""))
        parent = Object(cls=outside, labels=["super"])
        return Value((Object(owner=Value((parent,), thing.receiver.sources), attribute=name, labels=[name]),))

    def _subscript(self, node: ast.Subscript, frame: Frame) -> Value:
        base = self.eval(node.value, frame)
        index = self.eval(node.slice, frame)
        for thing in base.things:
            if isinstance(thing, Object) and isinstance(thing.cls, Scope):
                method = self._of_class(thing.cls, "__getitem__", Value((thing,), base.sources))
                if method.things:
                    return self.machine.implicit.call(method, [index], node, frame, "__getitem__")
        const = index.const()
        if const is not None and isinstance(const.value, str | int):
            return self.element(base, const.value)
        options = [self._any_element(thing) for thing in base.things if isinstance(thing, Object)]
        found = join([option for option in options if option.things])
        return Value(found.things or (self._child(base, "[]"),), base.sources | found.sources | index.sources | _touched(base))

    def element(self, base: Value, key: int | str) -> Value:
        """An element of a container under a constant index or key."""
        found: list[Value] = []
        for thing in base.things:
            if isinstance(thing, Object):
                if isinstance(key, int) and thing.closed and -len(thing.items) <= key < len(thing.items):
                    found.append(thing.items[key])
                elif str(key) in thing.fields:
                    found.append(thing.fields[str(key)])
                elif thing.items and not thing.closed:
                    found += thing.items
        value = join(found)
        things = value.things or (self._child(base, str(key)),)
        return Value(things, value.sources | base.sources | _touched(base))

    def _child(self, base: Value, name: str) -> Object:
        owner = next(iter(base.objects()), None)
        if owner is None:
            return Object()
        known = owner.fields.get(name)
        if known is not None and known.objects():
            return known.objects()[0]
        child = Object(holds=[owner], level=owner.level, labels=[] if name == "[]" or name.lstrip("-").isdigit() else [name])
        owner.fields[name] = Value((child,))
        return child

    def any_element(self, thing: Object, base: Value) -> Value:
        """Any element of a container, under a key that is not known."""
        found = self._any_element(thing)
        return Value(found.things or (self._child(base, "[]"),), found.sources | base.sources | thing.touched)

    def _any_element(self, thing: Object) -> Value:
        return join([*thing.items, *(value for name, value in thing.fields.items() if thing.cls == _DICT and name != "[]")])

    # --- containers -----------------------------------------------------------------------------------------------------

    def sequence(self, items: list[Value], *, closed: bool = True) -> Value:
        """A list of these elements."""
        sources = frozenset().union(*(item.sources for item in items)) if items else frozenset()
        return Value((Object(cls=_LIST, items=items, closed=closed, level=len(self.machine.record.alternatives)),), sources)

    def _sequence(self, node: ast.List | ast.Tuple | ast.Set, frame: Frame) -> Value:
        items: list[Value] = []
        closed = not isinstance(node, ast.Set)
        for element in node.elts:
            value = self.eval(element, frame)
            if isinstance(element, ast.Starred):
                inner = self.machine.loops.elements(value)
                closed = closed and inner is not None
                items += inner if inner is not None else [Value((), value.sources)]
            else:
                items.append(value)
        label = items[0].const() if 2 <= len(items) <= 3 else None
        if label is not None and isinstance(label.value, str):
            items = [labelled(item, label.value) for item in items]
        made = self.sequence(items, closed=closed)
        made.objects()[0].attribute = "literal"
        return made

    def _dict(self, node: ast.Dict, frame: Frame) -> Value:
        thing = Object(cls=_DICT, closed=True, level=len(self.machine.record.alternatives))
        sources: frozenset[int] = frozenset()
        for key, element in zip(node.keys, node.values, strict=True):
            before = len(self.machine.record.listed)
            value = self.eval(element, frame)
            sources |= value.sources
            const = self.eval(key, frame).const() if key is not None else None
            if const is not None and len(self.machine.record.listed) > before:
                self.machine.record.name_listed(before, (str(const.value),))
            if const is not None:
                thing.fields[str(const.value)] = labelled(value, str(const.value))
            else:
                thing.closed = False
                for inner in value.objects() if key is None else ():
                    thing.fields.update(inner.fields)
        return Value((thing,), sources)

    # --- names and generators ------------------------------------------------------------------------------------------

    def _named(self, node: ast.NamedExpr, frame: Frame) -> Value:
        value = self.eval(node.value, frame)
        self.machine.statements.bind(node.target, value, frame, node)
        return value

    def _slice(self, node: ast.Slice, frame: Frame) -> Value:
        parts = [self.eval(part, frame) for part in (node.lower, node.upper, node.step) if part is not None]
        return Value((), frozenset().union(*(part.sources for part in parts)))

    def _yield(self, node: ast.Yield, frame: Frame) -> Value:
        value = self.eval(node.value, frame) if node.value is not None else UNKNOWN
        frame.yields.append(value)
        if frame.on_yield:
            frame.on_yield[-1](value)
        return UNKNOWN

    def _yield_from(self, node: ast.YieldFrom, frame: Frame) -> Value:
        value = self.eval(node.value, frame)
        frame.yields += self.machine.loops.elements(value) or [Value((), value.sources)]
        if frame.on_yield:
            frame.on_yield[-1](value)
        return value


def _touched(base: Value) -> frozenset[int]:
    touched: frozenset[int] = frozenset()
    for thing in base.things:
        if isinstance(thing, Object) and thing.touched:
            touched |= thing.touched
    return touched


def _bind(thing: Thing, receiver: Value | None) -> Thing:
    if isinstance(thing, Function) and thing.receiver is None and receiver is not None:
        return Function(thing.scope, receiver, thing.frame, thing.given, thing.named, thing.label)
    return thing


def _decorators(scope: Scope) -> tuple[str, ...]:
    node = scope.node
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        return tuple(tail(decorator) for decorator in node.decorator_list)
    return ()


def _is_property(scope: Scope) -> bool:
    return any(name in _PROPERTIES for name in _decorators(scope))
