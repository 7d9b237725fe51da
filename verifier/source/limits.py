"""Bounds on what is read from a repository."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """How much is read before a file, or the rest of a repository, is reported as a problem instead.

    Attributes:
        python_bytes: largest Python file.
        config_bytes: largest configuration file, notebook, shell script or Makefile.
        files: number of files of the handled kinds.
        total_bytes: sum of the sizes of all files read.
        entries: number of folder entries that are looked at, of any kind.
        folders: depth of folders.
        config_nodes: values in one configuration file, aliases expanded; a larger one is data.
        config_depth: nesting of containers in a configuration file.
        tree_depth: nesting of nodes in a Python syntax tree; deeper statements are dropped, so that recursive readers of the tree
            are safe.
        commands: commands of one script, loops and functions expanded.
        left_out: paths of folders that are no part of the repository, such as the results that a harness stored in it.
    """

    python_bytes: int = 2_000_000
    config_bytes: int = 5_000_000
    files: int = 20_000
    total_bytes: int = 200_000_000
    entries: int = 500_000
    folders: int = 40
    config_nodes: int = 5_000
    config_depth: int = 60
    tree_depth: int = 150
    commands: int = 2_000
    left_out: frozenset[str] = frozenset()


DEFAULT_LIMITS = Limits()
