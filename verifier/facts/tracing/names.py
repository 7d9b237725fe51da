"""What a plain name is worth where it is read: local, of an enclosing frame, of a module, or from outside."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from verifier.facts.scopes import Scope, Write
from verifier.facts.tracing.machine import of_target
from verifier.facts.tracing.values import Frame, Object, Value, unsure

if TYPE_CHECKING:
    from verifier.facts.tracing.machine import Machine


class Names:
    """Looks names up."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self._globals: dict[tuple[int, str], Value] = {}
        self._definitions: dict[tuple[int, str], Value] = {}
        self._modules: dict[int, Frame] = {}
        self._active: set[tuple[int, str]] = set()

    def forget(self) -> None:
        """Forget the objects of modules; a new trace has its own."""
        self._globals = {}
        self._modules = {}

    def separate(self) -> tuple[dict[tuple[int, str], Value], dict[int, Frame]]:
        """Begin another process, with modules of its own; what it returns brings those of this one back."""
        kept = self._globals, self._modules
        self.forget()
        return kept

    def rejoin(self, kept: tuple[dict[tuple[int, str], Value], dict[int, Frame]]) -> None:
        """Go on with the modules that were there before `separate`."""
        self._globals, self._modules = kept

    def module_frame(self, module: Scope) -> Frame:
        """The frame of a module's own code."""
        frame = self._modules.get(id(module))
        if frame is None:
            frame = self._modules[id(module)] = Frame(module, path=module.names)
        return frame

    def read(self, node: ast.Name, frame: Frame) -> Value:
        """The value of a name."""
        name = node.id
        current: Frame | None = frame
        while current is not None:
            value = current.env.get(name)
            if value is not None:
                return value
            current = current.parent
        return self.in_scope(node, frame.scope)

    def in_scope(self, node: ast.Name, scope: Scope) -> Value:
        """The value of a name that no frame has bound."""
        owner = self.machine.program.lookup(node.id, scope)
        if owner is None:
            key = (id(scope.module), node.id)
            if key not in self._definitions:
                self._definitions[key] = of_target(self.machine.program.resolve(node, scope))
            return self._definitions[key]
        if owner.is_module:
            return self.of_module(owner, node.id)
        return self._defined(owner, node.id)

    def of_module(self, module: Scope, name: str) -> Value:
        """The value of a module's global: as its running left it, else as its text says."""
        frame = self._modules.get(id(module))
        if frame is not None and name in frame.env:
            return frame.env[name]
        found = self._defined(module, name)
        if found.things or name not in module.writes:
            return found
        key = (id(module), name)
        if key not in self._globals:
            if key in self._active:
                return Value()
            self._active.add(key)
            record = self.machine.record
            outer = record.alternatives, record.loops
            record.alternatives, record.loops, record.muted = (), (), record.muted + 1
            source = self._source(module.writes[name][-1])
            self._globals[key] = self.of_module(*source) if source is not None else self._evaluated(module, name)
            if source is None:
                self.machine.registrations.fill(module, name, self._globals[key], self.module_frame(module))
            record.alternatives, record.loops, record.muted = *outer, record.muted - 1
            self._active.discard(key)
        return self._globals[key]

    def _defined(self, owner: Scope, name: str) -> Value:
        key = (id(owner), name)
        if key not in self._definitions:
            self._definitions[key] = Value()
            for write in reversed(owner.writes.get(name, ())):
                if write.kind in ("def", "class", "import"):
                    found = of_target(self.machine.program.written(write))
                    if found.things:
                        self._definitions[key] = found
                        break
        found = self._definitions[key]
        return self.machine.implicit.decorated(found) if found.things else found

    def _source(self, write: Write) -> tuple[Scope, str] | None:
        """The module and name that `from module import name` takes a global from."""
        node = write.node
        if not isinstance(node, ast.ImportFrom):
            return None
        name = next((alias.name for alias in node.names if (alias.asname or alias.name) == write.name), "")
        module = write.scope.module
        base = node.module or ""
        if node.level:
            parts = module.qualified.split(".")
            keep = len(parts) - node.level + module.file.path.endswith("__init__.py")
            base = ".".join([*parts[: max(keep, 0)], *([base] if base else [])])
        found = self.machine.program.find_module(base, module)
        return (found, name) if found is not None and name in found.writes else None

    def _evaluated(self, module: Scope, name: str) -> Value:
        writes = module.writes[name]
        write = writes[-1]
        if write.kind != "assign" or write.value is None:
            return Value((Object(labels=[name]),))
        frame = self.module_frame(module)
        value = self.machine.expressions.eval(write.value, frame)
        for index in write.unpack:
            value = self.machine.expressions.element(value, index)
        if len(writes) > 1:
            value = unsure(value)
        for thing in value.objects():
            thing.label(name)
        return value if value.things else Value((Object(labels=[name]),))
