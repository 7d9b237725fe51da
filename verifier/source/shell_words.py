"""Words of shell commands with the script's variables put in where they are constant."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from tree_sitter import Node

_MAX_LENGTH = 4_000
_MAX_RANGE = 100
_DEPTH = 30
_ALL = re.compile(r'"\$(?:@|\{@\}|\{\w+\[@\]\})"')
_RANGE = re.compile(r"\{(-?\d{1,6})\.\.(-?\d{1,6})\}")
_ESCAPE = re.compile(r"\\(\n|.)", re.DOTALL)
_QUOTED_ESCAPE = re.compile(r'\\([$`"\\\n])')


class Word(NamedTuple):
    """A word and where it is written: for a variable that stands alone, where its value was written."""

    text: str
    line: int
    column: int


Values = Mapping[str, tuple[Word, ...]]


def is_unknown(words: tuple[Word, ...]) -> bool:
    """Say whether what the words are worth depends on more than the script."""
    return any("$" in word.text or "`" in word.text for word in words)


def expand(node: Node, values: Values, first_line: int = 1, depth: int = 0) -> tuple[Word, ...]:
    """Return the words that one word of the source becomes.

    Args:
        node: the word in the syntax tree.
        values: the variables; one that is not there stays in the word as `$NAME`.
        first_line: the line of the file at which the text of the tree starts.
        depth: how many defaults of defaults this is inside of.
    """
    kind = node.type
    line, column = first_line + node.start_point[0], node.start_point[1] + 1
    if kind in ("simple_expansion", "expansion"):
        return _variable(node, values, first_line, depth)
    if kind == "string" and len(node.named_children) == 1 and _ALL.fullmatch(_text(node)):
        return _variable(node.named_children[0], values, first_line, depth)
    if kind == "string" and len(node.named_children) == 1 and node.named_children[0].type.endswith("expansion"):
        found = _variable(node.named_children[0], values, first_line, depth)
        return found if len(found) == 1 else (Word(_joined(found), line, column),)
    if kind == "brace_expression" and (match := _RANGE.fullmatch(_text(node))):
        first, last = int(match[1]), int(match[2])
        if abs(last - first) < _MAX_RANGE:
            step = 1 if last >= first else -1
            return tuple(Word(str(number), line, column) for number in range(first, last + step, step))
    return (Word(text_of(node, values, depth)[:_MAX_LENGTH], line, column),)


def text_of(node: Node, values: Values, depth: int = 0) -> str:
    """Return the text that a word of the source becomes, quotes removed."""
    kind, raw = node.type, _text(node)
    if depth > _DEPTH:
        return raw
    if kind == "raw_string":
        return raw[1:-1]
    if kind == "ansi_c_string":
        return raw[2:-1].replace("\\n", "\n").replace("\\t", "\t")
    if kind in ("simple_expansion", "expansion"):
        return _joined(_variable(node, values, 1, depth))
    if kind in ("string", "concatenation"):
        return _parts(node, values, depth)
    if kind == "word":
        return _ESCAPE.sub(lambda match: match[1].strip("\n"), raw)
    return raw


def _parts(node: Node, values: Values, depth: int) -> str:
    """Join the parts of a string or concatenation; blanks between the parts of a string stand in no node of their own."""
    raw = node.text or b""
    quoted = node.type == "string"
    pieces: list[str] = []
    at = node.start_byte
    for child in node.children:
        pieces.append(raw[at - node.start_byte : child.start_byte - node.start_byte].decode(errors="replace"))
        at = child.end_byte
        if quoted and child.type == "string_content":
            pieces.append(_QUOTED_ESCAPE.sub(lambda match: match[1].strip("\n"), _text(child)))
        elif not (quoted and child.type == '"'):
            pieces.append(text_of(child, values, depth + 1))
    return "".join(pieces)


def _variable(node: Node, values: Values, first_line: int, depth: int) -> tuple[Word, ...]:
    """Return the value of `$NAME`, `${NAME}`, `${NAME[@]}`, `${NAME:-default}`; the source itself where it is not known."""
    unknown = (Word(_text(node), first_line + node.start_point[0], node.start_point[1] + 1),)
    subscript = next((child for child in node.named_children if child.type == "subscript"), None)
    name = next((child for child in (subscript or node).named_children if child.type.endswith("variable_name")), None)
    if name is None or depth > _DEPTH:
        return unknown
    found = values.get(_text(name))
    operator = next((child.type for child in node.children if not child.is_named and child.type not in ("$", "${", "}")), "")
    if subscript is not None:
        index = subscript.named_children[-1]
        number = int(_text(index)) if _text(index).isdigit() else None
        if found is None or operator:
            return unknown
        return found if number is None else found[number : number + 1] or unknown
    if operator in (":-", "-", ":=", "="):
        if found is not None and not (operator[0] == ":" and not _joined(found)):
            return found
        default = node.named_children[1:]
        return expand(default[0], values, first_line, depth + 1) if default else (unknown[0]._replace(text=""),)
    return found if found is not None and not operator else unknown


def split(words: tuple[Word, ...]) -> tuple[Word, ...]:
    """Split at blanks, as the shell does with a variable that is not quoted; each piece keeps its place."""
    return tuple(word._replace(text=part) for word in words for part in word.text.split())


def _joined(words: tuple[Word, ...]) -> str:
    return " ".join(word.text for word in words)[:_MAX_LENGTH]


def _text(node: Node) -> str:
    return (node.text or b"").decode(errors="replace")
