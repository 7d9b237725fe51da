"""What all kinds of bindings are judged on: values, liveness, reads, placeholders, signatures."""

from __future__ import annotations

import ast
import re
from functools import cached_property

from verifier.facts.evaluate import Evaluator
from verifier.facts.guards import by_default, runs
from verifier.facts.liveness import Liveness
from verifier.facts.nodes import walk
from verifier.facts.placeholders import Placeholders
from verifier.facts.reads import Reads
from verifier.facts.scopes import Scope, Write, dotted
from verifier.facts.values import UNKNOWN, Items, Known, Made, Table, Value, Values, is_unknown
from verifier.lexicon import Lexicon
from verifier.model.location import Location

FACTORY = re.compile(r"(?:get|create|make|build)_[a-z_]+$")
"""What functions are called that make one of several things by its name."""


class Context:
    """The analyses that bindings rest on.

    Args:
        ev: the evaluator.
        liveness: which code is live.
        reads: what is read.
        placeholders: what is a placeholder.
        lexicon: signatures of library calls.
    """

    def __init__(self, ev: Evaluator, liveness: Liveness, reads: Reads, placeholders: Placeholders, lexicon: Lexicon) -> None:
        self.ev, self.program = ev, ev.program
        self.liveness, self.reads, self.placeholders, self.lexicon = liveness, reads, placeholders, lexicon
        self._assigned: dict[int, dict[int, tuple[str, ...]]] = {}

    def told(self, values: Values) -> Values:
        """The candidates, with the name that a factory was told in the place of what it made: `get_scheduler("cosine", ...)`."""
        return tuple(self._told(value) if isinstance(value, Made) else value for value in values)

    def _told(self, made: Made) -> Value:
        if not FACTORY.match(made.name.rsplit(".", 1)[-1]):
            return made
        node = made.site.node
        named = [keyword.value for keyword in node.keywords if (keyword.arg or "").endswith(("name", "type"))]
        for given in (*named, *node.args[:1]):
            found = self.ev.evaluate(given, made.site.scope, made.frame)
            if len(found) == 1 and isinstance(found[0], Known) and isinstance(found[0].value, str):
                return found[0]
        return made

    def assigned_calls(self, scope: Scope) -> dict[int, tuple[str, ...]]:
        """Id of a call -> the names that its result, or what it is part of, is bound to."""
        if id(scope) not in self._assigned:
            table: dict[int, tuple[str, ...]] = {}
            for write in [*(w for ws in scope.writes.values() for w in ws), *scope.stores]:
                if write.kind == "assign" and write.value is not None:
                    own = tuple(part for part in write.name.split(".") if part not in {"self", "cls"})
                    for part in walk(write.value):
                        if isinstance(part, ast.Call):
                            table[id(part)] = (*table.get(id(part), ()), *own)
            self._assigned[id(scope)] = table
        return self._assigned[id(scope)]

    def optional(self, node: ast.AST, scope: Scope) -> bool:
        """Whether a statement or call stands in a branch that the program does not take by default."""
        return runs(self.ev, node, scope, None) is False

    def superseded(self, write: Write) -> str:
        """Why no read of a name sees a write: another one, which runs by default, comes after it; empty when one may."""
        seen = self.reads.readers(write)
        if "." in write.name or not seen or len(write.scope.writes.get(write.name, ())) < 2:
            return ""
        for reader, node in seen:
            chosen = by_default(self.ev, self.program.reaching(node, reader), None)
            if write in chosen:
                return ""
        return f"{write.name} is overwritten before it is read, by default"

    def parents(self, scope: Scope) -> dict[int, ast.AST]:
        """Id of a node of the scope's file -> the node around it."""
        return self.program.nodes(scope.file).parents

    @cached_property
    def counters(self) -> frozenset[tuple[int, str]]:
        """(module or scope, dotted name) of what code adds to."""
        scopes = self.program.scopes
        kept = {(id(scope.module), write.name) for scope in scopes for write in scope.stores if adds(write)}
        local = {(id(scope), name) for scope in scopes for name, writes in scope.writes.items() if any(map(adds, writes))}
        return frozenset(kept | local)

    @cached_property
    def _starts(self) -> frozenset[Location]:
        """Where the attributes that code adds to are given their first zero."""
        stores = (write for scope in self.program.scopes for write in scope.stores if starts_at_zero(write))
        kept = (write for write in stores if write.value is not None and (id(write.scope.module), write.name) in self.counters)
        return frozenset(write.scope.location(write.value) for write in kept if write.value is not None)

    def settled(self, values: Values) -> Values:
        """The candidates without the zeros that counters start at: `randint(0, buffer.size)` draws below no known bound."""
        kept = tuple(value for value in values if not (isinstance(value, Known) and value.origin in self._starts))
        return kept or UNKNOWN

    def is_counter(self, node: ast.expr, scope: Scope) -> bool:
        """Whether an expression is no more than a counter or a running sum: what it is worth says nothing about a setting."""
        name = dotted(node) if isinstance(node, ast.Attribute | ast.Name) else None
        if name is None or (id(scope.module if "." in name else scope), name) not in self.counters:
            return False
        scopes = scope.module.walk() if "." in name else (scope,)
        writes = (write for one in scopes for write in (*one.stores, *one.writes.get(name, ())) if write.name == name)
        return any(starts_at_zero(write) for write in writes)

    def unreached(self, name: str, values: Values) -> str:
        """Why the value under a key is never what a read of the key sees; empty when it may be."""
        own = {origin for value in values if (origin := origin_of(value)) is not None}
        if not own:
            return ""
        seen = False
        for scope, node in self.reads.attributes.get(name, ()):
            if not isinstance(node, ast.expr) or not self.reads.is_use(node, scope):
                continue
            got = self.ev.evaluate(node, scope)
            if is_unknown(got):
                return ""
            seen = True
            if any(origin_of(value) in own for value in got):
                return ""
        return f"another value overrides {name}" if seen else ""


def adds(write: Write) -> bool:
    """Whether a write adds to what is there: `total += 1`, `self.size = min(self.size + 1, limit)`."""
    if isinstance(write.node, ast.AugAssign):
        return isinstance(write.node.op, ast.Add)
    return any(
        isinstance(part, ast.BinOp) and isinstance(part.op, ast.Add) and dotted(part.left) == write.name
        for part in (walk(write.value) if isinstance(write.value, ast.BinOp | ast.Call) else ())
    )


def starts_at_zero(write: Write) -> bool:
    """Whether a write gives a plain zero."""
    value = write.value
    return isinstance(value, ast.Constant) and value.value == 0 and value.value is not False and not adds(write)


def origin_of(value: Value) -> Location | None:
    """Where a candidate is written; None when it is not written anywhere."""
    return value.origin if isinstance(value, Known | Items | Table) else None


def overridden(own: Values, effective: Values, reason: str) -> str:
    """The reason, when every effective candidate is known and none of them is written where this one is."""
    origins = {origin for value in own if (origin := origin_of(value)) is not None}
    if not origins or is_unknown(effective):
        return ""
    return "" if any(origin_of(value) in origins for value in effective) else reason
