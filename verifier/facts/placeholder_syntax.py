"""Shapes of statements that the search for placeholders tells apart."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from verifier.facts.nodes import Nodes
from verifier.facts.scopes import Scope, tail

_TELLING = frozenset({"print", "info", "warning", "warn", "debug", "error", "sleep", "log", "tqdm"})
_PLAIN = frozenset(
    "len str repr format range join round int float abs max min sum type get rand randn randint random uniform normal "
    "tensor zeros ones".split()
)
"""Calls that only put a message together, or make up what it tells."""


def parameters(scope: Scope) -> list[str]:
    """A function's parameters, without the receiver."""
    return [name for name, writes in scope.writes.items() if writes[0].kind == "param" and name != scope.receiver]


def class_bases(cls: Scope) -> list[ast.expr]:
    """The bases of a class, as written."""
    return cls.node.bases if isinstance(cls.node, ast.ClassDef) else []


def without_docstring(body: list[ast.stmt]) -> list[ast.stmt]:
    """A body's statements after its docstring."""
    first = body[0] if body else None
    if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str):
        return body[1:]
    return body


def own_statements(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """All statements of a body at any depth, in order, without those of nested functions and classes."""
    stack = list(reversed(body))
    while stack:
        node = stack.pop()
        yield node
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            continue
        for child in reversed(list(ast.iter_child_nodes(node))):
            if isinstance(child, ast.stmt):
                stack.append(child)
            elif isinstance(child, ast.ExceptHandler | ast.match_case):
                stack.extend(reversed(child.body))


def is_ellipsis(node: ast.stmt) -> bool:
    """Whether a statement is `...`."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and node.value.value is ...


def is_idle(node: ast.stmt) -> bool:
    """Whether a statement does nothing but speak."""
    if isinstance(node, ast.Pass | ast.Import | ast.ImportFrom | ast.Global) or is_ellipsis(node):
        return True
    if isinstance(node, ast.For | ast.While | ast.If | ast.With):
        return all(is_idle(part) for part in (*node.body, *getattr(node, "orelse", ())))
    if isinstance(node, ast.Expr):
        value = node.value
        if isinstance(value, ast.Constant):
            return True
        return isinstance(value, ast.Call) and tail(value.func) in _TELLING and not _reports(value)
    return False


def _reports(call: ast.Call) -> bool:
    """Whether what is logged is computed there by a method or function of the code: `self.log("val", self.metric(batch))`."""
    if tail(call.func) != "log":
        return False
    given = [*call.args, *(keyword.value for keyword in call.keywords)]
    return any(isinstance(part, ast.Call) and tail(part.func) not in _PLAIN for value in given for part in ast.walk(value))


def is_empty(value: ast.expr | None) -> bool:
    """Whether a returned value is an empty answer: nothing, None, `{}`, `[]`, `""`."""
    match value:
        case None | ast.Constant(value=None) | ast.Constant(value=""):
            return True
        case ast.Dict():
            return not value.keys
        case ast.List() | ast.Tuple():
            return not value.elts
    return False


def is_not_implemented(node: ast.Raise) -> bool:
    """Whether it raises NotImplementedError."""
    return node.exc is not None and tail(node.exc) in {"NotImplementedError", "NotImplemented"}


def yields(node: ast.stmt) -> bool:
    """Whether a statement makes its function a generator."""
    return isinstance(node, ast.Expr | ast.Assign) and isinstance(node.value, ast.Yield | ast.YieldFrom)


def works(function: Scope) -> bool:
    """Whether a function's body does anything."""
    node = function.node
    if isinstance(node, ast.Lambda | ast.Module | ast.ClassDef):
        return True
    body = without_docstring(node.body)
    idle = all(
        is_idle(part) or (isinstance(part, ast.Return) and (is_empty(part.value) or isinstance(part.value, ast.Constant)))
        for part in body
    )
    return not idle and not any(isinstance(part, ast.Raise) and is_not_implemented(part) for part in body[-1:])


def parents(root: ast.AST) -> dict[int, ast.AST]:
    """Id of each node below -> its parent."""
    return Nodes(root).parents


def only_shapes(load: ast.Name, table: dict[int, ast.AST]) -> bool:
    """Whether a name is only read for the size of something random or filled: `torch.randn(x.size(0), n)`, `x[0].shape`."""
    current: ast.AST = load
    for _ in range(4):
        parent = table.get(id(current))
        if isinstance(parent, ast.Attribute) and parent.attr in {"shape", "size", "device", "dtype", "ndim"}:
            return True
        if not isinstance(parent, ast.Subscript | ast.Attribute):
            return False
        current = parent
    return False


def short(text: str) -> str:
    """A comment cut to fit a message."""
    text = " ".join(text.split())
    return text if len(text) <= 60 else f"{text[:57]}..."
