"""Read a repository: find its files and hand each to the reader of its kind."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from verifier.errors import SourceError
from verifier.model.location import Problem
from verifier.model.repository import ConfigFile, PythonFile, Repository, ScriptFile
from verifier.source.discovery import Found, Kind, discover
from verifier.source.limits import DEFAULT_LIMITS, Limits


@dataclass(slots=True)
class _Read:
    """What has been read so far."""

    python: list[PythonFile] = field(default_factory=list)
    configs: list[ConfigFile] = field(default_factory=list)
    scripts: list[ScriptFile] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)


def read(path: Path, *, limits: Limits = DEFAULT_LIMITS) -> Repository:
    """Read all Python files, notebooks, configuration files, shell scripts and Makefiles of a folder.

    Nothing is run or imported. Each file of these kinds is either parsed or stands in the problems; a file that could only be
    parsed in part does both.

    Args:
        path: the repository.
        limits: bounds on sizes, numbers and depths.

    Raises:
        SourceError: the path is not a folder that can be listed.
    """
    found, problems = discover(path, limits)
    result = _Read(problems=problems)
    with _garbage_collection_paused():
        for file in found:
            try:
                data = _load(path / file.path, file, limits)
                _parse(file, data, result, limits)
            except SourceError as error:
                result.problems.append(Problem(file.path, 1, error.message))
    return Repository(
        path.resolve().name,
        tuple(result.python),
        tuple(result.configs),
        tuple(result.scripts),
        tuple(sorted(set(result.problems))),
    )


@contextmanager
def _garbage_collection_paused() -> Iterator[None]:
    """Spare the search for garbage among syntax trees, which all stay: it takes a fifth of the time."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def _load(path: Path, file: Found, limits: Limits) -> bytes:
    """Read the bytes, not trusting that the file still has the size it had when it was found."""
    bound = limits.python_bytes if file.kind is Kind.PYTHON else limits.config_bytes
    try:
        with path.open("rb") as stream:
            data = stream.read(bound + 1)
    except OSError as error:
        raise SourceError(f"cannot be read: {error.strerror}", file.path) from error
    if len(data) > bound:
        raise SourceError(f"not read: more than the limit of {bound} bytes", file.path)
    return data


def _parse(file: Found, data: bytes, result: _Read, limits: Limits) -> None:
    """Parse one file; readers are imported when a file needs them."""
    if file.kind is Kind.PYTHON:
        from verifier.source.python import read_python

        python, problems = read_python(file.path, data, limits)
        result.python.append(python)
    elif file.kind is Kind.NOTEBOOK:
        from verifier.source.notebook import read_notebook

        notebook, problems = read_notebook(file.path, data, limits)
        result.python += [notebook] if notebook else []
    elif file.kind in (Kind.SHELL, Kind.MAKE):
        if file.kind is Kind.SHELL:
            from verifier.source.shell import read_shell as read_script
        else:
            from verifier.source.makefile import read_makefile as read_script

        script, problems = read_script(file.path, data, limits)
        result.scripts.append(script)
    else:
        from verifier.source.config import read_config

        config, problems = read_config(file.path, file.kind.value, data, limits)
        result.configs += [config] if config else []
    result.problems += problems
