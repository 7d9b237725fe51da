"""Plant known faults in a repository, one at a time and in memory, and tell which of them the units find.

A unit that stays aligned whatever is done to the code it speaks of proves nothing: its checks are too loose. Exit code 1 when a fault
is not found.
"""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path

from verifier.commands.output import write
from verifier.errors import ConfigError
from verifier.pipeline import prepare
from verifier.report.escape import plain


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("repo", metavar="REPO", type=Path, help="the repository; it is read, never written")
    parser.add_argument(
        "--units", metavar="UNITS", type=Path, action="append", required=True, help="a unit file or a folder of them"
    )
    parser.add_argument("--select", default="", help="dimensions and unit ids, with commas")
    parser.add_argument("--seed", type=int, default=0, help="chooses among the possible faults (default 0)")
    parser.add_argument("--most", type=int, default=3, help="faults a check (default 3)")


def run(options: argparse.Namespace) -> int:
    """Run the campaign and print a line a fault, then how many were found."""
    from verifier.drift.campaign import campaign
    from verifier.lexicon import load_lexicon

    if not options.repo.is_dir():
        raise ConfigError("is not a folder", str(options.repo))
    if options.most < 1:
        raise ConfigError("takes a whole number from 1 on", "--most")
    selected = frozenset(part.strip() for part in options.select.split(",") if part.strip())
    rules = prepare(options.units, selected)
    counts: Counter[str] = Counter()
    lines = []
    for trial in campaign(options.repo, rules, load_lexicon(), seed=options.seed, most=options.most):
        word = "found" if trial.caught else "not found"
        counts[word] += 1
        place = f"{trial.file}:{trial.mutation.line}"
        lines.append(f"{word:10} {trial.after.value:10} {trial.unit}  {trial.subject}: {trial.mutation.what} ({place})")
    total = counts.total()
    lines.append(f"{counts['found']} of {total} planted faults found" if total else "no aligned check to plant a fault in")
    write("".join(f"{plain(line)}\n" for line in lines))
    return int(counts["not found"] > 0)
