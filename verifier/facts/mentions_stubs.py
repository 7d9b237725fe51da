"""What stands under a name: the placeholder that it rests on, and what it calls."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from verifier.facts.evaluate import Evaluator
from verifier.facts.mentions_sightings import Sightings
from verifier.facts.placeholders import Placeholders
from verifier.facts.program import CallSite, External, Target
from verifier.facts.scopes import Scope
from verifier.facts.values import Bound, Instance, Made, Ref
from verifier.model.facts import Placeholder

_MOST_NODES = 60
_MOST_USES = 40
_DEEPEST = 3


class Grounds:
    """What definitions and values rest on.

    Args:
        ev: the evaluator.
        placeholders: what is a placeholder.
        sightings: gives calls their expanded names.
    """

    def __init__(self, ev: Evaluator, placeholders: Placeholders, sightings: Sightings) -> None:
        self.ev, self.program = ev, ev.program
        self.placeholders, self.sightings = placeholders, sightings

    # --- what a call calls ----------------------------------------------------------------------------------------------

    def targets(self, node: ast.Call, scope: Scope) -> tuple[Target, ...]:
        """What a call may call; methods of an unknown object by their name, when the repository defines it."""
        found: list[Target] = []
        for value in self.ev.called(CallSite(node, scope)):
            if isinstance(value, Ref):
                found.append(value.target)
            elif isinstance(value, Bound):
                found.append(value.function)
            elif isinstance(value, Made):
                found.append(External(value.name))
            elif isinstance(value, Instance):
                method = self.program.method(value.cls, "forward") or self.program.method(value.cls, "__call__")
                found.append(method or value.cls)
        if not found and isinstance(node.func, ast.Attribute):
            found.extend(scope for scope in self.program.by_name.get(node.func.attr, ()) if scope.is_method)
        return tuple(dict.fromkeys(found))

    def call_stub(self, node: ast.Call, scope: Scope) -> Placeholder | None:
        """The placeholder that a call ends in, whatever of the possible callees is meant."""
        found = [self.definition_stub(target) if isinstance(target, Scope) else None for target in self.targets(node, scope)]
        return found[0] if found and all(stub is not None for stub in found) else None

    def definition_stub(self, scope: Scope) -> Placeholder | None:
        """The placeholder that a function or class is or rests on."""
        return self.placeholders.of(scope) if scope.is_class else self.placeholders.resting_on(scope)

    # --- what a value is made of ----------------------------------------------------------------------------------------

    def value_stub(self, name: str, node: ast.expr, scope: Scope, depth: int = _DEEPEST) -> Placeholder | None:
        """The placeholder that a named value rests on: a call of one, a made-up number, a marked assignment."""
        made_up = self.placeholders.made_up(name, node, scope)
        if made_up is not None:
            return made_up
        for part in _parts(node):
            if isinstance(part, ast.Call):
                found = self.call_stub(part, scope)
            elif isinstance(part, ast.Name) and isinstance(part.ctx, ast.Load) and depth > 0:
                found = self._name_stub(part, scope, depth)
            else:
                continue
            if found is not None:
                return found
        return None

    def _name_stub(self, node: ast.Name, scope: Scope, depth: int) -> Placeholder | None:
        writes = self.program.reaching(node, scope)
        if len(writes) != 1 or writes[0].kind != "assign" or writes[0].value is None:
            return None
        write = writes[0]
        if isinstance(write.node, ast.stmt):
            single = self.placeholders.statement(write.node, write.scope)
            if single is not None:
                return single
        return self.value_stub(write.name, write.value, write.scope, depth - 1) if write.value is not None else None

    # --- what a definition or value calls -------------------------------------------------------------------------------

    def uses(self, scope: Scope) -> tuple[str, ...]:
        """The names that a function or class calls, and the strings that it passes."""
        found: dict[str, None] = {}
        for inner in scope.walk():
            for call in inner.calls:
                found.update(dict.fromkeys(self._of_call(call, inner)))
        return tuple(found)[:_MOST_USES]

    def value_uses(self, node: ast.expr, scope: Scope) -> tuple[str, ...]:
        """The names that an expression calls or passes on, and the strings in it."""
        found: dict[str, None] = {}
        for part in _parts(node):
            if isinstance(part, ast.Call):
                found.update(dict.fromkeys(self._of_call(part, scope)))
            elif isinstance(part, ast.Name | ast.Attribute) and self.sightings.names_definition(part, scope):
                found[self.sightings.expanded(part, scope)] = None
        return tuple(found)[:_MOST_USES]

    def _of_call(self, call: ast.Call, scope: Scope) -> Iterator[str]:
        yield self.sightings.expanded(call.func, scope)
        for argument in (*call.args, *(keyword.value for keyword in call.keywords)):
            if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
                yield argument.value


def _parts(node: ast.expr) -> Iterator[ast.AST]:
    for count, part in enumerate(ast.walk(node)):
        if count >= _MOST_NODES:
            return
        yield part
