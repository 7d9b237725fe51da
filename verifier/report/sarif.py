"""SARIF 2.1.0, which code scanning services and editors read: a rule a cause, a result a check that does not hold."""

from __future__ import annotations

import json
from urllib.parse import quote

from verifier.model.finding import Finding, Report, UnitResult
from verifier.model.location import Location, Problem
from verifier.model.verdict import Cause, Verdict
from verifier.report.escape import plain
from verifier.report.glossary import cause_entry
from verifier.report.json import Json
from verifier.version import __version__

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_UNDECIDED = "undecided"


def render(report: Report) -> str:
    """The report as a SARIF log. File names are relative to the repository, which is `%SRCROOT%`."""
    results: list[Json] = [
        _result(result, number, finding)
        for result in report.results
        for number, finding in enumerate(result.findings, 1)
        if finding.status is not Verdict.ALIGNED
    ]
    notifications: list[Json] = [_notification(problem) for problem in sorted(report.problems)]
    driver: dict[str, Json] = {"name": "sa-verify", "version": __version__, "rules": _rules()}
    run: dict[str, Json] = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "originalUriBaseIds": {"%SRCROOT%": {"description": {"text": "The repository that was checked."}}},
        "invocations": [{"executionSuccessful": True, "toolExecutionNotifications": notifications}],
        "results": results,
    }
    return json.dumps({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2) + "\n"


def _rules() -> list[Json]:
    rules: list[Json] = []
    for cause in Cause:
        entry = cause_entry(cause)
        rules.append(
            {
                "id": cause.value,
                "shortDescription": {"text": entry.meaning},
                "fullDescription": {"text": f"{entry.meaning} {entry.example}"},
                "help": {"text": entry.remedy},
                "defaultConfiguration": {"level": "error"},
            }
        )
    undecided: Json = {
        "id": _UNDECIDED,
        "shortDescription": {"text": "The rule cannot tell."},
        "defaultConfiguration": {"level": "note"},
    }
    return [*rules, undecided]


def _result(result: UnitResult, number: int, finding: Finding) -> Json:
    open_question = finding.status is Verdict.UNDECIDED
    found = f", found {finding.found}" if finding.found is not None else ""
    text = f"{result.unit.id}: {finding.kind} {finding.subject}: expected {finding.expected}{found}. {finding.message}"
    fields: dict[str, Json] = {
        "ruleId": finding.cause.value if finding.cause else _UNDECIDED,
        "level": "note" if open_question else "error",
        "message": {"text": plain(text.rstrip())},
        "locations": [_place(finding.location) if finding.location else _claim_place(result)],
        "partialFingerprints": {"unitCheck/v1": f"{result.unit.id}#{number}"},
        "properties": {"unit": result.unit.id, "dimension": result.unit.dimension, "verdict": finding.status.value},
    }
    steps: list[Json] = [
        {"location": {**_place(step.location), "message": {"text": plain(step.text)}}} for step in finding.trail if step.location
    ]
    if steps:
        fields["codeFlows"] = [{"threadFlows": [{"locations": steps}]}]
    return fields


def _place(location: Location) -> dict[str, Json]:
    region: dict[str, Json] = {"startLine": location.line, "startColumn": location.column, "endLine": location.end_line}
    return {"physicalLocation": {"artifactLocation": _artifact(location.file), "region": region}}


def _claim_place(result: UnitResult) -> dict[str, Json]:
    """What is not there has no place in the repository; scanning services want one, so the claim's own is given."""
    file = result.unit.file.replace("\\", "/")
    if not file or file.startswith(("/", "..")):
        return {"physicalLocation": {"artifactLocation": {"uri": "."}}}
    return {"physicalLocation": {"artifactLocation": {"uri": _uri(file)}, "region": {"startLine": max(result.unit.line, 1)}}}


def _artifact(file: str) -> dict[str, Json]:
    return {"uri": _uri(file), "uriBaseId": "%SRCROOT%"}


def _uri(file: str) -> str:
    """The relative URI of a file; a colon in its first part would read as a scheme."""
    return quote(file.encode("utf-8", "surrogatepass"), safe="/~")


def _notification(problem: Problem) -> Json:
    return {
        "level": "warning",
        "message": {"text": plain(problem.message)},
        "locations": [_place(Location(problem.file, max(problem.line, 1)))],
    }
