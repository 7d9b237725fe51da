"""Writing results and progress. Output is always UTF-8 with line feeds, whatever the locale."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from verifier.errors import ConfigError
from verifier.report.escape import shortened


def write(text: str, file: Path | None = None) -> None:
    """Write a text to a file, or to the standard output.

    Raises:
        ConfigError: the file cannot be written.
    """
    data = text.encode("utf-8", "backslashreplace")
    if file is None:
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
        return
    try:
        file.write_bytes(data)
    except OSError as error:
        raise ConfigError(f"cannot be written: {error.strerror}", str(file)) from error


def wants_colour() -> bool:
    """Whether the standard output is a terminal on which colour is welcome."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def note(line: str) -> None:
    """Print a line beside the output."""
    print(line, file=sys.stderr, flush=True)  # noqa: T201


class Progress:
    """One line on the error output that says what is being done, when that is a terminal; else nothing."""

    def __init__(self) -> None:
        self._shown = sys.stderr.isatty() and os.environ.get("TERM") != "dumb"

    def __call__(self, text: str) -> None:
        """Replace the line."""
        if self._shown:
            sys.stderr.write(f"\r\x1b[2K{shortened(text, 78)}")
            sys.stderr.flush()

    def clear(self) -> None:
        """Take the line away."""
        if self._shown:
            sys.stderr.write("\r\x1b[2K")
            sys.stderr.flush()
