"""JSON with line numbers."""

from __future__ import annotations

import json
import re
from bisect import bisect_left
from typing import TYPE_CHECKING

from verifier.errors import UnitError
from verifier.units.wire import DEEPEST, Node

if TYPE_CHECKING:
    from verifier.model.constant import Scalar

_DECODER = json.JSONDecoder()
_SURROGATE = re.compile("[\ud800-\udfff]")
_BLANK = re.compile(r"[ \t\r\n]*")
_NUMBER = re.compile(r"-?(?:0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?")
_WORDS: tuple[tuple[str, Scalar], ...] = (("true", True), ("false", False), ("null", None))


def read_json(text: str, name: str) -> Node:
    """Reads JSON text into a tree.

    Raises:
        UnitError: the text is not JSON; `where` is `file:line`.
    """
    reader = _Reader(text, name)
    try:
        node, end = reader.value(reader.skip(0), 0)
    except json.JSONDecodeError as error:
        raise UnitError(f"not JSON: {error.msg}", f"{name}:{error.lineno}") from error
    end = reader.skip(end)
    if end < len(text):
        raise reader.fault(end, "text after the end of the value")
    return node


class _Reader:
    """Reads values at a position of the text; every method returns what it read and the position after it."""

    def __init__(self, text: str, name: str) -> None:
        self._text = text
        self._name = name
        self._breaks = [match.start() for match in re.finditer("\n", text)]

    def skip(self, at: int) -> int:
        match = _BLANK.match(self._text, at)
        return match.end() if match else at

    def fault(self, at: int, message: str) -> UnitError:
        return UnitError(f"not JSON: {message}", f"{self._name}:{self._line(at)}")

    def _line(self, at: int) -> int:
        return bisect_left(self._breaks, at) + 1

    def value(self, at: int, depth: int) -> tuple[Node, int]:
        if depth > DEEPEST:
            raise self.fault(at, f"nested more than {DEEPEST} deep")
        char = self._text[at : at + 1]
        if char == "{":
            return self._mapping(at, depth)
        if char == "[":
            return self._list(at, depth)
        if char == '"':
            return self._string(at)
        return self._scalar(at)

    def _string(self, at: int) -> tuple[Node, int]:
        if self._text[at : at + 1] != '"':
            raise self.fault(at, "expected a key in double quotes")
        value, end = _DECODER.raw_decode(self._text, at)
        if _SURROGATE.search(value):
            raise self.fault(at, "half of a surrogate pair, which is no character")
        return Node(value, self._line(at)), end

    def _scalar(self, at: int) -> tuple[Node, int]:
        for word, value in _WORDS:
            if self._text.startswith(word, at):
                return Node(value, self._line(at)), at + len(word)
        match = _NUMBER.match(self._text, at)
        if match is None:
            raise self.fault(at, "expected a value")
        exact = match.group(1) is None and match.group(2) is None
        if exact and match.end() - match.start() > 400:
            raise self.fault(at, "a number of more than 400 digits")
        return Node(int(match.group()) if exact else float(match.group()), self._line(at)), match.end()

    def _mapping(self, start: int, depth: int) -> tuple[Node, int]:
        fields: list[tuple[Node, Node]] = []
        at = self.skip(start + 1)
        while self._text[at : at + 1] != "}":
            if fields:
                at = self._expect(at, ",")
            key, at = self._string(at)
            at = self._expect(self.skip(at), ":")
            value, at = self.value(at, depth + 1)
            fields.append((key, value))
            at = self.skip(at)
        return Node(None, self._line(start), fields=tuple(fields)), at + 1

    def _list(self, start: int, depth: int) -> tuple[Node, int]:
        items: list[Node] = []
        at = self.skip(start + 1)
        while self._text[at : at + 1] != "]":
            if items:
                at = self._expect(at, ",")
            value, at = self.value(at, depth + 1)
            items.append(value)
            at = self.skip(at)
        return Node(None, self._line(start), items=tuple(items)), at + 1

    def _expect(self, at: int, sign: str) -> int:
        if self._text[at : at + 1] != sign:
            raise self.fault(at, f"expected `{sign}`")
        return self.skip(at + 1)
