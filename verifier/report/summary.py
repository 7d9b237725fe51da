"""The figures over a report: counts, score and coverage, as the benchmark aggregates them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from math import fsum

from verifier.model.finding import Report, UnitResult
from verifier.model.verdict import Verdict

FAILING = (Verdict.DRIFTED, Verdict.DEFERRED, Verdict.UNUSED, Verdict.MISSING)
COUNTED = (Verdict.ALIGNED, *FAILING, Verdict.UNDECIDED)


@dataclass(frozen=True, slots=True)
class Figures:
    """Figures over some units.

    Attributes:
        units: how many there are.
        score: mean score of the units that have one; None when none has.
        coverage: decided checks among all checks; None when there are no checks.
    """

    units: int
    score: float | None
    coverage: float | None


@dataclass(frozen=True, slots=True)
class Summary:
    """Figures over a report.

    Attributes:
        counts: verdict -> number of units, for every verdict.
        overall: the score is the mean over the dimensions of their mean unit scores.
        dimensions: the figures of each dimension that occurs, in order.
    """

    counts: dict[Verdict, int]
    overall: Figures
    dimensions: dict[str, Figures]


def summarise(report: Report) -> Summary:
    """Work out the figures of a report."""
    results = report.results
    dimensions: dict[str, Figures] = {
        name: figures([result for result in results if result.unit.dimension == name])
        for name in sorted({result.unit.dimension for result in results})
    }
    verdicts = [result.verdict for result in results]
    score = _mean(part.score for part in dimensions.values())
    return Summary(
        counts={verdict: verdicts.count(verdict) for verdict in Verdict},
        overall=Figures(len(results), score, figures(results).coverage),
        dimensions=dimensions,
    )


def figures(results: Sequence[UnitResult]) -> Figures:
    """Work out the figures of some units, with no regard to their dimensions."""
    checks = sum(len(result.findings) for result in results)
    decided = sum(result.decided for result in results)
    return Figures(len(results), _mean(result.score for result in results), decided / checks if checks else None)


def failing(report: Report, verdicts: Collection[Verdict] = FAILING) -> list[UnitResult]:
    """The units whose verdict is one of those that count as a failure."""
    return [result for result in report.results if result.verdict in verdicts]


def _mean(scores: Iterable[float | None]) -> float | None:
    known = [score for score in scores if score is not None]
    return fsum(known) / len(known) if known else None
