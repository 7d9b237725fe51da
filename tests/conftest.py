"""Shared by all tests: a cache folder of their own, and a report with every verdict."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from verifier.model.finding import Finding, Report, Step, UnitResult
from verifier.model.location import Location, Problem
from verifier.model.unit import Unit
from verifier.model.verdict import Cause, Verdict
from verifier.pipeline import Job


@pytest.fixture(autouse=True, scope="session")
def _own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """No test reads or writes the user's cache."""
    before = os.environ.get("SA_VERIFY_CACHE_DIR")
    os.environ["SA_VERIFY_CACHE_DIR"] = str(tmp_path_factory.mktemp("cache"))
    yield
    if before is None:
        del os.environ["SA_VERIFY_CACHE_DIR"]
    else:
        os.environ["SA_VERIFY_CACHE_DIR"] = before


def unit_result(number: int, dimension: str, *findings: Finding) -> UnitResult:
    unit = Unit(f"p-{dimension}-{number:03}", dimension, f"claim {number}", "Section 4", line=number, file="units.yaml")  # type: ignore[arg-type]
    return UnitResult(unit=unit, findings=findings)


@pytest.fixture
def report() -> Report:
    """Five units in three dimensions: aligned, half drifted, deferred, missing, undecided; and a broken file."""
    aligned = Finding(
        kind="value", subject="epochs", status=Verdict.ALIGNED, expected="10", found="10", location=Location("train.py", 3, 5)
    )
    drifted = Finding(
        kind="value",
        subject="learning rate",
        status=Verdict.DRIFTED,
        cause=Cause.WRONG_VALUE,
        expected="0.0003",
        found="0.001",
        location=Location("src/train.py", 42, 9, 43),
        message="the default is overridden",
        trail=(Step("overridden here", Location("conf/base.yaml", 7)), Step("read")),
    )
    deferred = Finding(
        kind="present",
        subject="FID",
        status=Verdict.DEFERRED,
        cause=Cause.PLACEHOLDER,
        expected="FID",
        location=Location("metrics.py", 8),
        message="returns a constant",
    )
    missing = Finding(kind="order", subject="clip, step", status=Verdict.MISSING, cause=Cause.MISSING, expected="clip, step")
    undecided = Finding(kind="formula", subject="loss", status=Verdict.UNDECIDED, expected="a + b", message="cannot tell")
    return Report(
        repo="some/repo",
        units_from=("units.yaml",),
        results=(
            unit_result(1, "D1", aligned),
            unit_result(2, "D1", aligned, drifted),
            unit_result(3, "D3", deferred),
            unit_result(4, "D4", missing),
            unit_result(5, "D4", undecided),
        ),
        problems=(Problem("broken.py", 3, "cut off"),),
    )


HOSTILE = "\x1b[31mred\x1b[0m\r\n::error::gone <script>alert(1)</script> | `x` [a](http://b) @all ]]> %0A \u202e\ud800 ,:\x00&"


@pytest.fixture
def hostile() -> Report:
    """A report in which every text tries to break out of the format."""
    finding = Finding(
        kind="value",
        subject=HOSTILE,
        status=Verdict.DRIFTED,
        cause=Cause.WRONG_VALUE,
        expected=HOSTILE,
        found=HOSTILE,
        location=Location(HOSTILE, 1),
        message=HOSTILE,
        words=HOSTILE,
        trail=(Step(HOSTILE, Location(HOSTILE, 2)),),
        parts=(Finding(kind="value", subject=HOSTILE, status=Verdict.MISSING, cause=Cause.MISSING, message=HOSTILE),),
    )
    unit = Unit(HOSTILE, "D1", HOSTILE, HOSTILE, file=HOSTILE)
    return Report(
        repo=HOSTILE,
        units_from=(HOSTILE,),
        results=(UnitResult(unit=unit, findings=(finding,), home=HOSTILE),),
        problems=(Problem(HOSTILE, 1, HOSTILE),),
    )


@pytest.fixture
def training_repo(tmp_path: Path) -> Path:
    """A folder with one small program."""
    repo = tmp_path / "repo"
    repo.mkdir()
    (repo / "train.py").write_text("LR = 1e-3\n\n\ndef main():\n    print(LR)\n\n\nmain()\n")
    return repo


class FakeChecker:
    """Stands in for reading and checking: gives the same findings for every repository, and counts."""

    def __init__(self, report: Report) -> None:
        self.report = report
        self.calls: list[str] = []

    def examine(self, job: Job, rules: object, tell: object = None) -> Report:
        self.calls.append(job.repo_name)
        if (job.repo / "crash").exists():
            raise RuntimeError("it crashed")
        return replace(self.report, repo=job.repo_name, units_from=job.units_names)


@pytest.fixture
def checker(monkeypatch: pytest.MonkeyPatch, report: Report) -> FakeChecker:
    fake = FakeChecker(report)
    monkeypatch.setattr("verifier.pipeline.prepare", lambda units, select=frozenset(): ())
    monkeypatch.setattr("verifier.bench.workers.prepare", lambda units, select=frozenset(): ())
    monkeypatch.setattr("verifier.pipeline.examine", fake.examine)
    return fake
