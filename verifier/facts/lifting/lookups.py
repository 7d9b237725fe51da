"""Evaluate look-ups: parts of results, entries of tables, slices."""

from __future__ import annotations

import ast
from fractions import Fraction

from verifier.facts.lifting.calls import Calls
from verifier.facts.lifting.terms import (
    Class,
    Function,
    Instance,
    Item,
    Mapping,
    Member,
    Outside,
    Sequence,
    Value,
    expression,
    measure,
    node,
    unnamed,
)
from verifier.facts.scopes import dotted
from verifier.model.expression import Apply, Expr, Number, Symbol

PAIRED = {"min": "argmin", "max": "argmax", "topk": "argtopk"}
"""Reductions whose result also says where they found it."""


class Lookups(Calls):
    """Evaluates look-ups."""

    def subscript(self, tree: ast.Subscript) -> Value:
        """What a look-up gives."""
        path = dotted(tree)
        if path is not None and path in self.env:
            return self.env[path]
        base = self.value(tree.value)
        if isinstance(tree.slice, ast.Constant) and isinstance(tree.slice.value, str):
            key = tree.slice.value
            if isinstance(base, Mapping):
                return base.entries.get(key, Symbol(path or key))
            return Member(path or key, expression(base), key)
        index = self._integer(tree.slice)
        if (
            isinstance(base, Sequence)
            and index is not None
            and base.grown is None
            and -len(base.items) <= index < len(base.items)
        ):
            return base.items[index]
        return self._looked_up(tree, base, index)

    def _integer(self, tree: ast.expr) -> int | None:
        if isinstance(tree, ast.Constant) and type(tree.value) is int:
            return tree.value
        if (
            isinstance(tree, ast.UnaryOp)
            and isinstance(tree.op, ast.USub)
            and isinstance(tree.operand, ast.Constant)
            and type(tree.operand.value) is int
        ):
            return -tree.operand.value
        return None

    def _looked_up(self, tree: ast.Subscript, base: Value, index: int | None) -> Value:
        if isinstance(base, Instance | Outside | Class | Function):
            return base if isinstance(base, Outside | Class) else Symbol(self.text(tree))
        term = expression(base)
        inner = unnamed(term)
        if isinstance(inner, Symbol) and inner.name.endswith(".shape"):
            return Symbol(f"{inner.name}[{self.text(tree.slice)}]")
        if index is not None:
            return self.item(term, index, "")
        keys = self._keys(tree.slice)
        if not keys or (len(keys) == 1 and self.selects(tree)):
            return base
        return node("index", term, *(Symbol(key) for key in keys))

    def _keys(self, tree: ast.expr) -> list[str]:
        """What a look-up is by, without what selects everything or only adds axes."""
        parts = tree.elts if isinstance(tree, ast.Tuple) else [tree]
        keys: list[str] = []
        for part in parts:
            whole = isinstance(part, ast.Slice) and part.lower is None and part.upper is None and part.step is None
            if not whole and not is_new_axis(part):
                keys.append(self.text(part))
        return keys

    def selects(self, tree: ast.Subscript) -> bool:
        """Whether a look-up by one plain name only picks the current entry: the function looks up nothing else by another name."""
        if not isinstance(tree.slice, ast.Name | ast.Attribute) and not self._masks(tree.slice):
            return False
        return len(self.survey.keys.get(self.text(tree.value), ())) <= 1

    def _masks(self, tree: ast.expr) -> bool:
        if not isinstance(tree, ast.Tuple):
            return False
        return all(isinstance(part, ast.Name) or is_new_axis(part) or _is_whole(part) for part in tree.elts)

    def item(self, term: Expr, index: int, name: str) -> Value:
        """One part of a result, by its number; `name` is the variable it is unpacked into."""
        inner = unnamed(term)
        if isinstance(inner, Apply):
            if inner.head in PAIRED and inner.axis:
                return inner if index == 0 else node(PAIRED[inner.head], *inner.args) if index == 1 else Symbol(name or "...")
            if inner.head == "topk":
                return inner if index == 0 else node("argtopk", *inner.args)
            if inner.head in {"grad", "stopgrad"} and index == 0:
                return term
            if inner.head in {"tuple", "cat"} and not inner.axis and -len(inner.args) <= index < len(inner.args):
                return inner.args[index]
        args = (term, Number(Fraction(index)))
        return Item("index", args, "", *measure(args), term, index, name)


def _is_whole(tree: ast.expr) -> bool:
    return isinstance(tree, ast.Slice) and tree.lower is None and tree.upper is None and tree.step is None


def is_new_axis(tree: ast.expr) -> bool:
    """Whether part of a look-up only adds an axis or stands for all that are left out: `None`, `np.newaxis`, `...`."""
    if isinstance(tree, ast.Constant):
        return tree.value in {None, ...}
    return isinstance(tree, ast.Attribute) and tree.attr == "newaxis"
