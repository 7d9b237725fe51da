"""Name resolution: which module, class or function an expression stands for.

Names resolve as Python would bind them: local scopes, closures, module globals, imports (absolute, relative, aliased, star,
re-exported), base classes. What lies outside the repository resolves to its qualified name (`torch.optim.Adam`).
"""

from __future__ import annotations

import ast
import builtins
from functools import cached_property

from verifier.facts.scopes import Scope, Write
from verifier.facts.sights import Sights
from verifier.facts.targets import External, Target
from verifier.model.repository import Repository

MAX_HOPS = 24
"""How many aliases and re-exports are followed before a name counts as unknown."""


class Resolver(Sights):
    """Scopes whose names resolve."""

    def __init__(self, repository: Repository) -> None:
        super().__init__(repository)
        self._resolving: set[int] = set()

    def resolve(self, node: ast.expr, scope: Scope, hops: int = MAX_HOPS) -> Target | None:
        """What an expression stands for, if it is a module, class, function or something outside; None when unknown.

        Args:
            node: a name or attribute (a call or value resolves to None; see the evaluator for values).
            scope: the scope that reads it.
            hops: how many aliases may still be followed.
        """
        if hops <= 0:
            return None
        if isinstance(node, ast.Name):
            writes = self.reaching(node, scope)
            if not writes and self.lookup(node.id, scope) is None:
                return self._unbound(node.id, scope, hops)
            targets = [self.written(write, hops - 1) for write in writes]
            known = [target for target in targets if target is not None]
            return known[-1] if known else None
        if isinstance(node, ast.Attribute):
            if isinstance(node.value, ast.Name) and node.value.id and node.value.id == scope.receiver:
                owner = scope.parent
                return self.member(owner, node.attr) if owner is not None else None
            base = self.resolve(node.value, scope, hops - 1)
            return self.member(base, node.attr, hops - 1) if base is not None else None
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "super":
            return self._super(scope)
        return None

    def written(self, write: Write, hops: int = MAX_HOPS) -> Target | None:
        """What a write binds its name to, if it is a module, class, function or something outside."""
        if hops <= 0:
            return None
        match write.kind:
            case "def" | "class":
                return self.scope_of.get(id(write.node))
            case "import":
                return self._imported(write, hops)
            case "assign" if write.value is not None and not write.unpack:
                key = id(write)
                if key in self._resolving:
                    return None
                self._resolving.add(key)
                try:
                    if isinstance(write.value, ast.Lambda):
                        return self.scope_of.get(id(write.value))
                    return self.resolve(write.value, write.scope, hops - 1)
                finally:
                    self._resolving.discard(key)
        return None

    def member(self, target: Target | None, name: str, hops: int = MAX_HOPS) -> Target | None:
        """An attribute of a module, class or outside thing."""
        if target is None or hops <= 0:
            return None
        if isinstance(target, External):
            return External(f"{target.name}.{name}")
        if target.is_module:
            return self._global(target, name, hops)
        if target.is_class:
            for owner in self.mro(target):
                if isinstance(owner, External):
                    return None
                for write in reversed(owner.writes.get(name, [])):
                    return self.written(write, hops - 1)
        return None

    def _global(self, module: Scope, name: str, hops: int) -> Target | None:
        writes = self.flow(module).exit.get(name) or tuple(module.writes.get(name, ()))
        for write in reversed(writes):
            found = self.written(write, hops - 1)
            if found is not None:
                return found
        if writes:
            return None
        submodule = self.modules.get(f"{module.qualified}.{name}")
        return submodule or self._starred(module, name, hops)

    def _unbound(self, name: str, scope: Scope, hops: int) -> Target | None:
        starred = self._starred(scope.module, name, hops)
        if starred is not None:
            return starred
        if hasattr(builtins, name):
            return External(f"builtins.{name}")
        return self._starred_outside(scope.module, name)

    def _starred_outside(self, module: Scope, name: str) -> Target | None:
        """A name that only `from library import *` can have brought, when there is one such library."""
        nodes = [write.node for write in module.writes.get("*", ()) if isinstance(write.node, ast.ImportFrom)]
        outside = [source for node in nodes if isinstance(source := self._module_of(node, module), External)]
        return External(f"{outside[0].name}.{name}") if len(outside) == 1 else None

    def _starred(self, module: Scope, name: str, hops: int) -> Target | None:
        for write in module.writes.get("*", ()):
            if isinstance(write.node, ast.ImportFrom):
                source = self._module_of(write.node, module)
                if isinstance(source, Scope):
                    found = self._global(source, name, hops - 1) if hops > 0 else None
                    if found is not None:
                        return found
        return None

    def _imported(self, write: Write, hops: int) -> Target | None:
        node = write.node
        if isinstance(node, ast.Import):
            for alias in node.names:
                if alias.asname == write.name:
                    return self.find_module(alias.name, write.scope) or External(alias.name)
                if alias.asname is None and alias.name.split(".")[0] == write.name:
                    return self.find_module(write.name, write.scope) or External(write.name)
        if isinstance(node, ast.ImportFrom):
            for alias in node.names:
                if (alias.asname or alias.name) == write.name:
                    base = self._module_of(node, write.scope.module)
                    if isinstance(base, Scope):
                        found = self._global(base, alias.name, hops - 1)
                        if found is not None or alias.name in base.writes:
                            return found
                    submodule = self._submodule(node, alias.name, write.scope.module)
                    if submodule is not None:
                        return submodule
                    if isinstance(base, External):
                        return External(f"{base.name}.{alias.name}")
        return None

    def bases(self, cls: Scope) -> tuple[Target, ...]:
        """The resolved base classes, unknown ones left out."""
        assert isinstance(cls.node, ast.ClassDef)
        outer = cls.parent or cls
        resolved = (self.resolve(_unsubscripted(base), outer) for base in cls.node.bases)
        return tuple(base for base in resolved if base is not None and base is not cls)

    def mro(self, cls: Scope) -> tuple[Target, ...]:
        """The class and its bases, depth first, each once (not C3: enough to find who defines a member)."""
        order: dict[int | str, Target] = {}
        stack: list[Target] = [cls]
        while stack and len(order) < 64:
            current = stack.pop()
            key = current.name if isinstance(current, External) else id(current)
            if key in order:
                continue
            order[key] = current
            if isinstance(current, Scope) and current.is_class:
                stack.extend(reversed(self.bases(current)))
        return tuple(order.values())

    def method(self, cls: Scope, name: str) -> Scope | None:
        """The method that a class or a base of it in the repository defines last under this name."""
        found = self.member(cls, name)
        return found if isinstance(found, Scope) and found.is_function else None

    @cached_property
    def subclasses(self) -> dict[int, tuple[Scope, ...]]:
        """Id of a class scope -> classes of the repository that name it as a base."""
        found: dict[int, list[Scope]] = {}
        for scope in self.scopes:
            if scope.is_class:
                for base in self.bases(scope):
                    if isinstance(base, Scope):
                        found.setdefault(id(base), []).append(scope)
        return {key: tuple(classes) for key, classes in found.items()}

    def enclosing_class(self, scope: Scope) -> Scope | None:
        """The class whose method `scope` is or stands in."""
        current: Scope | None = scope
        while current is not None:
            if current.is_class:
                return current
            current = current.parent
        return None

    def _super(self, scope: Scope) -> Target | None:
        cls = self.enclosing_class(scope)
        bases = self.bases(cls) if cls is not None else ()
        return bases[0] if bases else None


def _unsubscripted(node: ast.expr) -> ast.expr:
    return node.value if isinstance(node, ast.Subscript) else node
