"""Where the parts of a lifted expression come from: for a person who wants to understand it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from verifier.facts.lifting.definitions import Definer
from verifier.facts.lifting.lifter import SETUP, Lifter
from verifier.model.expression import Apply, Expr, Symbol

if TYPE_CHECKING:
    from verifier.facts.liveness import Liveness
    from verifier.facts.placeholders import Placeholders
    from verifier.facts.program import Program
    from verifier.facts.scopes import Scope
    from verifier.model.facts import Definition
    from verifier.model.location import Location


@dataclass(frozen=True, slots=True)
class Origin:
    """A part of an expression that has a name in code, and where that name gets it; None when it is a parameter's argument."""

    name: str
    expr: Expr
    location: Location | None


@dataclass(frozen=True, slots=True)
class Lifted:
    """A definition and the origins of its named parts, outermost first."""

    definition: Definition
    origins: tuple[Origin, ...]


def lifted(program: Program, liveness: Liveness, stubs: Placeholders, scope: Scope) -> tuple[Lifted, ...]:
    """The definitions of one function, class or module, with the origins of their parts.

    Args:
        program: the program that the scope is of.
        liveness: what of it is live.
        stubs: which of its functions are placeholders.
        scope: a function or module, or a class for all of its methods.
    """
    lifter = Lifter(program)
    definer = Definer(lifter, liveness, stubs)
    found: list[Lifted] = []
    for inner in scope.walk() if scope.is_class else (scope, *(child for child in scope.children if child.is_function)):
        for definition, events in definer.of(inner):
            homes = [inner, *(event.scope for event in events if event.scope is not None)]
            found.append(Lifted(definition, _origins(definition.expr, homes, lifter)))
    return tuple(found)


def _origins(expr: Expr, homes: list[Scope], lifter: Lifter) -> tuple[Origin, ...]:
    found: dict[str, Origin] = {}
    for part in _named(expr):
        name = part.args[0].name if isinstance(part.args[0], Symbol) else ""
        if name not in found:
            found[name] = Origin(name, part.args[1], _location(name, homes, lifter))
    return tuple(found.values())


def _named(expr: Expr) -> Iterator[Apply]:
    stack = [expr]
    while stack:
        part = stack.pop()
        if isinstance(part, Apply):
            if part.head == "named":
                yield part
            stack.extend(reversed(part.args))


def _location(name: str, homes: list[Scope], lifter: Lifter) -> Location | None:
    key = name.rpartition(".")[2]
    for home in _with_constructors(homes, lifter):
        wanted = {name, f"{home.receiver}.{key}"} if home.name in SETUP else {name}
        trees = [
            raw.tree for raw in lifter.summary(home).raws if raw.names[:1] and raw.names[0] in wanted and raw.kind != "return"
        ]
        if trees:
            return home.location(trees[-1])
    for home in homes[1:]:
        if home.name == key:
            return home.location(home.node)
    return None


def _with_constructors(homes: list[Scope], lifter: Lifter) -> Iterator[Scope]:
    yield from homes
    for home in homes:
        cls = lifter.program.enclosing_class(home)
        for child in cls.children if cls is not None else ():
            if child.name in SETUP:
                yield child
    for home in homes:
        yield home.module
