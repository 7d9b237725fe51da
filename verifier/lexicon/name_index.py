"""An index of raw names by their words, so that a spelling finds the names it may mean without a look at each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from verifier.lexicon.names import words


class NameIndex:
    """Raw names, found by their words.

    Args:
        names: the raw names, in the order in which they are to be found.
    """

    def __init__(self, names: Iterable[str]) -> None:
        self._names = tuple(names)
        self._exact: dict[str, list[str]] = {}
        self._longer: dict[str, list[str]] = {}
        for name in self._names:
            own = words(name)
            if not own:
                continue
            self._exact.setdefault("".join(own), []).append(name)
            ends = {"".join(own[:k]) for k in range(1, len(own))} | {"".join(own[-k:]) for k in range(1, len(own))}
            for end in sorted(ends):
                self._longer.setdefault(end, []).append(name)

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def exact(self, spelled: Sequence[str]) -> Sequence[str]:
        """The names that are these words: `lr`, `LR` and `l_r` for `("lr",)`."""
        return self._exact.get("".join(spelled), ())

    def longer(self, spelled: Sequence[str]) -> Sequence[str]:
        """The names that begin or end with these words and say more: `actor_lr` for `("lr",)`."""
        return self._longer.get("".join(spelled), ())
