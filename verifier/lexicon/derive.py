"""Spellings of a name that no pack lists, derived from the name itself."""

from __future__ import annotations

import re
from functools import lru_cache

from verifier.lexicon.names import words

# nouns that say what kind of thing a name is, and that code leaves out
_GENERIC = frozenset(
    "dataset data benchmark corpus loss network net model algorithm method metric score task environment env suite optimizer baseline "
    "module layer block function objective problem equation estimator policy agent architecture regularization test set collection".split()
)
_SMALL = frozenset("the a an of for in on with and to by via using from".split())
_PART = re.compile(r"[\s_/-]+")
_IN_PARENTHESES = re.compile(r"\s*\(([^()]{1,40})\)\s*")


@lru_cache(maxsize=4096)
def derived(phrase: str) -> tuple[tuple[str, ...], ...]:
    """The words of a phrase, and of what code may shorten it to, the surest first.

    `kernel inception distance` is also `kid`; `Group DRO (gDRO)` also `gdro`; `the Burgers equation` also `burgers`.
    """
    inner = _IN_PARENTHESES.findall(phrase)
    outer = _IN_PARENTHESES.sub(" ", phrase).strip()
    found: list[tuple[str, ...]] = [words(phrase)] if not inner else []
    for part in (outer, *inner):
        own = words(part)
        core, apart = telling(part, _SMALL), _apart(part)
        plain = tuple(word for word in core if word not in _GENERIC or word not in apart)
        found += [own, core]
        if "objective" in core:
            found.append(tuple("loss" if word == "objective" else word for word in core))
        if plain and len("".join(plain)) > 2:
            found.append(plain)
        found += [(letters,) for letters in (_acronym(core), _acronym(own)) if letters]
    return tuple(dict.fromkeys(parts for parts in found if parts))


def telling(phrase: str, small: frozenset[str]) -> tuple[str, ...]:
    """The words of a phrase without the small ones; a letter inside a name is none: the A of `ImageNet-A`."""
    split = [words(part) for part in phrase.split()]
    return tuple(word for own in split for word in own if word not in small or (len(word) == 1 and len(own) > 1))


def _apart(phrase: str) -> frozenset[str]:
    """Words that stand by themselves in a phrase: `net` of `U-Net`, but not of `ImageNet`."""
    return frozenset(own[0] for part in _PART.split(phrase) if len(own := words(part)) == 1)


def _acronym(parts: tuple[str, ...]) -> str:
    if len(parts) < 3 or any(part.isdigit() for part in parts):
        return ""
    return "".join(part[0] for part in parts)
