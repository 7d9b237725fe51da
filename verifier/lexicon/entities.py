"""Entities: data sets, metrics, models, baselines, optimisers, losses, modules and environments, under all their names."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

from verifier.errors import RuleError
from verifier.lexicon.derive import derived
from verifier.lexicon.names import key, spans, words
from verifier.lexicon.packs import compiled, refuse_unknown, strings

Plain = Any
KINDS = ("dataset", "env", "metric", "model", "baseline", "optimizer", "loss", "module")
ROLES: Mapping[str, tuple[str, ...]] = {
    "": KINDS,
    "dataset": ("dataset", "env"),
    "metric": ("metric", "loss"),
    "model": ("model", "module", "baseline"),
    "baseline": ("baseline", "model", "optimizer", "module"),
    "module": ("module", "loss", "optimizer", "model", "baseline"),
    "call": (),
}
_PACK = frozenset({"pack", "about", "kind", "family", "entries"})
_ENTRY = frozenset({"name", "kind", "family", "spellings", "ids", "calls", "broader", "cased", "examples"})
_GAP = 2  # characters that may stand between two words of one name


@dataclass(frozen=True, slots=True)
class Entity:
    """Something a paper names and code may use.

    Attributes:
        name: the usual name.
        kind: dataset, env, metric, model, baseline, optimizer, loss or module.
        family: what it may be mistaken for: entities of one kind and family are siblings.
        spellings: the other names.
        ids: identifiers under which hubs and registries know it; `path:config` where loading takes two strings.
        calls: qualified names of what loads or computes it.
        broader: names of what it is a part or special case of: using it shows those as well.
        cased: the names that are other words in lower case: they count inside a text only when spelled exactly so.
    """

    name: str
    kind: str
    family: str
    spellings: tuple[str, ...] = ()
    ids: tuple[str, ...] = ()
    calls: tuple[str, ...] = ()
    broader: tuple[str, ...] = ()
    cased: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """The usual name and the others."""
        return (self.name, *self.spellings)


@dataclass(frozen=True)
class Entities:
    """The packs of rules/entities."""

    rules: Path

    @cached_property
    def _plain(self) -> Plain:
        return compiled(self.rules, "entities", build, Path(__file__))

    @cached_property
    def _made(self) -> dict[int, Entity]:
        return {}

    @property
    def all(self) -> tuple[Entity, ...]:
        """Every entity, in the order of the packs."""
        return tuple(map(self.at, range(len(self._plain[0]))))

    def at(self, number: int) -> Entity:
        """The entity of that number in the packs."""
        if number not in self._made:
            self._made[number] = Entity(*self._plain[0][number])
        return self._made[number]

    @property
    def examples(self) -> Plain:
        """(pack, entry number, texts that name it, texts that do not), one an entry."""
        return self._plain[4]

    def named(self, phrase: str, role: str = "") -> tuple[Entity, ...]:
        """The entities that a phrase is a name, identifier or call of, those whose kind fits the role.

        Args:
            phrase: `SQuAD v2`, `rajpurkar/squad_v2`, `torchvision.datasets.CIFAR10`.
            role: the `as` of a presence check; empty for any.
        """
        names, ids, calls, last = self._plain[1], self._plain[2], self._plain[3], self._plain[6]
        found = [*names.get(key(phrase), ()), *ids.get(phrase.lower(), ()), *calls.get(phrase, ()), *last.get(phrase, ())]
        if not found:
            found = [number for parts in derived(phrase) for number in self._plain[1].get("".join(parts), ())]
        kinds = ROLES.get(role) or KINDS
        fitting = [number for number in dict.fromkeys(found) if self.at(number).kind in kinds]
        return tuple(sorted((self.at(number) for number in fitting), key=lambda entity: kinds.index(entity.kind)))

    def find(self, text: str) -> list[tuple[int, int, Entity]]:
        """The entities that a text names, the longest name at each place; a name of several entities gives each.

        Returns:
            (start, end, entity) in the order of the text.
        """
        found: list[tuple[int, int, Entity]] = []
        marks = spans(text)
        at = 0
        while at < len(marks):
            step, numbers = self._longest(text, marks, at)
            found += [(marks[at][0], marks[at + step - 1][1], self.at(number)) for number in numbers]
            at += step
        return found

    def identify(self, text: str, target: str = "") -> tuple[Entity, ...]:
        """The entities that a name or string of code stands for.

        Args:
            text: an identifier, a string or a hub id: `cifar10_loader`, `rajpurkar/squad_v2`.
            target: the qualified name that the identifier resolves to, as far as known.
        """
        ids, calls, ends = self._plain[2], self._plain[3], self._plain[6]
        end = ".".join(target.split(".")[-2:])
        whole = [*ids.get(text.lower(), ()), *(calls.get(target) or ends.get(end, ())), *calls.get(text, ())]
        if not whole and text:
            named = (number for number in self._plain[1].get(key(text), ()) if _fits(self.at(number), text))
            whole = [*named, *ends.get(text, ())]
        if whole:
            return tuple(self.at(number) for number in dict.fromkeys(whole))
        return tuple(dict.fromkeys(entity for _, _, entity in self.find(text)))

    def siblings(self, entity: Entity) -> tuple[Entity, ...]:
        """The others of its kind and family, which may stand in its place by mistake."""
        return tuple(
            other
            for other in self.all
            if (other.kind, other.family) == (entity.kind, entity.family) and other != entity and not related(other, entity)
        )

    def spellings(self, phrase: str, role: str = "") -> list[tuple[str, ...]]:
        """The stemmed words of all names under which code may use what the phrase names.

        Args:
            phrase: a name of the lexicon, or any other: then its spellings are derived (acronym, generic nouns left out).
            role: the `as` of a presence check.
        """
        found: dict[str, tuple[str, ...]] = {}
        for parts in derived(phrase):
            found.setdefault("".join(parts), parts)
        for entity in self.named(phrase, role):
            for name in (*entity.names, *self._narrower(entity)):
                found.setdefault(key(name), words(name))
            for other in (*entity.ids, *(call.rpartition(".")[2] for call in entity.calls)):
                found.setdefault(key(other), words(other))
        return [parts for parts in found.values() if parts]

    def _narrower(self, entity: Entity) -> Iterable[str]:
        rows = self._plain[0]
        return (name for row in rows if entity.name in row[6] and row[1] == entity.kind for name in (row[0], *row[3]))

    def _longest(self, text: str, marks: Sequence[tuple[int, int, str]], at: int) -> tuple[int, tuple[int, ...]]:
        index: Mapping[str, tuple[int, ...]] = self._plain[1]
        heads: frozenset[str] = self._plain[5]
        best: tuple[int, tuple[int, ...]] = (1, ())
        joined = ""
        if marks[at][2][:2] not in heads:
            return best
        for end in range(at, min(at + 9, len(marks))):
            if end > at and (marks[end][0] - marks[end - 1][1] > _GAP or not _joins(text[marks[end - 1][1] : marks[end][0]])):
                break
            joined += marks[end][2]
            raw = text[marks[at][0] : marks[end][1]]
            fitting = tuple(number for number in index.get(joined, ()) if _fits(self.at(number), raw))
            if fitting:
                best = (end - at + 1, fitting)
        return best


def related(one: Entity, other: Entity) -> bool:
    """Whether one is a part or special case of the other."""
    return one.name in other.broader or other.name in one.broader


def _joins(gap: str) -> bool:
    return not gap.strip(" -_/\\.'’")


def _fits(entity: Entity, raw: str) -> bool:
    """Whether a place where the letters of a name stand is that name: in its case, and not put together (`P_pi` is not `PPI`)."""
    joined = key(raw)
    cased = [_bare(name) for name in entity.cased if key(name) == joined]
    if cased and _bare(raw) not in cased:
        return False
    return len(joined) > 5 or raw.isalnum() or any(words(raw) == words(name) for name in entity.names)


@lru_cache(maxsize=8192)
def _bare(name: str) -> str:
    return "".join(letter for letter in name if letter.isalnum())


def build(packs: Sequence[tuple[str, Mapping[str, Any]]]) -> Plain:
    """Compiles rules/entities: rows, five look-up tables into them, and the examples."""
    rows: list[tuple[Any, ...]] = []
    examples: list[tuple[str, int, tuple[str, ...], tuple[str, ...]]] = []
    index: dict[str, tuple[int, ...]] = {}
    ids: dict[str, tuple[int, ...]] = {}
    calls: dict[str, tuple[int, ...]] = {}
    for where, pack in packs:
        refuse_unknown(where, pack, _PACK, ("kind", "family", "entries"))
        for given in pack["entries"]:
            entry = refuse_unknown(where, given, _ENTRY, ("name",))
            number, row = len(rows), _row(f"{where}: {entry['name']}", pack, entry)
            rows.append(row)
            for joined in dict.fromkeys(key(name) for name in (row[0], *row[3])):
                _refuse_second(where, rows, index.get(joined, ()), number)
                index[joined] = (*index.get(joined, ()), number)
            for one in row[4]:
                ids[one.lower()] = (*ids.get(one.lower(), ()), number)
            for one in row[5]:
                calls[one] = (*calls.get(one, ()), number)
            shown = refuse_unknown(f"{where}: {entry['name']}", entry.get("examples") or {}, frozenset({"pass", "fail"}))
            examples.append((where, number, strings(where, shown.get("pass")), strings(where, shown.get("fail"))))
    _refuse_strays(rows)
    heads = frozenset(words(name)[0][:2] for row in rows for name in (row[0], *row[3]))
    return tuple(rows), index, ids, calls, tuple(examples), heads, _last_names(calls)


def _last_names(calls: Mapping[str, tuple[int, ...]]) -> dict[str, tuple[int, ...]]:
    """What the end of a call stands for, where it is the same in all libraries: `accuracy_score` and `imdb.load_data`, not `load_data`."""
    found: dict[str, set[int]] = {}
    for call, numbers in calls.items():
        parts = call.split(".")
        speaks = len(words(parts[-1])) > 1 or not parts[-1].islower()
        for end in (parts[-1], ".".join(parts[-2:])) if speaks else (".".join(parts[-2:]),):
            found.setdefault(end, set()).update(numbers)
    return {end: tuple(numbers) for end, numbers in found.items() if len(numbers) == 1}


def _row(where: str, pack: Mapping[str, Any], entry: Mapping[str, Any]) -> tuple[Any, ...]:
    kind, family = entry.get("kind", pack["kind"]), entry.get("family", pack["family"])
    if kind not in KINDS:
        raise RuleError(f"kind {kind}; allowed are {', '.join(KINDS)}", where)
    lists = [strings(f"{where}: {listing}", entry.get(listing)) for listing in ("spellings", "ids", "calls", "broader")]
    if not isinstance(entry["name"], str) or not all(words(name) for name in (entry["name"], *lists[0])):
        raise RuleError("a name without words", where)
    names = (entry["name"], *lists[0])
    cased = names if entry.get("cased") is True else strings(f"{where}: cased", entry.get("cased"))
    if not set(cased) <= set(names):
        raise RuleError("only its names can be cased", where)
    return (entry["name"], kind, family, *lists, cased)


def _refuse_second(where: str, rows: Sequence[tuple[Any, ...]], others: Sequence[int], number: int) -> None:
    for other in others:
        if rows[other][1] == rows[number][1]:
            raise RuleError(f"{rows[number][0]!r} and {rows[other][0]!r} are both {rows[number][1]} and share a spelling", where)


def _refuse_strays(rows: Sequence[tuple[Any, ...]]) -> None:
    known = {row[0] for row in rows}
    for row in rows:
        for name in row[6]:
            if name not in known:
                raise RuleError(f"the broader {name!r} is no entity", row[0])
