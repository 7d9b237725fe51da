"""Programs that shell scripts and Makefiles start, with their flags."""

from __future__ import annotations

import re
from dataclasses import dataclass

from verifier.facts.program import Program
from verifier.facts.scopes import Scope
from verifier.facts.tracing.machine import constant
from verifier.facts.tracing.values import Value
from verifier.model.location import Location
from verifier.model.repository import Command, ScriptFile

_LITERAL = re.compile(r"[-+]?\d+$")
_OVERRIDE = re.compile(r"[A-Za-z_][\w.]*=\S*$")


@dataclass(frozen=True, slots=True)
class Start:
    """A program that a script starts.

    Attributes:
        options: its flags by the name that argparse gives them.
        words: the Makefile target or shell function it stands in, the values of its flags and its other arguments.
    """

    module: Scope
    options: dict[str, Value]
    words: tuple[str, ...]
    location: Location


def programs_of(script: ScriptFile, program: Program) -> list[Start]:
    """The repository's programs that a script starts, in the order in which they run."""
    found = []
    for command in script.commands:
        position, module = _module(command.words, script.path, program)
        if module is not None:
            options, words = _flags(command.words[position + 1 :])
            target = (command.target,) if command.target else ()
            found.append(Start(module, options, (*target, *words), _location(script, command)))
    return found


def started(words: tuple[str, ...], caller: Scope, program: Program) -> tuple[Scope | None, dict[str, Value], tuple[str, ...]]:
    """The repository's program that a command starts from within another program, its flags and its other words.

    Args:
        words: the words of the command; those that are not known hold `$`.
        caller: the module that gives the command.
        program: the repository.
    """
    position, module = _module(words, caller.file.path, program)
    return (module, *_flags(words[position + 1 :])) if module is not None else (None, {}, ())


def _location(script: ScriptFile, command: Command) -> Location:
    return Location(script.path, command.line, command.columns[0], max(command.lines))


def _module(words: tuple[str, ...], script: str, program: Program) -> tuple[int, Scope | None]:
    folder = script.rpartition("/")[0]
    for position, word in enumerate(words):
        if word.endswith(".py"):
            path = word.removeprefix("./").lstrip("/")
            while path.startswith("../"):
                path = path[3:]
            by_path = {module.file.path: module for module in program.modules.values()}
            for candidate in (path, f"{folder}/{path}"):
                if candidate in by_path:
                    return position, by_path[candidate]
            endings = [module for file, module in by_path.items() if file.endswith(f"/{path}")]
            return position, endings[0] if len(endings) == 1 else None
        if word == "-m" and position + 1 < len(words) and "." not in words[position + 1][:1]:
            module = program.modules.get(words[position + 1]) or program.modules.get(f"{words[position + 1]}.__main__")
            if module is not None:
                return position + 1, module
    return 0, None


def _flags(words: tuple[str, ...]) -> tuple[dict[str, Value], tuple[str, ...]]:
    options: dict[str, Value] = {}
    values: list[str] = []
    position = 0
    while position < len(words):
        word = words[position]
        position += 1
        if word.startswith("--"):
            name, given, text = word[2:].partition("=")
            if not given and position < len(words) and not words[position].startswith("--"):
                text, given = words[position], "="
                position += 1
            options[name.replace("-", "_")] = _value(text) if given else constant(value=True)
            values += [text] if given else [name]
        elif _OVERRIDE.match(word):
            values.append(word.partition("=")[2])
        elif not word.startswith("-"):
            values.append(word)
    return options, tuple(text for text in values if text and "$" not in text)


def _value(text: str) -> Value:
    if "$" in text:
        return Value()
    return constant(int(text)) if _LITERAL.match(text) else constant(text)
