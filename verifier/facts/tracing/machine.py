"""The parts of the tracer and what they share."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING

from verifier.facts.program import External, Program, Target
from verifier.facts.scopes import Scope
from verifier.facts.tracing.recorder import Recorder
from verifier.facts.tracing.values import Const, Frame, Function, Object, Value
from verifier.model.facts import Placeholder

if TYPE_CHECKING:
    from verifier.lexicon.frameworks import Frameworks

MAX_DEPTH = 16
MAX_RUNS_PER_TRACE = 3
MAX_RUNS = 12
SMALL = 24
"""Events; a function that makes more is walked into once a trace, and in the first traces only."""
MAX_TRACES = 2
MAX_VARIANTS = 4
"""Walks into such a function in one trace when it is given other texts each time: the name of a stage, a mode."""
MAX_STUB_LINES = 40
MAX_STUB_CALLS = 8

PlaceholderOf = Callable[[Scope], Placeholder | None]


class Machine:
    """Walks code in execution order.

    Args:
        program: the program to trace.
        frameworks: what frameworks do by themselves.
        placeholder_of: the placeholder that a function or class is, if it is one.

    Attributes:
        record: the record of the trace being made.
        options: flags of the command line that started the program.
        reached: ids of the scopes that were walked into so far.
    """

    def __init__(self, program: Program, frameworks: Frameworks, placeholder_of: PlaceholderOf) -> None:
        from verifier.facts.tracing.calls import Calls
        from verifier.facts.tracing.enums import Enums
        from verifier.facts.tracing.expressions import Expressions
        from verifier.facts.tracing.external import Externals
        from verifier.facts.tracing.files import Files
        from verifier.facts.tracing.implicit import Implicit
        from verifier.facts.tracing.imports import Imports
        from verifier.facts.tracing.loops import Loops
        from verifier.facts.tracing.names import Names
        from verifier.facts.tracing.processes import Processes
        from verifier.facts.tracing.registrations import Registrations
        from verifier.facts.tracing.replays import Replays
        from verifier.facts.tracing.runs import Runs
        from verifier.facts.tracing.statements import Statements

        self.program = program
        self.frameworks = frameworks
        self.placeholder_of = placeholder_of
        self.record = Recorder(0)
        self.options: dict[str, Value] | None = None
        self.reached: set[int] = set()
        self.stack: list[Scope] = []
        self.runs_of: dict[int, int] = {}
        self.total_runs: dict[int, int] = {}
        self.resources: dict[str, set[int]] = {}
        self.made_kinds: set[str] = set()
        self.generators: dict[int, bool] = {}
        self.sizes: dict[int, int] = {}
        self._kinds: dict[int, str] = {}
        self.names = Names(self)
        self.expressions = Expressions(self)
        self.loops = Loops(self)
        self.imports = Imports(self)
        self.statements = Statements(self)
        self.calls = Calls(self)
        self.implicit = Implicit(self)
        self.externals = Externals(self)
        self.files = Files(self)
        self.enums = Enums(self)
        self.runs = Runs(self)
        self.processes = Processes(self)
        self.registrations = Registrations(self)
        self.replays = Replays(self)

    def begin(self, limit: int) -> None:
        """Start a new trace of at most `limit` events."""
        self.record = Recorder(limit)
        self.options = None
        self.stack = []
        self.runs_of = {}
        self.resources = {}
        self.made_kinds = set()
        self.names.forget()
        self.imports.forget()
        self.replays.forget()
        self.calls.forget()
        self.expressions.forget()
        self.implicit.forget()

    def may_enter(self, scope: Scope, given: tuple[str, ...] = ()) -> bool:
        """Whether a function is walked into once more; within bounds, and not when it is running already."""
        if len(self.stack) >= MAX_DEPTH:
            self.record.truncated = self.record.truncated or f"calls deeper than {MAX_DEPTH}"
            return False
        if any(running is scope for running in self.stack):
            return False
        here, all_runs = self.runs_of.get(id(scope), 0), self.total_runs.get(id(scope), 0)
        if self.sizes.get(id(scope), 0) > SMALL:
            fresh = here == 0 or (given != () and (id(scope), given) not in self.replays.walked and here < MAX_VARIANTS)
            return fresh and all_runs < MAX_TRACES * max(1, here)
        return here < MAX_RUNS_PER_TRACE and all_runs < MAX_RUNS

    def enter(self, scope: Scope) -> None:
        """Note that a function is being walked into."""
        self.stack.append(scope)
        self.reached.add(id(scope))
        self.runs_of[id(scope)] = self.runs_of.get(id(scope), 0) + 1
        if not self.record.muted:
            self.total_runs[id(scope)] = self.total_runs.get(id(scope), 0) + 1

    def kind(self, thing: Object) -> str:
        """The kind of framework object that something is, as its class says; empty when it is of no known kind."""
        if isinstance(thing.cls, External):
            return self.frameworks.kind_of_class(thing.cls.name)
        if isinstance(thing.cls, Scope) and thing.cls.is_class:
            if id(thing.cls) not in self._kinds:
                bases = [base.name for base in self.program.mro(thing.cls) if isinstance(base, External)]
                self._kinds[id(thing.cls)] = next((kind for name in bases if (kind := self.frameworks.kind_of_class(name))), "")
            return self._kinds[id(thing.cls)]
        return ""

    def stub(self, scope: Scope) -> Placeholder | None:
        """The placeholder that a function or class is; long functions that call much are none and are not asked about."""
        node = scope.node
        if not isinstance(node, ast.Module) and scope.is_function:
            lines = (node.end_lineno or node.lineno) - node.lineno
            if lines > MAX_STUB_LINES or len(scope.calls) > MAX_STUB_CALLS:
                return None
        return self.placeholder_of(scope)

    def truth(self, value: Value) -> bool | None:
        """Whether a value counts as true; None when it may go either way."""
        const = value.const()
        return None if const is None else bool(const.value)


def of_target(target: Target | None) -> Value:
    """The value of a name that stands for a definition or something outside."""
    if target is None:
        return Value()
    if isinstance(target, Scope) and target.is_function:
        return Value((Function(target),))
    return Value((target,))


def path_of(caller: tuple[str, ...], scope: Scope) -> tuple[str, ...]:
    """The path of a frame: that of its caller, and the names of its scope that are not yet on it."""
    return tuple(dict.fromkeys((*caller, *scope.names)))


def constant(value: int | float | str | bool | None) -> Value:
    """A constant as a value."""
    return Value((Const(value),))


__all__ = ["Frame", "Machine", "constant", "of_target", "path_of"]
