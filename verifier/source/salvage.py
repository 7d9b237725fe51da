"""Syntax trees from text that `ast` refuses: the largest pieces that it accepts, put together along their blocks."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from verifier.source.blocks import Block, group
from verifier.source.clauses import Clauses
from verifier.source.mend import close, mends
from verifier.source.strict import parse_piece

_PARTS = ("body", "handlers", "orelse", "finalbody")


class Salvager:
    """Builds statements from blocks and notes the lines of what it leaves out.

    Args:
        text: the text the blocks were made from.

    Attributes:
        broken: (first, last) line of each piece that is not, or not whole, in the statements.
        mended: line of each statement that was changed to be understood.
    """

    def __init__(self, text: str) -> None:
        self.clauses = Clauses(text.split("\n"))
        self.broken: list[tuple[int, int]] = []
        self.mended: list[int] = []

    def statements(self, blocks: Sequence[Block]) -> list[ast.stmt]:
        """Return the statements of one block."""
        found: list[ast.stmt] = []
        for statement in group(blocks):
            first, last = statement[0].line.first, statement[-1].last
            whole = parse_piece(self.clauses.text(first, last), first)
            if whole is not None:
                found += whole
            elif len(statement) > 1 or statement[0].opens:
                found += self._compound(statement)
            else:
                found += self._simple(statement[0])
        return found

    def _drop(self, first: int, last: int) -> None:
        self.broken.append((first, last))

    def _simple(self, block: Block) -> list[ast.stmt]:
        first, last = block.line.first, block.line.last
        text = self.clauses.text(first, last)
        for mended in mends(text):
            parsed = parse_piece(mended, first)
            if parsed is not None:
                self.mended.append(first)
                return parsed
        closed = close(text) if block.line.unclosed else None
        parsed = parse_piece(closed, first) if closed else None
        self._drop(min(first + closed.count("\n") + 1, last) if closed and parsed else first, last)
        return parsed or []

    def _body(self, block: Block) -> list[ast.stmt]:
        """Return the block of an `else`, `finally` or `try`."""
        return self.statements(block.children) if block.opens else self.clauses.rest(block) + self.statements(block.children)

    def _compound(self, statement: Sequence[Block]) -> list[ast.stmt]:
        """Build a statement from its clauses; when its first line or its block is lost, what else is in it takes its place."""
        count = sum(block.line.word == "@" for block in statement[:-1])
        head, clauses = statement[count], statement[count + 1 :]
        first = statement[0].line.first
        node = self.clauses.head(head, first)
        if node is None:
            self._drop(first, head.line.last)
            return [inner for block in statement[count:] for inner in self.statements(block.children)]
        if isinstance(node, ast.Match):
            return self._match(node, head)
        if isinstance(node, ast.Try):
            node.body = self._body(head)
            self._attach_to_try(node, clauses)
            if any(self.clauses.is_starred(block) for block in clauses):
                node = ast.copy_location(ast.TryStar(node.body, node.handlers, node.orelse, node.finalbody), node)
        elif head.opens:
            node.body = self.statements(head.children)  # type: ignore[attr-defined]
        if isinstance(node, (ast.If, ast.For, ast.AsyncFor, ast.While)):
            self._attach_else(node, clauses)
        return self._checked(node, first, head.line.last)

    def _checked(self, node: ast.stmt, first: int, last: int) -> list[ast.stmt]:
        """Return the node with its end set; what stands beside its block when that has become empty."""
        if not getattr(node, "body", None):
            self._drop(first, last)
            return [*getattr(node, "orelse", []), *getattr(node, "finalbody", [])]
        _set_end(node)
        return [node]

    def _match(self, node: ast.Match, head: Block) -> list[ast.stmt]:
        node.cases = []
        for block in head.children:
            case = self.clauses.case(block) if block.line.word == "case" else None
            if case is None:
                self._drop(block.line.first, block.last)
                continue
            case.body = self.statements(block.children) if block.opens else case.body
            if case.body:
                node.cases.append(case)
        if not node.cases:
            self._drop(head.line.first, head.line.last)
            return []
        node.end_lineno, node.end_col_offset = node.cases[-1].body[-1].end_lineno, node.cases[-1].body[-1].end_col_offset
        return [node]

    def _attach_to_try(self, node: ast.Try, clauses: Sequence[Block]) -> None:
        for block in clauses:
            if block.line.word == "except":
                handler, understood = self.clauses.handler(block)
                if not understood:
                    self._drop(block.line.first, block.line.last)
                if block.opens:
                    handler.body = self.statements(block.children)
                if handler.body:
                    _set_end(handler)
                    node.handlers.append(handler)
            elif block.line.word == "else":
                node.orelse = self._body(block)
            else:
                node.finalbody = self._body(block)

    def _attach_else(self, node: ast.If | ast.For | ast.AsyncFor | ast.While, clauses: Sequence[Block]) -> None:
        """Attach `elif` and `else`, from the last one back: each is the `orelse` of the one before."""
        orelse: list[ast.stmt] = []
        for block in reversed(clauses):
            branch = self.clauses.head(block, block.line.first) if block.line.word == "elif" else None
            if isinstance(branch, ast.If):
                branch.body = self.statements(block.children) if block.opens else branch.body
                branch.orelse = orelse
                orelse = self._checked(branch, block.line.first, block.line.last)
            else:
                if block.line.word == "elif":
                    self._drop(block.line.first, block.line.last)
                orelse = self._body(block) + orelse
        node.orelse = orelse


def _set_end(node: ast.stmt | ast.ExceptHandler) -> None:
    """Let a statement end where the last statement in it ends."""
    inner = [part for name in _PARTS for part in getattr(node, name, [])]
    last = max(inner, key=lambda part: (part.end_lineno, part.end_col_offset))
    node.end_lineno, node.end_col_offset = last.end_lineno, last.end_col_offset
