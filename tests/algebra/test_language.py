from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from verifier.algebra.language import parse, parse_expression
from verifier.algebra.normal import Form, Normalizer
from verifier.algebra.printing import to_text
from verifier.errors import FormulaError
from verifier.model.expression import Apply, Number, Symbol


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("a - (b - c)", "a - (b - c)"),
        ("(a - b) - c", "a - b - c"),
        ("a/(b*c)*d", "a/(b*c)*d"),
        ("-x**2", "-x**2"),
        ("2**-1", "1/2"),
        ("(x + y)**0.5", "sqrt(x + y)"),
        ("a @ (b @ c)", "a @ (b @ c)"),
        ("σ² + √(α·β)", "sigma**2 + sqrt(alpha*beta)"),
        ("Kᵀ @ Q − 1", "transpose(K) @ Q - 1"),
        ("ln(x) + maximum(a, b)", "log(x) + max(a, b)"),
        ("indicator(x > 0 and y <= 1)", "indicator((x > 0) and (y <= 1))"),
        ("x[t] + 1_000", "x[t] + 1000"),
        ("1e-8", "1e-08"),
    ],
)
def test_reads_and_prints(text: str, printed: str) -> None:
    assert to_text(parse_expression(text)) == printed


def test_the_left_side_names_what_is_defined() -> None:
    assert parse("L_clip = mean(x)").name == "L_clip"
    assert parse("f(x, t) = x*t").name == "f"
    assert parse("x[t] = 2").name == "x"
    assert parse("mean(x)").name == ""


@pytest.mark.parametrize(
    ("text", "column", "words"),
    [
        ("a b", 3, "`*`"),
        ("|x|", 1, "abs(x)"),
        ("mean(x, y)", 1, "takes 1 operand"),
        ("1 + clip(x)", 5, "takes 3 operands"),
        ("a = b = c", 7, "one `=`"),
        ("(a + b", 7, "expected `)`"),
        (r"\frac{a}{b}", 1, "latex"),
        ("a +", 4, "the end"),
        ("", 1, "the end"),
        ("a ? b", 3, "`?`"),
        ("(" * 100 + "a" + ")" * 100, 61, "nested"),
        ("x*" * 3000 + "x", 4000, "longer"),
    ],
)
def test_faults_say_where_and_what(text: str, column: int, words: str) -> None:
    with pytest.raises(FormulaError) as caught:
        parse(text)
    assert words in str(caught.value)
    assert abs(caught.value.column - column) <= 1


_leaf = st.sampled_from([Symbol("x"), Symbol("y_t"), Number(parse_expression("3").value), Number(parse_expression("0.5").value)])  # type: ignore[union-attr]
_trees = st.recursive(
    _leaf,
    lambda inner: st.one_of(
        st.builds(lambda h, a, b: Apply(h, (a, b)), st.sampled_from(["+", "-", "*", "/", "**", "@", "min"]), inner, inner),
        st.builds(lambda h, a: Apply(h, (a,)), st.sampled_from(["exp", "neg", "sqrt", "mean"]), inner),
    ),
    max_leaves=12,
)


@settings(max_examples=150, deadline=None)
@given(_trees)
def test_what_is_printed_is_read_back_as_the_same(expr: Apply) -> None:
    normal = Normalizer(Form())
    assert normal(parse_expression(to_text(expr))) == normal(expr)


@settings(max_examples=150, deadline=None)
@given(st.text(alphabet="ab12 +-*/()=,.|{}\\^_<>", max_size=30))
def test_any_text_is_read_or_refused(text: str) -> None:
    with suppress(FormulaError):
        parse(text)
