"""Python text that `ast` refuses: cut off, fenced as Markdown, Python 2, newer than the running Python, or simply wrong.

What is not code is left out first; then every statement that the running Python accepts is kept, in the block it stands in. The
unit of loss is one logical line. Of a call or a dictionary that is cut off the finished items are kept (see `mend.close`), of a
function or class whose first line is wrong the name; a definition without a body, an empty branch and half a list are dropped.
For text that `ast` accepts the result is the tree that `ast` gives.
"""

from __future__ import annotations

import ast
import re

from verifier.source.blocks import nest
from verifier.source.logical import logical_lines
from verifier.source.markdown import code_only
from verifier.source.salvage import Salvager
from verifier.source.strict import strict_parse

_FENCED = frozenset({"", "python", "py", "python3", "python2", "ipython", "code", "tool_code"})
_CODE_LINE = re.compile(r"(?:import|from|def|class)\s+\w|@\w")
Spans = list[tuple[int, int]]


def tolerant_parse(text: str, *, refused: bool = True) -> tuple[ast.Module, Spans, list[tuple[int, str]]]:
    r"""Parse what can be parsed.

    Args:
        text: Python text in any state, lines ending in `\n`.
        refused: whether `ast` is known to refuse the text as it is.

    Returns:
        The tree, with the places of the text; the lines that are not in it, as (first, last); and the faults as (line, message).
    """
    code = code_only(text, _FENCED, _is_code)
    faults: list[tuple[int, str]] = []
    spans = _emptied(text, code)
    if spans:
        faults.append((spans[0][0], f"{_count(spans)} lines that are not code left out (Markdown or merge markers)"))
    tree = None if refused and not spans else strict_parse(code)
    if tree is None:
        salvager = Salvager(code)
        tree = ast.Module(body=salvager.statements(nest(logical_lines(code))), type_ignores=[])
        broken = _merge(salvager.broken)
        if broken:
            faults.append((broken[0][0], f"syntax error: {_count(broken)} lines not understood ({_said(broken)})"))
        elif not salvager.mended:
            faults.append((1, "syntax error: read statement by statement, nothing left out"))
        if salvager.mended:
            faults.append(
                (salvager.mended[0], "syntax error: what was meant is guessed (another version of Python, or a slip of the pen)")
            )
        spans = _merge(spans + broken)
    return tree, spans, faults


def _emptied(text: str, code: str) -> Spans:
    if text == code:
        return []
    pairs = zip(text.split("\n"), code.split("\n"), strict=True)
    return _merge([(number, number) for number, (old, new) in enumerate(pairs, 1) if old != new])


def _merge(spans: Spans) -> Spans:
    merged: Spans = []
    for first, last in sorted(spans):
        if merged and first <= merged[-1][1] + 1:
            merged[-1] = (merged[-1][0], max(last, merged[-1][1]))
        else:
            merged.append((first, last))
    return merged


def _count(spans: Spans) -> int:
    return sum(last - first + 1 for first, last in spans)


def _said(spans: Spans) -> str:
    shown = [f"{first}-{last}" if last > first else str(first) for first, last in spans[:4]]
    return ", ".join(shown) + (", ..." if len(spans) > 4 else "")


def _is_code(lines: list[str]) -> bool:
    tree = strict_parse("\n".join(lines))
    if tree is not None:
        return any(not isinstance(statement, ast.Expr) for statement in tree.body)
    return any(_CODE_LINE.match(line) for line in lines)
