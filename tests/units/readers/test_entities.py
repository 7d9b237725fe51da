from __future__ import annotations

import pytest

from tests.units.readers.reading import entities, leaves
from verifier.model.check import PresentCheck


def test_every_item_of_a_cued_list_counts() -> None:
    found = [leaf for leaf in leaves("metrics: gFID, relative inference time, recall", "D3") if isinstance(leaf, PresentCheck)]
    assert [(check.entity, check.role) for check in found] == [
        ("gFID", "metric"),
        ("relative inference time", "metric"),
        ("recall", "metric"),
    ]


def test_names_in_a_list_carry_capitalised_neighbours() -> None:
    assert {"DTD", "Diagrams", "CelebA-HQ"} <= set(entities("evaluated on DTD, Diagrams, CelebA-HQ", "D3"))


def test_the_papers_own_name_is_nothing_to_look_for() -> None:
    assert entities("Paper-310M against SAC, REDQ", "D3") == ["SAC", "REDQ"]


@pytest.mark.parametrize("claim", ["see Table B and Figure A", "the GPU is used", "it is good", "D1 and D2"])
def test_ordinary_words_are_no_entities(claim: str) -> None:
    assert entities(claim) == []


def test_an_abbreviation_and_its_words_are_one_thing() -> None:
    found = entities("uses power spectral density (PSD) as a score")
    assert {"PSD", "spectral density"} <= set(found)
