"""Operators: what they are worth when their operands are constants or known lists."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

from verifier.facts.scopes import Scope, tail
from verifier.facts.tracing.machine import constant
from verifier.facts.tracing.recorder import Draft
from verifier.facts.tracing.values import Const, Frame, Function, Object, Value, join, names_of, unsure
from verifier.model.facts import EventForm

if TYPE_CHECKING:
    from verifier.facts.tracing.machine import Machine


class Operators:
    """Evaluates them."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine

    def binary(self, node: ast.BinOp, frame: Frame) -> Value:
        """`a + b`: lists and texts that are known are put together."""
        left, right = self.machine.expressions.eval(node.left, frame), self.machine.expressions.eval(node.right, frame)
        if isinstance(node.op, ast.Add):
            one, other = self.machine.loops.elements(left), self.machine.loops.elements(right)
            if one is not None and other is not None:
                return self.machine.expressions.sequence([*one, *other])
            a, b = left.const(), right.const()
            if a is not None and b is not None and isinstance(a.value, str) and isinstance(b.value, str):
                return constant(a.value + b.value)
        if isinstance(node.op, ast.Mult) and isinstance(node.right, ast.Call):
            self._applied(node.right, left)
        if isinstance(node.op, ast.Div):
            return self.machine.files.below(right, left)
        if isinstance(node.op, ast.RShift | ast.BitOr):
            self._chained(node, left, right, frame)
            return Value((*right.things[:1],), left.reach() | right.reach())
        return Value((), left.reach() | right.reach())

    def _applied(self, call: ast.Call, left: Value) -> None:
        """`spectrum * mask(n)`: what is multiplied with the result of a call is what the call's step is applied to."""
        index = self.machine.calls.last.get(id(call), -1)
        if index >= 0 and not self.machine.record.muted:
            draft = self.machine.record.drafts[index]
            draft.looks |= {source for source in left.sources if source < index}
            draft.inputs |= frozenset(draft.looks)

    def _chained(self, node: ast.BinOp, left: Value, right: Value, frame: Frame) -> None:
        """`a >> b >> c`, `prompt | model`: what is put together so has its turns in this order."""
        sides = [(node.right, right)]
        if not (isinstance(node.left, ast.BinOp) and type(node.left.op) is type(node.op)):
            sides.insert(0, (node.left, left))
        if not all(value.things and not any(isinstance(thing, Const) for thing in value.things) for _, value in sides):
            return
        for part, value in sides:
            names = [tail(part), *(name for thing in value.things for name in names_of(thing))]
            location = frame.scope.location(part)
            self.machine.record.emit(
                Draft([name for name in names if name], location, frame.path, EventForm.LISTED, inputs=value.reach())
            )

    def unary(self, node: ast.UnaryOp, frame: Frame) -> Value:
        """`not a`, `-a`."""
        value = self.machine.expressions.eval(node.operand, frame)
        const = value.const()
        if const is not None:
            if isinstance(node.op, ast.Not):
                return constant(not const.value)
            if isinstance(node.op, ast.USub) and isinstance(const.value, int | float):
                return constant(-const.value)
        return Value((), value.reach())

    def bool(self, node: ast.BoolOp, frame: Frame) -> Value:
        """`a and b`, `a or b`."""
        values = [self.machine.expressions.eval(part, frame) for part in node.values]
        decisive = isinstance(node.op, ast.Or)
        truths = [self.machine.truth(value) for value in values]
        if decisive in truths and all(truth is not None for truth in truths[: truths.index(decisive)]):
            return values[truths.index(decisive)]
        if decisive in truths:
            return constant(decisive)
        return unsure(join(values)) if None in truths else values[-1]

    def compare(self, node: ast.Compare, frame: Frame) -> Value:
        """`a == b`, `a in b`, ..."""
        left = self.machine.expressions.eval(node.left, frame)
        rights = [self.machine.expressions.eval(part, frame) for part in node.comparators]
        if len(rights) == 1:
            known = _compared(left, node.ops[0], rights[0], self.machine.loops.elements(rights[0]))
            if known is not None:
                return constant(known)
        return Value((), left.sources.union(*(right.sources for right in rights)))

    def conditional(self, node: ast.IfExp, frame: Frame) -> Value:
        """`a if test else b`: both as alternatives when the test may go either way."""
        test = self.machine.expressions.eval(node.test, frame)
        truth = self.machine.truth(test)
        if truth is not None:
            return self.machine.expressions.eval(node.body if truth else node.orelse, frame)
        record = self.machine.record
        branch, outer = record.number(), record.alternatives
        values = []
        for arm, part in enumerate((node.body, node.orelse)):
            record.alternatives = (*outer, (branch, arm))
            values.append(self.machine.expressions.eval(part, frame))
        record.alternatives = outer
        return unsure(join(values))

    def joined(self, node: ast.JoinedStr, frame: Frame) -> Value:
        """An f-string."""
        parts: list[str] | None = []
        sources: frozenset[int] = frozenset()
        for part in node.values:
            value = self.machine.expressions.eval(part.value if isinstance(part, ast.FormattedValue) else part, frame)
            const = value.const()
            sources |= value.sources
            parts = None if const is None or parts is None else [*parts, str(const.value)]
        if parts is None:
            last = node.values[-1] if node.values else None
            end = last.value if isinstance(last, ast.Constant) and isinstance(last.value, str) else ""
            return self.machine.files.below(constant(end.rpartition("/")[2] if "/" in end else None), Value((), sources))
        return constant("".join(parts))


def _compared(left: Value, operator: ast.cmpop, right: Value, items: list[Value] | None) -> bool | None:
    a, b = left.const(), right.const()
    if isinstance(operator, ast.In | ast.NotIn) and a is not None and items is not None:
        consts = [item.const() for item in items]
        if all(const is not None for const in consts):
            return any(const is not None and const.value == a.value for const in consts) is isinstance(operator, ast.In)
        return None
    if isinstance(operator, ast.Is | ast.IsNot) and b == Const(None) and a is None and left.things:
        sure = all(isinstance(thing, Object | Function) and not _unknown(thing) for thing in left.things)
        return isinstance(operator, ast.IsNot) if sure else None
    if a is None or b is None:
        return None
    try:
        return _apply(operator, a.value, b.value)
    except TypeError:
        return None


def _apply(operator: ast.cmpop, a: Any, b: Any) -> bool | None:
    match operator:
        case ast.Eq() | ast.Is():
            return bool(a == b)
        case ast.NotEq() | ast.IsNot():
            return bool(a != b)
        case ast.Lt():
            return bool(a < b)
        case ast.LtE():
            return bool(a <= b)
        case ast.Gt():
            return bool(a > b)
        case ast.GtE():
            return bool(a >= b)
        case ast.In():
            return a in b
        case ast.NotIn():
            return a not in b
    return None


def _unknown(thing: Object | Function) -> bool:
    return isinstance(thing, Object) and not isinstance(thing.cls, Scope)
