"""Equality of scalar expressions, with SymPy as an independent judge."""

from __future__ import annotations

import sympy
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from verifier.algebra.evaluate import Evaluator
from verifier.algebra.language import parse_expression
from verifier.algebra.normal import Form, Normalizer

NAMES = ("a", "b", "c")
SYMBOLS = {name: sympy.Symbol(name, real=True) for name in NAMES}
SCALARS = frozenset(NAMES)


def leaves() -> st.SearchStrategy[str]:
    return st.sampled_from([*NAMES, "2", "3", "1/2"])


def grown(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.one_of(
        st.tuples(inner, st.sampled_from(["+", "-", "*", "/"]), inner).map(lambda parts: f"({parts[0]} {parts[1]} {parts[2]})"),
        inner.map(lambda text: f"({text})**2"),
        inner.map(lambda text: f"sqrt(({text})**2)"),
        inner.map(lambda text: f"exp({text})"),
        inner.map(lambda text: f"log(1 + ({text})**2)"),
    )


EXPRESSIONS = st.recursive(leaves(), grown, max_leaves=5)


def judged(left: str, right: str) -> bool | None:
    normal = Normalizer(Form())
    return Evaluator().equal(normal(parse_expression(left)), normal(parse_expression(right)), SCALARS)


def difference(left: str, right: str) -> sympy.Expr:
    return sympy.sympify(left, SYMBOLS) - sympy.sympify(right, SYMBOLS)


@settings(max_examples=60, deadline=None)
@given(EXPRESSIONS)
def test_what_sympy_rewrites_stays_equal(text: str) -> None:
    value = sympy.sympify(text, SYMBOLS)
    assume(value.is_finite is not False and not value.has(sympy.zoo, sympy.nan, sympy.oo))
    rewritten = str(sympy.expand(value))
    assume("I" not in rewritten and "Abs" not in rewritten and "E" not in rewritten)
    assert judged(text, rewritten) is not False


@settings(max_examples=60, deadline=None)
@given(EXPRESSIONS, EXPRESSIONS)
def test_equal_means_equal_to_sympy(left: str, right: str) -> None:
    gap = difference(left, right)
    assume(not gap.has(sympy.zoo, sympy.nan, sympy.oo))
    if judged(left, right) is True:
        at = {SYMBOLS[name]: sympy.Rational(number, 7) for name, number in zip(NAMES, (3, 5, 11), strict=True)}
        assert abs(sympy.N(gap.subs(at), 30)) < sympy.Rational(1, 10**12)
