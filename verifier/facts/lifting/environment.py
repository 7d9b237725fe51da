"""What evaluating code works on, and what its parts ask of one another."""

from __future__ import annotations

import ast
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

from verifier.facts.lifting.terms import Value
from verifier.model.expression import Expr

if TYPE_CHECKING:
    from verifier.facts.lifting.lifter import Lifter
    from verifier.facts.lifting.survey import Survey
    from verifier.facts.program import Program
    from verifier.facts.scopes import Scope
    from verifier.lexicon.operators import Operators


class Environment(ABC):
    """The names of one scope while it is walked.

    Attributes:
        env: plain and dotted names -> what they hold now.
        receiver: the name of the object whose method this is or stands in, `self`; empty outside of methods.
        updates: what in-place methods of the current statement have left in their receivers.
        statement: the current statement.
        survey: what the whole scope writes and looks up.
    """

    scope: Scope
    lifter: Lifter
    program: Program
    table: Operators
    env: dict[str, Value]
    updates: dict[str, Expr]
    receiver: str
    statement: ast.AST
    survey: Survey

    @abstractmethod
    def value(self, tree: ast.expr) -> Value:
        """What an expression is worth."""

    @abstractmethod
    def text(self, tree: ast.expr) -> str:
        """Short code as it is written, to name what is not computed further."""

    @abstractmethod
    def attribute(self, base: Value, name: str, path: str | None) -> Value:
        """An attribute of a value."""

    @abstractmethod
    def store(self, path: str, value: Value, tree: ast.AST) -> None:
        """Give a name, attribute or key a value."""

    @abstractmethod
    def bind(self, target: ast.expr, value: Value, tree: ast.AST) -> None:
        """Give a target a value, and keep the term."""

    @abstractmethod
    def bind_quietly(self, target: ast.expr, value: Value) -> None:
        """Give a target a value that no statement of its own computes."""

    @abstractmethod
    def bind_each(self, target: ast.expr, source: ast.expr) -> None:
        """Bind what a loop runs over: each name stands for the current element."""

    @abstractmethod
    def appended(self, path: str, items: tuple[Value, ...], tree: ast.Call) -> None:
        """Keep what is appended to a list."""

    @abstractmethod
    def sized(self, name: str, value: Value, tree: ast.AST) -> None:
        """Keep what is computed for an argument of something that is made: the size of a layer."""

    @abstractmethod
    def choose(self, tree: ast.AST, condition: Expr, a: Value, b: Value) -> Value:
        """A conditional expression."""
