"""Apply an operator of the tables to arguments."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from verifier.facts.lifting.terms import (
    ONE,
    Sequence,
    Value,
    as_number,
    as_text,
    expression,
    facing,
    node,
    unnamed,
)
from verifier.model.expression import Apply, Expr, Number, Symbol

if TYPE_CHECKING:
    from verifier.lexicon.operators import ModuleOperator, Operator

Arguments = tuple[tuple[Value, ...], tuple[tuple[str, Value], ...]]
Bound = dict[str, Value]
Special = Callable[["Bound", tuple[Value, ...]], Value | None]

REDUCTIONS = frozenset({"sum", "mean", "prod", "max", "min", "var", "std", "logsumexp", "argmax", "argmin", "norm"})
_STACKED = {"sum": "+", "min": "min", "max": "max", "prod": "*", "mean": "+"}
_SYNONYMS = {"axis": "dim", "dim": "axis", "keepdims": "keepdim", "axes": "dim", "p": "ord", "ord": "p", "value": "fill_value"}
_HEADS = {"not_": "not", "and_": "and", "or_": "or"}


def operate(operator: Operator, positional: tuple[Value, ...], keywords: tuple[tuple[str, Value], ...]) -> Value | None:
    """What a call computes; None when its arguments do not fit.

    Args:
        operator: its entry in the tables.
        positional: positional arguments, for a method the receiver first.
        keywords: keyword arguments; those that the operator does not know (`dtype`, `out`) are ignored.
    """
    bound = bind(operator, positional, keywords)
    if operator.meaning is None:
        from verifier.facts.lifting.special import SPECIAL

        return SPECIAL[operator.special](bound, positional)
    return fill(operator.meaning, operator.parameters, bound)


def operate_module(
    module: ModuleOperator, construct: Arguments, positional: tuple[Value, ...], keywords: tuple[tuple[str, Value], ...]
) -> Value | None:
    """What calling an object computes, such as an `nn.MSELoss`; None when the arguments do not fit."""
    bound = bind(module.construct, *construct) | bind(module.call, positional, keywords)
    if module.call.meaning is None:
        from verifier.facts.lifting.special import SPECIAL

        return SPECIAL[module.call.special](bound, positional)
    return fill(module.call.meaning, module.construct.parameters + module.call.parameters, bound)


def bind(operator: Operator, positional: tuple[Value, ...], keywords: tuple[tuple[str, Value], ...]) -> Bound:
    """Parameters of an operator with their arguments and the defaults that count."""
    parameters = operator.parameters
    bound: Bound = dict(operator.defaults)
    required = [name for name in parameters if name not in bound]
    if len(positional) <= len(required):
        bound.update(zip(required, positional, strict=False))
    else:
        bound.update(zip(parameters, positional, strict=False))
    for name, value in keywords:
        key = name if name in parameters else _SYNONYMS.get(name, name)
        if key in parameters:
            bound[key] = value
        elif name in {"input", "a", "self", "obj"} and parameters:
            bound[parameters[0]] = value
        elif name in {"target", "other", "y_true"} and len(parameters) > 1 and parameters[1] not in bound:
            bound[parameters[1]] = value
        else:
            bound.setdefault(name, value)
    return bound


def fill(meaning: Expr, parameters: tuple[str, ...], bound: Bound) -> Expr | None:
    """A meaning with its parameters replaced; None when one that it cannot do without is missing."""
    if isinstance(meaning, Number):
        return meaning
    if isinstance(meaning, Symbol):
        if meaning.name not in parameters:
            return meaning
        value = bound.get(meaning.name)
        return None if value is None or _is_none(value) else expression(value)
    if meaning.head == "reduce":
        inner = fill(meaning.args[0], parameters, bound)
        return None if inner is None else reduced(inner, bound)
    if meaning.head in _STACKED and len(meaning.args) == 1:
        listed = _over_list(meaning, bound)
        if listed is not None:
            return listed
    args = [fill(arg, parameters, bound) for arg in meaning.args]
    if meaning.head == "clip":
        return clip(args[0], args[1], args[2])
    if args and args[0] is None:
        return None
    return _made(meaning.head, [arg for arg in args if arg is not None], len(args), bound)


def _made(head: str, args: list[Expr], expected: int, bound: Bound) -> Expr | None:
    if len(args) < expected and head not in {"norm", "topk"}:
        return None
    if head == "*" and args[0] == ONE:
        return args[1]
    if head == "@":
        args = [args[0], facing(args[1])]
    if head in REDUCTIONS and len(args) == 1:
        return reduction(head, args[0], axis_of(bound))
    return node(_HEADS.get(head, head), *args)


def _over_list(meaning: Apply, bound: Bound) -> Expr | None:
    """A reduction of a list that code writes out, or that a loop or comprehension fills."""
    operand = meaning.args[0]
    value = bound.get(operand.name) if isinstance(operand, Symbol) else None
    if isinstance(value, Sequence) and value.grown is None and value.items and not axis_of(bound):
        return spread(meaning.head, tuple(expression(item) for item in value.items))
    return None


def spread(head: str, parts: tuple[Expr, ...], axis: str = "") -> Expr:
    """A reduction over parts that are all known."""
    if len(parts) == 1:
        return parts[0]
    whole = node(_STACKED[head], *parts, axis=axis if head in {"min", "max"} else "")
    return node("/", whole, Number(ONE.value * len(parts))) if head == "mean" else whole


def reduction(head: str, operand: Expr, axis: str) -> Expr:
    """A reduction; one over the axis along which parts were stacked is spelled out."""
    inner = unnamed(operand)
    if (
        head in _STACKED
        and isinstance(inner, Apply)
        and inner.head == "cat"
        and inner.axis
        and inner.axis == axis
        and len(inner.args) > 1
    ):
        return spread(head, inner.args, axis)
    return node(head, operand, axis=axis)


def reduced(inner: Expr, bound: Bound) -> Expr:
    """A loss reduced as its parameter `reduction` says."""
    how = bound.get("reduction")
    word = as_text(how) or (how.name if isinstance(how, Symbol) else "")
    if _is_false(bound.get("reduce")):
        word = "none"
    if word == "batchmean":
        return node("mean", node("sum", inner))
    if word in {"sum", "mean"}:
        return node(word, inner)
    return inner


def clip(x: Expr | None, low: Expr | None, high: Expr | None) -> Expr | None:
    """A value between bounds of which either may be missing."""
    if x is None:
        return None
    if low is None or high is None:
        return x if low is high else node("max", x, low) if low is not None else node("min", x, high) if high is not None else x
    return node("clip", x, low, high)


def axis_of(bound: Bound) -> str:
    """What a reduction runs over, as text; empty when over everything."""
    value = bound.get("dim", bound.get("axis"))
    return "" if value is None or _is_none(value) else axis_text(value)


def axis_text(value: Value) -> str:
    """An axis as text: `1`, `-1`, `(1, 2)`."""
    exact = as_number(value)
    if exact is not None:
        return str(exact)
    if isinstance(value, Sequence):
        return "(" + ", ".join(axis_text(item) for item in value.items) + ")"
    return value.name if isinstance(value, Symbol) else "?"


def _is_none(value: Value) -> bool:
    return isinstance(value, Symbol) and value.name == "None"


def _is_false(value: Value | None) -> bool:
    return isinstance(value, Symbol) and value.name == "False"
