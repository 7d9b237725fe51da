"""Look through unit files: faults, ids used twice, contradictory values, units that say nothing checkable, words not understood.

Exit code 1 when there is a remark.
"""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path

from verifier.commands.output import write
from verifier.pipeline import prepare
from verifier.report.escape import plain


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("units", metavar="UNITS", nargs="+", type=Path, help="a unit file or a folder of them")


def run(options: argparse.Namespace) -> int:
    """Print the remarks and what the units hold."""
    from verifier.units import lint_units

    rules = prepare(options.units)
    remarks = lint_units([rule.unit for rule in rules], rules)
    dimensions = Counter[str](rule.unit.dimension for rule in rules)
    kinds = Counter(check.kind for rule in rules for check in rule.checks)
    lines = [plain(str(remark)) for remark in remarks]
    lines.append(f"{len(rules)} units ({_counts(dimensions)}), {kinds.total()} checks ({_counts(kinds)}), {len(remarks)} remarks")
    write("".join(f"{line}\n" for line in lines))
    return int(bool(remarks))


def _counts(counter: Counter[str]) -> str:
    return ", ".join(f"{counter[name]} {name}" for name in sorted(counter)) or "none"
