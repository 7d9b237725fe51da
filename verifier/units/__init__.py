"""Units: what a paper claims, loaded from unit files, and compiled into checks."""

from verifier.units.load import load_units

__all__ = ["load_units"]
