"""Traces of a program: what happens in which order, and what each result is made of."""

from __future__ import annotations

from verifier.facts.liveness import Liveness
from verifier.facts.placeholders import Placeholders
from verifier.facts.program import Program
from verifier.facts.tracing import entries
from verifier.lexicon.frameworks import load_frameworks
from verifier.model.facts import Trace


def traces(program: Program, liveness: Liveness, placeholders: Placeholders) -> tuple[Trace, ...]:
    """One trace for each entry of a program, programs before public definitions before dead code.

    Args:
        program: the program.
        liveness: which of its code is live.
        placeholders: which of its functions and classes are placeholders.
    """
    return entries.traces(program, load_frameworks(), placeholders.of, liveness.reason)
