"""Which expressions are equal, by normal form or by evaluation."""

import pytest

from verifier.algebra.evaluate import Evaluator
from verifier.algebra.language import parse_expression
from verifier.algebra.normal import Form, Normalizer


def same(left: str, right: str, *, gradients: bool = False) -> bool | None:
    normal = Normalizer(Form(gradients=gradients))
    return Evaluator().equal(normal(parse_expression(left)), normal(parse_expression(right)))


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("sqrt(1/n)", "1/sqrt(n)"),
        ("(a + b)**2", "a**2 + 2*a*b + b**2"),
        ("-log(sigmoid(x))", "log(1 + exp(-x))"),
        ("softplus(x) - x", "softplus(-x)"),
        ("mean(2*x + 1)", "1 + 2*mean(x)"),
        ("norm(x)**2", "sum(x*x)"),
        ("softmax(x)", "exp(x)/sum(exp(x))"),
        ("log_softmax(x)", "x - logsumexp(x)"),
        ("var(x)", "mean(x**2) - mean(x)**2"),
        ("sqrt(x**2)", "abs(x)"),
        ("clip(x, a, b)", "min(max(x, a), b)"),
        ("lerp(y, x, w)", "w*x + (1 - w)*y"),
        ("Q @ transpose(K)", "transpose(K @ transpose(Q))"),
        ("log2(x)", "log(x)/log(2)"),
        ("1 - sigmoid(x)", "sigmoid(-x)"),
        ("tanh(x)", "2*sigmoid(2*x) - 1"),
        ("where(abs(x) < k, 0.5*x**2, k*(abs(x) - 0.5*k))", "0.5*min(abs(x), k)**2 + k*(abs(x) - min(abs(x), k))"),
        ("mean(sum(x))", "sum(mean(x))"),
        ("gelu(x)", "0.5*x*(1 + erf(x/sqrt(2)))"),
        ("cumprod(1 - b)", "exp(cumsum(log(1 - b)))"),
        ("e**2", "exp(2)"),
        ("sqrt(8)", "2*sqrt(2)"),
        ("grad(2*u, x)", "2*grad(u, x)"),
    ],
)
def test_equal(left: str, right: str) -> None:
    assert same(left, right) is True


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("sum(x)", "mean(x)"),
        ("norm(x)", "norm(x, 1)"),
        ("2**-99", "2**-98"),
        ("sqrt(x + 1e-8)", "sqrt(x) + 1e-8"),
        ("sqrt(x**2)", "x"),
        ("max(a, b)", "min(a, b)"),
        ("Q @ transpose(K)", "K @ transpose(Q)"),
        ("log10(x)", "log(x)"),
        ("f(x) + 1", "f(x + 1)"),
        ("mean(sum(x))", "sum(x)"),
        ("sqrt(1 - a)", "sqrt(a - 1)"),
        ("min(r*A, clip(r, 1 - d, 1 + d)*A)", "min(r*A, clip(r, 2 - d, 1 + d)*A)"),
        ("clip(x, 0, 1)", "max(x, 0)"),
        ("stopgrad(x)*y", "x*y"),
    ],
)
def test_not_equal(left: str, right: str) -> None:
    assert same(left, right, gradients=True) is False


def test_what_is_never_defined_is_undecided() -> None:
    assert same("log(-exp(x))", "log(-exp(y))") is None


def test_a_scalar_leaves_a_mean() -> None:
    normal = Normalizer(Form())
    left, right = normal(parse_expression("b*mean(x)")), normal(parse_expression("mean(b*x)"))
    assert Evaluator().equal(left, right) is False
    assert Evaluator().equal(left, right, frozenset({"b"})) is True
