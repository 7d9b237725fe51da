from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from verifier.units.tokens import Kind, clauses, tokenize


def texts(claim: str) -> list[str]:
    return [token.text for token in tokenize(claim)]


def test_keeps_numbers_sizes_and_symbols_whole() -> None:
    assert texts("lr=8e-5, 256x256x3 and W_{u,[0,T]}^{(k-1)}") == [
        "lr",
        "=",
        "8e-5",
        ",",
        "256x256x3",
        "and",
        "W_{u,[0,T]}^{(k-1)}",
    ]


def test_thousands_in_prose_are_one_number_and_two_in_a_list() -> None:
    assert texts("50,304") == ["50,304"]
    assert texts("[512,768]") == ["[", "512", ",", "768", "]"]


def test_a_minus_is_a_sign_only_where_nothing_stands_before() -> None:
    assert texts("[-10, 10]") == ["[", "-10", ",", "10", "]"]
    assert texts("x -1") == ["x", "-", "1"]


def test_clauses_end_at_stops_and_know_their_head() -> None:
    tokens = tokenize("2D: modes=16; 1D: modes=8. Done (a; b).")
    found = [(clause.head, tokens[clause.start].text) for clause in clauses(tokens)]
    assert found == [((), "2D"), (("2D",), "modes"), ((), "1D"), (("1D",), "modes"), ((), "Done")]


@given(st.text(max_size=80))
def test_tokens_cover_the_text_in_order(claim: str) -> None:
    tokens = tokenize(claim)
    assert all(before.end <= after.start for before, after in pairwise(tokens))
    assert all(claim[token.start : token.end].strip() for token in tokens if token.kind is not Kind.BREAK)


def test_primes_are_no_quotes() -> None:
    assert all(token.kind is not Kind.QUOTE for token in tokenize("a grid of H'xW' cells in R'"))
    assert any(token.kind is Kind.QUOTE for token in tokenize("mode 'same' is used"))
