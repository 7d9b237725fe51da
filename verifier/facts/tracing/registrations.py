"""Tables that decorators and later lines of a module fill: a function enters the table where it is defined."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from verifier.facts.scopes import Scope
from verifier.facts.tracing.values import Frame, Function, Object, Value

if TYPE_CHECKING:
    from verifier.facts.tracing.machine import Machine

_FILLS = frozenset({"append", "extend", "insert", "update", "register", "add", "setdefault"})


class Registrations:
    """Fills them when they are first read."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self._decorated: list[tuple[Scope, ast.expr]] | None = None

    def fill(self, module: Scope, name: str, value: Value, frame: Frame) -> None:
        """Do what puts things into a global of a module while modules are imported.

        Args:
            module: the module.
            name: the global.
            value: what it was given where it is assigned.
            frame: the module's frame.
        """
        thing = value.things[0] if len(value.things) == 1 else None
        if not isinstance(thing, Object) or not (isinstance(thing.cls, Scope) or thing.external.startswith("builtins.")):
            return
        homes = set()
        for scope, head in self._decorators():
            imported = id(scope.module) in self.machine.imports.done
            if not imported and self._registers(scope, head, module, name):
                homes.add(id(scope.module))
                self.machine.implicit.decorated(Value((Function(scope),)))
        if len(homes) > 1:
            thing.closed = False
        assert isinstance(module.node, ast.Module)
        for statement in module.node.body if id(module) not in self.machine.imports.done else ():
            if _fills(statement, name):
                self.machine.statements.block([statement], frame)

    def _decorators(self) -> list[tuple[Scope, ast.expr]]:
        """The decorated functions of the modules, with the head of each decorator."""
        if self._decorated is None:
            self._decorated = [
                (scope, decorator.func if isinstance(decorator, ast.Call) else decorator)
                for module in self.machine.program.modules.values()
                for scope in module.children
                if isinstance(scope.node, ast.FunctionDef | ast.AsyncFunctionDef)
                for decorator in scope.node.decorator_list
            ]
        return self._decorated

    def _registers(self, scope: Scope, head: ast.expr, module: Scope, name: str) -> bool:
        if isinstance(head, ast.Attribute) and isinstance(head.value, ast.Name):
            return head.value.id == name
        target = self.machine.program.resolve(head, scope.module)
        if not isinstance(target, Scope) or target.module is not module:
            return False
        return any(load.id == name for inner in target.walk() for load in inner.loads)


def _fills(statement: ast.stmt, name: str) -> bool:
    """Whether a statement puts something into a container of this name."""
    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
        func = statement.value.func
        return isinstance(func, ast.Attribute) and func.attr in _FILLS and _is_name(func.value, name)
    if isinstance(statement, ast.Assign):
        return any(isinstance(target, ast.Subscript) and _is_name(target.value, name) for target in statement.targets)
    return isinstance(statement, ast.AugAssign) and _is_name(statement.target, name)


def _is_name(node: ast.expr, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name
