"""Lift code to expressions: what each function computes, with its helpers substituted."""

from verifier.facts.lifting.definitions import definitions

__all__ = ["definitions"]
