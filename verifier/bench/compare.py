"""What changed from one result to another."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from verifier.bench.results import Row
from verifier.model.finding import UnitResult
from verifier.model.verdict import Verdict

Key = tuple[str, str, str]  # config, paper, unit id


class Direction(StrEnum):
    """Which way a unit went."""

    BETTER = "better"
    WORSE = "worse"
    OTHER = "other"
    GONE = "gone"
    NEW = "new"


@dataclass(frozen=True, slots=True)
class Change:
    """A unit that is not the same in both results.

    Attributes:
        key: config, paper and unit id; the first two are empty for single reports.
        before: the unit in the first result; None when it is new.
        after: the unit in the second; None when it is gone.
    """

    key: Key
    before: UnitResult | None
    after: UnitResult | None

    @property
    def direction(self) -> Direction:
        """Better or worse by score, where both have one, else by verdict; `other` when only what was found differs."""
        if self.before is None:
            return Direction.NEW
        if self.after is None:
            return Direction.GONE
        old, new = self.before.score, self.after.score
        step = new - old if old is not None and new is not None else 0.0
        step = step or self.after.verdict.severity - self.before.verdict.severity
        return Direction.BETTER if step > 0 else Direction.WORSE if step < 0 else Direction.OTHER

    def __str__(self) -> str:
        return f"{'/'.join(part for part in self.key if part)}: {_described(self.before)} -> {_described(self.after)}"


def changes(before: Sequence[Row], after: Sequence[Row]) -> list[Change]:
    """The units that differ, sorted by config, paper and id.

    Args:
        before: the first result.
        after: the second result. Single reports are compared whatever their repositories are called.
    """
    old, new = _units(before), _units(after)
    return list(_differing(old, new))


def _units(rows: Sequence[Row]) -> dict[Key, UnitResult]:
    return {(row.config, row.paper, result.unit.id): result for row in rows if row.report for result in row.report.results}


def _differing(old: Mapping[Key, UnitResult], new: Mapping[Key, UnitResult]) -> Iterator[Change]:
    for key in sorted(old.keys() | new.keys()):
        before, after = old.get(key), new.get(key)
        if before is None or after is None or _judged(before) != _judged(after):
            yield Change(key, before, after)


def _judged(result: UnitResult) -> tuple[object, ...]:
    return tuple(
        (finding.status, finding.cause, finding.expected, finding.found, finding.location) for finding in result.findings
    )


def _described(result: UnitResult | None) -> str:
    if result is None:
        return "not there"
    score = "" if result.score is None else f" {result.score:.3f}"
    worst = result.worst
    found = f", found {worst.found}" if worst and worst.status is not Verdict.ALIGNED and worst.found is not None else ""
    place = f" at {worst.location}" if worst and worst.location else ""
    return f"{result.verdict}{score}{found}{place}"
