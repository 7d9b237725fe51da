"""Spellings derived from names that no pack lists."""

from __future__ import annotations

from verifier.lexicon.derive import derived, telling

SMALL = frozenset({"a", "of", "the"})


def test_a_letter_inside_a_name_is_no_article() -> None:
    assert telling("ImageNet-A", SMALL) == ("image", "net", "a")
    assert telling("the norm of a gradient", SMALL) == ("norm", "gradient")


def test_a_part_of_a_name_is_no_kind() -> None:
    assert ("image", "a") not in derived("ImageNet-A")
    assert ("image",) not in derived("ImageNet")


def test_an_objective_is_a_loss() -> None:
    assert ("flow", "matching", "loss") in derived("flow matching objective")
