"""Expressions as LaTeX."""

from __future__ import annotations

import pytest

from verifier.algebra.language import parse
from verifier.algebra.latex_printing import to_latex


@pytest.mark.parametrize(
    ("formula", "latex"),
    [
        ("a + b*c - d", r"a + b \cdot c - d"),
        ("(a + b)*c", r"\left(a + b\right) \cdot c"),
        ("a/(b + 1)", r"\frac{a}{b + 1}"),
        ("beta_1**2", r"\beta_{1}^{2}"),
        ("(x + y)**t", r"\left(x + y\right)^{t}"),
        ("sqrt(alpha_bar)", r"\sqrt{\alpha_{\mathrm{bar}}}"),
        ("mean(abs(x - y))", r"\mathbb{E}\left[ \left| x - y \right| \right]"),
        ("norm(x, 1)", r"\left\lVert x \right\rVert_{1}"),
        ("sum(p*log(p))", r"\sum p \cdot \log\left(p\right)"),
        ("softmax(Q @ transpose(K)) @ V", r"\mathrm{softmax}\left(Q K^\top\right) V"),
        ("min(r, inf)", r"\min\left(r, \infty\right)"),
        ("batch_size/2", r"\frac{\mathrm{batch\_size}}{2}"),
    ],
)
def test_latex(formula: str, latex: str) -> None:
    assert to_latex(parse(formula).rhs) == latex
