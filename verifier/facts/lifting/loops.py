"""Loops that accumulate, as sums, products and extrema."""

from __future__ import annotations

import ast

from verifier.facts.lifting.terms import Value, as_number, expression, node, unnamed
from verifier.facts.scopes import tail
from verifier.model.expression import Apply, Expr, Number, Symbol


def unwrapped(source: ast.expr) -> ast.expr:
    """What a loop runs over, seen through counters and progress bars."""
    while (
        isinstance(source, ast.Call)
        and source.args
        and tail(source.func) in {"enumerate", "tqdm", "reversed", "iter", "list", "track"}
    ):
        source = source.args[0]
    return source


def accumulated(after: Expr, previous: Symbol, before: Value | None, source: str) -> Expr | None:
    """What a loop has made of a name, when each turn adds to it, multiplies it or takes the larger of both; None otherwise.

    A mere count stays `previous`.

    Args:
        after: the name's term after one turn.
        previous: the symbol for what it held before that turn.
        before: what it held before the loop.
        source: what the loop runs over, as text.
    """
    start = None if before is None else unnamed(expression(before))
    for head, split, neutral in (("sum", _added, 0), ("prod", _multiplied, 1)):
        rest = split(unnamed(after), previous)
        if rest is not None and not contains(rest, previous):
            if isinstance(rest, Number):
                return previous
            whole = node(head, rest, axis=source)
            if start is None or as_number(start) == neutral:
                return whole
            return node("+" if head == "sum" else "*", start, whole)
    inner = unnamed(after)
    if (
        isinstance(inner, Apply)
        and inner.head in {"min", "max"}
        and len(inner.args) == 2
        and any(unnamed(arg) is previous for arg in inner.args)
    ):
        other = next(arg for arg in inner.args if unnamed(arg) is not previous)
        return None if contains(other, previous) else node(inner.head, other, axis=source)
    return None


def _added(term: Expr, previous: Symbol) -> Expr | None:
    """What a turn adds: `term` without `previous`, None when it is not `previous` plus something."""
    if not isinstance(term, Apply):
        return None
    if term.head == "+" and len(term.args) == 2:
        return _one_side(term, previous, "+", _added)
    if term.head == "-":
        left, right = term.args
        if unnamed(left) is previous:
            return node("neg", right)
        rest = _added(unnamed(left), previous)
        return None if rest is None else node("-", rest, right)
    if term.head == "where":
        return _in_one_branch(term, previous)
    return None


def _in_one_branch(term: Apply, previous: Symbol) -> Expr | None:
    for kept, changed in ((1, 2), (2, 1)):
        if unnamed(term.args[kept]) is previous:
            return _added(unnamed(term.args[changed]), previous)
    both = [_added(unnamed(arg), previous) for arg in term.args[1:]]
    return None if None in both else node("where", term.args[0], *(part for part in both if part is not None))


def _multiplied(term: Expr, previous: Symbol) -> Expr | None:
    if not isinstance(term, Apply):
        return None
    if term.head == "*" and len(term.args) == 2:
        return _one_side(term, previous, "*", _multiplied)
    if term.head == "/" and unnamed(term.args[0]) is previous:
        return node("reciprocal", term.args[1])
    return None


def _one_side(term: Apply, previous: Symbol, head: str, split: object) -> Expr | None:
    assert callable(split)
    left, right = term.args
    for side, other in ((left, right), (right, left)):
        if unnamed(side) is previous:
            return other
        rest: Expr | None = split(unnamed(side), previous)
        if rest is not None:
            return node(head, rest, other)
    return None


def contains(term: Expr, symbol: Symbol) -> bool:
    """Whether this very symbol stands in a term."""
    stack: list[Expr] = [term]
    while stack:
        part = stack.pop()
        if part is symbol:
            return True
        if isinstance(part, Apply):
            stack.extend(part.args)
    return False
