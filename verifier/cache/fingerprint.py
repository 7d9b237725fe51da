"""One key for everything that a report depends on: the repository, the unit files, the rules and the program itself."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from hashlib import blake2b
from pathlib import Path

from verifier.resources import data_folder
from verifier.source.discovery import discover
from verifier.source.limits import Limits
from verifier.version import __version__

_UNIT_SUFFIXES = (".yaml", ".yml", ".json")


def fingerprint(repo: Path, units: Iterable[Path], limits: Limits, *settings: str) -> str:
    """The key of a report.

    Args:
        repo: the repository.
        units: unit files, or folders of them.
        limits: the bounds within which the repository is read.
        settings: everything else that the report depends on.

    Returns:
        A hash in hexadecimal: over contents of the repository and the units, over sizes and times of change of the program.

    Raises:
        SourceError: the repository cannot be listed.
    """
    digest = blake2b(digest_size=24)
    for part in _parts(repo, units, limits, settings):
        digest.update(len(part).to_bytes(8, "little"))
        digest.update(part)
    return digest.hexdigest()


def _parts(repo: Path, units: Iterable[Path], limits: Limits, settings: tuple[str, ...]) -> Iterator[bytes]:
    yield program_signature()
    yield repr((settings, repo.resolve().name, limits.left_out)).encode()
    found, problems = discover(repo, limits)
    yield repr(sorted(problems)).encode()
    for file in found:
        yield os.fsencode(file.path)
        yield _content(repo / file.path)
    for unit in units:
        for path in _unit_files(unit):
            yield os.fsencode(path)
            yield _content(path)


def _unit_files(units: Path) -> list[Path]:
    if not units.is_dir():
        return [units]
    return sorted(path for path in units.rglob("*") if path.suffix in _UNIT_SUFFIXES)


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        return f"not read: {error.errno}".encode()


@cache
def program_signature() -> bytes:
    """What tells one state of the program from another: versions, and size and time of change of its sources and rules."""
    package = Path(__file__).resolve().parent.parent
    files = sorted(entry for folder in (package, data_folder("rules")) for entry in _stats(str(folder)))
    return repr((__version__, sys.version_info[:3], files)).encode()


def _stats(folder: str) -> Iterator[tuple[str, int, int]]:
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_dir():
                if entry.name != "__pycache__":
                    yield from _stats(entry.path)
            else:
                status = entry.stat()
                yield entry.path, status.st_size, status.st_mtime_ns
