"""Programs that a program starts: `subprocess.run([sys.executable, "train.py"])`, `os.system("python train.py")`."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from verifier.facts.scopes import Scope
from verifier.facts.tracing.recorder import Draft
from verifier.facts.tracing.scripts import started
from verifier.model.facts import EventForm

if TYPE_CHECKING:
    from verifier.facts.tracing.machine import Machine
    from verifier.facts.tracing.site import Arguments, Site
    from verifier.facts.tracing.values import Value

_STARTS = frozenset(f"subprocess.{name}" for name in ("run", "call", "check_call", "check_output", "Popen")) | {
    "os.system",
    "os.popen",
}


class Processes:
    """Runs them."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self._running: list[Scope] = []

    def start(self, site: Site, target: str, arguments: Arguments) -> None:
        """Run the program of the repository that a call starts, if it starts one."""
        if target not in _STARTS or not arguments.positional or self.machine.record.muted:
            return
        module, options, words = started(self._words(arguments.positional[0]), site.frame.scope.module, self.machine.program)
        if module is None or module is site.frame.scope.module or module in self._running:
            return
        machine, record = self.machine, self.machine.record
        outer = machine.names.separate(), machine.imports.done, machine.options, record.alternatives, record.loops
        machine.imports.done, machine.options = set(), options
        frame = machine.names.module_frame(module)
        frame.path = tuple(dict.fromkeys((*site.frame.path, *module.names, *words)))
        location = site.frame.scope.location(site.node)
        index = record.emit(
            Draft([module.name, *words], location, frame.path, EventForm.CALL, target=module.qualified, context=words)
        )
        assert isinstance(module.node, ast.Module)
        machine.reached.add(id(module))
        self._running.append(module)
        machine.statements.block(module.node.body, frame)
        self._running.pop()
        machine.names.rejoin(outer[0])
        machine.imports.done, machine.options, record.alternatives, record.loops = outer[1:]
        record.close(index, None)

    def _words(self, command: Value) -> tuple[str, ...]:
        items = self.machine.loops.elements(command)
        if items is None:
            const = command.const()
            return tuple(str(const.value).split()) if const is not None else ()
        consts = [item.const() for item in items]
        return tuple(str(const.value) if const is not None else "$" for const in consts)
