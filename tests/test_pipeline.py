"""The story as a whole, with reading and checking replaced where they do not matter."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import FakeChecker
from verifier.cache.store import Store
from verifier.errors import ConfigError
from verifier.model.unit import Unit
from verifier.pipeline import Job, run, selected


@pytest.fixture
def job(training_repo: Path, tmp_path: Path) -> Job:
    units = tmp_path / "u.yaml"
    units.write_text("units: []\n")
    return Job(repo=training_repo, units=(units,), repo_name="r", units_names=("u.yaml",))


def test_an_unchanged_run_is_recalled(checker: FakeChecker, job: Job, tmp_path: Path) -> None:
    store = Store(tmp_path / "s.sqlite3")
    first = run(job, store)
    assert run(job, store) == first
    assert checker.calls == ["r"]


def test_a_changed_repository_is_checked_again(checker: FakeChecker, job: Job, tmp_path: Path) -> None:
    store = Store(tmp_path / "s.sqlite3")
    run(job, store)
    (job.repo / "train.py").write_text("LR = 1\n")
    run(job, store)
    assert checker.calls == ["r", "r"]


def test_a_damaged_report_is_not_recalled(
    checker: FakeChecker, job: Job, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = Store(tmp_path / "s.sqlite3")
    first = run(job, store)
    for damage in ("{", "[]", '{"repo": 3}'):
        monkeypatch.setattr(store, "get", lambda key, damage=damage: damage)
        assert run(job, store) == first
    assert len(checker.calls) == 4


def test_without_a_store_it_is_checked_in_any_case(checker: FakeChecker, job: Job) -> None:
    run(job)
    run(job)
    assert checker.calls == ["r", "r"]


def test_units_are_selected_by_dimension_or_id() -> None:
    units = [Unit("a", "D1", ""), Unit("b", "D2", ""), Unit("c", "D3", "")]
    assert [unit.id for unit in selected(units, frozenset())] == ["a", "b", "c"]
    assert [unit.id for unit in selected(units, frozenset({"D1", "c"}))] == ["a", "c"]
    assert selected(units, frozenset({"D4"})) == []
    with pytest.raises(ConfigError, match="called x, y"):
        selected(units, frozenset({"y", "a", "x"}))
