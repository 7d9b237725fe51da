"""Logical lines of Python text, also of text that no parser accepts.

A logical line ends where brackets and strings are closed, as in the language reference. Where a bracket is never closed it ends
before the first line that could not stand inside brackets, so that one slip does not swallow the rest of the file.
"""

from __future__ import annotations

import re
from typing import NamedTuple

_BROKEN_LINES = r"(?:\n[^{q}\\\n]*(?:\\.[^{q}\\\n]*)*){{1,8}}{q}(?=[ \t]*(?:[)\],}}]|\n|\Z))"


def _one_line(quote: str) -> str:
    """Return the pattern of a string in single quotes: whole, or broken by line ends that were meant as escapes, or cut off."""
    body = rf"{quote}[^{quote}\\\n]*(?:\\.[^{quote}\\\n]*)*"
    return rf"{body}(?:{quote}|{_BROKEN_LINES.format(q=quote)}|)"


BROKEN_STRINGS = tuple(
    re.compile(rf"(?P<quote>{quote})(?P<body>[^{quote}\\\n]*(?:\\.[^{quote}\\\n]*)*){_BROKEN_LINES.format(q=quote)}")
    for quote in "\"'"
)
STRING = (
    r'"""[^"\\]*(?:(?:\\.|"(?!""))[^"\\]*)*(?:"""|\Z)'
    r"|'''[^'\\]*(?:(?:\\.|'(?!''))[^'\\]*)*(?:'''|\Z)"
    rf"|{_one_line(chr(34))}|{_one_line(chr(39))}"
)
TOKEN = re.compile(
    rf"(?P<string>{STRING})|(?P<comment>\#[^\n]*)|(?P<join>\\\n)|(?P<newline>\n)|(?P<open>[(\[{{])|(?P<close>[)\]}}])"
    r"|(?P<other>[^\s\"'\#()\[\]{}\\]+|\\)",
    re.DOTALL,
)
_STATEMENT = re.compile(
    r"\s*(?:(?:def|class|return|import|raise|assert|del|global|nonlocal|while|with|elif|except|async\s+def)\s"
    r"|(?:pass|break|continue|return|raise)\s*$|from\s+[\w.]+\s+import\b|(?:try|finally|else|except)\s*:)"
)
_BRANCH = re.compile(r"\s*(?:if|for)\s.*:\s*$")
_OPERAND = re.compile(r"\s*(?!(?:for|if|else|and|or|not|in|is|async|await|lambda|as|from)\b)[A-Za-z_]\w*(?![\w\"'])")
_CONNECTIVE = re.compile(r"(?:^|\W)(?:and|or|not|in|is|if|else|for|lambda|await|yield|from|async|as|import|return|del|assert)$")


class Line(NamedTuple):
    """A logical line.

    Attributes:
        first: its first line in the text, from 1. last: its last one.
        indent: columns of its indentation, tabs going to the next multiple of 8.
        word: its first word.
        opens: whether it ends with the colon that opens a block.
        unclosed: whether a bracket in it is never closed.
        colon: whether a colon stands outside its brackets.
    """

    first: int
    last: int
    indent: int
    word: str
    opens: bool
    unclosed: bool
    colon: bool


class _Scanner:
    """One pass over a text."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.lines: list[Line] = []
        self.number = 1
        self.depth = 0
        self.colon = False
        self.first = 0
        self.last = 0
        self.start = 0
        self.end = 0

    def scan(self) -> list[Line]:
        for match in TOKEN.finditer(self.text):
            kind = match.lastgroup
            if kind == "newline":
                if self.first and (not self.depth or self._cannot_go_on(match.end())):
                    self._finish()
                self.number += 1
            elif kind == "join":
                if self.first and _STATEMENT.match(self._line_at(match.end())):
                    self._finish()
                self.number += 1
            elif kind != "comment":
                self._take(match, kind)
        if self.first:
            self._finish()
        return self.lines

    def _take(self, match: re.Match[str], kind: str | None) -> None:
        if not self.first:
            self.first = self.number
            self.start = match.start()
        self.number += match[0].count("\n") if kind == "string" else 0
        self.colon = self.colon or (kind == "other" and not self.depth and ":" in match[0])
        self.last = self.number
        self.end = match.end()
        if kind == "open":
            self.depth += 1
        elif kind == "close" and self.depth:
            self.depth -= 1

    def _cannot_go_on(self, offset: int) -> bool:
        """Say whether the physical line at the offset cannot stand inside the brackets that are open."""
        following = self._line_at(offset)
        if _STATEMENT.match(following):
            return True
        if _BRANCH.match(following) and _is_balanced(following):
            return True
        before = self.text[max(self.start, self.end - 12) : self.end]
        is_operand = before[-1].isalnum() or before[-1] in "_\"')]}"
        return is_operand and bool(_OPERAND.match(following)) and not _CONNECTIVE.search(before)

    def _line_at(self, offset: int) -> str:
        end = self.text.find("\n", offset)
        return self.text[offset : end if end >= 0 else len(self.text)]

    def _finish(self) -> None:
        begin = self.text.rfind("\n", 0, self.start) + 1
        indent = len(self.text[begin : self.start].rpartition("\f")[2].expandtabs(8))
        word = re.match(r"@|\w*", self.text[self.start : self.start + 40])
        opens = self.text[self.end - 1] == ":" and not self.depth
        self.lines.append(Line(self.first, self.last, indent, word[0] if word else "", opens, self.depth > 0, self.colon))
        self.first = self.depth = 0
        self.colon = False


def _is_balanced(line: str) -> bool:
    return all(line.count(closing) <= line.count(opening) for opening, closing in ("()", "[]", "{}"))


def logical_lines(text: str) -> list[Line]:
    """Split a text into its logical lines; blank lines and comments belong to none."""
    return _Scanner(text).scan()
