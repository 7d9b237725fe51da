"""Operators whose meaning depends on their arguments in a way that no template states."""

from __future__ import annotations

from fractions import Fraction

from verifier.facts.lifting.contraction import contract, pattern_of
from verifier.facts.lifting.operate import Bound, Special, axis_of, axis_text, clip, reduction, spread
from verifier.facts.lifting.terms import (
    Call,
    Filled,
    Function,
    Gradient,
    Outside,
    Sequence,
    Value,
    as_number,
    as_text,
    expression,
    measure,
    node,
    unnamed,
)
from verifier.model.expression import Apply, Expr, Symbol

_MASKED = Fraction(-1000)
"""A fill value at or below this stands for minus infinity: it hides positions from a softmax."""


def _first(bound: Bound, *names: str) -> Expr | None:
    for name in names:
        if name in bound:
            return expression(bound[name])
    return None


def _extremum(head: str) -> Special:
    def apply(bound: Bound, positional: tuple[Value, ...]) -> Value | None:
        if not positional and "x" not in bound:
            return None
        first = bound.get("x", positional[0] if positional else None)
        assert first is not None
        others = [value for name, value in bound.items() if name in {"other", "y"}]
        axis = axis_of(bound)
        by_axis = "other" in bound and (
            isinstance(others[0], Sequence) or (as_number(others[0]) is not None and not _is_number(first))
        )
        if by_axis and not isinstance(unnamed(expression(others[0])), Apply):
            return reduction(head, expression(first), axis_text(others[0]))
        if others:
            return node(head, *(expression(value) for value in (positional if len(positional) > 1 else (first, *others))))
        if isinstance(first, Sequence) and first.grown is None and first.items:
            return spread(head, tuple(expression(item) for item in first.items))
        return reduction(head, expression(first), axis)

    return apply


def _is_number(value: Value) -> bool:
    return as_number(value) is not None


def _norm(bound: Bound, _: tuple[Value, ...]) -> Value | None:
    x = _first(bound, "x")
    order = bound.get("ord", bound.get("p"))
    if x is None:
        return None
    text = as_text(order)
    exact = as_number(order) if order is not None else None
    if order is None or exact == 2 or text == "fro" or (isinstance(order, Symbol) and order.name == "None"):
        return node("norm", x, axis=axis_of(bound))
    return node("norm", x, Symbol("nuc") if text == "nuc" else expression(order), axis=axis_of(bound))


def _normalize(bound: Bound, _: tuple[Value, ...]) -> Value | None:
    x = _first(bound, "x")
    order = as_number(bound["p"]) if "p" in bound else None
    if x is None:
        return None
    return node("normalize", x) if order in {None, 2} else node("/", x, node("norm", x, expression(bound["p"])))


def _masked_fill(bound: Bound, _: tuple[Value, ...]) -> Value | None:
    x, mask, value = _first(bound, "x"), _first(bound, "mask"), _first(bound, "value", "fill_value")
    if x is None or mask is None or value is None:
        return x
    exact = as_number(value)
    if (exact is not None and exact <= _MASKED) or _is_lowest(unnamed(value)):
        return x
    return node("where", mask, value, x)


def _is_lowest(value: Expr) -> bool:
    if isinstance(value, Apply) and value.head == "neg":
        inner = unnamed(value.args[0])
        return isinstance(inner, Symbol) and inner.name == "inf"
    return isinstance(value, Symbol) and value.name.endswith(".min")


def _einsum(_: Bound, positional: tuple[Value, ...]) -> Value | None:
    pattern = pattern_of(as_text(positional[0])) if positional else None
    operands = positional[1].items if len(positional) == 2 and isinstance(positional[1], Sequence) else positional[1:]
    return contract(pattern, [expression(value) for value in operands]) if pattern else None


def _einops_einsum(_: Bound, positional: tuple[Value, ...]) -> Value | None:
    pattern = pattern_of(as_text(positional[-1]), spaced=True) if positional else None
    return contract(pattern, [expression(value) for value in positional[:-1]]) if pattern else None


def _einops_reduce(bound: Bound, _: tuple[Value, ...]) -> Value | None:
    x, how = _first(bound, "x"), as_text(bound.get("reduction"))
    return node(how, x) if x is not None and how in {"mean", "sum", "max", "min", "prod"} else None


def _transpose(bound: Bound, _: tuple[Value, ...]) -> Value | None:
    x = _first(bound, "x")
    axes = {as_number(bound[name]) for name in ("dim0", "dim1") if name in bound}
    if x is None:
        return None
    swaps = not axes or axes in ({Fraction(-1), Fraction(-2)}, {Fraction(2), Fraction(3)}, {Fraction(0), Fraction(1)})
    return node("transpose" if swaps else "layout", x)


def _permute(_: Bound, positional: tuple[Value, ...]) -> Value | None:
    if not positional:
        return None
    x = expression(positional[0])
    axes = positional[1].items if len(positional) == 2 and isinstance(positional[1], Sequence) else positional[1:]
    if not axes:
        return node("transpose", x)
    order = [as_number(axis) for axis in axes]
    last = len(order) - 1
    if order[-2:] in ([Fraction(last), Fraction(last - 1)], [Fraction(-1), Fraction(-2)]):
        return node("transpose" if last != 2 else "layout", x)
    return node("layout", x)


def _cat(bound: Bound, positional: tuple[Value, ...]) -> Value | None:
    parts = bound.get("tensors", positional[0] if positional else None)
    if not isinstance(parts, Sequence):
        return None if parts is None else expression(parts)
    if parts.grown is not None:
        return parts.grown
    stacked = "dim" in bound or "axis" in bound
    return node("cat", *(expression(part) for part in parts.items), axis=axis_of(bound) if stacked else "")


def _lookup(bound: Bound, _: tuple[Value, ...]) -> Value | None:
    x, index = _first(bound, "x"), _first(bound, "index")
    if x is None or index is None:
        return x
    table = unnamed(x)
    if isinstance(table, Apply) and table.head != "index":
        return node("index", x, index)
    return x


def _average(bound: Bound, _: tuple[Value, ...]) -> Value | None:
    x, weights = _first(bound, "x"), _first(bound, "weights")
    if x is None:
        return None
    return node("mean", x) if weights is None else node("/", node("sum", node("*", x, weights)), node("sum", weights))


def _clip(bound: Bound, _: tuple[Value, ...]) -> Value | None:
    low, high = _first(bound, "a_min", "min"), _first(bound, "a_max", "max")
    present = [None if side is None or side == Symbol("None") else side for side in (low, high)]
    return clip(_first(bound, "x"), present[0], present[1])


def _log(bound: Bound, _: tuple[Value, ...]) -> Value | None:
    x, base = _first(bound, "x"), _first(bound, "base")
    if x is None:
        return None
    return node("log", x) if base is None else node("/", node("log", x), node("log", base))


def _sum(bound: Bound, positional: tuple[Value, ...]) -> Value | None:
    value = bound.get("x", positional[0] if positional else None)
    if value is None:
        return None
    if isinstance(value, Sequence) and value.grown is None and value.items:
        return spread("sum", tuple(expression(item) for item in value.items))
    return node("sum", expression(value), axis=value.source if isinstance(value, Sequence) else "")


def _linear(bound: Bound, _: tuple[Value, ...]) -> Value | None:
    x, weight, bias = _first(bound, "x"), _first(bound, "weight"), _first(bound, "bias")
    if x is None or weight is None:
        return None
    product = node("@", x, node("transpose", weight))
    return product if bias is None or bias == Symbol("None") else node("+", product, bias)


def _kl_div(bound: Bound, _: tuple[Value, ...]) -> Value | None:
    from verifier.facts.lifting.operate import reduced

    logs, target = _first(bound, "x"), _first(bound, "target", "y")
    if logs is None or target is None:
        return None
    in_logs = isinstance(bound.get("log_target"), Symbol) and expression(bound["log_target"]) == Symbol("True")
    weight, log_target = (node("exp", target), target) if in_logs else (target, node("log", target))
    return reduced(node("*", weight, node("-", log_target, logs)), bound)


def _gradient(bound: Bound, positional: tuple[Value, ...]) -> Value | None:
    if len(positional) < 2 and not {"outputs", "inputs"} <= set(bound):
        return None
    outputs, inputs = bound["outputs"], bound["inputs"]
    if isinstance(outputs, Sequence) and len(outputs.items) == 1:
        outputs = outputs.items[0]
    function = expression(outputs)
    inner = unnamed(function)
    if isinstance(inner, Apply) and inner.head == "sum":
        function = inner.args[0]
    if isinstance(inputs, Sequence):
        return Sequence(tuple(node("grad", function, expression(item)) for item in inputs.items))
    return node("grad", function, expression(inputs))


def _gradient_of(bound: Bound, positional: tuple[Value, ...], *, with_value: bool = False) -> Value | None:
    function = bound.get("func", positional[0] if positional else None)
    index = as_number(bound["argnums"]) if "argnums" in bound else None
    return None if function is None else Gradient(function, int(index or 0), with_value)


def _loop_body(function: Value, arguments: tuple[Value, ...]) -> Value:
    shown = tuple(expression(argument) for argument in arguments)
    args = (expression(function), *shown)
    return Call("call", args, "", *measure(args), function, arguments)


def _function_call(_: Bound, positional: tuple[Value, ...]) -> Value | None:
    return _loop_body(positional[0], positional[1:]) if len(positional) > 1 else None


def _scan(bound: Bound, _: tuple[Value, ...]) -> Value | None:
    function, xs = bound.get("f"), bound.get("xs")
    if not isinstance(function, Function | Outside) or xs is None:
        return None
    return _loop_body(function, (Symbol("carry"), xs))


def _fori_loop(bound: Bound, _: tuple[Value, ...]) -> Value | None:
    function = bound.get("body")
    return _loop_body(function, (Symbol("i"), Symbol("carry"))) if isinstance(function, Function) else None


SPECIAL: dict[str, Special] = {
    "minimum": _extremum("min"),
    "maximum": _extremum("max"),
    "norm": _norm,
    "normalize": _normalize,
    "masked_fill": _masked_fill,
    "einsum": _einsum,
    "einops_einsum": _einops_einsum,
    "einops_reduce": _einops_reduce,
    "transpose": _transpose,
    "permute": _permute,
    "cat": _cat,
    "lookup": _lookup,
    "average": _average,
    "clip": _clip,
    "log": _log,
    "sum": _sum,
    "linear": _linear,
    "kl_div": _kl_div,
    "gradient": _gradient,
    "gradient_of": _gradient_of,
    "value_and_gradient": lambda bound, positional: _gradient_of(bound, positional, with_value=True),
    "call": _function_call,
    "scan": _scan,
    "fori_loop": _fori_loop,
    "zeros": lambda _bound, _positional: Filled(Fraction(0)),
    "ones": lambda _bound, _positional: Filled(Fraction(1)),
}
