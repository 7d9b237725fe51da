"""The figures of agreement."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verifier.bench.agreement import Pair, measure, pair_up, read_labels
from verifier.bench.results import Row
from verifier.errors import ConfigError
from verifier.model.finding import Report

levels = st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0])


def pairs(*values: tuple[float, float | None]) -> list[Pair]:
    return [Pair("c", "D1", label, score) for label, score in values]


def test_full_agreement() -> None:
    found = measure(pairs((0, 0.0), (1, 1.0), (0.5, 0.5)))
    assert (found.kappa, found.error, found.exact, found.coverage) == (1.0, 0.0, 1.0, 1.0)


def test_full_disagreement() -> None:
    assert measure(pairs((0, 1.0), (1, 0.0))).kappa == -1.0


def test_kappa_by_hand() -> None:
    # observed: (4 - 2)^2 = 4 over 4 pairs; expected: sum over all label-guess pairs of the squared distance, over 4
    found = measure(pairs((0, 0.0), (0, 0.0), (1, 1.0), (1, 0.5)))
    expected = sum((a - b) ** 2 for a in (0, 0, 4, 4) for b in (0, 0, 4, 2)) / 4
    assert found.kappa == pytest.approx(1 - 4 / expected)
    assert found.error == 0.125


def test_no_score_counts_as_one_half() -> None:
    found = measure(pairs((0.5, None), (1, 1.0)))
    assert (found.error, found.coverage) == (0.0, 0.5)


@given(st.lists(st.tuples(levels, levels), min_size=1))
def test_bounds(values: list[tuple[float, float]]) -> None:
    found = measure(pairs(*values))
    assert found.kappa is None or -1 <= found.kappa <= 1
    assert 0 <= found.error <= 1
    assert (found.error == 0) == (found.exact == 1)


def test_labels_are_paired_with_units(tmp_path: Path, report: Report) -> None:
    labels = [{"id": "p-D1-001", "level": 1}, {"id": "p-D1-002", "level": None}, {"id": "p-D4-004", "level": 0.25}]
    (tmp_path / "p.json").write_text(json.dumps({"paper": "p", "labels": labels}))
    found = pair_up([Row("c", "p", report), Row("d", "p", None)], read_labels(tmp_path))
    assert found == [Pair("c", "D1", 1, 1.0), Pair("c", "D4", 0.25, 0.0)]


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"labels": [{"id": "a"}]}', '{"labels": [{"id": "a", "level": 3}]}', '{"labels": []}']
)
def test_what_is_no_file_of_labels(tmp_path: Path, text: str) -> None:
    (tmp_path / "p.json").write_text(text)
    with pytest.raises(ConfigError):
        read_labels(tmp_path / "p.json")
