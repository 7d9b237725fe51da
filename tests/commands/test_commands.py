"""The commands that only call what is tested elsewhere."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.bench.test_compare import mended
from verifier.cli import main
from verifier.model.finding import Report
from verifier.report import render
from verifier.report.json import render_line

UNITS = """units:
  - id: p-D1-001
    claim: learning rate 1e-3
    checks:
      - value: learning rate
        equals: 1e-3
  - id: p-D1-002
    claim: learning rate 1e-4
    checks:
      - value: learning rate
        equals: 1e-4
  - id: p-D4-001
    claim: clip, then step
    checks:
      - order: [clip, step]
"""


@pytest.fixture
def units(tmp_path: Path) -> Path:
    file = tmp_path / "u.yaml"
    file.write_text(UNITS)
    return file


def test_what_is_compiled_compiles_to_itself(units: Path, capsys: pytest.CaptureFixture[str]) -> None:
    compiled = units.with_name("compiled.yaml")
    assert main(["compile", str(units), "-o", str(compiled)]) == 0
    assert main(["compile", str(compiled)]) == 0
    assert capsys.readouterr().out == compiled.read_text()


def test_units_tells_contradictions(units: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["units", str(units)]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert "p-D1-002" in lines[0]
    assert lines[-1] == "3 units (2 D1, 1 D4), 3 checks (1 order, 2 value), 1 remarks"


def test_test_rules_refuses_a_folder_that_is_not_there(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["test-rules", "nowhere"]) == 2
    assert capsys.readouterr().err == "sa-verify: nowhere: there is no such folder\n"


def test_agree_prints_a_line_a_dimension(report: Report, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "r.json").write_text(render(report, "json"))
    labels = [{"id": "p-D1-001", "level": 1}, {"id": "p-D1-002", "level": 0.5}, {"id": "p-D4-004", "level": 0.25}]
    (tmp_path / "labels.json").write_text(json.dumps({"labels": labels}))
    assert main(["agree", str(tmp_path / "r.json"), str(tmp_path / "labels.json")]) == 0
    rows = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert rows[0] == ["units", "kappa", "error", "exact", "coverage"]
    assert rows[1] == ["D1", "2", "1.000", "0.000", "1.000", "1.000"]
    assert [row[:2] for row in rows[2:]] == [["D4", "1"], ["all", "3"]]


def test_compare_reads_results_of_a_bench(report: Report, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, version in (("a", report), ("b", mended(report))):
        (tmp_path / name).mkdir()
        line = render_line(version, config="c", paper="p")
        (tmp_path / name / "results.jsonl").write_text(f'{line}\n{{"config":"c","paper":"q","error":"crashed"}}\n')
    assert main(["compare", str(tmp_path / "a"), str(tmp_path / "b")]) == 1
    assert "better c/p/p-D1-002: drifted 0.500" in capsys.readouterr().out
