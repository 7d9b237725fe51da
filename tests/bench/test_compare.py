"""What changed between two results."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from verifier.bench.compare import Direction, changes
from verifier.bench.results import Row
from verifier.cli import main
from verifier.model.finding import Report
from verifier.model.verdict import Verdict
from verifier.report import render


def mended(report: Report) -> Report:
    """The report after the drifted unit was mended, the aligned one spoilt, and the last one taken away."""
    good, half, third, fourth, _ = report.results
    spoilt = replace(good.findings[0], status=Verdict.MISSING, found=None, location=None)
    return replace(report, results=(replace(good, findings=(spoilt,)), replace(half, findings=half.findings[:1]), third, fourth))


def test_directions(report: Report) -> None:
    found = changes([Row("c", "p", report)], [Row("c", "p", mended(report))])
    assert [(change.key[2], change.direction) for change in found] == [
        ("p-D1-001", Direction.WORSE),
        ("p-D1-002", Direction.BETTER),
        ("p-D4-005", Direction.GONE),
    ]
    assert str(found[1]) == "c/p/p-D1-002: drifted 0.500, found 0.001 at src/train.py:42 -> aligned 1.000 at train.py:3"


def test_the_same_is_no_change(report: Report) -> None:
    assert changes([Row("", "", report)], [Row("", "", replace(report, repo="elsewhere"))]) == []


def test_the_command(report: Report, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before, after = tmp_path / "a.json", tmp_path / "b.json"
    before.write_text(render(report, "json"))
    after.write_text(render(mended(report), "json"))
    assert main(["compare", str(before), str(before)]) == 0
    assert main(["compare", str(before), str(after)]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "changed units: none"
    assert lines[-1] == "changed units: 1 better, 1 worse, 1 gone"
