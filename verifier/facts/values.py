"""The abstract domain: what an expression may be worth, without running anything.

An expression has a small set of candidate values. Joins keep all candidates, up to a bound; what is beyond it, or not understood, is
`Unknown`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import Enum

from verifier.facts.program import CallSite, External, Target
from verifier.facts.scopes import Scope
from verifier.model.constant import Constant, Scalar
from verifier.model.facts import Worth
from verifier.model.finding import Step
from verifier.model.location import Location

MAX_CANDIDATES = 12
MAX_TRAIL = 8


@dataclass(frozen=True, slots=True)
class Unknown:
    """Anything."""


@dataclass(frozen=True, slots=True)
class Known:
    """A scalar, where it is written, and how it got here."""

    value: Scalar
    origin: Location
    trail: tuple[Step, ...] = ()


@dataclass(frozen=True, slots=True)
class Items:
    """A tuple, list or set of known length."""

    items: tuple[Values, ...]
    origin: Location
    trail: tuple[Step, ...] = ()


@dataclass(frozen=True, slots=True)
class Table:
    """A dict, configuration section or namespace.

    Attributes:
        entries: key -> candidates, in order.
        whole: False when there may be more keys than these.
        file: the configuration file it was read from, empty for code.
        section: its dotted place in that file.
    """

    entries: tuple[tuple[Scalar, Values], ...]
    origin: Location
    whole: bool = True
    file: str = ""
    section: str = ""

    def get(self, key: Scalar) -> Values | None:
        """The candidates of a key; None when it is not there."""
        for name, values in self.entries:
            if name == key and isinstance(name, bool) == isinstance(key, bool):
                return values
        return None

    def updated(self, entries: Iterable[tuple[Scalar, Values]]) -> Table:
        """The same table with these entries put in or over."""
        merged = dict(self.entries)
        merged.update(entries)
        return replace(self, entries=tuple(merged.items()))


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """One call on the way: parameters of `callee` are the arguments of `site`, whose own parameters come from `outer`."""

    callee: Scope
    site: CallSite
    outer: Frame | None = None
    extra: tuple[tuple[str, Values], ...] = ()

    @property
    def depth(self) -> int:
        """How many calls deep."""
        return 1 + (self.outer.depth if self.outer else 0)


@dataclass(frozen=True, slots=True, eq=False)
class Instance:
    """An object of a class of the repository; `site` is the call that made it, None when any may have."""

    cls: Scope
    site: CallSite | None = None
    frame: Frame | None = None
    overrides: tuple[tuple[str, Values], ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Made:
    """What a call of something outside the repository returns: `torch.optim.AdamW(...)`."""

    name: str
    site: CallSite
    frame: Frame | None = None


@dataclass(frozen=True, slots=True)
class Ref:
    """A module, class or function."""

    target: Target


@dataclass(frozen=True, slots=True, eq=False)
class Bound:
    """A method with its object, or a function with arguments already given (`functools.partial`)."""

    function: Target
    receiver: Instance | None = None
    site: CallSite | None = None
    given: tuple[tuple[str, Values], ...] = ()


@dataclass(frozen=True, slots=True)
class Options:
    """The namespace of parsed command-line options; `parser` is the id of the call that made the parser, 0 when not known."""

    parser: int
    module: str
    overrides: tuple[tuple[str, Values], ...] = ()


Value = Unknown | Known | Items | Table | Instance | Made | Ref | Bound | Options
Values = tuple[Value, ...]

UNKNOWN: Values = (Unknown(),)


def join(groups: Iterable[Values]) -> Values:
    """The union of candidates, in order, each once."""
    found: list[Value] = []
    for group in groups:
        for value in group:
            if value not in found:
                found.append(value)
                if len(found) >= MAX_CANDIDATES:
                    return (*found[:-1], Unknown())
    return tuple(found) or UNKNOWN


def without_none(values: Values) -> Values:
    """Without `None` where there is something else: `None` stands for 'choose the default below'."""
    rest = tuple(value for value in values if not (isinstance(value, Known) and value.value is None))
    return rest or values


def step(values: Values, text: str, location: Location | None) -> Values:
    """The same candidates with one more step of evidence."""
    return tuple(_stepped(value, Step(text, location)) for value in values)


def read_from(table: Table, key: object, values: Values) -> Values:
    """The candidates under a key, with the configuration file that they were read from as evidence."""
    if not table.file:
        return values
    where = f"{table.section}.{key}".lstrip(".")
    return step(values, f"read as {where} from {table.file}", None)


def _stepped(value: Value, trail: Step) -> Value:
    if isinstance(value, Known | Items) and len(value.trail) < MAX_TRAIL and trail not in value.trail:
        return replace(value, trail=(*value.trail, trail))
    return value


def worths(values: Values, location: Location) -> tuple[Worth, ...]:
    """The candidates that are plain constants or named things, as facts.

    Args:
        values: the candidates.
        location: where a named thing (a class, what a call made) counts as written.
    """
    found = []
    for value in values:
        name = _name_of(value)
        if name:
            found.append(Worth(name, location, symbolic=True))
        elif isinstance(value, Known | Items | Table):
            constant = constant_of(value)
            if constant is not UNREAD:
                found.append(Worth(constant, value.origin, value.trail if not isinstance(value, Table) else ()))
    return tuple(found)


def _name_of(value: Value) -> str:
    match value:
        case Made():
            return value.name
        case Ref(target=External() as target):
            return target.name
        case Ref(target=Scope() as target) if not target.is_module:
            return target.name
        case Instance():
            return value.cls.name
    return ""


class Unread(Enum):
    """The mark of a constant that is not known in all its parts."""

    UNREAD = "unread"


UNREAD = Unread.UNREAD


def constant_of(value: Value, depth: int = 6) -> Constant | Unread:
    """The plain constant of a candidate, or `UNREAD` when a part of it is not known."""
    if isinstance(value, Known):
        return value.value
    if depth <= 0:
        return UNREAD
    if isinstance(value, Items):
        parts: list[Constant] = []
        for item in value.items:
            part = _single(item, depth)
            if isinstance(part, Unread):
                return part
            parts.append(part)
        return tuple(parts)
    if isinstance(value, Table) and value.whole:
        table: dict[str, Constant] = {}
        for key, held in value.entries:
            part = _single(held, depth)
            if isinstance(part, Unread):
                return part
            table[str(key)] = part
        return table
    return UNREAD


def _single(values: Values, depth: int) -> Constant | Unread:
    return constant_of(values[0], depth - 1) if len(values) == 1 else UNREAD


def is_unknown(values: Values) -> bool:
    """Whether any candidate is not known."""
    return any(isinstance(value, Unknown) for value in values)
