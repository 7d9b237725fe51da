"""The first lines of compound statements, parsed without their blocks."""

from __future__ import annotations

import ast
import re

from verifier.source.blocks import Block
from verifier.source.mend import mends
from verifier.source.strict import parse_piece

_DEFINITION = re.compile(r"\s*(?:async\s+)?(def|class)\s+(\w+)")
_STARRED = re.compile(r"\s*except\s*\*")
_KEYWORD = re.compile(r"(else|finally|try)\b")


class Clauses:
    """Parses first lines of the statements of one file.

    Args:
        lines: the lines of the file.
    """

    def __init__(self, lines: list[str]) -> None:
        self.lines = lines

    def text(self, first: int, last: int) -> str:
        """Return the lines from first to last, both from 1 and included."""
        return "\n".join(self.lines[first - 1 : last])

    def blank(self, block: Block) -> str:
        """Return the blanks before the first word."""
        line = self.lines[block.line.first - 1]
        return line[: len(line) - len(line.lstrip())]

    def head(self, block: Block, first: int) -> ast.stmt | None:
        """Parse the line that starts a statement, its decorators starting at line `first`.

        Its body is `pass` where a block follows.
        """
        if block.line.word == "try":
            return ast.Try(body=[], handlers=[], orelse=[], finalbody=[], **self._place(block))
        text = self.text(first, block.line.last)
        if block.line.word == "elif":
            text = text.replace("elif", "if  ", 1)
        suite = "case _:\n" + self.blank(block) + "  pass" if block.line.word == "match" else "pass"
        return self._first(text, suite, block, first) or self._bare_definition(block)

    def _first(self, text: str, suite: str, block: Block, first: int, before: str = "") -> ast.stmt | None:
        """Parse the text, mended if need be, with a suite where it opens a block."""
        end = f"\n{self.blank(block)} {suite}" if block.opens else ""
        if block.opens and not block.line.opens:
            end = f":{end}"
        for candidate in (text, *mends(text)):
            parsed = parse_piece(candidate + end, first, before)
            if parsed:
                return parsed[0]
        return None

    def _bare_definition(self, block: Block) -> ast.stmt | None:
        """Keep the name of a function or class of which no more can be understood."""
        line = block.line
        match = _DEFINITION.match(self.lines[line.first - 1])
        if match is None or not block.opens:
            return None
        signature = "(*_, **__)" if match[1] == "def" else ""
        parsed = parse_piece(f"{self.blank(block)}{match[1]} {match[2]}{signature}:\n{self.blank(block)} pass", line.first)
        return parsed[0] if parsed else None

    def handler(self, block: Block) -> tuple[ast.ExceptHandler, bool]:
        """Parse an `except` line; returns the handler and whether it was understood."""
        blank = self.blank(block)
        text = self.text(block.line.first, block.line.last)
        parsed = self._first(text, "pass", block, block.line.first, f"{blank}try:\n{blank} pass\n")
        if isinstance(parsed, (ast.Try, ast.TryStar)) and parsed.handlers:
            return parsed.handlers[0], True
        return ast.ExceptHandler(type=None, name=None, body=[], **self._place(block)), False

    def _place(self, block: Block) -> dict[str, int]:
        first, last, column = block.line.first, block.line.last, len(self.blank(block))
        return {"lineno": first, "col_offset": column, "end_lineno": last, "end_col_offset": column + len(block.line.word)}

    def is_starred(self, block: Block) -> bool:
        """Say whether a line is `except*`."""
        return _STARRED.match(self.lines[block.line.first - 1]) is not None

    def case(self, block: Block) -> ast.match_case | None:
        """Parse a `case` line."""
        text = self.text(block.line.first, block.line.last)
        parsed = self._first(text, "pass", block, block.line.first, "match 0:\n")
        return parsed.cases[0] if isinstance(parsed, ast.Match) else None

    def rest(self, block: Block) -> list[ast.stmt]:
        """Parse what follows `else:`, `finally:` or `try:` on the same line."""
        text = self.text(block.line.first, block.line.last)
        text = _KEYWORD.sub(lambda match: "try".ljust(len(match[0])), text, count=1)
        parsed = parse_piece(f"{text}\n{self.blank(block)}finally: pass", block.line.first)
        return parsed[0].body if parsed and isinstance(parsed[0], ast.Try) else []
