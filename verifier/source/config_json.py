"""JSON with positions, tolerant: comments and trailing commas pass, a cut-off file keeps its finished values."""

from __future__ import annotations

import json
import re
from bisect import bisect_right

from verifier.model.constant import Scalar
from verifier.model.repository import ConfigNode
from verifier.source.config_tree import Builder, Roots
from verifier.source.limits import Limits

_TOKEN = re.compile(
    r'(?P<string>"(?:[^"\\\n]|\\.)*")|(?P<number>-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|(?P<word>[A-Za-z_-]+)'
    r"|(?P<mark>[{}\[\],:])|(?P<blank>\s+|//[^\n]*|/\*.*?\*/|#[^\n]*)",
    re.DOTALL,
)
_WORDS: dict[str, Scalar] = {
    "true": True,
    "false": False,
    "null": None,
    "NaN": float("nan"),
    "Infinity": float("inf"),
    "-Infinity": float("-inf"),
}
MAX_DIGITS = 4000


class _MalformedError(Exception):
    """The text is not JSON from here on."""


class JsonReader:
    """Reads one JSON text. A fault ends the reading; open containers keep what they have.

    Args:
        text: the JSON text.
        limits: bounds on the number of values and their nesting.
    """

    def __init__(self, text: str, limits: Limits) -> None:
        self.text = text
        self.at = 0
        self.builder = Builder(limits)
        self.fault: tuple[int, str] | None = None
        self.starts = [0, *(match.end() for match in re.finditer("\n", text))]

    def place(self, offset: int) -> tuple[int, int]:
        """Return line and column, from 1, of an offset in the text."""
        line = bisect_right(self.starts, offset)
        return line, offset - self.starts[line - 1] + 1

    def read(self) -> ConfigNode | None:
        """Return the value, None when the text has none."""
        node = self._value(0)
        if self.fault is None and self._peek() is not None:
            self._fail("text after the end of the value")
        return node

    def _peek(self) -> re.Match[str] | None:
        while True:
            match = _TOKEN.match(self.text, self.at)
            if match is None or match.lastgroup != "blank":
                return match
            self.at = match.end()

    def _fail(self, message: str) -> None:
        if self.fault is None:
            self.fault = (self.place(min(self.at, len(self.text)))[0], message)

    def _value(self, depth: int) -> ConfigNode | None:
        token = self._peek()
        if token is None or (token.lastgroup == "mark" and token[0] not in "{["):
            self._fail("a value is missing" if self.at < len(self.text) else "the file ends in the middle of a value")
            return None
        line, column = self.place(self.at)
        self.builder.add()
        self.at = token.end()
        if token.lastgroup == "mark":
            if depth >= self.builder.limits.config_depth:
                self._fail(f"nested deeper than {self.builder.limits.config_depth}")
                return None
            return self._mapping(line, column, depth) if token[0] == "{" else self._sequence(line, column, depth)
        try:
            return ConfigNode(self._scalar(token), line, column)
        except _MalformedError as error:
            self._fail(str(error))
            return None

    def _scalar(self, token: re.Match[str]) -> Scalar:
        text = token[0]
        if token.lastgroup == "word":
            if text not in _WORDS:
                raise _MalformedError(f"unknown word {text[:40]}")
            return _WORDS[text]
        if len(text) > MAX_DIGITS and token.lastgroup == "number":
            raise _MalformedError("a number with too many digits")
        if token.lastgroup == "number" and self.text[token.end() : token.end() + 1] not in ("", ",", "]", "}", " ", "\n", "\t"):
            raise _MalformedError("a malformed number")
        try:
            value: Scalar = json.loads(text, strict=False)
        except ValueError:
            raise _MalformedError(f"a malformed {token.lastgroup}") from None
        return value

    def _mapping(self, line: int, column: int, depth: int) -> ConfigNode:
        pairs: list[tuple[str, ConfigNode]] = []
        while not self._closes("}"):
            key = self._peek()
            if key is None or key.lastgroup != "string":
                self._fail("a key is missing")
                break
            self.at = key.end()
            colon = self._peek()
            if colon is None or colon[0] != ":":
                self._fail("a colon is missing")
                break
            self.at = colon.end()
            value = self._value(depth + 1)
            if value is not None:
                pairs.append((str(json.loads(key[0], strict=False)) if "\\" in key[0] else key[0][1:-1], value))
            if self.fault or not self._continues("}"):
                break
        return self.builder.mapping(pairs, line, column)

    def _sequence(self, line: int, column: int, depth: int) -> ConfigNode:
        items: list[ConfigNode] = []
        while not self._closes("]"):
            value = self._value(depth + 1)
            if value is not None:
                items.append(value)
            if self.fault or not self._continues("]"):
                break
        return self.builder.sequence(items, line, column)

    def _closes(self, mark: str) -> bool:
        token = self._peek()
        if token is not None and token[0] == mark:
            self.at = token.end()
            return True
        return False

    def _continues(self, end: str) -> bool:
        """Step over a comma, or over the end mark; False when the container is over."""
        token = self._peek()
        if token is not None and token[0] in (",", end):
            self.at = token.end()
            return token[0] == ","
        self._fail("a comma is missing" if token else "the file ends before it is complete")
        return False


def read_json(text: str, limits: Limits) -> Roots:
    """Read a JSON text.

    Returns:
        The root as the only one, none when there is no value, and the faults as (line, message).

    Raises:
        TooLargeError: it has more values than a configuration would.
    """
    reader = JsonReader(text, limits)
    node = reader.read()
    return (node,) if node else (), [reader.fault] if reader.fault else []
