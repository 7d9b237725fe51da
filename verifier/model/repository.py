"""A repository as read: every file parsed into one of three shapes, or listed as a problem."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from enum import StrEnum

from verifier.model.constant import Constant
from verifier.model.location import Problem


class Role(StrEnum):
    """What a file is to the repository. Only `code` is evidence."""

    CODE = "code"
    TEST = "test"


@dataclass(frozen=True, slots=True)
class PythonFile:
    """A Python file or the code cells of a notebook.

    Attributes:
        path: relative to the repository, with `/`.
        tree: its syntax tree; line numbers are those of the file on disk (in a notebook: of the .ipynb file). Of a call or a
            dictionary that was cut off the finished items are there, and `**...` stands for the rest.
        text: the text the tree was made from, lines ending in a line feed; form feeds do not end lines. In a notebook its lines
            are those of the .ipynb file, unless several lines of code stand on one line there.
        comments: (line number, comment text without the `#`).
        cells: for a notebook, (number of the code cell from 1, first line, last line).
        broken: lines that could not be parsed and are not in the tree, as (first, last).
    """

    path: str
    tree: ast.Module
    text: str
    role: Role = Role.CODE
    comments: tuple[tuple[int, str], ...] = ()
    cells: tuple[tuple[int, int, int], ...] = ()
    broken: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class ConfigNode:
    """A value in a configuration file, with its place.

    Attributes:
        value: a scalar as the file's own loader would give it (PyYAML reads `1e-4` as a string: kept so), or None for a container.
        line: line from 1. column: from 1.
        fields: for a mapping, key -> node, in file order.
        items: for a sequence, its nodes.
    """

    value: Constant
    line: int
    column: int = 1
    fields: tuple[tuple[str, ConfigNode], ...] | None = None
    items: tuple[ConfigNode, ...] | None = None


@dataclass(frozen=True, slots=True)
class ConfigFile:
    """A configuration file. A YAML stream of several documents has one root a document.

    Attributes:
        syntax: `yaml`, `toml`, `json` or `ini`.
    """

    path: str
    syntax: str
    roots: tuple[ConfigNode, ...]
    role: Role = Role.CODE


@dataclass(frozen=True, slots=True)
class Command:
    """One command of a shell script or Makefile: its words with variables of the script substituted where they are constant.

    Attributes:
        words: `("python", "train.py", "--lr", "1e-4")`; words whose worth is unknown hold `$`.
        columns: the column of each word, from 1.
        lines: the line of each word (a command may go on over several lines); a word that is a variable's value has the place
            where the value was written.
        target: the Makefile target, or the shell function, it stands in; empty at top level.
        exported: what the script has exported before, by name: value, line and column.
    """

    words: tuple[str, ...]
    lines: tuple[int, ...]
    columns: tuple[int, ...]
    target: str = ""
    exported: tuple[tuple[str, str, int, int], ...] = ()

    @property
    def line(self) -> int:
        """The line of its first word."""
        return self.lines[0]


@dataclass(frozen=True, slots=True)
class ScriptFile:
    """A shell script or Makefile: its commands in the order in which they run."""

    path: str
    syntax: str
    commands: tuple[Command, ...]
    role: Role = Role.CODE


@dataclass(frozen=True, slots=True)
class Repository:
    """All that was read, sorted by path."""

    name: str
    python: tuple[PythonFile, ...] = ()
    configs: tuple[ConfigFile, ...] = ()
    scripts: tuple[ScriptFile, ...] = ()
    problems: tuple[Problem, ...] = ()
