"""Bound the depth of a syntax tree, so that recursive readers of it are safe."""

from __future__ import annotations

import ast
from itertools import accumulate

_BLOCKS = ("body", "orelse", "finalbody", "handlers", "cases")
_NESTING = (
    "(",
    "[",
    "{",
    ".",
    "+",
    "-",
    "*",
    "/",
    "%",
    "@",
    "|",
    "&",
    "^",
    "~",
    "<",
    ">",
    "not",
    "else",
    "for",
    "lambda",
    "await",
    "yield",
)
_LEVELS = 3


def prune(tree: ast.Module, text: str, limit: int) -> list[tuple[int, int]]:
    """Drop, in place, the statements that nest deeper than `limit`; return their lines as (first, last).

    Only statements with many operators, brackets and keywords are looked into: none of these adds more than three levels.
    """
    pruner = _Pruner(text, limit)
    pruner.prune(tree)
    return sorted(pruner.dropped)


class _Pruner:
    """Prunes one tree."""

    def __init__(self, text: str, limit: int) -> None:
        self.text = text
        self.limit = limit
        self.dropped: list[tuple[int, int]] = []
        self.offsets = [0, *accumulate(len(line) + 1 for line in text.split("\n"))]

    def prune(self, tree: ast.Module) -> None:
        pending: list[tuple[ast.AST, int]] = [(tree, 0)]
        while pending:
            owner, depth = pending.pop()
            for name in _BLOCKS:
                block = getattr(owner, name, None)
                if not isinstance(block, list):
                    continue
                kept = [part for part in block if not self._is_too_deep(part, depth + 1)]
                if len(kept) < len(block):
                    self.dropped += [_lines(part) for part in block if part not in kept]
                    setattr(owner, name, kept)
                pending += [(part, depth + 1) for part in kept if hasattr(part, "body") or hasattr(part, "cases")]

    def _is_too_deep(self, statement: ast.AST, depth: int) -> bool:
        """Measure the statement's own expressions; the statements inside it are measured on their own."""
        if depth >= self.limit:
            return True
        if isinstance(statement, ast.stmt) and self._is_plain(statement, self.limit - depth):
            return False
        level: list[ast.AST] = [statement]
        while level and depth < self.limit:
            level = [child for node in level for child in ast.iter_child_nodes(node) if not _is_block_part(child)]
            depth += 1
        return bool(level)

    def _is_plain(self, statement: ast.stmt, room: int) -> bool:
        """Say whether the lines of the statement, or those before its block, have too few operators to fill the room."""
        block = getattr(statement, "body", None)
        last = block[0].lineno if block else statement.end_lineno or statement.lineno
        start, end = self.offsets[statement.lineno - 1], self.offsets[min(last, len(self.offsets) - 1)]
        if end - start < room:
            return True
        return _LEVELS * sum(self.text.count(mark, start, end) for mark in _NESTING) < room


def _lines(node: ast.AST) -> tuple[int, int]:
    if isinstance(node, ast.match_case):
        node = node.pattern
    first = getattr(node, "lineno", 1)
    return first, getattr(node, "end_lineno", None) or first


def _is_block_part(node: ast.AST) -> bool:
    return isinstance(node, (ast.stmt, ast.ExceptHandler, ast.match_case))
