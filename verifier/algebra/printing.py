"""Expressions as text: in the notation of unit files, and in LaTeX."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from verifier.algebra.heads import COMPARISONS, LOGIC
from verifier.model.expression import Apply, Expr, Number, Symbol

_LOOSE, _SUM, _PRODUCT, _SIGN, _POWER, _ATOM = range(6)
MAX_LENGTH = 400


def to_text(expr: Expr) -> str:
    """The expression in the notation of unit files, with no more parentheses than needed.

    Long ones are cut in the middle at 400 characters.
    """
    text = _text(expr)[0]
    return text if len(text) <= MAX_LENGTH else f"{text[: MAX_LENGTH // 2]} ... {text[-MAX_LENGTH // 2 + 5 :]}"


def number_text(value: Fraction) -> str:
    """A number as a plain short decimal where that is exact, else as a quotient."""
    if value.denominator == 1:
        return str(value.numerator) if abs(value) < 10**15 else repr(float(value)) if abs(value) < 10**300 else str(value)
    decimal = repr(float(value))
    return decimal if Fraction(decimal) == value and len(decimal) <= 12 else f"{value.numerator}/{value.denominator}"


def _wrap(expr: Expr, level: int) -> str:
    text, own = _text(expr)
    return text if own >= level else f"({text})"


def _text(expr: Expr) -> tuple[str, int]:
    if isinstance(expr, Number):
        text = number_text(expr.value)
        return text, _SUM if expr.value < 0 else _PRODUCT if "/" in text else _ATOM
    if isinstance(expr, Symbol):
        return expr.name, _ATOM
    if expr.head == "named":
        return _text(expr.args[1])
    if (rule := _RULES.get(expr.head)) and expr.args:
        return rule(expr.head, expr.args)
    return f"{expr.head}({', '.join(_text(item)[0] for item in expr.args)})", _ATOM


def _plus(head: str, args: tuple[Expr, ...]) -> tuple[str, int]:
    return (_sum(args), _SUM) if len(args) > 1 else (f"{head}({_text(args[0])[0]})", _ATOM)


def _minus(_: str, args: tuple[Expr, ...]) -> tuple[str, int]:
    return f"{_wrap(args[0], _SUM)} - {_wrap(args[1], _PRODUCT)}", _SUM


def _times(head: str, args: tuple[Expr, ...]) -> tuple[str, int]:
    return (_product(args), _PRODUCT) if len(args) > 1 else (f"{head}({_text(args[0])[0]})", _ATOM)


def _quotient(_: str, args: tuple[Expr, ...]) -> tuple[str, int]:
    above, below = args
    if isinstance(above, Apply) and above.head == "neg":
        return f"-{_wrap(above.args[0], _PRODUCT)}/{_wrap(below, _POWER)}", _SUM
    return f"{_wrap(above, _PRODUCT)}/{_wrap(below, _POWER)}", _PRODUCT


def _matrix(_: str, args: tuple[Expr, ...]) -> tuple[str, int]:
    return " @ ".join(_wrap(item, _POWER if at else _PRODUCT) for at, item in enumerate(args)), _PRODUCT


def _opposite(_: str, args: tuple[Expr, ...]) -> tuple[str, int]:
    return f"-{_wrap(args[0], _PRODUCT)}", _SUM


def _lookup(_: str, args: tuple[Expr, ...]) -> tuple[str, int]:
    return f"{_wrap(args[0], _ATOM)}[{', '.join(_text(item)[0] for item in args[1:])}]", _ATOM


def _relation(head: str, args: tuple[Expr, ...]) -> tuple[str, int]:
    return f" {head} ".join(_wrap(item, _SUM) for item in args), _LOOSE


def _not(_: str, args: tuple[Expr, ...]) -> tuple[str, int]:
    return f"not {_wrap(args[0], _SUM)}", _LOOSE


def _negated(expr: Expr) -> Expr | None:
    """The expression without its leading minus; None when it has none."""
    match expr:
        case Number(value) if value < 0:
            return Number(-value)
        case Apply("neg", (inner,)):
            return inner
        case Apply("*", (Number(value), *rest)) if value < 0 and rest:
            if value == -1:
                return rest[0] if len(rest) == 1 else Apply("*", tuple(rest))
            return Apply("*", (Number(-value), *rest))
    return None


def _sum(args: tuple[Expr, ...]) -> str:
    ordered = sorted(args, key=lambda term: _negated(term) is not None and not isinstance(term, Number))
    text = _wrap(ordered[0], _SUM)
    for term in ordered[1:]:
        inner = _negated(term)
        text += f" - {_wrap(inner, _PRODUCT)}" if inner is not None else f" + {_wrap(term, _PRODUCT)}"
    return text


def _reciprocal(expr: Expr) -> Expr | None:
    """What a factor divides by; None when it is no quotient."""
    match expr:
        case Apply("**", (base, Number(value))) if value < 0:
            return base if value == -1 else Apply("**", (base, Number(-value)))
    return None


def _product(args: tuple[Expr, ...]) -> str:
    sign = ""
    first = args[0]
    if isinstance(first, Number) and first.value == -1:
        sign, args = "-", args[1:]
    below = [inner for item in args if (inner := _reciprocal(item)) is not None]
    above = [item for item in args if _reciprocal(item) is None]
    if (
        isinstance(first, Number)
        and abs(first.value) != 1
        and len(above) > 1
        and "/" in number_text(abs(first.value))
        and abs(first.value.numerator) == 1
    ):
        below.insert(0, Number(Fraction(first.value.denominator)))
        sign, above = "-" if first.value < 0 else "", above[1:]
    text = "*".join(_wrap(item, _PRODUCT if i == 0 and not sign else _SIGN) for i, item in enumerate(above)) or "1"
    if len(below) == 1:
        text += f"/{_wrap(below[0], _POWER)}"
    elif below:
        text += f"/({'*'.join(_wrap(item, _SIGN) for item in below)})"
    return sign + text


def _power(_: str, args: tuple[Expr, ...]) -> tuple[str, int]:
    base, exponent = args
    if isinstance(exponent, Number):
        half = Fraction(1, 2)
        if exponent.value == half:
            return f"sqrt({_text(base)[0]})", _ATOM
        if exponent.value == -half:
            return f"1/sqrt({_text(base)[0]})", _PRODUCT
        if exponent.value == -1:
            return f"1/{_wrap(base, _POWER)}", _PRODUCT
        if exponent.value < 0 and exponent.value.denominator == 1:
            return f"1/{_wrap(base, _ATOM)}**{-exponent.value}", _PRODUCT
    return f"{_wrap(base, _ATOM)}**{_wrap(exponent, _ATOM)}", _POWER


_RULES: dict[str, Callable[[str, tuple[Expr, ...]], tuple[str, int]]] = {
    **dict.fromkeys((*COMPARISONS, *sorted(LOGIC)), _relation),
    "+": _plus,
    "-": _minus,
    "*": _times,
    "/": _quotient,
    "@": _matrix,
    "neg": _opposite,
    "**": _power,
    "index": _lookup,
    "not": _not,
}
