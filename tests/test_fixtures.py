"""Every fixture is judged as it says.

A fixture is a folder with `repo/`, `units.yaml` and `expected.yaml`: for each unit its verdict, or a mapping of `verdict` and any of
`checks` (the verdict of each check), `cause`, `score`, and `found`, `file`, `line` of one of its checks. A small one has all of that in
`case.yaml`: `name`, `files` (path -> text), `units`, `expect`.
"""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from verifier import verify
from verifier.model.finding import Finding, UnitResult
from verifier.model.verdict import Verdict

FIXTURES = Path(__file__).parents[1] / "fixtures"
NAMES = sorted(path.parent.name for path in FIXTURES.glob("*/expected.yaml"))
CASES = sorted(path.parent.name for path in FIXTURES.glob("*/case.yaml"))


def decisive(result: UnitResult) -> list[Finding]:
    """The checks that a person would be shown: those that do not hold, or all when all hold."""
    return [finding for finding in result.findings if finding.status is not Verdict.ALIGNED] or list(result.findings)


def differences(result: UnitResult, expected: str | dict[str, object]) -> list[str]:
    """What is not as expected."""
    want = {"verdict": expected} if isinstance(expected, str) else expected
    shown = decisive(result)
    places = [finding.location for finding in shown if finding.location]
    seen: dict[str, object] = {
        "verdict": result.verdict.value,
        "checks": [finding.status.value for finding in result.findings],
        "cause": result.cause.value if result.cause else None,
        "score": result.score,
    }
    wrong = [f"{key} is {seen[key]}, not {want[key]}" for key in seen.keys() & want.keys() if seen[key] != want[key]]
    if "found" in want and not any(str(want["found"]) in (finding.found or "") for finding in shown):
        wrong.append(f"found {[finding.found for finding in shown]}, not {want['found']}")
    if "file" in want and want["file"] not in [place.file for place in places]:
        wrong.append(f"at {[str(place) for place in places]}, not in {want['file']}")
    if "line" in want and not any(place.line <= int(str(want["line"])) <= place.end_line for place in places):
        wrong.append(f"at {[str(place) for place in places]}, not in line {want['line']}")
    return wrong and [f"{result.unit.id}: {text}" for text in [*wrong, *(finding.message for finding in shown)]]


@pytest.mark.parametrize("name", NAMES)
def test_fixture(name: str) -> None:
    folder = FIXTURES / name
    expected = yaml.safe_load((folder / "expected.yaml").read_text(encoding="utf-8"))
    report = verify(folder / "repo", folder / "units.yaml")
    assert {result.unit.id for result in report.results} == set(expected)
    assert [text for result in report.results for text in differences(result, expected[result.unit.id])] == []


@pytest.mark.parametrize("name", CASES)
def test_case(name: str, tmp_path: Path) -> None:
    case = yaml.safe_load((FIXTURES / name / "case.yaml").read_text(encoding="utf-8"))
    repo, units = tmp_path / "repo", tmp_path / "units.yaml"
    for path, text in case["files"].items():
        target = repo / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
    units.write_text(yaml.safe_dump({"paper": case["name"], "units": case["units"]}, allow_unicode=True), encoding="utf-8")
    report = verify(repo, units)
    assert {result.unit.id for result in report.results} == set(case["expect"])
    assert [text for result in report.results for text in differences(result, case["expect"][result.unit.id])] == []
