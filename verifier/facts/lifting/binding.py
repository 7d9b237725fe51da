"""What statements write: names, attributes, keys, parts of arrays; and values that depend on a condition."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field

from verifier.facts.lifting.expressions import Expressions
from verifier.facts.lifting.terms import (
    Choice,
    Class,
    Filled,
    Function,
    Instance,
    Mapping,
    Outside,
    Parameter,
    Sequence,
    Value,
    expression,
    measure,
    named,
    node,
    unnamed,
)
from verifier.facts.scopes import dotted
from verifier.model.expression import Apply, Expr, Number, Symbol

_NUMERIC = frozenset({"<", "<=", ">", ">="})
_OBJECTS = Function | Class | Instance | Outside | Mapping


@dataclass(slots=True)
class Raw:
    """A term that a statement computes, still open.

    Attributes:
        names: what it is stored in. tree: the statement. kind: `assign`, `return`, `yield`, `update`, `loop` or `lost`.
        condition: for a return, what must hold for it; None for the last one.
    """

    names: tuple[str, ...]
    value: Value
    tree: ast.AST
    kind: str
    condition: tuple[int, Expr] | None = None


@dataclass(slots=True)
class Summary:
    """What walking a scope gave: its last environment, every term, and what it returns."""

    env: dict[str, Value] = field(default_factory=dict)
    raws: list[Raw] = field(default_factory=list)
    result: Value | None = None


class Binding(Expressions):
    """Writes values to the environment."""

    raws: list[Raw]
    statement: ast.AST

    def bind(self, target: ast.expr, value: Value, tree: ast.AST) -> None:
        """Give a target a value, and keep the term."""
        match target:
            case ast.Name(id=name):
                self.store(name, value, tree)
            case ast.Tuple(elts=elements) | ast.List(elts=elements):
                for index, element in enumerate(elements):
                    self.bind(element, self.part(value, index, element, len(elements)), tree)
            case ast.Starred(value=inner):
                self.store(dotted(inner) or "", Symbol(dotted(inner) or "..."), tree)
            case _:
                path = dotted(target)
                if path is not None:
                    self.store(path, value, tree)
                elif isinstance(target, ast.Subscript):
                    self._store_part(target, value, tree)

    def part(self, value: Value, index: int, target: ast.expr, count: int) -> Value:
        """What one target of an unpacking gets."""
        name = target.id if isinstance(target, ast.Name) else dotted(target) or ""
        if isinstance(value, Sequence):
            if value.grown is None and len(value.items) == count:
                return value.items[index]
            return Symbol(name or "...") if value.grown is None else value.grown
        if isinstance(value, Instance | Function | Class | Outside | Mapping):
            return Symbol(name or "...")
        term = expression(value)
        if (
            isinstance(unnamed(term), Symbol)
            and not isinstance(unnamed(term), Parameter)
            and getattr(unnamed(term), "key", None) is None
        ):
            return Symbol(name or "...")
        return self.item(term, index, name)

    def store(self, path: str, value: Value, tree: ast.AST) -> None:
        """Give a name, attribute or key a value."""
        path = path.removesuffix(".data")
        prefix = f"{path}."
        for known in [known for known in self.env if known.startswith(prefix)]:
            del self.env[known]
        owner, _, key = path.rpartition(".")
        holder = self.env.get(owner) if owner else None
        if isinstance(holder, Mapping):
            self.env[owner] = Mapping(holder.entries | {key: value})
        kept: Value = value
        if isinstance(value, Number | Symbol | Apply):
            kept = value if isinstance(value, Filled) else named(path, value)
        elif isinstance(value, Instance) and not value.path:
            kept = Instance(value.cls, value.positional, value.keywords, path, value.generic)
        elif isinstance(value, Sequence) and (value.grown is not None or not value.items):
            kept = Sequence(value.items, value.grown, path)
        self.env[path] = kept
        self.raws.append(Raw((path,), value, tree, "assign"))

    def _store_part(self, target: ast.Subscript, value: Value, tree: ast.AST) -> None:
        """Write part of an array or table: the whole goes by that value when it was empty before."""
        path = self.place_of(target)
        if path is None:
            return
        self.raws.append(Raw((path,), value, tree, "part"))
        held = self.env.get(path)
        empty = (isinstance(held, Sequence) and not held.items) or (isinstance(held, Mapping) and not held.entries)
        fresh = empty or isinstance(held, Filled)
        self.env[path] = named(path, expression(value)) if fresh else Symbol(path)

    def appended(self, path: str, items: tuple[Value, ...], tree: ast.Call) -> None:
        """Keep what is appended to a list."""
        for item in items:
            self.raws.append(Raw((path,), item, self.statement if isinstance(self.statement, ast.stmt) else tree, "append"))

    def bind_quietly(self, target: ast.expr, value: Value) -> None:
        """Give a target a value that no statement of its own computes."""
        if isinstance(target, ast.Tuple | ast.List):
            for index, element in enumerate(target.elts):
                self.bind_quietly(element, self.part(value, index, element, len(target.elts)))
            return
        path = dotted(target)
        if path is not None:
            self.env[path] = value

    def bind_each(self, target: ast.expr, source: ast.expr) -> None:
        """Bind what a loop runs over: each name stands for the current element."""
        for part in ast.walk(target):
            if isinstance(part, ast.Name):
                for known in [known for known in self.env if known.startswith(f"{part.id}.")]:
                    del self.env[known]
                self.env[part.id] = Symbol(part.id)
        if isinstance(target, ast.Name):
            held = self.value(source)
            if isinstance(held, Sequence) and held.grown is not None:
                self.env[target.id] = named(target.id, held.grown)
            elif isinstance(held, Parameter):
                self.env[target.id] = named(target.id, held)

    def sized(self, name: str, value: Value, tree: ast.AST) -> None:
        """Keep what is computed for an argument of something that is made."""
        self.raws.append(Raw((name,) if name else (), value, tree, "size"))

    def choose(self, tree: ast.AST, condition: Expr, a: Value, b: Value) -> Value:
        """A conditional expression."""
        return self.merge(id(tree), condition, a, b)

    def merge(self, key: int, condition: Expr, a: Value, b: Value, name: str = "") -> Value:
        """Either of two values: `where` for a condition on numbers, a choice between two formulas for one on the configuration."""
        if is_none(a) or is_none(b):
            return b if is_none(a) else a
        if isinstance(a, Sequence) and isinstance(b, Sequence) and len(a.items) == len(b.items) and not (a.grown or b.grown):
            return Sequence(tuple(self.merge(key, condition, x, y) for x, y in zip(a.items, b.items, strict=True)))
        if isinstance(a, Function | Class | Instance | Outside | Mapping | Sequence):
            return a
        if isinstance(b, Function | Class | Instance | Outside | Mapping | Sequence):
            return b
        left, right = expression(a), expression(b)
        if name:
            left, right = without_name(left, name), without_name(right, name)
        if isinstance(left, Symbol) and isinstance(right, Symbol) and left.name == right.name:
            return named(name, left) if name else left
        test = unnamed(condition)
        if isinstance(test, Apply) and test.head == "not" and isinstance(test.args[0], Apply):
            test, left, right, condition = test.args[0], right, left, test.args[0]
        if isinstance(test, Apply) and test.head in _NUMERIC and not _configures(test):
            made: Expr = node("where", condition, left, right)
        else:
            args = (condition, left, right)
            made = Choice("where", args, "", *measure(args), abs(key))
        return named(name, made) if name else made


def without_name(term: Expr, name: str) -> Expr:
    """The term without this very name."""
    if isinstance(term, Apply) and term.head == "named" and term.args[0] == Symbol(name):
        return term.args[1]
    return term


def is_none(value: Value) -> bool:
    """Whether a value is `None`."""
    return isinstance(value, Symbol) and value.name == "None"


def _configures(test: Apply) -> bool:
    """Whether a comparison is about sizes, lengths or a setting against a number: such a condition does not enter formulas."""
    names = [part.name for part in map(unnamed, test.args) if isinstance(part, Symbol)]
    setting = len(names) == 1 and "." in names[0] and any(isinstance(unnamed(part), Number) for part in test.args)
    return setting or any("(" in name or ".shape" in name for name in names)
