"""Functions that compute nothing but a plain measure, whatever they are called: `mean((a - b) ** 2)`."""

from __future__ import annotations

import ast

from verifier.facts.placeholder_syntax import without_docstring
from verifier.facts.scopes import Scope, tail
from verifier.model.facts import Idiom

_DRESS = frozenset({"item", "float", "cpu", "detach", "numpy", "double", "tolist"})
_SQUARES = frozenset({"square", "pow", "power"})
_MEANS = frozenset({"mean", "average", "nanmean", "reduce_mean"})
_ROOTS = frozenset({"sqrt"})


def idiom(scope: Scope) -> Idiom | None:
    """The plain measure that is all a function returns; None when it does anything else."""
    node = scope.node
    if not isinstance(node, ast.FunctionDef):
        return None
    body = without_docstring(node.body)
    last = body[-1] if body else None
    if len(body) > 2 or not isinstance(last, ast.Return) or last.value is None:
        return None
    value = _undressed(last.value)
    if len(body) == 2:
        first = body[0]
        if not (isinstance(first, ast.Assign) and isinstance(first.targets[0], ast.Name)) or not isinstance(value, ast.Name):
            return None
        if value.id != first.targets[0].id:
            return None
        value = _undressed(first.value)
    name = _name(value)
    return Idiom(name, scope.location(last)) if name else None


def _name(value: ast.expr) -> str:
    root = _argument(value, _ROOTS)
    if root is not None:
        return "RMSE" if _name(_undressed(root)) == "MSE" else ""
    averaged = _argument(value, _MEANS)
    if averaged is None:
        return ""
    averaged = _undressed(averaged)
    if isinstance(averaged, ast.Compare) and isinstance(averaged.ops[0], ast.Eq):
        return "accuracy"
    squared = _argument(averaged, _SQUARES)
    if isinstance(averaged, ast.BinOp) and isinstance(averaged.op, ast.Pow):
        squared = averaged.left
    if squared is not None:
        return "MSE" if _is_difference(squared) else ""
    absolute = _argument(averaged, frozenset({"abs", "absolute"}))
    return "MAE" if absolute is not None and _is_difference(absolute) else ""


def _is_difference(value: ast.expr) -> bool:
    return isinstance(value, ast.BinOp) and isinstance(value.op, ast.Sub) and not isinstance(value.right, ast.Constant)


def _undressed(value: ast.expr) -> ast.expr:
    """Without conversions around it: `float(x.item())`."""
    while isinstance(value, ast.Call):
        if isinstance(value.func, ast.Attribute) and value.func.attr in _DRESS and not value.args:
            value = value.func.value
        elif tail(value.func) in _DRESS and len(value.args) == 1:
            value = value.args[0]
        else:
            break
    return value


def _argument(value: ast.expr, names: frozenset[str]) -> ast.expr | None:
    """What a function or method of such a name is applied to: `mean(x)`, `x.mean()`; None when it is no such call."""
    if not isinstance(value, ast.Call) or tail(value.func) not in names:
        return None
    if isinstance(value.func, ast.Attribute) and not (isinstance(value.func.value, ast.Name) and value.args[:1]):
        return value.func.value
    return value.args[0] if value.args else None
