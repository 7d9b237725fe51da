"""What a scope writes and looks up, by line, seen before it is walked."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from verifier.facts.scopes import dotted

if TYPE_CHECKING:
    from verifier.facts.scopes import Scope

_MUTATORS = frozenset({"append", "extend", "insert"})


class Survey:
    """A look at a scope as a whole.

    Args:
        scope: the scope.
    """

    def __init__(self, scope: Scope) -> None:
        self.scope = scope

    def written_in(self, loop: ast.For | ast.AsyncFor | ast.While) -> list[str]:
        """The names, attributes and keys that the body of a loop writes or changes in place, in source order."""
        first, last = loop.body[0].lineno, loop.end_lineno or loop.body[-1].lineno
        return list(dict.fromkeys(name for line, name in self._written if first <= line <= last))

    @cached_property
    def _written(self) -> list[tuple[int, str]]:
        found = [
            (getattr(write.node, "lineno", 0), write.name)
            for writes in (*self.scope.writes.values(), self.scope.stores)
            for write in writes
            if write.kind not in {"param", "import", "def", "class"}
        ]
        found += [(call.lineno, name) for call in self.scope.calls if (name := _changed(call)) is not None]
        found += _parts_written(self.scope.node)
        return sorted(found, key=lambda entry: entry[0])

    @cached_property
    def keys(self) -> dict[str, set[str]]:
        """Array or table -> the plain names by which this scope looks things up in it."""
        found: dict[str, set[str]] = {}
        for part in walk(self.scope.node):
            if isinstance(part, ast.Subscript) and isinstance(part.slice, ast.Name | ast.Attribute):
                base, key = dotted(part.value), dotted(part.slice)
                if base is not None and key is not None:
                    found.setdefault(base, set()).add(key)
        return found


def walk(tree: ast.AST) -> Iterator[ast.AST]:
    """Every node below a node, in no particular order; `ast.walk` without its overhead."""
    stack = [tree]
    while stack:
        part = stack.pop()
        yield part
        for value in part.__dict__.values():
            if type(value) is list:
                stack.extend([item for item in value if isinstance(item, ast.AST)])
            elif isinstance(value, ast.AST):
                stack.append(value)


def _changed(call: ast.Call) -> str | None:
    """What a method changes in place: a list that grows, a tensor."""
    if not isinstance(call.func, ast.Attribute):
        return None
    name = call.func.attr
    if name in _MUTATORS or (name[-1:] == "_" and name[-2:] != "__"):
        path = dotted(call.func.value)
        return path.removesuffix(".data") if path is not None else None
    return None


def _parts_written(tree: ast.AST) -> list[tuple[int, str]]:
    """Arrays and tables of which a statement writes a part."""
    found: list[tuple[int, str]] = []
    stack: list[ast.AST] = list(getattr(tree, "body", ())) if not isinstance(tree, ast.Lambda) else []
    while stack:
        part = stack.pop()
        if isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            continue
        if isinstance(part, ast.Assign | ast.AugAssign):
            for target in part.targets if isinstance(part, ast.Assign) else [part.target]:
                base = target
                while isinstance(base, ast.Subscript) and dotted(base) is None:
                    base = base.value
                path = dotted(base) if base is not target else None
                if path is not None:
                    found.append((part.lineno, path))
            continue
        for field in ("body", "orelse", "finalbody", "handlers", "cases"):
            stack.extend(getattr(part, field, ()))
    return found
