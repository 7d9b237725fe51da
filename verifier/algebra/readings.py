"""Other readings of a claim: what papers write in one way and code computes in another, without being wrong.

An expected squared norm is estimated by a mean over batch and features alike; an expectation may be left to the caller, who averages over
the batch; the product of a transposed vector with a vector is the sum of the products of their elements, and such a sum is what `@` and
`dot` compute; the index that a sum runs over is another letter for the same quantities.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import reduce

from verifier.model.expression import Apply, Expr, Number, Symbol

_TWO = Number(Fraction(2))
_INDEXED = re.compile(r"(.+)_[a-z]")
_SUMS = frozenset({"sum", "mean", "prod"})


def readings(expr: Expr) -> tuple[Expr, ...]:
    """The other readings of a claimed expression, the nearest first; empty when there is none."""
    found: list[Expr] = [other for other in [_one_index(expr)] if other != expr]
    for reading in (_inner_products, _contraction, _swapped_contraction, _summed_products, _mean_squares, _left_to_the_caller):
        for base in (expr, *found):
            other = _mapped(base, reading)
            if other != expr and other not in found:
                found.append(other)
                break
    return tuple(found)


def _mapped(expr: Expr, rule: Callable[[Apply], Expr | None]) -> Expr:
    """An expression with a rule applied, from the outside in."""
    if not isinstance(expr, Apply):
        return expr
    return rule(expr) or Apply(expr.head, tuple(_mapped(item, rule) for item in expr.args), expr.axis)


def _one_index(expr: Expr) -> Expr:
    """The bound index of a sum called as the free one: `h_j` of `h_i / sum(h_j)` is the same quantity as `h_i`."""
    free = {found[1]: name for name in _symbols(expr, inside=False) if (found := _INDEXED.fullmatch(name))}
    bound = {found[1] for name in _symbols(expr, inside=True) if (found := _INDEXED.fullmatch(name))}
    names = {base: name for base, name in free.items() if base in bound}
    return _renamed(expr, names, inside=False) if names else expr


def _symbols(expr: Expr, *, inside: bool, within: bool = False) -> Iterator[str]:
    """The names of symbols inside of sums, or outside of all."""
    if isinstance(expr, Symbol) and within is inside:
        yield expr.name
    elif isinstance(expr, Apply):
        for item in expr.args:
            yield from _symbols(item, inside=inside, within=within or expr.head in _SUMS)


def _renamed(expr: Expr, names: dict[str, str], *, inside: bool) -> Expr:
    if isinstance(expr, Symbol):
        found = _INDEXED.fullmatch(expr.name)
        return Symbol(names[found[1]]) if inside and found and found[1] in names else expr
    if isinstance(expr, Apply):
        args = tuple(_renamed(item, names, inside=inside or expr.head in _SUMS) for item in expr.args)
        return Apply(expr.head, args, expr.axis)
    return expr


def _inner_products(expr: Apply) -> Expr | None:
    match _chain(expr):
        case (Apply("transpose", (a,)), *middle, b):
            return Apply("dot", (reduce(lambda left, right: Apply("@", (left, right)), middle, a), b))
    return None


def _contraction(expr: Apply) -> Expr | None:
    factors = _factors_of_sum(expr)
    return Apply("@", factors) if factors else None


def _swapped_contraction(expr: Apply) -> Expr | None:
    factors = _factors_of_sum(expr)
    return Apply("@", factors[::-1]) if factors else None


def _factors_of_sum(expr: Apply) -> tuple[Expr, ...]:
    """The two factors whose products are summed; empty when it is no such sum."""
    match expr:
        case Apply("sum", (Apply("*", (_, _) as factors),)) if not any(isinstance(item, Number) for item in factors):
            return factors
    return ()


def _summed_products(expr: Apply) -> Expr | None:
    match expr:
        case Apply("@", (left, right)) if not any(isinstance(side, Apply) for side in (left, right)):
            return Apply("sum", (Apply("*", (left, right)),))
    return None


def _chain(expr: Expr) -> tuple[Expr, ...]:
    """The factors of a matrix product."""
    return (*_chain(expr.args[0]), *expr.args[1:]) if isinstance(expr, Apply) and expr.head == "@" else (expr,)


def _mean_squares(expr: Apply) -> Expr | None:
    if expr.head != "E":
        return None
    return Apply("E", tuple(_mapped(item, _square) for item in expr.args))


def _square(expr: Apply) -> Expr | None:
    match expr:
        case Apply("**", (Apply("norm", (a,)), Number(value))) if value == 2:
            return Apply("**", (a, _TWO))
    return None


def _left_to_the_caller(expr: Apply) -> Expr | None:
    return expr.args[0] if expr.head == "E" else None
