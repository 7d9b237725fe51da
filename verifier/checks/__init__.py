"""Checks: the verdict on each declarative test, as a pure function of the test, the facts and the lexicon."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from verifier.checks.home import Home, find_home, settle
from verifier.model.check import AnyCheck, NotCheck, OrderCheck, Origin, PresentCheck, ValueCheck
from verifier.model.finding import Finding, UnitResult
from verifier.model.verdict import Verdict

if TYPE_CHECKING:
    from verifier.lexicon import Lexicon
    from verifier.model.check import Check
    from verifier.model.facts import FactBase
    from verifier.model.unit import Rule, Unread

__all__ = ["check_one", "check_rule"]


def check_rule(rule: Rule, facts: FactBase, lexicon: Lexicon) -> UnitResult:
    """Judges a unit: each of its checks, and as undecided each part of its claim that code could show but no reader understood.

    Where a unit lives is looked for when its checks were compiled from its claim, or when none of them found anything.

    Args:
        rule: the unit with its checks.
        facts: what the repository does.
        lexicon: what names mean.
    """
    findings = [check_one(check, facts, lexicon) for check in rule.checks]
    located = all(check.source.origin is Origin.WRITTEN for check in rule.checks) and any(item.location for item in findings)
    home = Home() if located else find_home(rule.context, facts)
    findings = settle(rule, findings, home)
    findings += [_unread(part) for part in rule.unread if part.checkable]
    return UnitResult(unit=rule.unit, findings=tuple(findings), home=home.label)


def check_one(check: Check, facts: FactBase, lexicon: Lexicon) -> Finding:
    """Judges one check; a crash on the way makes it undecided, with the error in its message, and spoils no other."""
    try:
        finding = _dispatch(check, facts, lexicon)
    except Exception as error:  # noqa: BLE001 - a fault in one check must not take the others with it
        finding = _crashed(check, error)
    return replace(finding, origin=check.source.origin.value, words=check.source.words)


def _dispatch(check: Check, facts: FactBase, lexicon: Lexicon) -> Finding:
    if isinstance(check, ValueCheck):
        from verifier.checks.value import check_value

        return check_value(check, facts, lexicon)
    if isinstance(check, PresentCheck):
        from verifier.checks.present import check_present

        return check_present(check, facts, lexicon)
    if isinstance(check, OrderCheck):
        from verifier.checks.order import check_order

        return check_order(check, facts, lexicon)
    if isinstance(check, (AnyCheck, NotCheck)):
        from verifier.checks.logic import check_any, check_not

        def judge(part: Check) -> Finding:
            return check_one(part, facts, lexicon)

        if isinstance(check, AnyCheck):
            return check_any(check, judge)
        finding = check_not(check, judge)
        located = finding.location or finding.status is not Verdict.ALIGNED
        return finding if located else replace(finding, location=facts.start)
    from verifier.checks.formula import check_formula

    return check_formula(check, facts, lexicon)


def _crashed(check: Check, error: Exception) -> Finding:
    from verifier.checks.logic import describe

    return Finding(
        kind=check.kind,
        subject=describe(check),
        status=Verdict.UNDECIDED,
        message=f"the check itself failed, please report it: {type(error).__name__}: {error}",
    )


def _unread(part: Unread) -> Finding:
    return Finding(
        kind="unread",
        subject=part.words,
        status=Verdict.UNDECIDED,
        message=f"not read from the claim: {part.reason}",
        origin="compiled",
        words=part.words,
    )
