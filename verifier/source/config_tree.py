"""What the readers of configuration files share: a bounded builder of nodes."""

from __future__ import annotations

from verifier.model.repository import ConfigNode
from verifier.source.limits import Limits

Fault = tuple[int, str]
Roots = tuple[tuple[ConfigNode, ...], list[Fault]]


class TooLargeError(Exception):
    """A file has more values than a configuration would."""


class Builder:
    """Makes the nodes of one file and counts them.

    Args:
        limits: bounds on the number of values and their nesting.
    """

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.count = 0

    def add(self, count: int = 1) -> None:
        """Count values; raise TooLargeError when there are more than the limit."""
        self.count += count
        if self.count > self.limits.config_nodes:
            raise TooLargeError

    def mapping(self, pairs: list[tuple[str, ConfigNode]], line: int, column: int) -> ConfigNode:
        """Make a mapping; of keys that stand twice the last one wins, in the place of the first."""
        return ConfigNode(None, line, column, fields=tuple(dict(pairs).items()))

    def sequence(self, items: list[ConfigNode], line: int, column: int) -> ConfigNode:
        """Make a sequence."""
        return ConfigNode(None, line, column, items=tuple(items))
