"""Operations that see more than one element, at a point."""

from __future__ import annotations

import operator

import pytest

from verifier.algebra.evaluate import Evaluator
from verifier.algebra.matrices import elementwise, structural
from verifier.algebra.terms import add, node, num, sym

COLUMN = (1.0, 2.0, 3.0)


@pytest.mark.parametrize(
    ("head", "value", "expected"),
    [
        ("topk", 2.0, 2.0),
        ("topk", COLUMN, (3.0, 2.0, 1.0)),
        ("sum", COLUMN, 6.0),
        ("mean", COLUMN, 2.0),
        ("cumsum", COLUMN, (1.0, 3.0, 6.0)),
    ],
)
def test_structural(head: str, value: float | tuple[float, ...], expected: float | tuple[float, ...]) -> None:
    assert structural(head, [value]) == expected


def test_what_topk_gives_of_a_number_goes_with_a_column() -> None:
    assert elementwise(operator.add, [COLUMN, structural("topk", [2.0])]) == (3.0, 4.0, 5.0)


@pytest.mark.parametrize("text", ["atan2(x)", "mod(x)", "where(x, y)", "transpose()", "exp(x, y)"])
def test_a_function_of_the_code_may_have_a_known_name_and_other_arguments(text: str) -> None:
    head, inside = text[:-1].split("(")
    term = node(head, tuple(sym(name) for name in inside.split(", ") if name))
    assert Evaluator().equal(term, add((term, num(0)))) is not False


def test_columns_count_for_their_rows() -> None:
    matrix = tuple(float(number) for number in range(9))
    assert elementwise(operator.add, [matrix, COLUMN]) == (1.0, 2.0, 3.0, 5.0, 6.0, 7.0, 9.0, 10.0, 11.0)
