"""Sightings: where code writes a name or a short string, collected cheaply; nothing is resolved or judged here."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass

from verifier.facts.program import Program
from verifier.facts.scopes import Scope, Write, dotted, tail
from verifier.model.facts import Form
from verifier.model.repository import ConfigFile, ConfigNode, Repository, Role, ScriptFile

LONGEST = 120
"""Longer strings are prose."""
_DEEPEST = 40
_NAME = re.compile(r"[A-Za-z0-9][\w.]{1,24}")
_NEAR = 1


@dataclass(frozen=True, slots=True, eq=False)
class Sighting:
    """A name or string in code.

    Attributes:
        node: the call, definition, expression, keyword or string.
        write: for a name that is given a value, what gives it.
        call: for a keyword argument, its call.
    """

    text: str
    form: Form
    scope: Scope
    node: ast.AST
    write: Write | None = None
    call: ast.Call | None = None


@dataclass(frozen=True, slots=True)
class Entry:
    """A key or string in a configuration file, or a word of a shell command.

    Attributes:
        path: file path parts and sections down to the key.
    """

    text: str
    form: Form
    file: str
    line: int
    column: int
    path: tuple[str, ...]
    setting: bool = False


class Sightings:
    """All sightings of a program.

    Args:
        program: the program.
    """

    def __init__(self, program: Program) -> None:
        self.program = program
        self._global: dict[int, dict[str, str]] = {}

    def all(self) -> Iterator[Sighting]:
        """Every sighting, by file and scope."""
        for scope in self.program.scopes:
            callees = {id(call.func) for call in scope.calls}
            yield from self._calls(scope)
            yield from self._definitions(scope)
            yield from _written(scope)
            yield from self._references(scope, callees)
            for string in scope.strings:
                text = str(string.value)
                if 1 < len(text) <= LONGEST and "\n" not in text:
                    yield Sighting(text, Form.STRING, scope, string)
            yield from _pairs(scope)

    def _calls(self, scope: Scope) -> Iterator[Sighting]:
        for node in scope.calls:
            yield Sighting(self.expanded(node.func, scope), Form.CALL, scope, node)
            for keyword in node.keywords:
                if keyword.arg is not None:
                    yield Sighting(keyword.arg, Form.NAME, scope, keyword, call=node)

    def _definitions(self, scope: Scope) -> Iterator[Sighting]:
        for child in scope.children:
            if isinstance(child.node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                text = f"{scope.name}.{child.name}" if scope.is_class else child.name
                yield Sighting(text, Form.CLASS if child.is_class else Form.FUNCTION, child, child.node)
                for decorator in child.node.decorator_list:
                    if not isinstance(decorator, ast.Call):
                        yield Sighting(self.expanded(decorator, scope), Form.CALL, scope, decorator)

    def _references(self, scope: Scope, callees: set[int]) -> Iterator[Sighting]:
        known = self._names_of(scope.module)
        inner = {id(attribute.value) for attribute in scope.attributes}
        for load in scope.loads:
            if load.id in known and id(load) not in callees and id(load) not in inner:
                yield Sighting(self.expanded(load, scope), Form.REFERENCE, scope, load)
        for attribute in scope.attributes:
            if id(attribute) not in callees and id(attribute) not in inner and _root(attribute) in known:
                yield Sighting(self.expanded(attribute, scope), Form.REFERENCE, scope, attribute)
        for name, writes in scope.writes.items():
            for write in writes:
                if write.kind == "import" and name != "*":
                    yield Sighting(_imported(write) or name, Form.IMPORT, scope, write.node, write)

    def _names_of(self, module: Scope) -> dict[str, str]:
        """Names that imports and definitions at module level bind -> what they bind them to."""
        if id(module) not in self._global:
            found: dict[str, str] = {}
            for name, writes in module.writes.items():
                last = writes[-1]
                if last.kind == "import":
                    found[name] = _imported(last) or name
                elif last.kind in {"def", "class"}:
                    found[name] = name
            self._global[id(module)] = found
        return self._global[id(module)]

    def names_definition(self, node: ast.Name | ast.Attribute, scope: Scope) -> bool:
        """Whether a reference starts at something that its module imports or defines."""
        return (node.id if isinstance(node, ast.Name) else _root(node)) in self._names_of(scope.module)

    def expanded(self, node: ast.expr, scope: Scope) -> str:
        """The dotted name of a callee or reference, with imports and aliases undone and without `self`."""
        path = dotted(node)
        if path is None:
            return _chained(node)
        first, _, rest = path.partition(".")
        if first in {"self", "cls"}:
            return rest or first
        owner = self.program.lookup(first, scope)
        if owner is None:
            return path
        last = owner.writes[first][-1]
        if last.kind == "import":
            full = _imported(last)
            return f"{full}.{rest}" if full and rest else full or path
        return path


def _chained(node: ast.expr) -> str:
    """The name of a method called on what is no name: `Foo().bar` is `Foo.bar`."""
    parts = [tail(node)]
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Call | ast.Attribute):
        parts.insert(0, tail(node.value))
    return ".".join(part for part in parts if part)


def _root(node: ast.Attribute) -> str:
    current: ast.expr = node
    while isinstance(current, ast.Attribute):
        current = current.value
    return current.id if isinstance(current, ast.Name) else ""


def _imported(write: Write) -> str:
    node = write.node
    if isinstance(node, ast.ImportFrom):
        for alias in node.names:
            if (alias.asname or alias.name) == write.name:
                return f"{node.module}.{alias.name}" if node.module else alias.name
    if isinstance(node, ast.Import):
        for alias in node.names:
            if alias.asname == write.name:
                return alias.name
            if alias.asname is None and alias.name.split(".")[0] == write.name:
                return write.name
    return ""


def _written(scope: Scope) -> Iterator[Sighting]:
    for name, writes in scope.writes.items():
        for write in writes:
            if write.kind in {"assign", "augment", "param", "with"}:
                yield Sighting(name, Form.NAME, scope, write.node, write)
            elif write.kind == "import" and _imported(write).rpartition(".")[2] != name:
                yield Sighting(name, Form.NAME, scope, write.node, write)
    for write in scope.stores:
        first, _, rest = write.name.partition(".")
        yield Sighting(rest if first in {"self", "cls"} else write.name, Form.NAME, scope, write.node, write)


def _pairs(scope: Scope) -> Iterator[Sighting]:
    """Two names written one after the other, as loaders take them: `("walker", "walk")`, `("glue", "sst2")`."""
    before: ast.Constant | None = None
    for string in scope.strings:
        if not _NAME.fullmatch(str(string.value)):
            continue
        if before is not None and 0 <= string.lineno - before.lineno <= _NEAR:
            yield Sighting(f"{before.value!s}+{string.value!s}", Form.STRING, scope, string)
        before = string


# --- configuration files and scripts ------------------------------------------------------------------------------------------


def entries(repository: Repository) -> Iterator[Entry]:
    """Keys and strings of configuration files, words of shell commands."""
    for config in repository.configs:
        if config.role is Role.CODE:
            yield from _config(config)
    for script in repository.scripts:
        if script.role is Role.CODE:
            yield from _script(script)


def _config(file: ConfigFile) -> Iterator[Entry]:
    stem = tuple(file.path.rsplit(".", 1)[0].split("/"))
    stack: list[tuple[ConfigNode, tuple[str, ...]]] = [(root, stem) for root in reversed(file.roots)]
    while stack:
        node, path = stack.pop()
        if len(path) > _DEEPEST:
            continue
        if isinstance(node.value, str) and 1 < len(node.value) <= LONGEST:
            yield Entry(node.value, Form.STRING, file.path, node.line, node.column, path)
        for key, inner in reversed(node.fields or ()):
            yield Entry(
                key, Form.KEY, file.path, inner.line, inner.column, (*path, key), inner.fields is None and inner.items is None
            )
            stack.append((inner, (*path, key)))
        stack.extend((item, path) for item in reversed(node.items or ()))


def _script(file: ScriptFile) -> Iterator[Entry]:
    stem = tuple(file.path.rsplit(".", 1)[0].split("/"))
    for command in file.commands:
        if command.words[0] in {"echo", "printf", "pip", "conda", "cd", "mkdir", "cat"}:
            continue
        for word, line, column in zip(command.words[1:], command.lines[1:], command.columns[1:], strict=False):
            text = word.lstrip("-")
            if 1 < len(text) <= LONGEST:
                yield Entry(text, Form.STRING, file.path, line, column, stem)


__all__ = ["Entry", "Sighting", "Sightings", "entries"]
