from __future__ import annotations

from tests.units.readers.reading import steps


def test_numbered_steps_give_a_check_for_each_pair() -> None:
    found = steps("(1) Train the tokenizer on images; (2) Freeze its encoder; (3) Train the prior on tokens")
    assert len(found) == 2
    assert "train tokenizer" in found[0][0] and "freeze encoder" in found[0][1] and "train prior" in found[1][1]


def test_named_stages_and_arrows_are_steps() -> None:
    assert len(steps("Stage 1 - Collect rollouts. Stage 2 - Update the critic. Stage 3 - Update the actor.")) == 2
    assert len(steps("Pipeline: crop images → normalize images → encode patches")) == 2


def test_one_mark_is_no_order() -> None:
    assert steps("see Figure (1) for the whole pipeline") == []


def test_equal_steps_are_not_ordered() -> None:
    assert steps("(1) Train the model (2) Train the model") == []
