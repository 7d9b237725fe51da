"""Checks whether a repository does what a paper says, by reading its code.

The public interface; everything is imported when it is first used.

    from verifier import render, verify

    print(render(verify("repo", "units.yaml"), "markdown"))
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from verifier.checks import check_rule
    from verifier.errors import VerifierError
    from verifier.facts import index
    from verifier.lexicon import load_lexicon
    from verifier.model.finding import Finding, Report, UnitResult
    from verifier.model.location import Location, Problem
    from verifier.model.unit import Rule, Unit
    from verifier.model.verdict import Cause, Verdict
    from verifier.pipeline import verify
    from verifier.report import render
    from verifier.source import read
    from verifier.units import compile_unit, load_units
    from verifier.version import __version__

_HOMES = {
    "verify": "pipeline",
    "load_lexicon": "lexicon",
    "load_units": "units",
    "compile_unit": "units",
    "read": "source",
    "index": "facts",
    "check_rule": "checks",
    "render": "report",
    "Unit": "model.unit",
    "Rule": "model.unit",
    "Finding": "model.finding",
    "UnitResult": "model.finding",
    "Report": "model.finding",
    "Location": "model.location",
    "Problem": "model.location",
    "Verdict": "model.verdict",
    "Cause": "model.verdict",
    "VerifierError": "errors",
    "__version__": "version",
}

__all__ = [
    "Cause",
    "Finding",
    "Location",
    "Problem",
    "Report",
    "Rule",
    "Unit",
    "UnitResult",
    "Verdict",
    "VerifierError",
    "__version__",
    "check_rule",
    "compile_unit",
    "index",
    "load_lexicon",
    "load_units",
    "read",
    "render",
    "verify",
]


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
