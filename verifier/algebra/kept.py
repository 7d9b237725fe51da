"""Results that are kept while one repository is judged, and forgotten before the next."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")

_FORGET: list[Callable[[], None]] = []


def kept(most: int) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Keep the results of a pure function of hashable arguments, the latest `most` of them."""

    def wrap(function: Callable[P, R]) -> Callable[P, R]:
        cached = lru_cache(maxsize=most)(function)
        _FORGET.append(cached.cache_clear)
        return cached  # type: ignore[return-value]

    return wrap


def forget() -> None:
    """Let go of all results that are kept, so that a process that judges many repositories does not grow."""
    for clear in _FORGET:
        clear()
