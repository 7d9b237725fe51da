"""Word lists and word comparison of the `present` check."""

from __future__ import annotations

import re
from functools import lru_cache

from verifier.lexicon.names import same_word, words

Words = tuple[str, ...]

SMALL = frozenset("the a an of for in on with and or to by via using from is are as at per its our we each all".split())
"""Words that tell nothing."""
VAGUE = frozenset(
    "method approach technique strategy scheme mechanism procedure algorithm module component based use used".split()
)
"""Words that say only that something is a thing to do."""
_KINDS = (
    "sampling sampler sample training loss metric score dataset data benchmark optimizer model network layer baseline "
    "evaluation experiment agent policy architecture backbone regularization augmentation scheduler task environment env suite "
    "test run extension variant"
)
KINDS = SMALL | VAGUE | frozenset(_KINDS.split())
"""Words that say what kind of thing a name is the name of."""
ABOUT = frozenset(
    "step timestep size dim dimension num number n count channel head width depth hidden input output path dir "
    "folder file root weight coef coefficient lambda lr rate beta decay scale temperature length key prefix suffix "
    "name id idx index shape dtype device epoch iteration freq frequency interval start end min max threshold batch "
    "config cfg param kwarg arg option setting time seed version eta".split()
)
"""Words that make a longer name that of a property of the thing, not of the thing."""
EVERYDAY = frozenset(
    "max min sum any all map set var std mean cat id dir not open iter next type abs pow bc sl il if in is or and "
    "per log return value runtime parameter param time cost error loss size length speed base valid pos flip dr cb "
    "mini sd ms rm qa sun car cub place food pet art mix sst core speech step class label score rank hit gap norm "
    "mod prior gain lift reward regret win word char token image".split()
)
"""Words so common in code that an acronym of the same letters, or a shortened name, needs its capitals."""
NOT_THE_DATA = frozenset({"mean", "std", "normalize", "pretrained", "weight", "stat", "class", "classes", "label", "transform"})
"""Words that make a name of a data set that of something made with it."""
KIN = dict.fromkeys(("loss", "objective"), frozenset("loss objective cost criterion penalty".split())) | {
    "block": frozenset("block layer module stage".split())
}
"""Words that are more than the kind of a thing -> the words that code may use in their place."""
BESIDE = frozenset("discriminator loss dataset loader dataloader trainer encoder processor tokenizer config".split())
"""Words that make a name with a pretrained model in it that of something else."""

SCALES = {
    **{name: name for name in ("nano", "tiny", "mini", "small", "base", "medium", "large", "huge", "giant", "xl", "xxl")},
    "ti": "tiny",
    "s": "small",
    "b": "base",
    "m": "medium",
    "l": "large",
    "h": "huge",
    "g": "giant",
}
"""Words and letters that give the scale of a model."""

_GAPS = re.compile(r"[\W_]+")
_SUFFIXES = re.compile(
    r"(?:ization|isation|izations|ational|ation|izer|izing|ized|ize|ators?|ating|ated|ates?|ions?|ing|ive|ers?|ors?|ed|es|al|ly|y|e|s)$"
)


_LONGEST = 2000
"""Characters of a text that are looked at."""


@lru_cache(maxsize=65536)
def split(text: str) -> tuple[Words, str]:
    """The words of a text, apart and run together."""
    own = words(text[:_LONGEST])
    return own, "".join(own)


@lru_cache(maxsize=16384)
def squeezed(text: str) -> str:
    """A running text in small letters without all that is no letter or digit: a quick look before its words are told apart."""
    return _GAPS.sub("", text[:_LONGEST].lower())


@lru_cache(maxsize=65536)
def alike(one: str, other: str) -> bool:
    """Whether two words are forms of one: `quantize` and `quantizer`, `norm` and `normalization`."""
    if same_word(one, other):
        return True
    a, b = sorted((_root(one), _root(other)), key=len)
    if a == b:
        return len(a) > 2
    return len(a) > 3 and b.startswith(a) and len(b) - len(a) < 4


def _root(word: str) -> str:
    stripped = _SUFFIXES.sub("", word)
    return stripped if len(stripped) > 2 else word
