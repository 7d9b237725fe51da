"""Check the repositories RUNS/<config>/<paper>/repo against the units of their papers, and print mean scores.

Writes FOLDER/results.jsonl, a line a repository. Prints, for each config: mean score and coverage in each dimension and overall.
"""

from __future__ import annotations

import argparse
import os
import time
from pathlib import Path
from typing import TYPE_CHECKING

from verifier.commands.output import Progress, note, write
from verifier.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from verifier.bench.workers import Outcome


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument(
        "runs", metavar="RUNS", type=Path, help="folder with <config>/<paper>/repo; a folder result/ in a repo is left out"
    )
    parser.add_argument(
        "--units", metavar="DIR", type=Path, required=True, help="folder with <paper>.json, <paper>.yaml or <paper>/sau.json"
    )
    parser.add_argument("--workers", metavar="N", type=int, default=os.cpu_count() or 1, help="processes (default: one a core)")
    parser.add_argument("--no-cache", action="store_true", help="neither use nor keep reports of earlier runs")
    parser.add_argument("--output", "-o", metavar="FOLDER", type=Path, default=Path("sa-results"), help="default: sa-results")


def run(options: argparse.Namespace) -> int:
    """Check them all; 1 when one got no report."""
    from verifier.bench.corpus import find, validate
    from verifier.bench.results import write_lines
    from verifier.bench.tables import score_table
    from verifier.bench.workers import check_all

    if options.workers < 1:
        raise ConfigError("at least one worker is needed", "--workers")
    corpus = find(options.runs, options.units)
    validate(corpus)
    start = time.perf_counter()
    progress = Progress()
    try:
        outcomes = check_all(corpus.entries, options.workers, use_cache=not options.no_cache, tell=progress)
    finally:
        progress.clear()
    file = write_lines((outcome.line for outcome in outcomes), options.output)
    write(score_table((outcome.entry.config, outcome.summary) for outcome in outcomes if outcome.summary))
    for line in [*corpus.left_out, *_failures(outcomes), *_timing(outcomes, time.perf_counter() - start)]:
        note(line)
    note(f"written to {file}")
    return int(bool(corpus.left_out) or any(outcome.error for outcome in outcomes))


def _failures(outcomes: Sequence[Outcome]) -> list[str]:
    return [f"{outcome.entry.config}/{outcome.entry.paper}: no report: {outcome.error}" for outcome in outcomes if outcome.error]


def _timing(outcomes: Sequence[Outcome], seconds: float) -> list[str]:
    slowest = sorted(outcomes, key=lambda outcome: -outcome.seconds)[:3]
    names = ", ".join(f"{outcome.entry.config}/{outcome.entry.paper} {outcome.seconds:.2f} s" for outcome in slowest)
    return [f"{len(outcomes)} repositories in {seconds:.1f} s; slowest: {names}"]
