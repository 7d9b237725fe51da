from __future__ import annotations

from tests.units.readers.reading import steps


def test_numbered_steps_give_one_order() -> None:
    (found,) = steps("(1) Train the tokenizer on images; (2) Freeze its encoder; (3) Train the prior on tokens")
    assert ["train tokenizer" in found[0], "freeze encoder" in found[1], "train prior" in found[2]] == [True] * 3


def test_named_stages_and_arrows_are_steps() -> None:
    assert [
        len(found) for found in steps("Stage 1 - Collect rollouts. Stage 2 - Update the critic. Stage 3 - Update the actor.")
    ] == [3]
    assert [len(found) for found in steps("Pipeline: crop images → normalize images → encode patches")] == [3]


def test_one_mark_is_no_order() -> None:
    assert steps("see Figure (1) for the whole pipeline") == []


def test_equal_steps_are_not_ordered() -> None:
    assert steps("(1) Train the model (2) Train the model") == []
