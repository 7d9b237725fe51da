"""Explain a verdict or a cause: what it means, an example, and what to do about it."""

from __future__ import annotations

import argparse

from verifier.commands.output import write
from verifier.errors import ConfigError
from verifier.report.glossary import GLOSSARY, Entry


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("word", metavar="CAUSE", help=f"one of {', '.join(GLOSSARY)}")


def run(options: argparse.Namespace) -> int:
    """Print the explanation."""
    entries = GLOSSARY.get(options.word.strip().lower())
    if entries is None:
        raise ConfigError(f"{options.word!r} is no verdict and no cause: choose one of {', '.join(GLOSSARY)}")
    write("\n".join(_text(entry) for entry in entries))
    return 0


def _text(entry: Entry) -> str:
    head = f"{entry.word.value} ({type(entry.word).__name__.lower()})"
    return f"{head}\n  {entry.meaning}\n  Example: {entry.example}\n  {entry.remedy}\n"
