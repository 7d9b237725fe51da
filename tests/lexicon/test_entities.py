"""Entities."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verifier.lexicon import load_lexicon
from verifier.lexicon.derive import derived

LEXICON = load_lexicon()


def names(text: str, target: str = "") -> set[str]:
    return {entity.name for entity in LEXICON.identify(text, target)}


def test_find_takes_the_longest_name() -> None:
    text = "We train on CIFAR-10, CIFAR100 and Tiny ImageNet, and report the Fréchet Inception Distance."
    found = [(text[start:end], entity.name) for start, end, entity in LEXICON.find_entities(text)]
    assert found == [
        ("CIFAR-10", "CIFAR-10"),
        ("CIFAR100", "CIFAR-100"),
        ("Tiny ImageNet", "Tiny ImageNet"),
        ("Fréchet Inception Distance", "FID"),
    ]


def test_common_words_count_only_as_names() -> None:
    assert not LEXICON.find_entities("drop the last batch, clip the gradient, glue the parts and math")
    assert {entity.name for _, _, entity in LEXICON.find_entities("DROP and GLUE")} == {"DROP", "GLUE"}


@pytest.mark.parametrize(
    ("text", "target", "name"),
    [
        ("rajpurkar/squad_v2", "", "SQuAD v2"),
        ("stanfordnlp/imdb", "", "IMDB"),
        ("cifar10_loader", "", "CIFAR-10"),
        ("load_data", "tensorflow.keras.datasets.imdb.load_data", "IMDB"),
        ("accuracy_score", "", "accuracy"),
        ("FrechetInceptionDistance", "", "FID"),
        ("HalfCheetah-v4", "", "HalfCheetah"),
        ("UNetPlusPlus", "", "UNet++"),
    ],
)
def test_identify(text: str, target: str, name: str) -> None:
    assert name in names(text, target)


def test_near_names_are_told_apart() -> None:
    assert "SQuAD" not in names("rajpurkar/squad_v2")
    assert "CIFAR-10" not in names("CIFAR100")
    assert "ImageNet" not in names("tiny_imagenet")
    assert "Adam" not in names("AdamW")
    assert "MNIST" not in names("FashionMNIST")


@pytest.mark.parametrize(
    "text", ["per", "map_location", "RuntimeError", "train", "math", "P_pi", "d_dim", "score", "checkpoint", "transformers"]
)
def test_ordinary_identifiers_name_nothing(text: str) -> None:
    assert names(text) == set()


def test_siblings_and_relations() -> None:
    (squad,) = LEXICON.named_entities("SQuAD v2", "dataset")
    assert "SQuAD" in {other.name for other in LEXICON.entities.siblings(squad)}
    (macro,) = LEXICON.named_entities("macro F1", "metric")
    assert "F1" not in {other.name for other in LEXICON.entities.siblings(macro)}


def test_roles_choose_the_kind() -> None:
    assert LEXICON.named_entities("MAE", "metric")[0].kind == "metric"
    assert {entity.name for entity in LEXICON.named_entities("masked autoencoder", "model")} == {"MAE model"}
    assert LEXICON.named_entities("CIFAR-10", "metric") == ()


def test_spellings_of_listed_and_of_unlisted_names() -> None:
    joined = {"".join(parts) for parts in LEXICON.entity_spellings("kernel inception distance", "metric")}
    assert {"kid", "kernelinceptiondistance"} <= joined
    assert ("zqx",) in LEXICON.entity_spellings("Zonal Quasi Xylometry (ZQX) benchmark")
    assert ("zonal", "quasi", "xylometry") in LEXICON.entity_spellings("Zonal Quasi Xylometry (ZQX) benchmark")


def test_broader_names_are_met_by_narrower_ones() -> None:
    joined = {"".join(parts) for parts in LEXICON.entity_spellings("DeepMind Control Suite")}
    assert "walkerwalk" in joined


@given(st.text(max_size=60))
def test_any_text_is_searched(text: str) -> None:
    for start, end, _ in LEXICON.find_entities(text):
        assert 0 <= start < end <= len(text)
    assert all(parts for parts in derived(text))
