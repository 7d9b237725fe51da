"""Evaluate calls: operators of libraries at once, everything of the repository as an open call."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from verifier.facts.lifting.environment import Environment
from verifier.facts.lifting.operate import operate
from verifier.facts.lifting.terms import (
    NONE,
    Call,
    Class,
    Function,
    Gradient,
    Instance,
    Mapping,
    Member,
    Node,
    Outside,
    Parameter,
    Sequence,
    Value,
    as_text,
    expression,
    measure,
    named,
    node,
)
from verifier.facts.scopes import dotted, tail
from verifier.model.expression import Apply, Expr, Symbol

if TYPE_CHECKING:
    from verifier.lexicon.operators import Operators

Keywords = tuple[tuple[str, Value], ...]

_VIEWS = frozenset({"view", "reshape", "squeeze", "unsqueeze", "detach", "flatten", "transpose", "narrow", "get"})
_ARITHMETIC = frozenset({"+", "-", "*", "/", "floordiv", "**"})
_SHAPED = frozenset({"size", "dim", "numel", "ndimension", "nelement", "len"})


class Calls(Environment):
    """Evaluates calls."""

    def call_of(self, tree: ast.Call) -> Value:
        """What a call gives."""
        func = tree.func
        if isinstance(func, ast.Attribute):
            if tail(func.value) == "super" and isinstance(func.value, ast.Call):
                return self._super(tree, func.attr)
            return self._method(tree, func)
        if isinstance(func, ast.Name) and func.id == "len" and tree.args:
            return Symbol(self.text(tree))
        if isinstance(func, ast.Name) and func.id in {"getattr", "print", "isinstance", "range", "zip", "enumerate"}:
            return self._builtin(tree, func.id)
        positional, keywords = self._arguments(tree)
        return self.call(self.value(func), dotted(func) or tail(func) or "call", positional, keywords, tree)

    def _arguments(self, tree: ast.Call) -> tuple[tuple[Value, ...], Keywords]:
        positional: list[Value] = []
        for argument in tree.args:
            worth = self.value(argument)
            if isinstance(argument, ast.Starred) and isinstance(worth, Sequence) and worth.grown is None:
                positional.extend(worth.items)
            else:
                positional.append(worth)
        keywords: list[tuple[str, Value]] = []
        for keyword in tree.keywords:
            worth = self.value(keyword.value)
            if keyword.arg is not None:
                keywords.append((keyword.arg, worth))
            elif isinstance(worth, Mapping):
                keywords.extend(worth.entries.items())
        return tuple(positional), tuple(keywords)

    def _builtin(self, tree: ast.Call, name: str) -> Value:
        if name == "getattr" and len(tree.args) > 1:
            key = as_text(self.value(tree.args[1]))
            return self.attribute(self.value(tree.args[0]), key, None) if key else Symbol(self.text(tree))
        if name in {"zip", "enumerate"}:
            return Symbol(self.text(tree))
        return Symbol(self.text(tree)) if name == "range" else NONE

    def _super(self, tree: ast.Call, name: str) -> Value:
        cls = self.program.enclosing_class(self.scope)
        positional, keywords = self._arguments(tree)
        for base in self.program.mro(cls)[1:] if cls is not None else ():
            if not hasattr(base, "writes"):
                break
            method = self.program.member(base, name)
            if method is not None and hasattr(method, "node"):
                receiver = Parameter(self.receiver, self.scope)
                return self.call(Function(method, None, (receiver,)), f"super.{name}", positional, keywords, tree)  # type: ignore[arg-type]
        return self.unknown(f"super.{name}", positional, keywords)

    # --- methods ----------------------------------------------------------------------------------------------------------

    def _method(self, tree: ast.Call, func: ast.Attribute) -> Value:
        base = self.value(func.value)
        name = func.attr
        if isinstance(base, Outside | Class | Gradient | Function):
            positional, keywords = self._arguments(tree)
            return self.call(self.attribute(base, name, dotted(func)), dotted(func) or name, positional, keywords, tree)
        if isinstance(base, Sequence | Mapping) and (done := self._container(base, tree, func)) is not None:
            return done
        if name in _SHAPED:
            return Symbol(self.text(tree))
        if isinstance(base, Instance) or self._is_receiver(base):
            return self._own_method(tree, func, base)
        return self._tensor_method(tree, func, base)

    def _is_receiver(self, base: Value) -> bool:
        return isinstance(base, Parameter) and base.name == self.receiver

    def _own_method(self, tree: ast.Call, func: ast.Attribute, base: Value) -> Value:
        positional, keywords = self._arguments(tree)
        name = func.attr
        if name in {"register_buffer", "register_parameter"}:
            return self._register(positional, tree)
        path = dotted(func) or name
        callee = self.env.get(path) or self.attribute(base, name, path)
        return self.call(callee, path, positional, keywords, tree)

    def _register(self, positional: tuple[Value, ...], tree: ast.Call) -> Value:
        key = as_text(positional[0]) if positional else None
        if key is not None and len(positional) > 1:
            self.store(f"{self.receiver}.{key}", positional[1], tree)
        return NONE

    def _container(self, base: Sequence | Mapping, tree: ast.Call, func: ast.Attribute) -> Value | None:
        """Methods of lists and dictionaries; None for what is no such method."""
        path = dotted(func.value)
        if isinstance(base, Mapping):
            if func.attr == "get" and tree.args:
                key = as_text(self.value(tree.args[0]))
                return base.entries.get(key or "", Symbol(self.text(tree)))
            if func.attr == "values":
                return Sequence(tuple(base.entries.values()))
            if func.attr == "update" and tree.args and path:
                added = self.value(tree.args[0])
                self.env[path] = Mapping(base.entries | (added.entries if isinstance(added, Mapping) else {}))
                return NONE
            return None
        if func.attr in {"append", "extend", "insert"} and tree.args and path:
            added = self.value(tree.args[-1])
            items = added.items if func.attr == "extend" and isinstance(added, Sequence) else (added,)
            self.env[path] = Sequence((*base.items, *items), base.grown, base.source)
            self.appended(path, items, tree)
            return NONE
        return None

    def _tensor_method(self, tree: ast.Call, func: ast.Attribute, base: Value) -> Value:
        name = func.attr
        positional, keywords = self._arguments(tree)
        term = expression(base)
        if name == "get" and positional and (key := as_text(positional[0])) is not None:
            return Member(f"{dotted(func.value) or ''}.{key}".lstrip("."), term, key)
        in_place = name.endswith("_") and not name.endswith("__")
        operator = self.table.methods.get(name) or (self.table.methods.get(name[:-1]) if in_place else None)
        if operator is not None and not self.lifter.is_own_method(name, term):
            done = operate(operator, (base, *positional), keywords)
            if done is not None:
                return self._written_back(func.value, done) if in_place else done
        if f".{name}" in self.table.transparent or (in_place and f".{name[:-1]}" in self.table.transparent):
            return base
        changed = self.place_of(func.value) if in_place else None
        if changed is not None and changed in self.env:
            self.env[changed] = Symbol(changed)
        path = dotted(func)
        if path is None and not isinstance(term, Symbol):
            return self.call(Member(name, term, name), name, positional, keywords, tree, receiver=term)
        return self.call(Member(path or name, term, name), path or name, positional, keywords, tree)

    def _written_back(self, target: ast.expr, value: Value) -> Value:
        """Remember what an in-place method leaves in its receiver."""
        path = self.place_of(target)
        if path is None:
            return value
        term = expression(value)
        self.updates[path] = term
        self.env[path] = named(path, term)
        return value

    def place_of(self, tree: ast.expr) -> str | None:
        """The name under which an in-place method finds its receiver, seen through chains of such methods, views and look-ups."""
        while True:
            if isinstance(tree, ast.Call) and isinstance(tree.func, ast.Attribute):
                if tree.func.attr not in _VIEWS and not tree.func.attr.endswith("_"):
                    return None
                tree = tree.func.value
            elif (isinstance(tree, ast.Attribute) and tree.attr == "data") or (
                isinstance(tree, ast.Subscript) and dotted(tree) is None
            ):
                tree = tree.value
            else:
                return dotted(tree)

    # --- calls ------------------------------------------------------------------------------------------------------------

    def call(
        self,
        callee: Value,
        head: str,
        positional: tuple[Value, ...],
        keywords: Keywords,
        tree: ast.Call,
        receiver: Expr | None = None,
    ) -> Value:
        """Call a value."""
        if isinstance(callee, Outside):
            return self.outside(callee, head, callee.positional + positional, callee.keywords + keywords, tree)
        if isinstance(callee, Class):
            return (
                Instance(callee.scope, positional, keywords)
                if callee.scope.is_class
                else self.unknown(head, positional, keywords)
            )
        shown = shown_arguments(positional, keywords)
        if receiver is not None:
            shown = (receiver, *shown)
        return Call(head, shown, "", *measure(shown), callee, positional, keywords)

    def outside(
        self, callee: Outside, head: str, positional: tuple[Value, ...], keywords: Keywords, tree: ast.Call | None
    ) -> Value:
        """Call a function or class outside of the repository."""
        done = apply_outside(self.table, callee, positional, keywords)
        if callee.name == "builtins.sum" and isinstance(done, Node) and tree is not None and not done.axis:
            return node(done.head, *done.args, axis=dotted(tree.args[0]) or "") if tree.args and done.head == "sum" else done
        if done is not None:
            return done
        if tree is not None and callee.name.startswith("builtins."):
            return self.unknown(head, positional, keywords)
        if tail_of(callee.name)[:1].isupper():
            for name, value in (*(("", item) for item in positional), *keywords):
                if tree is not None and isinstance(value, Node) and value.head in _ARITHMETIC:
                    self.sized(name, value, tree)
            return Instance(callee.name, positional, keywords)
        return self.unknown(head, positional, keywords)

    def unknown(self, head: str, positional: tuple[Value, ...], keywords: Keywords) -> Apply:
        """A call of a function that nothing is known about."""
        return node(head, *shown_arguments(positional, keywords))


def tail_of(name: str) -> str:
    """The last part of a dotted name."""
    return name.rpartition(".")[2]


def shown_arguments(positional: tuple[Value, ...], keywords: Keywords) -> tuple[Expr, ...]:
    """The operands of an unknown function: flags and texts given by keyword say how, not what, and are left out."""
    shown = [expression(value) for value in positional]
    for _, value in keywords:
        term = expression(value)
        if not (isinstance(term, Symbol) and (term.name in {"True", "False", "None"} or term.name[:1] == "'")):
            shown.append(term)
    return tuple(shown)


def apply_outside(table: Operators, callee: Outside, positional: tuple[Value, ...], keywords: Keywords) -> Value | None:
    """What the tables say about a call of something outside; None when they say nothing."""
    name = callee.name
    if name.endswith("functools.partial") and positional:
        return bound_to(positional[0], positional[1:], keywords)
    operator = table.functions.get(name)
    if operator is not None:
        return operate(operator, positional, keywords)
    if (name in table.transparent or name in table.wrappers) and positional:
        return _infinite(positional[0]) or positional[0]
    return None


def _infinite(value: Value) -> Value | None:
    """The infinity that `float("inf")` makes."""
    text = (as_text(value) or "").lower()
    infinite = text.lstrip("+-") in {"inf", "infinity"}
    return None if not infinite else node("neg", Symbol("inf")) if text[:1] == "-" else Symbol("inf")


def bound_to(function: Value, positional: tuple[Value, ...], keywords: Keywords) -> Value:
    """A function with some of its arguments bound, as `functools.partial` does."""
    match function:
        case Function():
            return Function(function.scope, function.frame, function.positional + positional, function.keywords + keywords)
        case Outside():
            return Outside(function.name, function.shown, function.positional + positional, function.keywords + keywords)
    return function
