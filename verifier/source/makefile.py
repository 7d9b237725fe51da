"""Makefiles to the commands of their targets: prerequisites first, each target once, in the order of the file."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from verifier.model.location import Problem
from verifier.model.repository import Command, ScriptFile
from verifier.source.limits import DEFAULT_LIMITS, Limits
from verifier.source.role import role_of
from verifier.source.shell import ShellReader
from verifier.source.text import decode

_ASSIGNMENT = re.compile(r"(?:export\s+|override\s+)?(?P<name>[\w.-]+)\s*(?P<operator>::?=|\?=|\+=|=)\s*(?P<value>.*)", re.DOTALL)
_RULE = re.compile(r"(?P<targets>[^=:#]+)::?(?!=)\s*(?P<rest>[^=]*)$", re.DOTALL)
_REFERENCE = re.compile(r"\$(?:\((?P<round>[\w.-]+)\)|\{(?P<curly>[\w.-]+)\}|(?P<mark>[@<^$]))")
_JOIN = re.compile(r"\\\n[ \t]*")
_DEPTH = 20
_MAX_LENGTH = 4_000


@dataclass(slots=True)
class _Rule:
    """A target with what it needs and its recipe, as (line, text) of each line that a shell runs."""

    needs: list[str] = field(default_factory=list)
    recipe: list[tuple[int, str]] = field(default_factory=list)


class _Makefile:
    """One Makefile as read."""

    def __init__(self, text: str) -> None:
        self.variables: dict[str, str] = {}
        self.rules: dict[str, _Rule] = {}
        self._known: dict[tuple[str, str], str] = {}
        current: list[_Rule] = []
        for number, line in _joined_lines(text):
            if line.startswith("\t"):
                for rule in current:
                    rule.recipe.append((number, line[1:]))
            elif line.strip() and not line.lstrip().startswith("#"):
                current = self._statement(number, line.strip()) or current

    def _statement(self, number: int, line: str) -> list[_Rule]:
        """Take an assignment or the head of a rule; returns the rules that the head starts."""
        assignment = _ASSIGNMENT.match(line)
        if assignment:
            self._assign(assignment)
            return []
        head = _RULE.match(line)
        if head is None:
            return []
        needs, _, command = head["rest"].partition(";")
        rules = [self.rules.setdefault(target, _Rule()) for target in self.value(head["targets"]).split()]
        for rule in rules:
            rule.needs += self.value(_JOIN.sub(" ", needs)).replace("|", " ").split()
            rule.recipe += [(number, command.strip())] if command.strip() else []
        return rules

    def _assign(self, match: re.Match[str]) -> None:
        name, operator = match["name"], match["operator"]
        value = _JOIN.sub(" ", match["value"]).partition(" #")[0].strip()
        if operator == "+=" and name in self.variables:
            value = f"{self.variables[name]} {value}"
        if operator != "?=" or name not in self.variables:
            self.variables[name] = value[:_MAX_LENGTH]

    def value(self, text: str, target: str = "", active: tuple[str, ...] = ()) -> str:
        """Put the variables in; those that the file does not set are left to the shell, `$$` becomes `$`.

        Args:
            text: part of the Makefile.
            target: the target whose recipe it stands in.
            active: the variables in whose values it stands; a reference back to them is left as it is.
        """

        def put(match: re.Match[str]) -> str:
            name = match["round"] or match["curly"]
            if name is None:
                needs = self.rules[target].needs if target in self.rules else []
                return {"$": "$", "@": target or "$@", "<": " ".join(needs[:1]), "^": " ".join(needs)}[match["mark"]]
            if name not in self.variables or name in active or len(active) > _DEPTH:
                return "${" + name + "}"
            key = (name, target)
            if key not in self._known:
                self._known[key] = self.value(self.variables[name], target, (*active, name))
            return self._known[key]

        return _REFERENCE.sub(put, text)[:_MAX_LENGTH]

    def order(self) -> list[str]:
        """Return the targets, each after the ones it needs."""
        done: dict[str, None] = {}
        pending: list[tuple[str, bool]] = [(target, False) for target in reversed(self.rules)]
        entered: set[str] = set()
        while pending:
            target, is_ready = pending.pop()
            if is_ready:
                done[target] = None
            elif target not in entered:
                entered.add(target)
                pending.append((target, True))
                pending += [(need, False) for need in reversed(self.rules[target].needs) if need in self.rules]
        return list(done)


def _joined_lines(text: str) -> Iterator[tuple[int, str]]:
    """Yield (first line, text) of the lines, those that end in a backslash with the next one."""
    start, held = 1, ""
    for number, line in enumerate(text.split("\n"), 1):
        if not held:
            start = number
        held += line
        if line.endswith("\\"):
            held += "\n"
        else:
            yield start, held
            held = ""
    if held:
        yield start, held


def read_makefile(path: str, data: bytes, limits: Limits = DEFAULT_LIMITS) -> tuple[ScriptFile, list[Problem]]:
    """Read a Makefile. Its conditionals are not evaluated: both sides count.

    Returns:
        The commands of all targets, and a problem for each thing that was not understood.

    Raises:
        SourceError: the bytes are binary.
    """
    text, remark = decode(data)
    problems = [Problem(path, 1, remark)] if remark else []
    makefile = _Makefile(text)
    commands: list[Command] = []
    for target in makefile.order():
        for number, line in makefile.rules[target].recipe:
            reader = ShellReader(makefile.value(line.lstrip("@-+ "), target), limits, number, target)
            reader.run()
            commands += reader.commands
            problems += [Problem(path, where, message) for where, message in reader.faults]
            if len(commands) > limits.commands:
                problems.append(Problem(path, number, f"more than {limits.commands} commands: the rest is left out"))
                return ScriptFile(path, "make", tuple(commands[: limits.commands]), role_of(path, "")), problems
    return ScriptFile(path, "make", tuple(commands), role_of(path, "")), problems
