"""Whether a function ends in a placeholder whatever branch it takes."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from verifier.facts.placeholder_syntax import is_empty
from verifier.model.facts import Placeholder

Stub = Callable[[ast.Call], Placeholder | None]
_DEEPEST = 40


def certain_stub(body: list[ast.stmt], stub_of: Stub, depth: int = _DEEPEST) -> Placeholder | None:
    """The placeholder that every way through a body calls.

    A call in one branch counts only when the other branch ends in a placeholder as well; a branch that raises an error or gives nothing
    back is no way through.

    Args:
        body: the statements of a function.
        stub_of: the placeholder that a call ends in.
        depth: how many branches inside of one another are followed.
    """
    for at, statement in enumerate(body):
        if isinstance(statement, ast.If) and depth > 0:
            found = _called(statement.test, stub_of)
            if found is not None:
                return found
            leaves, rest = _leaves(statement.body), body[at + 1 :]
            other = certain_stub([*statement.orelse, *rest] if leaves else statement.orelse, stub_of, depth - 1)
            if leaves and _gives_nothing(statement.body[-1]):
                return other
            barred = _bars(statement.orelse)
            found = certain_stub(statement.body, stub_of, depth - 1) if other is not None or barred else None
            if found is not None or leaves:
                return found
            continue
        found = _in_statement(statement, stub_of, depth)
        if found is not None:
            return found
    return None


def _in_statement(statement: ast.stmt, stub_of: Stub, depth: int) -> Placeholder | None:
    if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.If | ast.Match):
        return None
    for child in ast.iter_child_nodes(statement):
        if isinstance(child, ast.expr | ast.withitem):
            found = _called(child, stub_of, isinstance(statement, ast.Expr))
            if found is not None:
                return found
    inner = getattr(statement, "body", None)
    return certain_stub(inner, stub_of, depth - 1) if isinstance(inner, list) and depth > 0 else None


def _called(node: ast.AST, stub_of: Stub, dropped: bool = False) -> Placeholder | None:
    """The placeholder that an expression surely calls; of a call whose result is dropped only the arguments count."""
    for part in _certain(node):
        if isinstance(part, ast.Call) and not (dropped and part is node):
            found = stub_of(part)
            if found is not None:
                return found
    return None


def _certain(node: ast.AST) -> Iterator[ast.AST]:
    """The parts of an expression that are computed in any case."""
    stack = [node]
    while stack:
        part = stack.pop()
        yield part
        match part:
            case ast.IfExp():
                stack.append(part.test)
            case ast.BoolOp():
                stack.append(part.values[0])
            case ast.Lambda():
                continue
            case _:
                stack.extend(reversed(list(ast.iter_child_nodes(part))))


def _leaves(body: list[ast.stmt]) -> bool:
    return isinstance(body[-1], ast.Return | ast.Raise | ast.Continue | ast.Break)


def _bars(body: list[ast.stmt]) -> bool:
    """Whether the way on ends here: the last `else` only raises an error."""
    return bool(body) and isinstance(body[-1], ast.Raise)


def _gives_nothing(last: ast.stmt) -> bool:
    return not isinstance(last, ast.Return) or is_empty(last.value) or isinstance(last.value, ast.Constant)
