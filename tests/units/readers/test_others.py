"""Negations, distributions, asides and mechanisms."""

from __future__ import annotations

import pytest

from tests.units.readers.reading import entities, formulas, leaves, rule, subjects
from verifier.model.check import AnyCheck, Check, Equals, NotCheck, ValueCheck


def test_no_biases_is_a_false_flag() -> None:
    (check,) = rule("linear layers (no biases)").checks[-1:]
    assert isinstance(check, ValueCheck)
    assert check.test == Equals(False)
    assert "bias" in check.subjects


def test_no_mechanism_is_a_negation() -> None:
    assert any(isinstance(check, NotCheck) for check in rule("routing with no shared expert").checks)


@pytest.mark.parametrize("claim", ["with vs without momentum buffer", "without any additional cost"])
def test_contrasts_and_plain_words_are_no_negations(claim: str) -> None:
    assert not any(isinstance(check, NotCheck) for check in rule(claim).checks)


def test_a_uniform_draw_has_its_bounds() -> None:
    claim = "amplitude a1 ~ U(0, 2)"
    assert Equals((0, 2)) in [leaf.test for leaf in leaves(claim) if isinstance(leaf, ValueCheck)]
    assert {"uniform(0, 2)", "2*rand(n)"} <= set(formulas(claim))


def test_a_normal_draw_is_a_call() -> None:
    assert "randn" in entities("noise z ~ N(0, I)")


@pytest.mark.parametrize(
    "claim",
    [
        "it outperforms strong models by far",
        "Theorem 1 holds under mild conditions",
        "because this prevents representation collapse",
        "on 256 H100 GPUs",
    ],
)
def test_asides_give_no_check_and_say_why(claim: str) -> None:
    compiled = rule(claim)
    assert not compiled.checks
    assert compiled.unread
    assert not any(part.checkable for part in compiled.unread)


def test_what_is_not_understood_is_said() -> None:
    (part,) = rule("it is so").unread
    assert part.checkable


def test_a_noun_phrase_may_be_named_by_any_two_of_its_words() -> None:
    assert {"block-wise causal attention", "causal attention"} <= set(entities("layers with block-wise causal attention"))


def test_verbs_and_plain_words_name_no_mechanism() -> None:
    assert entities("we then use the same different settings", "D3") == []


def test_repeated_checks_count_once() -> None:
    assert len(rule("batch size 64; batch size 64").checks) == 1


def test_variants_name_their_list() -> None:
    assert "Stochastic depth rate" in subjects("Stochastic depth rate by model size: T=0.1, L=0.3")


def test_settings_of_a_baseline_count_only_near_its_name() -> None:
    checks = rule("SAC baseline hyperparameters: discount=0.5, batch=8192").checks
    assert entities("SAC baseline hyperparameters: discount=0.5") == ["SAC"]
    assert [check.near for check in checks if isinstance(check, ValueCheck)] == [("SAC",), ("SAC",)]


def test_settings_of_the_method_itself_count_everywhere() -> None:
    assert [check.near for check in rule("Paper hyperparameters: discount=0.5").checks] == [()]


def test_the_heading_of_a_protocol_must_be_there() -> None:
    assert "Sensitivity" in entities("Sensitivity analysis: vary the step size over 0.1 and 0.2", "D3")


def test_a_variation_shares_its_metrics_with_the_main_experiment() -> None:
    claim = "metrics: gFID, recall of groups"
    assert "gFID" in entities(f"Main result: train the model; {claim}", "D3")
    assert "gFID" not in entities(f"Ablation: without the prior; {claim}", "D3")


def test_scores_and_compared_percentages_are_results() -> None:
    assert not subjects("reaches PPL 5.82 vs 5.79, gated 4% vs baseline 46%")


def test_a_definition_in_prose_is_no_setting() -> None:
    assert not any(isinstance(leaf, ValueCheck) for leaf in leaves("success = agent solves the level by the long route"))
    assert Equals("cosine") in [leaf.test for leaf in leaves("schedule=cosine, lr=1e-3") if isinstance(leaf, ValueCheck)]


def test_a_phrase_is_named_by_two_of_its_words() -> None:
    found = entities("frequency residual keep strategy", "D3")
    assert "frequency residual" in found
    assert "frequency" not in found


def test_settings_of_a_baseline_count_near_its_name() -> None:
    claim = "DNO architecture (2D baseline): spectral layers with width=40 and lr=1e-3"
    checks = rule(claim, "D2").checks
    assert all(check.near == ("DNO",) for check in checks if isinstance(leaf_of(check), ValueCheck))
    assert "DNO" in entities(claim, "D2")


def test_an_architecture_of_the_paper_counts_anywhere() -> None:
    assert all(not check.near for check in rule("DNO architecture: spectral layers with width=40", "D2").checks)


def leaf_of(check: Check) -> Check:
    return check.checks[0] if isinstance(check, AnyCheck) else check
