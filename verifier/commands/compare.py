"""Tell what changed from result A to result B: JSON reports, or results.jsonl of a benchmark run.

Exit code 1 when a unit got worse or is gone.
"""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path

from verifier.commands.output import write
from verifier.report.escape import plain


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("before", metavar="A", type=Path, help="JSON report, results.jsonl or a folder that holds it")
    parser.add_argument("after", metavar="B", type=Path, help="the same, from a later run")
    parser.add_argument("--output", "-o", metavar="FILE", type=Path, help="write there instead of to the standard output")


def run(options: argparse.Namespace) -> int:
    """Print each unit that changed, and how many went which way."""
    from verifier.bench.compare import Direction, changes
    from verifier.bench.results import read_results

    found = changes(read_results(options.before), read_results(options.after))
    counts = Counter(change.direction for change in found)
    lines = [
        f"{direction:<6} {plain(str(change))}" for direction in Direction for change in found if change.direction is direction
    ]
    total = ", ".join(f"{counts[direction]} {direction}" for direction in Direction if counts[direction])
    write("".join(f"{line}\n" for line in [*lines, f"changed units: {total or 'none'}"]), options.output)
    return int(bool(counts[Direction.WORSE] or counts[Direction.GONE]))
