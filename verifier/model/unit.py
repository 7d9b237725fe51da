"""Units and rules: what the paper claims, and the checks a claim compiles into."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from verifier.model.check import Check

Dimension = Literal["D1", "D2", "D3", "D4"]


@dataclass(frozen=True, slots=True)
class Unread:
    """A part of a claim from which no check was compiled.

    Attributes:
        words: the part of the claim.
        reason: why: it is not understood, or no code could show it.
        checkable: whether code could show it; if so, it counts as an undecided check and lowers the coverage.
    """

    words: str
    reason: str
    checkable: bool


@dataclass(frozen=True, slots=True)
class Unit:
    """One claim of a paper.

    Attributes:
        dimension: D1 numeric, D2 formula, D3 protocol, D4 order.
        checks: the rule as written; empty when it is to be compiled from the claim.
        line: line in the unit file.
        file: the unit file as given.
    """

    id: str
    dimension: Dimension
    claim: str
    source: str = ""
    checks: tuple[Check, ...] = ()
    line: int = 0
    file: str = ""


@dataclass(frozen=True, slots=True)
class Rule:
    """A unit compiled: every check must hold.

    Attributes:
        checks: the checks, written or compiled.
        unread: the parts of the claim that gave no check; empty for a written rule.
        context: words of the claim that say where in the repository the unit lives (its headings, names, mechanisms).
    """

    unit: Unit
    checks: tuple[Check, ...]
    unread: tuple[Unread, ...] = ()
    context: tuple[str, ...] = ()
