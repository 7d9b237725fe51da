"""Jupyter notebooks: their code cells as one Python file whose lines are those of the .ipynb file."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import replace

from verifier.errors import SourceError
from verifier.model.location import Problem
from verifier.model.repository import ConfigNode, PythonFile
from verifier.source.comments import comments
from verifier.source.config_json import JsonReader
from verifier.source.config_tree import TooLargeError
from verifier.source.limits import DEFAULT_LIMITS, Limits
from verifier.source.python import parse
from verifier.source.role import role_of
from verifier.source.strict import PLACED
from verifier.source.text import decode

_MAX_VALUES = 500_000
_MAGIC = re.compile(r"\s*(?:%{1,2}[A-Za-z]|[!?]|[\w.]+\?{1,2}\s*$|[\w., ]+=\s*[!%]\w)")
_FOREIGN = re.compile(r"\s*%%(?!time|timeit|capture|prun|debug)")


def read_notebook(path: str, data: bytes, limits: Limits = DEFAULT_LIMITS) -> tuple[PythonFile | None, list[Problem]]:
    """Read the code cells of a notebook as one Python file.

    Lines of IPython (`%magic`, `!shell`) and cells in other languages (`%%bash`) are empty in it. Where every line of code stands
    on its own line of the .ipynb file, the text has the lines of that file; in a notebook written on one line it has not, but the
    tree still says the line of the file.

    Returns:
        The file, None when there is no Python in it, and a problem for each thing that could not be read.

    Raises:
        SourceError: the bytes are binary, or no notebook.
    """
    text, remark = decode(data)
    reader = JsonReader(text, replace(limits, config_nodes=_MAX_VALUES))
    try:
        root = reader.read()
    except TooLargeError:
        raise SourceError(f"not read: a notebook of more than {_MAX_VALUES} values", path) from None
    problems = [Problem(path, 1, remark)] if remark else []
    if reader.fault:
        problems.append(Problem(path, reader.fault[0], f"malformed notebook: {reader.fault[1]}"))
    language = _language(root) if root else "python"
    if language != "python":
        return None, [*problems, Problem(path, 1, f"not read: a notebook in {language[:40]}")]
    cells = [list(_source(cell)) for cell in _code_cells(root)] if root else []
    return _assemble(path, cells, problems, limits)


def _assemble(
    path: str, cells: list[list[tuple[int, str]]], problems: list[Problem], limits: Limits
) -> tuple[PythonFile | None, list[Problem]]:
    sourced = [line for cell in cells for line in _without_magic(cell)]
    numbers = [number for number, _ in sourced]
    aligned = len(set(numbers)) == len(numbers)
    lines = [text for _, text in sourced]
    if aligned:
        by_number = dict(sourced)
        lines = [by_number.get(number, "") for number in range(1, max(numbers, default=0) + 1)]
        numbers = list(range(1, len(lines) + 1))
    text = "\n".join(lines)
    tree, broken, faults = parse(text, limits)
    if not aligned:
        _renumber(tree, numbers)
    problems += [Problem(path, numbers[line - 1] if numbers else 1, message) for line, message in faults]
    spans = [(number, cell[0][0], cell[-1][0]) for number, cell in enumerate(cells, 1) if cell]
    file = PythonFile(
        path,
        tree,
        text,
        role_of(path, text),
        tuple((numbers[line - 1], comment) for line, comment in comments(text)),
        tuple(spans),
        tuple((numbers[first - 1], numbers[last - 1]) for first, last in broken),
    )
    return file, problems


def _field(node: ConfigNode | None, *path: str) -> ConfigNode | None:
    for name in path:
        node = dict(node.fields or ()).get(name) if node else None
    return node


def _language(root: ConfigNode) -> str:
    for path in (("metadata", "kernelspec", "language"), ("metadata", "language_info", "name")):
        node = _field(root, *path)
        if node and isinstance(node.value, str):
            return "python" if node.value.lower().startswith(("python", "ipython")) else node.value
    return "python"


def _code_cells(root: ConfigNode) -> Iterator[ConfigNode]:
    sheets = _field(root, "worksheets")
    for sheet in (sheets.items if sheets else None) or (root,):
        cells = _field(sheet, "cells")
        for cell in (cells.items if cells else None) or ():
            kind = _field(cell, "cell_type")
            if kind and kind.value == "code":
                yield cell


def _source(cell: ConfigNode) -> Iterator[tuple[int, str]]:
    """Yield (line in the .ipynb file, line of code)."""
    source = _field(cell, "source") or _field(cell, "input")
    if source is None:
        return
    parts = source.items if source.items is not None else (source,)
    held = ""
    for part in parts:
        lines = (held + str(part.value or "")).split("\n")
        held = ""
        if lines[-1] == "":
            lines.pop()
        elif part is not parts[-1]:
            held = lines.pop()
        for line in lines:
            yield part.line, line
    if held:
        yield parts[-1].line, held


def _without_magic(cell: list[tuple[int, str]]) -> list[tuple[int, str]]:
    first = next((line for _, line in cell if line.strip()), "")
    foreign = _FOREIGN.match(first)
    return [(number, "" if foreign or _MAGIC.match(line) else line) for number, line in cell]


def _renumber(tree: ast.Module, numbers: list[int]) -> None:
    for node in ast.walk(tree):
        if isinstance(node, PLACED):
            node.lineno = numbers[node.lineno - 1]
            node.end_lineno = numbers[(node.end_lineno or 1) - 1]
