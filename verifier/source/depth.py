"""Bound the depth of a syntax tree, so that recursive readers of it are safe."""

from __future__ import annotations

import ast

_BLOCKS = ("body", "orelse", "finalbody", "handlers", "cases")


def prune(tree: ast.Module, limit: int) -> list[tuple[int, int]]:
    """Drop, in place, the statements that nest deeper than `limit`; return their lines as (first, last).

    Only statements whose text is longer than `limit` characters are looked into: a shorter one cannot nest that deep.
    """
    dropped: list[tuple[int, int]] = []
    pending: list[tuple[ast.AST, int]] = [(tree, 0)]
    while pending:
        owner, depth = pending.pop()
        for name in _BLOCKS:
            block = getattr(owner, name, None)
            if not isinstance(block, list):
                continue
            kept = [part for part in block if not _too_deep(part, depth + 1, limit)]
            if len(kept) < len(block):
                dropped += [_lines(part) for part in block if part not in kept]
                setattr(owner, name, kept)
            pending += [(part, depth + 1) for part in kept]
    return sorted(dropped)


def _lines(node: ast.AST) -> tuple[int, int]:
    if isinstance(node, ast.match_case):
        node = node.pattern
    first = getattr(node, "lineno", 1)
    return first, getattr(node, "end_lineno", None) or first


def _too_deep(statement: ast.AST, depth: int, limit: int) -> bool:
    """Measure the statement's own expressions; the statements inside it are measured on their own."""
    if depth >= limit:
        return True
    if isinstance(statement, ast.stmt) and _is_short(statement, limit - depth):
        return False
    level: list[ast.AST] = [statement]
    while level and depth < limit:
        level = [child for node in level for child in ast.iter_child_nodes(node) if not _is_block_part(child)]
        depth += 1
    return bool(level)


def _is_block_part(node: ast.AST) -> bool:
    return isinstance(node, (ast.stmt, ast.ExceptHandler, ast.match_case))


def _is_short(statement: ast.stmt, room: int) -> bool:
    return statement.end_lineno == statement.lineno and (statement.end_col_offset or 0) - statement.col_offset < room
