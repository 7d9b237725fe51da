"""Equality by evaluation at fixed, seeded points.

Two terms that agree at every point where both are defined are equal. Scalar terms are evaluated at single numbers; where a term holds a
reduction or a matrix product, its symbols are 3 by 3 matrices and reductions run over the last axis that is left, so that sums, means,
softmax, cumulative products and transposes have their true meaning. Points lie in several domains (below 1/2, below 1, above 1, of
either sign), so that roots, logarithms, clips and conditions are met in each regime. Unknown functions are fixed smooth functions of
their operands. Very large and very small constants are replaced by fixed numbers of ordinary size, so that an epsilon is never lost.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from hashlib import blake2b

from verifier.algebra.heads import REDUCTIONS
from verifier.algebra.kept import kept
from verifier.algebra.matrices import Value, elementwise, structural
from verifier.algebra.terms import Term

TOLERANCE = 1e-9
_SMALL, _MIDDLE, _LARGE, _BELOW = (0.05, 0.45), (0.3, 0.95), (1.1, 3.0), (-3.0, -0.3)
_POSITIVE = (_SMALL, _MIDDLE, _LARGE)
_SIGNED = (_SMALL, _MIDDLE, _LARGE, _BELOW)
_DOMAINS = (
    (_SMALL,),
    (_MIDDLE,),
    _POSITIVE,
    _SIGNED,
    (_LARGE,),
    _SIGNED,
    _POSITIVE,
    (_BELOW,),
    _SIGNED,
    _POSITIVE,
    _SIGNED,
    _SIGNED,
)
_SCALAR_POINTS = 12
_MATRIX_POINTS = 6
_KEPT_POINTS, _KEPT_VALUES = 96, 10_000
_PIECEWISE = frozenset({"min", "max", "where", "<", "abs", "sign", "amin", "amax"})
_VARIABLE = 4  # the flag of a code object that takes any number of arguments
_SHAPED = REDUCTIONS - {"min", "max"} | frozenset("@ transpose inverse softmax log_softmax cumsum cumprod amin amax".split())
_CONSTANTS = {"pi": math.pi, "e": math.e}


class Undefined(ArithmeticError):
    """A term has no value at a point."""


@dataclass(slots=True)
class Point:
    """A point: the value of every symbol, made up from its name.

    Attributes:
        number: which point; chooses the values.
        scalars: names of symbols that are single numbers even where others are matrices; None where all are.
        values: key of a term -> its value; None where it has none.
    """

    number: int
    scalars: frozenset[str] | None
    values: dict[int, Value | None] = field(default_factory=dict)

    def draw(self, name: str) -> float:
        """A number for a name, from one of the point's intervals."""
        part = _unit(name, self.number)
        domains = _DOMAINS[self.number]
        if len(domains) == 1:
            low, high = domains[0]
        else:
            part *= len(domains)
            low, high = domains[int(part)]
            part -= int(part)
        return low + (high - low) * part

    def value(self, term: Term) -> Value | None:
        """The value of a term; None where it has none."""
        known = self.values.get(term.key, self)
        if known is not self:
            return known  # type: ignore[return-value]
        try:
            value: Value | None = self._value(term)
        except (ArithmeticError, ValueError):
            value = None
        self.values[term.key] = value
        return value

    def _value(self, term: Term) -> Value:
        if term.head == "num":
            return self._number(term)
        if term.head == "sym":
            return self._symbol(term.name)
        args: list[Value] = []
        for item in term.args:
            value = self.value(item)
            if value is None:
                raise Undefined
            args.append(value)
        return self._applied(term.head, args)

    def replaced(self, term: Term, values: Mapping[str, Term], opaque: Mapping[int, Term]) -> Value | None:
        """The value of a term with its symbols and unknown functions replaced, without making the replaced term.

        Args:
            term: a term.
            values: name of a symbol, or of an unknown function with `()` -> what stands for it.
            opaque: key of a part -> what stands for it as a whole.
        """
        if term.key in opaque:
            return self.value(opaque[term.key])
        if term.head == "sym":
            return self.value(values.get(term.name, term))
        if term.head == "num":
            return self.value(term)
        args: list[Value] = []
        for item in term.args:
            value = self.replaced(item, values, opaque)
            if value is None:
                return None
            args.append(value)
        bound = values.get(f"{term.head}()")
        try:
            return self._applied(bound.name if bound is not None else term.head, args)
        except (ArithmeticError, ValueError):
            return None

    def _applied(self, head: str, args: list[Value]) -> Value:
        if head in _SHAPED and args:
            return structural(head, args)
        known = head in OPERATIONS and _takes(head, len(args))
        return elementwise(OPERATIONS[head] if known else self._unknown(head, len(args)), args)

    def _number(self, term: Term) -> float:
        size = abs(term.value)
        if size and not 1e-4 < size < 1e5:
            made_up = 0.1 + 0.8 * _unit(f"number {size}", self.number)
            return made_up if term.value > 0 else -made_up
        return float(term.value)

    def _symbol(self, name: str) -> Value:
        if name in _CONSTANTS:
            return _CONSTANTS[name]
        if self.scalars is None or name in self.scalars:
            return self.draw(name)
        return tuple([self.draw(f"{name}.{i}") for i in range(9)])

    def _unknown(self, head: str, count: int) -> Callable[..., float]:
        low, high = _DOMAINS[self.number][0]
        phase = 6.0 * _unit(f"{head}()", self.number)
        weights = [0.7 + 2.0 * _unit(f"{head}({i})", self.number) for i in range(count)]

        def smooth(*args: float) -> float:
            angle = phase + sum([weight * arg for weight, arg in zip(weights, args, strict=True)])
            return low + (high - low) * (0.5 + 0.5 * math.sin(angle))

        return smooth


@kept(1024)
def _takes(head: str, count: int) -> bool:
    """Whether an operation takes that many arguments; a function of the code that has its name by chance need not."""
    code = getattr(OPERATIONS[head], "__code__", None)
    if code is None:
        return head in {"min", "max"} or count == (2 if head == "atan2" else 1)
    return bool(code.co_flags & _VARIABLE) or count == code.co_argcount


@kept(65536)
def _unit(text: str, number: int) -> float:
    digest = blake2b(f"{number}:{text}".encode(), digest_size=7).digest()
    return int.from_bytes(digest, "big") / 2.0**56


def _power(base: float, exponent: float) -> float:
    if base < 0 and exponent != int(exponent):
        raise Undefined
    return float(base**exponent)


def _where(condition: float, yes: float, no: float) -> float:
    return yes if condition else no


OPERATIONS: dict[str, Callable[..., float]] = {
    "+": lambda *args: math.fsum(args),
    "*": lambda *args: math.prod(args),
    "**": _power,
    "exp": math.exp,
    "log": math.log,
    "abs": abs,
    "sign": lambda x: (x > 0) - (x < 0),
    "floor": math.floor,
    "ceil": math.ceil,
    "round": round,
    "sin": math.sin,
    "cos": math.cos,
    "tan": math.tan,
    "sinh": math.sinh,
    "cosh": math.cosh,
    "tanh": math.tanh,
    "asin": math.asin,
    "acos": math.acos,
    "atan": math.atan,
    "atan2": math.atan2,
    "mod": lambda a, b: a % b,
    "floordiv": lambda a, b: a // b,
    "erf": math.erf,
    "sigmoid": lambda x: 1 / (1 + math.exp(-x)),
    "gelu": lambda x: 0.5 * x * (1 + math.erf(x * 0.5**0.5)),
    "min": min,
    "max": max,
    "where": _where,
    "<": lambda a, b: float(a < b),
    "==": lambda a, b: float(a == b),
    "!=": lambda a, b: float(a != b),
    "and": lambda *args: float(all(args)),
    "or": lambda *args: float(any(args)),
    "not": lambda x: float(not x),
    "stopgrad": lambda x: 0.83 * x + 0.11,
}


@dataclass(slots=True)
class Evaluator:
    """Compares terms; keeps the values it has computed."""

    points: dict[tuple[int, frozenset[str] | None], Point] = field(default_factory=dict)

    def equal(self, left: Term, right: Term, scalars: frozenset[str] = frozenset()) -> bool | None:
        """Whether two terms agree at every point where both are defined; None when hardly any point defines both.

        Args:
            left: a term.
            right: another term, in the same form.
            scalars: the symbols that are single numbers.
        """
        if left.key == right.key:
            return True
        heads = left.heads | right.heads
        shaped = bool(heads & (_SHAPED | _PIECEWISE))
        chosen = scalars & (left.symbols | right.symbols) if shaped else None
        valid = lone = 0
        for number in range(_MATRIX_POINTS if shaped and not heads & _PIECEWISE else _SCALAR_POINTS):
            point = self.point(number, chosen)
            a, b = point.value(left), point.value(right)
            if a is None or b is None:
                lone += a is not b
                continue
            if not _close(a, b):
                return False
            valid += 1
        if valid > 1 or (valid and shaped):
            return True
        return False if lone else None

    def refuted(
        self, term: Term, values: Mapping[str, Term], opaque: Mapping[int, Term], other: Term, scalars: frozenset[str]
    ) -> bool:
        """Whether a term with its symbols replaced differs from another at the first point that defines both."""
        shaped = bool((term.heads | other.heads).union(*(item.heads for item in values.values())) & _SHAPED)
        for number in range(3):
            point = self.point(number, scalars if shaped else None)
            left, right = point.replaced(term, values, opaque), point.value(other)
            if left is not None and right is not None:
                return not _close(left, right)
        return False

    def point(self, number: int, scalars: frozenset[str] | None) -> Point:
        """A point, with the values computed there so far."""
        found = self.points.get((number, scalars))
        if found is None or len(found.values) > _KEPT_VALUES:
            if len(self.points) >= _KEPT_POINTS:
                self.points.clear()
            found = self.points[number, scalars] = Point(number, scalars)
        return found


def _close(a: Value, b: Value) -> bool:
    if isinstance(a, float | int) and isinstance(b, float | int):
        return math.isclose(a, b, rel_tol=TOLERANCE, abs_tol=1e-12)
    left = (a,) * 9 if isinstance(a, float | int) else a
    right = (b,) * 9 if isinstance(b, float | int) else b
    if len(left) != len(right):
        left, right = _spread(left, len(right)), _spread(right, len(left))
    return all(math.isclose(x, y, rel_tol=TOLERANCE, abs_tol=1e-12) for x, y in zip(left, right, strict=True))


def _spread(value: tuple[float, ...], size: int) -> tuple[float, ...]:
    if len(value) == 3 and size == 9:
        return tuple([value[i // 3] for i in range(9)])
    return value
