"""What is doubtful about units that load without a fault."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

from verifier.lexicon.names import key
from verifier.model import worth
from verifier.model.check import Between, Equals, OneOf, ValueCheck

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from verifier.model.check import Test
    from verifier.model.constant import Constant
    from verifier.model.unit import Rule, Unit


@dataclass(frozen=True, slots=True)
class Remark:
    """Something doubtful about a unit.

    Attributes:
        unit: the unit's id.
        where: `file:line` of the unit or check.
        message: what is doubtful, and how to mend it.
    """

    unit: str
    where: str
    message: str

    def __str__(self) -> str:
        return f"{self.where}: {self.unit}: {self.message}"


def lint_units(units: Sequence[Unit], rules: Sequence[Rule]) -> tuple[Remark, ...]:
    """Finds ids used twice, contradictory values, units that say nothing checkable, and what was not read of the claims.

    Args:
        units: the units as loaded.
        rules: the same units compiled.

    Returns:
        The remarks in the order of the units' files and lines.
    """
    remarks = [*_repeated(units), *_empty(rules), *_unread(rules), *_contradictions(rules)]
    order = {unit.id: place for place, unit in reversed(list(enumerate(units)))}
    return tuple(sorted(remarks, key=lambda remark: order.get(remark.unit, -1)))


def _repeated(units: Sequence[Unit]) -> Iterator[Remark]:
    first: dict[str, Unit] = {}
    for unit in units:
        other = first.setdefault(unit.id, unit)
        if other is not unit:
            yield Remark(unit.id, _where(unit), f"the id is taken by the unit at {_where(other)}: give one of them another")


def _empty(rules: Sequence[Rule]) -> Iterator[Remark]:
    for rule in rules:
        if not rule.checks and not any(part.checkable for part in rule.unread):
            message = "says nothing that code could show: name a value, formula, entity or order"
            yield Remark(rule.unit.id, _where(rule.unit), message)


def _unread(rules: Sequence[Rule]) -> Iterator[Remark]:
    for rule in rules:
        for part in rule.unread:
            if part.checkable:
                yield Remark(rule.unit.id, _where(rule.unit), f"not read: `{part.words}` ({part.reason}): write a check for it")


def _contradictions(rules: Sequence[Rule]) -> Iterator[Remark]:
    """Values of one name that cannot hold together, in one place or where `near` tells no places apart."""
    stated: dict[tuple[object, ...], list[tuple[Unit, ValueCheck]]] = {}
    for rule in rules:
        for check in rule.checks:
            if isinstance(check, ValueCheck):
                place = (key(check.subjects[0]), tuple(sorted(key(word) for word in check.near)))
                stated.setdefault(place, []).append((rule.unit, check))
    for group in stated.values():
        for (first, one), (second, other) in combinations(group, 2):
            if not compatible(one.test, other.test, max(one.tolerance or 0.0, other.tolerance or 0.0) or None):
                yield Remark(second.id, _where(second, other), _contradiction(first, one, second, other))


def _contradiction(first: Unit, one: ValueCheck, second: Unit, other: ValueCheck) -> str:
    by = "the same unit" if first.id == second.id else f"{first.id} at {_where(first, one)}"
    return (
        f"`{other.subjects[0]}` cannot be {_text(other.test)} and, as {by} has it, {_text(one.test)}: "
        "use `near` to say where each holds, or `one_of`"
    )


def compatible(one: Test, other: Test, tolerance: float | None = None) -> bool:
    """Whether some value passes both tests."""
    if isinstance(one, Between) and isinstance(other, Between):
        low = max(_bound(one.low, -math.inf), _bound(other.low, -math.inf))
        return low <= min(_bound(one.high, math.inf), _bound(other.high, math.inf))
    if isinstance(one, Between):
        return compatible(other, one, tolerance)
    values = one.values if isinstance(one, OneOf) else (one.value,)
    return any(_passes(value, other, tolerance) for value in values)


def _passes(value: Constant, test: Test, tolerance: float | None) -> bool:
    if isinstance(test, Equals):
        return worth.equal(value, test.value, tolerance)
    if isinstance(test, OneOf):
        return any(worth.equal(value, other, tolerance) for other in test.values)
    number = worth.parse(value)
    return isinstance(number, (int, float)) and _bound(test.low, -math.inf) <= number <= _bound(test.high, math.inf)


def _bound(bound: float | None, default: float) -> float:
    return default if bound is None else bound


def _text(test: Test) -> str:
    if isinstance(test, Equals):
        return worth.format(test.value)
    if isinstance(test, OneOf):
        return f"one of {worth.format(test.values)}"
    low, high = worth.format(_bound(test.low, -math.inf)), worth.format(_bound(test.high, math.inf))
    return f"between {low} and {high}"


def _where(unit: Unit, check: ValueCheck | None = None) -> str:
    line = check.source.line if check is not None and check.source.line else unit.line
    return f"{unit.file}:{line}" if unit.file else f"line {line}"
