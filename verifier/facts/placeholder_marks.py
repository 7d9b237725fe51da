"""What comments, docstrings and messages say of the code they stand at: that it is a placeholder, or that it does nothing on purpose."""

from __future__ import annotations

import ast
import re

from verifier.facts.placeholder_syntax import own_statements, parameters, short, without_docstring
from verifier.facts.scopes import Scope
from verifier.lexicon.marks import Mark, PlaceholderMarks

_Function = ast.FunctionDef | ast.AsyncFunctionDef

ADMITS = frozenset({"placeholder", "not implemented"})
"""Marks that are enough beside what a function returns, whatever that is."""
_SAYS = re.compile(
    r"place.?holder|stub|dummy|mock|fake|todo|fixme|xxx|tb[di]\b|to be done|implement|simpl|for now|tempor|hack|hard.?cod|real|pract|"
    r"replac|return|assum|pretend|simulat|stand.?in|made.?up|synthetic|skeleton|scaffold|filler|crude|rough|naive|illustrat|demonstrat|toy|ported|yet",
    re.IGNORECASE,
)
_ADMISSION = re.compile(
    r"(?:placeholder|dummy|mock|stub|fake) (?:implementation|function|version|logic|computation|code)|"
    r"this is (?:just |only )?an? (?:very )?(?:simple |simplified )?(?:placeholder|stub|mock|dummy)",
    re.IGNORECASE,
)
_SELF = re.compile(r"(?:a |an |this is a )?(?:placeholder|stub|dummy|mock)|[^\n.]*\.\s+placeholder\b", re.IGNORECASE)
_SIMULATES = re.compile(r"\W*(?:simulat(?:e|es|ed|ing)\b|returns? (?:a )?random\b)", re.IGNORECASE)
_ON_PURPOSE = re.compile(
    r"no-?op\b|\b(?:does|do|doing) nothing|nothing to do|requires? no|needs? no|not (?:needed|required)", re.IGNORECASE
)
_REASON = re.compile(
    r"\b(?:no|not needed|not required|already|nothing|none|handled|unnecessary|n/a|no-?op|optional)\b", re.IGNORECASE
)
_FIRST_WORDS = 6
_SMALL = 8
"""Statements of a function about which a comment inside may speak as a whole."""


class Remarks:
    """Marks in the comments and docstrings of a program.

    Args:
        marks: words that mark placeholders.
    """

    def __init__(self, marks: PlaceholderMarks) -> None:
        self.marks = marks
        self._comments: dict[str, dict[int, str]] = {}

    def comments(self, scope: Scope) -> dict[int, str]:
        """Line -> comment of the scope's file."""
        file = scope.file
        if file.path not in self._comments:
            self._comments[file.path] = dict(file.comments)
        return self._comments[file.path]

    def on_line(self, line: int, scope: Scope) -> tuple[Mark, str] | None:
        """The mark that the comment of a line bears, and the comment."""
        text = self.comments(scope).get(line, "")
        if not text:
            return None
        if _SIMULATES.match(text):
            return Mark("simulated", text.split()[0], False), text
        mark = self.marks.in_comment(text) if _SAYS.search(text) else None
        return (mark, text) if mark is not None else None

    def at(self, node: ast.stmt | ast.expr, scope: Scope) -> tuple[Mark, str] | None:
        """The mark of a statement: on its line, or at the start of a comment alone on the line above."""
        own = self.on_line(node.lineno, scope) or self.on_line(getattr(node, "end_lineno", 0) or 0, scope)
        if own is not None or not self._alone(node.lineno - 1, scope):
            return own
        above = self.on_line(node.lineno - 1, scope)
        if above is None or above[0].name == "simulated":
            return above
        start = " ".join(above[1].split()[:_FIRST_WORDS])
        return above if self.marks.in_comment(start) is not None else None

    def inside(self, node: _Function, scope: Scope) -> tuple[Mark, str] | None:
        """The first mark in a function's comments, docstring or messages."""
        lines = range(node.lineno, (node.end_lineno or node.lineno) + 1)
        found = next((mark for line in lines if (mark := self.on_line(line, scope)) is not None), None)
        return found or self._in_docstring(node, scope) or self._in_messages(node, scope)

    def _in_docstring(self, node: _Function, scope: Scope) -> tuple[Mark, str] | None:
        docstring = ast.get_docstring(node) or ""
        mark = self.marks.in_comment(docstring) if _SAYS.search(docstring) else None
        if mark is None and _SELF.match(docstring.strip()):
            mark = Mark("placeholder", "placeholder", True)
        counts = mark is not None and (mark.sure or parameters(scope) or _SIMULATES.match(docstring))
        return (mark, mark.words) if mark is not None and counts else None

    def _in_messages(self, node: _Function, scope: Scope) -> tuple[Mark, str] | None:
        docstring = ast.get_docstring(node, clean=False)
        for string in scope.strings:
            text = str(string.value)
            mark = self.marks.in_message(text) if text != docstring and _SAYS.search(text) else None
            if mark is not None:
                return mark, text
        return None

    def admission(self, node: _Function, scope: Scope) -> str:
        """What a function says of itself, when it says that it is a placeholder; empty when it does not."""
        docstring = (ast.get_docstring(node) or "").strip()
        first = docstring.split("\n")[0]
        if _SELF.match(docstring) or _ADMISSION.search(first):
            return first
        body = without_docstring(node.body)
        small = sum(1 for _ in own_statements(body)) <= _SMALL
        last = (node.end_lineno or node.lineno) if small or not body else body[0].lineno
        found = (self.on_line(line, scope) for line in range(node.lineno, last + 1))
        return next((mark[1] for mark in found if mark is not None and _ADMISSION.search(mark[1])), "")

    def on_purpose(self, node: _Function, scope: Scope) -> bool:
        """Whether a docstring or comment says that a function is to do nothing."""
        if _ON_PURPOSE.search(ast.get_docstring(node) or ""):
            return True
        lines = range(node.body[-1].lineno, (node.end_lineno or node.lineno) + 1)
        return any(_REASON.search(self.comments(scope).get(line, "")) for line in lines)

    def _alone(self, line: int, scope: Scope) -> bool:
        if line not in self.comments(scope):
            return False
        lines = scope.file.text.split("\n")
        return 0 < line <= len(lines) and lines[line - 1].lstrip().startswith("#")


def because(mark: tuple[Mark, str] | None) -> str:
    """The comment that shows a placeholder, in brackets, for messages."""
    return f" ({short(mark[1])})" if mark is not None else ""
