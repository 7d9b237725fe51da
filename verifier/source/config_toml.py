"""TOML with positions, from tree-sitter: a malformed file keeps the entries that are whole."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field

import tree_sitter_toml
from tree_sitter import Language, Node, Parser

from verifier.model.constant import Scalar
from verifier.model.repository import ConfigNode
from verifier.source.config_tree import Builder, Fault, Roots
from verifier.source.limits import Limits

_KEYS = frozenset({"bare_key", "quoted_key", "dotted_key"})
_DATES = frozenset({"offset_date_time", "local_date_time", "local_date", "local_time"})


@dataclass(slots=True)
class _Table:
    """A table that is still being filled."""

    line: int
    column: int
    entries: dict[str, _Table | list[_Table] | ConfigNode] = field(default_factory=dict)


class _TomlReader:
    """Reads one TOML text."""

    def __init__(self, text: str, limits: Limits) -> None:
        self.data = text.encode()
        self.builder = Builder(limits)
        self.faults: list[Fault] = []

    def read(self) -> ConfigNode:
        root = _Table(1, 1)
        document = Parser(Language(tree_sitter_toml.language())).parse(self.data).root_node
        for node in document.children:
            self._entry(node, root)
        if document.has_error and not self.faults:
            self.faults.append((1, "malformed TOML: a part is not understood"))
        return self._freeze(root, 0)

    def _entry(self, node: Node, root: _Table) -> None:
        if node.type in ("table", "table_array_element"):
            header = next((child for child in node.children if child.type in _KEYS), None)
            path = self._path(header) if header else []
            if not path or len(path) > self.builder.limits.config_depth:
                self._fail(node)
                return
            table = self._open(root, path, node)
            for child in node.children:
                self._pair(child, table)
        else:
            self._pair(node, root)

    def _pair(self, node: Node, table: _Table) -> None:
        if node.type == "ERROR" or node.is_missing:
            self._fail(node)
            for child in node.named_children:
                self._pair(child, table)
        elif node.type == "pair":
            key, *between, value = node.children
            if any(child.type == "ERROR" for child in between):
                self._fail(node)
                return
            *folders, name = self._path(key)
            parsed = self._value(value, 0)
            if parsed is None or len(folders) > self.builder.limits.config_depth:
                self._fail(node)
                return
            owner = self._open(table, folders, node) if folders else table
            owner.entries[name] = parsed

    def _fail(self, node: Node) -> None:
        self.faults.append((node.start_point[0] + 1, "malformed TOML: entry left out"))

    def _path(self, node: Node) -> list[str]:
        """Return the parts of a key; the tree of a dotted one leans to the left."""
        parts: list[str] = []
        while node.type == "dotted_key":
            keys = [child for child in node.children if child.type in _KEYS]
            parts += [self._name(key) for key in reversed(keys[1:])]
            node = keys[0]
        return [self._name(node), *reversed(parts)]

    def _name(self, node: Node) -> str:
        text = self._text(node)
        return str(self._scalar(text)) if node.type == "quoted_key" else text

    def _open(self, table: _Table, path: list[str], node: Node) -> _Table:
        """Return the table at a path, made where it is not there yet; `[[...]]` adds one to the list at the path."""
        for index, name in enumerate(path):
            place = _place(node)
            found = table.entries.get(name)
            if node.type == "table_array_element" and index == len(path) - 1:
                rows = found if isinstance(found, list) else []
                table.entries[name] = rows
                rows.append(_Table(*place))
                table = rows[-1]
            elif isinstance(found, list):
                table = found[-1]
            elif isinstance(found, _Table):
                table = found
            else:
                table.entries[name] = table = _Table(*place)
        return table

    def _value(self, node: Node, depth: int) -> ConfigNode | None:
        """Return a value, None when it is malformed or too deep."""
        line, column = _place(node)
        if depth > self.builder.limits.config_depth or node.is_missing or node.type == "ERROR":
            return None
        self.builder.add()
        if node.type == "array":
            items = [self._value(child, depth + 1) for child in node.named_children if child.type != "comment"]
            return self.builder.sequence([item for item in items if item], line, column) if all(items) else None
        if node.type == "inline_table":
            table = _Table(line, column)
            for child in node.named_children:
                self._pair(child, table)
            return self._freeze(table, depth)
        if node.has_error:
            return None
        text = self._text(node)
        return ConfigNode(text if node.type in _DATES else self._scalar(text), line, column)

    def _scalar(self, text: str) -> Scalar:
        try:
            value: Scalar = tomllib.loads(f"v = {text}")["v"]
        except ValueError:
            return text
        return value

    def _text(self, node: Node) -> str:
        return self.data[node.start_byte : node.end_byte].decode(errors="replace")

    def _freeze(self, table: _Table, depth: int) -> ConfigNode:
        if depth > self.builder.limits.config_depth:
            self.faults.append((table.line, f"nested deeper than {self.builder.limits.config_depth}"))
            return self.builder.mapping([], table.line, table.column)
        return self.builder.mapping(list(self._frozen(table, depth)), table.line, table.column)

    def _frozen(self, table: _Table, depth: int) -> Iterator[tuple[str, ConfigNode]]:
        for name, entry in table.entries.items():
            if isinstance(entry, list):
                rows = [self._freeze(row, depth + 1) for row in entry]
                yield name, self.builder.sequence(rows, entry[0].line, entry[0].column)
            else:
                yield name, self._freeze(entry, depth + 1) if isinstance(entry, _Table) else entry


def _place(node: Node) -> tuple[int, int]:
    return node.start_point[0] + 1, node.start_point[1] + 1


def read_toml(text: str, limits: Limits) -> Roots:
    """Read a TOML text; dates stay strings.

    Returns:
        The root table as the only root, and the faults as (line, message).

    Raises:
        TooLargeError: it has more values than a configuration would.
    """
    reader = _TomlReader(text, limits)
    return (reader.read(),), reader.faults
