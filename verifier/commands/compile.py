"""Print every unit with its checks written out, in the format of unit files, for a person to correct and keep.

A claim without checks is read; above each check stand the words it was read from.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from verifier.commands.output import write
from verifier.pipeline import prepare


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("units", metavar="UNITS", nargs="+", type=Path, help="a unit file or a folder of them")
    parser.add_argument("--output", "-o", metavar="FILE", type=Path, help="write there instead of to the standard output")


def run(options: argparse.Namespace) -> int:
    """Compile and print."""
    from verifier.units import dump_rules

    write(dump_rules(prepare(options.units)), options.output)
    return 0
