"""Claims into checks: every reader takes its part of the claim, in a fixed order, from the surest to the loosest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from verifier.model.check import AnyCheck, Check, NotCheck, PresentCheck, Source
from verifier.model.unit import Rule, Unit, Unread
from verifier.units import home
from verifier.units.readers import (
    abbreviations,
    asides,
    distributions,
    entities,
    experiments,
    formulas,
    mechanisms,
    negations,
    orders,
    quantities,
    settings,
)
from verifier.units.readers.entities import Entities
from verifier.units.readers.found import Page
from verifier.units.tokens import Clause, clauses, tokenize

MAX_LENGTH = 20_000
MAX_DEPTH = 30


def compile_claim(unit: Unit, lexicon: Entities | None = None) -> Rule:
    """The rule that the claim of a unit compiles into.

    Args:
        unit: the unit as loaded.
        lexicon: knows the names of data sets, metrics, models and layers; without it names are told by their spelling alone.

    Returns:
        The rule; parts of the claim that gave no check are in `unread`, with the reason.
    """
    page = Page(unit.claim, tokenize(unit.claim[: MAX_LENGTH + 1]))
    if len(unit.claim) > MAX_LENGTH or max((token.depth for token in page.tokens), default=0) > MAX_DEPTH:
        beyond = Unread(
            unit.claim[:80], f"the claim is longer than {MAX_LENGTH} characters or has brackets deeper than {MAX_DEPTH}", True
        )
        return Rule(unit=unit, checks=(), unread=(beyond,))
    _read(page, unit, lexicon)
    ordered = sorted(page.found, key=lambda found: (found.start, found.stop))
    checks = _distinct([found.result for found in ordered if not isinstance(found.result, Unread)])
    unread = tuple(found.result for found in ordered if isinstance(found.result, Unread))
    if not checks and not unread:
        unread = (Unread(unit.claim, "nothing in the claim is understood", True),)
    return Rule(unit=unit, checks=checks, unread=unread, context=home.context(unit))


def _read(page: Page, unit: Unit, lexicon: Entities | None) -> None:
    """Read a claim: what it only tells, its order, values and formulas, then what it names; phrases only where nothing surer was found."""
    parts = list(clauses(page.tokens))
    for clause in parts:
        asides.read(page, clause)
    heading = experiments.heading_of(page, parts[0]) if parts and unit.dimension in ("D3", "D4") else None
    if heading is not None and unit.dimension == "D3":
        experiments.read(page, heading, _own(unit))
    if unit.dimension == "D4":
        orders.read(page)
    _read_values(page, unit, parts)
    for clause in parts:
        if not _is_heading(page, clause):
            _read_names(page, clause, unit, lexicon)
    if heading is not None and experiments.is_variation(page, heading):
        page.found = [found for found in page.found if not experiments.is_shared(found.result)]
    for phrases in (False, True):
        for clause in parts if not _has_check(page) else ():
            _read_names(page, clause, unit, lexicon, phrases)


def _read_values(page: Page, unit: Unit, parts: Sequence[Clause]) -> None:
    for clause in parts:
        distributions.read(page, clause)
    formulas.read(page)
    for clause in parts:
        negations.read(page, clause)
        quantities.read(page, clause)
    if unit.dimension == "D2":
        page.found = [found for found in page.found if not formulas.is_limit(found.result)]
    owner = settings.owner_of(page, parts[0], _own(unit)) if parts and unit.dimension in ("D1", "D2") else ""
    if owner:
        settings.narrow(page, parts[0], owner)


def _read_names(page: Page, clause: Clause, unit: Unit, lexicon: Entities | None, phrases: bool = False) -> None:
    """Read what a clause names. A data set that only says where a setting or formula holds (`for CIFAR-10`) is none of its checks."""
    abbreviations.read(page, clause, _own(unit))
    entities.read(page, clause, lexicon, _own(unit), places=unit.dimension in ("D1", "D2"))
    mechanisms.read(page, clause, _own(unit), phrases, compounds=unit.dimension in ("D1", "D4"))


def _own(unit: Unit) -> str:
    """The paper's own name, as unit ids begin with it."""
    return unit.id.split("-D", 1)[0]


def _has_check(page: Page) -> bool:
    """Whether something that code could show was found."""
    return any(not isinstance(found.result, Unread) or found.result.checkable for found in page.found)


def _is_heading(page: Page, clause: Clause) -> bool:
    """Whether a clause only introduces what follows: it ends at a colon."""
    return clause.stop < len(page.tokens) and page.tokens[clause.stop].text == ":"


def _distinct(checks: Sequence[Check]) -> tuple[Check, ...]:
    """Checks without those that ask the same as an earlier one; a phrase around a name that is asked for by itself asks the same."""
    kept: dict[Check, Check] = {}
    single = {_key(check.entity) for check in checks if isinstance(check, PresentCheck)}
    for check in checks:
        repeated = isinstance(check, AnyCheck) and any(
            isinstance(part, PresentCheck) and _key(part.entity) in single for part in check.checks
        )
        if not (repeated and _is_phrase(check)):
            kept.setdefault(_sourceless(check), check)
    return tuple(kept.values())


def _key(entity: str) -> str:
    return entity.lower().removesuffix("s")


def _is_phrase(check: Check) -> bool:
    """Whether a check is on the names of one phrase only."""
    return isinstance(check, AnyCheck) and all(isinstance(part, PresentCheck) for part in check.checks) and " " in _first(check)


def _first(check: AnyCheck) -> str:
    part = check.checks[0]
    return part.entity if isinstance(part, PresentCheck) else ""


def _sourceless(check: Check) -> Check:
    if isinstance(check, AnyCheck):
        return replace(check, checks=tuple(_sourceless(part) for part in check.checks), source=Source())
    if isinstance(check, NotCheck):
        return replace(check, check=_sourceless(check.check), source=Source())
    return replace(check, source=Source())
