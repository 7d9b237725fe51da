"""Walk a function, class body or module once, with an environment, and keep every term it computes."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from verifier.facts.lifting.expressions import Expressions
from verifier.facts.lifting.loops import accumulated, unwrapped, written_names
from verifier.facts.lifting.terms import (
    NONE,
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

if TYPE_CHECKING:
    from verifier.facts.lifting.lifter import Lifter
    from verifier.facts.scopes import Scope

_NUMERIC = frozenset({"<", "<=", ">", ">="})
_NO_GRADIENT = frozenset({"no_grad", "inference_mode"})


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


class Walker(Expressions):
    """Walks one scope.

    Args:
        scope: the scope.
        lifter: what knows all other scopes.
    """

    def __init__(self, scope: Scope, lifter: Lifter) -> None:
        self.scope, self.lifter = scope, lifter
        self.program, self.table = lifter.program, lifter.table
        self.env: dict[str, Value] = {}
        self.raws: list[Raw] = []
        self.updates: dict[str, Expr] = {}
        self.conditions: list[tuple[int, Expr]] = []
        self.statement: ast.AST = scope.node
        self.receiver = _receiver(scope)
        self.keys: dict[str, set[str]] | None = None

    def run(self) -> Summary:
        """Walk the scope."""
        tree = self.scope.node
        if self.scope.is_function:
            for name, writes in self.scope.writes.items():
                if any(write.kind == "param" for write in writes):
                    self.env[name] = Parameter(name, self.scope)
        if isinstance(tree, ast.Lambda):
            self.returned(self.value(tree.body), tree)
        else:
            self.block(tree.body)
        return Summary(self.env, self.raws, self._result())

    def _result(self) -> Value | None:
        """All returns as one value: earlier ones under their conditions."""
        returns = [
            raw
            for raw in self.raws
            if raw.kind == "return" and not _is_none(raw.value) and not self.program.is_dead(raw.tree, self.scope)
        ]
        if not returns:
            yields = [raw for raw in self.raws if raw.kind == "yield"]
            return Sequence((), expression(yields[-1].value)) if yields else None
        result = returns[-1].value
        for raw in reversed(returns[:-1]):
            if raw.condition is not None:
                result = self.merge(raw.condition[0], raw.condition[1], raw.value, result)
        term = unnamed(expression(result)) if isinstance(result, Apply) else None
        if term is not None and any(_is_no_gradient(d) for d in getattr(self.scope.node, "decorator_list", [])):
            return node("stopgrad", term)
        return result

    # --- statements -------------------------------------------------------------------------------------------------------

    def block(self, statements: list[ast.stmt]) -> bool:
        """Walk statements; whether their end is reached. What follows an end is walked too, for what it would compute."""
        reached = True
        for statement in statements:
            before = None if reached else dict(self.env)
            self.statement = statement
            handler = getattr(self, f"_do_{type(statement).__name__}", None)
            goes_on = handler(statement) is not False if handler is not None else True
            self._flush(statement)
            if before is not None:
                self.env = before
            reached = reached and goes_on
        return reached

    def _flush(self, statement: ast.stmt) -> None:
        for path, term in self.updates.items():
            self.raws.append(Raw((path,), term, statement, "update"))
        self.updates.clear()

    def _do_Assign(self, tree: ast.Assign) -> None:
        value = self.value(tree.value)
        for target in tree.targets:
            self.bind(target, value, tree)

    def _do_AnnAssign(self, tree: ast.AnnAssign) -> None:
        if tree.value is not None:
            self.bind(tree.target, self.value(tree.value), tree)

    def _do_AugAssign(self, tree: ast.AugAssign) -> None:
        current, added = self._current(tree.target), self.value(tree.value)
        if isinstance(current, Sequence) and isinstance(added, Sequence):
            self.bind(tree.target, Sequence(current.items + added.items, current.grown or added.grown, current.source), tree)
            return
        self.bind(tree.target, self.binary(tree.op, expression(current), expression(added)), tree)

    def _current(self, target: ast.expr) -> Value:
        if isinstance(target, ast.Name):
            return self.env.get(target.id) or self.outer(target.id)
        return self.value(target)

    def _do_Expr(self, tree: ast.Expr) -> None:
        if isinstance(tree.value, ast.Yield | ast.YieldFrom):
            if tree.value.value is not None:
                self.raws.append(Raw((self.scope.name,), self.value(tree.value.value), tree, "yield"))
            return
        if isinstance(tree.value, ast.Constant):
            return
        value = self.value(tree.value)
        if not self.updates and isinstance(value, Apply) and isinstance(tree.value, ast.BinOp | ast.Call):
            self.raws.append(Raw((), value, tree, "lost"))

    def _do_Return(self, tree: ast.Return) -> bool:
        self.returned(self.value(tree.value) if tree.value is not None else NONE, tree)
        return False

    def returned(self, value: Value, tree: ast.AST) -> None:
        """Keep what is returned, and each part of it that has a name of its own."""
        condition = self.conditions[-1] if self.conditions else None
        self.raws.append(Raw((self.scope.name,), value, tree, "return", condition))
        if isinstance(value, Mapping):
            for key, entry in value.entries.items():
                self.raws.append(Raw((key,), entry, tree, "key"))

    def _do_Raise(self, _: ast.Raise) -> bool:
        return False

    def _do_Continue(self, _: ast.Continue) -> bool:
        return False

    def _do_Break(self, _: ast.Break) -> bool:
        return False

    def _do_FunctionDef(self, tree: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        self.env[tree.name] = Function(self.program.scope_of[id(tree)])

    _do_AsyncFunctionDef = _do_FunctionDef

    def _do_ClassDef(self, tree: ast.ClassDef) -> None:
        self.env[tree.name] = Class(self.program.scope_of[id(tree)])

    def _do_Import(self, tree: ast.Import | ast.ImportFrom) -> None:
        for name, writes in self.scope.writes.items():
            if any(write.node is tree for write in writes):
                known = self.lifter.global_value(name, self.scope)
                if known is not None:
                    self.env[name] = known

    _do_ImportFrom = _do_Import

    def _do_If(self, tree: ast.If) -> bool:
        known = self.program.truth(tree.test, self.scope)
        condition = self.expr(tree.test)
        self._flush(tree)
        before = dict(self.env)
        self.conditions.append((id(tree), condition))
        then_reached = self.block(tree.body)
        self.conditions.pop()
        then_env, self.env = self.env, before
        if not then_reached or tree.orelse:
            self.conditions.append((-id(tree), node("not", condition)))
        else_reached = self.block(tree.orelse)
        if not then_reached or tree.orelse:
            self.conditions.pop()
        if known is not None:
            self.env = then_env if known else self.env
            return then_reached if known else else_reached
        if then_reached and else_reached:
            self.env = self._merged(tree, condition, then_env, self.env)
        elif then_reached:
            self.env = then_env
        return then_reached or else_reached

    def _merged(self, tree: ast.If, condition: Expr, then_env: dict[str, Value], else_env: dict[str, Value]) -> dict[str, Value]:
        merged = dict(else_env)
        for name, value in then_env.items():
            other = else_env.get(name)
            if other is None:
                merged[name] = value
            elif other is not value:
                merged[name] = self.merge(id(tree), condition, value, other, name)
        return merged

    def choose(self, tree: ast.AST, condition: Expr, a: Value, b: Value) -> Value:
        """A conditional expression."""
        return self.merge(id(tree), condition, a, b)

    def merge(self, key: int, condition: Expr, a: Value, b: Value, name: str = "") -> Value:
        """Either of two values: `where` for a condition on numbers, a choice between two formulas for one on the configuration."""
        if _is_none(a) or _is_none(b):
            return b if _is_none(a) else a
        if isinstance(a, Sequence) and isinstance(b, Sequence) and len(a.items) == len(b.items) and not (a.grown or b.grown):
            return Sequence(tuple(self.merge(key, condition, x, y) for x, y in zip(a.items, b.items, strict=True)))
        if isinstance(a, Function | Class | Instance | Outside | Mapping | Sequence):
            return a
        if isinstance(b, Function | Class | Instance | Outside | Mapping | Sequence):
            return b
        left, right = expression(a), expression(b)
        if name:
            left, right = _inner(left, name), _inner(right, name)
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

    def _do_For(self, tree: ast.For | ast.AsyncFor) -> None:
        self.expr(tree.iter)
        self._flush(tree)
        self._loop(tree, lambda: self.bind_each(tree.target, tree.iter), self.text(unwrapped(tree.iter)))

    _do_AsyncFor = _do_For

    def _do_While(self, tree: ast.While) -> None:
        self._loop(tree, lambda: None, "")

    def _loop(self, tree: ast.For | ast.AsyncFor | ast.While, start: object, source: str) -> None:
        names = written_names(tree)
        before = dict(self.env)
        previous: dict[str, Symbol] = {}
        for name in names:
            held = self.env.get(name)
            if isinstance(held, Sequence):
                self.env[name] = Sequence((), None, name)
            elif held is not None and not isinstance(held, Sequence | Mapping | Function | Class | Instance | Outside):
                previous[name] = Symbol(name)
                self.env[name] = previous[name]
        assert callable(start)
        start()
        self.block(tree.body)
        for name in names:
            self._after(name, before.get(name), previous.get(name), source)
        self.block(tree.orelse)

    def _after(self, name: str, before: Value | None, previous: Symbol | None, source: str) -> None:
        """What a name holds after a loop: a sum or product, a list of what was appended, else what the last turn left."""
        after = self.env.get(name)
        if isinstance(after, Sequence) and isinstance(before, Sequence):
            if not after.items:
                self.env[name] = before
            elif after.source == name:
                self.env[name] = Sequence(before.items, expression(after.items[0]), name)
            return
        if after is None or previous is None or not isinstance(after, Number | Symbol | Apply):
            return
        found = accumulated(after, previous, before, source)
        if found is previous:
            self.env[name] = previous
        elif found is not None:
            self.env[name] = named(name, found)
            place = next((raw for raw in reversed(self.raws) if raw.names[:1] == (name,)), None)
            if place is not None:
                self.raws.append(Raw((name,), found, place.tree, "loop"))

    def _do_With(self, tree: ast.With | ast.AsyncWith) -> bool:
        stopped = any(_is_no_gradient(item.context_expr) for item in tree.items)
        for item in tree.items:
            value = self.value(item.context_expr)
            if item.optional_vars is not None:
                self.bind_quietly(item.optional_vars, value)
        before = dict(self.env)
        reached = self.block(tree.body)
        if stopped:
            for name, value in self.env.items():
                if before.get(name) is not value and isinstance(value, Apply):
                    self.env[name] = named(name, node("stopgrad", _inner(value, name)))
        return reached

    _do_AsyncWith = _do_With

    def _do_Try(self, tree: ast.Try) -> bool:
        before = dict(self.env)
        reached = self.block(tree.body)
        after = self.env
        for handler in tree.handlers:
            self.env = dict(before)
            handled = self.block(handler.body)
            if handled and not reached:
                after, reached = self.env, True
        self.env = after
        if tree.orelse:
            reached = self.block(tree.orelse) and reached
        if tree.finalbody:
            reached = self.block(tree.finalbody) and reached
        return reached

    def _do_Match(self, tree: ast.Match) -> None:
        before = dict(self.env)
        after = before
        for case in tree.cases:
            self.env = dict(before)
            if self.block(case.body):
                after = self._merged_case(case, after, before)
        self.env = after

    def _merged_case(self, case: ast.match_case, after: dict[str, Value], before: dict[str, Value]) -> dict[str, Value]:
        if after is before:
            return self.env
        condition = Symbol("case")
        return {name: self.merge(id(case), condition, value, after.get(name, value), name) if after.get(name, value) is not value else value
                for name, value in self.env.items()}  # fmt: skip

    # --- writing names ----------------------------------------------------------------------------------------------------

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
        if isinstance(unnamed(term), Symbol) and not isinstance(unnamed(term), Parameter) and getattr(unnamed(term), "key", None) is None:
            return Symbol(name or "...")
        return self.item(term, index, name)

    def store(self, path: str, value: Value, tree: ast.AST) -> None:
        """Give a name, attribute or key a value."""
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

    def plain_keys(self, base: str) -> set[str]:
        """The plain names by which this function looks things up in an array or table."""
        if self.keys is None:
            self.keys = {}
            for part in ast.walk(self.scope.node):
                if isinstance(part, ast.Subscript) and isinstance(part.slice, ast.Name | ast.Attribute):
                    self.keys.setdefault(self.text(part.value), set()).add(self.text(part.slice))
        return self.keys.get(base, set())


def _inner(term: Expr, name: str) -> Expr:
    if isinstance(term, Apply) and term.head == "named" and term.args[0] == Symbol(name):
        return term.args[1]
    return term


def _receiver(scope: Scope) -> str:
    current: Scope | None = scope
    while current is not None and not current.is_class:
        if current.receiver:
            return current.receiver
        current = current.parent
    return ""


def _is_none(value: Value) -> bool:
    return isinstance(value, Symbol) and value.name == "None"


def _is_no_gradient(tree: ast.expr) -> bool:
    call = tree.func if isinstance(tree, ast.Call) else tree
    return (isinstance(call, ast.Attribute) and call.attr in _NO_GRADIENT) or (isinstance(call, ast.Name) and call.id in _NO_GRADIENT)


def _configures(test: Apply) -> bool:
    """Whether a comparison is about sizes or lengths, which do not enter formulas."""
    return any(isinstance(unnamed(arg), Symbol) and ("(" in unnamed(arg).name or ".shape" in unnamed(arg).name) for arg in test.args)  # type: ignore[union-attr]
