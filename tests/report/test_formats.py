"""What holds for every format, and the particulars of each."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from html.parser import HTMLParser
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verifier.model.finding import Report
from verifier.report import FORMATS, Format, render, text
from verifier.report.escape import plain, shortened


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_names_units_and_places(report: Report, name: str) -> None:
    output = render(report, cast("Format", name))
    assert output.endswith("\n")
    assert "p-D1-002" in output.replace("\\", "")
    assert "src/train.py" in output.replace("\\", "")
    assert output == render(report, cast("Format", name))


@pytest.mark.parametrize("name", FORMATS)
def test_nothing_from_the_repository_reaches_the_output_raw(hostile: Report, name: str) -> None:
    output = render(hostile, cast("Format", name))
    output.encode("utf-8")
    assert not {"\x1b", "\r", "\x00", "\u202e"} & set(output)
    assert not any(line.startswith("::error::gone") for line in output.splitlines())
    if name != "text":
        assert "<script>alert" not in output or name in ("json", "sarif", "github")


@pytest.mark.parametrize("name", FORMATS)
def test_an_empty_report_renders(name: str) -> None:
    empty = Report(repo=".", units_from=(), results=())
    assert render(empty, cast("Format", name)).endswith("\n")


@given(st.text())
def test_plain_text_is_one_printable_line(words: str) -> None:
    line = plain(words)
    assert "\x1b" not in line
    assert len(line.splitlines()) <= 1
    line.encode("utf-8")
    assert plain(line) == line


@given(st.text(), st.integers(min_value=2, max_value=60))
def test_shortened_text_keeps_the_width(words: str, width: int) -> None:
    assert len(shortened(words, width)) <= width


def test_text_shows_failures_in_full_and_aligned_units_in_a_line(report: Report) -> None:
    lines = text.render(report).splitlines()
    assert lines[0] == "aligned    p-D1-001  claim 1"
    assert "  drifted    value learning rate: expected 0.0003, found 0.001 (wrong-value) at src/train.py:42" in lines
    assert "             trail: conf/base.yaml:7 overridden here" in lines
    assert "5 units: 1 aligned, 1 drifted, 1 deferred, 1 missing, 1 undecided" in lines
    assert "  broken.py:3 cut off" in lines
    assert not any("epochs is 10 at" in line for line in lines[:2])
    assert any("epochs is 10 at train.py:3" in line for line in text.render(report, verbose=True).splitlines()[:4])


def test_text_is_coloured_only_on_demand(report: Report) -> None:
    assert "\x1b[31m" in text.render(report, colour=True)
    assert "\x1b" not in render(report, "text")


def test_github_annotations_lead_from_the_working_folder(report: Report) -> None:
    lines = render(report, "github").splitlines()
    assert lines[0].startswith("::error title=p-D1-002 drifted,file=some/repo/src/train.py,line=42,endLine=43,col=9::")
    assert "%0AClaim: claim 2" in lines[0]
    assert lines[-1] == "::notice title=sa-verify::5 units: 1 aligned, 1 drifted, 1 deferred, 1 missing, 1 undecided; score 0.250"


def test_junit_counts_failures_and_skips(report: Report) -> None:
    root = ET.fromstring(render(report, "junit"))
    assert root.attrib == {"name": "sa-verify", "tests": "5", "failures": "3", "errors": "0", "skipped": "1"}
    assert [suite.get("name") for suite in root] == ["D1", "D3", "D4"]
    failure = root.find(".//testcase[@name='p-D1-002']/failure")
    assert failure is not None
    assert failure.get("type") == "wrong-value"
    ET.fromstring(render(report, "junit"))


def test_junit_of_hostile_text_is_well_formed(hostile: Report) -> None:
    assert len(ET.fromstring(render(hostile, "junit"))) == 1


def test_sarif_points_at_lines_and_explains_causes(report: Report) -> None:
    run = json.loads(render(report, "sarif"))["runs"][0]
    rules = {rule["id"] for rule in run["tool"]["driver"]["rules"]}
    results = run["results"]
    assert {result["ruleId"] for result in results} <= rules
    assert [result["level"] for result in results] == ["error", "error", "error", "note"]
    drifted = results[0]["locations"][0]["physicalLocation"]
    assert drifted["artifactLocation"] == {"uri": "src/train.py", "uriBaseId": "%SRCROOT%"}
    assert drifted["region"] == {"startLine": 42, "startColumn": 9, "endLine": 43}
    flow = results[0]["codeFlows"][0]["threadFlows"][0]["locations"]
    assert [step["location"]["physicalLocation"]["artifactLocation"]["uri"] for step in flow] == ["conf/base.yaml"]
    missing = results[2]["locations"][0]["physicalLocation"]
    assert missing["artifactLocation"]["uri"] == "units.yaml"
    assert all(result["locations"] for result in results)


def test_markdown_tables_keep_their_columns(hostile: Report) -> None:
    rows = [line for line in render(hostile, "markdown").splitlines() if line.startswith("| drifted")]
    assert len(rows) == 1
    assert rows[0].replace("\\|", "").count("|") == 5


class _Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        assert not [value for name, value in attrs if name in ("src", "href", "onclick")]


def test_html_is_self_contained(hostile: Report) -> None:
    page = _Tags()
    page.feed(render(hostile, "html"))
    assert "script" not in page.tags
    assert page.tags.count("details") == 1
