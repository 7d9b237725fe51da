"""A benchmark run: what is found, in which order it is written, and what a crash does."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.conftest import FakeChecker
from verifier.bench.corpus import find
from verifier.bench.results import read_results
from verifier.cli import main
from verifier.errors import ConfigError

UNITS = '{"paper_id": "p", "D1": [{"id": "p-D1-001", "claim": "learning rate 1e-3", "source": ""}]}'


@pytest.fixture
def runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for config in ("b", "a"):
        for paper in ("two", "one"):
            repo = tmp_path / "runs" / config / paper / "repo"
            repo.mkdir(parents=True)
            (repo / "train.py").write_text("lr = 1e-3\n")
    (tmp_path / "units").mkdir()
    (tmp_path / "units" / "one.json").write_text(UNITS)
    (tmp_path / "units" / "two").mkdir()
    (tmp_path / "units" / "two" / "sau.json").write_text(UNITS)
    monkeypatch.chdir(tmp_path)
    return tmp_path / "runs"


def bench(*options: str) -> int:
    return main(["bench", "runs", "--units", "units", "--output", "out", "--workers", "1", *options])


def lines() -> list[dict[str, object]]:
    return [json.loads(line) for line in Path("out/results.jsonl").read_text().splitlines()]


def test_every_repository_has_a_line_in_fixed_order(checker: FakeChecker, runs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert bench("--no-cache") == 0
    assert [(line["config"], line["paper"], line["repo"]) for line in lines()] == [
        ("a", "one", "a/one/repo"),
        ("a", "two", "a/two/repo"),
        ("b", "one", "b/one/repo"),
        ("b", "two", "b/two/repo"),
    ]
    assert [line["units_from"] for line in lines()] == [["one.json"], ["two/sau.json"]] * 2
    table = capsys.readouterr().out.splitlines()
    assert table[0].split() == ["config", "repos", "D1", "D2", "D3", "D4", "score", "coverage"]
    assert [line.split()[:2] for line in table[1:]] == [["a", "2"], ["b", "2"], ["all", "4"]]
    assert table[1].split()[2:] == ["0.750", "100%", "-", "-", "0.000", "100%", "0.000", "50%", "0.250", "83%"]


def test_a_second_run_uses_what_is_kept(checker: FakeChecker, runs: Path) -> None:
    (runs / "a" / "one" / "repo" / "train.py").write_text("second_run = True\n")
    bench()
    before = Path("out/results.jsonl").read_bytes()
    count = len(checker.calls)
    bench()
    assert len(checker.calls) == count
    assert Path("out/results.jsonl").read_bytes() == before


def test_a_crash_is_a_line_and_the_others_go_on(checker: FakeChecker, runs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (runs / "a" / "one" / "repo" / "crash").write_text("")
    assert bench("--no-cache") == 1
    assert lines()[0] == {"config": "a", "paper": "one", "error": "RuntimeError: it crashed"}
    assert len(lines()) == 4
    assert "a/one: no report: RuntimeError: it crashed" in capsys.readouterr().err
    assert [row.report is None for row in read_results(Path("out"))] == [True, False, False, False]


def test_what_has_no_units_or_no_repo_is_said(checker: FakeChecker, runs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (runs / "a" / "three" / "repo").mkdir(parents=True)
    (runs / "b" / "empty").mkdir()
    assert bench("--no-cache") == 1
    said = capsys.readouterr().err
    assert "a/three: units has no units of this paper" in said
    assert "b/empty: there is no folder repo in it" in said
    assert len(lines()) == 4


def test_faults_of_all_unit_files_at_once(runs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("units/one.json").write_text("{")
    Path("units/two/sau.json").write_text("[")
    assert bench() == 2
    said = capsys.readouterr().err
    assert "one.json" in said
    assert "sau.json" in said


def test_nothing_to_check(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="holds no repository"):
        find(tmp_path, tmp_path)
    with pytest.raises(ConfigError, match="no such folder"):
        find(tmp_path / "none", tmp_path)


def test_the_result_does_not_depend_on_the_number_of_workers(runs: Path) -> None:
    assert bench("--no-cache") == 0
    alone = Path("out/results.jsonl").read_bytes()
    assert bench("--no-cache", "--workers", "2") == 0
    assert Path("out/results.jsonl").read_bytes() == alone
