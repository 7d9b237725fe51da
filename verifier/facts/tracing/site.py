"""One call as it is being made: where it is written, what is handed over, which names stand around it."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field

from verifier.facts.scopes import dotted, tail
from verifier.facts.tracing.values import Frame, Value


@dataclass(slots=True)
class Site:
    """One call as it is being made.

    Attributes:
        node: what stands for it in the code.
        name: the called name as written.
        base: what a method is called on.
        written: names in the receiver as written.
        discarded: whether nothing takes its result.
    """

    node: ast.expr
    frame: Frame
    name: str
    base: Value | None = None
    written: tuple[str, ...] = ()
    context: tuple[str, ...] = ()
    discarded: bool = False


@dataclass(slots=True)
class Arguments:
    """The arguments of one call; `open` when more may come from an unknown `*args` or `**kwargs`."""

    positional: list[Value] = field(default_factory=list)
    named: dict[str, Value] = field(default_factory=dict)
    open: Value | None = None

    def all(self) -> list[Value]:
        """Every argument."""
        return [*self.positional, *self.named.values(), *([self.open] if self.open is not None else [])]

    def texts(self) -> tuple[str, ...]:
        """The constant texts among them."""
        consts = [value.const() for value in (*self.positional, *self.named.values())]
        return tuple(const.value for const in consts if const is not None and isinstance(const.value, str))

    def reach(self) -> frozenset[int]:
        """The events whose results are handed over."""
        return frozenset().union(*(value.reach() for value in self.all()))


def argument_names(node: ast.expr) -> list[str]:
    """The names that an argument shows at first sight."""
    if isinstance(node, ast.Constant):
        return [node.value] if isinstance(node.value, str) and len(node.value) < 40 else []
    if isinstance(node, ast.Call):
        return [*written(node.func), tail(node.func)]
    if isinstance(node, ast.Starred | ast.Subscript):
        return argument_names(node.value)
    path = dotted(node)
    return path.split(".") if path is not None else []


def called_name(func: ast.expr) -> str:
    """The name of what is called: of an element, that of its container; empty where `getattr` looks it up."""
    while isinstance(func, ast.Subscript):
        func = func.value
    if isinstance(func, ast.Call) and tail(func) == "getattr":
        return ""
    return tail(func)


def written(func: ast.expr) -> tuple[str, ...]:
    """The names in a method's receiver as written; of a call, the called name."""
    if not isinstance(func, ast.Attribute):
        return ()
    path = dotted(func.value)
    if path is not None:
        return tuple(path.split("."))
    inner = func.value
    if isinstance(inner, ast.Call):
        return (*written(inner.func), tail(inner.func))
    if isinstance(inner, ast.Subscript):
        path = dotted(inner.value)
        return tuple(path.split(".")) if path is not None else ()
    if isinstance(inner, ast.BinOp):
        return tuple(part.id for part in ast.walk(inner) if isinstance(part, ast.Name))
    return ()
