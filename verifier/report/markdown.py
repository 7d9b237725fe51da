"""The report as Markdown, for pull requests and issues."""

from __future__ import annotations

from collections.abc import Iterator

from verifier.model.finding import Finding, Report, UnitResult
from verifier.model.verdict import Verdict
from verifier.report.escape import markdown as escaped
from verifier.report.escape import shortened
from verifier.report.summary import COUNTED, Figures, summarise


def render(report: Report) -> str:
    """The report as Markdown: figures, a table of all units, and each unit that is not aligned in full."""
    lines = [
        f"# sa-verify: {escaped(report.repo)}",
        "",
        *_figures(report),
        "",
        "| verdict | unit | score | claim |",
        "| --- | --- | --- | --- |",
        *(_row(result) for result in report.results),
        "",
    ]
    for result in report.results:
        if result.verdict is not Verdict.ALIGNED:
            lines += [*_unit(result), ""]
    if report.problems:
        lines += ["## Not read in full", ""]
        lines += [
            f"- {escaped(f'{problem.file}:{problem.line}')} {escaped(problem.message)}" for problem in sorted(report.problems)
        ]
        lines.append("")
    return "\n".join(lines)


def _figures(report: Report) -> Iterator[str]:
    summary = summarise(report)
    counts = ", ".join(f"{summary.counts[verdict]} {verdict}" for verdict in COUNTED if summary.counts[verdict])
    yield f"{summary.overall.units} units" + (f": {counts}." if counts else ".")
    yield ""
    yield "| | units | score | checks decided |"
    yield "| --- | --- | --- | --- |"
    for name, figures in [*summary.dimensions.items(), ("all", summary.overall)]:
        yield f"| {name} | {figures.units} | {_score(figures.score)} | {_share(figures)} |"


def _share(figures: Figures) -> str:
    return "" if figures.coverage is None else f"{figures.coverage:.1%}"


def _score(score: float | None) -> str:
    return "" if score is None else f"{score:.3f}"


def _row(result: UnitResult) -> str:
    claim = escaped(shortened(result.unit.claim, 100))
    return f"| {result.verdict} | {escaped(result.unit.id)} | {_score(result.score)} | {claim} |"


def _unit(result: UnitResult) -> Iterator[str]:
    yield f"## {escaped(result.unit.id)}: {result.verdict}"
    yield ""
    yield f"> {escaped(' '.join(result.unit.claim.split()))}"
    yield ""
    for finding in result.findings:
        yield from _finding(finding, "")


def _finding(finding: Finding, margin: str) -> Iterator[str]:
    found = "" if finding.found is None else f", found {escaped(finding.found)}"
    place = f" at {escaped(str(finding.location))}" if finding.location else ""
    cause = f" ({finding.cause})" if finding.cause else ""
    expected = f": expected {escaped(finding.expected)}" if finding.expected else ""
    yield f"{margin}- **{finding.status}** {finding.kind} {escaped(finding.subject)}{expected}{found}{cause}{place}"
    if finding.status is Verdict.ALIGNED:
        return
    if finding.message:
        yield f"{margin}  - {escaped(finding.message)}"
    for step in finding.trail:
        yield f"{margin}  - trail: {escaped(str(step))}"
    for part in finding.parts:
        yield from _finding(part, margin + "  ")
