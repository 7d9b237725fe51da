"""JUnit XML, which build servers read: a suite a dimension, a test case a unit."""

from __future__ import annotations

from xml.sax.saxutils import escape, quoteattr

from verifier.model.finding import Finding, Report, UnitResult
from verifier.model.verdict import Verdict
from verifier.report.escape import plain, shortened
from verifier.report.summary import FAILING


def render(report: Report) -> str:
    """The report as JUnit XML; undecided units are skipped tests."""
    suites = [
        _suite(name, [result for result in report.results if result.unit.dimension == name])
        for name in sorted({result.unit.dimension for result in report.results})
    ]
    counts = _counts(report.results)
    body = "".join(suites)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="sa-verify" {counts}>\n{body}</testsuites>\n'


def _counts(results: list[UnitResult] | tuple[UnitResult, ...]) -> str:
    failures = sum(result.verdict in FAILING for result in results)
    skipped = sum(result.verdict is Verdict.UNDECIDED for result in results)
    return f'tests="{len(results)}" failures="{failures}" errors="0" skipped="{skipped}"'


def _suite(name: str, results: list[UnitResult]) -> str:
    return f'  <testsuite name="{name}" {_counts(results)}>\n{"".join(map(_case, results))}  </testsuite>\n'


def _case(result: UnitResult) -> str:
    head = f"    <testcase classname={quoteattr(f'sa-verify.{result.unit.dimension}')} name={quoteattr(plain(result.unit.id))}"
    if result.verdict is Verdict.ALIGNED:
        return f"{head}/>\n"
    lines = [_line(finding) for finding in result.findings if finding.status is not Verdict.ALIGNED]
    message = quoteattr(lines[0] if lines else "no check could be made of this claim")
    if result.verdict is Verdict.UNDECIDED:
        return f"{head}>\n      <skipped message={message}/>\n    </testcase>\n"
    text = escape("\n".join([f"Claim: {shortened(result.unit.claim, 1000)}", *lines]))
    kind = quoteattr(result.cause.value if result.cause else result.verdict.value)
    return f"{head}>\n      <failure type={kind} message={message}>{text}</failure>\n    </testcase>\n"


def _line(finding: Finding) -> str:
    place = f" at {finding.location}" if finding.location else ""
    found = f", found {finding.found}" if finding.found is not None else ""
    asked = f"{finding.status} {finding.kind} {finding.subject}: expected {finding.expected}"
    return plain(f"{asked}{found}{place}. {finding.message}".rstrip())
