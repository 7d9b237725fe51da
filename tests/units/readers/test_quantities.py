from __future__ import annotations

import pytest

from tests.units.readers.reading import entities, leaves, rule, subjects, values
from verifier.model.check import Between, Equals, OneOf, ValueCheck


@pytest.mark.parametrize(
    ("claim", "name", "test"),
    [
        ("batch size 768", "batch size", Equals(768)),
        ("lr=8e-5", "lr", Equals(8e-5)),
        ("dropout of 0.1", "dropout", Equals(0.1)),
        ("a learning rate set to 3e-4", "learning rate", Equals(3e-4)),
        ("350 epochs", "number of epochs", Equals(350)),
        ("16 attention heads with rotary embedding", "number of attention heads", Equals(16)),
        ("a 3-layer network", "number of layers", Equals(3)),
        ("vocabulary of 50,304 tokens", "number of tokens", Equals(50304)),
        ("replay_buffer=1M", "replay_buffer", Equals(1_000_000)),
        ("window size 2^20", "window size", Equals(2**20)),
        ("step size 5×10^{-4}", "step size", Equals(5e-4)),
        ("resolution 512x512", "resolution", Equals("512x512")),
        ("scale_factors [1,2,3,512]", "scale_factors", Equals((1, 2, 3, 512))),
        ("betas (0.9, 0.95)", "betas", Equals((0.9, 0.95))),
        ("mask ratio 12.5%", "mask ratio", OneOf((0.125, 12.5))),
        ("at least 32 warmup steps", "number of warmup steps", Between(32.0, None)),
        ("GitHub stars >= 2", "GitHub stars", Between(2.0, None)),
        ("Gamma=5/3", "Gamma", Equals(5 / 3)),
        ("codebook K=4096", "codebook", Equals(4096)),
        ("n=10 frequency bands", "number of frequency bands", Equals(10)),
        ("alpha=0.01 (load balancing weight)", "load balancing weight", Equals(0.01)),
        ("Number of calibration samples in the toy experiment = 10", "number of calibration samples", Equals(10)),
        ("warmup over the first 2000 steps", "number of steps", Equals(2000)),
    ],
)
def test_reads_a_name_with_its_value(claim: str, name: str, test: object) -> None:
    assert (name, test) in values(claim)


def test_reads_lists_of_assignments_in_order() -> None:
    found = values("SAC: discount=0.5, critic_lr=3e-4, batch=8192")
    assert [test for _, test in found] == [Equals(0.5), Equals(3e-4), Equals(8192)]


def test_a_size_with_channels_is_two_values() -> None:
    assert {test for _, test in values("images of 256x256x3 resolution")} == {Equals("256x256"), Equals(3)}


def test_an_interval_may_stand_as_a_pair_or_as_its_upper_bound() -> None:
    tests = [leaf.test for leaf in leaves("65 bins over [-10, 10]") if isinstance(leaf, ValueCheck)]
    assert Equals(65) in tests
    assert Equals((-10, 10)) in tests
    assert Equals(10) in tests


def test_variants_behind_a_slash_are_values_of_their_own() -> None:
    assert {test for _, test in values("batch size 64/1024")} == {Equals(64), Equals(1024)}


def test_a_chain_of_three_is_one_list() -> None:
    assert [test for _, test in values("epochs 200/250/300")] == [Equals((200, 250, 300))]


def test_names_inside_brackets_belong_to_the_phrase_before() -> None:
    assert {"AdamW.lr", "lr"} <= subjects("AdamW (lr 3e-4, betas (0.9, 0.95))")


def test_what_has_the_counted_things_is_a_name_too() -> None:
    assert "vocabulary" in subjects("vocabulary of 50,304 tokens")


def test_a_bare_measure_belongs_to_the_thing_before() -> None:
    assert "memory buffer size" in subjects("all states in a memory buffer M of size 200")


def test_one_minus_a_symbol_gives_the_symbol() -> None:
    assert ("beta", Equals(0.95)) in values("1 - beta = 0.05, batch=3")


def test_items_of_a_list_of_weights_are_weights() -> None:
    assert "perceptual loss weight" in subjects("loss weights: perceptual loss=1.0, GAN loss=0.5")


def test_a_word_behind_an_equals_sign_is_a_value_or_is_present() -> None:
    assert "GELU" in entities("activation=GELU, layers=4")


def test_the_value_behind_an_arrow_has_the_name_before_it() -> None:
    assert {test for _, test in values("RoPE base 10,000→1,000,000 for long contexts")} == {Equals(10_000), Equals(1_000_000)}


@pytest.mark.parametrize(
    "claim",
    [
        "as in VAR [19]",
        "see Section 4.1 and Table 2",
        "GPT-2 fine-tuned on CIFAR-10",
        "Gemini 1.5 Flash as base model",
        "trained on 8 A100 GPUs for 33 hours",
        "the method of Ho et al. (2022)",
        "outperforms the baseline by 3%",
        "perplexity 6.02",
        "(1) train the model",
        "about 1.2M images",
        "P(x) = 1 - beta",
        "SAM 2 with memory",
    ],
)
def test_numbers_that_set_nothing_give_no_value(claim: str) -> None:
    assert values(claim) == []


def test_hardware_is_left_out_with_the_reason() -> None:
    (unread,) = rule("32 H100 GPUs").unread
    assert not unread.checkable
    assert "hardware" in unread.reason


def test_the_size_of_a_model_is_not_computed() -> None:
    found = rule("model size = 42M, total_params=3.5B, batch size = 64")
    assert values("model size = 42M, total_params=3.5B, batch size = 64") == [("batch size", Equals(64))]
    assert sum(part.checkable for part in found.unread) == 2


def test_what_stands_before_a_preposition_is_the_name() -> None:
    assert "num patches" in subjects("num patches for evaluation = 512")


def test_a_rate_is_no_number_of_things() -> None:
    assert "number of solve rate" not in subjects("7% solve rate on the hardest levels")
