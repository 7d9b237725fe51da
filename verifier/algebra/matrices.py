"""Values at a point: a number, a column of 3, or a 3 by 3 matrix in rows; and the operations that see more than one element."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

Value = float | tuple[float, ...]
_SIDE = 3
_ALL = range(_SIDE)


def elementwise(rule: Callable[..., float], args: Sequence[Value]) -> Value:
    """A function of numbers applied to each element; columns count for each element of their row."""
    size = max([len(item) if isinstance(item, tuple) else 1 for item in args], default=1)
    if size == 1:
        return rule(*args)
    wide = [_wide(item, size) for item in args]
    return tuple([rule(*items) for items in zip(*wide, strict=True)])


def _wide(value: Value, size: int) -> tuple[float, ...]:
    if not isinstance(value, tuple):
        return (value,) * size
    return value if len(value) == size else tuple([value[i // _SIDE] for i in range(size)])


def structural(head: str, args: list[Value]) -> Value:
    """An operation along the last axis, or on matrices.

    Raises:
        ArithmeticError: it is not defined for these values.
    """
    if head == "@":
        product = args[0]
        for item in args[1:]:
            product = _multiplied(product, item)
        return product
    value = args[0]
    if head in ("transpose", "inverse", "trace", "det"):
        return _of_matrix(head, value)
    if head == "topk":
        return tuple(sorted(value, reverse=True)) if isinstance(value, tuple) else value
    if head in ("softmax", "cumsum", "cumprod"):
        return _along(_SCANS[head], value)
    return _reduced(_REDUCTIONS[head], value)


def _rows(value: tuple[float, ...]) -> list[tuple[float, ...]]:
    return [value[i : i + _SIDE] for i in range(0, len(value), _SIDE)]


def _along(rule: Callable[[Sequence[float]], list[float]], value: Value) -> Value:
    if not isinstance(value, tuple):
        return rule((value,) * _SIDE)[0] if rule is _softmax else value
    return tuple([item for row in _rows(value) for item in rule(row)])


def _reduced(rule: Callable[[Sequence[float]], float], value: Value) -> Value:
    if not isinstance(value, tuple):
        return rule((value,) * _SIDE)
    if len(value) == _SIDE:
        return rule(value)
    return tuple([rule(row) for row in _rows(value)])


def _softmax(row: Sequence[float]) -> list[float]:
    powers = [math.exp(item) for item in row]
    total = sum(powers)
    return [item / total for item in powers]


def _cumsum(row: Sequence[float]) -> list[float]:
    return [math.fsum(row[: i + 1]) for i in range(len(row))]


def _cumprod(row: Sequence[float]) -> list[float]:
    return [math.prod(row[: i + 1]) for i in range(len(row))]


def _mean(row: Sequence[float]) -> float:
    return math.fsum(row) / len(row)


def _logsumexp(row: Sequence[float]) -> float:
    return math.log(sum([math.exp(item) for item in row]))


_SCANS: dict[str, Callable[[Sequence[float]], list[float]]] = {"softmax": _softmax, "cumsum": _cumsum, "cumprod": _cumprod}
_REDUCTIONS: dict[str, Callable[[Sequence[float]], float]] = {
    "sum": math.fsum,
    "mean": _mean,
    "prod": math.prod,
    "amin": min,
    "amax": max,
    "logsumexp": _logsumexp,
    "argmax": lambda row: 0.5 + max(range(len(row)), key=row.__getitem__),
    "argmin": lambda row: 0.5 + min(range(len(row)), key=row.__getitem__),
}


def _multiplied(a: Value, b: Value) -> Value:
    if not isinstance(a, tuple) or not isinstance(b, tuple):
        return elementwise(lambda x, y: x * y, (a, b))
    if len(a) == _SIDE * _SIDE and len(b) == _SIDE * _SIDE:
        return tuple([sum([a[i * _SIDE + k] * b[k * _SIDE + j] for k in _ALL]) for i in _ALL for j in _ALL])
    if len(a) == _SIDE * _SIDE:
        return tuple([sum([a[i * _SIDE + k] * b[k] for k in _ALL]) for i in _ALL])
    if len(b) == _SIDE * _SIDE:
        return tuple([sum([a[k] * b[k * _SIDE + j] for k in _ALL]) for j in _ALL])
    return sum([x * y for x, y in zip(a, b, strict=True)])


def _of_matrix(head: str, value: Value) -> Value:
    if not isinstance(value, tuple):
        return 1 / value if head == "inverse" else value
    if len(value) == _SIDE:
        return value if head != "trace" else math.fsum(value)
    if head == "transpose":
        return tuple([value[j * _SIDE + i] for i in _ALL for j in _ALL])
    if head == "trace":
        return value[0] + value[4] + value[8]
    a, b, c, d, e, f, g, h, i = value
    det = a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)
    if head == "det":
        return det
    adjugate = (
        e * i - f * h,
        c * h - b * i,
        b * f - c * e,
        f * g - d * i,
        a * i - c * g,
        c * d - a * f,
        d * h - e * g,
        b * g - a * h,
        a * e - b * d,
    )
    return tuple([item / det for item in adjugate])
