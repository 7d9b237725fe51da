from __future__ import annotations

import pytest

from verifier.checks.logic import check_any, check_not, describe
from verifier.model.check import (
    AnyCheck,
    Between,
    Check,
    Equals,
    FormulaCheck,
    NotCheck,
    OneOf,
    OrderCheck,
    PresentCheck,
    Test,
    ValueCheck,
)
from verifier.model.finding import Finding
from verifier.model.location import Location
from verifier.model.verdict import Cause, Verdict

CAUSES = {
    Verdict.DRIFTED: Cause.WRONG_VALUE,
    Verdict.DEFERRED: Cause.PLACEHOLDER,
    Verdict.UNUSED: Cause.DEAD_CODE,
    Verdict.MISSING: Cause.MISSING,
}


def judge(check: Check) -> Finding:
    """Takes the verdict from the entity's name."""
    assert isinstance(check, PresentCheck)
    status = Verdict(check.entity.split()[0])
    somewhere = status not in (Verdict.MISSING, Verdict.UNDECIDED)
    return Finding(
        kind="present",
        subject=check.entity,
        status=status,
        cause=CAUSES.get(status),
        found=f"found {check.entity}" if somewhere else None,
        location=Location("a.py", 1) if somewhere else None,
        message=f"{check.entity} near {'/'.join(check.near)}",
    )


def any_of(*words: str, near: tuple[str, ...] = ()) -> Finding:
    return check_any(AnyCheck(checks=tuple(PresentCheck(entity=word) for word in words), near=near), judge)


def none_of(word: str, near: tuple[str, ...] = ()) -> Finding:
    return check_not(NotCheck(check=PresentCheck(entity=word, near=("inner",)), near=near), judge)


@pytest.mark.parametrize(
    ("parts", "status"),
    [
        (("missing", "aligned"), "aligned"),
        (("undecided", "aligned", "drifted"), "aligned"),
        (("drifted", "undecided"), "undecided"),
        (("missing", "drifted"), "drifted"),
        (("missing", "unused"), "unused"),
        (("unused", "deferred", "missing"), "deferred"),
        (("unused", "drifted"), "drifted"),
        (("missing", "missing"), "missing"),
    ],
)
def test_any(parts: tuple[str, ...], status: str) -> None:
    finding = any_of(*parts)
    assert (finding.kind, finding.status) == ("any", status)
    assert finding.cause == CAUSES.get(finding.status)
    assert (finding.location is None) == (status in ("missing", "undecided"))
    judged = parts.index("aligned") + 1 if "aligned" in parts else len(parts)
    assert [part.subject for part in finding.parts] == list(parts[:judged])
    assert finding.subject == " or ".join(parts)


def test_any_says_which_part_decided() -> None:
    assert any_of("missing a", "drifted b").message == "none of the 2 alternatives holds; the nearest: drifted b near "
    assert any_of("drifted", "undecided why").message == "no alternative holds for sure: undecided why near "
    assert any_of("aligned a", "aligned b").found == "found aligned a"


@pytest.mark.parametrize("status", ["drifted", "deferred", "unused", "missing"])
def test_not_holds_when_the_check_inside_does_not(status: str) -> None:
    finding = none_of(status)
    assert (finding.kind, finding.status, finding.cause) == ("not", "aligned", None)


def test_not_fails_as_forbidden_where_the_check_inside_holds() -> None:
    finding = none_of("aligned dropout")
    assert (finding.status, finding.cause, finding.location) == ("drifted", "forbidden", Location("a.py", 1))
    assert finding.found == "found aligned dropout"
    assert finding.expected == "not aligned dropout"


def test_not_stays_undecided() -> None:
    finding = none_of("undecided why")
    assert (finding.status, finding.location, finding.message) == ("undecided", None, "undecided why near inner")


def test_near_narrows_the_checks_inside() -> None:
    assert [part.message for part in any_of("drifted a", "missing b", near=("critic",)).parts] == [
        "drifted a near critic",
        "missing b near critic",
    ]
    assert none_of("missing", near=("critic", "inner")).parts[0].message == "missing near inner/critic"


@pytest.mark.parametrize(
    ("test", "text"),
    [
        (Equals(1e-5), "lr = 1e-05"),
        (OneOf((1, 2)), "lr in [1, 2]"),
        (Between(1, 2), "lr in [1, 2]"),
        (Between(1, None), "lr >= 1"),
        (Between(None, 0.5), "lr <= 0.5"),
    ],
)
def test_describe_a_value(test: Test, text: str) -> None:
    assert describe(ValueCheck(subjects=("lr", "rate"), test=test)) == text


def test_describe_the_others() -> None:
    order = OrderCheck(steps=(("a", "b"), ("c",)))
    assert describe(AnyCheck(checks=(order, NotCheck(check=FormulaCheck(text="x + 1"))))) == "a -> c or not x + 1"
