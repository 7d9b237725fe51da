"""The JSON report has the form that other programs rely on, and is read back as it was."""

from __future__ import annotations

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verifier.errors import ConfigError
from verifier.model.finding import Finding, Report, Step, UnitResult
from verifier.model.location import Location, Problem
from verifier.model.unit import Unit
from verifier.model.verdict import Cause, Verdict
from verifier.report import render
from verifier.report.json import render_line
from verifier.report.load import from_object


def test_keys_and_their_order(report: Report) -> None:
    document = json.loads(render(report, "json"))
    assert list(document) == ["schema", "tool", "repo", "units_from", "summary", "units", "problems"]
    counted = ["aligned", "drifted", "deferred", "unused", "missing", "undecided"]
    assert list(document["summary"]) == ["units", *counted, "score", "coverage", "dimensions"]
    unit = document["units"][1]
    assert list(unit)[:8] == ["id", "dimension", "claim", "source", "verdict", "score", "cause", "checks"]
    check = unit["checks"][1]
    assert list(check)[:9] == ["kind", "subject", "status", "cause", "expected", "found", "location", "message", "origin"]
    assert check["location"] == {"file": "src/train.py", "line": 42, "column": 9, "end_line": 43}
    assert document["problems"] == [{"file": "broken.py", "line": 3, "message": "cut off"}]


def test_figures(report: Report) -> None:
    summary = json.loads(render(report, "json"))["summary"]
    assert {name: summary[name] for name in ("units", "aligned", "drifted", "unused")} == {
        "units": 5,
        "aligned": 1,
        "drifted": 1,
        "unused": 0,
    }
    assert summary["dimensions"]["D1"] == {"units": 2, "score": 0.75, "coverage": 1.0}
    assert summary["dimensions"]["D4"] == {"units": 2, "score": 0.0, "coverage": 0.5}
    assert math.isclose(summary["score"], 0.25)
    assert math.isclose(summary["coverage"], 5 / 6)


def test_a_unit_in_which_nothing_is_decided_has_no_score() -> None:
    finding = Finding(kind="formula", subject="x", status=Verdict.UNDECIDED)
    result = UnitResult(unit=Unit("a", "D2", "claim"), findings=(finding,))
    document = json.loads(render(Report(repo="r", units_from=(), results=(result,)), "json"))
    assert document["units"][0]["score"] is None
    assert document["summary"]["score"] is None
    assert document["summary"]["coverage"] == 0.0


def test_a_line_starts_with_the_given_keys(report: Report) -> None:
    line = render_line(report, config="c", paper="p")
    assert "\n" not in line
    assert list(json.loads(line))[:3] == ["config", "paper", "schema"]


def test_hostile_text_comes_back_unchanged(hostile: Report) -> None:
    assert from_object(json.loads(render(hostile, "json"))) == hostile


texts = st.text(max_size=8)
locations = st.builds(Location, texts, st.integers(1, 99), st.integers(1, 99))
findings = st.builds(
    Finding,
    kind=texts,
    subject=texts,
    status=st.sampled_from(Verdict),
    cause=st.none() | st.sampled_from(Cause),
    expected=texts,
    found=st.none() | texts,
    location=st.none() | locations,
    message=texts,
    words=texts,
    trail=st.lists(st.builds(Step, texts, st.none() | locations), max_size=2).map(tuple),
)
units = st.builds(Unit, texts, st.sampled_from(["D1", "D2", "D3", "D4"]), texts, texts, line=st.integers(0, 9), file=texts)
results = st.builds(UnitResult, unit=units, findings=st.lists(findings, max_size=3).map(tuple), home=texts)
problems = st.lists(st.builds(Problem, texts, st.integers(0, 9), texts), max_size=2).map(lambda many: tuple(sorted(many)))
reports = st.builds(
    Report,
    repo=texts,
    units_from=st.lists(texts, max_size=2).map(tuple),
    results=st.lists(results, max_size=3).map(tuple),
    problems=problems,
)


@given(reports)
def test_every_report_comes_back_as_it_was(report: Report) -> None:
    assert from_object(json.loads(render(report, "json"))) == report


@pytest.mark.parametrize(
    "value", [None, 3, [], {}, {"repo": 1}, {"repo": "r", "units_from": [], "units": [{"id": "x"}], "problems": []}]
)
def test_what_is_no_report_is_refused(value: object) -> None:
    with pytest.raises(ConfigError, match="not a report"):
        from_object(value)
