"""Python text with Markdown or merge markers around it: the lines that are not code become empty."""

from __future__ import annotations

import ast
import re

from verifier.source.logical import TOKEN
from verifier.source.strict import strict_parse

_FENCE = re.compile(r"[ ]{0,3}(?:```|~~~)\s*([\w+-]*)[^`]*$")
_CODE = frozenset({"", "python", "py", "python3", "python2", "ipython", "code", "tool_code"})
_CODE_LINE = re.compile(r"(?:import|from|def|class)\s+\w|@\w")


def code_only(text: str) -> str:
    """Return the text with the same lines, empty where they are Markdown around the code, or a merge marker and its second side."""
    lines = text.split("\n")
    if "```" in text or "~~~" in text:
        _keep_fenced(lines, _fences(text, lines))
    if "<<<<<<<" in text:
        _keep_first_side(lines)
    return "\n".join(lines)


def _fences(text: str, lines: list[str]) -> list[tuple[int, str]]:
    """Return (index of the line, language) of each fence that does not stand in a string."""
    inside: set[int] = set()
    number = counted = 0
    for match in TOKEN.finditer(text):
        if match.lastgroup == "string" and "\n" in match[0]:
            number += text.count("\n", counted, match.start())
            counted = match.start()
            inside.update(range(number + 1, number + match[0].count("\n") + 1))
    matches = ((index, _FENCE.match(line)) for index, line in enumerate(lines) if index not in inside)
    return [(index, match[1].lower()) for index, match in matches if match]


def _keep_fenced(lines: list[str], fences: list[tuple[int, str]]) -> None:
    """Empty the fences and what does not stand between them as code."""
    if not fences:
        return
    begin, state = 0, _state_before(lines[: fences[0][0]], fences[0][1])
    for index, language in [*fences, (len(lines), "")]:
        if state != "code":
            lines[begin:index] = [""] * (index - begin)
        if state == "prose" or language:
            state = "code" if language in _CODE else "other"
        else:
            state = "prose"
        begin = index
        if index < len(lines):
            lines[index] = ""


def _state_before(before: list[str], language: str) -> str:
    """Tell whether the lines before the first fence are code, of which the fence is the end, or prose."""
    tree = strict_parse("\n".join(before))
    if tree is not None and any(not isinstance(statement, ast.Expr) for statement in tree.body):
        return "code"
    return "code" if not language and any(_CODE_LINE.match(line) for line in before) else "prose"


def _keep_first_side(lines: list[str]) -> None:
    """Empty the merge markers and what stands between `=======` and `>>>>>>>`."""
    side = 0
    for index, line in enumerate(lines):
        marker = line[:7]
        if marker == "<<<<<<<":
            side = 1
        elif side and marker in ("=======", "|||||||"):
            side = 2
        elif not side:
            continue
        elif marker == ">>>>>>>":
            side = 0
        elif side == 1:
            continue
        lines[index] = ""
