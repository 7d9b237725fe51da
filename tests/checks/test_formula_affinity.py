"""What a symbol of a claim may stand for, told by names."""

from __future__ import annotations

import pytest

from verifier.algebra.code import Code
from verifier.algebra.language import parse_expression
from verifier.algebra.normal import Form
from verifier.algebra.terms import Term
from verifier.checks.formula_affinity import Lens, Naming


def naming(code: Code, symbols: str, **hints: str) -> Naming:
    given = {symbol: tuple(names.split()) for symbol, names in hints.items()}
    return Naming(code, given, Lens.of(code, given, frozenset(symbols.split())))


def term(code: Code, text: str) -> Term:
    return code.shared.normalizer(Form())(parse_expression(text))


@pytest.mark.parametrize(
    ("symbols", "symbol", "part", "fits"),
    [
        ("real fake", "real", "real", 2),
        ("real fake", "real", "fake", -1),
        ("real fake", "other", "fake", -1),
        ("real fake", "real", "1 - real", -1),
        ("real fake", "real", "gamma*real", -1),
        ("real fake", "real", "2", -1),
        ("x y", "x", "fake", 0),
        ("beta1", "beta1", "beta2", -1),
        ("R", "R", "reward - gamma", -1),
    ],
)
def test_the_own_name_of_a_symbol_ties_it(symbols: str, symbol: str, part: str, fits: int) -> None:
    code = Code(parse_expression("gamma*real - fake + beta1 + beta2 + reward"))
    assert naming(code, symbols)(symbol, term(code, part)) == fits


def test_a_hint_decides_before_the_name() -> None:
    code = Code(parse_expression("targets*y + other"))
    fit = naming(code, "y", y="targets")
    assert (fit("y", term(code, "targets")), fit("y", term(code, "y"))) == (3, -1)


def test_an_index_may_be_counted_from_another_start() -> None:
    code = Code(parse_expression("2**(i + 1) + n"))
    fit = naming(code, "i n")
    assert fit("i", term(code, "i + 1")) >= 0
    assert fit("n", term(code, "n + 1")) == -1


def test_generic_names_count_when_the_symbols_are_shared() -> None:
    code = Code(parse_expression("x + y"))
    lens = Lens.of(code, {}, frozenset("xyz"))
    assert lens.shares(frozenset("xyz"), alone=False)
    assert not lens.shares(frozenset("xyz"), alone=True)
