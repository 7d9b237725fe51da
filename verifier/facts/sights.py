"""What a plain name read in a scope may see: scoping, reaching writes, statements that are never reached."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from verifier.facts.flow import Flow, analyse
from verifier.facts.modules import Modules
from verifier.facts.scopes import Scope, Write
from verifier.model.repository import Repository


class Sights(Modules):
    """Modules with the data flow inside each scope."""

    def __init__(self, repository: Repository) -> None:
        super().__init__(repository)
        self._flows: dict[int, Flow] = {}
        self._dead_nodes: dict[int, dict[int, str]] = {}

    def flow(self, scope: Scope) -> Flow:
        """The data flow inside one scope, computed when first asked for."""
        known = self._flows.get(id(scope))
        if known is None:
            known = self._flows[id(scope)] = analyse(scope, lambda test: self.truth(test, scope))
        return known

    def truth(self, test: ast.expr, scope: Scope) -> bool | None:
        """Whether a condition is constant, and which way: literals, and module constants that are written once.

        Configuration and options do not count: what they switch off is not dead.
        """
        match test:
            case ast.Constant():
                return bool(test.value)
            case ast.UnaryOp(op=ast.Not()):
                inner = self.truth(test.operand, scope)
                return None if inner is None else not inner
            case ast.BoolOp():
                parts = [self.truth(value, scope) for value in test.values]
                decisive = isinstance(test.op, ast.Or)
                if decisive in parts:
                    return decisive
                return None if None in parts else not decisive
            case ast.Name(id="TYPE_CHECKING") | ast.Attribute(attr="TYPE_CHECKING"):
                return False
            case ast.Name():
                return self._constant_flag(test, scope)
        return None

    def _constant_flag(self, name: ast.Name, scope: Scope) -> bool | None:
        owner = self.lookup(name.id, scope)
        if owner is None:
            return None
        writes = owner.writes[name.id]
        if len(writes) != 1 or writes[0].kind != "assign" or writes[0].unpack or owner.is_class:
            return None
        value = writes[0].value
        if isinstance(value, ast.Constant) and (value.value is None or isinstance(value.value, bool | int)):
            return bool(value.value)
        return None

    def lookup(self, name: str, scope: Scope) -> Scope | None:
        """The scope that binds a plain name read in `scope`; None when no scope of the file does."""
        current: Scope | None = scope
        while current is not None:
            if name in current.writes and (current is scope or not current.is_class):
                return current
            current = current.parent
        return None

    def reaching(self, node: ast.Name, scope: Scope) -> tuple[Write, ...]:
        """The writes that a read of a plain name may see, closures and module globals included."""
        owner = self.lookup(node.id, scope)
        if owner is None:
            return ()
        if owner is scope or _same_code(owner, scope):
            seen = self.flow(owner).reaching.get(id(node))
            if seen is not None:
                return seen
            if owner is scope:
                return tuple(owner.writes[node.id])
        final = self.flow(owner).exit.get(node.id)
        elsewhere = tuple(write for write in owner.writes[node.id] if write.scope is not owner)
        known = final or tuple(owner.writes[node.id])
        return known + tuple(write for write in elsewhere if write not in known)

    def is_dead(self, node: ast.AST, scope: Scope) -> str:
        """Why the statement around a node is never reached within its own scope; empty when it may be."""
        dead = self.flow(scope).dead
        if not dead:
            return ""
        return self._dead_spans(scope).get(id(node), "")

    def _dead_spans(self, scope: Scope) -> dict[int, str]:
        flow = self.flow(scope)
        known = self._dead_nodes.get(id(scope))
        if known is None:
            known = {}
            if not isinstance(scope.node, ast.Lambda):
                for statement in _statements(scope.node.body):
                    reason = flow.dead.get(id(statement))
                    if reason:
                        for part in ast.walk(statement):
                            known.setdefault(id(part), reason)
            self._dead_nodes[id(scope)] = known
        return known


def _statements(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """All statements of a body at any depth, without those of nested functions and classes."""
    stack = list(reversed(body))
    while stack:
        statement = stack.pop()
        yield statement
        if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            continue
        for child in ast.iter_child_nodes(statement):
            if isinstance(child, ast.stmt):
                stack.append(child)
            elif isinstance(child, ast.ExceptHandler | ast.match_case):
                stack.extend(child.body)


def _same_code(owner: Scope, scope: Scope) -> bool:
    """Whether `scope` is a lambda whose body was analysed with its owner's flow."""
    current: Scope | None = scope
    while current is not None and current is not owner:
        if not isinstance(current.node, ast.Lambda):
            return False
        current = current.parent
    return current is owner
