from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from verifier.model.check import Equals, Origin, ValueCheck
from verifier.model.unit import Unit
from verifier.units.compile import compile_unit
from verifier.units.home import context


def unit(claim: str) -> Unit:
    return Unit(id="paper-D1-001", dimension="D1", claim=claim)


def test_written_checks_stay() -> None:
    check = ValueCheck(subjects=("lr",), test=Equals(0.1))
    written = Unit(id="u", dimension="D1", claim="batch size 3", checks=(check,))
    assert compile_unit(written).checks == (check,)


def test_checks_stand_in_the_order_of_the_claim_with_their_words() -> None:
    checks = compile_unit(unit("batch size 64, learning rate 1e-3, 20 epochs")).checks
    assert [check.source.words for check in checks] == ["batch size 64", "learning rate 1e-3", "20 epochs"]
    assert all(check.source.origin is Origin.COMPILED for check in checks)


def test_the_context_has_the_telling_words_of_the_claim() -> None:
    assert context(unit("RND predictor: output dim 512, trained on 8 GPUs")) == ("RND", "predictor", "output")


@settings(max_examples=150, deadline=None)
@given(st.text(alphabet="ab E_i^{}()[]|~=*/+-.,:;0123456789→ σ∑x'\n%kM", max_size=60))
def test_no_text_breaks_the_compiler(claim: str) -> None:
    assert compile_unit(unit(claim)) == compile_unit(unit(claim))


@pytest.mark.parametrize(
    "claim",
    ["(" * 3000, "x = " + "(" * 500 + "a" + ")" * 500, "a + " * 2000, "f(" * 2000, "| " * 2000, "1, " * 3000, "word " * 3000],
)
def test_hostile_claims_are_bounded(claim: str) -> None:
    begun = time.process_time()
    compile_unit(unit(claim))
    assert time.process_time() - begun < 5
