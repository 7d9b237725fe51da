"""Checks: the declarative tests a unit compiles into. Plain data, one class a kind."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar, Literal

from verifier.model.constant import Constant


class Origin(StrEnum):
    """Where a check comes from."""

    WRITTEN = "written"
    COMPILED = "compiled"


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """Where a check stands in its unit file, and the words of the claim it was read from.

    Attributes:
        origin: written in the unit file, or compiled from the claim.
        line: line in the unit file, 0 when the check was compiled.
        words: the part of the claim that a compiled check was read from.
    """

    origin: Origin = Origin.WRITTEN
    line: int = 0
    words: str = ""


@dataclass(frozen=True, slots=True)
class Equals:
    """The value is worth exactly this."""

    value: Constant


@dataclass(frozen=True, slots=True)
class OneOf:
    """The value is worth one of these."""

    values: tuple[Constant, ...]


@dataclass(frozen=True, slots=True)
class Between:
    """The value lies between both bounds, which count; a missing bound is infinite.

    `between`, `at_least` and `at_most` of the unit file all become this.
    """

    low: float | None
    high: float | None


Test = Equals | OneOf | Between


@dataclass(frozen=True, slots=True, kw_only=True)
class ValueCheck:
    """Live code gives the subject a value that passes the test."""

    kind: ClassVar[str] = "value"
    subjects: tuple[str, ...]
    test: Test
    tolerance: float | None = None
    near: tuple[str, ...] = ()
    source: Source = Source()


@dataclass(frozen=True, slots=True, kw_only=True)
class FormulaCheck:
    """Live code computes the expression, up to algebra and naming.

    Attributes:
        text: the formula as written, in the formula language or in LaTeX.
        notation: which of the two; also the check's kind.
        symbols: for a symbol of the formula, the names it may have in code.
        instead_of: the formula of the cited method that must not stand in its place.
    """

    text: str
    notation: Literal["formula", "latex"] = "formula"
    symbols: tuple[tuple[str, tuple[str, ...]], ...] = ()
    instead_of: str | None = None
    near: tuple[str, ...] = ()
    source: Source = Source()

    @property
    def kind(self) -> str:
        """`formula` or `latex`."""
        return self.notation


@dataclass(frozen=True, slots=True, kw_only=True)
class PresentCheck:
    """Live code really uses the entity. `role` is the unit file's `as`; empty when left out."""

    kind: ClassVar[str] = "present"
    entity: str
    role: Literal["", "dataset", "baseline", "metric", "model", "module", "call"] = ""
    near: tuple[str, ...] = ()
    source: Source = Source()


@dataclass(frozen=True, slots=True, kw_only=True)
class OrderCheck:
    """Live code does the steps in this order; each step is a list of alternatives."""

    kind: ClassVar[str] = "order"
    steps: tuple[tuple[str, ...], ...]
    link: Literal["control", "data"] = "control"
    near: tuple[str, ...] = ()
    source: Source = Source()


@dataclass(frozen=True, slots=True, kw_only=True)
class AnyCheck:
    """One of the checks holds."""

    kind: ClassVar[str] = "any"
    checks: tuple[Check, ...]
    near: tuple[str, ...] = ()
    source: Source = Source()


@dataclass(frozen=True, slots=True, kw_only=True)
class NotCheck:
    """The check does not hold."""

    kind: ClassVar[str] = "not"
    check: Check
    near: tuple[str, ...] = ()
    source: Source = Source()


Check = ValueCheck | FormulaCheck | PresentCheck | OrderCheck | AnyCheck | NotCheck
