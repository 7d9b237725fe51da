"""What runs by default: which statements a function reaches when nothing but the defaults decides its branches."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from verifier.facts.nodes import walk
from verifier.facts.scopes import Scope, Write
from verifier.facts.values import Frame, Instance, Items, Known, Made, Ref, Table, Value

if TYPE_CHECKING:
    from verifier.facts.evaluate import Evaluator

Guard = tuple[ast.expr | None, bool]
"""A condition and the truth that leads on; no condition stands for what only running the code would tell (a loop, a handler)."""
OPEN: Guard = (None, True)


def guards(scope: Scope) -> dict[int, tuple[Guard, ...]]:
    """Id of a statement, or of a call in it, -> the conditions that lead to it, outermost first; none are left out."""
    found: dict[int, tuple[Guard, ...]] = {}
    if not isinstance(scope.node, ast.Lambda):
        _collect(scope.node.body, (), found)
    return found


def _collect(body: list[ast.stmt], around: tuple[Guard, ...], found: dict[int, tuple[Guard, ...]]) -> None:
    for statement in body:
        found[id(statement)] = around
        if around and not hasattr(statement, "body"):
            found.update((id(part), around) for part in walk(statement) if isinstance(part, ast.Call))
        match statement:
            case ast.If() if is_main_guard(statement.test):
                _collect(statement.body, around, found)
                _collect(statement.orelse, (*around, OPEN), found)
            case ast.If():
                _collect(statement.body, (*around, (statement.test, True)), found)
                _collect(statement.orelse, (*around, (statement.test, False)), found)
            case ast.With() | ast.AsyncWith():
                _collect(statement.body, around, found)
            case ast.Try():
                _collect(statement.body, around, found)
                for handler in statement.handlers:
                    _collect(handler.body, (*around, OPEN), found)
                _collect([*statement.orelse, *statement.finalbody], around, found)
            case ast.For() | ast.AsyncFor() | ast.While():
                _collect([*statement.body, *statement.orelse], (*around, OPEN), found)
            case ast.Match():
                for arm in statement.cases:
                    _collect(arm.body, (*around, OPEN), found)
            case ast.Expr(value=ast.Call() as call):
                found[id(call)] = around


def runs(ev: Evaluator, node: ast.AST, scope: Scope, frame: Frame | None) -> bool | None:
    """Whether a statement runs by default: True, False, or None when that is not known."""
    around = ev.guards(scope).get(id(node))
    if around is None:
        return None
    truths = [_truth(ev, test, scope, frame) if test is not None else None for test, _ in around]
    if any(truth is not None and truth is not wanted for truth, (_, wanted) in zip(truths, around, strict=True)):
        return False
    return True if all(truth is not None for truth in truths) else None


def _truth(ev: Evaluator, test: ast.expr, scope: Scope, frame: Frame | None) -> bool | None:
    truths = {_is_true(value) for value in ev.evaluate(test, scope, frame)}
    return truths.pop() if len(truths) == 1 else None


def _is_true(value: Value) -> bool | None:
    match value:
        case Known():
            return bool(value.value)
        case Items():
            return bool(value.items)
        case Table() if value.entries or value.whole:
            return bool(value.entries)
        case Instance() | Ref() | Made():
            return None
    return None


def by_default(ev: Evaluator, writes: tuple[Write, ...], frame: Frame | None) -> tuple[Write, ...]:
    """Of the writes that a read may see, those that run by default; one under a condition that holds hides those before it."""
    if len(writes) < 2:
        return writes
    if any(write.scope is not writes[0].scope for write in writes):
        return _set_globally(ev, writes) or writes
    scope = writes[0].scope
    taken = [(write, runs(ev, write.node, scope, frame)) for write in writes]
    kept = [(write, truth) for write, truth in taken if truth is not False]
    sure = [_line(write) for write, truth in kept if truth and ev.guards(scope)[id(write.node)]]
    last = max(sure, default=0)
    return tuple(write for write, _ in kept if _line(write) >= last) or writes


def _set_globally(ev: Evaluator, writes: tuple[Write, ...]) -> tuple[Write, ...]:
    """What functions that somebody calls give a global variable in any case: it hides what the module gave it."""
    return tuple(
        write
        for write in writes
        if write.name in write.scope.globals and ev.callers(write.scope) and runs(ev, write.node, write.scope, None)
    )


def _line(write: Write) -> int:
    return getattr(write.node, "lineno", 0)


def is_main_guard(test: ast.expr) -> bool:
    """Whether a condition is `__name__ == "__main__"`."""
    return isinstance(test, ast.Compare) and isinstance(test.left, ast.Name) and test.left.id == "__name__"
