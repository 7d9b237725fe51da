"""Abstract evaluation: what an expression is worth by default, followed through the whole program.

Demand driven: an expression is evaluated when a check asks for it, through names, imports, attributes, containers, calls and
configuration files. Parameters take what their callers pass, or their default where a caller leaves them out or nobody calls. Nothing
is executed; recursion and depth are bounded and end in `Unknown`.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from functools import cached_property
from typing import Any

from verifier.facts import arithmetic, attributes, calls, parameters
from verifier.facts.configs import Configs
from verifier.facts.guards import Guard, by_default, guards
from verifier.facts.options import OptionTable
from verifier.facts.overlay import overlay
from verifier.facts.program import CallSite, External, Program
from verifier.facts.returns import returned
from verifier.facts.scopes import Scope, Write, dotted
from verifier.facts.values import (
    UNKNOWN,
    Bound,
    Frame,
    Instance,
    Items,
    Known,
    Made,
    Ref,
    Table,
    Values,
    join,
    without_none,
)

MAX_DEPTH = 64
"""How many expressions and writes may wait for one another before the innermost counts as unknown."""
MAX_WORK = 4000
"""How many of them one question may touch."""
NEVER = 1 << 30
Key = tuple[int, int]
MAX_FRAMES = 6


class Evaluator:
    """Evaluates expressions of a program.

    Args:
        program: the program.
        configs: its configuration files.
        alive: whether a node of a scope's code is live; calls in dead code pass nothing.
    """

    def __init__(self, program: Program, configs: Configs, alive: Callable[[ast.AST, Scope], bool]) -> None:
        self.program = program
        self.configs = configs
        self.options = OptionTable(self)
        self._memo: dict[Key, Values] = {}
        self._active: dict[Key, int] = {}
        self._cut = NEVER
        self._work = 0
        self._callers: dict[int, tuple[CallSite, ...]] = {}
        self._frames: dict[tuple[int, int, int, int], Frame] = {}
        self._guards: dict[int, dict[int, tuple[Guard, ...]]] = {}
        self.alive = alive

    def evaluate(self, node: ast.expr | None, scope: Scope, frame: Frame | None = None) -> Values:
        """The candidates of an expression.

        Args:
            node: an expression of the scope's own code.
            scope: the scope whose code it is.
            frame: the call through which the scope is looked at; None for any call.

        Returns:
            At least one candidate; `Unknown` among them where something is not known.
        """
        if node is None:
            return UNKNOWN
        key = (id(node), id(frame) if frame is not None else 0)
        if key in self._memo:
            return self._memo[key]
        if key in self._active:
            self._cut = min(self._cut, self._active[key])
            return UNKNOWN
        if len(self._active) >= MAX_DEPTH or self._work >= MAX_WORK:
            self._cut = 0
            return UNKNOWN
        return self._guarded(key, lambda: self._dispatch(node, scope, frame))

    def _guarded(self, key: Key, compute: Callable[[], Values]) -> Values:
        """Compute one node of the demand graph; a result that rests on a cycle cut further up is not kept, for it may be too narrow."""
        depth = len(self._active)
        outer, self._cut = self._cut, NEVER
        self._active[key] = depth
        self._work = self._work + 1 if depth else 1
        try:
            values = compute()
        finally:
            del self._active[key]
        if self._cut >= depth or values != UNKNOWN:
            self._memo[key] = values
            self._cut = NEVER if self._cut >= depth else self._cut
        self._cut = min(outer, self._cut)
        return values

    def _dispatch(self, node: ast.expr, scope: Scope, frame: Frame | None) -> Values:
        rule = _RULES.get(type(node))
        return rule(self, node, scope, frame) if rule is not None else UNKNOWN

    def _either(self, node: ast.BoolOp, scope: Scope, frame: Frame | None) -> Values:
        parts = [self.evaluate(value, scope, frame) for value in node.values]
        return self._first_true(parts) if isinstance(node.op, ast.Or) else parts[-1]

    def _lambda(self, node: ast.Lambda, scope: Scope, frame: Frame | None) -> Values:  # noqa: ARG002 - the shape of a rule
        inner = self.program.scope_of.get(id(node))
        return (Ref(inner),) if inner is not None else UNKNOWN

    def _inner(self, node: ast.NamedExpr | ast.Await | ast.Starred, scope: Scope, frame: Frame | None) -> Values:
        return self.evaluate(node.value, scope, frame)

    def _first_true(self, parts: list[Values]) -> Values:
        kept: list[Values] = []
        for values in parts:
            sure = all(isinstance(value, Known) and value.value for value in values)
            kept.append(tuple(value for value in values if not (isinstance(value, Known) and not value.value)))
            if sure:
                break
        joined = [values for values in kept if values]
        return join(joined) if joined else parts[-1]

    def _conditional(self, node: ast.IfExp, scope: Scope, frame: Frame | None) -> Values:
        test = self.evaluate(node.test, scope, frame)
        truths = {bool(value.value) if isinstance(value, Known) else None for value in test}
        if truths == {True}:
            return self.evaluate(node.body, scope, frame)
        if truths == {False}:
            return self.evaluate(node.orelse, scope, frame)
        return without_none(join([self.evaluate(node.body, scope, frame), self.evaluate(node.orelse, scope, frame)]))

    def _items(self, node: ast.Tuple | ast.List | ast.Set, scope: Scope, frame: Frame | None) -> Values:
        items: list[Values] = []
        for element in node.elts:
            values = self.evaluate(element, scope, frame)
            if isinstance(element, ast.Starred):
                if len(values) != 1 or not isinstance(values[0], Items):
                    return UNKNOWN
                items.extend(values[0].items)
            else:
                items.append(values)
        return (Items(tuple(items), scope.location(node)),)

    def _dict(self, node: ast.Dict, scope: Scope, frame: Frame | None) -> Values:
        table = Table((), scope.location(node))
        whole = True
        for key, value in zip(node.keys, node.values, strict=True):
            values = self.evaluate(value, scope, frame)
            if key is None:
                spread = [part for part in values if isinstance(part, Table)]
                whole = whole and len(spread) == len(values) and all(part.whole for part in spread)
                for part in spread:
                    table = table.updated(part.entries)
                continue
            names = self.evaluate(key, scope, frame)
            if len(names) == 1 and isinstance(names[0], Known):
                table = table.updated([(names[0].value, values)])
            else:
                whole = False
        return (Table(table.entries, table.origin, whole),)

    # --- names ----------------------------------------------------------------------------------------------------------

    def _name(self, node: ast.Name, scope: Scope, frame: Frame | None) -> Values:
        writes = self.program.reaching(node, scope)
        if not writes:
            target = self.program.resolve(node, scope)
            return (Ref(target),) if target is not None else attributes.starred(self, node.id, scope)
        chosen = by_default(self, writes, frame)
        return without_none(
            join(overlay(self, write, node.id, self.written(write, frame), _line_in(node, scope, write)) for write in chosen)
        )

    def written(self, write: Write, frame: Frame | None = None) -> Values:
        """What one write gives its name."""
        key = (id(write), id(frame) if frame is not None else 0)
        if key in self._memo:
            return self._memo[key]
        if key in self._active:
            self._cut = min(self._cut, self._active[key])
            return UNKNOWN
        return self._guarded(key, lambda: self._written(write, frame))

    def _written(self, write: Write, frame: Frame | None) -> Values:
        match write.kind:
            case "def" | "class" | "import":
                target = self.program.written(write)
                return (Ref(target),) if target is not None else attributes.imported_constant(self, write)
            case "param":
                owner = _parameter_scope(write)
                return parameters.parameter(self, write, owner, _frame_of(owner, frame)) if owner is not None else UNKNOWN
            case "assign":
                if _is_filled_later(write):
                    return UNKNOWN
                values = self.evaluate(write.value, write.scope, _frame_of(write.scope, frame))
                return self._unpacked(values, write.unpack)
            case "augment":
                return arithmetic.augmented(self, write, _frame_of(write.scope, frame))
            case "loop":
                return self._unpacked(self._elements(write, _frame_of(write.scope, frame)), write.unpack)
            case "with":
                return self.evaluate(write.value, write.scope, _frame_of(write.scope, frame))
        return UNKNOWN

    def _elements(self, write: Write, frame: Frame | None) -> Values:
        found: list[Values] = []
        for value in self.evaluate(write.value, write.scope, frame):
            if isinstance(value, Items):
                found.extend(value.items)
            elif isinstance(value, Table):
                found.extend(((Known(key, value.origin),) for key, _ in value.entries))
            else:
                return UNKNOWN
        return join(found)

    @staticmethod
    def _unpacked(values: Values, path: tuple[int, ...]) -> Values:
        for index in path:
            picked: list[Values] = []
            for value in values:
                if isinstance(value, Items) and -len(value.items) <= index < len(value.items):
                    picked.append(value.items[index])
                else:
                    picked.append(UNKNOWN)
            values = join(picked)
        return values

    # --- calls ----------------------------------------------------------------------------------------------------------

    def called(self, site: CallSite, frame: Frame | None = None) -> Values:
        """What a call's callee may be: `Ref`, `Bound`, `Made` (an object that is called) or unknown."""
        target = self.program.resolve(site.node.func, site.scope)
        if target is not None and not (isinstance(target, Scope) and target.is_method):
            return (Ref(target),)
        return self.evaluate(site.node.func, site.scope, frame)

    def callers(self, definition: Scope) -> tuple[CallSite, ...]:
        """The calls in live code that may be of a function (for a class: of its constructor)."""
        key = id(definition)
        if key not in self._callers:
            self._callers[key] = ()
            self._callers[key] = tuple(
                site
                for site in self.program.possible_calls(definition)
                if self.alive(site.node, site.scope) and self._may_call(site, definition)
            )
        return self._callers[key]

    def _may_call(self, site: CallSite, definition: Scope) -> bool:
        for value in self.called(site):
            if isinstance(value, Ref) and isinstance(value.target, Scope):
                if value.target is definition or (value.target.is_class and self._constructs(value.target, definition)):
                    return True
            elif isinstance(value, Bound) and value.function is definition:
                return True
            elif isinstance(value, Instance) and definition.name in {"__call__", "forward"}:
                if self.program.method(value.cls, definition.name) is definition:
                    return True
        return self._by_name_alone(site, definition)

    def _constructs(self, cls: Scope, definition: Scope) -> bool:
        if definition.is_class:
            return definition in self.program.mro(cls)
        return (
            definition.name in {"__init__", "__new__", "__post_init__"}
            and self.program.method(cls, definition.name) is definition
        )

    def _by_name_alone(self, site: CallSite, definition: Scope) -> bool:
        """A method of a name that only one class defines is taken to be meant when the receiver is not known."""
        func = site.node.func
        if not definition.is_method or not isinstance(func, ast.Attribute) or func.attr != definition.name:
            return False
        if len(self.program.by_name.get(definition.name, ())) != 1:
            return False
        base = self.evaluate(func.value, site.scope)
        return not any(isinstance(value, Ref | Instance | Made | Known | Items) for value in base)

    def frame(self, callee: Scope, site: CallSite, outer: Frame | None, receiver: Instance | None = None) -> Frame | None:
        """The frame of a call, always the same object for the same call; None (any call) when they are nested too deeply."""
        if outer is not None and outer.depth >= MAX_FRAMES:
            return None
        changed = id(receiver) if receiver is not None and receiver.overrides else 0
        key = (id(callee), id(site.node), id(outer), changed)
        if key not in self._frames:
            extra = ((callee.receiver, (receiver,)),) if receiver is not None else ()
            self._frames[key] = Frame(callee, site, outer, extra)
        return self._frames[key]

    @cached_property
    def loads_configs(self) -> bool:
        """Whether the program loads configuration files at all."""
        return any(
            self.program.calls_named(name) for name in ("safe_load", "load", "full_load", "fromfile", "compose", "loads", "read")
        )

    def guards(self, scope: Scope) -> dict[int, tuple[Guard, ...]]:
        """The conditions that lead to each statement of a scope."""
        if id(scope) not in self._guards:
            self._guards[id(scope)] = guards(scope)
        return self._guards[id(scope)]

    def evaluate_call(self, function: Scope, site: CallSite) -> Values:
        """What a function of the repository returns to a call."""
        return returned(self, function, self.frame(function, site, None))

    def external(self, node: ast.expr, scope: Scope) -> str:
        """The qualified name of what lies outside the repository under an expression; empty when it is something else."""
        target = self.program.resolve(node, scope)
        return target.name if isinstance(target, External) else ""


def _constant(ev: Evaluator, node: ast.Constant, scope: Scope, frame: Frame | None) -> Values:  # noqa: ARG001 - the shape of a rule
    value = node.value
    if value is None or isinstance(value, bool | int | float | str):
        return (Known(value, scope.location(node)),)
    return UNKNOWN


def _line_in(node: ast.Name, scope: Scope, write: Write) -> int:
    """The line of a read where it stands in the same code as the write; 0 elsewhere."""
    return node.lineno if write.scope is scope and not scope.is_class and node.id != scope.receiver else 0


def _parameter_scope(write: Write) -> Scope | None:
    return write.scope if write.scope.is_function else None


def _frame_of(scope: Scope, frame: Frame | None) -> Frame | None:
    """The frame that tells what a scope's parameters are: the innermost one that called it or a function around it."""
    current = frame
    while current is not None:
        outer: Scope | None = scope
        while outer is not None:
            if outer is current.callee:
                return current
            outer = outer.parent
        current = current.outer
    return None


_RULES: dict[type[ast.expr], Callable[[Evaluator, Any, Scope, Frame | None], Values]] = {
    ast.Constant: _constant,
    ast.Name: Evaluator._name,
    ast.Attribute: attributes.attribute,
    ast.Subscript: attributes.subscript,
    ast.Call: calls.call,
    ast.Tuple: Evaluator._items,
    ast.List: Evaluator._items,
    ast.Set: Evaluator._items,
    ast.Dict: Evaluator._dict,
    ast.BinOp: arithmetic.operation,
    ast.UnaryOp: arithmetic.operation,
    ast.Compare: arithmetic.operation,
    ast.BoolOp: Evaluator._either,
    ast.IfExp: Evaluator._conditional,
    ast.JoinedStr: arithmetic.joined,
    ast.Lambda: Evaluator._lambda,
    ast.NamedExpr: Evaluator._inner,
    ast.Await: Evaluator._inner,
    ast.Starred: Evaluator._inner,
    ast.ListComp: arithmetic.comprehension,
    ast.GeneratorExp: arithmetic.comprehension,
}
"""How each kind of expression is evaluated; any other kind is unknown."""


def _is_filled_later(write: Write) -> bool:
    """Whether a list starts empty and gets its elements one by one."""
    if not isinstance(write.value, ast.List) or write.value.elts:
        return False
    return any(
        isinstance(call.func, ast.Attribute)
        and call.func.attr in {"append", "extend", "insert"}
        and dotted(call.func.value) == write.name
        for call in write.scope.calls
    )
