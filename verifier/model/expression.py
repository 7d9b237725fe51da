"""Expressions: the one shape of a formula, whether a paper writes it or code computes it."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True, slots=True)
class Number:
    """A constant. Exact where the source is: `0.1` is 1/10."""

    value: Fraction


@dataclass(frozen=True, slots=True)
class Symbol:
    """A quantity that is not computed further.

    Attributes:
        name: as the claim writes it, or the dotted name of the code (`self.cfg.gamma`, `batch["adv"]` is `batch.adv`).
    """

    name: str


@dataclass(frozen=True, slots=True)
class Apply:
    """An operation.

    Attributes:
        head: `+` and `*` (any number of arguments), `**`, `@`, `neg`, `/`, a function of the formula language (`exp`, `mean`,
            `norm`, `clip`, `grad`, `stopgrad`, ...), `tuple` for several results, `index` for `x[i]`, `cat` for joined parts, a
            comparison (`<`, `<=`, `==`, ...), `where`, or the name of an unknown function.
        args: the operands.
        axis: for a reduction of code, what it runs over as written (`-1`, `dim=1`, `batch`), empty when over everything or
            not known. Never compared; only said in messages.
    """

    head: str
    args: tuple[Expr, ...]
    axis: str = ""


Expr = Number | Symbol | Apply
