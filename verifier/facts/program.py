"""The program: all modules of a repository, how their names resolve, who calls whom.

Names resolve statically as Python would bind them: local scopes, closures, module globals, imports (absolute, relative, aliased,
star, re-exported), base classes. What lies outside the repository resolves to its qualified name (`torch.optim.Adam`).
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from verifier.facts.flow import Flow, analyse
from verifier.facts.scopes import Scope, Write, dotted, module_scope, tail
from verifier.model.repository import PythonFile, Repository, Role

MAX_HOPS = 24
"""How many aliases and re-exports are followed before a name counts as unknown."""


@dataclass(frozen=True, slots=True)
class External:
    """Something outside the repository, by its qualified name; builtins are `builtins.x`."""

    name: str


Target = Scope | External
"""What a name stands for: a module, class or function of the repository, or something outside."""


@dataclass(frozen=True, slots=True, eq=False)
class CallSite:
    """A call and the scope whose code makes it."""

    node: ast.Call
    scope: Scope


class Program:
    """All code files of a repository (tests are left out).

    Args:
        repository: the repository as read.
    """

    def __init__(self, repository: Repository) -> None:
        self.repository = repository
        self.modules: dict[str, Scope] = {}
        for file in repository.python:
            if file.role is Role.CODE:
                name = module_name(file)
                self.modules[name] = module_scope(file, name)
        self._flows: dict[int, Flow] = {}
        self._resolving: set[tuple[int, str]] = set()
        self._truths: dict[int, bool | None] = {}

    @cached_property
    def scopes(self) -> tuple[Scope, ...]:
        """Every scope, by module in path order, outer before inner."""
        return tuple(scope for module in self.modules.values() for scope in module.walk())

    @cached_property
    def scope_of(self) -> dict[int, Scope]:
        """Id of a module, class, function or lambda node -> its scope."""
        return {id(scope.node): scope for scope in self.scopes}

    @cached_property
    def by_name(self) -> dict[str, tuple[Scope, ...]]:
        """Name of a class or function -> all scopes with this name."""
        found: dict[str, list[Scope]] = {}
        for scope in self.scopes:
            if not scope.is_module:
                found.setdefault(scope.name, []).append(scope)
        return {name: tuple(scopes) for name, scopes in found.items()}

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

    def flow(self, scope: Scope) -> Flow:
        """The data flow inside one scope, computed when first asked for."""
        known = self._flows.get(id(scope))
        if known is None:
            known = self._flows[id(scope)] = analyse(scope, lambda test: self.truth(test, scope))
        return known

    def truth(self, test: ast.expr, scope: Scope) -> bool | None:
        """Whether a condition is constant, and which way: literals, and module constants that are written once.

        Configuration and options do not count: what they switch off is not dead.
        """
        match test:
            case ast.Constant():
                return bool(test.value)
            case ast.UnaryOp(op=ast.Not()):
                inner = self.truth(test.operand, scope)
                return None if inner is None else not inner
            case ast.BoolOp():
                parts = [self.truth(value, scope) for value in test.values]
                decisive = isinstance(test.op, ast.Or)
                if decisive in parts:
                    return decisive
                return None if None in parts else not decisive
            case ast.Name(id="TYPE_CHECKING") | ast.Attribute(attr="TYPE_CHECKING"):
                return False
            case ast.Name():
                return self._constant_flag(test, scope)
        return None

    def _constant_flag(self, name: ast.Name, scope: Scope) -> bool | None:
        owner = self.lookup(name.id, scope)
        if owner is None:
            return None
        writes = owner.writes[name.id]
        if len(writes) != 1 or writes[0].kind != "assign" or writes[0].unpack or owner.is_class:
            return None
        value = writes[0].value
        if isinstance(value, ast.Constant) and (value.value is None or isinstance(value.value, bool | int)):
            return bool(value.value)
        return None

    def lookup(self, name: str, scope: Scope) -> Scope | None:
        """The scope that binds a plain name read in `scope`; None when no scope of the file does."""
        current: Scope | None = scope
        while current is not None:
            if name in current.writes and (current is scope or not current.is_class):
                return current
            current = current.parent
        return None

    def reaching(self, node: ast.Name, scope: Scope) -> tuple[Write, ...]:
        """The writes that a read of a plain name may see, closures and module globals included."""
        owner = self.lookup(node.id, scope)
        if owner is None:
            return ()
        if owner is scope or _same_code(owner, scope):
            seen = self.flow(owner).reaching.get(id(node))
            if seen is not None:
                return seen
            if owner is scope:
                return tuple(owner.writes[node.id])
        final = self.flow(owner).exit.get(node.id)
        elsewhere = tuple(write for write in owner.writes[node.id] if write.scope is not owner)
        known = final or tuple(owner.writes[node.id])
        return known + tuple(write for write in elsewhere if write not in known)

    def is_dead(self, node: ast.AST, scope: Scope) -> str:
        """Why the statement around a node is never reached within its own scope; empty when it may be."""
        dead = self.flow(scope).dead
        if not dead:
            return ""
        return self._dead_spans(scope).get(id(node), "")

    def _dead_spans(self, scope: Scope) -> dict[int, str]:
        flow = self.flow(scope)
        cached = self.__dict__.setdefault("_dead_nodes", {})
        known: dict[int, str] | None = cached.get(id(scope))
        if known is None:
            known = {}
            if not isinstance(scope.node, ast.Lambda):
                for statement in _statements(scope.node.body):
                    reason = flow.dead.get(id(statement))
                    if reason:
                        for part in ast.walk(statement):
                            known.setdefault(id(part), reason)
            cached[id(scope)] = known
        return known

    # --- what names stand for -------------------------------------------------------------------------------------------

    def resolve(self, node: ast.expr, scope: Scope, hops: int = MAX_HOPS) -> Target | None:
        """What an expression stands for, if it is a module, class, function or something outside; None when unknown.

        Args:
            node: a name or attribute (a call or value resolves to None; see the evaluator for values).
            scope: the scope that reads it.
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
                key = (id(write), "written")
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
        return External(f"builtins.{name}") if hasattr(builtins, name) else None

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

    def _module_of(self, node: ast.ImportFrom, module: Scope) -> Target | None:
        name = self._absolute(node, module)
        return self.find_module(name, module) or (External(name) if name else None)

    def imported_module(self, node: ast.ImportFrom, scope: Scope) -> Scope | None:
        """The module of the repository that `from module import ...` imports from."""
        found = self._module_of(node, scope.module)
        return found if isinstance(found, Scope) else None

    def _submodule(self, node: ast.ImportFrom, name: str, module: Scope) -> Scope | None:
        base = self._absolute(node, module)
        return self.find_module(f"{base}.{name}" if base else name, module)

    def _absolute(self, node: ast.ImportFrom, module: Scope) -> str:
        if not node.level:
            return node.module or ""
        parts = module.qualified.split(".")
        is_package = module.file.path.endswith("__init__.py")
        keep = len(parts) - node.level + (1 if is_package else 0)
        return ".".join([*parts[: max(keep, 0)], *([node.module] if node.module else [])])

    def find_module(self, name: str, scope: Scope) -> Scope | None:
        """The module an absolute import means: from the root, beside the importing file, or by a unique ending."""
        if not name:
            return None
        if name in self.modules:
            return self.modules[name]
        package = scope.module.qualified.rsplit(".", 1)[0] if "." in scope.module.qualified else ""
        while package:
            if f"{package}.{name}" in self.modules:
                return self.modules[f"{package}.{name}"]
            package = package.rsplit(".", 1)[0] if "." in package else ""
        ending = self._by_ending.get(name, ())
        return self.modules[ending[0]] if len(ending) == 1 else None

    @cached_property
    def _by_ending(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for name in self.modules:
            parts = name.split(".")
            for i in range(1, len(parts)):
                found.setdefault(".".join(parts[i:]), []).append(name)
        return found

    # --- classes --------------------------------------------------------------------------------------------------------

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

    # --- calls ----------------------------------------------------------------------------------------------------------

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


def module_name(file: PythonFile) -> str:
    """`package.module` of a file's path from the repository's root; packages without their `__init__`."""
    parts = file.path.rsplit(".", 1)[0].split("/")
    if parts[-1] == "__init__" and len(parts) > 1:
        parts.pop()
    return ".".join(parts)


def _statements(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """All statements of a body at any depth, without those of nested functions and classes."""
    stack = list(reversed(body))
    while stack:
        statement = stack.pop()
        yield statement
        if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            continue
        for child in ast.iter_child_nodes(statement):
            if isinstance(child, ast.stmt):
                stack.append(child)
            elif isinstance(child, ast.ExceptHandler | ast.match_case):
                stack.extend(child.body)


def _same_code(owner: Scope, scope: Scope) -> bool:
    """Whether `scope` is a lambda whose body was analysed with its owner's flow."""
    current: Scope | None = scope
    while current is not None and current is not owner:
        if not isinstance(current.node, ast.Lambda):
            return False
        current = current.parent
    return current is owner


def _receiver_scope(scope: Scope) -> Scope | None:
    """The method whose `self` a scope's code sees: itself, or the method around a nested function."""
    current: Scope | None = scope
    while current is not None and not current.is_class:
        if current.receiver:
            return current
        current = current.parent
    return None


def _unsubscripted(node: ast.expr) -> ast.expr:
    return node.value if isinstance(node, ast.Subscript) else node


__all__ = ["CallSite", "External", "Program", "Target", "dotted", "module_name", "tail"]
