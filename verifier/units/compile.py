"""Claims into checks: every reader takes its part of the claim, in a fixed order, from the surest to the loosest."""

from __future__ import annotations

from dataclasses import replace

from verifier.model.check import AnyCheck, Check, NotCheck, Source
from verifier.model.unit import Rule, Unit, Unread
from verifier.units import home
from verifier.units.readers import abbreviations, asides, distributions, entities, formulas, mechanisms, negations, orders, quantities
from verifier.units.readers.entities import Entities
from verifier.units.readers.found import Found, Page
from verifier.units.tokens import clauses, tokenize


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
    page = Page(unit.claim, tokenize(unit.claim))
    _read(page, unit, lexicon)
    ordered = sorted(page.found, key=lambda found: (found.start, found.stop))
    checks = _distinct([found.result for found in ordered if not isinstance(found.result, Unread)])
    unread = tuple(found.result for found in ordered if isinstance(found.result, Unread))
    if not checks and not unread:
        unread = (Unread(unit.claim, "nothing in the claim is understood", True),)
    return Rule(unit=unit, checks=checks, unread=unread, context=home.context(unit))


def _read(page: Page, unit: Unit, lexicon: Entities | None) -> None:
    own = unit.id.split("-D", 1)[0]
    parts = list(clauses(page.tokens))
    for clause in parts:
        asides.read(page, clause)
    if unit.dimension == "D4":
        orders.read(page)
    for clause in parts:
        distributions.read(page, clause)
    formulas.read(page)
    for clause in parts:
        negations.read(page, clause)
        quantities.read(page, clause)
        abbreviations.read(page, clause, own)
        entities.read(page, clause, lexicon, own)
    bodies = [clause for clause in parts if not _is_heading(page, clause.start, clause.stop)]
    for clause in bodies:
        mechanisms.read(page, clause, own)
    if not any(not isinstance(found.result, Unread) for found in page.found):
        for clause in parts:
            mechanisms.read(page, clause, own)


def _is_heading(page: Page, start: int, stop: int) -> bool:
    """Whether a clause only introduces what follows: it ends at a colon."""
    return stop < len(page.tokens) and page.tokens[stop].text == ":"


def _distinct(checks: list[Found] | list[Check]) -> tuple[Check, ...]:
    """Checks without those that ask the same as an earlier one."""
    kept: dict[Check, Check] = {}
    for check in checks:
        assert not isinstance(check, Found)
        kept.setdefault(_sourceless(check), check)
    return tuple(kept.values())


def _sourceless(check: Check) -> Check:
    if isinstance(check, AnyCheck):
        return replace(check, checks=tuple(_sourceless(part) for part in check.checks), source=Source())
    if isinstance(check, NotCheck):
        return replace(check, check=_sourceless(check.check), source=Source())
    return replace(check, source=Source())
