"""Which files of a repository are read.

Folders are walked in sorted order. Hidden entries, caches and vendored copies are left out; symbolic links to files inside the
repository are followed, links to folders and links that lead out are not.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from verifier.errors import SourceError
from verifier.model.location import Problem
from verifier.source.limits import Limits

VENDORED = frozenset(
    {"site-packages", "dist-packages", "node_modules", "venv", "virtualenv", "vendor", "vendored", "_vendor", "third_party"}
    | {"thirdparty", "third-party", "__pycache__", "__MACOSX"}
)
VENDORED_SUFFIXES = (".dist-info", ".egg-info", ".egg")
LOCK_FILES = frozenset({"package-lock.json", "npm-shrinkwrap.json", "pnpm-lock.yaml", "conda-lock.yml"})


class Kind(StrEnum):
    """Which reader a file goes to."""

    PYTHON = "python"
    NOTEBOOK = "notebook"
    YAML = "yaml"
    TOML = "toml"
    JSON = "json"
    INI = "ini"
    SHELL = "shell"
    MAKE = "make"


SUFFIXES = {
    ".py": Kind.PYTHON,
    ".pyw": Kind.PYTHON,
    ".ipynb": Kind.NOTEBOOK,
    ".yaml": Kind.YAML,
    ".yml": Kind.YAML,
    ".toml": Kind.TOML,
    ".json": Kind.JSON,
    ".ini": Kind.INI,
    ".cfg": Kind.INI,
    ".sh": Kind.SHELL,
    ".bash": Kind.SHELL,
    ".slurm": Kind.SHELL,
    ".sbatch": Kind.SHELL,
    ".mk": Kind.MAKE,
}
MAKEFILES = frozenset({"makefile", "gnumakefile"})


@dataclass(frozen=True, slots=True)
class Found:
    """A file to read: its path relative to the repository with `/`, its reader and its size in bytes."""

    path: str
    kind: Kind
    size: int


def kind_of(name: str) -> Kind | None:
    """Return the kind of a file by its name, None when no reader handles it."""
    if name.lower() in MAKEFILES:
        return Kind.MAKE
    if name.lower() in LOCK_FILES:
        return None
    return SUFFIXES.get(os.path.splitext(name)[1].lower())


def discover(root: Path, limits: Limits) -> tuple[list[Found], list[Problem]]:
    """Find the files to read.

    Args:
        root: the repository.
        limits: bounds on depth, number and size of files.

    Returns:
        The files sorted by path, and a problem for each file of a handled kind, or folder, that is not read.

    Raises:
        SourceError: `root` is not a folder that can be listed.
    """
    if not root.is_dir():
        raise SourceError("there is no such folder" if not root.exists() else "is not a folder", str(root))
    try:
        os.scandir(root).close()
    except OSError as error:
        raise SourceError(f"the folder cannot be listed: {error.strerror}", str(root)) from error
    return _within(*_Walk(root, limits).run(), limits)


def _within(found: list[Found], problems: list[Problem], limits: Limits) -> tuple[list[Found], list[Problem]]:
    """Keep the files within the bounds on size and number; smaller bounds for Python, whose trees are large."""
    kept: list[Found] = []
    total = 0
    for file in sorted(found, key=lambda file: file.path):
        bound = limits.python_bytes if file.kind is Kind.PYTHON else limits.config_bytes
        if file.size > bound:
            problems.append(Problem(file.path, 1, f"not read: {file.size} bytes, more than the limit of {bound}"))
        elif len(kept) >= limits.files:
            problems.append(Problem(file.path, 1, f"not read: the repository has more than {limits.files} files"))
        elif total + file.size > limits.total_bytes:
            problems.append(Problem(file.path, 1, f"not read: the repository has more than {limits.total_bytes} bytes"))
        else:
            kept.append(file)
            total += file.size
    return kept, problems


class _Walk:
    """One walk over a repository."""

    def __init__(self, root: Path, limits: Limits) -> None:
        self.root = str(root)
        self.real_root = os.path.realpath(root)
        self.limits = limits
        self.found: list[Found] = []
        self.problems: list[Problem] = []

    def run(self) -> tuple[list[Found], list[Problem]]:
        pending = [("", 0)]
        seen = 0
        while pending:
            folder, depth = pending.pop()
            for entry in self._entries(folder):
                seen += 1
                if seen > self.limits.entries:
                    self._report(folder or ".", f"not read further: more than {self.limits.entries} entries")
                    return self.found, self.problems
                path = f"{folder}/{entry.name}" if folder else entry.name
                if self._is_folder(entry, path):
                    if depth < self.limits.folders:
                        pending.append((path, depth + 1))
                    else:
                        self._report(path, f"not read: more than {self.limits.folders} folders deep")
        return self.found, self.problems

    def _entries(self, folder: str) -> Iterator[os.DirEntry[str]]:
        try:
            with os.scandir(os.path.join(self.root, folder)) as entries:
                listed = sorted(entries, key=lambda entry: entry.name)
        except OSError as error:
            self._report(folder, f"folder cannot be listed: {error.strerror}")
            return
        for entry in listed:
            if not entry.name.startswith("."):
                yield entry

    def _is_folder(self, entry: os.DirEntry[str], path: str) -> bool:
        """Say whether to go into the entry; a file of a handled kind is noted on the way."""
        if entry.is_dir(follow_symlinks=False):
            return not self._is_vendored(path, entry.name)
        kind = kind_of(entry.name)
        if entry.is_symlink():
            self._note_link(path, kind)
        elif kind and entry.is_file(follow_symlinks=False):
            self._note_file(path, kind)
        elif kind:
            self._report(path, "not read: not a regular file")
        return False

    def _is_vendored(self, path: str, name: str) -> bool:
        if path in self.limits.left_out:
            return True
        if name.lower() in VENDORED or name.lower().endswith(VENDORED_SUFFIXES):
            return True
        if path == f"build/{name}" and name.startswith(("lib", "bdist")):
            return True
        return os.path.exists(os.path.join(self.root, path, "pyvenv.cfg"))

    def _note_link(self, path: str, kind: Kind | None) -> None:
        target = os.path.realpath(os.path.join(self.root, path))
        inside = target == self.real_root or target.startswith(self.real_root.rstrip(os.sep) + os.sep)
        if not inside and (kind or os.path.isdir(target)):
            self._report(path, "not read: a symbolic link that leads out of the repository")
        elif kind and not os.path.isdir(target):
            self._note_file(path, kind)

    def _note_file(self, path: str, kind: Kind) -> None:
        try:
            status = os.stat(os.path.join(self.root, path))
        except OSError as error:
            self._report(path, f"cannot be read: {error.strerror}")
            return
        if stat.S_ISREG(status.st_mode):
            self.found.append(Found(path, kind, status.st_size))
        else:
            self._report(path, "not read: not a regular file")

    def _report(self, path: str, message: str) -> None:
        self.problems.append(Problem(path, 1, message))
