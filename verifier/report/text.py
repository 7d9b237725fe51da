"""The report for a person at a terminal."""

from __future__ import annotations

from collections.abc import Iterator

from verifier.model.finding import Finding, Report, UnitResult
from verifier.model.verdict import Verdict
from verifier.report.escape import plain, shortened
from verifier.report.summary import COUNTED, Figures, summarise

WIDTH = 120
_COLOURS = {
    Verdict.DRIFTED: "31",
    Verdict.DEFERRED: "35",
    Verdict.UNUSED: "33",
    Verdict.MISSING: "31",
    Verdict.UNDECIDED: "36",
    Verdict.ALIGNED: "32",
}


def render(report: Report, *, colour: bool = False, verbose: bool = False) -> str:
    """The report as text.

    Args:
        report: what was found.
        colour: whether verdicts are coloured with ANSI sequences.
        verbose: whether aligned units are shown in full too, not in one line.
    """
    lines: list[str] = []
    for result in report.results:
        if result.verdict is not Verdict.ALIGNED or verbose:
            lines += [*_unit(result, colour), ""]
        else:
            lines.append(_headline(result, colour))
    if lines and lines[-1]:
        lines.append("")
    return "\n".join([*lines, *_summary(report), *_problems(report)]) + "\n"


def _headline(result: UnitResult, colour: bool) -> str:
    head = f"{_paint(result.verdict, 10, colour)} {plain(result.unit.id)}"
    return f"{head}  {shortened(result.unit.claim, max(WIDTH - 13 - len(result.unit.id), 40))}"


def _unit(result: UnitResult, colour: bool) -> Iterator[str]:
    yield _headline(result, colour)
    if result.unit.source:
        yield f"  source: {shortened(result.unit.source, WIDTH)}"
    if result.home:
        yield f"  home:   {shortened(result.home, WIDTH)}"
    for finding in result.findings:
        yield from _finding(finding, "  ", colour)
    if not result.findings:
        yield "  no check could be made of this claim"


def _finding(finding: Finding, margin: str, colour: bool) -> Iterator[str]:
    yield f"{margin}{_paint(finding.status, 10, colour)} {_asked(finding)}"
    inner = margin + " " * 11
    if finding.status is Verdict.ALIGNED:
        return
    if finding.message:
        yield f"{inner}{plain(finding.message)}"
    if finding.words:
        yield f'{inner}claim: "{shortened(finding.words, WIDTH)}"'
    for number, step in enumerate(finding.trail):
        yield f"{inner}{'trail: ' if number == 0 else '       '}{plain(str(step))}"
    for part in finding.parts:
        yield from _finding(part, inner, colour)


def _asked(finding: Finding) -> str:
    """What was asked for and found: `value learning rate: expected 0.0003, found 0.001 (wrong-value) at train.py:3`."""
    parts = [f"{finding.kind} {plain(finding.subject)}".rstrip()]
    if finding.status is Verdict.ALIGNED:
        parts.append(f"is {plain(finding.found)}" if finding.found else "holds")
    else:
        compared = [f"expected {plain(finding.expected)}"] if finding.expected not in ("", finding.subject) else []
        compared += [f"found {plain(finding.found)}"] if finding.found is not None else []
        if compared:
            parts[0] += ":"
            parts.append(", ".join(compared))
        if finding.cause:
            parts.append(f"({finding.cause})")
    if finding.location:
        parts.append(f"at {plain(str(finding.location))}")
    return " ".join(parts)


def _summary(report: Report) -> Iterator[str]:
    summary = summarise(report)
    counts = ", ".join(f"{summary.counts[verdict]} {verdict}" for verdict in COUNTED if summary.counts[verdict])
    units = summary.overall.units
    yield f"{units} unit{'' if units == 1 else 's'}" + (f": {counts}" if counts else "")
    yield _figures("score", summary.overall)
    if len(summary.dimensions) > 1:
        for name, figures in summary.dimensions.items():
            yield f"  {_figures(name, figures)}"


def _figures(name: str, figures: Figures) -> str:
    score = "none (nothing was decided)" if figures.score is None else f"{figures.score:.3f}"
    covered = "" if figures.coverage is None else f", {figures.coverage:.1%} of the checks decided"
    return f"{name} {score}{covered}"


def _problems(report: Report) -> Iterator[str]:
    if report.problems:
        yield ""
        yield "not read in full (what could be read counts):"
        for problem in sorted(report.problems):
            yield f"  {plain(problem.file)}:{problem.line} {plain(problem.message)}"


def _paint(verdict: Verdict, width: int, colour: bool) -> str:
    word = f"{verdict.value:<{width}}"
    return f"\x1b[{_COLOURS[verdict]}m{word}\x1b[0m" if colour else word
