"""The JSON report: the form that other programs read, and the one that is kept in the cache."""

from __future__ import annotations

import json
from typing import TypeAlias

from verifier.model.finding import Finding, Report, Step, UnitResult
from verifier.model.location import Location
from verifier.report.summary import COUNTED, Figures, Summary, summarise
from verifier.version import __version__

SCHEMA = "sa-verify/1"
Json: TypeAlias = "str | int | float | bool | None | list[Json] | dict[str, Json]"


def render(report: Report) -> str:
    """The report as JSON, ASCII only: a line a key, and a line for each unit and each problem, so that a difference shows where it is."""
    lines = ",\n".join(f" {json.dumps(key)}: {_value(value)}" for key, value in to_object(report).items())
    return f"{{\n{lines}\n}}\n"


def _value(value: Json) -> str:
    if not isinstance(value, list) or not value or isinstance(value[0], str):
        return json.dumps(value)
    items = ",\n".join(f"  {json.dumps(item)}" for item in value)
    return f"[\n{items}\n ]"


def render_line(report: Report, **first: str) -> str:
    """The report as one line of JSON without line break; `first` are keys that stand before its own."""
    return json.dumps({**first, **to_object(report)}, separators=(",", ":"))


def to_object(report: Report) -> dict[str, Json]:
    """The report as JSON values; `verifier.report.load` reads them back."""
    return {
        "schema": SCHEMA,
        "tool": {"name": "sa-verify", "version": __version__},
        "repo": report.repo,
        "units_from": list(report.units_from),
        "summary": _summary(summarise(report)),
        "units": [_unit(result) for result in report.results],
        "problems": [
            {"file": problem.file, "line": problem.line, "message": problem.message} for problem in sorted(report.problems)
        ],
    }


def _summary(summary: Summary) -> dict[str, Json]:
    counts: dict[str, Json] = {verdict.value: summary.counts[verdict] for verdict in COUNTED}
    return {
        "units": summary.overall.units,
        **counts,
        "score": summary.overall.score,
        "coverage": summary.overall.coverage,
        "dimensions": {name: _figures(figures) for name, figures in summary.dimensions.items()},
    }


def _figures(figures: Figures) -> dict[str, Json]:
    return {"units": figures.units, "score": figures.score, "coverage": figures.coverage}


def _unit(result: UnitResult) -> dict[str, Json]:
    return {
        "id": result.unit.id,
        "dimension": result.unit.dimension,
        "claim": result.unit.claim,
        "source": result.unit.source,
        "verdict": result.verdict.value,
        "score": result.score,
        "cause": result.cause.value if result.cause else None,
        "checks": [_finding(finding) for finding in result.findings],
        "home": result.home,
        "file": result.unit.file,
        "line": result.unit.line,
    }


def _finding(finding: Finding) -> dict[str, Json]:
    return {
        "kind": finding.kind,
        "subject": finding.subject,
        "status": finding.status.value,
        "cause": finding.cause.value if finding.cause else None,
        "expected": finding.expected,
        "found": finding.found,
        "location": _location(finding.location),
        "message": finding.message,
        "origin": finding.origin,
        "words": finding.words,
        "trail": [_step(step) for step in finding.trail],
        "parts": [_finding(part) for part in finding.parts],
    }


def _step(step: Step) -> dict[str, Json]:
    return {"text": step.text, "location": _location(step.location)}


def _location(location: Location | None) -> dict[str, Json] | None:
    if location is None:
        return None
    return {"file": location.file, "line": location.line, "column": location.column, "end_line": location.end_line}
