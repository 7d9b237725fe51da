"""Findings and the report: what checking found."""

from __future__ import annotations

from dataclasses import dataclass, field

from verifier.model.location import Location, Problem
from verifier.model.unit import Unit
from verifier.model.verdict import Cause, Verdict


@dataclass(frozen=True, slots=True)
class Step:
    """One step of the trail that led to a finding: a place and what happens there.

    Attributes:
        operand: the value at this place went into a computation, and what came out is another one.
    """

    text: str
    location: Location | None = None
    operand: bool = False

    def __str__(self) -> str:
        return f"{self.location} {self.text}" if self.location else self.text


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """A check with its verdict.

    Attributes:
        kind: the check's kind key in the unit file.
        subject: what was looked for, as the unit names it.
        expected: what the unit asks for, printed as section 4 of the contract says.
        found: what the code has instead, or the matching value; empty when nothing was found.
        location: the decisive line; None only for `missing` and `undecided`.
        trail: the evidence, from where the value is written to where it is used.
        parts: for `any` and `not`, the findings of the checks inside.
        off: what was found is there, but switched off by default.
    """

    kind: str
    subject: str
    status: Verdict
    cause: Cause | None = None
    expected: str = ""
    found: str | None = None
    location: Location | None = None
    message: str = ""
    origin: str = "written"
    words: str = ""
    trail: tuple[Step, ...] = ()
    parts: tuple[Finding, ...] = ()
    off: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitResult:
    """A unit with its findings and its verdict."""

    unit: Unit
    findings: tuple[Finding, ...]
    home: str = ""

    @property
    def worst(self) -> Finding | None:
        """The first of the findings with the worst verdict."""
        return min(self.findings, key=lambda finding: finding.status.severity, default=None)

    @property
    def verdict(self) -> Verdict:
        """The worst of its checks; undecided when there is none."""
        worst = self.worst
        return worst.status if worst else Verdict.UNDECIDED

    @property
    def cause(self) -> Cause | None:
        """The cause of its worst check."""
        worst = self.worst
        return worst.cause if worst else None

    @property
    def decided(self) -> int:
        """How many checks were decided."""
        return sum(finding.status is not Verdict.UNDECIDED for finding in self.findings)

    @property
    def score(self) -> float | None:
        """Aligned checks among the decided ones; None when none was decided."""
        if not self.decided:
            return None
        return sum(finding.status is Verdict.ALIGNED for finding in self.findings) / self.decided


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """Everything one run found out.

    Attributes:
        repo: the repository as given on the command line.
        units_from: the unit files as given.
    """

    repo: str
    units_from: tuple[str, ...]
    results: tuple[UnitResult, ...]
    problems: tuple[Problem, ...] = field(default=())
