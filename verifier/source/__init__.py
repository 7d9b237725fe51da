"""From a folder to parsed files. The only home of parsers."""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from verifier.source.limits import DEFAULT_LIMITS, Limits
    from verifier.source.reader import read

__all__ = ["DEFAULT_LIMITS", "Limits", "read"]

_HOMES = {"DEFAULT_LIMITS": "limits", "Limits": "limits", "read": "reader"}


def __getattr__(name: str) -> object:
    """Import a name when it is first used: who only lists files needs no parser."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
