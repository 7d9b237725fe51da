"""What a trace knows of values: functions, objects with identity, constants, and the events that they come from."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from verifier.facts.program import External
from verifier.facts.scopes import Scope

MAX_THINGS = 4
MAX_LABELS = 6
_MAX_FIELDS = 24
_MAX_HELD = 8

Literal = int | float | str | bool | None


@dataclass(frozen=True, slots=True)
class Const:
    """A constant."""

    value: Literal


@dataclass(eq=False, slots=True)
class Function:
    """A function of the repository with what it is bound to.

    Attributes:
        receiver: `self` of a bound method.
        frame: the frame in which a nested function or lambda was made.
        given: arguments already given by `functools.partial`.
        label: the text that stands beside it in a table of functions.
    """

    scope: Scope
    receiver: Value | None = None
    frame: Frame | None = None
    given: tuple[Value, ...] = ()
    named: dict[str, Value] = field(default_factory=dict)
    label: str = ""


@dataclass(eq=False, slots=True)
class Object:
    """Something with an identity: an instance, a container, the result of a call.

    Attributes:
        cls: its class; for the result of an outside call, what was called; None when unknown.
        fields: attributes and constant keys.
        items: elements of a list, tuple, set or sequence of modules.
        closed: whether `items` are all its elements, in order.
        touched: events that changed it.
        holds: objects it was made from and that a change through it reaches.
        labels: names it was bound to.
        owner: for an attribute or method of an unknown thing: that thing.
        level: number of undecided branches around its making.
        default: what it is when nobody says otherwise; for an open file, its path.
        under: for a list of which some items may be absent: position of an item -> branches it was put in under.
    """

    cls: Scope | External | None = None
    fields: dict[str, Value] = field(default_factory=dict)
    items: list[Value] = field(default_factory=list)
    closed: bool = False
    touched: set[int] = field(default_factory=set)
    holds: list[Object] = field(default_factory=list)
    labels: list[str] = field(default_factory=list)
    owner: Value | None = None
    attribute: str = ""
    level: int = 0
    default: Const | None = None
    under: dict[int, tuple[tuple[int, int], ...]] | None = None

    @property
    def external(self) -> str:
        """The qualified name of its class when that lies outside the repository; else empty."""
        return self.cls.name if isinstance(self.cls, External) else ""

    def label(self, name: str) -> None:
        """Remember a name that it is bound to."""
        if len(self.labels) < MAX_LABELS and name not in self.labels:
            self.labels.append(name)


@dataclass(eq=False, slots=True)
class Super:
    """`super()` in a method of a class."""

    receiver: Value
    cls: Scope


Thing = Const | Function | Object | Super | Scope | External


@dataclass(eq=False, slots=True)
class Value:
    """What an expression may stand for, and the events whose results it carries."""

    things: tuple[Thing, ...] = ()
    sources: frozenset[int] = frozenset()

    def objects(self) -> list[Object]:
        """The objects among its candidates."""
        return [thing for thing in self.things if isinstance(thing, Object)]

    def const(self) -> Const | None:
        """The constant it is, if it can be nothing else."""
        return self.things[0] if len(self.things) == 1 and isinstance(self.things[0], Const) else None

    def reach(self) -> frozenset[int]:
        """The events whose results someone who is handed this value can see: its own, and those in the objects it holds."""
        if not any(isinstance(thing, Object | Function) for thing in self.things):
            return self.sources
        found = set(self.sources)
        for thing in self.things:
            if isinstance(thing, Object):
                _gather(thing, found, 2)
            elif isinstance(thing, Function) and thing.receiver is not None:
                found |= thing.receiver.sources
        return frozenset(found)


UNKNOWN = Value()


def _gather(thing: Object, found: set[int], depth: int) -> None:
    found |= thing.touched
    for held in thing.holds[:_MAX_HELD]:
        found |= held.touched
    if depth <= 0 or not (thing.fields or thing.items):
        return
    for inner in (*list(thing.fields.values())[:_MAX_FIELDS], *thing.items[:_MAX_FIELDS]):
        found |= inner.sources
        for below in inner.things:
            if isinstance(below, Object):
                _gather(below, found, depth - 1)


@dataclass(eq=False, slots=True)
class Frame:
    """The running of one scope.

    Attributes:
        env: local name -> value.
        parent: the frame around a nested function.
        path: raw names on the way here, from the entry inwards.
        returns: values returned so far.
        yields: values yielded so far.
        exits: environments in which the innermost loops were left by `break` or `continue`.
        on_yield: what the consumer of a generator does with each value.
        shared: names declared `nonlocal`.
    """

    scope: Scope
    env: dict[str, Value] = field(default_factory=dict)
    parent: Frame | None = None
    path: tuple[str, ...] = ()
    returns: list[Value] = field(default_factory=list)
    yields: list[Value] = field(default_factory=list)
    exits: list[list[dict[str, Value]]] = field(default_factory=list)
    on_yield: list[Callable[[Value], None]] = field(default_factory=list)
    shared: set[str] = field(default_factory=set)


def join(values: list[Value]) -> Value:
    """A value that may be any of these."""
    if not values:
        return UNKNOWN
    if len(values) == 1:
        return values[0]
    things: list[Thing] = []
    known: set[object] = set()
    sources: frozenset[int] = frozenset()
    for value in values:
        sources |= value.sources
        for thing in value.things:
            key = (
                ("const", type(thing.value), thing.value)
                if isinstance(thing, Const)
                else thing
                if isinstance(thing, External)
                else id(thing)
            )
            if key not in known and len(things) < MAX_THINGS:
                known.add(key)
                things.append(thing)
    return Value(tuple(things), sources)


def labelled(value: Value, label: str) -> Value:
    """A value whose functions stand beside a text in a table."""
    if not label or not any(isinstance(thing, Function) for thing in value.things):
        return value
    things = tuple(
        Function(thing.scope, thing.receiver, thing.frame, thing.given, thing.named, label)
        if isinstance(thing, Function)
        else thing
        for thing in value.things
    )
    return Value(things, value.sources)


def unsure(value: Value) -> Value:
    """A value joined with something unknown, so that it is no constant."""
    return Value(tuple(thing for thing in value.things if not isinstance(thing, Const)), value.sources)


def merge(first: dict[str, Value], second: dict[str, Value]) -> dict[str, Value]:
    """The environment after two ways; what only one of them knows is no constant."""
    merged: dict[str, Value] = {}
    for name, value in first.items():
        other = second.get(name)
        merged[name] = value if other is value else unsure(value) if other is None else _either(value, other)
    for name, value in second.items():
        if name not in first:
            merged[name] = unsure(value)
    return merged


def _either(first: Value, second: Value) -> Value:
    if not first.things or not second.things:
        return unsure(Value(first.things + second.things, first.sources | second.sources))
    return join([first, second])


def names_of(thing: Thing) -> list[str]:
    """The names that a thing bears: its class or its own, and those it was bound to."""
    if isinstance(thing, Object):
        return [*([thing.cls.name.rpartition(".")[2]] if thing.cls is not None else []), *thing.labels]
    if isinstance(thing, Function):
        return [name for name in (thing.label, thing.scope.name) if name and not name.startswith("<")]
    if isinstance(thing, External | Scope):
        return [thing.name.rpartition(".")[2]]
    return []
