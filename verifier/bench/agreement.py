"""How well results agree with labels that careful readers gave.

A label is a level of 0, 0.25, 0.5, 0.75 or 1 for a unit. A unit without a score counts as 0.5, and the coverage is stated beside.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import fsum
from pathlib import Path
from typing import TYPE_CHECKING

from verifier.errors import ConfigError

if TYPE_CHECKING:
    from verifier.bench.results import Row

_LEVELS = 5
_UNDECIDED = 0.5


@dataclass(frozen=True, slots=True)
class Pair:
    """A unit with its label.

    Attributes:
        config: who or what wrote the repository.
        dimension: the unit's dimension.
        label: the level that the readers gave.
        score: the score that the unit got; None when nothing was decided.
    """

    config: str
    dimension: str
    label: float
    score: float | None

    @property
    def guess(self) -> float:
        """The score, one half where there is none."""
        return _UNDECIDED if self.score is None else self.score


@dataclass(frozen=True, slots=True)
class Agreement:
    """Figures over some pairs.

    Attributes:
        units: how many pairs there are.
        kappa: Cohen's kappa with quadratic weights over the five levels (Cohen 1968); None when it is not defined.
        error: mean absolute difference of score and label.
        exact: share of scores that are the label when rounded to the nearest level.
        coverage: share of units that have a score.
    """

    units: int
    kappa: float | None
    error: float
    exact: float
    coverage: float


def measure(pairs: Sequence[Pair]) -> Agreement:
    """Work out the agreement over at least one pair."""
    count = len(pairs)
    seen = [(_level(pair.label), _level(pair.guess)) for pair in pairs]
    return Agreement(
        units=count,
        kappa=_kappa(seen),
        error=fsum(abs(pair.label - pair.guess) for pair in pairs) / count,
        exact=sum(label == guess for label, guess in seen) / count,
        coverage=sum(pair.score is not None for pair in pairs) / count,
    )


def _level(value: float) -> int:
    return round(value * (_LEVELS - 1))


def _kappa(seen: Sequence[tuple[int, int]]) -> float | None:
    labels, guesses = [label for label, _ in seen], [guess for _, guess in seen]
    observed = sum((label - guess) ** 2 for label, guess in seen) * len(seen)
    expected = sum(
        labels.count(label) * guesses.count(guess) * (label - guess) ** 2 for label in range(_LEVELS) for guess in range(_LEVELS)
    )
    return 1 - observed / expected if expected else None


def pair_up(rows: Sequence[Row], labels: dict[str, float | None]) -> list[Pair]:
    """The units that have both a result and a level, in the order of the results."""
    return [
        Pair(row.config, result.unit.dimension, level, result.score)
        for row in rows
        if row.report
        for result in row.report.results
        if (level := labels.get(result.unit.id)) is not None
    ]


def read_labels(path: Path) -> dict[str, float | None]:
    """Read labels: unit id to level, None for a unit that code cannot show.

    Args:
        path: a JSON file `{"paper": ..., "labels": [{"id": ..., "level": ...}, ...]}`, or a folder of such files.

    Raises:
        ConfigError: a file cannot be read or has another form.
    """
    files = sorted(path.glob("*.json")) if path.is_dir() else [path]
    labels = dict(pair for file in files for pair in _labels(file))
    if not labels:
        raise ConfigError("holds no labels", str(path))
    return labels


def _labels(file: Path) -> Iterator[tuple[str, float | None]]:
    try:
        for item in json.loads(file.read_text(encoding="utf-8"))["labels"]:
            level = item["level"]
            if level is not None and not (isinstance(level, int | float) and 0 <= level <= 1):
                raise ConfigError(f"the level of {item['id']} must be a number from 0 to 1, or null", str(file))
            yield str(item["id"]), level
    except (OSError, ValueError) as error:
        raise ConfigError(f"cannot be read: {error}", str(file)) from error
    except (KeyError, TypeError) as error:
        raise ConfigError('is not a file of labels: {"paper": ..., "labels": [{"id": ..., "level": ...}]}', str(file)) from error
