"""Small mends of one Python statement that the running Python refuses.

Each mend keeps the lines; columns may move by a few characters, and a keyword that is used as an attribute (`cfg.global`) gets a
trailing underscore.
"""

from __future__ import annotations

import keyword
import re
from collections.abc import Iterator

from verifier.source.logical import BROKEN_STRINGS, TOKEN

_KEYWORDS = frozenset(keyword.kwlist) | {"print"}
_MAX_LENGTH = 10_000
_CLOSERS = {"(": ")", "[": "]", "{": "}"}
_REWRITES = (
    (r"^(\s*)print\s+(?![=(])(.*?),?$", r"\1print(\2)"),
    (r"^(\s*)print\s+(\(.*?),?$", r"\1print(\2)"),
    (r"^(\s*)print$", r"\1print()"),
    (r"^(\s*)exec\s+(?!\()(.*?)(?:\sin\s.*)?$", r"\1exec(\2)"),
    (r"^(\s*raise\s+[\w.]+)\s*,\s*(.*)$", r"\1(\2)"),
    (r"^(\s*except\s+(?:[\w.]+|\(.*\)))\s*,\s*(\w+)\s*:", r"\1 as \2:"),
    (r"^(\s*except\*?)\s+([\w.]+(?:\s*,\s*[\w.]+)+)\s*:", r"\1 (\2):"),
    (r"^(.*)\\$", r"\1"),
    (r"^(\s*\w+(?:\s*,\s*\w+)+)\s*:[\w.\[\], ]+=(?!=)", r"\1 ="),
    (r"\.(global|class|def|import|from|lambda|return|pass|assert|with|in|is|if|for)\b", r".\1_"),
    (r"^(\s*)type\s+(\w+)\s*(?:\[[^=]*\])?\s*=", r"\1\2 ="),
    (r"^(\s*(?:async\s+)?def\s+\w+|\s*class\s+\w+)\s*\[[^()]*\]", r"\1"),
    (r"^(\s*raise\s+[\w.]+)\(.*$", r"\1"),
)
_PATTERNS = tuple((re.compile(pattern, re.DOTALL), replacement) for pattern, replacement in _REWRITES)
_KEY = (re.compile(r'\["([^"\'\n]*)"\]'), re.compile(r"\['([^\"'\n]*)'\]"))


def mends(text: str) -> Iterator[str]:
    """Yield what the statement may have been meant as: Python 2, or syntax newer than the running Python, in today's words."""
    if len(text) > _MAX_LENGTH:
        return
    text = text.rstrip()
    for pattern, replacement in _PATTERNS:
        mended, count = pattern.subn(replacement, text)
        if count:
            yield mended
    for string in BROKEN_STRINGS:
        if string.search(text):
            yield string.sub(lambda match: match["quote"] * 2 + match[0] + match["quote"] * 2, text)
    if "<>" in text:
        yield text.replace("<>", "!=")
    if re.search(r"\b[rR]?[fF][rR]?[\"']", text):
        yield _KEY[0].sub(r"['\1']", text)
        yield _KEY[1].sub(r'["\1"]', text)


class _Bracket:
    """An open bracket: what it is, where it stands and where its last finished item ends."""

    def __init__(self, mark: str, at: int, before: str) -> None:
        self.mark = mark
        self.cut = at + 1
        self.finished = False
        word = re.search(r"\w+$", before)
        called = before[-1:] in ")]" if word is None else word[0] not in _KEYWORDS
        self.is_call = mark == "(" and bool(before) and called
        self.has_colon = False

    @property
    def keeps(self) -> bool:
        """Whether its finished items are worth something without the rest: those of a call or a dictionary are named."""
        return self.is_call or (self.mark == "{" and self.has_colon)


def close(text: str) -> str | None:
    """Close the brackets of a statement that was cut off, without its unfinished item.

    The items of calls and dictionaries are kept, those of lists and tuples are not: half a list is another list. What is missing
    is written as `**...`, so that nobody takes an argument that was cut off for one that was left out.

    Returns:
        The statement, None when nothing of it can be kept.
    """
    stack = _open_brackets(text)
    kept: list[_Bracket] = []
    for bracket in stack:
        if not bracket.keeps:
            break
        kept.append(bracket)
    if not kept or re.match(r"\s*(?:async\s+)?(?:def|class|with|if|elif|while|for|from|import)\b", text):
        return None
    closers = "".join(("" if bracket is kept[-1] else ", ") + "**..." + _CLOSERS[bracket.mark] for bracket in reversed(kept))
    comma = ", " if kept[-1].finished else ""
    return text[: kept[-1].cut] + comma + closers


def _open_brackets(text: str) -> list[_Bracket]:
    stack: list[_Bracket] = []
    for match in TOKEN.finditer(text):
        kind = match.lastgroup
        if kind == "open":
            stack.append(_Bracket(match[0], match.start(), text[max(0, match.start() - 40) : match.start()].rstrip()))
        elif kind == "close" and stack:
            stack.pop()
        elif kind == "other" and stack:
            top = stack[-1]
            top.has_colon = top.has_colon or ":" in match[0]
            if "," in match[0]:
                top.cut, top.finished = match.start() + match[0].rindex(","), True
    return stack
