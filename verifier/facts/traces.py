"""Traces of a program: what happens in which order, and what each result is made of."""

from __future__ import annotations

from collections.abc import Sequence

from verifier.facts.liveness import Liveness
from verifier.facts.placeholders import Placeholders
from verifier.facts.program import Program
from verifier.facts.tracing import entries
from verifier.lexicon.frameworks import Frameworks
from verifier.model.facts import Trace


def traces(program: Program, liveness: Liveness, placeholders: Placeholders, frameworks: Frameworks) -> Sequence[Trace]:
    """One trace for each entry of a program, programs before public definitions before dead code.

    Args:
        program: the program.
        liveness: which of its code is live.
        placeholders: which of its functions and classes are placeholders.
        frameworks: what frameworks do by themselves.
    """
    return entries.traces(program, frameworks, placeholders.of, liveness.reason)
