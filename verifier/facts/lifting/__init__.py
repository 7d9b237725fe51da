"""Lift code to expressions: what each function computes, with its helpers substituted."""

from verifier.facts.lifting.definitions import definitions
from verifier.facts.lifting.parts import Lifted, Origin, lifted

__all__ = ["Lifted", "Origin", "definitions", "lifted"]
