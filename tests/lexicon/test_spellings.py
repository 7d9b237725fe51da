"""Names of hyperparameters."""

from __future__ import annotations

import pytest

from verifier.lexicon import Tier, load_lexicon
from verifier.lexicon.names import words
from verifier.lexicon.spellings import counts

LEXICON = load_lexicon()


def tier(phrase: str, name: str) -> Tier | None:
    """How surely the name means the phrase, owner left aside."""
    joined = "".join(words(name))
    return next((one.tier for one in LEXICON.spellings(phrase) if "".join(one.words) == joined), None)


@pytest.mark.parametrize(
    ("phrase", "name"),
    [
        ("learning rate", "lr"),
        ("batch size", "per_device_train_batch_size"),
        ("weight decay", "wd"),
        ("number of attention heads", "n_head"),
        ("GAE lambda", "gae_lambda"),
        ("gradient clipping", "max_grad_norm"),
        ("Fourier modes", "modes1"),
        ("guidance scale", "cfg_scale"),
        ("replay buffer size", "capacity"),
        ("unheard-of thing", "unheard_of_thing"),
    ],
)
def test_exact(phrase: str, name: str) -> None:
    assert tier(phrase, name) is Tier.EXACT


def test_identifiers_have_synonyms_too() -> None:
    assert tier("lr", "learning_rate") is Tier.EXACT
    assert tier("gamma", "discount_factor") is Tier.SYNONYM
    assert tier("gamma", "decay_rate") is None


def test_the_phrase_itself_comes_first() -> None:
    assert LEXICON.names("discount factor")[0] == ("discount", "factor")
    assert LEXICON.names("gamma")[0] == ("gamma",)


def test_guards_tell_owners_apart() -> None:
    discount, decay = LEXICON.spellings("discount factor"), LEXICON.spellings("learning rate decay")
    assert counts(discount, "PPOConfig.gamma")
    assert not counts(discount, "StepLR.gamma")
    assert counts(decay, "StepLR.gamma")
    assert not counts(decay, "PPOConfig.gamma")


@pytest.mark.parametrize(
    ("phrase", "name"),
    [
        ("number of sensors", "n_sensors"),
        ("perceptual loss weight", "lambda_perceptual"),
        ("refinement steps", "num_refinement_iters"),
        ("maximum viscosity", "viscosity_max"),
        ("teacher learning rate", "teacher_lr"),
        ("learning rate of the teacher", "lr_teacher"),
    ],
)
def test_word_patterns_and_narrowing(phrase: str, name: str) -> None:
    assert tier(phrase, name) in (Tier.EXACT, Tier.SYNONYM)


def test_split() -> None:
    assert LEXICON.split("teacher learning rate") == (("teacher",), "learning rate")
    assert LEXICON.split("learning rate of the second stage") == (("second", "stage"), "learning rate")
    assert LEXICON.split("qwerty") == ((), "qwerty")


def test_no_spelling_twice() -> None:
    for phrase in LEXICON.subjects.groups:
        joined = ["".join(one.words) for one in LEXICON.spellings(phrase)]
        assert len(joined) == len(set(joined))
        tiers = [one.tier for one in LEXICON.spellings(phrase)]
        assert tiers == sorted(tiers)


def test_empty_phrase() -> None:
    assert LEXICON.spellings("") == ()
    assert LEXICON.spellings("...") == ()
