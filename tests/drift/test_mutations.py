"""Planted faults change what they say and nothing else."""

from verifier.drift.mutations import another_operator, another_value, placeholder, swapped

CODE = """import torch

LR = 3e-4  # keep me


def loss(x, y, beta=0.5):
    \"\"\"Doc.\"\"\"
    error = (x - y) ** 2
    return error.mean() + beta * x.abs().mean()


def train(model):
    a = model.one()
    b = model.two()
    return a, b
"""


def test_a_number_is_changed_and_the_comment_stays() -> None:
    (mutation,) = another_value(CODE, 3)
    assert "LR = 4e-4  # keep me" in mutation.text
    assert mutation.text.replace("4e-4", "3e-4") == CODE


def test_a_line_without_numbers_has_no_other_value() -> None:
    assert another_value(CODE, 1) == []


def test_a_number_in_a_file_that_is_not_python() -> None:
    (mutation,) = another_value("train:\n  lr: 0.01  # x\n  name: a\n", 2)
    assert mutation.text == "train:\n  lr: 0.02  # x\n  name: a\n"


def test_each_operator_of_a_span_is_turned_round_once() -> None:
    mutations = another_operator(CODE, 8, 9)
    assert [m.text.split("\n")[6:9] for m in mutations] == [
        ['    """Doc."""', "    error = (x + y) ** 2", "    return error.mean() + beta * x.abs().mean()"],
        ['    """Doc."""', "    error = (x - y) ** 2", "    return error.mean() + beta / x.abs().mean()"],
        ['    """Doc."""', "    error = (x - y) ** 2", "    return error.mean() - beta * x.abs().mean()"],
    ]


def test_a_placeholder_takes_the_place_of_the_body() -> None:
    (mutation,) = placeholder(CODE, 8)
    assert "return 0.0  # TODO" in mutation.text
    assert "error = " not in mutation.text
    assert "def train" in mutation.text


def test_statements_of_one_block_change_places() -> None:
    (mutation,) = swapped(CODE, 13, 14)
    assert mutation.text.index("b = model.two()") < mutation.text.index("a = model.one()")


def test_statements_of_different_blocks_do_not() -> None:
    assert swapped(CODE, 8, 13) == []


def test_broken_code_has_no_operators() -> None:
    assert another_operator("def f(:\n", 1, 1) == []
