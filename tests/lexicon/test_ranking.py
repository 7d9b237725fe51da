from __future__ import annotations

import pytest

from verifier.lexicon.ranking import Places, roots


def test_the_place_with_the_words_of_the_unit_ranks_first() -> None:
    places = Places([("train.py", "Critic", "lr"), ("models/rnd.py", "RNDPredictor", "hidden_dim"), ("utils.py", "seed")])
    number, share = places.best(("RND predictor", "network"))
    assert number == 1
    assert 0.4 < share < 0.8


def test_rare_words_weigh_more_than_common_ones() -> None:
    places = Places([("train", "loss"), ("train", "gate"), ("train", "loss"), ("train", "loss")])
    assert places.best(("loss", "gate"))[0] == 1


def test_a_text_about_what_is_nowhere_has_a_small_share() -> None:
    places = Places([("train", "loss"), ("model", "gate")])
    assert places.best(("loss",))[1] == 1.0
    assert places.best(("loss", "spectrogram", "vocoder"))[1] < 0.4


def test_the_first_of_equals_is_taken() -> None:
    assert Places([("gate",), ("gate",)]).best(("gate",))[0] == 0


@pytest.mark.parametrize(("documents", "context"), [([], ("a",)), ([("x",)], ())])
def test_nothing_to_rank(documents: list[tuple[str, ...]], context: tuple[str, ...]) -> None:
    assert Places(documents).best(context) == (-1, 0.0)


@pytest.mark.parametrize(("one", "other"), [("routing", "Router"), ("normalized", "normalizes"), ("samples", "sampling")])
def test_endings_do_not_count(one: str, other: str) -> None:
    assert roots(one) == roots(other)
