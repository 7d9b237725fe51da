from __future__ import annotations

import sys
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from verifier.checks import check_one, check_rule
from verifier.model.check import (
    AnyCheck,
    Check,
    Equals,
    FormulaCheck,
    NotCheck,
    OrderCheck,
    Origin,
    PresentCheck,
    Source,
    ValueCheck,
)
from verifier.model.finding import Finding
from verifier.model.unit import Rule, Unit, Unread
from verifier.model.verdict import Verdict

FACTS: Any = SimpleNamespace()
LEXICON: Any = SimpleNamespace()
ONE_OF_EACH = (
    ValueCheck(subjects=("lr",), test=Equals(1)),
    FormulaCheck(text="x + 1"),
    FormulaCheck(text="x + 1", notation="latex"),
    PresentCheck(entity="Adam"),
    OrderCheck(steps=(("a",), ("b",))),
)
JUDGES = ("value", "formula", "formula", "present", "order")


@pytest.fixture(autouse=True)
def judges(monkeypatch: pytest.MonkeyPatch) -> None:
    """Stands in for the modules that judge each kind, so that only the dispatch is tested."""
    for kind in ("value", "formula", "present", "order"):
        module = ModuleType(f"verifier.checks.{kind}")
        module.__dict__[f"check_{kind}"] = _judge(kind)
        monkeypatch.setitem(sys.modules, module.__name__, module)


def _judge(kind: str) -> object:
    def judge(check: Check, facts: object, lexicon: object) -> Finding:
        assert (facts, lexicon) == (FACTS, LEXICON)
        if check.near == ("crash",):
            raise KeyError("lost")
        return Finding(kind=check.kind, subject=kind, status=Verdict.ALIGNED)

    return judge


def run(check: Check) -> Finding:
    return check_one(check, FACTS, LEXICON)


@pytest.mark.parametrize(("check", "judge"), list(zip(ONE_OF_EACH, JUDGES, strict=True)))
def test_each_kind_has_its_judge(check: Check, judge: str) -> None:
    finding = run(check)
    assert (finding.kind, finding.subject) == (check.kind, judge)


def test_checks_inside_checks() -> None:
    finding = run(NotCheck(check=AnyCheck(checks=ONE_OF_EACH)))
    assert (finding.kind, finding.status, finding.cause) == ("not", "drifted", "forbidden")
    assert [part.status for part in finding.parts[0].parts] == ["aligned"]


def test_a_finding_says_where_its_check_comes_from() -> None:
    compiled = Source(origin=Origin.COMPILED, words="with Adam")
    finding = run(PresentCheck(entity="Adam", source=compiled))
    assert (finding.origin, finding.words) == ("compiled", "with Adam")
    assert run(PresentCheck(entity="Adam")).origin == "written"


def test_a_crash_makes_one_check_undecided_and_spares_the_others() -> None:
    crash = PresentCheck(entity="Adam", near=("crash",))
    finding = run(crash)
    assert (finding.status, finding.subject, finding.location) == ("undecided", "Adam", None)
    assert finding.message == "the check itself failed, please report it: KeyError: 'lost'"
    assert run(AnyCheck(checks=(crash, ONE_OF_EACH[0]))).status == "aligned"


def test_a_rule_has_a_finding_for_each_check_and_each_part_not_read() -> None:
    unread = (Unread("to be fair", "a motive", checkable=False), Unread("twice the usual", "not understood", checkable=True))
    unit = Unit("u", "D1", "claim")
    result = check_rule(Rule(unit, ONE_OF_EACH, unread), FACTS, LEXICON)
    assert result.unit is unit
    assert [finding.kind for finding in result.findings] == ["value", "formula", "latex", "present", "order", "unread"]
    last = result.findings[-1]
    assert (last.status, last.subject, last.origin, last.message) == (
        "undecided", "twice the usual", "compiled", "not read from the claim: not understood",
    )  # fmt: skip
    assert (result.verdict, result.score) == ("undecided", 1.0)


def test_a_rule_without_checks_is_undecided() -> None:
    result = check_rule(Rule(Unit("u", "D1", "claim"), ()), FACTS, LEXICON)
    assert (result.findings, result.verdict, result.score) == ((), "undecided", None)
