"""Units into rules. The readers of claims are imported only where a unit has no written checks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from verifier.model.unit import Rule, Unit
from verifier.units import home

if TYPE_CHECKING:
    from verifier.units.readers.entities import Entities


def compile_unit(unit: Unit, lexicon: Entities | None = None) -> Rule:
    """The rule of a unit: its written checks, else those that its claim compiles into.

    Args:
        unit: the unit as loaded.
        lexicon: knows the names of data sets, metrics, models and layers; without it names are told by their spelling alone.

    Returns:
        The rule; parts of the claim that gave no check are in `unread`, with the reason.
    """
    if unit.checks:
        return Rule(unit=unit, checks=unit.checks, context=home.context(unit))
    from verifier.units.claims import compile_claim

    return compile_claim(unit, lexicon)
