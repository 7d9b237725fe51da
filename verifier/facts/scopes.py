"""Scopes: modules, classes and functions, with every name they write, read and call.

One iterative walk a file; nothing is resolved here. Python's own scoping rules (Language Reference, section 4.2) apply, except that
comprehension variables count as names of the scope around them.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal

from verifier.model.location import Location
from verifier.model.repository import PythonFile

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
ScopeNode = ast.Module | ast.ClassDef | FunctionNode

WriteKind = Literal["assign", "augment", "import", "def", "class", "param", "loop", "with", "other"]


@dataclass(eq=False, slots=True)
class Scope:
    """A module, class, function or lambda.

    Attributes:
        qualified: `package.module:Class.method`.
        writes: plain name -> its writes in this scope, in source order.
        stores: writes to attributes and constant keys (`self.x`, `cfg["lr"]`) made by this scope's code.
        calls: every call made by this scope's own code (not by nested functions; class bodies count as their own).
        loads: plain names read. attributes: attribute names read. keys: string keys read by subscript or `.get`.
        children: nested scopes by node identity.
    """

    node: ScopeNode
    name: str
    qualified: str
    parent: Scope | None
    file: PythonFile
    module: Scope = field(init=False)
    writes: dict[str, list[Write]] = field(default_factory=dict)
    stores: list[Write] = field(default_factory=list)
    calls: list[ast.Call] = field(default_factory=list)
    loads: list[ast.Name] = field(default_factory=list)
    attributes: list[ast.Attribute] = field(default_factory=list)
    keys: list[tuple[str, ast.expr]] = field(default_factory=list)
    strings: list[ast.Constant] = field(default_factory=list)
    children: list[Scope] = field(default_factory=list)
    globals: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.module = self.parent.module if self.parent else self

    @property
    def is_class(self) -> bool:
        """Whether it is a class body."""
        return isinstance(self.node, ast.ClassDef)

    @property
    def is_function(self) -> bool:
        """Whether it is a function, method or lambda."""
        return isinstance(self.node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)

    @property
    def is_module(self) -> bool:
        """Whether it is a module."""
        return self.parent is None

    @property
    def is_method(self) -> bool:
        """Whether it is a function defined directly in a class body."""
        return self.is_function and self.parent is not None and self.parent.is_class

    @property
    def names(self) -> tuple[str, ...]:
        """Raw names on the way here: file path parts, then classes and functions."""
        if self.parent is None:
            parts = self.file.path.rsplit(".", 1)[0].split("/")
            return tuple(part for part in parts if part != "__init__")
        return (*self.parent.names, self.name)

    @property
    def function(self) -> FunctionNode | None:
        """Its node, if it is a function."""
        return self.node if isinstance(self.node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) else None

    @property
    def receiver(self) -> str:
        """The name of a method's first parameter (`self`), empty for static methods and everything else."""
        node = self.node
        if not self.is_method or isinstance(node, ast.Lambda | ast.Module | ast.ClassDef):
            return ""
        if any(isinstance(d, ast.Name) and d.id == "staticmethod" for d in node.decorator_list):
            return ""
        parameters = [*node.args.posonlyargs, *node.args.args]
        return parameters[0].arg if parameters else ""

    def walk(self) -> Iterator[Scope]:
        """This scope and all below it, in source order."""
        yield self
        for child in self.children:
            yield from child.walk()

    def location(self, node: ast.AST) -> Location:
        """Where a node of this file stands."""
        return Location(
            self.file.path,
            getattr(node, "lineno", 1),
            getattr(node, "col_offset", 0) + 1,
            getattr(node, "end_lineno", 0) or 0,
        )


@dataclass(eq=False, slots=True)
class Write:
    """A name, attribute or key is written.

    Attributes:
        name: `x`, or a dotted path: `self.x`, and `cfg.lr` for both `cfg.lr = ...` and `cfg["lr"] = ...`.
        node: the statement (or parameter, or import alias) that writes.
        value: the expression written; for a loop, what is iterated; None when there is none.
        unpack: for `a, (b, c) = value`: the index path of this target in the value.
    """

    name: str
    kind: WriteKind
    node: ast.AST
    value: ast.expr | None
    scope: Scope
    unpack: tuple[int, ...] = ()

    @property
    def location(self) -> Location:
        """Where it is written."""
        return self.scope.location(self.node)


def dotted(node: ast.expr) -> str | None:
    """The dotted path of a name, attribute or constant string key; None for anything else."""
    parts: list[str] = []
    while True:
        if isinstance(node, ast.Attribute):
            parts.append(node.attr)
            node = node.value
        elif isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant) and isinstance(node.slice.value, str):
            parts.append(node.slice.value)
            node = node.value
        elif isinstance(node, ast.Name):
            parts.append(node.id)
            return ".".join(reversed(parts))
        else:
            return None


def tail(node: ast.expr) -> str:
    """The last identifier of a callee: `step` of `self.optimizer.step`."""
    if isinstance(node, ast.Attribute):
        return node.attr
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Call):
        return tail(node.func)
    return ""


def module_scope(file: PythonFile, dotted_name: str) -> Scope:
    """Build the scope of a module and of everything in it.

    Args:
        file: the parsed file.
        dotted_name: the module's name from the repository's root, `package.module`.
    """
    top = Scope(file.tree, dotted_name.rsplit(".", 1)[-1], dotted_name, None, file)
    _Collector(top).run()
    return top


class _Collector:
    """Walks one file with an explicit stack, so that deep trees cannot exhaust Python's."""

    def __init__(self, top: Scope) -> None:
        self.top = top
        self.stack: list[tuple[ast.AST, Scope]] = []

    def run(self) -> None:
        self._push(self.top.file.tree.body, self.top)
        while self.stack:
            node, scope = self.stack.pop()
            handler = getattr(self, f"visit_{type(node).__name__}", None)
            if handler is not None:
                handler(node, scope)
            else:
                self._push(list(ast.iter_child_nodes(node)), scope)

    def _push(self, nodes: Sequence[ast.AST], scope: Scope) -> None:
        self.stack.extend((node, scope) for node in reversed(nodes))

    def _child(self, node: ScopeNode, name: str, scope: Scope) -> Scope:
        separator = ":" if scope.is_module else "."
        child = Scope(node, name, f"{scope.qualified}{separator}{name}", scope, scope.file)
        scope.children.append(child)
        return child

    def _write(
        self, scope: Scope, name: str, kind: WriteKind, node: ast.AST, value: ast.expr | None = None, unpack: tuple[int, ...] = ()
    ) -> None:
        owner = scope.module if name in scope.globals else scope
        owner.writes.setdefault(name, []).append(Write(name, kind, node, value, scope, unpack))

    def _function(self, node: ast.FunctionDef | ast.AsyncFunctionDef, scope: Scope) -> None:
        self._write(scope, node.name, "def", node)
        child = self._child(node, node.name, scope)
        self._parameters(node.args, child)
        self._push(list(node.body), child)
        outer: list[ast.expr] = [*node.decorator_list, *node.args.defaults, *(d for d in node.args.kw_defaults if d is not None)]
        self._push(outer, scope)

    visit_FunctionDef = _function
    visit_AsyncFunctionDef = _function

    def visit_Lambda(self, node: ast.Lambda, scope: Scope) -> None:
        child = self._child(node, f"<lambda:{node.lineno}:{node.col_offset}>", scope)
        self._parameters(node.args, child)
        self._push([node.body], child)
        self._push([*node.args.defaults, *(d for d in node.args.kw_defaults if d is not None)], scope)

    def _parameters(self, arguments: ast.arguments, child: Scope) -> None:
        positional = [*arguments.posonlyargs, *arguments.args]
        missing = len(positional) - len(arguments.defaults)
        defaults: list[ast.expr | None] = [*([None] * missing), *arguments.defaults, *arguments.kw_defaults]
        for parameter, default in zip([*positional, *arguments.kwonlyargs], defaults, strict=False):
            self._write(child, parameter.arg, "param", parameter, default)
        for rest in (arguments.vararg, arguments.kwarg):
            if rest is not None:
                self._write(child, rest.arg, "param", rest)

    def visit_ClassDef(self, node: ast.ClassDef, scope: Scope) -> None:
        self._write(scope, node.name, "class", node)
        child = self._child(node, node.name, scope)
        self._push(list(node.body), child)
        self._push([*node.decorator_list, *node.bases, *(k.value for k in node.keywords)], scope)

    def _imported(self, node: ast.Import | ast.ImportFrom, scope: Scope) -> None:
        for alias in node.names:
            bound = alias.asname or (alias.name if isinstance(node, ast.ImportFrom) else alias.name.split(".")[0])
            self._write(scope, bound, "import", node)

    visit_Import = _imported
    visit_ImportFrom = _imported

    def visit_Global(self, node: ast.Global, scope: Scope) -> None:
        scope.globals.update(node.names)

    def _target(
        self, target: ast.expr, scope: Scope, kind: WriteKind, node: ast.AST, value: ast.expr | None, unpack: tuple[int, ...] = ()
    ) -> None:
        if isinstance(target, ast.Name):
            self._write(scope, target.id, kind, node, value, unpack)
        elif isinstance(target, ast.Tuple | ast.List):
            for i, element in enumerate(target.elts):
                self._target(element, scope, kind, node, value, (*unpack, i))
        elif isinstance(target, ast.Starred):
            self._target(target.value, scope, kind, node, None)
        elif isinstance(target, ast.Attribute | ast.Subscript):
            path = dotted(target)
            if path is not None:
                scope.stores.append(Write(path, kind, node, value, scope, unpack))
            self._push([target.value] if isinstance(target, ast.Attribute) else [target.value, target.slice], scope)

    def visit_Assign(self, node: ast.Assign, scope: Scope) -> None:
        for target in node.targets:
            self._target(target, scope, "assign", node, node.value)
        self._push([node.value], scope)

    def visit_AnnAssign(self, node: ast.AnnAssign, scope: Scope) -> None:
        self._target(node.target, scope, "assign", node, node.value)
        if node.value is not None:
            self._push([node.value], scope)

    def visit_AugAssign(self, node: ast.AugAssign, scope: Scope) -> None:
        self._target(node.target, scope, "augment", node, node.value)
        if isinstance(node.target, ast.Name):
            scope.loads.append(node.target)
        elif isinstance(node.target, ast.Attribute):
            scope.attributes.append(node.target)
        elif isinstance(node.target.slice, ast.Constant) and isinstance(node.target.slice.value, str):
            scope.keys.append((node.target.slice.value, node.target))
        self._push([node.value], scope)

    def visit_NamedExpr(self, node: ast.NamedExpr, scope: Scope) -> None:
        self._target(node.target, scope, "assign", node, node.value)
        self._push([node.value], scope)

    def _loop(self, node: ast.For | ast.AsyncFor, scope: Scope) -> None:
        self._target(node.target, scope, "loop", node, node.iter)
        self._push([node.iter, *node.body, *node.orelse], scope)

    visit_For = _loop
    visit_AsyncFor = _loop

    def visit_comprehension(self, node: ast.comprehension, scope: Scope) -> None:
        self._target(node.target, scope, "loop", node.target, node.iter)
        self._push([node.iter, *node.ifs], scope)

    def visit_withitem(self, node: ast.withitem, scope: Scope) -> None:
        if node.optional_vars is not None:
            self._target(node.optional_vars, scope, "with", node.optional_vars, node.context_expr)
        self._push([node.context_expr], scope)

    def visit_ExceptHandler(self, node: ast.ExceptHandler, scope: Scope) -> None:
        if node.name:
            self._write(scope, node.name, "other", node)
        self._push([*([node.type] if node.type else []), *node.body], scope)

    def visit_MatchAs(self, node: ast.MatchAs, scope: Scope) -> None:
        if node.name:
            self._write(scope, node.name, "other", node)
        self._push(list(ast.iter_child_nodes(node)), scope)

    def visit_Call(self, node: ast.Call, scope: Scope) -> None:
        scope.calls.append(node)
        method = node.func.attr if isinstance(node.func, ast.Attribute) else ""
        if method in {"get", "pop", "setdefault"} and node.args:
            key = node.args[0]
            if isinstance(key, ast.Constant) and isinstance(key.value, str):
                scope.keys.append((key.value, node))
        elif isinstance(node.func, ast.Name) and node.func.id == "getattr" and len(node.args) > 1:
            key = node.args[1]
            if isinstance(key, ast.Constant) and isinstance(key.value, str):
                scope.keys.append((key.value, node))
        self._push([node.func, *node.args, *(k.value for k in node.keywords)], scope)

    def visit_Name(self, node: ast.Name, scope: Scope) -> None:
        if isinstance(node.ctx, ast.Load):
            scope.loads.append(node)

    def visit_Attribute(self, node: ast.Attribute, scope: Scope) -> None:
        if isinstance(node.ctx, ast.Load):
            scope.attributes.append(node)
        self._push([node.value], scope)

    def visit_Subscript(self, node: ast.Subscript, scope: Scope) -> None:
        if isinstance(node.ctx, ast.Load) and isinstance(node.slice, ast.Constant) and isinstance(node.slice.value, str):
            scope.keys.append((node.slice.value, node))
        self._push([node.value, node.slice], scope)

    def visit_Constant(self, node: ast.Constant, scope: Scope) -> None:
        if isinstance(node.value, str):
            scope.strings.append(node)
