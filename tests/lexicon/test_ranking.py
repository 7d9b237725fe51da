from __future__ import annotations

from verifier.lexicon.ranking import rank


def test_the_place_with_the_words_of_the_unit_ranks_first() -> None:
    paths = [("train.py", "Critic", "lr"), ("models/rnd.py", "RNDPredictor", "hidden_dim"), ("utils.py", "seed")]
    scores = rank(("RND predictor", "network"), paths)
    assert max(scores) == scores[1]
    assert scores[2] == 0


def test_rare_words_weigh_more_than_common_ones() -> None:
    paths = [("train", "loss"), ("train", "gate"), ("train", "loss"), ("train", "loss")]
    scores = rank(("loss", "gate"), paths)
    assert scores[1] > scores[0]


def test_nothing_to_rank() -> None:
    assert rank(("a",), []) == ()
    assert rank((), [("x",)]) == (0.0,)
