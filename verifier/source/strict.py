"""Parsing with the running Python, and nothing but a tree or None."""

from __future__ import annotations

import ast
import warnings

PLACED = (ast.stmt, ast.expr, ast.ExceptHandler, ast.arg, ast.keyword, ast.alias, ast.pattern)
_LINES_A_CHARACTER = 4  # up to here it is faster to parse empty lines before a text than to move its nodes


def strict_parse(text: str) -> ast.Module | None:
    """Return the tree that `ast` gives, None when it refuses the text or gives up on its depth."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return ast.parse(text)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return None


def parse_piece(text: str, first: int, before: str = "") -> list[ast.stmt] | None:
    """Parse whole lines of a file, indented or not, with their places in the file.

    Args:
        text: the lines.
        first: the number of the first one in the file.
        before: lines that are no part of the file and come before the text, ending with a line end.

    Returns:
        The statements, those of `before` among them; None when `ast` refuses them.
    """
    prefix = "if 1:\n" if (before or text)[:1] in (" ", "\t", "\f") else ""
    shift = first - 1 - prefix.count("\n") - before.count("\n")
    if 0 < shift < _LINES_A_CHARACTER * len(text):
        before, shift = "\n" * shift + prefix + before, 0
    else:
        before = prefix + before
    tree = strict_parse(before + text)
    if tree is None:
        return None
    body = tree.body
    if prefix and body and isinstance(body[0], ast.If):
        body = body[0].body
    if shift:
        for statement in body:
            _move(statement, shift)
    return body


def _move(statement: ast.stmt, shift: int) -> None:
    for node in ast.walk(statement):
        if isinstance(node, PLACED):
            node.lineno += shift
            if node.end_lineno is not None:
                node.end_lineno += shift
