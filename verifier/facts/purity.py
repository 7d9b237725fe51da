"""Which calls have no effect but their result."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from verifier.facts.scopes import dotted, tail

_LIBRARIES = frozenset("F torch np numpy math jnp jax nn tf functional einops".split())
_EFFECTS = frozenset("save savez savetxt seed manual_seed copyto put place load init_process_group backward compile".split())
_METHODS = frozenset(
    "mean sum pow exp log sqrt abs clamp clip square softmax log_softmax sigmoid tanh relu view reshape unsqueeze squeeze detach item "
    "float long double half to cpu cuda numpy std var max min argmax argmin norm transpose permute flatten astype t".split()
)
_PLAIN = frozenset({"float", "int", "abs", "max", "min", "sum", "len", "round", "tuple", "list", "str"})


def is_pure(call: ast.Call) -> bool:
    """Whether a call only computes: a function of a library of mathematics, or a method of a tensor."""
    name = tail(call.func)
    if name in _EFFECTS or name.endswith("_") or name.startswith("set_") or name[:1].isupper():
        return False
    if isinstance(call.func, ast.Name):
        return name in _PLAIN
    root = (dotted(call.func) or "").split(".")[0]
    return root in _LIBRARIES or name in _METHODS


def ingredients(value: ast.expr) -> Iterator[ast.expr]:
    """The names and attributes that an expression is computed from, without what it hands to calls that may do more."""
    stack: list[ast.AST] = [value]
    while stack:
        part = stack.pop()
        if isinstance(part, ast.Call) and not is_pure(part):
            continue
        if isinstance(part, ast.Lambda | ast.NamedExpr | ast.Await | ast.Yield | ast.YieldFrom):
            continue
        if isinstance(part, ast.Name | ast.Attribute):
            yield part
        stack.extend(ast.iter_child_nodes(part))
