"""What all kinds of bindings are judged on: values, liveness, reads, placeholders, signatures."""

from __future__ import annotations

import ast

from verifier.facts.evaluate import Evaluator
from verifier.facts.guards import by_default, runs
from verifier.facts.liveness import Liveness
from verifier.facts.nodes import walk
from verifier.facts.placeholders import Placeholders
from verifier.facts.reads import Reads
from verifier.facts.scopes import Scope, Write
from verifier.facts.values import Items, Known, Table, Value, Values, is_unknown
from verifier.lexicon import Lexicon
from verifier.model.location import Location


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


def origin_of(value: Value) -> Location | None:
    """Where a candidate is written; None when it is not written anywhere."""
    return value.origin if isinstance(value, Known | Items | Table) else None


def overridden(own: Values, effective: Values, reason: str) -> str:
    """The reason, when every effective candidate is known and none of them is written where this one is."""
    origins = {origin for value in own if (origin := origin_of(value)) is not None}
    if not origins or is_unknown(effective):
        return ""
    return "" if any(origin_of(value) in origins for value in effective) else reason
