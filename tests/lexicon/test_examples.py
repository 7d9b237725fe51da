"""The examples in the packs, and the whole of what they hold."""

from __future__ import annotations

from verifier.lexicon import load_lexicon
from verifier.lexicon.examples import Outcome, run_examples

LEXICON = load_lexicon()


def test_all_examples_are_validated() -> None:
    results = run_examples(LEXICON)
    assert [result for result in results if result.outcome is not Outcome.VALIDATED] == []
    assert len(results) > 5000
    assert sum(not result.wanted for result in results) > 200


def test_breadth() -> None:
    assert len(LEXICON.subjects.groups) > 400
    assert len(LEXICON.entities.all) > 1400
    assert {entity.kind for entity in LEXICON.entities.all} == {
        "dataset",
        "env",
        "metric",
        "model",
        "baseline",
        "optimizer",
        "loss",
        "module",
    }
