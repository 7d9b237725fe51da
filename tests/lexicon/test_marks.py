"""Marks of placeholders."""

from __future__ import annotations

import pytest

from verifier.lexicon import load_lexicon

MARKS = load_lexicon().placeholder_marks


@pytest.mark.parametrize("text", ["TODO: polynomial kernel", "FIXME", "Placeholder for the FID score", "not implemented yet"])
def test_sure_comments(text: str) -> None:
    mark = MARKS.in_comment(text)
    assert mark is not None
    assert mark.sure


@pytest.mark.parametrize("text", ["simplified version", "in practice, one would load the real model"])
def test_hints(text: str) -> None:
    mark = MARKS.in_comment(text)
    assert mark is not None
    assert not mark.sure


@pytest.mark.parametrize(
    "text", ["what to do with it", "the loss of the fake images", "replaces the placeholder token", "stubborn values", ""]
)
def test_ordinary_comments(text: str) -> None:
    assert MARKS.in_comment(text) is None


@pytest.mark.parametrize(
    ("name", "marked"),
    [("dummy_data", True), ("FakeLoader", True), ("fake_images", False), ("DummyVecEnv", False), ("train_set", False)],
)
def test_names(name: str, marked: bool) -> None:
    assert (MARKS.in_name(name) is not None) is marked


def test_sources() -> None:
    assert "torch.randn" in MARKS.random_sources
    assert "numpy.zeros" in MARKS.constant_sources
    assert not MARKS.random_sources & MARKS.constant_sources
