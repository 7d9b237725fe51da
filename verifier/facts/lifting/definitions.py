"""Definitions: every expression that code computes, closed, with its names and place."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from verifier.facts.lifting.closing import MAX_DEPTH, Closer
from verifier.facts.lifting.inlining import Event
from verifier.facts.lifting.judging import computes, computes_within, may_compute
from verifier.facts.lifting.lifter import Lifter
from verifier.facts.lifting.reads import Reads
from verifier.facts.lifting.terms import Function, Mapping, Node, Sequence, expression, too_large
from verifier.model.expression import Apply, Expr, Number, Symbol
from verifier.model.facts import Definition, Place, Placeholder
from verifier.model.location import Location

if TYPE_CHECKING:
    from verifier.facts.lifting.binding import Raw
    from verifier.facts.liveness import Liveness
    from verifier.facts.placeholders import Placeholders
    from verifier.facts.program import Program
    from verifier.facts.scopes import Scope

Variant = tuple[Expr, tuple[Event, ...], Location | None]

MAX_VARIANTS = 4
"""Formulas that one statement gives, for the choices that configuration makes in it."""


def definitions(program: Program, liveness: Liveness, stubs: Placeholders) -> tuple[Definition, ...]:
    """Every expression that a program computes, by file and line; those that hold substituted helpers come after all others.

    So what a helper computes is met first where it is computed.

    Args:
        program: the program.
        liveness: what of it is live.
        stubs: which of its functions are placeholders.
    """
    maker = Definer(Lifter(program), liveness, stubs)
    found = [pair for scope in program.scopes for pair in maker.of(scope)]
    found.sort(key=lambda pair: (any(event.kind == "inlined" for event in pair[1]), pair[0].place.location))
    return tuple(definition for definition, _ in found)


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
        self._closers = (Closer(lifter, 0), Closer(lifter, MAX_DEPTH))
        self._plain = Plain()

    def of(self, scope: Scope) -> Iterator[tuple[Definition, tuple[Event, ...]]]:
        """The definitions of one scope, each with what happened while it was closed."""
        if scope.is_class or (isinstance(scope.node, ast.Lambda) and self.reads.is_bound(scope)):
            return
        for raw in self.lifter.summary(scope).raws:
            yield from self._of_raw(raw, scope)

    def _of_raw(self, raw: Raw, scope: Scope) -> Iterator[tuple[Definition, tuple[Event, ...]]]:
        value, home = raw.value, scope
        if isinstance(value, Function) and isinstance(value.scope.node, ast.Lambda):
            home = value.scope
            value = self.lifter.summary(home).result or value
        if not isinstance(value, Node | Sequence | Mapping):
            return
        if raw.kind == "lost" and not computes(expression(value)):
            return
        if not may_compute(expression(value)):
            return
        variants = self._variants(expression(value), home)
        if not variants:
            return
        names = self._names(raw, scope)
        path = (*scope.names, *(names if raw.kind != "return" else ()))
        dead, here = self.liveness.reason(raw.tree, scope), scope.location(raw.tree)
        discarded = self.reads.discarded(raw, scope)
        for expr, events, origin in variants:
            place = Place(origin or here, path, dead)
            yield Definition(names, expr, place, discarded, self._stub(raw, scope, events)), events

    def _stub(self, raw: Raw, scope: Scope, events: tuple[Event, ...]) -> Placeholder | None:
        """The placeholder that the expression is, or rests on through the helpers that it calls."""
        found = self.stubs.of(scope) if scope.is_function else None
        if found is None and isinstance(raw.tree, ast.stmt):
            found = self.stubs.statement(raw.tree, scope)
        inlined = {event.key for event in events if event.kind == "inlined"}
        for event in events:
            if found is None and event.kind == "called" and event.scope is not None and event.scope is not scope:
                found = self.stubs.of(event.scope) if event.key in inlined else self.stubs.resting_on(event.scope)
        return found

    def _names(self, raw: Raw, scope: Scope) -> tuple[str, ...]:
        names = tuple(name for name in raw.names if not name.startswith("<lambda"))
        if (
            raw.kind == "return"
            and scope.is_method
            and scope.name in {"forward", "__call__", "call"}
            and scope.parent is not None
        ):
            return (*names, scope.parent.name)
        return names

    def _variants(self, term: Expr, scope: Scope) -> list[Variant]:
        """The term closed: with helpers substituted and without, and for each choice that configuration makes."""
        found: list[Variant] = []
        events = self._closed(term, scope, MAX_DEPTH, (), found)
        waiting = _choices(events, scope, ())
        tried: set[frozenset[int]] = {frozenset()}
        while waiting and len(tried) < MAX_VARIANTS:
            refused = waiting.pop(0)
            if frozenset(refused) not in tried:
                tried.add(frozenset(refused))
                waiting += _choices(self._closed(term, scope, MAX_DEPTH, refused, found), scope, refused)
        if any(event.kind == "inlined" for event in events):
            self._closed(term, scope, 0, (), found)
        return found

    def _closed(self, term: Expr, scope: Scope, depth: int, refused: tuple[int, ...], found: list[Variant]) -> tuple[Event, ...]:
        """Close a term with some choices refused, and keep it if it computes something."""
        closer = self._closers[depth > 0]
        closer.start(refused)
        try:
            closed = closer.expr(term, closer.generic(scope))
        except RecursionError:
            # A chain of names through many files: no formula is as deep, and the part of it in each file has a definition of its own.
            return ()
        events = tuple(dict.fromkeys(closer.events))
        if (computes(closed) or computes_within(closed)) and not too_large(closed):
            expr = self._plain.of(closed)
            if all(expr != known for known, _, _ in found):
                found.append((expr, events, closer.origin(closed)))
        return events


def _choices(events: tuple[Event, ...], scope: Scope, refused: tuple[int, ...]) -> list[tuple[int, ...]]:
    """What to refuse next: each choice of the scope itself, and the first one of its helpers, whose own definitions vary the others."""
    met = [event for event in events if event.kind == "choice" and event.key not in refused]
    own = [event.key for event in met if event.scope is scope]
    others = [event.key for event in met if event.scope is not scope]
    return [(*refused, key) for key in own + (others[:1] if not refused else [])]


class Plain:
    """Turns closed terms into the plain expressions that the model knows; parts that terms share stay shared."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[Expr, Expr]] = {}

    def of(self, part: Expr) -> Expr:
        """The plain expression of a closed term."""
        kind = type(part)
        if kind is Number or kind is Symbol:
            return part
        known = self._known.get(id(part))
        if known is None:
            known = self._known[id(part)] = (part, self._made(part))
        return known[1]

    def _made(self, part: Expr) -> Expr:
        if isinstance(part, Apply):
            return Apply(part.head, tuple([self.of(arg) for arg in part.args]), part.axis)
        return Symbol(part.name) if isinstance(part, Symbol) else Number(part.value)
