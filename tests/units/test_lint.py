from __future__ import annotations

import pytest

from verifier.model.check import Between, Equals, OneOf, Source, Test, ValueCheck
from verifier.model.unit import Rule, Unit, Unread
from verifier.units import lint_units
from verifier.units.lint import compatible


def value(subject: str, test: Test, near: tuple[str, ...] = (), line: int = 0) -> ValueCheck:
    return ValueCheck(subjects=(subject,), test=test, near=near, source=Source(line=line))


def rule(name: str, *checks: ValueCheck, unread: tuple[Unread, ...] = (), line: int = 1) -> Rule:
    return Rule(Unit(name, "D1", "claim", line=line, file="units.yaml"), checks, unread)


def remarks(*rules: Rule) -> list[str]:
    return [str(remark) for remark in lint_units([found.unit for found in rules], rules)]


def test_nothing_to_say() -> None:
    assert remarks(rule("a", value("lr", Equals(0.1))), rule("b", value("lr", Equals("1/10"), line=2))) == []


def test_contradictory_values_within_and_across_units() -> None:
    first = rule("a", value("Learning-Rate", Equals(0.1), line=4))
    second = rule("b", value("learning_rate", Equals(0.2), line=8), value("learning rate", Between(0.15, None), line=9))
    mend = "use `near` to say where each holds, or `one_of`"
    assert remarks(first, second) == [
        f"units.yaml:8: b: `learning_rate` cannot be 0.2 and, as a at units.yaml:4 has it, 0.1: {mend}",
        f"units.yaml:9: b: `learning rate` cannot be between 0.15 and inf and, as a at units.yaml:4 has it, 0.1: {mend}",
    ]


def test_places_tell_values_apart() -> None:
    assert remarks(rule("a", value("lr", Equals(0.1), ("critic",))), rule("b", value("lr", Equals(0.2), ("actor",)))) == []
    one, other = value("lr", Equals(0.1), ("stage", "2")), value("lr", Equals(0.2), ("2", "Stage"))
    assert "as the same unit has it" in remarks(rule("a", one, other))[0]


def test_units_that_say_nothing_and_parts_not_read() -> None:
    motive = Unread("to be fair", "no code could show it", checkable=False)
    riddle = Unread("twice the usual", "not understood", checkable=True)
    assert remarks(rule("a", unread=(motive,), line=3), rule("b", value("lr", Equals(1)), unread=(motive, riddle), line=5)) == [
        "units.yaml:3: a: says nothing that code could show: name a value, formula, entity or order",
        "units.yaml:5: b: not read: `twice the usual` (not understood): write a check for it",
    ]


def test_ids_used_twice() -> None:
    assert remarks(rule("a", value("x", Equals(1)), line=3), rule("a", value("y", Equals(1)), line=7)) == [
        "units.yaml:7: a: the id is taken by the unit at units.yaml:3: give one of them another"
    ]


@pytest.mark.parametrize(
    ("one", "other", "together"),
    [
        (Equals(1), Equals(1.0), True),
        (Equals("512x512"), Equals(512), True),
        (Equals(1), OneOf((1, 2)), True),
        (OneOf((1, 2)), OneOf((2, 3)), True),
        (OneOf((1, 2)), Equals(3), False),
        (Between(1, 2), Between(2, 3), True),
        (Between(1, 2), Between(None, 0.5), False),
        (Between(None, 5), Equals(4), True),
        (Equals("adam"), Between(0, 1), False),
        (Between(0, 1), OneOf((3, 0.5)), True),
    ],
)
def test_compatible(one: Test, other: Test, together: bool) -> None:
    assert compatible(one, other) is together
    assert compatible(other, one) is together


def test_a_tolerance_lets_near_values_agree() -> None:
    assert compatible(Equals(100), Equals(101), 0.02)
    assert not compatible(Equals(100), Equals(101))
