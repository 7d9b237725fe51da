"""How long the equality of two formulas takes, once both are lifted: `python -m benchmarks.equality`.

Pairs of typical formulas, equal and unequal, are brought into normal form and compared, each in a fresh evaluator and in one that has
seen them before. Prints the median and the 99th percentile in milliseconds, and how many pairs were told right.
"""

from __future__ import annotations

import statistics
from time import perf_counter

from verifier.algebra.evaluate import Evaluator
from verifier.algebra.language import parse_expression
from verifier.algebra.normal import Form, Normalizer

ROUNDS = 40
PAIRS = (
    ("-log(sigmoid(x))", "log(1 + exp(-x))", True),
    ("mean((a - b)**2)", "mean(a**2) - 2*mean(a*b) + mean(b**2)", True),
    ("tau*x + (1 - tau)*y", "y + tau*(x - y)", True),
    ("lo + 0.5*(hi - lo)*(1 + cos(pi*t/T))", "0.5*(hi + lo) + 0.5*(hi - lo)*cos(pi*t/T)", True),
    ("softmax(x/s)", "exp(x/s)/sum(exp(x/s))", True),
    ("-0.5*sum(1 + v - m**2 - exp(v))", "0.5*sum(exp(v) + m*m - 1 - v)", True),
    ("d**(-0.5)*min(s**(-0.5), s*w**(-1.5))", "min(1/sqrt(s), s/(w*sqrt(w)))/sqrt(d)", True),
    ("mean(min(r*A, clip(r, 1 - c, 1 + c)*A))", "mean(min(A*r, A*min(max(r, 1 - c), 1 + c)))", True),
    ("softmax(Q @ transpose(K)/sqrt(d)) @ V", "softmax((Q/sqrt(d)) @ transpose(K)) @ V", True),
    ("x/sqrt(mean(x**2) + e0)", "x/(sqrt(mean(x**2)) + e0)", False),
    ("norm(u - v)/norm(v)", "norm(u - v, 1)/norm(v, 1)", False),
    ("a*n*sum(f*p)", "a*n*mean(f*p)", False),
    ("mean(max(r*A, clip(r, 1 - c, 1 + c)*A))", "mean(min(r*A, clip(r, 1 - c, 1 + c)*A))", False),
    ("10*log10(p**2/m)", "10*log(p**2/m)", False),
    ("(h - 1/(2*t))**2", "(h - 1/t)**2", False),
)


def measure() -> tuple[list[float], list[float], int]:
    """Milliseconds of each comparison, in a fresh and in a used evaluator, and how many of the pairs were told wrongly."""
    normal = Normalizer(Form())
    pairs = [(normal(parse_expression(left)), normal(parse_expression(right)), equal) for left, right, equal in PAIRS]
    fresh: list[float] = []
    used: list[float] = []
    wrong = 0
    shared = Evaluator()
    for turn in range(ROUNDS):
        for left, right, equal in pairs:
            evaluator = Evaluator()
            start = perf_counter()
            told = evaluator.equal(left, right)
            fresh.append((perf_counter() - start) * 1000)
            start = perf_counter()
            shared.equal(left, right)
            used.append((perf_counter() - start) * 1000)
            wrong += turn == 0 and told is not equal
    return fresh, used, wrong


def main() -> None:
    """Print the figures."""
    fresh, used, wrong = measure()
    for name, times in (("fresh", fresh), ("used", used)):
        print(
            f"{name}: median {statistics.median(times):.4f} ms, 99th percentile {statistics.quantiles(times, n=100)[98]:.4f} ms"
        )
    print(f"told wrongly: {wrong} of {len(PAIRS)} pairs")


if __name__ == "__main__":
    main()
