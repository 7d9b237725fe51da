"""The command line: finds the command, prints what is wrong in single lines, gives the exit code."""

from __future__ import annotations

import argparse
import os
import sys
from typing import NoReturn

from verifier.errors import VerifierError
from verifier.version import __version__

_OWN_FAULT = 3
_INTERRUPTED = 130
_BROKEN_PIPE = 141
_CLOSING = """A folder with the name of a command is reached as ./bench.
Exit code: 0 nothing fails, 1 something fails, 2 the call or a unit file is wrong, 3 an error of sa-verify itself."""


class _Parser(argparse.ArgumentParser):
    """A parser that reports a wrong call in one line."""

    def error(self, message: str) -> NoReturn:
        raise VerifierError(f"{message} (see {self.prog} --help)")


class _Help(argparse.RawDescriptionHelpFormatter):
    """Help as wide as the terminal; argparse alone would import shutil for that, and does so on every run."""

    def __init__(self, prog: str) -> None:
        try:
            width = os.get_terminal_size().columns
        except OSError:
            width = 100
        super().__init__(prog, width=max(width - 2, 40))


def main(arguments: list[str] | None = None) -> int:
    """Run sa-verify.

    Args:
        arguments: the words after the program's name; those of the process when None.

    Returns:
        0 when nothing fails, 1 when something does, 2 when the call or an input is wrong, 3 on an error of the program itself.
    """
    words = sys.argv[1:] if arguments is None else arguments
    try:
        if words in (["--version"], ["-V"]):
            print(f"sa-verify {__version__}")  # noqa: T201
            return 0
        code = _run(words)
        sys.stdout.flush()
        return code
    except VerifierError as error:
        return _refuse(error)
    except KeyboardInterrupt:
        return _INTERRUPTED
    except BrokenPipeError:
        # The reader has gone; the interpreter would complain again when it flushes at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return _BROKEN_PIPE
    except Exception:  # noqa: BLE001 - shown in full; Python's own exit code 1 would say that a check fails
        import traceback

        traceback.print_exc()
        return _OWN_FAULT


def _run(words: list[str]) -> int:
    from verifier.commands import SUMMARIES, load

    name = words[0] if words and words[0] in SUMMARIES else ""
    command = load(name or "verify")
    parser = _Parser(
        prog=f"sa-verify {name}".strip(),
        description=command.__doc__,
        epilog=None if name else _epilog(SUMMARIES),
        formatter_class=_Help,
        allow_abbrev=False,
    )
    command.add_arguments(parser)
    if not name:
        parser.add_argument("-V", "--version", action="version", version=f"sa-verify {__version__}")
    return command.run(parser.parse_args(words[1:] if name else words))


def _epilog(summaries: dict[str, str]) -> str:
    lines = [f"  {name:<12} {summary}" for name, summary in summaries.items()]
    return "\n".join(["commands (sa-verify COMMAND --help):", *lines, "", _CLOSING])


def _refuse(error: VerifierError) -> int:
    from verifier.report.escape import plain

    for line in str(error).splitlines():
        print(f"sa-verify: {plain(line)}", file=sys.stderr)  # noqa: T201
    return 2
