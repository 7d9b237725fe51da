"""Claims found in code: by hand-written pairs, and by random rewrites and mutations."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.algebra.rewriting import FORMULAS, mutated, nodes, renamed, rewritten
from verifier.algebra.code import Code, Context
from verifier.algebra.evaluate import Evaluator
from verifier.algebra.language import parse_expression
from verifier.algebra.matching import Claim, Match, Matcher
from verifier.algebra.normal import Form, Normalizer
from verifier.algebra.printing import to_text
from verifier.algebra.terms import Term, to_expr
from verifier.model.expression import Apply, Symbol

MATCHER = Matcher()


def anyone(name: str, term: Term) -> int:
    return 0


def found(claim: str, code: str, *, roots: bool = False) -> Match | None:
    return MATCHER.find(Claim(parse_expression(claim)), Code(parse_expression(code)), anyone, roots=roots)


@pytest.mark.parametrize(
    ("claim", "code"),
    [
        ("min(s, k)/s", "min(kept/(1 - kept), cap)/(kept/(1 - kept))"),
        ("lo + 0.5*(hi - lo)*(1 + cos(pi*t/T))", "0.5*(peak + floor_) + 0.5*(peak - floor_)*cos(pi*step/total)"),
        ("x*g/sqrt(mean(x**2) + d)", "h*rsqrt(mean(h**2) + self.eps)*self.scale"),
        ("W2(silu(W1(x))*W3(x))", "self.down(self.gate(h)*sigmoid(self.gate(h))*self.up(h))"),
        ("softmax(Q @ transpose(K)/sqrt(d)) @ V", "softmax((q*self.head_dim**(-0.5)) @ transpose(k)) @ v"),
        ("m*a + (1 - m)*b", "slow + (1 - decay)*(fast - slow)"),
        ("alpha*N*sum(f*P)", "sum(self.weight*self.count*(load*importance))"),
        ("mean((h - 1/(2*tau))**2)", "mean((chosen - rejected - 1/(2*beta))**2)"),
        ("grad(u, t) + u*grad(u, x)", "grad(net(x, t), t) + net(x, t)*grad(net(x, t), x)"),
        ("1 + log(s**2) - mu**2 - s**2", "1 + logvar - mean_**2 - exp(logvar)"),
        ("W @ x + b", "self.layer(x) + self.bias"),
        ("f(x) - y", "precomputed - label"),
        ("where(a < b, x, y)", "where(q < p, v, u)"),
    ],
)
def test_found(claim: str, code: str) -> None:
    assert found(claim, code) is not None


@pytest.mark.parametrize(
    ("claim", "code"),
    [
        ("mean((R - V)**2)", "0.5*mean((ret - val)**2)"),
        ("tau*a + (1 - tau)*b", "slow*m + fast"),
        ("norm(u - v)/norm(v)", "norm(p - q, 1)/norm(q, 1)"),
        ("alpha*N*sum(f*P)", "w*n*mean(load*importance)"),
        ("10*log10(p**2/m)", "10*log(peak**2/mse)"),
        ("a - b", "x + y"),
        ("exp(a)", "exp(-b)"),
        ("x**2", "mean(abs(y))"),
        ("softmax(x/sqrt(d))", "softmax(s/dim)"),
        ("stopgrad(a)*log(b)", "a*log(b)"),
    ],
)
def test_not_found(claim: str, code: str) -> None:
    assert found(claim, code) is None


def test_a_part_is_found_in_the_whole_but_not_under_a_sign_or_a_number() -> None:
    inside = found("mean((a - b)**2)", "pi_loss + c*mean((v - r)**2)")
    assert inside is not None
    assert inside.part.context is Context.INSIDE
    assert found("mean((a - b)**2)", "-mean((v - r)**2)") is None


def test_batch_means_count_only_when_the_claim_has_them() -> None:
    assert found("(a - b)**2", "mean((x - y)**2)") is not None
    assert found("mean((a - b)**2)", "(x - y)**2") is None


def test_stopgrad_counts_only_when_the_claim_has_it() -> None:
    assert found("(a - b)**2", "(stopgrad(x) - y)**2") is not None
    assert found("(stopgrad(a) - b)**2", "(x - stopgrad(y))**2") is not None


def test_a_named_constant_is_a_number_or_a_symbol() -> None:
    code = "sqrt(named(eps, 0.5) + mean(x**2))"
    assert found("sqrt(mean(x**2) + 0.5)", code) is not None
    match = found("sqrt(mean(x**2) + e0)", code)
    assert match is not None
    assert to_text(to_expr(match.binding.values["e0"])) == "eps"


@settings(max_examples=120, deadline=None)
@given(st.integers(min_value=0, max_value=10**9))
def test_rewrites_stay_equal(seed: int) -> None:
    random = Random(seed)
    text = random.choice([formula for formula in FORMULAS if "var(" not in formula])
    expr = parse_expression(text)
    names = _code_names(expr)
    code = rewritten(renamed(expr, names), random, random.randrange(1, 6))
    assert MATCHER.find(Claim(expr), Code(code), anyone) is not None, f"{text} | {to_text(code)}"


@settings(max_examples=120, deadline=None)
@given(st.integers(min_value=0, max_value=10**9))
def test_mutations_are_never_equal(seed: int) -> None:
    random = Random(seed)
    text = random.choice(FORMULAS)
    expr = parse_expression(text)
    wrong = mutated(expr, random)
    normal = Normalizer(Form(gradients=True))
    if Evaluator().equal(normal(expr), normal(wrong)) is not False:
        return
    names = _code_names(expr)
    hinted = {name: symbol for symbol, name in names.items()}

    def affinity(name: str, term: Term) -> int:
        return 3 if term.head == "sym" and hinted.get(term.name) == name else -1

    match = MATCHER.find(Claim(expr), Code(renamed(wrong, names)), affinity, roots=True)
    assert match is None, f"{text} | {to_text(wrong)}"


def _code_names(expr: Apply | object) -> dict[str, str]:
    symbols = sorted({item.name for _, item in nodes(expr) if isinstance(item, Symbol)} - {"pi"})  # type: ignore[arg-type]
    return {symbol: f"code_{at}" for at, symbol in enumerate(symbols)}
