"""Code with Markdown or merge markers around it: the lines that are not code become empty."""

from __future__ import annotations

import re
from collections.abc import Callable

from verifier.source.logical import TOKEN

_FENCE = re.compile(r"[ ]{0,3}(?:```|~~~)\s*([\w+-]*)[^`]*$")


def code_only(text: str, languages: frozenset[str], is_code: Callable[[list[str]], bool]) -> str:
    """Empty the lines that are no code: Markdown around it, and merge markers with their second side.

    Args:
        text: the file.
        languages: the words behind a fence that mark the wanted code.
        is_code: tells whether the lines before a first fence are code, so that the fence ends it, or prose.

    Returns:
        The text with the same number of lines.
    """
    lines = text.split("\n")
    fences = _fences(text, lines) if "```" in text or "~~~" in text else []
    if fences:
        start = "code" if is_code(lines[: fences[0][0]]) else "prose"
        _keep_fenced(lines, fences, languages, start)
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


def _keep_fenced(lines: list[str], fences: list[tuple[int, str]], languages: frozenset[str], state: str) -> None:
    """Empty the fences and what does not stand between them as code."""
    begin = 0
    for index, language in [*fences, (len(lines), "")]:
        if state != "code":
            lines[begin:index] = [""] * (index - begin)
        state = ("code" if language in languages else "other") if state == "prose" or language else "prose"
        begin = index
        if index < len(lines):
            lines[index] = ""


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
