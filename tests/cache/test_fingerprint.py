"""The key changes with everything a report depends on, and with nothing else."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from verifier.cache.fingerprint import fingerprint
from verifier.source.limits import DEFAULT_LIMITS


@pytest.fixture
def key(training_repo: Path, tmp_path: Path) -> Callable[..., str]:
    units = tmp_path / "units"
    units.mkdir()
    (units / "a.yaml").write_text("units: []\n")
    return lambda *settings: fingerprint(training_repo, [units], DEFAULT_LIMITS, *settings)


def test_it_is_stable(key: Callable[..., str], training_repo: Path) -> None:
    before = key()
    (training_repo / "image.png").write_bytes(b"not read")
    (training_repo / ".hidden.py").write_text("x = 1\n")
    os.utime(training_repo / "train.py", (1, 1))
    assert key() == before


@pytest.mark.parametrize(
    "change",
    [
        lambda repo, units: (repo / "train.py").write_text("LR = 2\n"),
        lambda repo, units: (repo / "other.py").write_text(""),
        lambda repo, units: (repo / "train.py").rename(repo / "run.py"),
        lambda repo, units: (units / "a.yaml").write_text("units: [] \n"),
        lambda repo, units: (units / "b.json").write_text("{}"),
    ],
)
def test_it_changes_with_content(
    key: Callable[..., str], training_repo: Path, tmp_path: Path, change: Callable[[Path, Path], object]
) -> None:
    before = key()
    change(training_repo, tmp_path / "units")
    assert key() != before


def test_it_changes_with_settings(key: Callable[..., str]) -> None:
    assert len({key(), key("a"), key("a", "b"), key("ab")}) == 4


def test_folders_left_out_do_not_count(training_repo: Path) -> None:
    (training_repo / "result").mkdir()
    limits = replace(DEFAULT_LIMITS, left_out=frozenset({"result"}))
    before = fingerprint(training_repo, [], limits)
    (training_repo / "result" / "made.py").write_text("x = 1\n")
    assert fingerprint(training_repo, [], limits) == before
