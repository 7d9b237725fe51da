"""The command line: exit codes, messages, formats, files."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import FakeChecker
from verifier.cli import main
from verifier.commands import SUMMARIES, load
from verifier.version import __version__

UNITS = (
    "units:\n  - id: p-D1-001\n    claim: learning rate 1e-3\n    checks:\n      - value: learning rate\n        equals: 1e-3\n"
)


@pytest.fixture(autouse=True)
def _here(monkeypatch: pytest.MonkeyPatch, training_repo: Path) -> None:
    monkeypatch.chdir(training_repo.parent)
    Path("u.yaml").write_text(UNITS)


def errors(capsys: pytest.CaptureFixture[str]) -> list[str]:
    return capsys.readouterr().err.splitlines()


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ([], 1),
        (["--fail-on", "unused"], 0),
        (["--fail-on", "unused,missing"], 1),
        (["--fail-on", "", "--strict"], 1),
        (["--fail-on", ""], 0),
        (["--min-score", "0.25"], 0),
        (["--min-score", "0.2501"], 1),
        (["--min-score", "0.1", "--strict"], 1),
    ],
)
def test_what_fails(checker: FakeChecker, options: list[str], code: int) -> None:
    assert main(["repo", "--units", "u.yaml", "--format", "json", *options]) == code


def test_the_report_names_things_as_given(checker: FakeChecker, capsys: pytest.CaptureFixture[str]) -> None:
    main(["repo/", "--units", "u.yaml", "--format", "json"])
    document = json.loads(capsys.readouterr().out)
    assert (document["repo"], document["units_from"]) == ("repo/", ["u.yaml"])


def test_output_goes_to_a_file(checker: FakeChecker, capsys: pytest.CaptureFixture[str]) -> None:
    main(["repo", "--units", "u.yaml", "--format", "sarif", "--output", "out.sarif"])
    assert capsys.readouterr().out == ""
    assert json.loads(Path("out.sarif").read_text())["version"] == "2.1.0"


def test_all_faults_of_a_call_at_once(capsys: pytest.CaptureFixture[str]) -> None:
    Path("bad.yaml").write_text("units:\n  - id: a\n    wrong: 1\n")
    code = main("nowhere --units bad.yaml --format pdf --fail-on never --min-score 7 --output no/where".split())
    lines = errors(capsys)
    assert code == 2
    assert [line.split(":")[1].strip() for line in lines[:5]] == ["--format", "--output", "--fail-on", "--min-score", "nowhere"]
    assert any("bad.yaml:3" in line for line in lines[5:])
    assert all(line.startswith("sa-verify: ") for line in lines)


@pytest.mark.parametrize(
    "arguments",
    ["repo --unknown", "", "repo --units u.yaml --select", "bench", "explain nonsense", "compare a b", "compile none.yaml"],
)
def test_a_wrong_call_is_one_line(capsys: pytest.CaptureFixture[str], arguments: str) -> None:
    assert main(arguments.split()) == 2
    assert len(errors(capsys)) == 1


def test_default_units(checker: FakeChecker, capsys: pytest.CaptureFixture[str]) -> None:
    def chosen() -> list[str]:
        main(["repo", "--units", "--format", "json"])
        named: list[str] = json.loads(capsys.readouterr().out)["units_from"]
        return named

    Path("units").mkdir()
    assert chosen() == ["units"]
    Path("sau.json").write_text("{}")
    assert chosen() == ["sau.json"]
    Path("repo/units").mkdir()
    assert chosen() == ["repo/units"]
    Path("repo/sa-units.yaml").write_text(UNITS)
    assert chosen() == ["repo/sa-units.yaml"]
    Path("repo/pyproject.toml").write_text("[tool.sa-verify\n")
    assert chosen() == ["repo/sa-units.yaml"]
    Path("repo/pyproject.toml").write_text('[tool.sa-verify]\nunits = ["a.yaml", "b"]\n')
    assert chosen() == ["repo/a.yaml", "repo/b"]


def test_no_units_at_all(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["repo", "--units"]) == 2
    assert "no unit file" in errors(capsys)[0]


def test_a_malformed_setting(capsys: pytest.CaptureFixture[str]) -> None:
    Path("repo/pyproject.toml").write_text("[tool.sa-verify]\nunits = 3\n")
    assert main(["repo", "--units"]) == 2
    assert "[tool.sa-verify] units must be" in errors(capsys)[0]


def test_a_folder_with_the_name_of_a_command(checker: FakeChecker) -> None:
    Path("repo").rename("bench")
    assert main(["./bench", "--units", "u.yaml"]) == 1
    assert checker.calls == ["./bench"]


@pytest.mark.parametrize("name", ["", *SUMMARIES])
def test_help_everywhere(capsys: pytest.CaptureFixture[str], name: str) -> None:
    with pytest.raises(SystemExit) as exit_:
        main([*([name] if name else []), "--help"])
    assert exit_.value.code == 0
    assert "usage: sa-verify" in capsys.readouterr().out


def test_every_command_loads() -> None:
    modules = {path.stem.replace("_", "-") for path in Path(load("verify").__file__ or "").parent.glob("*.py")}  # type: ignore[attr-defined]
    assert set(SUMMARIES) <= modules


def test_explain(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "dead-code"]) == 0
    assert capsys.readouterr().out.startswith("dead-code (cause)\n")


def run_process(*arguments: str, **settings: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "verifier", *arguments]
    root = Path(__file__).parents[1]
    environment = {**os.environ, "PYTHONPATH": str(root), **settings}
    return subprocess.run(command, capture_output=True, text=True, check=False, env=environment, encoding="utf-8")


def test_the_version_imports_next_to_nothing() -> None:
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "verifier", "--version"],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])},
    )
    assert done.stdout == f"sa-verify {__version__}\n"
    assert not [
        line for line in done.stderr.splitlines() if line.endswith(("dataclasses", "tree_sitter", "sympy", "verifier.pipeline"))
    ]


def test_a_reader_that_goes_away_is_no_fault() -> None:
    command = f"{sys.executable} -m verifier --help | true"
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])}
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False, env=environment)
    assert "Traceback" not in done.stderr
    assert "BrokenPipe" not in done.stderr


def test_output_is_utf8_in_any_locale() -> None:
    done = run_process("explain", "drifted", LC_ALL="C", PYTHONUTF8="0", PYTHONIOENCODING="ascii")
    assert done.returncode == 0


def test_an_error_of_the_program_itself_is_told_from_a_failing_check(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def crash(*arguments: object) -> None:
        raise RuntimeError("unexpected")

    monkeypatch.setattr("verifier.pipeline.prepare", crash)
    assert main(["repo", "--units", "u.yaml", "--no-cache"]) == 3
    assert "RuntimeError: unexpected" in capsys.readouterr().err


def test_an_interrupt_is_quiet(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def interrupt(*arguments: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("verifier.pipeline.prepare", interrupt)
    assert main(["repo", "--units", "u.yaml", "--no-cache"]) == 130
    assert capsys.readouterr().err == ""
