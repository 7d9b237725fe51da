"""Marks of placeholders: words of comments and messages, and names, that say that something stands in for the real thing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from verifier.errors import RuleError
from verifier.lexicon.names import words
from verifier.lexicon.packs import compiled, refuse_unknown, strings

Plain = Any
Words = tuple[str, ...]
SECTIONS = ("comments", "names", "messages", "exempt", "random_sources", "constant_sources")
_PACK = frozenset({"pack", "about", *SECTIONS})
_ENTRY = frozenset({"name", "strength", "words", "examples"})


@dataclass(frozen=True, slots=True)
class Mark:
    """A mark that was found.

    Attributes:
        name: what kind it is: `to do`, `placeholder`, `simplified`, ...
        words: the words that showed it.
        sure: whether it shows a placeholder by itself; else only where the code it stands at is trivial too.
    """

    name: str
    words: str
    sure: bool


@dataclass(frozen=True)
class PlaceholderMarks:
    """The packs of rules/placeholders."""

    rules: Path

    @cached_property
    def _plain(self) -> Plain:
        return compiled(self.rules, "placeholders", build, Path(__file__))

    @property
    def examples(self) -> Plain:
        """(pack, section, entry, texts that bear the mark, texts that do not), one an entry."""
        return self._plain[1]

    def in_comment(self, text: str) -> Mark | None:
        """The mark that a comment or docstring bears, a sure one before a hint."""
        return self._first("comments", text)

    def in_message(self, text: str) -> Mark | None:
        """The mark that the message of an exception, a warning or a log bears."""
        return self._first("messages", text)

    def in_name(self, name: str) -> Mark | None:
        """The mark that an identifier bears: `dummy_data`; but `DummyVecEnv` and `fake_images` are real things."""
        return self._first("names", name)

    @cached_property
    def random_sources(self) -> frozenset[str]:
        """Qualified names of calls that make random numbers."""
        return self._calls("random_sources")

    @cached_property
    def constant_sources(self) -> frozenset[str]:
        """Qualified names of calls that make tensors full of one number."""
        return self._calls("constant_sources")

    def exempt(self, text: str) -> bool:
        """Whether the words say that a mark in the text is an ordinary name or term."""
        return next(self._all("exempt", words(text)), None) is not None

    def _calls(self, section: str) -> frozenset[str]:
        return frozenset(shown for listed in self._plain[0][section].values() for _, _, shown, _ in listed)

    def _first(self, section: str, text: str) -> Mark | None:
        found = list(self._all(section, words(text)))
        if not found or self.exempt(text):
            return None
        return min(found, key=lambda mark: not mark.sure)

    def _all(self, section: str, own: Words) -> Iterator[Mark]:
        """Whole words next to one another; unlike names, prose is not run together: `to do` is not `todo`."""
        heads: Mapping[str, Sequence[tuple[str, bool, str, Words]]] = self._plain[0][section]
        for at, word in enumerate(own):
            for name, sure, shown, parts in heads.get(word, ()):
                if own[at : at + len(parts)] == parts:
                    yield Mark(name, shown, sure)


def build(packs: Sequence[tuple[str, Mapping[str, Any]]]) -> Plain:
    """Compiles rules/placeholders: (section -> first word -> [(name, sure, mark, its words)], examples)."""
    sections: dict[str, dict[str, list[tuple[str, bool, str, Words]]]] = {section: {} for section in SECTIONS}
    examples: list[tuple[str, str, str, tuple[str, ...], tuple[str, ...]]] = []
    for where, pack in packs:
        refuse_unknown(where, pack, _PACK)
        for section in SECTIONS:
            for raw in pack.get(section) or ():
                entry = refuse_unknown(f"{where}: {section}", raw, _ENTRY, ("name", "strength", "words"))
                place = f"{where}: {section}: {entry['name']}"
                if entry["strength"] not in ("sure", "hint"):
                    raise RuleError("strength is sure or hint", place)
                for shown in strings(place, entry["words"]):
                    parts = words(shown)
                    sections[section].setdefault(parts[0], []).append((entry["name"], entry["strength"] == "sure", shown, parts))
                given = refuse_unknown(place, entry.get("examples") or {}, frozenset({"pass", "fail"}))
                examples.append(
                    (where, section, entry["name"], strings(place, given.get("pass")), strings(place, given.get("fail")))
                )
    return sections, tuple(examples)
