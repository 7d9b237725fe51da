"""Where traces start: programs, scripts that run programs, public definitions nobody calls, and what is dead."""

from __future__ import annotations

import ast
import gc
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, overload

from verifier.facts.program import Program
from verifier.facts.scopes import Scope, dotted
from verifier.facts.tracing.imports import is_main_guard
from verifier.facts.tracing.machine import Machine, PlaceholderOf, path_of
from verifier.facts.tracing.recorder import Draft
from verifier.facts.tracing.scripts import Start, programs_of
from verifier.facts.tracing.site import Arguments, Site
from verifier.facts.tracing.values import Function, Object, Value
from verifier.lexicon.frameworks import Frameworks
from verifier.model.facts import EntryKind, EventForm, Place, Trace
from verifier.model.location import Location

if TYPE_CHECKING:
    from verifier.model.repository import ScriptFile

MAX_EVENTS = 6_000
MAX_TOTAL = 40_000
MAX_SCRIPTS = 24
_RECURSION = 16_000
_SETUP = frozenset(
    "basicConfig filterwarnings insert append seed manual_seed manual_seed_all use set_device setLevel simplefilter "
    "setrecursionlimit set_style set_theme getLogger update set_printoptions load_dotenv disable_progress_bar init register".split()
)

Reason = Callable[[ast.AST, Scope], str]


class Traces(Sequence[Trace]):
    """The traces of a program, each made when first asked for."""

    def __init__(self, made: Iterator[Trace]) -> None:
        self._known: list[Trace] = []
        self._made = made

    def __iter__(self) -> Iterator[Trace]:
        position = 0
        while position < len(self._known) or self._make():
            yield self._known[position]
            position += 1

    def __len__(self) -> int:
        return len(self._all())

    @overload
    def __getitem__(self, index: int) -> Trace: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Trace]: ...
    def __getitem__(self, index: int | slice) -> Trace | Sequence[Trace]:
        return self._all()[index]

    def _all(self) -> list[Trace]:
        while self._make():
            pass
        return self._known

    def _make(self) -> bool:
        with _deep():
            trace = next(self._made, None)
        if trace is not None:
            self._known.append(trace)
        return trace is not None


def traces(program: Program, frameworks: Frameworks, placeholder_of: PlaceholderOf, reason: Reason) -> Traces:
    """What happens, in execution order, from each entry of a program on.

    Programs come first (modules with a main guard or code of their own, then scripts that run them), then public functions and
    classes that none of them reaches, then what nothing can reach.

    Args:
        program: the program.
        frameworks: what frameworks do by themselves.
        placeholder_of: the placeholder that a function or class is, if it is one.
        reason: why nothing reaches a node of a scope; empty when something may.
    """
    return Traces(_Tracer(program, frameworks, placeholder_of, reason).run())


@contextmanager
def _deep() -> Iterator[None]:
    """Room for walking into calls, bounded by the depth of calls and of syntax trees; no search for garbage that there is not yet."""
    before, collecting = sys.getrecursionlimit(), gc.isenabled()
    sys.setrecursionlimit(max(before, _RECURSION))
    gc.disable()
    try:
        yield
    finally:
        sys.setrecursionlimit(before)
        if collecting:
            gc.enable()


class _Tracer:
    def __init__(self, program: Program, frameworks: Frameworks, placeholder_of: PlaceholderOf, reason: Reason) -> None:
        self.program = program
        self.machine = Machine(program, frameworks, placeholder_of)
        self.reason = reason
        self.left = MAX_TOTAL

    def run(self) -> Iterator[Trace]:
        modules = list(self.program.modules.values())
        starts = {script.path: programs_of(script, self.program) for script in self.program.repository.scripts}
        started = {id(start.module) for found in starts.values() for start in found}
        imported = self._imported()
        for module in modules:
            if id(module) in started or _has_main_guard(module) or (id(module) not in imported and _works(module, self.program)):
                yield from self._trace(module.file.path, self._place(module), EntryKind.PROGRAM, lambda m=module: self._module(m))  # type: ignore[misc]
        self.machine.total_runs = {}
        for script in self.program.repository.scripts[:MAX_SCRIPTS]:
            yield from self._script(script, starts[script.path])
        for module in modules:
            if id(module) not in self.machine.reached and self.machine.imports.busy(module):
                yield from self._trace(module.file.path, self._place(module), EntryKind.PUBLIC, lambda m=module: self._module(m))  # type: ignore[misc]
        functions = [
            scope for module in modules for scope in module.walk() if scope.is_function and not isinstance(scope.node, ast.Lambda)
        ]
        classes = [scope for module in modules for scope in module.walk() if scope.is_class]
        called = self._called(functions)
        for scope in sorted(functions, key=lambda scope: scope.name in called):
            if not scope.is_method and id(scope) not in self.machine.reached and not self._dead(scope):
                yield from self._trace(scope.qualified, self._place(scope), EntryKind.PUBLIC, lambda s=scope: self._function(s))  # type: ignore[misc]
        for scope in classes:
            if not self._dead(scope):
                yield from self._class(scope, called)
        for scope in functions:
            if id(scope) not in self.machine.reached:
                place = self._place(scope, self._dead(scope) or f"nothing calls {scope.name}")
                kind = EntryKind.DEAD if self._dead(scope) else EntryKind.PUBLIC
                place = place if kind is EntryKind.DEAD else self._place(scope)
                yield from self._trace(scope.qualified, place, kind, lambda s=scope: self._function(s))  # type: ignore[misc]

    def _trace(self, entry: str, place: Place, kind: EntryKind, walk: Callable[[], None]) -> Iterator[Trace]:
        if self.left <= 0:
            return
        self.machine.begin(min(MAX_EVENTS, self.left))
        walk()
        self.left -= len(self.machine.record.drafts)
        if len(self.machine.record.drafts) > 0:
            yield self.machine.record.finish(entry, place, kind)

    def _place(self, scope: Scope, dead: str = "") -> Place:
        return Place(scope.location(scope.node), scope.names, dead)

    def _dead(self, scope: Scope) -> str:
        return self.reason(scope.node, scope.parent) or self.reason(scope.node, scope) if scope.parent is not None else ""

    def _imported(self) -> set[int]:
        """Ids of the modules that others import."""
        found: set[int] = set()
        for scope in self.program.scopes:
            for writes in scope.writes.values():
                for write in writes:
                    if isinstance(write.node, ast.ImportFrom):
                        module = self.program.find_module(write.node.module or "", scope)
                        if module is not None and module is not scope.module:
                            found.add(id(module))
                    elif write.kind == "import":
                        target = self.program.written(write)
                        if isinstance(target, Scope):
                            found.add(id(target.module))
        return found

    def _called(self, functions: list[Scope]) -> set[str]:
        """Names of functions that some other function calls or hands over."""
        names = {scope.name for scope in functions}
        found: set[str] = set()
        for scope in self.program.scopes:
            found |= {load.id for load in scope.loads if load.id in names and load.id != scope.name}
            found |= {
                attribute.attr for attribute in scope.attributes if attribute.attr in names and attribute.attr != scope.name
            }
        return found

    # --- walks ----------------------------------------------------------------------------------------------------------

    def _module(self, module: Scope) -> None:
        frame = self.machine.names.module_frame(module)
        self.machine.reached.add(id(module))
        index = self.machine.record.emit(Draft([module.name], Location(module.file.path, 1), frame.path, EventForm.ENTRY))
        assert isinstance(module.node, ast.Module)
        self.machine.statements.block(module.node.body, frame)
        self.machine.record.alternatives = ()
        self.machine.record.close(index, None)

    def _script(self, script: ScriptFile, starts: list[Start]) -> Iterator[Trace]:
        if len(starts) > 1 or any(start.options for start in starts):
            place = Place(Location(script.path, starts[0].location.line), tuple(script.path.split("/")))
            yield from self._trace(script.path, place, EntryKind.PROGRAM, lambda: self._programs(starts, place))

    def _programs(self, starts: list[Start], place: Place) -> None:
        machine = self.machine
        for start in starts:
            machine.names.forget()
            machine.imports.forget()
            machine.runs_of = {}
            machine.options = start.options
            frame = machine.names.module_frame(start.module)
            frame.path = tuple(dict.fromkeys((*place.path, *start.module.names, *start.words)))
            names = [start.module.name, *start.words]
            index = machine.record.emit(
                Draft(names, start.location, frame.path, EventForm.CALL, target=start.module.qualified, context=start.words)
            )
            assert isinstance(start.module.node, ast.Module)
            machine.statements.block(start.module.node.body, frame)
            machine.record.alternatives = ()
            machine.record.close(index, None)

    def _function(self, scope: Scope) -> None:
        frame = self.machine.names.module_frame(scope.module)
        owner = self.machine.program.enclosing_class(scope) if scope.is_method else None
        receiver = Value((Object(cls=owner, labels=["self"]),)) if owner is not None else None
        self._enter(Function(scope, receiver), Site(_anchor(scope), frame, scope.name))

    def _enter(self, function: Function, site: Site) -> None:
        scope = function.scope
        index = self.machine.record.emit(Draft([scope.name], scope.location(scope.node), path_of((), scope), EventForm.ENTRY))
        self.machine.implicit.enter_from_outside(site, function, index)

    def _class(self, cls: Scope, called: set[str]) -> Iterator[Trace]:
        methods = [child for child in cls.children if child.is_method and not isinstance(child.node, ast.Lambda)]
        waiting = [
            child
            for child in methods
            if id(child) not in self.machine.reached and child.name != "__init__" and not self._dead(child)
        ]
        if not waiting and (id(cls) in self.machine.reached or not methods):
            return
        yield from self._trace(cls.qualified, self._place(cls), EntryKind.PUBLIC, lambda: self._methods(cls, waiting, called))

    def _methods(self, cls: Scope, methods: list[Scope], called: set[str]) -> None:
        """Make an object of unknown arguments, then call each method that nothing has called yet, as alternatives."""
        machine, record = self.machine, self.machine.record
        frame = machine.names.module_frame(cls.module)
        thing = Object(cls=cls, labels=["self"])
        site = Site(_anchor(cls), frame, cls.name)
        index = record.emit(Draft([cls.name], cls.location(cls.node), path_of((), cls), EventForm.ENTRY))
        machine.calls.initialise(site, thing, Arguments(open=Value()), -1 if record.muted else index)
        record.close(index, None)
        run = machine.runs.unstarted(cls)
        branch = record.number()
        record.choices.append(branch)
        if run is not None:
            record.alternatives = ((branch, 0),)
            machine.runs.play(run.order, thing, Object(), site)
        for arm, method in enumerate(sorted(methods, key=lambda scope: scope.name in called), start=1):
            if id(method) not in machine.reached:
                record.alternatives = ((branch, arm),)
                self._enter(Function(method, Value((thing,))), Site(_anchor(method), frame, method.name))
        record.alternatives = ()


def _anchor(scope: Scope) -> ast.expr:
    """Stands for the call that a user would write."""
    node = scope.node
    name = ast.Name(scope.name, ast.Load())
    return ast.copy_location(name, node) if not isinstance(node, ast.Module) else name


def _has_main_guard(module: Scope) -> bool:
    assert isinstance(module.node, ast.Module)
    return any(is_main_guard(statement) for statement in module.node.body)


def _works(module: Scope, program: Program) -> bool:
    """Whether a module does more at import than define and set up."""
    assert isinstance(module.node, ast.Module)
    if module.file.path.endswith("__init__.py"):
        return False
    if module.file.cells:
        return True
    for statement in module.node.body:
        if isinstance(statement, ast.For | ast.While | ast.With):
            return True
        value = statement.value if isinstance(statement, ast.Expr | ast.Assign | ast.AnnAssign) else None
        if isinstance(value, ast.Call):
            name = (dotted(value.func) or "").rpartition(".")[2]
            if isinstance(statement, ast.Expr) and name not in _SETUP:
                return True
            target = program.resolve(value.func, module)
            if isinstance(target, Scope) and target.is_function:
                return True
    return False
