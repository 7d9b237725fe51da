from __future__ import annotations

import pytest

from tests.units.readers.reading import entities, formulas, leaves, rule
from verifier.algebra.language import parse
from verifier.algebra.printing import to_text
from verifier.model.check import FormulaCheck, ValueCheck
from verifier.units.readers.mathtext import read_expression


@pytest.mark.parametrize(
    ("paper", "language"),
    [
        ("a_{i-1} + (h_i*w_i / sum_j(h_j*w_j)) * a_max", "a_i_m1 + h_i*w_i/sum(h_j*w_j)*a_max"),
        ("||x - y||_2^2 + |r|", "norm(x - y)**2 + abs(r)"),
        ("(1/K) * sum_{k=1}^K v_k", "mean(v_k)"),
        ("-sum_i p_i * log p_i", "-sum(p_i*log(p_i))"),
        ("softmax(Q K^T / sqrt(d_k)) V", "softmax(Q @ transpose(K)/sqrt(d_k)) @ V"),
        ("E_t[min(r_t*A_t, clip(r_t, 1-e, 1+e)*A_t)]", "E(min(r_t*A_t, clip(r_t, 1 - e, 1 + e)*A_t))"),
        ("r - beta * KL(p || q)", "r - beta*KL(p, q)"),
        ("1/(1+e^{-x})", "1/(1 + exp(-x))"),
        ("√(1 − α) · ε", "sqrt(1 - α)*ε"),
        ("(I - A P)^{-1} b", "inverse(I - A @ P) @ b"),
        ("Σ_t γ^t r_t", "sum(γ**t*r_t)"),
        ("|r + γ·max_{a'}Q(s',a') - Q(s,a)|", "abs(r + γ*max(Q_s_prime_a_prime) - Q_s_a)"),
        ("x/2σ^2", "x/(2*σ**2)"),
    ],
)
def test_reads_the_mathematics_of_papers(paper: str, language: str) -> None:
    reading = read_expression(paper, 0)
    assert reading is not None
    assert to_text(reading.expr) == language
    parse(language)


@pytest.mark.parametrize("paper", ["integral_D f", "{x: f(x) > 0}", "the mean of x", "||x", "sum_i"])
def test_refuses_what_it_cannot_say(paper: str) -> None:
    reading = read_expression(paper, 0)
    assert reading is None or to_text(reading.expr).isidentifier()


def test_prose_ends_a_formula() -> None:
    assert "w_t = 0.5*(1 + cos(pi*t/T))" in [
        text.replace("1/2", "0.5") for text in formulas("w_t = 0.5 * (1 + cos(pi * t / T)) where T is the horizon")
    ]


def test_a_squared_norm_may_be_a_mean_of_squares() -> None:
    assert "L = mean((f_x - y)**2)" in formulas("L = ||f(x) - y||^2 for each sample")


def test_a_sum_of_losses_gives_a_check_for_each() -> None:
    assert len(rule("L = ||a - b||^2 + ||c - d||^2 + w * G", "D2").checks) == 2


def test_an_objective_that_is_maximised_may_be_a_negative_loss() -> None:
    assert any(
        text.endswith("-mean(log(p_x) - c/2)") or "-mean" in text
        for text in formulas("maximize the objective J = E[log p(x) - c/2]")
    )


def test_symbols_take_their_meaning_from_the_prose() -> None:
    (check,) = [
        leaf
        for leaf in leaves("L = N * sum_i f_i * P_i, where f_i is the token fraction", "D2")
        if isinstance(leaf, FormulaCheck)
    ]
    assert ("f_i", ("token fraction", "fraction")) in check.symbols


def test_sigma_is_the_sigmoid_where_the_claim_says_so() -> None:
    assert "G = Y*sigmoid(X_W_g)" in formulas("G = Y ⊙ σ(X W_g) with a sigmoid gate")


@pytest.mark.parametrize("claim", ["y = f(x)", "K=4096", "d = a - b", "OLMO-1B-7B from scratch"])
def test_too_little_structure_gives_no_formula(claim: str) -> None:
    assert formulas(claim) == []


def test_a_simple_formula_with_a_telling_name_is_present() -> None:
    assert "ExpertCoactivation" in entities("ExpertCoactivation(i, j) = N_{i,j} / N_i over all tokens", "D2")


@pytest.mark.parametrize(
    ("claim", "formula"),
    [
        ("J = integral_D |u(T, x) - v(x)|^2 dx + 3 * integral_D |f(x)|^2 dx", "mean(abs(u_T_x - v_x)**2)"),
        ("D(p, q) = ∫_0^1 |p(x) - q(x)|^3 dx", "D_p_q = mean(abs(p_x - q_x)**3)"),
    ],
)
def test_an_integral_may_be_a_mean(claim: str, formula: str) -> None:
    assert formula in formulas(claim)


def test_a_bound_of_theory_is_no_formula() -> None:
    claim = "the constant satisfies L <= 4 * sqrt(log(H) * (T + d)) / kappa for all kernels"
    assert formulas(claim) == []


def test_what_stands_below_a_slash_names_no_formula() -> None:
    assert all(not text.startswith("sqrt") for text in formulas("y_n / sqrt(1 - tau) = x / sqrt(1 - s) + v * exp(-t) / 3"))


@pytest.mark.parametrize(
    "claim",
    ["the operator has eigenvalue 0 for eigenvector 1", "with tau in (0, 1) and sigma >= 0", "for n = -1, ..., N and i = 1..M"],
)
def test_limits_and_ranges_of_symbols_are_no_settings(claim: str) -> None:
    assert not any(isinstance(leaf, ValueCheck) for leaf in leaves(claim, "D2"))


def test_a_symbol_with_a_gloss_names_its_formula() -> None:
    assert "N = 2*T/K" in formulas("N (steps per round) = 2T / K")


def test_a_slash_between_settings_divides_nothing() -> None:
    assert formulas("Tiny: batch_size=64/lr=2e-5; Large: batch_size=32/lr=1e-5") == []
    assert "N = 2*T/K" in formulas("the number of steps N = 2T/K = 40")
