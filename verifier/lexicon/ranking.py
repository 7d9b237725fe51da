"""Ranking of places by words: how much of what a text speaks of a place has.

Each word weighs its inverse document frequency (Spärck Jones, A statistical interpretation of term specificity, 1972, in the form of
BM25), with a place of the repository as the document. A word that no place has weighs most: a claim about what is nowhere fits nowhere.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from verifier.lexicon.names import words

_ENDINGS = re.compile(r"(?<=\w{4})(?:izations?|isations?|ations?|ings?|ers?|ies|ied|e[sd]|[se]|al|ive|ity|ance|ence)$")


class Places:
    """The words of the places of a repository, indexed once so that each text is ranked against the few that share a word with it.

    Args:
        documents: the raw names and texts of each place.
    """

    def __init__(self, documents: Sequence[Iterable[str]]) -> None:
        self._count = len(documents)
        self._having: dict[str, list[int]] = {}
        for number, document in enumerate(documents):
            for root in sorted({root for text in document for root in roots(text)}):
                self._having.setdefault(root, []).append(number)

    def best(self, context: Sequence[str]) -> tuple[int, float]:
        """The place that has most of what the words of a text weigh.

        Args:
            context: words of the text, in any spelling: `RND`, `predictor network`; repeated words count once.

        Returns:
            Its number, the first of equals, and the share of the weight that it has; (-1, 0.0) where no place shares a word.
        """
        weights = {root: self._rarity(root) for phrase in context for root in roots(phrase)}
        scores: dict[int, float] = {}
        for root, weight in weights.items():
            for number in self._having.get(root, ()):
                scores[number] = scores.get(number, 0.0) + weight
        if not scores:
            return -1, 0.0
        number = max(scores, key=lambda number: (scores[number], -number))
        return number, scores[number] / sum(weights.values())

    def _rarity(self, root: str) -> float:
        """The inverse document frequency, positive also for words in most documents."""
        having = len(self._having.get(root, ()))
        return math.log(1 + (self._count - having + 0.5) / (having + 0.5))


@lru_cache(maxsize=65536)
def roots(text: str) -> tuple[str, ...]:
    """The words of a name or text without their endings: `routing` and `Router` are both `rout`."""
    return tuple(_ENDINGS.sub("", word) for word in words(text))
