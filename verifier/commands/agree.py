"""Measure how well results agree with labels: kappa with quadratic weights, mean absolute error, exact levels, coverage.

LABELS is {"paper": ..., "labels": [{"id": ..., "level": 0 to 1 or null}, ...]}, or a folder of such files. A unit without a score
counts as 0.5; units with level null are left out.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from verifier.commands.output import write
from verifier.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from verifier.bench.agreement import Pair


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("results", metavar="RESULTS", type=Path, help="JSON report, results.jsonl or a folder that holds it")
    parser.add_argument("labels", metavar="LABELS", type=Path, help="a file of labels, or a folder of them")
    parser.add_argument("--config", metavar="CONFIG", help="only the results of this config")


def run(options: argparse.Namespace) -> int:
    """Print the figures for each config, dimension and overall."""
    from verifier.bench.agreement import pair_up, read_labels
    from verifier.bench.results import read_results
    from verifier.bench.tables import aligned

    rows = [row for row in read_results(options.results) if options.config in (None, row.config)]
    pairs = pair_up(rows, read_labels(options.labels))
    if not pairs:
        raise ConfigError("no unit of the results has a label", str(options.labels))
    body = [
        line
        for config in sorted({pair.config for pair in pairs})
        for line in _lines([p for p in pairs if p.config == config], config)
    ]
    write(aligned([["", "units", "kappa", "error", "exact", "coverage"], *body]))
    return 0


def _lines(pairs: Sequence[Pair], config: str) -> list[list[str]]:
    return [
        _line(f"{config} {dimension}".strip(), [pair for pair in pairs if dimension in (pair.dimension, "all")])
        for dimension in [*sorted({pair.dimension for pair in pairs}), "all"]
    ]


def _line(name: str, pairs: Sequence[Pair]) -> list[str]:
    from verifier.bench.agreement import measure

    found = measure(pairs)
    kappa = "-" if found.kappa is None else f"{found.kappa:.3f}"
    return [name, str(found.units), kappa, f"{found.error:.3f}", f"{found.exact:.3f}", f"{found.coverage:.3f}"]
