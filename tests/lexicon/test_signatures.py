"""Signatures of libraries."""

from __future__ import annotations

import pytest

from verifier.lexicon import Default, load_lexicon

LEXICON = load_lexicon()


@pytest.mark.parametrize(
    ("asked", "name"),
    [
        ("torch.optim.AdamW", "torch.optim.AdamW"),
        ("torch.optim.adamw.AdamW", "torch.optim.AdamW"),
        ("optim.AdamW", "torch.optim.AdamW"),
        ("AdamW", "torch.optim.AdamW"),
        ("nn.LayerNorm", "torch.nn.LayerNorm"),
        ("F.cross_entropy", "torch.nn.functional.cross_entropy"),
        ("tf.keras.optimizers.Adam", "keras.optimizers.Adam"),
        ("gym.make", "gymnasium.make"),
        ("deque", "collections.deque"),
        ("transformers.training_args.TrainingArguments", "transformers.TrainingArguments"),
    ],
)
def test_any_import_spelling(asked: str, name: str) -> None:
    found = LEXICON.signature(asked)
    assert found is not None
    assert found.name == name


@pytest.mark.parametrize("asked", ["mylib.AdamW", "ours.optim.AdamW", "nothing.of.this", "", "torch", "forward"])
def test_unknown(asked: str) -> None:
    assert LEXICON.signature(asked) is None


def test_parameters() -> None:
    adamw = LEXICON.signature("torch.optim.AdamW")
    assert adamw is not None
    assert adamw.defaults["betas"] == (0.9, 0.999)
    assert [adamw.at(position).name for position in range(3) if adamw.at(position)] == ["params", "lr", "betas"]  # type: ignore[union-attr]
    params, fused = adamw.named("params"), adamw.named("fused")
    assert params is not None
    assert params.default is Default.REQUIRED
    assert fused is not None
    assert fused.keyword_only
    assert adamw.at(99) is None
    assert adamw.named("nothing") is None


def test_tensor_methods_drop_the_tensor() -> None:
    clamp = LEXICON.signature("torch.Tensor.clamp_")
    assert clamp is not None
    first = clamp.at(0)
    assert first is not None
    assert first.name == "min"


def test_every_signature_parses() -> None:
    names = LEXICON.signatures.names
    assert len(names) > 1500
    for name in names:
        found = LEXICON.signature(name)
        assert found is not None
        assert found.name == name
