"""Terms: expressions on their way from code, and the other values a name may hold.

An open term is an expression whose meaning depends on who calls: a parameter, an attribute, a call. Closing (see `closing`) replaces it.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from verifier.model.expression import Apply, Expr, Number, Symbol

if TYPE_CHECKING:
    from verifier.facts.lifting.inlining import Frame
    from verifier.facts.scopes import Scope

MAX_SIZE = 400
"""Nodes of an expression, counted as a tree, above which it is cut."""
MAX_HEIGHT = 40
"""Levels of an expression above which it is cut: no formula of a paper is as deep, and recursion stays bounded."""


@dataclass(frozen=True, slots=True, eq=False)
class Node(Apply):
    """An operation that knows its size as a tree, and its height."""

    size: int = 1
    height: int = 1


@dataclass(frozen=True, slots=True, eq=False)
class Filled(Number):
    """The worth of a tensor made of one constant: a start value, that other code may overwrite."""


@dataclass(frozen=True, slots=True, eq=False)
class Parameter(Symbol):
    """A parameter of a function."""

    scope: Scope


@dataclass(frozen=True, slots=True, eq=False)
class Free(Symbol):
    """A name that an outer scope binds."""

    owner: Scope


@dataclass(frozen=True, slots=True, eq=False)
class Member(Symbol):
    """An attribute, or the value under a string key, of something not known yet."""

    base: Expr
    key: str


@dataclass(frozen=True, slots=True, eq=False)
class Held(Symbol):
    """An object in the place of an expression, so that an attribute of it can be left open."""

    value: Instance


@dataclass(frozen=True, slots=True, eq=False)
class Call(Node):
    """A call of something that only closing finds; `head` and `args` say how it looks when nothing is found."""

    callee: Value = None  # type: ignore[assignment]
    positional: tuple[Value, ...] = ()
    keywords: tuple[tuple[str, Value], ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Item(Node):
    """Part of a result that only closing knows; `name` is the variable that it is unpacked into, empty for a look-up."""

    base: Expr = None  # type: ignore[assignment]
    key: int | str = 0
    name: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Choice(Node):
    """`where(condition, a, b)` by a condition on the configuration: either alternative is a formula of its own."""

    key: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class Sequence:
    """A tuple or list; `grown` is what a loop or comprehension adds again and again, `source` what that runs over, as text."""

    items: tuple[Value, ...]
    grown: Expr | None = None
    source: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Mapping:
    """A dictionary with constant string keys."""

    entries: dict[str, Value]


@dataclass(frozen=True, slots=True, eq=False)
class Function:
    """A function of the repository, with the arguments that are already bound and the frame it closes over."""

    scope: Scope
    frame: Frame | None = None
    positional: tuple[Value, ...] = ()
    keywords: tuple[tuple[str, Value], ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Class:
    """A class of the repository."""

    scope: Scope


@dataclass(frozen=True, slots=True, eq=False)
class Instance:
    """An object of a class of the repository, or of a class outside of it by its qualified name.

    Attributes:
        path: how code reaches it: `self.norm`; its attributes are spelled from there.
        generic: whether its constructor's arguments are not known.
    """

    cls: Scope | str
    positional: tuple[Value, ...] = ()
    keywords: tuple[tuple[str, Value], ...] = ()
    path: str = ""
    generic: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Outside:
    """A module, function or class outside of the repository; `keywords` and `positional` are bound by `partial`."""

    name: str
    shown: str
    positional: tuple[Value, ...] = ()
    keywords: tuple[tuple[str, Value], ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Gradient:
    """The gradient of a function, itself a function."""

    function: Value
    index: int = 0
    with_value: bool = False


Value = Expr | Sequence | Mapping | Function | Class | Instance | Outside | Gradient

NONE = Symbol("None")
ZERO, ONE = Number(Fraction(0)), Number(Fraction(1))


def size(term: Expr) -> int:
    """Nodes of an expression, counted as a tree."""
    return term.size if isinstance(term, Node) else 1


def node(head: str, *args: Expr, axis: str = "") -> Node:
    """An operation."""
    return Node(head, args, axis, *measure(args))


def measure(args: tuple[Expr, ...]) -> tuple[int, int]:
    """Size and height of an operation on these operands."""
    total, height = 1, 0
    for arg in args:
        if isinstance(arg, Node):
            total += arg.size
            height = max(height, arg.height)
        else:
            total += 1
    return total, height + 1


def too_large(term: Expr) -> bool:
    """Whether a term has grown beyond what is kept."""
    return isinstance(term, Node) and (term.size > MAX_SIZE or term.height > MAX_HEIGHT)


def facing(right: Expr) -> Expr:
    """The right operand of a matrix product: two axes swapped right there make it a transpose, elsewhere they are mere layout."""
    return node("transpose", right.args[0]) if isinstance(right, Apply) and right.head == "layout" else right


def named(name: str, term: Expr) -> Expr:
    """The term under the name by which code holds it; bare when it has that name already or is too large to keep."""
    if too_large(term):
        return Symbol(name)
    if isinstance(term, Symbol) and term.name.rpartition(".")[2] == name.rpartition(".")[2]:
        return term
    if isinstance(term, Apply) and term.head == "named" and term.args[0] == Symbol(name):
        return term
    return node("named", Symbol(name), term)


def unnamed(term: Expr) -> Expr:
    """The term without the names it goes by."""
    while isinstance(term, Apply) and term.head == "named":
        term = term.args[1]
    return term


def number(value: float) -> Number:
    """A number, exact as written."""
    return Number(Fraction(repr(value)))


def as_number(value: Value) -> Fraction | None:
    """The worth of a constant, names and sign looked through; None for anything else."""
    if not isinstance(value, Number | Symbol | Apply):
        return None
    term = unnamed(value)
    if isinstance(term, Apply) and term.head == "neg":
        inner = as_number(term.args[0])
        return None if inner is None else -inner
    return term.value if isinstance(term, Number) else None


def as_text(value: Value | None) -> str | None:
    """The text of a string constant; None for anything else."""
    if isinstance(value, Symbol) and value.name[:1] in "'\"":
        return value.name[1:-1]
    return None


def expression(value: Value) -> Expr:
    """Any value as an expression."""
    match value:
        case Number() | Symbol() | Apply():
            return value
        case Sequence():
            return _listed(value)
        case Mapping(entries=entries):
            return node("tuple", *(expression(entry) for entry in entries.values()))
        case Function(scope=scope):
            return Symbol(scope.name.split(":")[0].strip("<"))
        case Class(scope=scope):
            return Symbol(scope.name)
        case Instance(cls=cls):
            return Symbol(value.path or (cls.rpartition(".")[2] if isinstance(cls, str) else cls.name))
        case Outside(shown=shown):
            return Symbol(shown)
        case Gradient(function=function):
            return node("grad", expression(function))


def _listed(value: Sequence) -> Expr:
    if value.grown is not None and not value.items:
        return value.grown
    if value.grown is not None or not value.items:
        return Symbol(value.source or "[]")
    if len(value.items) == 1:
        return expression(value.items[0])
    return node("tuple", *(expression(item) for item in value.items))
