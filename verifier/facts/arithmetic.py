"""Arithmetic, comparison and text over candidates."""

from __future__ import annotations

import ast
import math
import operator
from collections.abc import Callable
from itertools import product
from typing import TYPE_CHECKING, Any

from verifier.facts.scopes import Scope, Write
from verifier.facts.values import MAX_TRAIL, UNKNOWN, Frame, Items, Known, Table, Unknown, Value, Values, join
from verifier.model.constant import Scalar
from verifier.model.finding import Step
from verifier.model.location import Location
from verifier.model.worth import parse

if TYPE_CHECKING:
    from verifier.facts.evaluate import Evaluator

MAX_MAGNITUDE = 4096
"""Bits up to which integers are computed; larger powers are unknown."""

_BINARY: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Pow: operator.pow,
    ast.LShift: operator.lshift,
    ast.RShift: operator.rshift,
}
_COMPARE: dict[type[ast.cmpop], Callable[[Any, Any], bool]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Is: operator.is_,
    ast.IsNot: operator.is_not,
}


def operation(ev: Evaluator, node: ast.BinOp | ast.UnaryOp | ast.Compare, scope: Scope, frame: Frame | None) -> Values:
    """The candidates of an operation; the line of the operation is where its worth is written."""
    match node:
        case ast.UnaryOp():
            return join((_unary(node, value, scope),) for value in ev.evaluate(node.operand, scope, frame))
        case ast.BinOp():
            left, right = ev.evaluate(node.left, scope, frame), ev.evaluate(node.right, scope, frame)
            return join((_binary(node.op, a, b, scope, node),) for a, b in product(left, right))
        case ast.Compare() if len(node.ops) == 1:
            left, right = ev.evaluate(node.left, scope, frame), ev.evaluate(node.comparators[0], scope, frame)
            return join((_compared(node, a, b, scope),) for a, b in product(left, right))
    return UNKNOWN


def _unary(node: ast.UnaryOp, value: Value, scope: Scope) -> Value:
    if not isinstance(value, Known):
        return Unknown()
    if isinstance(node.op, ast.Not):
        return Known(not value.value, scope.location(node), value.trail)
    if isinstance(value.value, int | float):
        worth = -value.value if isinstance(node.op, ast.USub) else +value.value if isinstance(node.op, ast.UAdd) else None
        if worth is not None:
            return Known(worth, scope.location(node) if not isinstance(node.operand, ast.Constant) else value.origin, value.trail)
    return Unknown()


def _binary(op: ast.operator, left: Value, right: Value, scope: Scope, node: ast.AST) -> Value:
    origin = scope.location(node)
    if isinstance(left, Known) and isinstance(right, Known):
        worth = _computed(op, *_numbers(left.value, right.value))
        return Known(worth, origin, _operands(left, right)) if worth is not None else Unknown()
    if isinstance(left, Items) and isinstance(right, Items) and isinstance(op, ast.Add):
        return Items((*left.items, *right.items), origin)
    if isinstance(left, Items) and isinstance(right, Known) and isinstance(op, ast.Mult):
        return _repeated(left, right, origin)
    if isinstance(left, Known) and isinstance(right, Items) and isinstance(op, ast.Mult):
        return _repeated(right, left, origin)
    if isinstance(left, Table) and isinstance(right, Table) and isinstance(op, ast.BitOr):
        return left.updated(right.entries)
    return Unknown()


def _operands(*values: Known) -> tuple[Step, ...]:
    """The evidence of a result: what it was computed from."""
    trail: list[Step] = []
    for value in values:
        own = Step(f"{value.value} goes into the computation", value.origin, operand=True)
        trail.extend(part for part in (*value.trail, own) if part not in trail)
    return tuple(trail[-MAX_TRAIL:])


def _repeated(items: Items, times: Known, origin: Any) -> Value:
    if isinstance(times.value, int) and 0 <= times.value * len(items.items) <= 256:
        return Items(items.items * times.value, origin)
    return Unknown()


def _computed(op: ast.operator, left: Any, right: Any) -> int | float | str | None:
    if isinstance(left, str) and isinstance(right, str):
        if isinstance(op, ast.Add):
            return left + right
        return f"{left.rstrip('/')}/{right}" if isinstance(op, ast.Div) else None
    if not isinstance(left, int | float) or not isinstance(right, int | float):
        return None
    if isinstance(op, ast.Pow | ast.LShift) and _too_large(op, left, right):
        return None
    function = _BINARY.get(type(op))
    try:
        worth = function(left, right) if function is not None else None
    except (ArithmeticError, TypeError, ValueError):
        return None
    return worth if isinstance(worth, int | float) and not (isinstance(worth, float) and math.isnan(worth)) else None


def _numbers(left: Scalar, right: Scalar) -> tuple[Scalar, Scalar]:
    """Both as numbers when one is and the other is the text of one: YAML's `3e-4` is text to some loaders."""
    if isinstance(left, str) and isinstance(right, int | float):
        return _number(left), right
    return (left, _number(right)) if isinstance(right, str) and isinstance(left, int | float) else (left, right)


def _number(text: str) -> Scalar:
    found = parse(text)
    return found if isinstance(found, int | float) else text


def _too_large(op: ast.operator, left: int | float, right: int | float) -> bool:
    if isinstance(op, ast.LShift):
        return right > MAX_MAGNITUDE
    return isinstance(left, int) and isinstance(right, int) and abs(right) * max(left.bit_length(), 1) > MAX_MAGNITUDE


def _compared(node: ast.Compare, left: Value, right: Value, scope: Scope) -> Value:
    op = node.ops[0]
    if isinstance(left, Known) and isinstance(right, Known):
        function = _COMPARE.get(type(op))
        try:
            return Known(function(left.value, right.value), scope.location(node)) if function is not None else Unknown()
        except TypeError:
            return Unknown()
    none_test = isinstance(op, ast.Is | ast.IsNot) and isinstance(right, Known) and right.value is None
    if none_test and not isinstance(left, Unknown):
        return Known(isinstance(op, ast.IsNot), scope.location(node))
    return Unknown()


def augmented(ev: Evaluator, write: Write, frame: Frame | None) -> Values:
    """What `x op= value` leaves in `x`; nothing is known of a counter, which adds to itself in a loop."""
    node = write.node
    if not isinstance(node, ast.AugAssign) or not isinstance(node.target, ast.Name):
        return UNKNOWN
    before = ev.program.flow(write.scope).reaching.get(id(node.target), ())
    if write in before and isinstance(node.op, ast.Add):
        return UNKNOWN
    left = join(ev.written(other, frame) for other in before if other is not write)
    right = ev.evaluate(node.value, write.scope, frame)
    return join((_binary(node.op, a, b, write.scope, node),) for a, b in product(left, right))


def joined(ev: Evaluator, node: ast.JoinedStr, scope: Scope, frame: Frame | None) -> Values:
    """The text of an f-string whose parts are all known."""
    text = ""
    for part in node.values:
        inner = part.value if isinstance(part, ast.FormattedValue) else part
        values = ev.evaluate(inner, scope, frame)
        if len(values) != 1 or not isinstance(values[0], Known) or getattr(part, "format_spec", None) is not None:
            return UNKNOWN
        text += str(values[0].value)
    return (Known(text, scope.location(node)),)


def _copied(node: ast.expr, name: str, values: Values, origin: Location) -> Values:
    """What an expression makes of a loop's variable when it only arranges it: `x`, `(x, x)`, `tuple(x)`; nothing when it does more."""
    match node:
        case ast.Name(id=own) if own == name:
            return values
        case ast.Tuple(elts=elements) | ast.List(elts=elements) if elements:
            parts = [_copied(element, name, values, origin) for element in elements]
            return (Items(tuple(parts), origin),) if all(parts) else ()
        case ast.Call(func=ast.Name(id="tuple" | "list"), args=[only], keywords=[]):
            return _copied(only, name, values, origin)
        case ast.Call(func=ast.Name(id="int" | "float"), args=[only], keywords=[]):
            whole = all(isinstance(value, Known) and type(value.value) is int for value in values)
            return _copied(only, name, values, origin) if whole else ()
    return ()


def comprehension(ev: Evaluator, node: ast.ListComp | ast.GeneratorExp, scope: Scope, frame: Frame | None) -> Values:
    """A comprehension over something known that does not use its variable, or that only copies it."""
    if len(node.generators) != 1 or node.generators[0].ifs:
        return UNKNOWN
    generator = node.generators[0]
    over = ev.evaluate(generator.iter, scope, frame)
    if len(over) != 1 or not isinstance(over[0], Items):
        return UNKNOWN
    if isinstance(generator.target, ast.Name):
        name, origin = generator.target.id, scope.location(node)
        copied = [_copied(node.elt, name, values, origin) for values in over[0].items[:256]]
        if copied and len(copied) == len(over[0].items) and all(copied):
            return (Items(tuple(copied), origin),) if not isinstance(node.elt, ast.Name) else over
    used = {part.id for part in ast.walk(node.elt) if isinstance(part, ast.Name)}
    bound = {part.id for part in ast.walk(generator.target) if isinstance(part, ast.Name)}
    if used & bound or len(over[0].items) > 256:
        return UNKNOWN
    return (Items((ev.evaluate(node.elt, scope, frame),) * len(over[0].items), scope.location(node)),)
