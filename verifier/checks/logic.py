"""The checks that hold other checks: `any` and `not`.

Examples:
    `any: [A, B]` passes when A or B is aligned. It fails like the worst of its parts when none can hold any more, for a thing
    that is there but differs says more than one that is missing. While a part is undecided that could make it hold, so is it.

    `not: A` passes when A is drifted, deferred, unused or missing. It fails, as `forbidden`, when A is aligned. It is undecided
    when A is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from verifier.model import worth
from verifier.model.check import (
    AnyCheck,
    Check,
    Equals,
    FormulaCheck,
    NotCheck,
    OneOf,
    OrderCheck,
    PresentCheck,
    Test,
    ValueCheck,
)  # fmt: skip
from verifier.model.finding import Finding
from verifier.model.verdict import Cause, Verdict

Judge = Callable[[Check], Finding]


def check_any(check: AnyCheck, judge: Judge) -> Finding:
    """One of the checks holds.

    Args:
        check: the alternatives; its `near` narrows each of them.
        judge: gives the finding of a check inside.
    """
    parts = tuple(_until_aligned(check, judge))
    chosen = _best(parts)
    left = [describe(part) for part in check.checks[len(parts) :]]
    expected = " or ".join([*(part.expected or part.subject for part in parts), *left])
    if chosen.status is Verdict.ALIGNED:
        message = chosen.message
    elif chosen.status is Verdict.UNDECIDED:
        message = f"no alternative holds for sure: {chosen.message}"
    else:
        message = f"none of the {len(parts)} alternatives holds; the nearest: {chosen.message}"
    return replace(chosen, kind="any", subject=describe(check), expected=expected, message=message, parts=parts)


def _until_aligned(check: AnyCheck, judge: Judge) -> Iterator[Finding]:
    """The findings of the alternatives, up to the first that holds: it decides."""
    for part in check.checks:
        finding = judge(_narrowed(part, check.near))
        yield finding
        if finding.status is Verdict.ALIGNED:
            return


def _best(parts: tuple[Finding, ...]) -> Finding:
    """The part that decides: one that holds, else one that may, else the one that is there most."""
    for status in (Verdict.ALIGNED, Verdict.UNDECIDED):
        for part in parts:
            if part.status is status:
                return part
    return min(parts, key=lambda part: part.status.severity)


def check_not(check: NotCheck, judge: Judge) -> Finding:
    """The check inside does not hold.

    Args:
        check: what is ruled out; its `near` narrows it.
        judge: gives the finding of the check inside.
    """
    inner = judge(_narrowed(check.check, check.near))
    finding = Finding(
        kind="not",
        subject=describe(check),
        status=Verdict.ALIGNED,
        expected=f"not {inner.expected or inner.subject}",
        found=inner.found,
        location=inner.location,
        message=f"as it should be, this does not hold: {describe(check.check)}",
        trail=inner.trail,
        parts=(inner,),
    )
    if inner.status is Verdict.UNDECIDED:
        return replace(finding, status=Verdict.UNDECIDED, found=None, location=None, message=inner.message)
    if inner.status is not Verdict.ALIGNED or inner.off:
        return finding
    return replace(
        finding,
        status=Verdict.DRIFTED,
        cause=Cause.FORBIDDEN,
        found=inner.found or inner.subject,
        message=f"the unit rules this out, but it is there: {describe(check.check)}",
    )


def _narrowed(check: Check, near: tuple[str, ...]) -> Check:
    """The check, only in places that have these words, too."""
    missing = tuple(word for word in near if word not in check.near)
    return replace(check, near=check.near + missing) if missing else check


def describe(check: Check) -> str:
    """A check in one line, for the `subject` of a finding and for messages."""
    if isinstance(check, ValueCheck):
        return f"{check.subjects[0]} {_describe_test(check.test)}"
    if isinstance(check, FormulaCheck):
        return check.text
    if isinstance(check, PresentCheck):
        return check.entity
    if isinstance(check, OrderCheck):
        return " -> ".join(step[0] for step in check.steps)
    if isinstance(check, NotCheck):
        return f"not {describe(check.check)}"
    return " or ".join(describe(part) for part in check.checks)


def _describe_test(test: Test) -> str:
    if isinstance(test, Equals):
        return f"= {worth.format(test.value)}"
    if isinstance(test, OneOf):
        return f"in {worth.format(test.values)}"
    if test.low is None:
        return f"<= {worth.format(test.high)}"
    return f">= {worth.format(test.low)}" if test.high is None else f"in [{worth.format(test.low)}, {worth.format(test.high)}]"
