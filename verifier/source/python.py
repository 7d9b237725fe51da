"""Python files to syntax trees."""

from __future__ import annotations

import ast

from verifier.model.location import Problem
from verifier.model.repository import PythonFile
from verifier.source.comments import comments
from verifier.source.depth import prune
from verifier.source.limits import DEFAULT_LIMITS, Limits
from verifier.source.role import role_of
from verifier.source.strict import strict_parse
from verifier.source.text import decode


def read_python(path: str, data: bytes, limits: Limits = DEFAULT_LIMITS) -> tuple[PythonFile, list[Problem]]:
    """Parse a Python file, whatever its state.

    Args:
        path: relative to the repository, with `/`.
        data: the file's bytes.
        limits: bounds; here the depth of the tree.

    Returns:
        The file, its tree holding what could be parsed, and a problem for each thing that could not.

    Raises:
        SourceError: the bytes are binary.
    """
    text, remark = decode(data, cookie=True)
    problems = [Problem(path, 1, remark)] if remark else []
    tree, broken, faults = parse(text, limits)
    problems += [Problem(path, line, message) for line, message in faults]
    file = PythonFile(path, tree, text, role_of(path, text), comments(text), broken=broken)
    return file, problems


def parse(text: str, limits: Limits) -> tuple[ast.Module, tuple[tuple[int, int], ...], list[tuple[int, str]]]:
    """Parse text with the running Python, else tolerantly.

    Returns:
        The tree, the lines that are not in it as (first, last), and the faults as (line, message).
    """
    may_be_fenced = "\n```" in text or text.startswith("```")
    tree = None if may_be_fenced else strict_parse(text)
    broken: list[tuple[int, int]] = []
    faults: list[tuple[int, str]] = []
    if tree is None:
        from verifier.source.tolerant import tolerant_parse

        tree, broken, faults = tolerant_parse(text, refused=not may_be_fenced)
    for first, last in prune(tree, text, limits.tree_depth):
        broken.append((first, last))
        faults.append((first, f"statement left out: nested deeper than {limits.tree_depth}"))
    return tree, tuple(sorted(broken)), faults
