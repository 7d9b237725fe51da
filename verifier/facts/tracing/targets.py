"""Targets of assignments, as names."""

from __future__ import annotations

import ast

from verifier.facts.scopes import dotted


def target_names(target: ast.expr) -> list[str]:
    """The names that an assignment gives its value."""
    if isinstance(target, ast.Name):
        return [target.id]
    if isinstance(target, ast.Attribute):
        return [target.attr]
    if isinstance(target, ast.Subscript):
        return (
            [str(target.slice.value)]
            if isinstance(target.slice, ast.Constant) and isinstance(target.slice.value, str)
            else target_names(target.value)
        )
    if isinstance(target, ast.Tuple | ast.List):
        return [name for element in target.elts for name in target_names(element)]
    if isinstance(target, ast.Starred):
        return target_names(target.value)
    return []


def target_owner(targets: list[ast.expr]) -> tuple[str, ...]:
    """The names of the object whose attribute or key is written."""
    first = targets[0] if targets else None
    path = dotted(first.value) if isinstance(first, ast.Attribute | ast.Subscript) else None
    return tuple(path.split(".")) if path else ()


def mentioned(node: ast.expr) -> tuple[str, ...]:
    """The names that an expression reads."""
    found = (
        part.id if isinstance(part, ast.Name) else part.attr
        for part in ast.walk(node)
        if isinstance(part, ast.Name | ast.Attribute)
    )
    return tuple(dict.fromkeys(found))


def as_load(target: ast.expr) -> ast.expr:
    """The expression that reads what a target writes."""
    match target:
        case ast.Name():
            return ast.Name(target.id, ast.Load())
        case ast.Attribute():
            return ast.Attribute(target.value, target.attr, ast.Load())
        case ast.Subscript():
            return ast.Subscript(target.value, target.slice, ast.Load())
    return target
