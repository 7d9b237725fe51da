"""Everything known while lifting a program: what each scope computes, what names and attributes stand for."""

from __future__ import annotations

import ast
from functools import cached_property
from typing import TYPE_CHECKING

from verifier.facts.lifting.binding import Summary
from verifier.facts.lifting.terms import (
    Class,
    Filled,
    Function,
    Held,
    Instance,
    Member,
    Node,
    Outside,
    Value,
    number,
)
from verifier.facts.lifting.walk import Walker
from verifier.facts.program import External, Program, Target
from verifier.facts.scopes import Scope, Write
from verifier.lexicon.operators import Operators, operators
from verifier.model.expression import Number, Symbol

if TYPE_CHECKING:
    from verifier.model.expression import Expr

SETUP = ("__init__", "setup", "__post_init__", "build")
"""Methods in which an object gets its attributes."""


class Lifter:
    """Walks scopes when first asked for.

    Args:
        program: the program.
        table: the operators of libraries; those of rules/operators when left out.
    """

    def __init__(self, program: Program, table: Operators | None = None) -> None:
        self.program = program
        self.table = table or operators()
        self._summaries: dict[int, Summary] = {}
        self._globals: dict[tuple[int, str], Value | None] = {}
        self._attributes: dict[int, dict[str, tuple[Value, Scope]]] = {}

    def summary(self, scope: Scope) -> Summary:
        """What a scope computes, still open."""
        known = self._summaries.get(id(scope))
        if known is None:
            known = self._summaries[id(scope)] = Walker(scope, self).run()
        return known

    def statement(self, scope: Scope, result: Value) -> ast.AST:
        """The statement that computes what a scope returns: of a named result the one that stores it, else the return."""
        raws = self.summary(scope).raws
        if isinstance(result, Node) and result.head == "named" and isinstance(result.args[0], Symbol):
            name = result.args[0].name
            storing = [raw.tree for raw in raws if raw.names[:1] == (name,)]
            if storing:
                return storing[-1]
        returning = [raw.tree for raw in raws if raw.kind == "return"]
        return returning[-1] if returning else scope.node

    # --- names ------------------------------------------------------------------------------------------------------------

    def global_value(self, name: str, owner: Scope) -> Value | None:
        """The function, class, module or outside thing that a scope binds a name to; None for any other value."""
        key = (id(owner), name)
        if key not in self._globals:
            writes = self.program.flow(owner).exit.get(name) or tuple(owner.writes.get(name, ()))
            targets = [self.program.written(write) for write in writes]
            known = [target for target in targets if target is not None]
            self._globals[key] = self.of_target(known[-1], name) if known else None
        return self._globals[key]

    def nested_function(self, name: str, owner: Scope) -> Value | None:
        """What an outer function binds a name to, unless that depends on its own arguments."""
        found = self.global_value(name, owner)
        return found if isinstance(found, Class | Outside) else None

    def starred(self, name: str, module: Scope) -> Value | None:
        """What a star import may bind a name to."""
        if "*" not in module.writes:
            return None
        target = self.program.resolve(ast.Name(id=name, ctx=ast.Load()), module)
        return self.of_target(target, name) if target is not None else None

    def of_target(self, target: Target, shown: str) -> Value:
        """A resolved name as a value."""
        if isinstance(target, External):
            constant = self.table.constants.get(target.name)
            return Symbol(constant) if constant else Outside(target.name, shown)
        return Function(target) if target.is_function else Class(target)

    def member_value(self, scope: Scope, name: str) -> Value | None:
        """A member of a module or class of the repository."""
        target = self.program.member(scope, name)
        return self.of_target(target, name) if target is not None else None

    def imported_from(self, write: Write) -> tuple[Scope, str] | None:
        """The module of the repository and the name in it that an import binds."""
        node = write.node
        if not isinstance(node, ast.ImportFrom):
            return None
        module = write.scope.module
        base = self.program.find_module(_absolute(node, module), module)
        names = [alias.name for alias in node.names if (alias.asname or alias.name) == write.name]
        return (base, names[0]) if base is not None and names else None

    # --- classes ----------------------------------------------------------------------------------------------------------

    def attributes(self, cls: Scope) -> dict[str, tuple[Value, Scope]]:
        """The attributes that a class's constructor sets and no other method changes, with the method that sets them."""
        known = self._attributes.get(id(cls))
        if known is None:
            known = self._attributes[id(cls)] = {}
            for owner in reversed(self.program.mro(cls)):
                if isinstance(owner, Scope) and owner.is_class:
                    known.update(self._own_attributes(owner))
        return known

    def _own_attributes(self, cls: Scope) -> dict[str, tuple[Value, Scope]]:
        stores = self.program.attribute_stores.get(id(cls), {})
        found: dict[str, tuple[Value, Scope]] = {}
        for child in cls.children:
            if child.name in SETUP and child.receiver:
                prefix = f"{child.receiver}."
                for path, value in self.summary(child).env.items():
                    attribute = path.removeprefix(prefix)
                    if path.startswith(prefix) and "." not in attribute and not isinstance(value, Filled):
                        elsewhere = any(write.scope is not child for write in stores.get(attribute, ()))
                        if not elsewhere:
                            found[attribute] = (value, child)
        return found

    def class_constant(self, cls: Scope, key: str) -> Number | None:
        """The number that a class body gives an attribute for good; the defaults of a dataclass are for its callers to change."""
        for owner in self.program.mro(cls):
            if not isinstance(owner, Scope) or not isinstance(owner.node, ast.ClassDef):
                continue
            writes = owner.writes.get(key, [])
            stored = self.program.attribute_stores.get(id(owner), {}).get(key, ())
            if writes and len(stored) <= 1 and not owner.node.decorator_list and isinstance(writes[-1].value, ast.Constant):
                value = writes[-1].value.value
                if isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e40:
                    return number(value)
                return None
        return None

    def instance_attribute(self, base: Instance, name: str, path: str) -> Value:
        """An attribute of an object, left open."""
        return Member(path, Held(path, base), name)

    @cached_property
    def _methods(self) -> frozenset[str]:
        return frozenset(scope.name for scope in self.program.scopes if scope.is_method)

    def is_own_method(self, name: str, receiver: Expr) -> bool:
        """Whether a method of a tensor's name may be one of the repository's own on this receiver."""
        return name in self._methods and isinstance(receiver, Member)


def _absolute(node: ast.ImportFrom, module: Scope) -> str:
    if not node.level:
        return node.module or ""
    parts = module.qualified.split(".")
    keep = len(parts) - node.level + (1 if module.file.path.endswith("__init__.py") else 0)
    return ".".join([*parts[: max(keep, 0)], *([node.module] if node.module else [])])
