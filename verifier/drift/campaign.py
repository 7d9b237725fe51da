"""A campaign: faults planted one at a time where a unit is aligned, and whether its verdict changes."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING

from verifier.drift.mutations import Mutation, another_operator, another_value, placeholder, swapped
from verifier.model.finding import Finding, UnitResult
from verifier.model.repository import Repository
from verifier.model.unit import Rule
from verifier.model.verdict import Verdict

if TYPE_CHECKING:
    from pathlib import Path

    from verifier.lexicon import Lexicon


@dataclass(frozen=True, slots=True)
class Trial:
    """One planted fault and what became of the check it was aimed at.

    Attributes:
        unit: the unit's id.
        subject: the check's subject.
        after: the check's verdict with the fault in place.
    """

    unit: str
    subject: str
    file: str
    mutation: Mutation
    after: Verdict

    @property
    def caught(self) -> bool:
        """Whether the verdict tells the fault: anything but aligned."""
        return self.after is not Verdict.ALIGNED


def campaign(repo: Path, rules: Sequence[Rule], lexicon: Lexicon, *, seed: int = 0, most: int = 3) -> Iterator[Trial]:
    """Plant faults at the decisive lines of aligned checks, check the unit again, and tell what became of each.

    Args:
        repo: the repository; it is read, never written.
        rules: the units, compiled.
        lexicon: what names mean.
        seed: chooses among the possible faults of a check.
        most: faults a check.

    Yields:
        The trials, in the order of the units.
    """
    from verifier.checks import check_rule
    from verifier.facts import index
    from verifier.source import read

    repository = read(repo)
    facts = index(repository, lexicon)
    for rule in rules:
        for number, finding in enumerate(check_rule(rule, facts, lexicon).findings):
            if finding.status is not Verdict.ALIGNED or finding.location is None:
                continue
            text = (repo / finding.location.file).read_text(encoding="utf-8", errors="replace")
            possible = [mutation for mutation in _mutations(finding, text) if mutation.text != text]
            random.Random(f"{seed}:{rule.unit.id}:{number}").shuffle(possible)  # noqa: S311 - a choice, no secret
            for mutation in possible[:most]:
                changed = _with(repository, finding.location.file, mutation.text)
                result: UnitResult = check_rule(rule, index(changed, lexicon), lexicon)
                after = result.findings[number].status
                yield Trial(rule.unit.id, finding.subject, finding.location.file, mutation, after)


def _mutations(finding: Finding, text: str) -> list[Mutation]:
    place = finding.location
    assert place is not None
    match finding.kind:
        case "value":
            return [m for m in another_value(text, place.line) if finding.found is None or _touches(m, finding.found)]
        case "formula" | "latex":
            return [*another_operator(text, place.line, place.end_line), *placeholder(text, place.line)]
        case "present":
            return placeholder(text, place.line) if text.splitlines()[place.line - 1].lstrip().startswith("def ") else []
        case "order":
            lines = [step.location.line for step in finding.trail if step.location and step.location.file == place.file]
            return [m for first, second in pairwise(lines) for m in swapped(text, first, second)]
    return []


def _touches(mutation: Mutation, found: str) -> bool:
    """Whether the changed number is the one that was found (a line may hold several)."""
    from verifier.model import worth

    return worth.equal(mutation.what.split(" becomes ")[0], found)


def _with(repository: Repository, path: str, text: str) -> Repository:
    """The repository with one file's text changed, in memory."""
    from verifier.source.config import read_config
    from verifier.source.python import read_python

    if path.endswith(".py"):
        file, _ = read_python(path, text.encode())
        python = tuple(replace(file, role=old.role) if old.path == path else old for old in repository.python)
        return replace(repository, python=python)
    before = next((old for old in repository.configs if old.path == path), None)
    if before is None:
        return repository
    config, _ = read_config(path, before.syntax, text.encode())
    if config is None:
        return repository
    configs = tuple(replace(config, role=old.role) if old.path == path else old for old in repository.configs)
    return replace(repository, configs=configs)
