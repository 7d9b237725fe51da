"""Reaching definitions: which writes of a name a read of it may see, and which statements are never reached.

A structured forward data-flow analysis over one scope (Aho, Lam, Sethi, Ullman: Compilers, section 9.2.4): branches join, loops are
walked twice so that the back edge counts, `return`, `raise`, `break` and `continue` end a path, branches on constants are pruned.
Dotted paths (`self.x`, `cfg.lr`) are tracked like names; writing a name forgets what was known of its attributes.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from verifier.facts.nodes import walk
from verifier.facts.scopes import Scope, Write, dotted

State = dict[str, tuple[Write, ...]]
Truth = Callable[[ast.expr], bool | None]

ENDS_PROGRAM = frozenset({"exit", "quit", "_exit"})


@dataclass(eq=False, slots=True)
class Flow:
    """What flows where in one scope.

    Attributes:
        reaching: id of a Name, Attribute or Subscript node that is read -> the writes in this scope that it may see.
        partial: ids of reads that may also see something from before the scope began.
        exit: the state in which the scope ends, over all its ways out.
        dead: id of a statement that is never reached -> why.
    """

    reaching: dict[int, tuple[Write, ...]] = field(default_factory=dict)
    partial: set[int] = field(default_factory=set)
    exit: State = field(default_factory=dict)
    dead: dict[int, str] = field(default_factory=dict)


def analyse(scope: Scope, truth: Truth) -> Flow:
    """Analyse one scope.

    Args:
        scope: a module, class or function.
        truth: gives the constant truth of a condition, None when it is not constant.
    """
    return _Analysis(scope, truth).run()


_ABSENT = Write("", "other", ast.Pass(), None, None)  # type: ignore[arg-type]


class _Analysis:
    def __init__(self, scope: Scope, truth: Truth) -> None:
        self.scope, self.truth = scope, truth
        self.flow = Flow()
        self.by_node: dict[int, list[Write]] = {}
        for writes in (*scope.writes.values(), scope.stores):
            for write in writes:
                self.by_node.setdefault(id(write.node), []).append(write)
        self.exits: list[State] = []
        self.breaks: list[list[State]] = []
        self.continues: list[list[State]] = []

    def run(self) -> Flow:
        node = self.scope.node
        state: State = {}
        if self.scope.is_function:
            for writes in self.scope.writes.values():
                for write in writes:
                    if write.kind == "param":
                        state[write.name] = (write,)
        if isinstance(node, ast.Lambda):
            self._read(node.body, state)
            end: State | None = state
        else:
            end = self._block(node.body, state)
        final = _join([*self.exits, *([end] if end is not None else [])]) or {}
        for name, last in final.items():
            self.flow.exit[name] = tuple(write for write in last if write is not _ABSENT)
        return self.flow

    def _block(self, statements: list[ast.stmt], state: State | None) -> State | None:
        reason = ""
        for statement in statements:
            if state is None:
                self.flow.dead.setdefault(id(statement), reason or "unreachable")
                continue
            state = self._statement(statement, dict(state))
            if state is None:
                reason = f"after {_ending(statement)} on line {statement.lineno}"
        return state

    def _statement(self, node: ast.stmt, state: State) -> State | None:
        rule = getattr(self, f"visit_{type(node).__name__}", None)
        if rule is not None:
            after: State | None = rule(node, state)
            return after
        self._read(node, state)
        self._apply(node, state)
        if isinstance(node, ast.Expr) and _ends_program(node.value):
            self.exits.append(state)
            return None
        return state

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef, state: State) -> State | None:
        for part in (*node.decorator_list, *node.args.defaults, *(d for d in node.args.kw_defaults if d)):
            self._read(part, state)
        self._apply(node, state)
        return state

    def visit_ClassDef(self, node: ast.ClassDef, state: State) -> State | None:
        for part in (*node.decorator_list, *node.bases):
            self._read(part, state)
        self._apply(node, state)
        return state

    def visit_Return(self, node: ast.Return, state: State) -> State | None:
        self._read(node.value, state)
        self.exits.append(state)
        return None

    def visit_Raise(self, node: ast.Raise, state: State) -> State | None:
        self._read(node.exc, state)
        return None

    def visit_Break(self, node: ast.Break, state: State) -> State | None:  # noqa: ARG002 - the shape of a rule
        if self.breaks:
            self.breaks[-1].append(state)
        return None

    def visit_Continue(self, node: ast.Continue, state: State) -> State | None:  # noqa: ARG002 - the shape of a rule
        if self.continues:
            self.continues[-1].append(state)
        return None

    def visit_For(self, node: ast.For | ast.AsyncFor, state: State) -> State | None:
        self._read(node.iter, state)
        return self._loop(node, state)

    def visit_With(self, node: ast.With | ast.AsyncWith, state: State) -> State | None:
        for item in node.items:
            self._read(item.context_expr, state)
            if item.optional_vars is not None:
                self._apply(item.optional_vars, state)
        return self._block(node.body, state)

    def visit_Match(self, node: ast.Match, state: State) -> State | None:
        self._read(node.subject, state)
        ends = [self._block(case.body, dict(state)) for case in node.cases]
        return _join([end for end in [*ends, state] if end is not None])

    def visit_If(self, node: ast.If, state: State) -> State | None:
        self._read(node.test, state)
        known = self.truth(node.test)
        ends = []
        for taken, body in ((True, node.body), (False, node.orelse)):
            if known is (not taken):
                for statement in body:
                    self.flow.dead.setdefault(
                        id(statement), f"under a condition on line {node.lineno} that is never {'true' if taken else 'false'}"
                    )
            else:
                ends.append(self._block(body, dict(state)))
        return _join([end for end in ends if end is not None])

    def visit_While(self, node: ast.While, state: State) -> State | None:
        known = self.truth(node.test)
        if known is False:
            for statement in node.body:
                self.flow.dead.setdefault(id(statement), f"under a loop condition on line {node.lineno} that is never true")
            return self._block(node.orelse, state)
        self._read(node.test, state)
        return self._loop(node, state)

    visit_AsyncFunctionDef = visit_FunctionDef
    visit_AsyncFor = visit_For
    visit_AsyncWith = visit_With

    def _loop(self, node: ast.While | ast.For | ast.AsyncFor, state: State) -> State | None:
        endless = isinstance(node, ast.While) and self.truth(node.test) is True
        before = state
        breaks: list[State] = []
        for _ in range(2):
            self.breaks.append([])
            self.continues.append([])
            entry = dict(state)
            self._apply(node, entry)
            end = self._block(node.body, entry)
            breaks = self.breaks.pop()
            rounds = [*self.continues.pop(), *([end] if end is not None else [])]
            state = _join([before, *rounds]) or before
            if isinstance(node, ast.While):
                self._read(node.test, state)
            elif rounds and isinstance(node.iter, ast.Tuple | ast.List) and node.iter.elts:
                state = _join(rounds) or state
        if endless:
            return _join(breaks)
        after = self._block(node.orelse, dict(state)) if node.orelse else state
        return _join([*breaks, *([after] if after is not None else [])])

    def visit_Try(self, node: ast.Try, state: State) -> State | None:
        end = self._block(node.body, dict(state))
        midway = _join([state, *([end] if end is not None else [])]) or state
        for write in self._writes_in(node.body):
            midway[write.name] = _merge(midway.get(write.name, (_ABSENT,)), (write,))
        ends: list[State] = []
        if end is not None:
            after = self._block(node.orelse, end) if node.orelse else end
            if after is not None:
                ends.append(after)
        for handler in node.handlers:
            entry = dict(midway)
            self._read(handler.type, entry)
            self._apply(handler, entry)
            handled = self._block(handler.body, entry)
            if handled is not None:
                ends.append(handled)
        joined = _join(ends)
        if node.finalbody:
            last = self._block(node.finalbody, dict(joined if joined is not None else midway))
            return last if joined is not None else None
        return joined

    def _writes_in(self, statements: list[ast.stmt]) -> Iterator[Write]:
        for statement in statements:
            for node in walk(statement):
                if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                    yield from self.by_node.get(id(node), ())

    def _apply(self, node: ast.AST, state: State) -> None:
        for write in self.by_node.get(id(node), ()):
            if write.name in state or "." not in write.name:
                prefix = f"{write.name}."
                for name in [name for name in state if name.startswith(prefix)]:
                    del state[name]
            state[write.name] = (write,)

    def _read(self, node: ast.AST | None, state: State) -> None:
        """Record what each read in an expression or simple statement sees, and apply the writes inside it (`:=`, comprehensions)."""
        if node is None:
            return
        stack: list[ast.AST] = [node]
        augmented = node.target if isinstance(node, ast.AugAssign) else None
        while stack:
            part = stack.pop()
            if isinstance(part, ast.Name):
                if isinstance(part.ctx, ast.Load) or part is augmented:
                    self._record(part, part.id, state)
                continue
            if isinstance(part, ast.Attribute | ast.Subscript) and (isinstance(part.ctx, ast.Load) or part is augmented):
                path = dotted(part)
                if path is not None and path in state:
                    self._record(part, path, state)
            elif isinstance(part, ast.NamedExpr):
                self._apply(part, state)
            elif isinstance(part, ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp):
                for generator in part.generators:
                    self._apply(generator.target, state)
            elif isinstance(part, ast.Lambda):
                inside = {name: writes for name, writes in state.items() if name not in _parameter_names(part.args)}
                self._read(part.body, inside)
                stack.extend(part.args.defaults)
                continue
            stack.extend(ast.iter_child_nodes(part))

    def _record(self, node: ast.AST, path: str, state: State) -> None:
        seen = state.get(path)
        if seen is None:
            return
        if _ABSENT in seen:
            self.flow.partial.add(id(node))
            seen = tuple(write for write in seen if write is not _ABSENT)
        self.flow.reaching[id(node)] = _merge(self.flow.reaching.get(id(node), ()), seen)


def _parameter_names(arguments: ast.arguments) -> set[str]:
    parameters = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, arguments.vararg, arguments.kwarg]
    return {parameter.arg for parameter in parameters if parameter is not None}


def _merge(first: tuple[Write, ...], second: tuple[Write, ...]) -> tuple[Write, ...]:
    return first + tuple(write for write in second if write not in first)


def _join(states: list[State]) -> State | None:
    """The union of what may hold; a name that some state lacks may also come from before."""
    if not states:
        return None
    if len(states) == 1:
        return states[0]
    joined: State = {}
    for name in dict.fromkeys(name for state in states for name in state):
        merged: tuple[Write, ...] = ()
        for state in states:
            merged = _merge(merged, state.get(name, (_ABSENT,)))
        joined[name] = merged
    return joined


def _ends_program(node: ast.expr) -> bool:
    if not isinstance(node, ast.Call):
        return False
    name = dotted(node.func)
    return name is not None and (name in ENDS_PROGRAM or name in {"sys.exit", "os._exit"})


def _ending(statement: ast.stmt) -> str:
    match statement:
        case ast.Return():
            return "the return"
        case ast.Raise():
            return "the raise"
        case ast.Break() | ast.Continue():
            return "the end of the loop's turn"
        case ast.Expr():
            return "the exit"
        case _:
            return "the statement that never ends normally"
