"""Unit files as a tree of values with their lines: what YAML and JSON have in common, before anything is known about units."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from verifier.errors import UnitError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from verifier.model.constant import Scalar

LARGEST_FILE = 8_000_000
DEEPEST = 60
MOST_NODES = 200_000


@dataclass(frozen=True, slots=True)
class Node:
    """A value of a unit file.

    Attributes:
        value: a scalar; None for a container.
        line: its line, from 1.
        fields: for a mapping, its keys (each a node) and values in file order, repeated keys included.
        items: for a list, its elements.
    """

    value: Scalar
    line: int
    fields: tuple[tuple[Node, Node], ...] | None = None
    items: tuple[Node, ...] | None = None

    @property
    def sort(self) -> str:
        """What it is, in the words of an error message."""
        if self.fields is not None:
            return "a mapping"
        if self.items is not None:
            return "a list"
        if self.value is None:
            return "empty"
        if isinstance(self.value, bool):
            return "true" if self.value else "false"
        return "text" if isinstance(self.value, str) else f"the number {self.value}"

    @property
    def children(self) -> Iterator[Node]:
        """The nodes directly inside."""
        for key, child in self.fields or ():
            yield key
            yield child
        yield from self.items or ()


def read_file(path: Path, name: str) -> Node:
    """Reads a YAML or JSON file (by its suffix) into a tree.

    Args:
        path: the file.
        name: the file as errors call it.

    Raises:
        UnitError: it cannot be read, is no UTF-8, is empty or too large, or breaks the syntax; `where` is `file:line`.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise UnitError(f"cannot be read: {error.strerror or error}", name) from error
    if len(data) > LARGEST_FILE:
        raise UnitError(f"has {len(data):,} bytes, more than the {LARGEST_FILE:,} that a unit file may have", name)
    text = _decode(data, name)
    if not text.strip():
        raise UnitError("is empty: write `units:` and a list of units", name)
    if path.suffix.lower() == ".json":
        from verifier.units.wire_json import read_json

        return read_json(text, name)
    from verifier.units.wire_yaml import read_yaml

    return read_yaml(text, name)


def _decode(data: bytes, name: str) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise UnitError(f"is not UTF-8 text (byte 0x{data[error.start]:02x}): save it as UTF-8", f"{name}:{line}") from error
