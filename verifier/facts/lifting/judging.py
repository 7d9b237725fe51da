"""What closed terms are: whether they compute something, whether a condition is decided."""

from __future__ import annotations

from functools import lru_cache

from verifier.facts.lifting.terms import Call, Item, Member, Parameter, Value, unnamed
from verifier.lexicon.operators import operators
from verifier.model.expression import Apply, Expr, Number, Symbol

KNOWN = frozenset(
    "+ * - / neg ** @ sqrt rsqrt square reciprocal exp expm1 log log1p log2 log10 abs sign floor ceil round sin cos tan sinh cosh tanh asin"
    " acos atan erf sigmoid logsigmoid softplus relu silu gelu min max clip where lerp logaddexp atan2 mod floordiv sum mean prod var std"
    " logsumexp argmax argmin norm dot topk E trace det softmax log_softmax cumsum cumprod normalize transpose inverse grad stopgrad KL"
    " indicator < <= > >= == !=".split()
)
"""The heads that compute something known."""


def decided(condition: Value) -> bool | None:
    """Whether a closed condition on the configuration is known: flags, texts and `None` compared with one another."""
    if isinstance(condition, Symbol):
        return {"True": True, "False": False, "None": False}.get(condition.name)
    if not isinstance(condition, Apply):
        return None if isinstance(condition, Number) else True
    if condition.head == "not":
        inner = decided(condition.args[0])
        return None if inner is None else not inner
    if condition.head in {"==", "is", "!=", "is not"}:
        left, right = (unnamed(arg) for arg in condition.args)
        if _is_literal(left) and _is_literal(right):
            return (left == right) is (condition.head in {"==", "is"})
    return None


def _is_literal(term: Expr) -> bool:
    return isinstance(term, Number) or (
        isinstance(term, Symbol) and (term.name in {"True", "False", "None"} or term.name[:1] == "'")
    )


def computes(term: Expr) -> bool:
    """Whether a term is more than a name, a constant, a look-up or a call of something unknown."""
    inner = unnamed(term)
    return isinstance(inner, Apply) and inner.head in KNOWN


def computes_within(term: Expr) -> bool:
    """Whether a term computes something that has no name of its own yet, be it inside a call of something unknown."""
    stack = _results(term)
    while stack:
        part = stack.pop()
        if isinstance(part, Apply) and part.head != "named":
            if part.head in KNOWN or _joins(part):
                return True
            stack.extend(part.args)
    return False


def _joins(part: Apply) -> bool:
    """Whether a term joins several others."""
    return part.head == "cat" and len(part.args) > 1


def _results(term: Expr) -> list[Expr]:
    """A term, or each part of one that has several, without the names they go by."""
    inner = unnamed(term)
    if isinstance(inner, Apply) and inner.head in {"tuple", "layout"}:
        return [part for arg in inner.args for part in _results(arg)]
    return [inner]


def may_compute(term: Expr) -> bool:
    """Whether an open term may compute something once it is closed; a quick look, that errs on the side of yes."""
    stack = _results(term)
    while stack:
        part = stack.pop()
        if not isinstance(part, Apply) or part.head == "named":
            continue
        if part.head in KNOWN or _joins(part) or (isinstance(part, Call) and _may_be_found(part.callee)):
            return True
        stack.extend(part.args)
        if isinstance(part, Item):
            stack.append(unnamed(part.base))
    return False


def _may_be_found(callee: Value) -> bool:
    """Whether what is called may turn out to be known: a plain parameter, and a method of one, does not."""
    if isinstance(callee, Parameter):
        return callee.name == callee.scope.receiver
    if isinstance(callee, Member):
        return callee.key in _methods() or _may_be_found(unnamed(callee.base))
    return not (isinstance(callee, Apply) or type(callee) is Symbol)


@lru_cache(maxsize=1)
def _methods() -> frozenset[str]:
    return frozenset(operators().methods)
