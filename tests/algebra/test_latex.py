from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from verifier.algebra.latex import parse_latex
from verifier.algebra.printing import to_text
from verifier.errors import FormulaError


@pytest.mark.parametrize(
    ("latex", "text"),
    [
        (r"\sqrt{\bar{\alpha}_t}\, x_0", "sqrt(alpha_bar_t)*x_0"),
        (r"\frac{1}{2}\left(a - b\right)^2", "1/2*(a - b)**2"),
        (r"\frac12 x", "1/2*x"),
        (
            r"\mathbb{E}_{t, \epsilon}\left[\| \epsilon - \epsilon_\theta(x_t, t) \|_2^2\right]",
            "E(norm(epsilon - epsilon_theta(x_t, t))**2)",
        ),
        (r"-\frac{1}{N}\sum_{i=1}^{N} \log p(y_i \mid x_i)", "-mean(log(p(y, x)))"),
        (r"\frac{1}{|\mathcal{B}|}\sum_{x \in \mathcal{B}} f(x)", "mean(f(x))"),
        (r"\frac{1}{2N}\sum_{i=1}^N (y_i - x_i)^2", "mean((y - x)**2)/2"),
        (r"\sum_j f_j P_j", "sum(f*P)"),
        (r"D_{\mathrm{KL}}(q \,\|\, p)", "KL(q, p)"),
        (r"\mathrm{KL}(q || p)", "KL(q, p)"),
        (r"\operatorname{softmax}(QK^\top/\sqrt{d})V", "softmax(Q @ transpose(K)/sqrt(d)) @ V"),
        (r"x^\top y", "transpose(x) @ y"),
        (r"\frac{\partial^2 u}{\partial x^2}", "grad(grad(u, x), x)"),
        (r"\theta - \eta \nabla_\theta L(\theta)", "theta - eta*grad(L(theta), theta)"),
        (r"\begin{cases} x & \text{if } x > 0 \\ a x & \text{otherwise} \end{cases}", "where(x > 0, x, a*x)"),
        (r"\mathrm{sg}[z] - e", "stopgrad(z) - e"),
        (r"\mathbb{1}[y = k]", "indicator(y == k)"),
        (r"[m - x]_+", "relu(m - x)"),
        (r"\log_2 x + \log_{10} y + \ln z + \log w", "log2(x) + log10(y) + log(z) + log(w)"),
        (r"e^{-\lambda t}", "exp(-lambda*t)"),
        (r"\lfloor a n \rfloor + \lceil b \rceil", "floor(a*n) + ceil(b)"),
        (r"\|x\|_1 / \lVert y \rVert_\infty", "norm(x, 1)/norm(y, inf)"),
        (r"|x - y|^2", "abs(x - y)**2"),
        (r"\alpha (1 - x)", "alpha*(1 - x)"),
        (r"f(1 - x)", "f(1 - x)"),
        (r"\hat{x}^{(i)} w'", "x_hat_i*w'"),
        (r"x_{t+1} - x_{t-1}", "x_tp1 - x_tm1"),
        (r"\arg\max_a Q(s, a) + \max_a Q(s, a)", "argmax(Q(s, a)) + max(Q(s, a))"),
        (r"\max\{0, x\}", "max(0, x)"),
        (r"\beta_1^t", "beta_1**t"),
        (r"\Delta t \cdot v", "Delta_t*v"),
        (r"\sigma(x)", "sigma(x)"),
        (r"\sqrt[3]{x}", "x**(1/3)"),
        (r"\langle p, z \rangle", "dot(p, z)"),
        (r"a \odot b \times c", "a*b*c"),
    ],
)
def test_reads(latex: str, text: str) -> None:
    assert to_text(parse_latex(latex).rhs) == text


def test_definitions_and_environments() -> None:
    formula = parse_latex(r"\begin{equation}\mathcal{L}_{\text{simple}}(\theta) := x.\end{equation}")
    assert (formula.name, to_text(formula.rhs)) == ("L_simple", "x")
    assert parse_latex(r"\xi \leftarrow \tau \xi + (1-\tau)\theta").name == "xi"


@pytest.mark.parametrize(
    ("latex", "word"),
    [
        (r"\int x", r"\int"),
        (r"a \pm b", r"\pm"),
        (r"\foo{x}", r"\foo"),
        (r"a \otimes b", r"\otimes"),
        (r"n!", "factorial"),
        (r"a/bc", "divided"),
        (r"\frac{a", "closed"),
        (r"\log_3 x", "base"),
        (r"\|x\|_{A}", "norm"),
        (r"a = b = c", "second"),
        (r"x \in \mathbb{R}", r"\in"),
        (r"\nabla f", "subscript"),
        (r"a \text{ if } b", "if"),
        ("", "ends"),
    ],
)
def test_refuses_by_name(latex: str, word: str) -> None:
    with pytest.raises(FormulaError) as caught:
        parse_latex(latex)
    assert word in str(caught.value)


_pieces = [
    r"\frac",
    "{",
    "}",
    "a",
    "x_t",
    "^2",
    "(",
    ")",
    r"\log",
    r"\sum_i",
    "+",
    "-",
    "=",
    r"\left|",
    r"\right|",
    r"\|",
    "1",
    r"\hat",
    ",",
    r"\bar{x}",
    "|",
]


@settings(max_examples=300, deadline=None)
@given(st.lists(st.sampled_from(_pieces), max_size=12))
def test_anything_is_read_or_refused(pieces: list[str]) -> None:
    with suppress(FormulaError):
        parse_latex(" ".join(pieces))
