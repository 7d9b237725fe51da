"""Names of hyperparameters: all the ways in which code may spell the subject of a value check."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import Any

from verifier.errors import RuleError
from verifier.lexicon.names import find_window, key, path_has, words
from verifier.lexicon.packs import compiled, refuse_unknown, strings

Words = tuple[str, ...]
Plain = Any
Membership = tuple[str, int, str, bool]  # subject, tier, kind of its guard, whether it is the subject's own name

_PACK = frozenset({"pack", "about", "entries"})
_ENTRY = frozenset({"name", "exact", "synonyms", "related", "guards", "examples"})
_GUARD = frozenset({"only_in", "not_in"})
_PATTERN = frozenset({"name", "forms", "loose", "examples"})
_FILLERS = frozenset("a an the of for in on at to with used per its".split())
_LIMIT = 160


class Tier(IntEnum):
    """How surely a spelling means the subject; lower is surer."""

    EXACT = 0
    SYNONYM = 1
    RELATED = 2


@dataclass(frozen=True, slots=True)
class Spelling:
    """One way to spell a subject.

    Attributes:
        words: the stemmed words of the name.
        only_in: the name means the subject only where its owner or path has one of these words.
        not_in: it does not where the path has one of these.
    """

    words: Words
    tier: Tier
    only_in: tuple[str, ...] = ()
    not_in: tuple[str, ...] = ()

    def allowed(self, path: Sequence[str]) -> bool:
        """Whether the name means the subject in a place with these names (owner, call, class, function, section)."""
        if self.only_in and not any(path_has(path, (word,)) for word in self.only_in):
            return False
        return not any(path_has(path, (word,)) for word in self.not_in)


@dataclass(frozen=True)
class Spellings:
    """The packs of rules/names."""

    rules: Path

    @cached_property
    def _plain(self) -> Plain:
        return compiled(self.rules, "names", build, Path(__file__))

    @property
    def groups(self) -> Mapping[str, tuple[tuple[Words, int, tuple[str, ...], tuple[str, ...]], ...]]:
        """Subject -> its spellings as (words, tier, only_in, not_in)."""
        groups: Mapping[str, tuple[tuple[Words, int, tuple[str, ...], tuple[str, ...]], ...]] = self._plain[0]
        return groups

    @property
    def examples(self) -> Plain:
        """(pack, entry, names that must count, names that must not), one an entry."""
        return self._plain[3]

    def of(self, phrase: str) -> tuple[Spelling, ...]:
        """All spellings of a subject, the surest first, no two with the same words.

        Args:
            phrase: a phrase (`learning rate`), an identifier (`clip_eps`), with or without words that narrow it (`critic learning rate`).
        """
        own = words(phrase)
        if not own:
            return ()
        known = self._known(own)
        found = known + self._patterned(own) + ([] if known else self._narrowed(own))
        if not any(one.words == own and one.tier is Tier.EXACT for one in found):
            found.insert(0, Spelling(own, Tier.EXACT))
        return _distinct(sorted(found, key=lambda spelling: spelling.words != own))

    def split(self, phrase: str) -> tuple[Words, str]:
        """The words that narrow a subject, and the known subject they narrow.

        Returns:
            `(("critic",), "learning rate")` for `critic learning rate`; no words and the phrase itself when nothing in it is known.
        """
        own = words(phrase)
        best = self._longest(own)
        if best is None:
            return (), phrase
        start, end = best
        rest = tuple(word for word in own[:start] + own[end:] if word not in _FILLERS)
        return rest, " ".join(own[start:end])

    def _known(self, own: Words) -> list[Spelling]:
        index: Mapping[str, tuple[Membership, ...]] = self._plain[1]
        found: list[Spelling] = []
        for group, floor in _followed(index.get("".join(own), ())):
            for spelled, tier, only_in, not_in in self.groups[group]:
                found.append(Spelling(spelled, max(floor, Tier(tier)), only_in, not_in))
        return found

    def _patterned(self, own: Words) -> list[Spelling]:
        found: list[Spelling] = []
        for forms, loose in self._plain[2]:
            for rest in _fillings(own, forms):
                cores = [rest, *(one.words for one in self._known(rest) if one.tier is Tier.EXACT)][:6]
                found += [Spelling(before + core + after, Tier.SYNONYM) for core in cores for before, after in forms]
                found += [Spelling(before + core + after, Tier.RELATED) for core in cores for before, after in loose]
        return found

    def _narrowed(self, own: Words) -> list[Spelling]:
        best = self._longest(own)
        if best is None:
            return []
        start, end = best
        rest = tuple(word for word in own[:start] + own[end:] if word not in _FILLERS)
        found = [one for one in self._known(own[start:end]) if one.tier is not Tier.RELATED and not one.only_in][:24]
        sides = ((rest + one.words, one.words + rest) for one in found)
        return [Spelling(spelled, Tier.SYNONYM) for spelled in chain.from_iterable(sides)]

    def _longest(self, own: Words) -> tuple[int, int] | None:
        index = self._plain[1]
        places = [
            (start, end)
            for start in range(len(own))
            for end in range(len(own), start, -1)
            if (end - start < len(own)) and len("".join(own[start:end])) > 1 and "".join(own[start:end]) in index
        ]
        return max(places, key=lambda place: (place[1] - place[0], place[1]), default=None)


def _followed(memberships: Sequence[Membership]) -> list[tuple[str, Tier]]:
    """The subjects a name stands for: the one it names, else those it is a sure spelling of, else those it may mean."""
    named = [group for group, _, _, canonical in memberships if canonical]
    if named:
        return [(group, Tier.EXACT) for group in named]
    loose = [one for one in memberships if one[2] != "only_in"]
    for tier in Tier:
        found = [(group, Tier.SYNONYM if guard else tier) for group, own, guard, _ in loose if own == tier]
        if found:
            return found
    return [(group, Tier.RELATED) for group, _, _, _ in memberships]


def _fillings(own: Words, forms: Iterable[tuple[Words, Words]]) -> list[Words]:
    found = []
    for before, after in forms:
        inner = own[len(before) : len(own) - len(after)]
        if (before or after) and inner and own[: len(before)] == before and own[len(own) - len(after) :] == after:
            found.append(inner)
    return sorted(found, key=len)[:1]


def _distinct(found: Iterable[Spelling]) -> tuple[Spelling, ...]:
    kept: dict[str, Spelling] = {}
    for one in sorted(found, key=lambda spelling: spelling.tier):
        joined = "".join(one.words)
        old = kept.get(joined)
        if old is None:
            kept[joined] = one
        elif old.tier == one.tier and (old.only_in or old.not_in) and not (one.only_in or one.not_in):
            kept[joined] = replace(one)
    return tuple(kept.values())[:_LIMIT]


def build(packs: Sequence[tuple[str, Mapping[str, Any]]]) -> Plain:
    """Compiles rules/names: (groups, joined words -> (group, tier, guarded), patterns, examples)."""
    groups: dict[str, tuple[tuple[Words, int, tuple[str, ...], tuple[str, ...]], ...]] = {}
    index: dict[str, tuple[Membership, ...]] = {}
    patterns: list[tuple[tuple[tuple[Words, Words], ...], tuple[tuple[Words, Words], ...]]] = []
    examples: list[tuple[str, str, tuple[str, ...], tuple[str, ...]]] = []
    for where, pack in packs:
        refuse_unknown(where, pack, _PACK, ("entries",))
        for entry in pack["entries"]:
            if pack["pack"] == "patterns":
                refuse_unknown(where, entry, _PATTERN, ("name", "forms"))
                patterns.append((_forms(where, entry["forms"]), _forms(where, entry.get("loose"))))
            else:
                refuse_unknown(where, entry, _ENTRY, ("name",))
                name = entry["name"]
                if name in groups:
                    raise RuleError("the subject has two entries", f"{where}: {name}")
                groups[name] = _group(f"{where}: {name}", entry)
                for spelled, tier, only_in, not_in in groups[name]:
                    joined = "".join(spelled)
                    guard = "only_in" if only_in else "not_in" if not_in else ""
                    index[joined] = (*index.get(joined, ()), (name, tier, guard, spelled == words(name)))
            given = refuse_unknown(f"{where}: {entry['name']}", entry.get("examples") or {}, frozenset({"pass", "fail"}))
            examples.append((where, entry["name"], strings(where, given.get("pass")), strings(where, given.get("fail"))))
    return groups, index, tuple(patterns), tuple(examples)


def _group(where: str, entry: Mapping[str, Any]) -> tuple[tuple[Words, int, tuple[str, ...], tuple[str, ...]], ...]:
    guards = {key(name): guard for name, guard in (entry.get("guards") or {}).items()}
    if len(guards) != len(entry.get("guards") or {}):
        raise RuleError("two guards for the same name", where)
    spelled: dict[str, tuple[Words, int, tuple[str, ...], tuple[str, ...]]] = {}
    listed = [(entry["name"], Tier.EXACT)]
    for tier, listing in ((Tier.EXACT, "exact"), (Tier.SYNONYM, "synonyms"), (Tier.RELATED, "related")):
        listed += [(name, tier) for name in strings(f"{where}: {listing}", entry.get(listing))]
    for name, tier in listed:
        guard = refuse_unknown(f"{where}: {name}", guards.get(key(name)) or {}, _GUARD)
        only_in, not_in = strings(where, guard.get("only_in")), strings(where, guard.get("not_in"))
        if not words(name):
            raise RuleError(f"{name!r} has no words", where)
        spelled.setdefault(key(name), (words(name), int(tier), only_in, not_in))
    stray = sorted(guards.keys() - spelled.keys())
    if stray:
        raise RuleError(f"a guard for {', '.join(stray)}, which is not listed", where)
    return tuple(spelled.values())


def _forms(where: str, forms: object) -> tuple[tuple[Words, Words], ...]:
    found = []
    for form in strings(where, forms):
        before, slot, after = form.partition("{x}")
        if not slot:
            raise RuleError(f"{form!r} has no {{x}}", where)
        found.append((words(before), words(after)))
    return tuple(found)


def counts(spellings: Sequence[Spelling], dotted: str) -> bool:
    """Whether a dotted name (`StepLR.gamma`: owner, then name) is one of the spellings, at a place where that spelling holds."""
    *path, name = dotted.split(".")
    own = words(name)
    return any(len(own) > 0 and "".join(own) == "".join(one.words) and one.allowed(path) for one in spellings)


def within(spelling: Spelling, name: str) -> bool:
    """Whether a name has the spelling's words inside it: `actor_lr` has `lr`."""
    return find_window(words(name), spelling.words) >= 0
