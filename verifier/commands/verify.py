"""Check whether REPO does what the units of a paper say. Nothing in REPO is run, imported or written."""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, cast

from verifier.commands.defaults import default_units
from verifier.commands.output import Progress, wants_colour, write
from verifier.errors import ConfigError, ConfigErrors, UnitErrors, VerifierError
from verifier.model.verdict import Verdict
from verifier.pipeline import Job
from verifier.pipeline import run as verify_job
from verifier.report import FORMATS, Format
from verifier.report.summary import FAILING, failing, summarise

if TYPE_CHECKING:
    from verifier.cache import Store
    from verifier.model.finding import Report

_FAIL_ON = ",".join(FAILING)
_NAMES = (*FAILING, Verdict.UNDECIDED)


@dataclass(frozen=True, slots=True)
class _Gate:
    """When a run fails.

    Attributes:
        fail_on: verdicts that fail.
        min_score: lowest score that does not fail, asked for in their place.
    """

    fail_on: frozenset[Verdict]
    min_score: float | None

    def code(self, report: Report) -> int:
        """The exit code of a report. A report without a score is below any asked for."""
        if self.min_score is None:
            return int(bool(failing(report, self.fail_on)))
        score = summarise(report).overall.score
        undecided = Verdict.UNDECIDED in self.fail_on and failing(report, (Verdict.UNDECIDED,))
        return int(score is None or score < self.min_score or bool(undecided))


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("repo", metavar="REPO", help="the folder to check, in any state")
    parser.add_argument(
        "--units",
        metavar="UNITS",
        nargs="?",
        action="append",
        help="a unit file or a folder of them; may be repeated. Without a name: [tool.sa-verify] units of REPO's pyproject.toml, "
        "else sa-units.yaml, sau.json or units/ in REPO, else in the current folder",
    )
    parser.add_argument("--format", default="text", metavar="FORMAT", help=f"one of {', '.join(FORMATS)} (default: text)")
    parser.add_argument("--output", "-o", metavar="FILE", type=Path, help="write there instead of to the standard output")
    parser.add_argument("--select", metavar="WHAT", default="", help="only these dimensions or unit ids, as in D1,D3")
    parser.add_argument("--fail-on", metavar="VERDICTS", default=_FAIL_ON, help=f"verdicts that fail (default: {_FAIL_ON})")
    parser.add_argument("--strict", action="store_true", help="count undecided as a failure")
    parser.add_argument("--min-score", metavar="SCORE", help="fail below this score, from 0 to 1, instead of on verdicts")
    parser.add_argument("--verbose", "-v", action="store_true", help="show aligned units in full too (text)")
    parser.add_argument("--no-cache", action="store_true", help="neither use nor keep reports of earlier runs")


def run(options: argparse.Namespace) -> int:
    """Check, print the report, say whether something fails."""
    job, gate = _understood(options)
    progress = Progress()
    try:
        report = verify_job(job, _store(options), tell=progress)
    finally:
        progress.clear()
    write(_rendered(report, options), options.output)
    return gate.code(report)


def _understood(options: argparse.Namespace) -> tuple[Job, _Gate]:
    """What is asked for.

    Raises:
        ConfigErrors: the call is wrong; all faults at once, those of the unit files too.
    """
    faults: list[VerifierError] = []
    repo = Path(options.repo)
    if options.format not in FORMATS:
        faults.append(ConfigError(f"unknown format {options.format!r}: choose one of {', '.join(FORMATS)}", "--format"))
    if options.output is not None and not options.output.parent.is_dir():
        faults.append(ConfigError(f"there is no folder {str(options.output.parent)!r} to write to", "--output"))
    gate = _Gate(_verdicts(options, faults), _score(options.min_score, faults))
    if not repo.is_dir():
        faults.append(ConfigError("is not a folder" if repo.exists() else "there is no such folder", options.repo))
    units = _units(repo, options.units or [None], faults)
    if faults:
        raise ConfigErrors([*faults, *_faults_of(tuple(units.values()))])
    select = frozenset(_listed(options.select))
    return Job(repo=repo, units=tuple(units.values()), select=select, repo_name=options.repo, units_names=tuple(units)), gate


def _verdicts(options: argparse.Namespace, faults: list[VerifierError]) -> frozenset[Verdict]:
    words = _listed(options.fail_on)
    unknown = [word for word in words if word not in _NAMES]
    if unknown:
        faults.append(ConfigError(f"unknown verdict {', '.join(unknown)}: choose from {', '.join(_NAMES)}", "--fail-on"))
    chosen = {Verdict(word) for word in words if word in _NAMES}
    return frozenset(chosen | {Verdict.UNDECIDED} if options.strict else chosen)


def _score(text: str | None, faults: list[VerifierError]) -> float | None:
    if text is None:
        return None
    try:
        score = float(text)
    except ValueError:
        score = -1.0
    if not 0 <= score <= 1:
        faults.append(ConfigError(f"a number from 0 to 1 is expected, not {text!r}", "--min-score"))
    return score


def _listed(text: str) -> list[str]:
    return [word.strip() for word in text.split(",") if word.strip()]


def _units(repo: Path, named: list[str | None], faults: list[VerifierError]) -> dict[str, Path]:
    """The unit files under the names that the report gives them."""
    found: dict[str, Path] = {}
    for name in named:
        try:
            found |= {path.as_posix(): path for path in default_units(repo)} if name is None else {name: Path(name)}
        except ConfigError as error:
            faults.append(error)
    return found


def _faults_of(units: tuple[Path, ...]) -> list[VerifierError]:
    """What is wrong with the unit files, when the call is wrong already."""
    from verifier.units import load_units

    try:
        load_units(units)
    except UnitErrors as error:
        return list(error.errors)
    except VerifierError as error:
        return [error]
    return []


def _store(options: argparse.Namespace) -> Store | None:
    if options.no_cache:
        return None
    from verifier.cache import default_store

    return default_store()


def _rendered(report: Report, options: argparse.Namespace) -> str:
    if options.format == "text":
        from verifier.report import text

        return text.render(report, colour=options.output is None and wants_colour(), verbose=options.verbose)
    from verifier.report import render

    return render(report, cast("Format", options.format))
