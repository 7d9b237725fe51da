"""Ranking of places by words: BM25 over identifiers split into words.

Okapi BM25 (Robertson and Zaragoza, The Probabilistic Relevance Framework, 2009), with a place of the repository as the document: the
words of its file, classes, functions, sections and calls.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from verifier.lexicon.names import words

_SATURATION = 1.2
_LENGTH = 0.75


def rank(context: Sequence[str], paths: Sequence[Sequence[str]]) -> tuple[float, ...]:
    """How well each path fits the words of a unit.

    Args:
        context: words of the unit, in any spelling: `RND`, `predictor network`.
        paths: raw names on the way to each place: file path parts, class, function, section, call.

    Returns:
        A score for each path, in their order; 0 where no word is shared. Repeated words of the context count once.
    """
    documents = [Counter(word for name in path for word in words(name)) for path in paths]
    if not documents:
        return ()
    average = sum(document.total() for document in documents) / len(documents) or 1.0
    weights = {word: _rarity(word, documents) for word in dict.fromkeys(word for phrase in context for word in words(phrase))}
    return tuple(sum(weight * _saturated(document, word, average) for word, weight in weights.items()) for document in documents)


def _rarity(word: str, documents: Sequence[Counter[str]]) -> float:
    """The inverse document frequency, positive also for words in most documents."""
    having = sum(word in document for document in documents)
    return math.log(1 + (len(documents) - having + 0.5) / (having + 0.5))


def _saturated(document: Counter[str], word: str, average: float) -> float:
    count = document[word]
    if not count:
        return 0.0
    norm = _SATURATION * (1 - _LENGTH + _LENGTH * document.total() / average)
    return count * (_SATURATION + 1) / (count + norm)
