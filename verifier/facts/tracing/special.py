"""Calls of builtins that choose or combine what is called: `getattr`, `super`, `partial`, `map`, `reduce`, `zip`, ..."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from verifier.facts.program import External
from verifier.facts.scopes import Scope
from verifier.facts.tracing.machine import constant
from verifier.facts.tracing.site import Arguments, Site
from verifier.facts.tracing.values import UNKNOWN, Function, Object, Super, Value

if TYPE_CHECKING:
    from verifier.facts.tracing.machine import Machine

_QUIET = frozenset(
    "print len range isinstance issubclass int float str bool type hasattr callable repr id hash format round input vars "
    "dir min max abs any all sum ord chr bytes divmod pow object ValueError RuntimeError TypeError KeyError Exception "
    "AssertionError FileNotFoundError NotImplementedError".split()
)
_COPIES = frozenset({"list", "tuple", "iter", "reversed"})


class Special:
    """Handles these calls."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self._table: dict[str, Callable[[Site, Arguments], Value | None]] = {
            "builtins.super": lambda site, _: self._super(site),
            "builtins.getattr": lambda _, arguments: self._getattr(arguments),
            "builtins.setattr": lambda _, arguments: self._setattr(arguments),
            "builtins.globals": lambda site, _: Value((site.frame.scope.module,)),
            "builtins.map": self._map,
            "builtins.filter": self._map,
            "builtins.enumerate": self._enumerate,
            "builtins.zip": self._zip,
            "builtins.dict": lambda _, arguments: self._dict(arguments),
            "builtins.set": lambda _, arguments: Value((Object(cls=External("builtins.set")),), arguments.reach()),
            "functools.partial": lambda _, arguments: self._partial(arguments),
            "functools.reduce": self._reduce,
            "builtins.open": lambda _, arguments: machine.files.opened(arguments),
            "os.path.join": lambda _, arguments: machine.files.joined(arguments),
            "pathlib.Path": lambda _, arguments: machine.files.path(arguments),
        }

    def call(self, site: Site, callee: Value, arguments: Arguments) -> Value | None:
        """Make the call if it is one of these; None when it is an ordinary one."""
        thing = callee.things[0] if callee.things else None
        if isinstance(thing, External):
            handler = self._table.get(thing.name)
            if handler is not None:
                return handler(site, arguments)
            if thing.name.startswith("builtins."):
                name = thing.name[9:]
                if name in _COPIES:
                    return self._copy(arguments, backwards=name == "reversed")
                if name in _QUIET:
                    if site.discarded:
                        self.machine.record.look(arguments.reach())
                    return Value((), arguments.reach())
        if isinstance(thing, Object) and thing.owner is not None:
            return self._container(site, thing, arguments)
        return None

    def _super(self, site: Site) -> Value | None:
        current = site.frame
        while current.parent is not None and not current.scope.is_method:
            current = current.parent
        cls = self.machine.program.enclosing_class(current.scope)
        receiver = current.env.get(current.scope.receiver, UNKNOWN)
        return Value((Super(receiver, cls),), receiver.sources) if cls is not None else UNKNOWN

    def _getattr(self, arguments: Arguments) -> Value | None:
        if len(arguments.positional) < 2:
            return UNKNOWN
        base, name = arguments.positional[0], arguments.positional[1].const()
        if name is None or not isinstance(name.value, str):
            return Value((), base.reach())
        return self.machine.expressions.member(base, name.value)

    def _setattr(self, arguments: Arguments) -> Value | None:
        if len(arguments.positional) == 3:
            base, name, value = arguments.positional
            const = name.const()
            for thing in base.objects():
                if const is not None:
                    thing.fields[str(const.value)] = value
                else:
                    thing.touched |= value.reach()
        return UNKNOWN

    def _map(self, site: Site, arguments: Arguments) -> Value | None:
        if len(arguments.positional) != 2:
            return UNKNOWN
        function, items = arguments.positional
        known = self.machine.loops.elements(items)
        if known is not None and len(known) <= 24:
            return self.machine.expressions.sequence([self._apply(site, function, [item]) for item in known])
        element = self.machine.expressions.element(Value(items.things, items.reach()), "[]")
        made = self._apply(site, function, [element])
        return Value(self.machine.expressions.sequence([made], closed=False).things, made.sources or items.sources)

    def _reduce(self, site: Site, arguments: Arguments) -> Value | None:
        if len(arguments.positional) < 2:
            return UNKNOWN
        function, items = arguments.positional[:2]
        known = self.machine.loops.elements(items)
        if known is None or len(known) > 24:
            return self._apply(site, function, [UNKNOWN, Value((), items.reach())])
        rest = list(known)
        value = arguments.positional[2] if len(arguments.positional) > 2 else rest.pop(0) if rest else UNKNOWN
        for item in rest:
            value = self._apply(site, function, [value, item])
        return value

    def _apply(self, site: Site, function: Value, values: list[Value]) -> Value:
        thing = next((found for found in function.things if isinstance(found, Function)), None)
        name = "" if thing is None else thing.scope.name
        external = next((found.name.rpartition(".")[2] for found in function.things if isinstance(found, External)), "")
        return self.machine.calls.invoke(Site(site.node, site.frame, name or external), function, Arguments(values))

    def _partial(self, arguments: Arguments) -> Value | None:
        if not arguments.positional:
            return UNKNOWN
        made: list[Function | External | Scope | Object] = []
        for thing in arguments.positional[0].things:
            if isinstance(thing, Function):
                given = (*thing.given, *arguments.positional[1:])
                named = {**thing.named, **arguments.named}
                made.append(Function(thing.scope, thing.receiver, thing.frame, given, named, thing.label))
            elif isinstance(thing, External | Scope | Object):
                made.append(thing)
        return Value(tuple(made), arguments.reach())

    def _enumerate(self, site: Site, arguments: Arguments) -> Value | None:
        return self._paired(site, arguments, [None])

    def _zip(self, site: Site, arguments: Arguments) -> Value | None:
        return self._paired(site, arguments, [])

    def _paired(self, site: Site, arguments: Arguments, first: list[None]) -> Value:
        lists = [self.machine.loops.elements(value) for value in arguments.positional]
        expressions = self.machine.expressions
        if lists and all(items is not None for items in lists):
            turns = zip(*(items for items in lists if items is not None), strict=False)
            return expressions.sequence([expressions.sequence([*(UNKNOWN for _ in first), *turn]) for turn in turns])
        parts = [self.machine.loops.one(value, site.node, site.frame) for value in arguments.positional]
        pair = expressions.sequence([*(UNKNOWN for _ in first), *parts])
        made = expressions.sequence([pair], closed=False)
        made.objects()[0].holds += [thing for value in arguments.positional for thing in value.objects()]
        return Value(made.things, arguments.reach())

    def _dict(self, arguments: Arguments) -> Value | None:
        thing = Object(cls=External("builtins.dict"), fields=dict(arguments.named), closed=not arguments.positional)
        return Value((thing,), arguments.reach())

    def _copy(self, arguments: Arguments, *, backwards: bool) -> Value:
        if not arguments.positional:
            return self.machine.expressions.sequence([])
        value = arguments.positional[0]
        items = self.machine.loops.elements(value)
        if items is None:
            return value
        return Value(self.machine.expressions.sequence(items[::-1] if backwards else items).things, value.sources)

    def _container(self, site: Site, method: Object, arguments: Arguments) -> Value | None:
        """Methods of lists and dicts that are known."""
        assert method.owner is not None
        owner = next(iter(method.owner.objects()), None)
        if owner is None or owner.external not in {
            "builtins.list",
            "builtins.dict",
            "collections.OrderedDict",
            "torch.nn.ModuleList",
            "torch.nn.ModuleDict",
        }:
            return None
        name, values = method.attribute, arguments.positional
        if name in {"append", "extend", "insert"} and values:
            self._grow(owner, name, values)
            return None if owner.external != "builtins.list" else self._noted(site, owner, arguments)
        if name == "items" and owner.fields:
            pairs = [
                self.machine.expressions.sequence([constant(key), value]) for key, value in owner.fields.items() if key != name
            ]
            return self.machine.expressions.sequence(pairs, closed=owner.closed)
        if name == "values" and owner.fields:
            return self.machine.expressions.sequence(
                [value for key, value in owner.fields.items() if key != name], closed=owner.closed
            )
        if name == "keys" and owner.fields:
            return self.machine.expressions.sequence([constant(key) for key in owner.fields if key != name], closed=owner.closed)
        if name in {"get", "pop", "setdefault"} and values:
            const = values[0].const()
            if const is not None and isinstance(const.value, str):
                return self.machine.expressions.element(method.owner, const.value)
            return self.machine.expressions.any_element(owner, method.owner)
        return None

    def _grow(self, owner: Object, name: str, values: list[Value]) -> None:
        record = self.machine.record
        sure = owner.level >= len(record.alternatives) and not record.loops
        if not sure:
            known = (owner.closed or owner.under is not None) and not record.loops and name == "append"
            owner.under = {**(owner.under or {}), len(owner.items): record.alternatives[owner.level :]} if known else None
            owner.closed = False
        elif name == "insert":
            owner.under = None
        if name == "append":
            owner.items.append(values[0])
        elif name == "extend":
            items = self.machine.loops.elements(values[0])
            owner.closed = owner.closed and items is not None
            owner.items += items if items is not None else [Value((), values[0].reach())]
        elif len(values) > 1:
            const = values[0].const()
            at = const.value if const is not None and isinstance(const.value, int) else len(owner.items)
            owner.closed = owner.closed and const is not None
            owner.items.insert(at, values[1])

    def _noted(self, site: Site, owner: Object, arguments: Arguments) -> Value:
        index = self.machine.implicit.note(site, site.name, arguments.reach(), Value((owner,)))
        if index >= 0:
            owner.touched.add(index)
        return UNKNOWN
