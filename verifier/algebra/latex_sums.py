"""Large operators: the index they bind falls off the names under them, and a sum divided by its length is a mean."""

from __future__ import annotations

from fractions import Fraction

from verifier.algebra.latex_tokens import GREEK_COMMANDS, Token
from verifier.algebra.printing import to_text
from verifier.model.expression import Apply, Expr, Number, Symbol

_ONE = Number(Fraction(1))
_SIZES = frozenset({"N", "M", "B", "n", "m"})


def unbound(head: str, lower: Token | None, upper: Expr | None, body: Expr) -> Expr:
    r"""A reduction over an index: `\sum_{i=1}^{N} f_i P_i` is `sum(f*P)`.

    Args:
        head: `sum` or `prod`.
        lower: what stands under the operator: `i`, `i=1`, `x \in B`.
        upper: what stands over it.
        body: the term it reduces.
    """
    tokens = [token for token in (lower.inside if lower and lower.kind == "group" else (lower,)) if token and token.kind != "end"]
    indices = _indices(tokens)
    size = to_text(upper) if upper is not None else _set(tokens)
    return Apply(head, (_renamed(body, indices),), axis=size)


def _indices(tokens: list[Token]) -> frozenset[str]:
    found: list[str] = []
    for token in tokens:
        if token.text in ("=", "in", "sim", "<", "neq", "ne", "le", "leq"):
            break
        if token.text != ",":
            found.append(GREEK_COMMANDS.get(token.text, token.text))
    return frozenset({*found, "".join(found)})


def _set(tokens: list[Token]) -> str:
    texts = [token.text for token in tokens]
    if "in" not in texts:
        return ""
    after = [text for text in texts[texts.index("in") + 1 :] if len(text) == 1]
    return f"|{after[0]}|" if after else ""


def _renamed(expr: Expr, indices: frozenset[str]) -> Expr:
    match expr:
        case Symbol(name):
            base, _, tail = name.rpartition("_")
            return Symbol(base) if base and tail in indices else expr
        case Apply(head, args, axis):
            base, _, tail = head.rpartition("_")
            return Apply(base if base and tail in indices else head, tuple(_renamed(item, indices) for item in args), axis)
    return expr


def averaged(left: Expr, right: Expr, *, quotient: bool = False) -> Expr | None:
    """A sum that is divided by its length, as a mean; None when it is none.

    Args:
        left: the factor before the sum, which may be `k/N`; or what the sum is divided by.
        right: the sum.
        quotient: whether `left` is what `right` is divided by.
    """
    if not (isinstance(right, Apply) and right.head == "sum"):
        return None
    if quotient:
        return _mean(_ONE, left, right)
    match left:
        case Apply("/", (above, below)):
            return _mean(above, below, right)
        case Apply("*", (first, Apply("/", (above, below)))):
            inner = _mean(above, below, right)
            return Apply("*", (first, inner)) if inner is not None else None
    return None


def _mean(above: Expr, below: Expr, total: Apply) -> Expr | None:
    rest = _without(below, total.axis)
    if rest is None:
        return None
    value: Expr = Apply("mean", total.args)
    body = total.args[0]
    if rest != _ONE and isinstance(body, Apply) and body.head == "sum":
        deeper = _mean(_ONE, rest, body)
        if deeper is not None:
            value, rest = Apply("mean", (deeper,)), _ONE
    if above != _ONE:
        value = Apply("*", (above, value))
    return value if rest == _ONE else Apply("/", (value, rest))


def _without(below: Expr, size: str) -> Expr | None:
    match below:
        case Symbol(name):
            return _ONE if name == size or (not size and name in _SIZES) else None
        case Apply("abs", (Symbol(name),)):
            return _ONE if size in ("", f"|{name}|") else None
        case Apply("*", (a, b)):
            if (rest := _without(a, size)) is not None:
                return b if rest == _ONE else Apply("*", (rest, b))
            if (rest := _without(b, size)) is not None:
                return a if rest == _ONE else Apply("*", (a, rest))
    return _ONE if size and to_text(below) == size else None
