"""Walk a function, class body or module once, with an environment, and keep every term it computes."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from verifier.facts.lifting.binding import Binding, Raw, Summary, is_none, without_name
from verifier.facts.lifting.loops import accumulated, unwrapped
from verifier.facts.lifting.survey import Survey
from verifier.facts.lifting.terms import (
    NONE,
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
    named,
    node,
    unnamed,
)
from verifier.model.expression import Apply, Expr, Number, Symbol

if TYPE_CHECKING:
    from verifier.facts.lifting.lifter import Lifter
    from verifier.facts.scopes import Scope

_NO_GRADIENT = frozenset({"no_grad", "inference_mode"})


class Walker(Binding):
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
        self.survey = Survey(scope)

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
            if raw.kind == "return" and not is_none(raw.value) and not self.program.is_dead(raw.tree, self.scope)
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
            handler = _HANDLERS.get(type(statement))
            goes_on = handler is None or handler(self, statement) is not False
            self._flush(statement)
            if before is not None:
                self.env = before
            reached = reached and goes_on
        return reached

    def _flush(self, statement: ast.stmt) -> None:
        for path, term in self.updates.items():
            self.raws.append(Raw((path,), term, statement, "update"))
        self.updates.clear()

    def _assign(self, tree: ast.Assign) -> None:
        value = self.value(tree.value)
        for target in tree.targets:
            self.bind(target, value, tree)

    def _ann_assign(self, tree: ast.AnnAssign) -> None:
        if tree.value is not None:
            self.bind(tree.target, self.value(tree.value), tree)

    def _aug_assign(self, tree: ast.AugAssign) -> None:
        current, added = self._current(tree.target), self.value(tree.value)
        if isinstance(current, Sequence) and isinstance(added, Sequence):
            self.bind(tree.target, Sequence(current.items + added.items, current.grown or added.grown, current.source), tree)
            return
        self.bind(tree.target, self.binary(tree.op, expression(current), expression(added)), tree)

    def _current(self, target: ast.expr) -> Value:
        if isinstance(target, ast.Name):
            return self.env.get(target.id) or self.outer(target.id)
        return self.value(target)

    def _expr(self, tree: ast.Expr) -> None:
        if isinstance(tree.value, ast.Yield | ast.YieldFrom):
            if tree.value.value is not None:
                self.raws.append(Raw((self.scope.name,), self.value(tree.value.value), tree, "yield"))
            return
        if isinstance(tree.value, ast.Constant):
            return
        value = self.value(tree.value)
        if not self.updates and isinstance(value, Apply) and isinstance(tree.value, ast.BinOp | ast.Call):
            self.raws.append(Raw((), value, tree, "lost"))

    def _return(self, tree: ast.Return) -> bool:
        self.returned(self.value(tree.value) if tree.value is not None else NONE, tree)
        return False

    def returned(self, value: Value, tree: ast.AST) -> None:
        """Keep what is returned, and each part of it that has a name of its own."""
        condition = self.conditions[-1] if self.conditions else None
        self.raws.append(Raw((self.scope.name,), value, tree, "return", condition))
        if isinstance(value, Mapping):
            for key, entry in value.entries.items():
                self.raws.append(Raw((key,), entry, tree, "key"))

    def _raise(self, _: ast.Raise) -> bool:
        return False

    def _continue(self, _: ast.Continue) -> bool:
        return False

    def _break(self, _: ast.Break) -> bool:
        return False

    def _function_def(self, tree: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        self.env[tree.name] = Function(self.program.scope_of[id(tree)])

    def _class_def(self, tree: ast.ClassDef) -> None:
        self.env[tree.name] = Class(self.program.scope_of[id(tree)])

    def _import(self, tree: ast.Import | ast.ImportFrom) -> None:
        for name, writes in self.scope.writes.items():
            if any(write.node is tree for write in writes):
                known = self.lifter.global_value(name, self.scope)
                if known is not None:
                    self.env[name] = known

    def _if(self, tree: ast.If) -> bool:
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
                merged[name] = Symbol(name) if isinstance(value, Filled) and "." in name else value
            elif other is not value:
                merged[name] = self.merge(id(tree), condition, value, other, name)
        return merged

    def _for(self, tree: ast.For | ast.AsyncFor) -> None:
        self.expr(tree.iter)
        self._flush(tree)
        self._loop(tree, lambda: self.bind_each(tree.target, tree.iter), self.text(unwrapped(tree.iter)))

    def _while(self, tree: ast.While) -> None:
        self._loop(tree, lambda: None, "")

    def _loop(self, tree: ast.For | ast.AsyncFor | ast.While, start: object, source: str) -> None:
        names = self.survey.written_in(tree)
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
        if before is not None and unnamed(after) is previous:
            self.env[name] = before
            return
        found = accumulated(after, previous, before, source)
        if found is previous:
            self.env[name] = previous
        elif found is not None:
            self.env[name] = named(name, found)
            place = next((raw for raw in reversed(self.raws) if raw.names[:1] == (name,)), None)
            if place is not None:
                self.raws.append(Raw((name,), found, place.tree, "loop"))

    def _with(self, tree: ast.With | ast.AsyncWith) -> bool:
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
                    self.env[name] = named(name, node("stopgrad", without_name(value, name)))
        return reached

    def _try(self, tree: ast.Try) -> bool:
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

    def _match(self, tree: ast.Match) -> None:
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


def _receiver(scope: Scope) -> str:
    current: Scope | None = scope
    while current is not None and not current.is_class:
        if current.receiver:
            return current.receiver
        current = current.parent
    return ""


def _is_no_gradient(tree: ast.expr) -> bool:
    call = tree.func if isinstance(tree, ast.Call) else tree
    return (isinstance(call, ast.Attribute) and call.attr in _NO_GRADIENT) or (
        isinstance(call, ast.Name) and call.id in _NO_GRADIENT
    )


_HANDLERS: dict[type[ast.stmt], Callable[[Walker, Any], bool | None]] = {
    ast.Assign: Walker._assign,
    ast.AnnAssign: Walker._ann_assign,
    ast.AugAssign: Walker._aug_assign,
    ast.Expr: Walker._expr,
    ast.Return: Walker._return,
    ast.Raise: Walker._raise,
    ast.Continue: Walker._continue,
    ast.Break: Walker._break,
    ast.FunctionDef: Walker._function_def,
    ast.ClassDef: Walker._class_def,
    ast.Import: Walker._import,
    ast.If: Walker._if,
    ast.For: Walker._for,
    ast.While: Walker._while,
    ast.With: Walker._with,
    ast.Try: Walker._try,
    ast.Match: Walker._match,
    ast.AsyncFunctionDef: Walker._function_def,
    ast.ImportFrom: Walker._import,
    ast.AsyncFor: Walker._for,
    ast.AsyncWith: Walker._with,
}
