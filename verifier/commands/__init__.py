"""The commands: one module each, with `add_arguments(parser)` and `run(options) -> exit code`, imported when it is called."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Protocol, cast

if TYPE_CHECKING:
    import argparse

SUMMARIES = {
    "bench": "check many repositories and print the tables",
    "compile": "print units with their checks written out",
    "show": "print the expressions lifted from a function",
    "units": "look for faults and weak spots in unit files",
    "test-rules": "run the examples of the rule packs",
    "trace": "print what happens in which order from an entry on",
    "compare": "tell what changed between two results",
    "mutate": "plant known faults and tell which the units find",
    "agree": "measure how well results agree with labels",
    "explain": "explain a verdict or a cause",
}


class Command(Protocol):
    """What a command's module offers."""

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Declare the arguments."""

    def run(self, options: argparse.Namespace) -> int:
        """Do it.

        Returns:
            The exit code: 0 when nothing fails, 1 when something does.

        Raises:
            VerifierError: the call or an input is wrong.
        """


def load(name: str) -> Command:
    """Import the module of a command; `verify` is the one that runs without a name."""
    return cast("Command", import_module(f"{__name__}.{name.replace('-', '_')}"))
