"""The program: all modules of a repository, how their names resolve, what its classes hold, who may call whom."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cached_property

from verifier.facts.modules import module_name
from verifier.facts.nodes import Nodes
from verifier.facts.resolve import Resolver
from verifier.facts.scopes import Scope, Write, dotted, tail
from verifier.facts.targets import CallSite, External, Target
from verifier.model.repository import PythonFile


class Program(Resolver):
    """All code files of a repository (tests are left out), with indexes of what classes store and what is called."""

    @cached_property
    def _patches(self) -> dict[str, list[Write]]:
        """Attribute -> where module code gives one of something else a value: `Net.dropout = 0`."""
        found: dict[str, list[Write]] = {}
        for module in self.modules.values():
            for store in module.stores:
                if store.kind == "assign" and store.name.count(".") == 1:
                    found.setdefault(store.name.rpartition(".")[2], []).append(store)
        return found

    def patches(self, cls: Scope, name: str) -> list[Write]:
        """Where live module code gives an attribute of a class another value."""
        found = []
        for store in self._patches.get(name, ()):
            target = store.node.targets[0] if isinstance(store.node, ast.Assign) else None
            base = target.value if isinstance(target, ast.Attribute) else None
            if base is not None and self.resolve(base, store.scope) is cls and not self.is_dead(store.node, store.scope):
                found.append(store)
        return found

    @cached_property
    def attribute_stores(self) -> dict[int, dict[str, tuple[Write, ...]]]:
        """Id of a class scope -> attribute -> its writes through `self` in the class's own methods, and in its body."""
        found: dict[int, dict[str, list[Write]]] = {}
        for scope in self.scopes:
            if scope.is_class:
                table = found.setdefault(id(scope), {})
                for name, writes in scope.writes.items():
                    table.setdefault(name, []).extend(write for write in writes if write.kind == "assign")
            for store in scope.stores:
                owner = _receiver_scope(scope)
                if owner is not None and owner.parent is not None and store.name.startswith(f"{owner.receiver}."):
                    found.setdefault(id(owner.parent), {}).setdefault(store.name.split(".", 1)[1], []).append(store)
        return {key: {name: tuple(writes) for name, writes in table.items() if writes} for key, table in found.items()}

    @cached_property
    def _calls_by_tail(self) -> dict[str, tuple[CallSite, ...]]:
        found: dict[str, list[CallSite]] = {}
        for scope in self.scopes:
            for node in scope.calls:
                found.setdefault(tail(node.func), []).append(CallSite(node, scope))
        return {name: tuple(sites) for name, sites in found.items()}

    @cached_property
    def _aliases(self) -> dict[str, frozenset[str]]:
        """Name of a definition -> other names it is imported or assigned under."""
        found: dict[str, set[str]] = {}
        for scope in self.scopes:
            for writes in scope.writes.values():
                for write in writes:
                    if isinstance(write.node, ast.ImportFrom):
                        for alias in write.node.names:
                            if alias.asname == write.name:
                                found.setdefault(alias.name, set()).add(write.name)
                    elif write.kind == "assign" and isinstance(write.value, ast.Name | ast.Attribute):
                        found.setdefault(tail(write.value), set()).add(write.name)
            for store in scope.stores:
                if isinstance(store.value, ast.Name | ast.Attribute):
                    found.setdefault(tail(store.value), set()).add(store.name.rsplit(".", 1)[-1])
        return {name: frozenset(others) for name, others in found.items()}

    def calls_named(self, name: str) -> tuple[CallSite, ...]:
        """All calls whose callee's last identifier is `name`, whatever it resolves to."""
        return self._calls_by_tail.get(name, ())

    @cached_property
    def call_names(self) -> tuple[str, ...]:
        """Every last identifier that is called."""
        return tuple(self._calls_by_tail)

    @cached_property
    def _nodes(self) -> dict[str, Nodes]:
        return {}

    def nodes(self, file: PythonFile) -> Nodes:
        """The nodes of a file."""
        if file.path not in self._nodes:
            self._nodes[file.path] = Nodes(file.tree)
        return self._nodes[file.path]

    def callee(self, site: CallSite) -> Target | None:
        """What a call calls: a function or class of the repository, or something outside."""
        return self.resolve(site.node.func, site.scope)

    def possible_calls(self, definition: Scope) -> Iterator[CallSite]:
        """Calls that may, by the called name, be of this function or class (or of its `__init__`); callees are not yet resolved."""
        name = definition.name
        if (
            definition.is_method
            and name in {"__init__", "__call__", "forward", "__new__", "__post_init__"}
            and definition.parent is not None
        ):
            name = definition.parent.name
        seen: set[int] = set()
        names = [name, *sorted(self._aliases.get(name, ()))]
        for alias in names:
            for site in self.calls_named(alias):
                if id(site.node) not in seen:
                    seen.add(id(site.node))
                    yield site


def _receiver_scope(scope: Scope) -> Scope | None:
    """The method whose `self` a scope's code sees: itself, or the method around a nested function."""
    current: Scope | None = scope
    while current is not None and not current.is_class:
        if current.receiver:
            return current
        current = current.parent
    return None


__all__ = ["CallSite", "External", "Program", "Target", "dotted", "module_name", "tail"]
