"""Commands of the repository's scripts that start its programs: the flags, settings and environment that they give."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from verifier.facts.program import Program
from verifier.facts.scopes import Scope
from verifier.facts.values import Known
from verifier.model import worth
from verifier.model.constant import Scalar
from verifier.model.location import Location
from verifier.model.repository import Command, Role

RUNNERS = frozenset({"-m"})


@dataclass(frozen=True, slots=True)
class Run:
    """A command of a script that starts a module of the repository.

    Attributes:
        module: what it starts.
        flags: flag or key -> worth.
        keys: those of them that are written as `key=value`.
        environment: variable of the environment -> what the script sets it to.
    """

    module: str
    flags: dict[str, Known]
    keys: frozenset[str]
    environment: dict[str, Known]
    location: Location


class Runs:
    """All commands that start a module of the repository.

    Args:
        program: the program.
    """

    def __init__(self, program: Program) -> None:
        self.program = program

    @cached_property
    def all(self) -> tuple[Run, ...]:
        """Every command of the repository's scripts that starts one of its modules."""
        found = []
        for script in self.program.repository.scripts:
            if script.role is Role.CODE:
                for command in script.commands:
                    run = self._run(command, script.path)
                    if run is not None:
                        found.append(run)
        return tuple(found)

    def _run(self, command: Command, path: str) -> Run | None:
        words = command.words
        for i, word in enumerate(words):
            module, start = None, i + 1
            if word.endswith(".py"):
                module = self._script_module(word, path)
            elif word in RUNNERS and i + 1 < len(words):
                module = self.program.modules.get(words[i + 1]) or self.program.modules.get(f"{words[i + 1]}.__main__")
                start = i + 2
            if module is not None:
                words = tuple(word.lstrip("+") for word in command.words[start:] if "=" in word and not word.startswith("-"))
                keys = frozenset(word.split("=", 1)[0] for word in words)
                place = Location(path, command.line, command.columns[0])
                return Run(module.qualified, dict(_flags(command, start, path)), keys, _environment(command, i, path), place)
        return None

    def _script_module(self, word: str, path: str) -> Scope | None:
        parts = [part for part in word.split("/") if part not in {"", "."}]
        folder = path.rsplit("/", 1)[0] if "/" in path else ""
        options = ["/".join(parts), f"{folder}/{'/'.join(parts)}" if folder else ""]
        ending = "/".join(part for part in parts if part != "..")
        modules = list(self.program.modules.values())
        exact = [m for m in modules if m.file.path in options]
        return next(iter(exact or [m for m in modules if m.file.path.endswith(f"/{ending}") or m.file.path == ending]), None)

    def of(self, module: Scope) -> list[Run]:
        """The commands that start a program which a module is part of."""
        return [run for run in self.all if self._starts(run.module, module)]

    def _starts(self, started: str, module: Scope) -> bool:
        return module.qualified in self._imports_of(started)

    def _imports_of(self, name: str) -> frozenset[str]:
        if name not in self._reached:
            seen: set[str] = set()
            stack = [name]
            while stack:
                current = stack.pop()
                if current in seen or current not in self.program.modules:
                    continue
                seen.add(current)
                stack.extend(self._imported_by(self.program.modules[current]))
            self._reached[name] = frozenset(seen)
        return self._reached[name]

    @cached_property
    def _reached(self) -> dict[str, frozenset[str]]:
        """Module -> the modules that it imports, directly or through others; filled as it is asked for."""
        return {}

    def _imported_by(self, module: Scope) -> Iterator[str]:
        for scope in module.walk():
            for writes in scope.writes.values():
                for write in writes:
                    if isinstance(write.node, ast.ImportFrom):
                        base = self.program.imported_module(write.node, scope)
                        if base is not None:
                            yield base.qualified
                    if write.kind == "import":
                        target = self.program.written(write)
                        if isinstance(target, Scope):
                            yield target.module.qualified


def _flags(command: Command, start: int, path: str) -> Iterator[tuple[str, Known]]:
    words = command.words
    i = start
    while i < len(words):
        word = words[i]
        if word.startswith("--") and "=" in word:
            name, value = word[2:].split("=", 1)
            yield name, _known(value, command, i, path)
        elif word.startswith("-") and len(word) > 1 and not _is_number(word):
            values = []
            j = i + 1
            while j < len(words) and (not words[j].startswith("-") or _is_number(words[j])):
                values.append(words[j])
                j += 1
            yield (
                word.lstrip("-"),
                _known(values[0], command, i + 1, path) if len(values) == 1 else _many(values, command, i, path),
            )
            i = j
            continue
        elif "=" in word:
            name, value = word.lstrip("+").split("=", 1)
            yield name, _known(value, command, i, path)
        i += 1


def _environment(command: Command, program: int, path: str) -> dict[str, Known]:
    """What a command finds in its environment: exported before, or written before the program: `LR=0.1 python train.py`."""
    found = {name: Known(constant(text), Location(path, line, column)) for name, text, line, column in command.exported}
    for i, word in enumerate(command.words[:program]):
        name, equal, text = word.partition("=")
        if equal and name.isidentifier():
            found[name] = _known(text, command, i, path)
    return {name: value for name, value in found.items() if not (isinstance(value.value, str) and "$" in value.value)}


def _is_number(word: str) -> bool:
    return isinstance(worth.parse(word), int | float)


def _known(text: str, command: Command, index: int, path: str) -> Known:
    location = Location(path, command.lines[index], command.columns[index])
    if "$" in text:
        return Known(None, location)
    return Known(constant(text), location)


def constant(text: object) -> Scalar:
    """What a word of a command line is worth."""
    parsed = worth.parse(str(text))
    if isinstance(parsed, int | float):
        return parsed
    return {"true": True, "false": False, "none": None, "null": None}.get(str(text).lower(), str(text))


def _many(values: list[str], command: Command, index: int, path: str) -> Known:
    location = Location(path, command.lines[index], command.columns[index])
    return Known(" ".join(values) if values else True, location)
