"""Blocks of Python text by indentation alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from verifier.source.logical import Line

MAX_DEPTH = 90
OPENERS = frozenset({"async", "class", "def", "elif", "else", "except", "finally", "for", "if", "try", "while", "with"})
CLAUSES = {
    "if": ("elif", "else"),
    "for": ("else",),
    "while": ("else",),
    "async": ("else",),
    "try": ("except", "else", "finally"),
}


@dataclass(slots=True)
class Block:
    """A logical line with the ones that are indented below it."""

    line: Line
    children: list[Block] = field(default_factory=list)

    @property
    def opens(self) -> bool:
        """Whether a block follows, even where its colon was forgotten."""
        return self.line.opens or bool(self.children)

    @property
    def last(self) -> int:
        """The last line of all."""
        block = self
        while block.children:
            block = block.children[-1]
        return block.line.last


def nest(lines: Sequence[Line]) -> list[Block]:
    """Put lines below the line that opens their block; a line that is indented for no reason stays in the block around it."""
    top: list[Block] = []
    stack = [(lines[0].indent if lines else 0, top)]
    for line in lines:
        while len(stack) > 1 and line.indent < stack[-1][0]:
            stack.pop()
        indent, siblings = stack[-1]
        if line.indent > indent and siblings and _may_open(siblings[-1].line) and len(stack) < MAX_DEPTH:
            siblings = siblings[-1].children
            stack.append((line.indent, siblings))
        siblings.append(Block(line))
    return top


def _may_open(line: Line) -> bool:
    return line.opens or (line.word in OPENERS and not line.colon)


def group(blocks: Sequence[Block]) -> list[list[Block]]:
    """Put the lines of one statement together: decorators with what they decorate, `else` with its `if`."""
    groups: list[list[Block]] = []
    for block in blocks:
        if groups and _continues(groups[-1], block):
            groups[-1].append(block)
        else:
            groups.append([block])
    return groups


def _continues(statement: list[Block], block: Block) -> bool:
    if statement[-1].line.word == "@":
        return block.line.word in ("@", "def", "class", "async")
    return block.line.word in CLAUSES.get(statement[0].line.word, ())
