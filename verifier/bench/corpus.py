"""Which repositories and unit files make up a benchmark: `RUNS/<config>/<paper>/repo`, and a unit file for each paper."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from verifier.errors import ConfigError, UnitError, UnitErrors
from verifier.pipeline import Job

RESULT_FOLDER = "result"  # where the benchmark's own harness stores what it measured


@dataclass(frozen=True, slots=True, order=True)
class Entry:
    """A repository of a benchmark, and the units of its paper.

    Attributes:
        config: who or what wrote the repository.
        paper: the paper it is of.
        repo: its folder.
        units: the paper's unit file.
        units_name: that file, relative to the folder of unit files.
    """

    config: str
    paper: str
    repo: Path
    units: Path
    units_name: str

    @property
    def job(self) -> Job:
        """What to check, under names that do not depend on where the benchmark lies."""
        return Job(
            repo=self.repo,
            units=(self.units,),
            repo_name=f"{self.config}/{self.paper}/repo",
            units_names=(self.units_name,),
            left_out=frozenset({RESULT_FOLDER}),
        )


@dataclass(frozen=True, slots=True)
class Corpus:
    """What was found.

    Attributes:
        entries: the repositories, sorted by config and paper.
        left_out: why others are not among them, a line each.
    """

    entries: tuple[Entry, ...]
    left_out: tuple[str, ...]


def find(runs: Path, units: Path) -> Corpus:
    """Find the repositories of a benchmark.

    Args:
        runs: the folder with `<config>/<paper>/repo`.
        units: the folder with `<paper>.json`, `<paper>.yaml` or `<paper>/sau.json`.

    Raises:
        ConfigError: one of the folders does not exist, or there is nothing to check.
    """
    for folder in (runs, units):
        if not folder.is_dir():
            raise ConfigError("there is no such folder", str(folder))
    entries: list[Entry] = []
    left_out: list[str] = []
    for config in _folders(runs):
        for paper in _folders(config):
            name = _units_name(units, paper.name)
            if not (paper / "repo").is_dir():
                left_out.append(f"{config.name}/{paper.name}: there is no folder repo in it")
            elif name is None:
                left_out.append(f"{config.name}/{paper.name}: {units} has no units of this paper")
            else:
                entries.append(Entry(config.name, paper.name, paper / "repo", units / name, name))
    if not entries:
        raise ConfigError(
            "holds no repository with units: RUNS/<config>/<paper>/repo and DIR/<paper>.json are expected", str(runs)
        )
    return Corpus(tuple(sorted(entries)), tuple(left_out))


def validate(corpus: Corpus) -> None:
    """Load the unit files of all papers.

    Raises:
        UnitErrors: with the faults of all of them.
    """
    from verifier.units import load_units

    faults: list[UnitError] = []
    for file in sorted({entry.units for entry in corpus.entries}):
        try:
            load_units([file])
        except UnitErrors as error:
            faults += error.errors
    if faults:
        raise UnitErrors(faults)


def _folders(folder: Path) -> Iterator[Path]:
    return (path for path in sorted(folder.iterdir()) if path.is_dir() and not path.name.startswith("."))


def _units_name(units: Path, paper: str) -> str | None:
    names = (f"{paper}.json", f"{paper}.yaml", f"{paper}.yml", f"{paper}/sau.json")
    return next((name for name in names if (units / name).is_file()), None)
