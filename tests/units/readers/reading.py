"""How reader tests look at a claim: compiled, without the sources."""

from __future__ import annotations

from verifier.model.check import AnyCheck, Check, FormulaCheck, NotCheck, OrderCheck, PresentCheck, ValueCheck
from verifier.model.unit import Rule, Unit
from verifier.units.compile import compile_unit


def rule(claim: str, dimension: str = "D1") -> Rule:
    """The rule that a claim compiles into."""
    return compile_unit(Unit(id=f"paper-{dimension}-001", dimension=dimension, claim=claim))  # type: ignore[arg-type]


def leaves(claim: str, dimension: str = "D1") -> list[Check]:
    """All checks of a claim, those inside `any` and `not` too."""

    def flat(check: Check) -> list[Check]:
        if isinstance(check, AnyCheck):
            return [leaf for part in check.checks for leaf in flat(part)]
        return flat(check.check) if isinstance(check, NotCheck) else [check]

    return [leaf for check in rule(claim, dimension).checks for leaf in flat(check)]


def values(claim: str) -> list[tuple[str, object]]:
    """(first subject, test) of each value check, variants inside `any` left out."""
    found: list[tuple[str, object]] = []
    for check in rule(claim).checks:
        first = check.checks[0] if isinstance(check, AnyCheck) else check
        if isinstance(first, ValueCheck):
            found.append((first.subjects[0], first.test))
    return found


def subjects(claim: str) -> set[str]:
    """Every name offered for any value of a claim."""
    return {name for leaf in leaves(claim) if isinstance(leaf, ValueCheck) for name in leaf.subjects}


def entities(claim: str, dimension: str = "D1") -> list[str]:
    """Every entity of a claim's `present` checks."""
    return [leaf.entity for leaf in leaves(claim, dimension) if isinstance(leaf, PresentCheck)]


def formulas(claim: str) -> list[str]:
    """Every formula of a claim."""
    return [leaf.text for leaf in leaves(claim, "D2") if isinstance(leaf, FormulaCheck)]


def steps(claim: str) -> list[tuple[tuple[str, ...], ...]]:
    """The steps of a claim's `order` checks."""
    return [leaf.steps for leaf in leaves(claim, "D4") if isinstance(leaf, OrderCheck)]
