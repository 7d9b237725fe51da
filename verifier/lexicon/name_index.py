"""An index of raw names by their words, so that a spelling finds the names it may mean without a look at each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from verifier.lexicon.names import same_word, words

SHORTEST = 3
"""Letters that a short form has at least: `cal` for calibration."""

EMPTY = frozenset("num number n size value default the of count total max min init param parameter cfg config use my x".split())
"""Words of a name that say nothing about which quantity it is."""


class NameIndex:
    """Raw names, found by their words.

    Args:
        names: the raw names, in the order in which they are to be found.
    """

    def __init__(self, names: Iterable[str]) -> None:
        self._names = tuple(names)
        self._exact: dict[str, list[str]] = {}
        self._longer: dict[str, list[str]] = {}
        self._beginning: dict[str, list[str]] = {}
        for name in self._names:
            own = words(name)
            if not own:
                continue
            self._exact.setdefault("".join(own), []).append(name)
            for word in own:
                self._beginning.setdefault(word[:SHORTEST], []).append(name)
            ends = {"".join(own[:k]) for k in range(1, len(own))} | {"".join(own[-k:]) for k in range(1, len(own))}
            for end in sorted(ends):
                self._longer.setdefault(end, []).append(name)

    def __iter__(self) -> Iterator[str]:
        """The names, in the order in which they were given."""
        return iter(self._names)

    def __len__(self) -> int:
        """How many names there are."""
        return len(self._names)

    def exact(self, spelled: Sequence[str]) -> Sequence[str]:
        """The names that are these words: `lr`, `LR` and `l_r` for `("lr",)`."""
        return self._exact.get("".join(spelled), ())

    def longer(self, spelled: Sequence[str]) -> Sequence[str]:
        """The names that begin or end with these words and say more: `actor_lr` for `("lr",)`."""
        return self._longer.get("".join(spelled), ())

    def covered(self, spelled: Sequence[str]) -> Iterator[str]:
        """The names whose every telling word is one of these words or a short form of one: `n_cal`, `cond_drop_prob`.

        A name with a single telling word has the first of the phrase, which tells it from its kin: `dtype` is no `reduce dtype`.

        Args:
            spelled: the stemmed words of a phrase.
        """
        told = [word for word in spelled if len(word) >= SHORTEST and word not in EMPTY]
        seen: set[str] = set()
        for word in told:
            for name in self._beginning.get(word[:SHORTEST], ()):
                if name not in seen:
                    seen.add(name)
                    telling = [part for part in words(name) if part not in EMPTY]
                    heads = told if len(telling) > 1 else told[:1]
                    if telling and all(any(_short_for(part, whole) for whole in heads) for part in telling):
                        yield name


def _short_for(part: str, whole: str) -> bool:
    """Whether a word of a name stands for a word of a phrase: itself, its beginning, or a usual short form."""
    if len(part) < SHORTEST:
        return part == whole
    return whole.startswith(part) or part.startswith(whole) or same_word(part, whole)
