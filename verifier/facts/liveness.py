"""Liveness: what can be reached, and what nobody calls.

Public functions and classes of a module are live, as is what module code runs. Private ones (`_x`), nested functions and private
methods are live when live code outside them refers to them. Statements after a `return`, under a condition that is never true, and
definitions that a later one replaces are dead.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cached_property

from verifier.facts.program import Program
from verifier.facts.scopes import Scope, Write


class Liveness:
    """Which code of a program is live.

    Args:
        program: the program to look at.
    """

    def __init__(self, program: Program) -> None:
        self.program = program
        self._reasons: dict[int, str] = {}

    def reason(self, node: ast.AST, scope: Scope) -> str:
        """Why nothing reaches a node, in a few words; empty when something may.

        Args:
            node: any node of the scope's own code.
            scope: the scope whose code it is.
        """
        return self.program.is_dead(node, scope) or self.scope_reason(scope)

    def scope_reason(self, scope: Scope) -> str:
        """Why nothing reaches a scope; empty when something may."""
        return self._dead_scopes.get(id(scope), "")

    @cached_property
    def _references(self) -> dict[str, list[tuple[Scope, ast.AST]]]:
        """Name -> where code reads it, as a plain name, an attribute, or a string (for `getattr` and tables of names)."""
        wanted = {scope.name for scope in self.program.scopes if _must_be_referenced(scope)}
        found: dict[str, list[tuple[Scope, ast.AST]]] = {name: [] for name in wanted}
        for scope in self.program.scopes:
            for load in scope.loads:
                if load.id in wanted:
                    found[load.id].append((scope, load))
            for attribute in scope.attributes:
                if attribute.attr in wanted:
                    found[attribute.attr].append((scope, attribute))
            for string in scope.strings:
                if string.value in wanted:
                    found[str(string.value)].append((scope, string))
            for name, writes in scope.writes.items():
                imported = [write for write in writes if isinstance(write.node, ast.ImportFrom)]
                for write in imported:
                    for original in _imported_names(write, name):
                        if original in wanted and original != name:
                            found[original] += [
                                (inner, load) for inner in scope.walk() for load in inner.loads if load.id == name
                            ]
        return found

    @cached_property
    def _dead_scopes(self) -> dict[int, str]:
        pending = [scope for scope in self.program.scopes if _must_be_referenced(scope)]
        reached = {id(scope) for scope in self.program.scopes if not _must_be_referenced(scope)}
        changed = True
        while changed:
            changed = False
            for scope in list(pending):
                if self._is_referenced(scope, reached):
                    pending.remove(scope)
                    reached.add(id(scope))
                    changed = True
        dead: dict[int, str] = {}
        for scope in self.program.scopes:
            reason = self._own_reason(scope, reached)
            if not reason and scope.parent is not None:
                reason = dead.get(id(scope.parent), "")
            if reason:
                dead[id(scope)] = reason
        return dead

    def _own_reason(self, scope: Scope, reached: set[int]) -> str:
        if scope.parent is None:
            return ""
        unreachable = self.program.is_dead(scope.node, scope.parent)
        if unreachable:
            return unreachable
        if id(scope) not in reached:
            return f"nothing calls {scope.name}"
        replaced = self._replaced(scope)
        return f"{scope.name} is defined again on line {replaced}" if replaced else ""

    def _is_referenced(self, scope: Scope, reached: set[int]) -> bool:
        for reader, node in self._references.get(scope.name, ()):
            if _inside(reader, scope) or not all(id(outer) in reached for outer in _outward(reader)):
                continue
            if self.program.is_dead(node, reader):
                continue
            if isinstance(node, ast.Name) and not self._may_mean(node, reader, scope):
                continue
            return True
        return False

    def _may_mean(self, node: ast.Name, reader: Scope, scope: Scope) -> bool:
        writes = self.program.reaching(node, reader)
        if not writes:
            return True
        return any(write.node is scope.node or write.kind not in {"def", "class", "param", "loop"} for write in writes)

    def _replaced(self, scope: Scope) -> int:
        """Line of the definition that replaces this one before anything reads it; 0 when there is none."""
        parent = scope.parent
        if parent is None or isinstance(scope.node, ast.Lambda) or len(parent.writes.get(scope.name, ())) < 2:
            return 0
        flow = self.program.flow(parent)
        own = next((write for write in parent.writes[scope.name] if write.node is scope.node), None)
        final: tuple[Write, ...] = flow.exit.get(scope.name, ())
        if own is None or not final or own in final or any(own in writes for writes in flow.reaching.values()):
            return 0
        return getattr(final[-1].node, "lineno", 0)


def _must_be_referenced(scope: Scope) -> bool:
    if scope.parent is None or isinstance(scope.node, ast.Lambda):
        return False
    if scope.parent.is_function:
        return True
    return scope.name.startswith("_") and not (scope.name.startswith("__") and scope.name.endswith("__"))


def _inside(scope: Scope, outer: Scope) -> bool:
    return any(current is outer for current in _outward(scope))


def _outward(scope: Scope) -> Iterator[Scope]:
    current: Scope | None = scope
    while current is not None:
        yield current
        current = current.parent


def _imported_names(write: Write, bound: str) -> list[str]:
    assert isinstance(write.node, ast.ImportFrom)
    return [alias.name for alias in write.node.names if (alias.asname or alias.name) == bound]
