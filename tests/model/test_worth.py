from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verifier.model import worth
from verifier.model.constant import Constant

scalars = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**70), 2**70),
    st.floats(allow_nan=False),
    st.text(alphabet="ab_-XY 019.,x%()", max_size=8),
)
constants: st.SearchStrategy[Constant] = st.recursive(scalars, lambda inner: st.lists(inner, max_size=3).map(tuple), max_leaves=6)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("3e-4", 3e-4),
        ("2^20", 1048576),
        ("2**20", 1048576),
        ("1024*1024", 2**20),
        ("1/3", 1 / 3),
        ("sqrt(2)/2", math.sqrt(2) / 2),
        ("√2/2", math.sqrt(2) / 2),
        ("50k", 50_000),
        ("1M", 1_000_000),
        ("1.5B", 1_500_000_000),
        ("5T", 5 * 10**12),
        ("1.3 million", 1_300_000),
        ("12.5%", 0.125),
        ("1,000,000", 1_000_000),
        ("1,234.5", 1234.5),
        ("1_000", 1000),
        ("5×10^-4", 5e-4),
        ("5 x 10^-4", 5e-4),
        (r"$5\times10^{-4}$", 5e-4),
        ("10^{-4}", 1e-4),
        ("10⁻⁴", 1e-4),
        (r"\frac{1}{3}", 1 / 3),
        ("pi/2", math.pi / 2),
        ("2π", 2 * math.pi),
        ("1 - 2^-10", 1 - 2**-10),
        ("-0.5", -0.5),
        ("−0.5", -0.5),
        ("-2^2", -4),
        ("2^3^2", 512),
        ("log2(8)", 3.0),
        ("exp(0)", 1.0),
        ("inf", math.inf),
        ("-Infinity", -math.inf),
        ("0x10", 16),
        ("(0.9, 0.95)", (0.9, 0.95)),
        ("0.9, 0.999", (0.9, 0.999)),
        ("[1, (2, 3),]", (1, (2, 3))),
        ("[relu, 'tanh']", ("relu", "tanh")),
        ("512x512", "512x512"),
        ("512 × 256", "512x256"),
        ("3x224x224", "3x224x224"),
    ],
)
def test_parse_reads_every_notation(text: str, value: Constant) -> None:
    parsed = worth.parse(text)
    assert parsed == value
    assert type(parsed) is type(value)


@pytest.mark.parametrize(
    "text",
    ["AdamW", "", "e", "k", "2024-01-31", "3-4", "1.10.0", "16-mixed", "resnet18", "2^-2000", "9^9^9^9", "1e1000",
     "1/0", "sqrt(-1)", "((1)", "(-8)^(1/3)", "1 +", "5e", "__import__('os')", "a, b", "1e9999999999",
     "(" * 300 + "1" + ")" * 300, "true", "none"],
)  # fmt: skip
def test_what_is_no_number_stays_text(text: str) -> None:
    assert worth.parse(text) == text


def test_integers_stay_exact() -> None:
    assert worth.parse("2^64 + 1") == 2**64 + 1
    assert not worth.equal(2**64, 2**64 + 1)
    assert not worth.equal("2^64", "2^64 + 1")
    assert worth.equal(2**64, float(2**64))


@pytest.mark.parametrize(
    ("a", "b"),
    [
        (0.1 + 0.2, 0.3),
        (1e-4, "1e-4"),
        ("1/3", 0.3333333333333333),
        (4, 4.0),
        ("AdamW", "adam_w"),
        ("cosine annealing", "CosineAnnealing"),
        ("torch.bfloat16", "bfloat16"),
        ([0.9, 0.95], (0.9, "0.95")),
        ("(0.9, 0.95)", [0.9, 0.95]),
        ("512x512", (512, 512)),
        ("512x512", 512),
        ("512×512", "512 x 512"),
        ("512x256", [512, 256]),
        (True, "true"),
        (True, 1),
        (False, "off"),
        ("Yes", "true"),
        (None, "None"),
        (None, None),
        (math.inf, "inf"),
        ({"a": 1}, {"a": "1"}),
        (4.9e-4, 5e-4),
    ],
)
def test_equal_by_worth(a: Constant, b: Constant) -> None:
    tolerance = 0.05 if a == 4.9e-4 else None
    assert worth.equal(a, b, tolerance)
    assert worth.equal(b, a, tolerance)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        (2.0**-99, 2.0**-98),
        ("2^-99", "2^-98"),
        (0, 1e-12),
        (1e-4, 1e-3),
        (True, 1.0),
        (True, 2),
        (False, None),
        (False, ""),
        ("adam", "adamw"),
        ("torch.float16", "torch.bfloat16"),
        ("512x256", 512),
        ("512x512", (512, 256)),
        ("512x512", "512x512x3"),
        ((256, 256), 256),
        ((1, 2), (1, 2, 3)),
        ("12.5%", 12.5),
        (math.inf, -math.inf),
        (math.inf, 1e300),
        (math.inf, 10**400),
        (0.5, 10**400),
        ("-", "_-_x"),
        ({"a": 1}, {"b": 1}),
        (1, "one"),
    ],
)
def test_different_by_worth(a: Constant, b: Constant) -> None:
    assert not worth.equal(a, b)
    assert not worth.equal(b, a)


def test_a_tolerance_is_relative_and_absolute_against_zero() -> None:
    assert not worth.equal(4.9e-4, 5e-4)
    assert worth.equal(0.005, 0, tolerance=0.01)
    assert not worth.equal(100, 103, tolerance=0.01)
    assert worth.equal((100,), (100.5,), tolerance=0.01)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.001, "0.001"),
        (1e-5, "1e-05"),
        (512, "512"),
        (4.0, "4"),
        (0.1 + 0.2, "0.3"),
        (2**20, "1048576"),
        (1e22, "1e+22"),
        (10**300, "1e+300"),
        (10**400, "about 2^1328"),
        (math.inf, "inf"),
        (True, "true"),
        (None, "null"),
        ("AdamW", "AdamW"),
        ((0.9, (1, None)), "[0.9, [1, null]]"),
        ({"lr": 0.1}, "{lr: 0.1}"),
    ],
)
def test_format(value: Constant, text: str) -> None:
    assert worth.format(value) == text


def test_sides() -> None:
    assert worth.sides("512 × 256") == (512, 256)
    assert worth.sides("512") is None
    assert worth.sides((512, 256)) is None


@given(constants)
def test_a_value_equals_itself_and_its_parsed_form(value: Constant) -> None:
    assert worth.equal(value, value)
    assert worth.equal(value, worth.parse(value))
    assert worth.parse(worth.parse(value)) == worth.parse(value)


@given(constants, constants)
def test_equal_is_symmetric(a: Constant, b: Constant) -> None:
    assert worth.equal(a, b) == worth.equal(b, a)


@given(st.floats(allow_nan=False, allow_infinity=False, allow_subnormal=False))
def test_a_printed_number_is_worth_itself(value: float) -> None:
    assert worth.equal(worth.format(value), value)


@given(st.floats(1e-300, 1e300), st.floats(1e-6, 0.5))
def test_a_change_beyond_the_tolerance_shows(value: float, change: float) -> None:
    assert not worth.equal(value, value * (1 + change))


@given(st.text(max_size=40))
def test_parse_never_fails(text: str) -> None:
    worth.format(worth.parse(text))


@given(st.integers(1, 999), st.integers(1, 60))
def test_powers_and_fractions(base: int, exponent: int) -> None:
    assert worth.parse(f"{base}^{exponent}") == base**exponent
    assert worth.equal(f"1/{base}", 1 / base)
