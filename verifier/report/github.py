"""GitHub workflow annotations: one line for each check that fails or is undecided, and a notice with the figures."""

from __future__ import annotations

import posixpath

from verifier.model.finding import Finding, Report, UnitResult
from verifier.model.verdict import Verdict
from verifier.report.escape import plain, shortened, workflow_message, workflow_property
from verifier.report.summary import COUNTED, summarise


def render(report: Report) -> str:
    """The report as workflow commands; paths lead from the folder that sa-verify was started in."""
    lines = [
        _annotation(report, result, finding)
        for result in report.results
        for finding in result.findings
        if finding.status is not Verdict.ALIGNED
    ]
    return "".join(f"{line}\n" for line in [*lines, _notice(report)])


def _annotation(report: Report, result: UnitResult, finding: Finding) -> str:
    level = "warning" if finding.status is Verdict.UNDECIDED else "error"
    fields = {"title": f"{plain(result.unit.id)} {finding.status}"}
    if finding.location:
        fields |= {
            "file": posixpath.normpath(posixpath.join(report.repo.replace("\\", "/"), finding.location.file)),
            "line": str(finding.location.line),
            "endLine": str(finding.location.end_line),
            "col": str(finding.location.column),
        }
    settings = ",".join(f"{key}={workflow_property(plain(value))}" for key, value in fields.items())
    return f"::{level} {settings}::{workflow_message(_message(result, finding))}"


def _message(result: UnitResult, finding: Finding) -> str:
    asked = f"{finding.kind} {plain(finding.subject)}: expected {plain(finding.expected)}"
    found = f", found {plain(finding.found)}" if finding.found is not None else ""
    return f"{asked}{found}. {plain(finding.message)}\nClaim: {shortened(result.unit.claim, 300)}"


def _notice(report: Report) -> str:
    summary = summarise(report)
    counts = ", ".join(f"{summary.counts[verdict]} {verdict}" for verdict in COUNTED if summary.counts[verdict])
    score = "none" if summary.overall.score is None else f"{summary.overall.score:.3f}"
    return f"::notice title=sa-verify::{summary.overall.units} units: {counts or 'none checked'}; score {score}"
