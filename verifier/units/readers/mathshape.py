"""Shapes of expressions that papers write without saying: products of matrices, powers in an index, means as sums."""

from __future__ import annotations

import re
from fractions import Fraction

from verifier.model.expression import Apply, Expr, Number, Symbol
from verifier.units.readers.mathlex import Piece, identifier

_UNSIGNED = "unsigned"
_MATRICES = frozenset("Phi Psi Sigma Lambda Theta Omega Pi Gamma Delta".split())
_POWERED = frozenset("gamma γ lambda λ rho ρ e beta β alpha α".split())
_POWER = re.compile(r"\^(?:\{?)([a-zτ](?:/2)?|\{[a-z](?:[-+]1)?\})(?:\}?)$")
_INVERSE = re.compile(r"\^\{[-−]1\}$")
_DIFFERENTIAL = re.compile(r"d(?:[a-zτωμ]|tau|omega|mu)(?:_\w+)?")
_NUMBER = re.compile(r"\^\{?(-?\d+(?:/\d+)?)\}?$")
_TRANSPOSED = re.compile(r"\^\{?(?:T|⊤|top)\}?$")


def indexed(piece: Piece) -> Expr:
    """A symbol with its superscript: `x^2` is a power, `A^T` transposed, `A^{-1}` inverse, `gamma^t` a power; `x^{(i)}` is a name."""

    def base(match: re.Match[str]) -> Symbol:
        return Symbol(identifier(piece.text + piece.index[: match.start()]))

    if (match := _POWER.search(piece.index)) and piece.text in _POWERED:
        return Apply("**", (base(match), Symbol(identifier(match[1]))))
    if match := _INVERSE.search(piece.index):
        return Apply("inverse", (base(match),)) if is_matrix(base(match)) else Apply("**", (base(match), Number(Fraction(-1))))
    if match := _NUMBER.search(piece.index):
        return Apply("**", (base(match), Number(Fraction(match[1]))))
    if match := _TRANSPOSED.search(piece.index):
        return Apply("transpose", (base(match),))
    return Symbol(identifier(piece.text + piece.index))


def integrand(expr: Expr) -> Expr | None:
    """What stands before the differentials of a product: `f*dx*dt` is an integral of `f`; None when none stands there."""
    if not isinstance(expr, Apply) or expr.head not in ("*", "@") or len(expr.args) != 2:
        return None
    left, right = expr.args
    if isinstance(right, Symbol) and _DIFFERENTIAL.fullmatch(right.name):
        return integrand(left) or left
    return None


def is_inverse_call(piece: Piece) -> bool:
    """Whether a name before a bracket is an inverse function: `F^{-1}(x)`."""
    return bool(_INVERSE.search(piece.index))


def is_matrix(base: Expr) -> bool:
    """Whether an inverse is meant: a capital, or a bracket with a capital in it."""
    if isinstance(base, Symbol):
        return base.name[:1].isupper() and len(base.name.split("_")[0]) == 1
    return isinstance(base, Apply) and base.head in "+-*@" and any(is_matrix(item) for item in base.args)


def joined(left: Expr, right: Expr) -> Expr:
    """A product without a sign: of matrices where one shows (`Q K^T`, `softmax(A) V`); input times weight (`X W`) is one projection."""
    if isinstance(left, Symbol) and isinstance(right, Symbol) and left.name[:1].isupper():
        if right.name == "W" or right.name.startswith(("W_", "Theta")):
            return Symbol(f"{left.name}_{right.name}")
    matrices = any(isinstance(item, Apply) and item.head in ("transpose", "inverse", "softmax", "@") for item in (left, right))
    return Apply("@" if matrices else "*", (left, right), axis="" if matrices else _UNSIGNED)


def tidy(expr: Expr) -> Expr:
    """`1/n` times a sum up to n is a mean; where one product is of matrices, products without sign of capitals are; bounds are dropped."""
    return _tidied(expr, _has_matrices(expr))


def _has_matrices(expr: Expr) -> bool:
    return isinstance(expr, Apply) and (
        expr.head in ("inverse", "transpose", "@") or any(_has_matrices(item) for item in expr.args)
    )


def _is_capital(expr: Expr) -> bool:
    """Whether an expression may be a matrix: a capital, a capital Greek name, or a product that starts with one."""
    if isinstance(expr, Symbol):
        base = expr.name.split("_")[0]
        return base in _MATRICES or (len(base) == 1 and base.isupper())
    return isinstance(expr, Apply) and expr.head in ("*", "@") and _is_capital(expr.args[0])


def _tidied(expr: Expr, matrices: bool) -> Expr:
    if not isinstance(expr, Apply):
        return expr
    if matrices and expr.axis == _UNSIGNED and _is_capital(expr.args[0]):
        expr = Apply("@", expr.args)
    inner = _averaged(expr)
    if inner is not None:
        return Apply("mean", (_tidied(inner, matrices),))
    return Apply(expr.head, tuple(_tidied(item, matrices) for item in expr.args))


def _averaged(expr: Apply) -> Expr | None:
    """What is averaged by `(1/n) * sum^n` or `sum^n / n`; None when nothing is."""
    if expr.head == "*" and len(expr.args) == 2:
        count, total = expr.args
        if isinstance(count, Apply) and count.head == "/" and count.args[0] == Number(Fraction(1)):
            return _summed(total, count.args[1])
    return _summed(expr.args[0], expr.args[1]) if expr.head == "/" and len(expr.args) == 2 else None


def _summed(total: Expr, count: Expr) -> Expr | None:
    if isinstance(total, Apply) and total.head == "sum" and isinstance(count, Symbol):
        if total.axis in ("", count.name) and len(count.name.split("_")[0]) <= 1:
            return total.args[0]
    return None
