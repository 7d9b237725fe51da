"""Run the examples that stand beside the entries of the rule packs: each entry must apply to some and must not to others.

Exit code 1 when an example fails: noisy when an entry applies but must not, missing when it does not but must.
"""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path

from verifier.commands.output import write
from verifier.errors import ConfigError
from verifier.report.escape import plain


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("rules", metavar="RULES", nargs="?", type=Path, help="a folder of packs (default: those of sa-verify)")


def run(options: argparse.Namespace) -> int:
    """Print the examples that fail, and how many there are."""
    from verifier.lexicon import load_lexicon
    from verifier.lexicon.examples import Outcome, run_examples

    if options.rules is not None and not options.rules.is_dir():
        raise ConfigError("there is no such folder", str(options.rules))
    results = run_examples(load_lexicon(options.rules))
    failed = [result for result in results if result.outcome is not Outcome.VALIDATED]
    lines = [f"{result.outcome} {plain(result.pack)}: {plain(result.entry)}: {plain(result.example)}" for result in failed]
    counts = Counter(result.outcome for result in results)
    packs = len({result.pack for result in results})
    lines.append(f"{len(results)} examples in {packs} packs: " + ", ".join(f"{counts[outcome]} {outcome}" for outcome in Outcome))
    write("".join(f"{line}\n" for line in lines))
    return int(bool(failed))
