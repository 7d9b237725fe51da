"""The normal form: spellings of the same thing are one term."""

from __future__ import annotations

import pytest

from verifier.algebra.language import claimed, parse_expression
from verifier.algebra.normal import Form, Normalizer
from verifier.algebra.printing import to_text
from verifier.model.expression import Apply, Symbol


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("0.5*(a - b)*(1 + cos(p))", "(a - b)*(1 + cos(p))/2"),
        ("c*(-x - y)", "-c*(x + y)"),
        ("1 - sigmoid(x)", "sigmoid(-x)"),
        ("(a**b)**(-1)", "a**(-b)"),
        ("10000**(-2*i/d)", "exp(-log(10000)*2*i/d)"),
        ("softmax(x - max(x))", "softmax(x)"),
        ("sum(normalize(p)*normalize(q))", "sum(p*q)/(norm(p)*norm(q))"),
        ("KL(softmax(a), softmax(b))", "sum(softmax(a)*(log_softmax(a) - log_softmax(b)))"),
        ("floordiv(2*T, K)", "floor(2*T/K)"),
    ],
)
def test_one_term(one: str, other: str) -> None:
    normal = Normalizer(Form())
    assert normal(parse_expression(one)).key == normal(parse_expression(other)).key


def test_written_out_functions_keep_their_sums_when_reductions_do_not_count() -> None:
    normal = Normalizer(Form(reductions=False, elementary=True, expanded=True))
    assert normal(parse_expression("softmax(a)*log_softmax(a)")).symbols == {"a"}


def test_parts_with_a_name_count_as_that_name() -> None:
    expr = Apply("*", (Symbol("w"), Apply("named", (Symbol("soft"), parse_expression("T**2*kl")))))
    assert to_text(expr) == "w*(T**2*kl)"
    assert Normalizer(Form(shallow=True))(expr).symbols == {"w", "soft"}
    assert Normalizer(Form(kept=frozenset({"other"})))(expr).symbols == {"w", "T", "kl"}


@pytest.mark.parametrize(
    ("text", "declared", "told"),
    [
        ("pi + eta*g", ("pi",), "pi_ + eta*g"),
        ("2*pi*r", ("r",), "2*pi*r"),
        ("w*E(x)", ("E",), "w*E_(x)"),
        ("x - a*e", (), "x - a*e_"),
        ("e**(-x)", (), "e**(-x)"),
    ],
)
def test_symbols_are_told_from_constants(text: str, declared: tuple[str, ...], told: str) -> None:
    assert to_text(claimed(parse_expression(text), declared)) == told
