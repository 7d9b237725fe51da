"""Tables over many reports: mean score and coverage for each config and dimension."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from math import fsum

from verifier.report.summary import Figures, Summary

_DIMENSIONS = ("D1", "D2", "D3", "D4")


def score_table(rows: Iterable[tuple[str, Summary]]) -> str:
    """The mean scores and coverages.

    Args:
        rows: config and figures of each repository.

    Returns:
        A line a config and a last one for all: in each dimension and overall, the mean of score and of coverage.
    """
    grouped: dict[str, list[Summary]] = {}
    for config, summary in rows:
        grouped.setdefault(config, []).append(summary)
    body = [_cells(config, summaries) for config, summaries in sorted(grouped.items())]
    if len(body) > 1:
        body.append(_cells("all", [summary for summaries in grouped.values() for summary in summaries]))
    return aligned([["config", "repos", *_DIMENSIONS, "score", "coverage"], *body])


def _cells(name: str, summaries: Sequence[Summary]) -> list[str]:
    per_dimension = [[summary.dimensions[name] for summary in summaries if name in summary.dimensions] for name in _DIMENSIONS]
    overall = [summary.overall for summary in summaries]
    return [
        name,
        str(len(summaries)),
        *(f"{_mean(part, _score)} {_mean(part, _coverage)}" for part in per_dimension),
        _mean(overall, _score),
        _mean(overall, _coverage),
    ]


def _mean(figures: Sequence[Figures], of: Callable[[Figures], tuple[float | None, str]]) -> str:
    known = [(value, form) for value, form in map(of, figures) if value is not None]
    return format(fsum(value for value, _ in known) / len(known), known[0][1]) if known else "-"


def _score(figures: Figures) -> tuple[float | None, str]:
    return figures.score, ".3f"


def _coverage(figures: Figures) -> tuple[float | None, str]:
    return figures.coverage, ".0%"


def aligned(rows: Sequence[Sequence[str]]) -> str:
    """Rows of cells as lines with aligned columns: the first to the left, the others to the right."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = []
    for row in rows:
        cells = [row[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True))]
        lines.append("  ".join(cells).rstrip())
    return "".join(f"{line}\n" for line in lines)
