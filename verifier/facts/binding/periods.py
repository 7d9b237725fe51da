"""Bindings by conditions: `if step % 5000 == 0: save_checkpoint()` gives `save_checkpoint.every` the value 5000."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial

from verifier.facts.binding.context import Context
from verifier.facts.nodes import walk
from verifier.facts.scopes import Scope, tail
from verifier.facts.values import worths
from verifier.model.facts import Binding, Place, Role

Maker = Callable[[], Binding | None]
NAMES = ("every", "interval")
"""What a subject calls the number of rounds between two calls: `checkpoint every`, `evaluation interval`."""


@dataclass
class Periods:
    """What is done once in so many rounds.

    Attributes:
        context: the analyses they rest on.
    """

    context: Context
    _known: dict[int, dict[int, ast.expr]] = field(default_factory=dict)

    def of_scope(self, scope: Scope) -> Iterator[tuple[str, Maker]]:
        """The periods of the calls made by a scope's code."""
        if not scope.calls:
            return
        periods = self._of_file(scope)
        for call in scope.calls:
            period = periods.get(id(call)) if periods else None
            if period is not None and tail(call.func):
                for name in NAMES:
                    yield name, partial(self._binding, name, call, period, scope)

    def _of_file(self, scope: Scope) -> dict[int, ast.expr]:
        """Id of a call -> the number of rounds of the innermost condition around it."""
        key = id(scope.file)
        if key not in self._known:
            found: dict[int, ast.expr] = {}
            for node in self.context.program.nodes(scope.file).of(ast.If):
                period = _period(node.test) if isinstance(node, ast.If) else None
                if period is not None and isinstance(node, ast.If):
                    calls = (part for statement in node.body for part in walk(statement) if isinstance(part, ast.Call))
                    found.update((id(call), period) for call in calls)
            self._known[key] = found
        return self._known[key]

    def _binding(self, name: str, call: ast.Call, period: ast.expr, scope: Scope) -> Binding:
        values = self.context.ev.evaluate(period, scope)
        location = scope.location(period)
        place = Place(location, (*scope.names, tail(call.func), name), self.context.liveness.reason(call, scope))
        return Binding(name, (tail(call.func),), Role.ASSIGNMENT, place, worths(values, location))


def _period(test: ast.expr) -> ast.expr | None:
    """The `n` of `step % n == 0` or `not step % n`, alone or joined by `and`."""
    if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And):
        return next((found for part in test.values if (found := _period(part)) is not None), None)
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return _modulus(test.operand)
    if isinstance(test, ast.Compare) and len(test.ops) == 1 and isinstance(test.ops[0], ast.Eq):
        return _modulus(test.left)
    return None


def _modulus(node: ast.expr) -> ast.expr | None:
    return node.right if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod) else None
