"""Imports: the code at the top of a module of the repository runs once, when it is first imported."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from verifier.facts.scopes import Scope
from verifier.facts.tracing.values import Frame

if TYPE_CHECKING:
    from verifier.facts.tracing.machine import Machine


class Imports:
    """Runs them.

    Attributes:
        done: ids of the modules that the running program has imported.
    """

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.done: set[int] = set()
        self._busy: dict[int, bool] = {}

    def forget(self) -> None:
        """Forget what another program has imported."""
        self.done = set()

    def run(self, node: ast.Import | ast.ImportFrom, frame: Frame) -> bool:
        """Import the modules that a statement names, unless they are there already."""
        record = self.machine.record
        if record.muted or record.dead:
            return True
        outer = record.alternatives, record.loops
        record.alternatives, record.loops = (), ()
        for name in _names(node, frame.scope.module):
            module = self.machine.program.find_module(name, frame.scope.module)
            if module is not None and id(module) not in self.done and module is not frame.scope.module:
                self._load(module)
        record.alternatives, record.loops = outer
        return True

    def _load(self, module: Scope) -> None:
        self.done.add(id(module))
        self.machine.reached.add(id(module))
        assert isinstance(module.node, ast.Module)
        frame = self.machine.names.module_frame(module)
        body = (
            module.node.body
            if self.busy(module)
            else [part for part in module.node.body if isinstance(part, ast.Import | ast.ImportFrom)]
        )
        self.machine.statements.block([part for part in body if not is_main_guard(part)], frame)

    def busy(self, module: Scope) -> bool:
        """Whether a module does more at its top than define, import and name constants."""
        known = self._busy.get(id(module))
        if known is None:
            known = self._busy[id(module)] = _acts(module)
        return known


def is_main_guard(statement: ast.stmt) -> bool:
    """Whether a statement runs only when its module is the program."""
    return isinstance(statement, ast.If) and any(
        isinstance(part, ast.Name) and part.id == "__name__" for part in ast.walk(statement.test)
    )


def _acts(module: Scope) -> bool:
    if any(not isinstance(child.node, ast.Lambda | ast.Module) and child.node.decorator_list for child in module.children):
        return True
    assert isinstance(module.node, ast.Module)
    guards = [(part.lineno, part.end_lineno or part.lineno) for part in module.node.body if is_main_guard(part)]
    return any(not any(first <= call.lineno <= last for first, last in guards) for call in module.calls)


def _names(node: ast.Import | ast.ImportFrom, module: Scope) -> list[str]:
    """The dotted names of the modules that a statement may import, packages first."""
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    base = node.module or ""
    if node.level:
        parts = module.qualified.split(".")
        keep = len(parts) - node.level + module.file.path.endswith("__init__.py")
        base = ".".join([*parts[: max(keep, 0)], *([base] if base else [])])
    return [base, *(f"{base}.{alias.name}" for alias in node.names)] if base else [alias.name for alias in node.names]
