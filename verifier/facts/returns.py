"""What functions of the repository return."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from verifier.facts.guards import runs
from verifier.facts.scopes import Scope
from verifier.facts.values import UNKNOWN, Frame, Values, join, without_none

if TYPE_CHECKING:
    from verifier.facts.evaluate import Evaluator


def returned(ev: Evaluator, function: Scope, frame: Frame | None) -> Values:
    """What a function of the repository returns; generators are unknown."""
    node = function.node
    if isinstance(node, ast.Lambda):
        return ev.evaluate(node.body, function, frame)
    values: list[Values] = []
    for statement in _returns(node):
        taken = runs(ev, statement, function, frame)
        if taken is False or ev.program.is_dead(statement, function):
            continue
        if statement.value is not None:
            values.append(ev.evaluate(statement.value, function, frame))
        if taken:
            break
    return without_none(join(values)) if values else UNKNOWN


def _returns(node: ast.AST) -> list[ast.Return]:
    found: list[ast.Return] = []
    stack: list[ast.AST] = list(reversed(getattr(node, "body", [])))
    while stack:
        part = stack.pop()
        if isinstance(part, ast.Return):
            found.append(part)
        elif isinstance(part, ast.stmt | ast.ExceptHandler | ast.match_case) and not isinstance(
            part, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
        ):
            stack.extend(reversed(list(ast.iter_child_nodes(part))))
    return found
