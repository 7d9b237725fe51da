"""Units: what a paper claims, loaded from unit files, compiled into checks, written back and linted.

Nothing is imported before it is used, which keeps the start fast.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from verifier.units.compile import compile_unit
    from verifier.units.emit import dump_rules
    from verifier.units.lint import lint_units
    from verifier.units.load import load_units

__all__ = ["compile_unit", "dump_rules", "lint_units", "load_units"]

_HOMES = {"compile_unit": "compile", "dump_rules": "emit", "lint_units": "lint", "load_units": "load"}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
