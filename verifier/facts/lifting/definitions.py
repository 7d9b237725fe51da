"""Definitions: every expression that code computes, closed, with its names and place."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from verifier.facts.lifting.closing import MAX_DEPTH, Closer, computes, computes_within
from verifier.facts.lifting.lifter import Lifter
from verifier.facts.lifting.reads import Reads
from verifier.facts.lifting.terms import Function, Node, Value, expression, too_large
from verifier.model.expression import Apply, Expr, Number, Symbol
from verifier.model.facts import Definition, Place, Placeholder

if TYPE_CHECKING:
    from verifier.facts.lifting.walk import Raw
    from verifier.facts.liveness import Liveness
    from verifier.facts.placeholders import Placeholders
    from verifier.facts.program import Program
    from verifier.facts.scopes import Scope

MAX_VARIANTS = 4
"""Formulas that one statement gives, for the choices that configuration makes in it."""


def definitions(program: Program, liveness: Liveness, stubs: Placeholders) -> tuple[Definition, ...]:
    """Every expression that a program computes, by file and line.

    Args:
        program: the program.
        liveness: what of it is live.
        stubs: which of its functions are placeholders.
    """
    maker = Definer(Lifter(program), liveness, stubs)
    found = [definition for scope in program.scopes for definition in maker.of(scope)]
    return tuple(sorted(found, key=lambda definition: definition.place.location))


class Definer:
    """Makes the definitions of one scope after the other.

    Args:
        lifter: what each scope computes.
        liveness: what of the program is live.
        stubs: which of its functions are placeholders.
    """

    def __init__(self, lifter: Lifter, liveness: Liveness, stubs: Placeholders) -> None:
        self.lifter, self.liveness, self.stubs = lifter, liveness, stubs
        self.reads = Reads(lifter.program)

    def of(self, scope: Scope) -> Iterator[Definition]:
        """The definitions of one scope."""
        if scope.is_class or (isinstance(scope.node, ast.Lambda) and self.reads.is_bound(scope)):
            return
        for raw in self.lifter.summary(scope).raws:
            yield from self._of_raw(raw, scope)

    def _of_raw(self, raw: Raw, scope: Scope) -> Iterator[Definition]:
        value, home = raw.value, scope
        if isinstance(value, Function) and isinstance(value.scope.node, ast.Lambda):
            home = value.scope
            value = self.lifter.summary(home).result or value
        if not isinstance(_worth(value), Node):
            return
        variants = self._variants(value, home)
        if not variants:
            return
        names = self._names(raw, scope)
        place = Place(scope.location(raw.tree), (*scope.names, *(names if raw.kind != "return" else ())), self.liveness.reason(raw.tree, scope))
        discarded = self.reads.discarded(raw, scope)
        for expr, closer in variants:
            yield Definition(names, expr, place, discarded, self._stub(raw, scope, closer))

    def _stub(self, raw: Raw, scope: Scope, closer: Closer) -> Placeholder | None:
        """The placeholder that the expression is, or rests on through the helpers that it calls."""
        found = self.stubs.of(scope) if scope.is_function else None
        if found is None and isinstance(raw.tree, ast.stmt):
            found = self.stubs.statement(raw.tree, scope)
        for key, called in closer.called.items():
            if found is None and called is not scope:
                found = self.stubs.of(called) if key in closer.inlined else self.stubs.resting_on(called)
        return found

    def _names(self, raw: Raw, scope: Scope) -> tuple[str, ...]:
        names = tuple(name for name in raw.names if not name.startswith("<lambda"))
        if raw.kind == "return" and scope.is_method and scope.name in {"forward", "__call__", "call"} and scope.parent is not None:
            return (*names, scope.parent.name)
        return names

    def _variants(self, value: Value, scope: Scope) -> list[tuple[Expr, Closer]]:
        """The value closed: with helpers substituted and without, and for each choice that configuration makes."""
        found: dict[Expr, Closer] = {}
        for depth in (MAX_DEPTH, 0):
            first = self._closed(value, scope, depth, {}, found)
            for key in list(first.met)[: MAX_VARIANTS - 1]:
                self._closed(value, scope, depth, {key: False}, found)
            if len(first.met) > 1:
                self._closed(value, scope, depth, dict.fromkeys(first.met, False), found)
        return list(found.items())

    def _closed(self, value: Value, scope: Scope, depth: int, picks: dict[int, bool], found: dict[Expr, Closer]) -> Closer:
        closer = Closer(self.lifter, depth, picks)
        term = closer.expr(value, closer.generic(scope))
        if (computes(term) or computes_within(term)) and not too_large(term):
            found.setdefault(plain(term), closer)
        return closer


def _worth(value: Value) -> Value:
    return value if isinstance(value, Node) else expression(value)


def plain(term: Expr) -> Expr:
    """A closed term as the plain expression that the model knows."""
    memo: dict[int, Expr] = {}

    def convert(part: Expr) -> Expr:
        if not isinstance(part, Apply):
            return part if type(part) in {Number, Symbol} else Symbol(part.name) if isinstance(part, Symbol) else Number(part.value)
        known = memo.get(id(part))
        if known is None:
            known = memo[id(part)] = Apply(part.head, tuple(convert(arg) for arg in part.args), part.axis)
        return known

    return convert(term)
