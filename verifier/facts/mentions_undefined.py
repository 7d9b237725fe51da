"""Names that stand for nothing: imported from a module of the repository that does not define them."""

from __future__ import annotations

import ast

from verifier.facts.mentions_sightings import Sighting
from verifier.facts.modules import LIBRARIES
from verifier.facts.program import Program
from verifier.facts.scopes import Scope, Write, dotted

_DEEPEST = 6


class Undefined:
    """Tells names that a module of the repository should define and does not.

    Args:
        program: the program.
    """

    def __init__(self, program: Program) -> None:
        self.program = program

    def of(self, seen: Sighting) -> bool:
        """Whether a sighting shows nothing but such a name, or what is made by calling one."""
        if seen.write is not None:
            return self._write(seen.write, _DEEPEST)
        if isinstance(seen.node, ast.keyword):
            return isinstance(seen.node.value, ast.Call) and self._node(seen.node.value, seen.scope, _DEEPEST)
        if isinstance(seen.node, ast.Call | ast.Name | ast.Attribute):
            return self._node(seen.node, seen.scope, _DEEPEST)
        return False

    def _node(self, node: ast.expr, scope: Scope, depth: int) -> bool:
        if depth <= 0:
            return False
        match node:
            case ast.Call():
                return self._node(node.func, scope, depth - 1)
            case ast.Name():
                return self._all(self.program.reaching(node, scope), depth)
            case ast.Attribute(value=ast.Name(id=name)) if name == scope.receiver and scope.parent is not None:
                stores = self.program.attribute_stores.get(id(scope.parent), {})
                return self._all(stores.get(node.attr, ()), depth)
            case ast.Attribute():
                base = self.program.resolve(node.value, scope)
                if isinstance(base, Scope) and base.is_module:
                    return dotted(node.value) is not None and self._lacks(base, node.attr)
                return self._node(node.value, scope, depth - 1)
        return False

    def _all(self, writes: tuple[Write, ...], depth: int) -> bool:
        return bool(writes) and all(self._write(write, depth - 1) for write in writes)

    def _write(self, write: Write, depth: int) -> bool:
        if write.kind == "import":
            return self._import(write)
        if write.kind != "assign" or write.unpack or not isinstance(write.value, ast.Call | ast.Name | ast.Attribute):
            return False
        return self._node(write.value, write.scope, depth)

    def _import(self, write: Write) -> bool:
        node = write.node
        if not isinstance(node, ast.ImportFrom) or (not node.level and (node.module or "").split(".")[0] in LIBRARIES):
            return False
        module = self.program.imported_module(node, write.scope)
        names = [alias.name for alias in node.names if (alias.asname or alias.name) == write.name]
        return module is not None and bool(names) and all(name != "*" and self._lacks(module, name) for name in names)

    def _lacks(self, module: Scope, name: str) -> bool:
        if name in module.writes or "*" in module.writes or "__getattr__" in module.writes:
            return False
        return all(f"{module.qualified}.{name}" != other for other in self.program.modules)
