"""Near misses: a claimed expression with one thing changed, and the words for what was changed.

When code computes the claim with one edit, the edit is the difference: a missing factor, another sign, a sum for a mean.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction

from verifier.algebra.printing import to_text
from verifier.model.expression import Apply, Expr, Number, Symbol

ANY_NUMBER = "any_number"
EXTRA = "extra_part"
ADDED = "added_part"
MAX_EDITS = 160
_ONE, _TWO, _HALF = Number(Fraction(1)), Number(Fraction(2)), Number(Fraction(1, 2))
_SWAPS: dict[str, tuple[str, ...]] = {
    "mean": ("sum",),
    "E": ("sum",),
    "sum": ("mean", "max", "prod"),
    "min": ("max",),
    "max": ("min",),
    "log": ("log10", "log2"),
    "log2": ("log", "log10"),
    "log10": ("log", "log2"),
    "sin": ("cos",),
    "cos": ("sin",),
    "relu": ("gelu", "silu", "abs", "tanh"),
    "gelu": ("relu", "silu"),
    "silu": ("relu", "gelu", "sigmoid"),
    "sigmoid": ("tanh", "softmax", "relu", "silu"),
    "tanh": ("sigmoid", "relu"),
    "softmax": ("sigmoid", "log_softmax", "exp"),
    "log_softmax": ("softmax",),
    "softplus": ("relu", "exp"),
    "exp": ("softplus", "sigmoid"),
    "var": ("std",),
    "std": ("var",),
    "cumprod": ("cumsum",),
    "cumsum": ("cumprod",),
    "prod": ("sum",),
    "argmax": ("argmin",),
    "argmin": ("argmax",),
    "floor": ("ceil", "round"),
    "ceil": ("floor", "round"),
}
_DROPPED = {
    "mean": "the mean is missing",
    "E": "the mean is missing",
    "sum": "the sum is missing",
    "sqrt": "the root is missing",
    "log": "the logarithm is missing",
    "exp": "the exponential is missing",
    "abs": "the absolute value is missing",
    "stopgrad": "stopgrad is missing",
    "transpose": "the transposition is missing",
    "relu": "relu is missing",
    "sigmoid": "the sigmoid is missing",
    "tanh": "tanh is missing",
    "softmax": "the softmax is missing",
    "clip": "the clip is missing",
    "norm": "the norm is missing",
    "neg": "the sign is opposite",
}
_NAMES = {"mean": "a mean", "E": "a mean", "sum": "a sum", "min": "a minimum", "max": "a maximum", "prod": "a product"}


@dataclass(frozen=True, slots=True)
class Edit:
    """A changed expression and how it differs from the claim, in words."""

    expr: Expr
    words: str


def edits(expr: Expr) -> tuple[Edit, ...]:
    """Every edit of an expression, those that keep most of it first; wildcards for numbers and extra parts come last."""
    changed = [*_uniform(expr), *_everywhere(expr, _changes), *_outside(expr)]
    changed.sort(key=lambda edit: -_size(edit.expr))
    wild = [*_everywhere(expr, _numbers), *_everywhere(expr, _extras)]
    return tuple((changed + wild)[:MAX_EDITS])


def _size(expr: Expr) -> int:
    return 1 + sum(_size(item) for item in expr.args) if isinstance(expr, Apply) else 1


def _uniform(expr: Expr) -> Iterator[Edit]:
    """One function exchanged for another wherever it stands, if that is more than once."""
    heads = [item.head for item in _operations(expr)]
    for head in sorted({head for head in heads if heads.count(head) > 1}):
        for other in _SWAPS.get(head, ()):
            yield Edit(_exchanged(expr, head, other, ()), f"{_named(other)} stands where the claim has {_named(head)}")
        if head == "norm":
            for extra, words in (
                (_ONE, "it is the L1 norm, not the L2 norm"),
                (Symbol("inf"), "it is the maximum norm, not the L2 norm"),
            ):
                yield Edit(_exchanged(expr, head, head, (extra,)), words)


def _operations(expr: Expr) -> Iterator[Apply]:
    if isinstance(expr, Apply):
        yield expr
        for item in expr.args:
            yield from _operations(item)


def _exchanged(expr: Expr, head: str, other: str, extra: tuple[Expr, ...]) -> Expr:
    if not isinstance(expr, Apply):
        return expr
    args = tuple(_exchanged(item, head, other, extra) for item in expr.args)
    if expr.head != head:
        return Apply(expr.head, args, expr.axis)
    return Apply(other, (args[0], *extra) if extra else args)


def _everywhere(expr: Expr, source: Callable[[Expr], Iterator[Edit]]) -> Iterator[Edit]:
    yield from source(expr)
    if isinstance(expr, Apply):
        for at, item in enumerate(expr.args):
            for edit in _everywhere(item, source):
                yield Edit(Apply(expr.head, (*expr.args[:at], edit.expr, *expr.args[at + 1 :]), expr.axis), edit.words)


def _outside(expr: Expr) -> Iterator[Edit]:
    yield Edit(Apply("neg", (expr,)), "the sign is opposite")
    yield Edit(Apply("sqrt", (expr,)), "a root is taken of it")
    yield Edit(Apply("**", (expr, _TWO)), "it is squared")
    yield Edit(Apply("log", (expr,)), "a logarithm is taken of it")
    yield Edit(Apply("sum", (expr,)), "a sum is taken of it")
    yield Edit(Apply("/", (_ONE, expr)), "it is inverted")
    yield Edit(Apply("-", (_ONE, expr)), "it is subtracted from 1")
    yield Edit(Apply("*", (Symbol(ANY_NUMBER), expr)), f"there is an extra factor {{{ANY_NUMBER}}}")


def _named(head: str) -> str:
    return _NAMES.get(head, head)


def _changes(expr: Expr) -> Iterator[Edit]:
    if not isinstance(expr, Apply):
        return
    head, args = expr.head, expr.args
    for other in _SWAPS.get(head, ()):
        if len(args) == 1 or other in ("min", "max"):
            yield Edit(Apply(other, args), f"{_named(other)} stands where the claim has {_named(head)}")
    if head in _DROPPED and args:
        yield Edit(args[0], _DROPPED[head])
    yield from _operators(expr)
    yield from _roots(expr)
    yield from _special(expr)


def _operators(expr: Apply) -> Iterator[Edit]:
    match expr:
        case Apply("-", (a, b)):
            yield Edit(Apply("+", (a, b)), f"the term {to_text(b)} has the opposite sign")
            yield Edit(Apply("-", (b, a)), f"the operands are swapped: {to_text(Apply('-', (b, a)))}")
            yield from _terms(a, b, Apply("neg", (b,)))
        case Apply("+", (a, b)):
            yield Edit(Apply("-", (a, b)), f"the term {to_text(b)} has the opposite sign")
            yield Edit(Apply("-", (b, a)), f"the term {to_text(a)} has the opposite sign")
            yield from _terms(a, b, b)
        case Apply("*", (a, b)):
            yield Edit(a, f"the factor {to_text(b)} is missing")
            yield Edit(b, f"the factor {to_text(a)} is missing")
            yield Edit(Apply("/", (a, b)), f"it is divided by {to_text(b)} where the claim multiplies")
            yield Edit(Apply("/", (b, a)), f"it is divided by {to_text(a)} where the claim multiplies")
        case Apply("/", (a, b)):
            yield Edit(a, f"the division by {to_text(b)} is missing")
            yield Edit(Apply("*", (a, b)), f"it is multiplied by {to_text(b)} where the claim divides")
            yield Edit(Apply("/", (b, a)), "numerator and denominator are swapped")
        case Apply("@" | "KL" as head, (a, b)):
            yield Edit(Apply(head, (b, a)), f"the operands of {head} are swapped")


def _terms(left: Expr, right: Expr, without_left: Expr) -> Iterator[Edit]:
    """A sum with a term dropped; where a mere number is left, rather its whole factor is missing."""
    if not isinstance(left, Number):
        yield Edit(left, f"the term {to_text(right)} is missing")
    if not isinstance(right, Number):
        yield Edit(without_left, f"the term {to_text(left)} is missing")


def _roots(expr: Apply) -> Iterator[Edit]:
    match expr:
        case Apply("**", (a, Number(value) as n)):
            yield Edit(a, f"the exponent {to_text(n)} is missing")
            for other in (Fraction(1, 2), Fraction(2), Fraction(3), Fraction(-1, 2), Fraction(-1)):
                if other != value:
                    exponent = Number(other)
                    yield Edit(Apply("**", (a, exponent)), f"the exponent is {to_text(exponent)}, not {to_text(n)}")
            if value == 2:
                yield Edit(Apply("abs", (a,)), "an absolute value stands where the claim has a square")
            if isinstance(a, Apply) and a.head in ("mean", "sum", "E"):
                inner = Apply(a.head, (Apply("**", (a.args[0], n)),))
                yield Edit(inner, f"the power is taken inside {_named(a.head)}, not outside")
        case Apply("**", (a, exponent)):
            yield Edit(a, f"the exponent {to_text(exponent)} is missing")
            yield Edit(Apply("**", (a, Apply("neg", (exponent,)))), f"the exponent {to_text(exponent)} has the opposite sign")
        case Apply("mean" | "sum" | "E" as head, (Apply("**", (a, n)),)):
            yield Edit(Apply("**", (Apply(head, (a,)), n)), f"the power is taken outside {_named(head)}, not inside")
        case Apply("abs", (a,)):
            yield Edit(Apply("**", (a, _TWO)), "a square stands where the claim has an absolute value")
        case Apply("norm", (a,)):
            yield Edit(Apply("norm", (a, _ONE)), "it is the L1 norm, not the L2 norm")
            yield Edit(Apply("**", (expr, _TWO)), "the norm is squared")
            yield Edit(Apply("norm", (a, Symbol("inf"))), "it is the maximum norm, not the L2 norm")
            yield Edit(
                Apply("sqrt", (Apply("mean", (Apply("**", (a, _TWO)),)),)),
                "the mean of squares stands where the claim has their sum",
            )
            yield Edit(Apply("mean", (Apply("abs", (a,)),)), "the mean absolute value stands where the claim has the norm")
        case Apply("norm", (a, p)):
            yield Edit(Apply("norm", (a,)), f"it is the L2 norm, not of order {to_text(p)}")


def _special(expr: Apply) -> Iterator[Edit]:
    match expr:
        case Apply("**", (Apply("norm", (a,)), Number(value))) if value == 2:
            yield Edit(Apply("mean", (Apply("**", (a, _TWO)),)), "the mean of squares stands where the claim has their sum")
        case Apply("sqrt", (Apply("+", (a, eps)),)):
            yield Edit(Apply("+", (Apply("sqrt", (a,)), eps)), f"{to_text(eps)} is added outside the root, not inside")
        case Apply("+", (Apply("sqrt", (a,)), eps)):
            yield Edit(Apply("sqrt", (Apply("+", (a, eps)),)), f"{to_text(eps)} is added inside the root, not outside")
        case Apply("clip", (x, low, high)):
            yield Edit(Apply("max", (x, low)), f"the upper bound {to_text(high)} of the clip is missing")
            yield Edit(Apply("min", (x, high)), f"the lower bound {to_text(low)} of the clip is missing")
            yield Edit(Apply("clip", (x, Symbol(ANY_NUMBER), high)), f"the lower bound of the clip is {{{ANY_NUMBER}}}")
            yield Edit(Apply("clip", (x, low, Symbol(ANY_NUMBER))), f"the upper bound of the clip is {{{ANY_NUMBER}}}")
        case Apply("min" | "max", (a, b)):
            yield Edit(a, f"the bound {to_text(b)} is missing")
            yield Edit(b, f"the bound {to_text(a)} is missing")
        case Apply("where", (c, a, b)):
            yield Edit(Apply("where", (c, b, a)), "the branches are swapped")
        case Apply("stopgrad", (a,)):
            yield Edit(a, "stopgrad is missing")


def _numbers(expr: Expr) -> Iterator[Edit]:
    if isinstance(expr, Number):
        yield Edit(Symbol(ANY_NUMBER), f"{{{ANY_NUMBER}}} stands where the claim has {to_text(expr)}")


def _extras(expr: Expr) -> Iterator[Edit]:
    if not isinstance(expr, Apply):
        return
    if expr.head in ("+", "-"):
        yield Edit(Apply("+", (expr, Symbol(EXTRA))), f"there is an extra term {{{EXTRA}}}")
        yield Edit(Apply("-", (expr, Symbol(EXTRA))), f"there is an extra term -{{{EXTRA}}}")
        for at, item in enumerate(expr.args):
            args = (*expr.args[:at], Apply("*", (item, Symbol(EXTRA))), *expr.args[at + 1 :])
            yield Edit(Apply(expr.head, args), f"the term {to_text(item)} has an extra factor {{{EXTRA}}}")
    if expr.head in ("+", "-", "*", "/"):
        for at, item in enumerate(expr.args):
            if not isinstance(item, Number):
                args = (*expr.args[:at], Apply("**", (item, Symbol(EXTRA))), *expr.args[at + 1 :])
                yield Edit(Apply(expr.head, args), f"{to_text(item)} is raised to the power {{{EXTRA}}}")
                if expr.head in ("*", "/"):
                    args = (*expr.args[:at], Apply("+", (item, Symbol(ADDED))), *expr.args[at + 1 :])
                    yield Edit(Apply(expr.head, args), f"{{{ADDED}}} is added to {to_text(item)}")
    if expr.head in ("mean", "sum", "E", "log", "exp", "sqrt", "sigmoid", "softmax", "softplus", "tanh", "relu"):
        (x,) = expr.args
        yield Edit(Apply(expr.head, (Apply("*", (x, Symbol(EXTRA))),)), f"there is an extra factor {{{EXTRA}}} in {expr.head}")
        yield Edit(Apply(expr.head, (Apply("+", (x, Symbol(EXTRA))),)), f"there is an extra term {{{EXTRA}}} in {expr.head}")
