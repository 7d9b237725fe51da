"""YAML with line numbers: the core schema of YAML 1.2, so `off` and `no` are text and `3e-4` is a number.

Built from the parser's events: nothing is constructed from tags, and aliases can neither loop nor explode.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import yaml

from verifier.errors import UnitError
from verifier.units.wire import DEEPEST, MOST_NODES, Node

if TYPE_CHECKING:
    from collections.abc import Iterator

    from verifier.model.constant import Scalar

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_INT = re.compile(r"[-+]?\d[\d_]*")
_RADIX = re.compile(r"0x[0-9a-fA-F]+|0o[0-7]+")
_FLOAT = re.compile(r"[-+]?(?:\.\d+|\d[\d_]*(?:\.[\d_]*)?)(?:[eE][-+]?\d+)?")
_INFINITE = re.compile(r"([-+]?)\.inf", re.IGNORECASE)
_WORDS: dict[str, Scalar] = {
    "": None, "~": None, "null": None, "Null": None, "NULL": None,
    "true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False,
}  # fmt: skip


def read_yaml(text: str, name: str) -> Node:
    """Reads the one document of a YAML text into a tree.

    Raises:
        UnitError: a syntax error, a tag, several documents, or nesting and aliases out of bounds; `where` is `file:line`.
    """
    try:
        return _Reader(yaml.parse(text, Loader=_LOADER), name).document()
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise UnitError(f"not YAML: {_explain(error, text)}", f"{name}:{mark.line + 1 if mark else 1}") from error
    except yaml.YAMLError as error:
        position = getattr(error, "position", 0)
        line = text.count("\n", 0, position if isinstance(position, int) else 0) + 1
        raise UnitError(f"not YAML: {getattr(error, 'reason', error)}", f"{name}:{line}") from error


def _explain(error: yaml.MarkedYAMLError, text: str) -> str:
    problem = error.problem or error.context or "syntax error"
    mark = error.problem_mark
    lines = text.splitlines()
    if mark is not None and mark.line < len(lines) and lines[mark.line].lstrip(" ").startswith("\t"):
        return f"{problem} (indent with blanks, not with tabs)"
    if "mapping values" in problem:
        return f"{problem} (put text that holds `: ` in quotes)"
    return problem


class _Reader:
    """Turns the event stream of one document into nodes."""

    def __init__(self, events: Iterator[yaml.Event], name: str) -> None:
        self._events = events
        self._name = name
        self._anchors: dict[str, tuple[Node, int]] = {}
        self._size = 0

    def document(self) -> Node:
        node: Node | None = None
        for event in self._events:
            if isinstance(event, yaml.DocumentStartEvent):
                if node is not None:
                    raise self._fault(event, "holds several documents: keep one, with all its units in one list")
                node = self._node(next(self._events), 0)
        if node is None:
            raise UnitError("is empty: write `units:` and a list of units", self._name)
        return node

    def _fault(self, event: yaml.Event, message: str) -> UnitError:
        return UnitError(message, f"{self._name}:{_line(event)}")

    def _node(self, event: yaml.Event, depth: int) -> Node:
        if isinstance(event, yaml.AliasEvent):
            return self._alias(event)
        if depth > DEEPEST:
            raise self._fault(event, f"nested more than {DEEPEST} deep")
        before = self._size
        self._count(event, 1)
        tag = getattr(event, "tag", None)
        if tag is not None and tag != "!":
            raise self._fault(event, f"tags are not part of the format: remove `{tag}`")
        if isinstance(event, yaml.ScalarEvent):
            plain = not event.style
            node = Node(_scalar(event.value) if plain else event.value, _line(event))
        elif isinstance(event, yaml.SequenceStartEvent):
            node = Node(None, _line(event), items=tuple(self._items(depth)))
        else:
            node = Node(None, _line(event), fields=tuple(self._fields(depth)))
        anchor = getattr(event, "anchor", None)
        if anchor:
            self._anchors[anchor] = (node, self._size - before)
        return node

    def _alias(self, event: yaml.AliasEvent) -> Node:
        if event.anchor not in self._anchors:
            raise self._fault(event, f"the alias `*{event.anchor}` names no anchor above it, or stands inside it")
        node, size = self._anchors[event.anchor]
        self._count(event, size)
        return node

    def _count(self, event: yaml.Event, nodes: int) -> None:
        self._size += nodes
        if self._size > MOST_NODES:
            raise self._fault(event, f"holds more than {MOST_NODES:,} values once its aliases are followed")

    def _items(self, depth: int) -> Iterator[Node]:
        while not isinstance(event := next(self._events), yaml.SequenceEndEvent):
            yield self._node(event, depth + 1)

    def _fields(self, depth: int) -> Iterator[tuple[Node, Node]]:
        while not isinstance(event := next(self._events), yaml.MappingEndEvent):
            key = self._node(event, depth + 1)
            yield key, self._node(next(self._events), depth + 1)


def _line(event: yaml.Event) -> int:
    mark = event.start_mark
    return mark.line + 1 if mark else 1


def _scalar(text: str) -> Scalar:
    """The worth of a plain scalar."""
    if text in _WORDS:
        return _WORDS[text]
    if len(text) > 400:
        return text
    if _INT.fullmatch(text):
        return int(text.replace("_", ""))
    if _RADIX.fullmatch(text):
        return int(text, 0)
    if _FLOAT.fullmatch(text):
        return float(text.replace("_", ""))
    infinite = _INFINITE.fullmatch(text)
    return float(f"{infinite.group(1)}inf") if infinite else text
