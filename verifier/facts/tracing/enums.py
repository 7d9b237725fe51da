"""Enumerations: their members are constants that can be told apart, in the order of the class."""

from __future__ import annotations

from typing import TYPE_CHECKING

from verifier.facts.program import External
from verifier.facts.scopes import Scope
from verifier.facts.tracing.machine import constant
from verifier.facts.tracing.values import Frame, Value

if TYPE_CHECKING:
    from verifier.facts.tracing.machine import Machine

_BASES = frozenset({"enum.Enum", "enum.IntEnum", "enum.StrEnum", "enum.Flag", "enum.IntFlag"})


class Enums:
    """Knows the enumerations of a program."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self._known: dict[int, tuple[str, ...]] = {}
        self._values: dict[str, Value] = {}

    def members(self, cls: Scope) -> tuple[str, ...]:
        """The names of the members of a class, if it is an enumeration; else none."""
        if id(cls) not in self._known:
            bases = self.machine.program.mro(cls)
            is_one = any(isinstance(base, External) and base.name in _BASES for base in bases)
            names = [name for name, writes in cls.writes.items() if writes[-1].kind == "assign" and not name.startswith("_")]
            self._known[id(cls)] = tuple(names) if is_one else ()
        return self._known[id(cls)]

    def member(self, cls: Scope, name: str) -> Value:
        """A member as a constant."""
        text = f"{cls.name}.{name}"
        written = cls.writes[name][-1].value
        if text not in self._values and written is not None:
            self.machine.record.muted += 1
            self._values[text] = self.machine.expressions.eval(written, Frame(cls, path=cls.names))
            self.machine.record.muted -= 1
        return constant(text)

    def attribute(self, text: str, name: str) -> Value | None:
        """`value` or `name` of a member; None when the constant is no member."""
        if text not in self._values:
            return None
        return self._values[text] if name == "value" else constant(text.rpartition(".")[2])
