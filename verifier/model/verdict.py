"""Verdicts and causes: the words every report uses."""

from __future__ import annotations

from enum import StrEnum


class Verdict(StrEnum):
    """What was found out about a check or a unit, worst first (`undecided` and `aligned` close the list)."""

    DRIFTED = "drifted"
    DEFERRED = "deferred"
    UNUSED = "unused"
    MISSING = "missing"
    UNDECIDED = "undecided"
    ALIGNED = "aligned"

    @property
    def severity(self) -> int:
        """Rank from 0, the worst, to 5, aligned."""
        return _SEVERITY[self]


_SEVERITY = {verdict: rank for rank, verdict in enumerate(Verdict)}


class Cause(StrEnum):
    """Why a check fails."""

    WRONG_VALUE = "wrong-value"
    WRONG_FORMULA = "wrong-formula"
    WRONG_ORDER = "wrong-order"
    WRONG_ENTITY = "wrong-entity"
    FORBIDDEN = "forbidden"
    CITED_METHOD = "cited-method"
    PLACEHOLDER = "placeholder"
    DEAD_CODE = "dead-code"
    MISSING = "missing"
