"""The nodes of syntax trees: walked once a file, for all that look for parents or for nodes of a kind."""

from __future__ import annotations

import ast
from collections.abc import Iterable


def walk(root: ast.AST) -> list[ast.AST]:
    """A node and all nodes below, level by level, as `ast.walk` gives them; faster, for it makes no generators."""
    found = [root]
    for node in found:
        for name in node._fields:
            value = getattr(node, name, None)
            if isinstance(value, list):
                found.extend([item for item in value if isinstance(item, ast.AST)])
            elif isinstance(value, ast.AST):
                found.append(value)
    return found


class Nodes:
    """The nodes of one file.

    Attributes:
        parents: id of a node -> the node around it.

    Args:
        tree: the file's syntax tree.
    """

    def __init__(self, tree: ast.AST) -> None:
        self.parents: dict[int, ast.AST] = {}
        self._kinds: dict[type[ast.AST], list[ast.AST]] = {}
        queue = [tree]
        for node in queue:
            self._kinds.setdefault(type(node), []).append(node)
            for name in node._fields:
                value = getattr(node, name, None)
                if isinstance(value, list):
                    inner = [item for item in value if isinstance(item, ast.AST)]
                elif isinstance(value, ast.AST) and not isinstance(value, ast.expr_context):
                    inner = [value]
                else:
                    continue
                queue.extend(inner)
                self.parents.update(dict.fromkeys(map(id, inner), node))

    def of(self, *kinds: type[ast.AST]) -> Iterable[ast.AST]:
        """The nodes of these kinds, one kind after the other."""
        for kind in kinds:
            yield from self._kinds.get(kind, ())
