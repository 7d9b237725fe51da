"""The modules of a repository, and which of them an import means."""

from __future__ import annotations

import ast
import sys
from functools import cached_property

from verifier.facts.nodes import walk
from verifier.facts.scopes import Scope, module_scope
from verifier.facts.targets import External, Target
from verifier.model.repository import PythonFile, Repository, Role

LIBRARIES = frozenset(
    "torch torchvision torchaudio numpy scipy sklearn pandas matplotlib jax jaxlib flax optax haiku tensorflow keras transformers "
    "diffusers datasets accelerate peft trl timm einops gym gymnasium lightning pytorch_lightning omegaconf hydra".split()
) | frozenset(sys.stdlib_module_names)
"""Packages that are never the repository itself."""


class Modules:
    """All code files of a repository as modules (tests are left out).

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
        if len(ending) == 1:
            return self.modules[ending[0]]
        own, _, rest = name.partition(".")
        found = None if own in LIBRARIES else self.modules.get(rest or "__init__")
        return found if found is not None and own in self._own_names else None

    @cached_property
    def _own_names(self) -> frozenset[str]:
        """Names that the code gives the repository's root, when the root is a package itself: `from mine.model import Net`, `model.py`."""
        tops = {name.split(".")[0] for name in self.modules}
        found: set[str] = set()
        for scope in self.modules.values():
            for node in walk(scope.file.tree):
                if isinstance(node, ast.ImportFrom) and not node.level and node.module:
                    own, _, rest = node.module.partition(".")
                    if own not in tops and own not in LIBRARIES and rest in self.modules:
                        held = self.modules[rest]
                        names = {child.name for child in held.children} | set(held.writes)
                        found |= {own} if all(alias.name in names for alias in node.names) else set()
        return frozenset(found)

    @cached_property
    def _by_ending(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for name in self.modules:
            parts = name.split(".")
            for i in range(1, len(parts)):
                found.setdefault(".".join(parts[i:]), []).append(name)
        return found


def module_name(file: PythonFile) -> str:
    """`package.module` of a file's path from the repository's root; packages without their `__init__`."""
    parts = file.path.rsplit(".", 1)[0].split("/")
    if parts[-1] == "__init__" and len(parts) > 1:
        parts.pop()
    return ".".join(parts)
