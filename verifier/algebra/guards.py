"""Guards: what code adds to a formula only to keep numbers in range, and papers leave out."""

from __future__ import annotations

import re
from fractions import Fraction

from verifier.algebra.terms import Term, add
from verifier.model.expression import Expr, Number, Symbol

TINY = Fraction(1, 10_000)
_EPSILON = re.compile(r"(^|[._])(eps|epsilon|EPS|EPSILON|tiny|_eps)\d*$")
GUARDING = frozenset({"max", "min", "clip", "floor", "ceil", "round", "floordiv", "where", "relu"})
_ROUNDED = frozenset({"floor", "ceil", "round"})


def unguarded(head: str, args: tuple[Term, ...]) -> Term | tuple[str, tuple[Term, ...]] | None:
    """An operation without its guard: the operand that is left, or another operation; None when it is no guard.

    Args:
        head: the operation.
        args: its operands, already without guards.
    """
    if head in ("max", "min") and len(args) > 1:
        kept = tuple([item for item in args if not is_epsilon(item) and not (head == "max" and _is_one(item))])
        if kept and len(kept) < len(args):
            return kept[0] if len(kept) == 1 else (head, kept)
    elif head == "clip" and is_epsilon(args[1]):
        return _clipped(args)
    elif head == "+":
        kept = tuple([item for item in args if not is_epsilon(item)])
        if kept and len(kept) < len(args):
            return add(kept)
    elif head in _ROUNDED:
        return args[0]
    elif head == "floordiv":
        return "/", args
    elif head == "where":
        return _where(args)
    return None


def is_epsilon(term: Term) -> bool:
    """Whether a term is a tiny positive number, or named so."""
    return (term.head == "num" and 0 < term.value <= TINY) or (term.head == "sym" and bool(_EPSILON.search(term.name)))


def _is_one(term: Term) -> bool:
    return term.head == "num" and 0 <= 1 - term.value <= TINY


def has_epsilon(expr: Expr) -> bool:
    """Whether a claim itself speaks of an epsilon, so that guards count."""
    if isinstance(expr, Number):
        return 0 < expr.value <= TINY
    if isinstance(expr, Symbol):
        return bool(_EPSILON.search(expr.name))
    return any(has_epsilon(item) for item in expr.args)


def _clipped(args: tuple[Term, ...]) -> Term | tuple[str, tuple[Term, ...]]:
    return args[0] if _is_one(args[2]) or (args[2].head == "num" and args[2].value > 1) else ("min", (args[0], args[2]))


def _where(args: tuple[Term, ...]) -> Term | None:
    """`where(d > 1e-9, n/d, 0)` is the quotient."""
    condition, yes, no = args
    if condition.head not in ("<", "==", "!=") or not any(item.head == "num" for item in condition.args):
        return None
    if no.head == "num" and (not no.value or is_epsilon(no)) and yes.head != "num":
        return yes
    return no if yes.head == "num" and not yes.value and no.head != "num" else None
