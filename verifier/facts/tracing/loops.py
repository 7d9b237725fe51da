"""Loops and comprehensions: run once with the back edge known, or turn by turn over a list that is known."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from verifier.facts.program import External
from verifier.facts.scopes import Scope
from verifier.facts.tracing.machine import constant
from verifier.facts.tracing.values import Const, Frame, Function, Object, Value, join, merge, unsure

if TYPE_CHECKING:
    from verifier.facts.tracing.machine import Machine

MAX_TURNS = 24
_CONTAINERS = frozenset({"builtins.list", "builtins.dict", "collections.OrderedDict", "collections.deque"})


class Loops:
    """Runs loops."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine

    def elements(self, value: Value) -> list[Value] | None:
        """The elements of a container, in order, when all are known; the keys of a dict."""
        thing = value.things[0] if len(value.things) == 1 else None
        if isinstance(thing, Scope) and thing.is_class:
            members = self.machine.enums.members(thing)
            return [self.machine.enums.member(thing, name) for name in members] or None
        if not isinstance(thing, Object):
            return None
        name = thing.external
        if not thing.closed:
            return None
        if name in _CONTAINERS and thing.fields and not thing.items:
            return [constant(key) for key in thing.fields]
        frameworks = self.machine.frameworks
        if name in _CONTAINERS or frameworks.in_list("lists", name) or frameworks.in_list("sequences", name):
            return [_item(item) for item in thing.items] if name not in _CONTAINERS else list(thing.items)
        return None

    def run_for(self, node: ast.For | ast.AsyncFor, frame: Frame) -> bool:
        """Run a `for` loop."""
        taken = [0]

        def turn(value: Value) -> None:
            taken[0] += 1
            if taken[0] == 1:
                self._turns(node, [value], frame, looped=True)

        self.machine.calls.consumers[id(node.iter)] = turn
        iterable = self.machine.expressions.eval(node.iter, frame)
        self.machine.calls.consumers.pop(id(node.iter), None)
        self.machine.record.look(iterable.reach())
        if not taken[0]:
            turns = self._unrolled(iterable, node.target, node.body)
            if turns is not None:
                self._turns(node, turns, frame, looped=False, iterable=iterable)
            else:
                self._turns(node, [], frame, looped=True, iterable=iterable)
        return self.machine.statements.block(node.orelse, frame)

    def run_while(self, node: ast.While, frame: Frame) -> bool:
        """Run a `while` loop."""
        record = self.machine.record
        self._widen(node, frame)
        record.loops = (*record.loops, record.number())
        truth = self.machine.truth(self.machine.expressions.eval(node.test, frame))
        record.loops = record.loops[:-1]
        if truth is False:
            return self.machine.statements.block(node.orelse, frame)
        left = self._turns(node, [], frame, looped=True)
        if truth is True and not left:
            return False
        return self.machine.statements.block(node.orelse, frame)

    def comprehension(
        self, node: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp, parts: list[ast.expr], frame: Frame
    ) -> Value:
        """Run a comprehension; its value is the list of its elements."""
        first = node.generators[0]
        iterable = self.machine.expressions.eval(first.iter, frame)
        turns = self._unrolled(iterable, first.target, parts) if len(node.generators) == 1 and not first.ifs else None
        if turns is not None and len(parts) == 1:
            items = []
            for value in turns:
                self.machine.statements.bind(first.target, value, frame, node)
                items.append(self.machine.expressions.eval(parts[0], frame))
            return self.machine.expressions.sequence(items)
        record = self.machine.record
        outer = record.loops
        record.loops = (*outer, record.number())
        for position, generator in enumerate(node.generators):
            value = iterable if position == 0 else self.machine.expressions.eval(generator.iter, frame)
            self.machine.statements.bind(generator.target, self.one(value, generator.iter, frame), frame, node)
            for test in generator.ifs:
                self.machine.expressions.eval(test, frame)
        values = [self.machine.expressions.eval(part, frame) for part in parts]
        record.loops = outer
        made = self.machine.expressions.sequence([values[-1]], closed=False)
        return Value(
            made.things, made.sources | values[-1].reach() | (iterable.sources if not values[-1].sources else frozenset())
        )

    def _turns(
        self,
        node: ast.For | ast.AsyncFor | ast.While,
        values: list[Value],
        frame: Frame,
        *,
        looped: bool,
        iterable: Value | None = None,
    ) -> bool:
        """Run the body once for each value; once when there are none.

        Returns:
            Whether a `break` may leave the loop.
        """
        record = self.machine.record
        outer_loops, outer_alternatives = record.loops, record.alternatives
        if looped:
            record.loops = (*outer_loops, record.number())
        before = frame.env
        frame.env = dict(before)
        self._widen(node, frame)
        frame.exits.append([])
        turns: list[Value | None] = [*values] or [None]
        under = _under(iterable) if values and not looped else {}
        for number, value in enumerate(turns):
            if number in under:
                record.alternatives = (*outer_alternatives, *(arm for arm in under[number] if arm not in outer_alternatives))
            if isinstance(node, ast.For | ast.AsyncFor):
                item = value if value is not None else self.one(iterable or Value(), node.iter, frame)
                self.machine.statements.bind(node.target, item, frame, node)
            self.machine.statements.block(node.body, frame)
            record.alternatives = outer_alternatives
        record.loops = outer_loops
        left = frame.exits.pop()
        if looped:
            frame.env = merge(before, frame.env)
        for env in left:
            frame.env = merge(frame.env, env)
        return bool(left) and any(isinstance(part, ast.Break) for part in _own_parts(node.body))

    def _unrolled(self, iterable: Value, target: ast.expr, body: list[ast.stmt] | list[ast.expr]) -> list[Value] | None:
        """The turns of a loop over a known list whose elements matter: callables, objects, names of stages."""
        items = self.elements(iterable) or _in_known_order(iterable)
        if items is None or not 0 < len(items) <= MAX_TURNS:
            return None
        if all(_matters(item) for item in items):
            return items
        chosen = isinstance(target, ast.Name) and len(items) <= 8 and any(item.const() is not None for item in items)
        if chosen and isinstance(target, ast.Name) and _compares(target.id, body):
            return items
        return None

    def one(self, iterable: Value, node: ast.expr, frame: Frame) -> Value:
        """Any one element of what is iterated over."""
        for thing in iterable.objects():
            if isinstance(thing.cls, Scope):
                for name in ("__iter__", "__getitem__"):
                    method = self.machine.expressions.member(Value((thing,), iterable.sources), name)
                    if any(isinstance(found, Function) for found in method.things):
                        return self.machine.implicit.call(method, [], node, frame, name)
            elif isinstance(thing.cls, External) and self.machine.frameworks.in_list("iterates", thing.cls.name):
                return self._loaded(thing, iterable, node, frame)
        return self.one_of(iterable)

    def one_of(self, iterable: Value) -> Value:
        """Any one element of a container, without asking how its iteration is made."""
        known = [item for thing in iterable.objects() for item in thing.items if thing.external in _CONTAINERS]
        if known:
            found = unsure(join(known))
            return Value(found.things, found.sources | iterable.sources)
        return self.machine.expressions.element(Value(iterable.things, iterable.reach()), "[]")

    def _loaded(self, loader: Object, iterable: Value, node: ast.expr, frame: Frame) -> Value:
        """A batch of a data loader: its data set's items are made now."""
        for held in loader.holds:
            if isinstance(held.cls, Scope):
                method = self.machine.expressions.member(Value((held,)), "__getitem__")
                if any(isinstance(found, Function) for found in method.things):
                    made = self.machine.implicit.call(method, [], node, frame, "__getitem__")
                    return self._collated(loader, Value((), made.sources | iterable.sources), node, frame)
        return self._collated(loader, Value((), iterable.reach()), node, frame)

    def _collated(self, loader: Object, items: Value, node: ast.expr, frame: Frame) -> Value:
        """A batch as the loader's own function puts its items together."""
        put_together = loader.fields.get("collate_fn", Value())
        if not any(isinstance(thing, Function) for thing in put_together.things):
            return items
        made = self.machine.implicit.call(put_together, [items], node, frame, "collate_fn")
        return Value(made.things, made.sources | items.sources)

    def _widen(self, node: ast.For | ast.AsyncFor | ast.While, frame: Frame) -> None:
        """Forget constants that a later turn changes."""
        last = node.end_lineno or node.lineno
        for name, value in list(frame.env.items()):
            if any(isinstance(thing, Const) for thing in value.things):
                writes = frame.scope.writes.get(name, ())
                if any(node.lineno <= getattr(write.node, "lineno", 0) <= last for write in writes):
                    frame.env[name] = unsure(value)


def _item(item: Value) -> Value:
    """An element of a sequence of modules, without the name that it may be listed under."""
    pair = item.objects()
    if (
        len(pair) == 1
        and pair[0].external == "builtins.list"
        and len(pair[0].items) == 2
        and pair[0].items[0].const() is not None
    ):
        return pair[0].items[1]
    return item


def _in_known_order(iterable: Value) -> list[Value] | None:
    """The items of a list of which some may be absent."""
    thing = iterable.things[0] if len(iterable.things) == 1 else None
    return list(thing.items) if isinstance(thing, Object) and thing.under is not None else None


def _under(iterable: Value | None) -> dict[int, tuple[tuple[int, int], ...]]:
    """The branches under which the items of such a list were put in."""
    thing = iterable.things[0] if iterable is not None and len(iterable.things) == 1 else None
    return (thing.under or {}) if isinstance(thing, Object) else {}


def _matters(value: Value) -> bool:
    if not value.things:
        return False
    for thing in value.things:
        if isinstance(thing, Object):
            if thing.external == "builtins.list":
                if not any(_matters(item) for item in thing.items):
                    return False
            elif thing.cls is None:
                return False
        elif isinstance(thing, Const) and not isinstance(thing.value, str):
            return False
    return True


def _compares(name: str, body: list[ast.stmt] | list[ast.expr]) -> bool:
    """Whether a body asks which turn it is."""
    for part in body:
        for node in ast.walk(part):
            tested: list[ast.expr] = []
            if isinstance(node, ast.Compare):
                tested = [node.left, *node.comparators]
            elif isinstance(node, ast.Match):
                tested = [node.subject]
            elif isinstance(node, ast.Subscript):
                tested = [node.slice]
            if any(isinstance(side, ast.Name) and side.id == name for side in tested):
                return True
    return False


def _own_parts(body: list[ast.stmt]) -> list[ast.AST]:
    """Every node of a body, without those of nested functions."""
    found: list[ast.AST] = []
    stack: list[ast.AST] = list(body)
    while stack:
        node = stack.pop()
        found.append(node)
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda):
            stack.extend(ast.iter_child_nodes(node))
    return found
