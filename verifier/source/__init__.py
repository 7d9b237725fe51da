"""From a folder to parsed files. The only home of parsers."""

from verifier.source.limits import DEFAULT_LIMITS, Limits
from verifier.source.reader import read

__all__ = ["DEFAULT_LIMITS", "Limits", "read"]
