from __future__ import annotations

from tests.units.readers.reading import steps


def test_numbered_steps_give_an_order_for_each_pair() -> None:
    first, second = steps("(1) Train the tokenizer on images; (2) Freeze its encoder; (3) Train the prior on tokens")
    assert first[1] == second[0]
    assert "train tokenizer" in first[0]
    assert "freeze encoder" in first[1]
    assert "train prior" in second[1]


def test_named_stages_and_arrows_are_steps() -> None:
    assert len(steps("Stage 1 - Collect rollouts. Stage 2 - Update the critic. Stage 3 - Update the actor.")) == 2
    assert len(steps("Pipeline: crop images → normalize images → encode patches")) == 2


def test_an_outcome_is_no_step() -> None:
    (found,) = steps("(1) Train the critic (2) Prune the actor (3) Observe that the gap persists")
    assert "prune actor" in found[1]


def test_one_mark_is_no_order() -> None:
    assert steps("see Figure (1) for the whole pipeline") == []


def test_equal_steps_are_not_ordered() -> None:
    assert steps("(1) Train the model (2) Train the model") == []
