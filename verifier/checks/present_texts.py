"""All texts of a repository, indexed once so that each check looks only at the few that may fit."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from functools import cached_property, lru_cache

from verifier.checks.present_words import split


class Texts:
    """Texts by their words, apart and run together.

    Args:
        texts: the texts.
    """

    def __init__(self, texts: tuple[str, ...]) -> None:
        self.texts = texts
        runs = [split(text)[1] for text in texts]
        self._joined = "\n".join(runs)
        self._starts: list[int] = []
        at = 0
        for run in runs:
            self._starts.append(at)
            at += len(run) + 1

    @cached_property
    def by_word(self) -> dict[str, list[int]]:
        """Word -> numbers of the texts that have it."""
        found: dict[str, list[int]] = {}
        for number, text in enumerate(self.texts):
            for word in dict.fromkeys(split(text)[0]):
                found.setdefault(word, []).append(number)
        return found

    def having(self, runs: Iterable[str]) -> set[int]:
        """Numbers of the texts whose words run together have one of these strings."""
        found: set[int] = set()
        for run in runs:
            at = self._joined.find(run)
            while at >= 0:
                number = bisect_right(self._starts, at) - 1
                found.add(number)
                after = self._starts[number + 1] if number + 1 < len(self._starts) else len(self._joined)
                at = self._joined.find(run, after)
        return found


@lru_cache(maxsize=4)
def indexed(texts: tuple[str, ...]) -> Texts:
    """The index of these texts, kept for the checks of one repository."""
    return Texts(texts)
