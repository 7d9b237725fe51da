"""The story: a repository becomes facts, units become rules, rules are checked against facts, the findings make a report.

Readers, extractors and checks are imported where they are needed: a report that is still kept from an earlier run needs none of
them.
"""

from __future__ import annotations

import gc
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from verifier.errors import ConfigError
from verifier.model.finding import Report, UnitResult
from verifier.source.limits import DEFAULT_LIMITS, Limits

if TYPE_CHECKING:
    from verifier.cache import Store
    from verifier.model.facts import FactBase
    from verifier.model.repository import Repository
    from verifier.model.unit import Rule, Unit

DIMENSIONS = frozenset({"D1", "D2", "D3", "D4"})
Tell = Callable[[str], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """One repository to check.

    Attributes:
        repo: its folder.
        units: unit files, or folders of them.
        select: dimensions and unit ids that are checked; all when empty.
        repo_name: how the report names the repository.
        units_names: how the report names the unit files.
        left_out: folders of the repository that are no part of it.
    """

    repo: Path
    units: tuple[Path, ...]
    select: frozenset[str] = frozenset()
    repo_name: str
    units_names: tuple[str, ...]
    left_out: frozenset[str] = frozenset()

    @property
    def limits(self) -> Limits:
        """The bounds within which the repository is read."""
        return replace(DEFAULT_LIMITS, left_out=self.left_out)


def _quiet(_: str) -> None:
    """Tell nobody."""


def verify(repo: Path | str, units: Path | str | Iterable[Path | str], *, select: Iterable[str] = ()) -> Report:
    """Check a repository against unit files.

    Args:
        repo: the folder to check; nothing in it is run, imported or written.
        units: a unit file, a folder of unit files, or several of either.
        select: dimensions and unit ids to check; all when empty.

    Raises:
        UnitError: unit files are wrong; all their faults at once.
        ConfigError: a selected unit does not exist.
        SourceError: the repository cannot be listed.
    """
    paths = tuple(Path(path) for path in ([units] if isinstance(units, (str, Path)) else units))
    names = tuple(path.as_posix() for path in paths)
    return run(Job(repo=Path(repo), units=paths, select=frozenset(select), repo_name=str(repo), units_names=names))


def run(job: Job, store: Store | None = None, rules: Callable[[], Sequence[Rule]] | None = None, tell: Tell = _quiet) -> Report:
    """Check one repository, or find the report of an earlier run on the same content.

    Args:
        job: what to check.
        store: reports of earlier runs; None to check in any case.
        rules: gives the job's units compiled, when the caller has them for several jobs.
        tell: is told what is being done.

    Raises:
        UnitError: unit files are wrong; all their faults at once.
        ConfigError: a selected unit does not exist.
        SourceError: the repository cannot be listed.
    """
    prepared = rules or (lambda: prepare(job.units, job.select))
    if store is None:
        return examine(job, prepared(), tell)
    from verifier.cache import fingerprint

    key = fingerprint(job.repo, job.units, job.limits, job.repo_name, *job.units_names, "select", *sorted(job.select))
    report = _recall(store, key)
    if report is None:
        from verifier.report.json import render_line

        report = examine(job, prepared(), tell)
        store.put(key, render_line(report))
    return report


def prepare(units: Iterable[Path], select: frozenset[str] = frozenset()) -> tuple[Rule, ...]:
    """Load unit files, keep the selected units and compile them."""
    from verifier.lexicon import load_lexicon
    from verifier.units import compile_unit, load_units

    lexicon = load_lexicon()
    return tuple(compile_unit(unit, lexicon) for unit in selected(load_units(list(units)), select))


def selected(units: Sequence[Unit], select: frozenset[str]) -> list[Unit]:
    """The units of the selected dimensions or ids, in their order.

    Raises:
        ConfigError: a selected word is neither a dimension nor the id of a unit.
    """
    unknown = sorted(select - DIMENSIONS - {unit.id for unit in units})
    if unknown:
        raise ConfigError(f"no unit and no dimension (D1 to D4) is called {', '.join(unknown)}", "--select")
    return [unit for unit in units if not select or unit.id in select or unit.dimension in select]


def examine(job: Job, rules: Sequence[Rule], tell: Tell = _quiet) -> Report:
    """Read and index a repository, and check every rule against its facts."""
    with _garbage_collection_paused():
        return _examined(job, rules, tell)


@contextmanager
def _garbage_collection_paused() -> Iterator[None]:
    """Spare the search for garbage, a fifth of the time: what is found out about a repository stays until its report."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def _examined(job: Job, rules: Sequence[Rule], tell: Tell) -> Report:
    from verifier.facts import index
    from verifier.lexicon import load_lexicon
    from verifier.source import read

    lexicon = load_lexicon()
    tell("reading")
    repository: Repository = read(job.repo, limits=job.limits)
    tell("indexing")
    facts: FactBase = index(repository, lexicon)
    results: list[UnitResult] = []
    from verifier.checks import check_rule

    for number, rule in enumerate(rules, 1):
        tell(f"checking {number} of {len(rules)}: {rule.unit.id}")
        results.append(check_rule(rule, facts, lexicon))
    return Report(repo=job.repo_name, units_from=job.units_names, results=tuple(results), problems=repository.problems)


def _recall(store: Store, key: str) -> Report | None:
    """The kept report; None when there is none, or it is damaged."""
    from verifier.report.load import from_object

    text = store.get(key)
    try:
        return None if text is None else from_object(json.loads(text))
    except (ValueError, ConfigError):
        return None
