"""How well a text of code fits the entity that a `present` check wants."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

from verifier.lexicon.names import find_window, same_word, words
from verifier.model.facts import Form, Mention

if TYPE_CHECKING:
    from verifier.lexicon import Lexicon
    from verifier.lexicon.entities import Entity

Words = tuple[str, ...]

_SMALL = frozenset("the a an of for in on with and or to by via using from is are as at per its our we each all".split())
_VAGUE = frozenset("method approach technique strategy scheme mechanism procedure algorithm module component based use used".split())
_COMMON = frozenset(
    "value reward policy state action target noise train test model data step time function weight score error mean loss network layer "
    "input output learning batch size rate random sample image text token feature hidden log number item list index key name type run "
    "update result average total base level scale init config path point set map group order rank field local global gradient path "
    "vector matrix kernel graph node edge class label prior posterior latent energy distance block linear dense head attention mask "
    "sequence position frame video audio speech signal filter window search tree self single multi full half max min sum online offline".split()
)
_PROSE = 7
_SUFFIXES = re.compile(
    r"(?:ization|isation|izations|ational|ation|ization|izer|izing|ized|ize|ators?|ating|ated|ates?|ions?|ing|ive|ers?|ors?|ed|es|al|ly|y|e|s)$"
)
_NOT_THE_DATA = frozenset({"mean", "std", "normalize", "pretrained", "weight", "stat", "class", "classes", "label", "transform"})


@dataclass(frozen=True, slots=True, order=True)
class Fit:
    """How well a mention fits; less is better.

    Attributes:
        tier: 0 the thing itself is called or defined, 1 its name in a string, key or value, 2 a part of a longer name, or a setting, 3 only
            words of a phrase, or an import.
        extra: how many words the text has besides.
    """

    tier: int
    extra: int


@dataclass(frozen=True)
class Wanted:
    """What a check wants, under all its names.

    Attributes:
        phrase: as the unit names it.
        role: the check's `as`.
    """

    phrase: str
    role: str
    lexicon: Lexicon

    @cached_property
    def entities(self) -> tuple[Entity, ...]:
        """What the lexicon knows under the phrase."""
        return self.lexicon.named_entities(self.phrase, self.role)

    @cached_property
    def siblings(self) -> frozenset[str]:
        """Names of what may stand in its place by mistake."""
        return frozenset(other.name for entity in self.entities for other in self.lexicon.entities.siblings(entity))

    @cached_property
    def spellings(self) -> tuple[tuple[Words, str], ...]:
        """Its spellings, each with its words run together."""
        own = words(self.phrase)
        found = []
        for spelled in self.lexicon.entity_spellings(self.phrase, self.role):
            shortened = len(spelled) == 1 and len(own) > 1 and "".join(own) != spelled[0]
            if shortened and not self.entities and spelled[0] in own and spelled[0] in _COMMON:
                continue
            if len("".join(spelled)) > 1:
                found.append((spelled, "".join(spelled)))
        return tuple(found)

    @cached_property
    def content(self) -> Words:
        """The telling words of the phrase."""
        own = tuple(word for word in words(self.phrase) if word not in _SMALL)
        plain = tuple(word for word in own if word not in _VAGUE)
        return plain or own

    def known(self, text: str, target: str = "") -> bool:
        """Whether the lexicon takes a text for the entity itself, or for a special case of it."""
        names = {entity.name for entity in self.entities}
        return any(found.name in names or names & set(found.broader) for found in self.lexicon.identify(text, target))

    def spelled_in(self, text: str) -> bool:
        """Whether a running text has one of the spellings."""
        own = words(text[:2000])
        joined = "".join(own)
        return any(run in joined and find_window(own, spelled) >= 0 for spelled, run in self.spellings)

    # --- fitting --------------------------------------------------------------------------------------------------------

    def may_fit(self, text: str) -> bool:
        """A quick look whether any mention of a text could fit."""
        return self._window(text) is not None or self._overlap(words(text))

    def fit(self, mention: Mention) -> Fit | None:
        """How well a mention fits; None when it is something else."""
        window = self._window(mention.text)
        if window is None:
            return self._loose(mention)
        spelled, own, start = window
        if mention.form is Form.STRING and " " in mention.text and len(own) > _PROSE + len(spelled):
            return None
        if self.role == "dataset" and mention.form in {Form.NAME, Form.REFERENCE, Form.IMPORT} and _NOT_THE_DATA & set(own):
            return None
        return Fit(self._tier(mention, start, len(own)), len(own) - len(spelled))

    def _tier(self, mention: Mention, start: int, length: int) -> int:
        last = len(words(mention.text.rpartition(".")[2]))
        inside = start >= length - last
        match mention.form:
            case Form.CALL | Form.CLASS | Form.FUNCTION | Form.REFERENCE:
                return 0 if inside else 2
            case Form.STRING:
                return 0 if self.role in {"dataset", "model", "metric"} and start == 0 else 1
            case Form.KEY:
                return 2 if mention.setting else 1
            case Form.NAME:
                return 2 if mention.setting else 1
        return 3

    def _window(self, text: str) -> tuple[Words, Words, int] | None:
        own = words(text)
        joined = "".join(own)
        for spelled, run in self.spellings:
            if run in joined:
                start = find_window(own, spelled)
                if start >= 0 and not self._other(text, run):
                    return spelled, own, start
        return None

    def _other(self, text: str, run: str) -> bool:
        """Whether a longer name around the spelling is that of something else."""
        names = {entity.name for entity in self.entities}
        for start, end, entity in self.lexicon.find_entities(text):
            spanned = "".join(words(text[start:end]))
            if run in spanned and run != spanned and entity.name not in names and not names & set(entity.broader):
                return True
        return False

    # --- phrases --------------------------------------------------------------------------------------------------------

    def _overlap(self, own: Sequence[str]) -> bool:
        return len(self.content) > 1 and any(_alike(word, wanted) for wanted in self.content for word in own)

    def _loose(self, mention: Mention) -> Fit | None:
        """All telling words of a phrase, in one name, or in a name and the class and function around it."""
        if len(self.content) < 2 or self.role in {"dataset", "call"} or mention.form in {Form.IMPORT, Form.STRING}:
            return None
        own = words(mention.text)
        if not self._overlap(own):
            return None
        if _covers(own, self.content):
            return Fit(2, len(own) - len(self.content))
        if len(self.content) > 2 or mention.form in {Form.CALL, Form.FUNCTION, Form.CLASS}:
            around = (*own, *(word for name in mention.place.path[-4:] for word in words(name)))
            if _covers(around, self.content):
                return Fit(3, len(own))
        return None


def _covers(own: Sequence[str], wanted: Words) -> bool:
    return all(any(_alike(word, one) for word in own) for one in wanted)


@lru_cache(maxsize=65536)
def _alike(a: str, b: str) -> bool:
    """Whether two words are forms of one: `quantize` and `quantizer`, `norm` and `normalization`."""
    if same_word(a, b):
        return True
    one, other = _root(a), _root(b)
    return one == other and len(one) > 3 or (len(min(one, other, key=len)) > 3 and (one.startswith(other) or other.startswith(one)) and abs(len(one) - len(other)) < 4)


def _root(word: str) -> str:
    stripped = _SUFFIXES.sub("", word)
    return stripped if len(stripped) > 3 else word


def segments(dotted: str) -> Iterator[Words]:
    """The words of each part of a dotted name."""
    return (words(part) for part in dotted.split("."))
