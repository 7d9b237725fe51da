"""What bears the name of a setting and is none: sizes taken from data, parts of a shape, numbers of rounds."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable

from verifier.facts.scopes import Scope, Write, tail

COUNTED_LOOPS = frozenset({"range", "trange", "prange", "arange"})
SHAPES = frozenset({"shape", "ndim"})
SHAPE_METHODS = frozenset({"size", "numel", "dim", "nelement"})
_DEEPEST = 4
Reaching = Callable[[ast.Name, Scope], Iterable[Write]]


def is_round(node: ast.expr, scope: Scope, reaching: Reaching) -> bool:
    """Whether an expression is the number of the round in a counted loop."""
    return isinstance(node, ast.Name) and any(
        write.kind == "loop" and isinstance(write.value, ast.Call) and rounds(write.value) is not None
        for write in reaching(node, scope)
    )


def is_measured(node: ast.expr | None, scope: Scope, reaching: Reaching, depth: int = _DEEPEST) -> bool:
    """Whether an expression is a size taken from an array: `x.shape[0]`, `x.size(1) if x.dim() > 2 else 1`, a name for one."""
    match node:
        case ast.Subscript():
            return is_measured(node.value, scope, reaching, depth)
        case ast.IfExp():
            return any(is_measured(part, scope, reaching, depth) for part in (node.body, node.orelse))
        case ast.Attribute():
            return node.attr in SHAPES
        case ast.Call(func=ast.Attribute()):
            return tail(node.func) in SHAPE_METHODS and not node.keywords
        case ast.Name() if depth > 0:
            values = [write.value for write in reaching(node, scope)]
            return bool(values) and all(is_measured(value, scope, reaching, depth - 1) for value in values)
    return False


def takes_apart(write: Write) -> bool:
    """Whether a write gives a single letter a part of something: `T, H, W = shape`."""
    return bool(write.unpack) and len(write.name) == 1 and not isinstance(write.value, ast.Tuple | ast.List)


def rounds(call: ast.Call) -> ast.expr | None:
    """The number of rounds of `range(n)`, `range(1, n + 1)`, `tqdm(range(n))`."""
    name = tail(call.func)
    if name in {"tqdm", "enumerate", "reversed", "track", "list"} and call.args and isinstance(call.args[0], ast.Call):
        return rounds(call.args[0])
    if name not in COUNTED_LOOPS or not call.args:
        return None
    if len(call.args) == 1:
        return call.args[0]
    start, stop = call.args[0], call.args[1]
    if isinstance(start, ast.Constant) and start.value == 0:
        return stop
    if isinstance(stop, ast.BinOp) and isinstance(stop.op, ast.Add) and isinstance(start, ast.Constant):
        if isinstance(stop.right, ast.Constant) and stop.right.value == start.value:
            return stop.left
    return None
