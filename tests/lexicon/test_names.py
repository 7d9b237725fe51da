"""Names as words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verifier.lexicon.names import has_words, key, path_has, same, words


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("maxGradNorm", ("max", "grad", "norm")),
        ("num_layers2", ("num", "layer", "2")),
        ("AdamW", ("adamw",)),
        ("GAE-Lambda", ("gae", "lambda")),
        ("GAELambda", ("gae", "lambda")),
        ("CIFAR10", ("cifar", "10")),
        ("CIFAR-10", ("cifar", "10")),
        ("Conv2DTranspose", ("conv", "2d", "transpose")),
        ("conv2d", ("conv", "2d")),
        ("clip_grad_norm_", ("clip", "grad", "norm")),
        ("--learning-rate", ("learning", "rate")),
        ("optimizer.step", ("optimizer", "step")),
        ("λ_gae", ("lambda", "gae")),
        ("batches", ("batch",)),
        ("losses", ("loss",)),
        ("bias", ("bias",)),
        ("eps", ("eps",)),
        ("CelebA", ("celeba",)),
        ("GANs", ("gan",)),
        ("Fréchet", ("frechet",)),
        ("Δt", ("deltat",)),
        ("UNet++", ("u", "net", "plus", "plus")),
        ("", ()),
    ],
)
def test_words(name: str, expected: tuple[str, ...]) -> None:
    assert words(name) == expected


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("CIFAR10", "cifar-10"),
        ("ResNet-18", "resnet18"),
        ("WikiText-103", "wikitext103"),
        ("AdamW", "adamw"),
        ("mIoU", "miou"),
        ("num_layers", "numLayer"),
        ("D4RL", "d4rl"),
        ("optimiser", "Optimizer"),
        ("layer normalisation", "LayerNormalization"),
    ],
)
def test_same(a: str, b: str) -> None:
    assert same(a, b)


@pytest.mark.parametrize(
    ("a", "b"), [("CIFAR-10", "CIFAR-100"), ("lr", "learning rate"), ("", ""), ("loss", "los"), ("Adam", "AdamW")]
)
def test_not_same(a: str, b: str) -> None:
    assert not same(a, b)


def test_has_words_only_at_word_borders() -> None:
    assert has_words("WideResNet28", "resnet")
    assert not has_words("cifar100_loader", "CIFAR-10")
    assert not has_words("heuristic", "uri")
    assert not has_words("anything", "")


@pytest.mark.parametrize(
    ("path", "near", "met"),
    [
        (("train.py", "make_optimizers", "critic_opt", "Adam"), ("critic",), True),
        (("train.py", "make_optimizers", "critic_opt", "Adam"), ("critic optimizer",), True),
        (("train.py", "actor_opt", "Adam"), ("critic",), False),
        (("cfg.yaml", "stage2", "lr"), ("stage 2",), True),
        (("cfg.yaml", "stage1", "block2"), ("stage 2",), False),
        (("cfg.yaml", "stage_2"), ("stage", "2"), True),
        (("gan.py", "d_step", "disc_lr"), ("discriminator",), True),
        (("pinn.py", "lbfgs_phase"), ("L-BFGS phase",), True),
        (("aug.py", "eval_transform"), ("train_transform",), False),
        (("anything",), (), True),
        ((), ("critic",), False),
    ],
)
def test_path_has(path: tuple[str, ...], near: tuple[str, ...], met: bool) -> None:
    assert path_has(path, near) is met


@given(
    st.lists(
        st.sampled_from(["learning", "rate", "max", "grad", "norm", "layer", "head", "batch", "size", "cifar"]),
        min_size=1,
        max_size=4,
    )
)
def test_spelling_style_does_not_matter(parts: list[str]) -> None:
    snake, kebab, phrase = "_".join(parts), "-".join(parts), " ".join(parts)
    camel = parts[0] + "".join(part.title() for part in parts[1:])
    assert words(snake) == words(kebab) == words(phrase) == words(camel) == words(snake.upper())


@given(st.text(max_size=40))
def test_any_text_splits(text: str) -> None:
    assert all(word and word == word.lower() for word in words(text))
    assert key(text) == "".join(words(text))
