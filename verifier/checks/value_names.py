"""Which bindings of a repository may be the subject of a `value` check, and how well their names fit.

What a unit lists first is the subject; further names are other spellings of it, so what else these may stand for can only speak for a
claim, never against it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from verifier.lexicon.names import path_has, words
from verifier.lexicon.spellings import Spelling, Tier
from verifier.model.check import ValueCheck
from verifier.model.facts import Binding, FactBase, Role

if TYPE_CHECKING:
    from verifier.lexicon import Lexicon

PRECEDENCE = (Role.FLAG, Role.ARGUMENT, Role.OPTION, Role.KEY, Role.DEFAULT, Role.ASSIGNMENT, Role.LOOP, Role.LIBRARY)
"""Which writing is named first when several differ from the claim."""

ABBREVIATED = 5
"""The rank of a name that only shortens some words of the subject."""

AXES = frozenset({"dim", "dims", "axis", "axes"})
"""Parameters of tensor functions that say along which axis they work; layers and models call their width so."""

METHODS = frozenset(
    "sum mean max min std var prod softmax argmax argmin norm cumsum any all size unbind split chunk flatten squeeze".split()
)
"""Methods of tensors that work along an axis."""

MAKERS = frozenset("full zeros ones empty rand randn interpolate reshape view expand rearrange repeat einsum".split())
"""Functions that lay out arrays: what they are given may be anybody's size, and says nothing against a claim by a looser name."""

GRIDS = frozenset({"linspace", "logspace", "geomspace", "arange"})
"""Functions that make grids: their parameters say nothing about the settings that are called alike (`steps`, `stop`)."""

TRAINERS = frozenset({"optax", "transformers", "trl", "stable_baselines3", "sb3_contrib"})
"""Libraries whose calls describe a whole training run, so that their defaults are the run's."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A binding that may be the subject.

    Attributes:
        rank: how well its name fits; 0 is the name itself, 1 a synonym, 2 a related name, 3 a name that says more.
        sure: whether another value under this name speaks against the claim; looser names can only speak for it.
    """

    binding: Binding
    rank: int
    sure: bool = True

    @property
    def order(self) -> tuple[int, int]:
        """Sorts the best candidate first."""
        return self.rank, PRECEDENCE.index(self.binding.role)


def bearing(check: ValueCheck, facts: FactBase, lexicon: Lexicon) -> list[Candidate]:
    """The bindings whose name may mean the subject of a check, the best first.

    Args:
        check: the check.
        facts: what the repository does.
        lexicon: what names mean.
    """
    best: dict[int, Candidate] = {}
    kept: list[Candidate] = []
    for position, subject in enumerate(check.subjects):
        for candidate in _of_subject(subject, facts, lexicon, main=position == 0):
            if "." not in subject and _is_axis(candidate.binding):
                continue
            key = id(candidate.binding)
            if key not in best:
                best[key] = candidate
                kept.append(candidate)
            elif (candidate.rank, not candidate.sure) < (best[key].rank, not best[key].sure):
                kept[kept.index(best[key])] = candidate
                best[key] = candidate
    return sorted(kept, key=lambda candidate: (candidate.order, candidate.binding.place.location))


def _of_subject(subject: str, facts: FactBase, lexicon: Lexicon, *, main: bool = True) -> Iterator[Candidate]:
    """The candidates of one subject; for one that is not the main one, what else it may stand for can only speak for the claim."""
    *owner, name = subject.split(".") if "." in subject and " " not in subject else ["", subject]
    owner = [part for part in owner if part]
    spellings = lexicon.spellings(name)
    known = any(spelling.tier is Tier.EXACT and len(spelling.words) > 1 for spelling in spellings)
    for raw, fits in _fitting(spellings, facts).items():
        for binding in facts.bindings(raw):
            if owner and not _owned(binding, owner):
                continue
            around = (*binding.owner, *binding.place.path)
            ranks = [rank for spelling, rank in fits if owner or spelling.allowed(around)]
            speaks = owner or _library_counts(binding) or _library_speaks(binding, name, fits)
            if binding.role is Role.LIBRARY and not speaks:
                continue
            if ranks:
                rank = min(ranks)
                own = [rank for spelling, rank in fits if main or spelling.words == words(name)]
                if binding.role is Role.LIBRARY:
                    yield Candidate(binding, rank if owner else rank + 4, min(own, default=3) <= 1)
                    continue
                sure = (min(own, default=3) <= 1 or (known and 3 in own)) and not _lays_out(binding, name)
                yield Candidate(binding, rank if own else max(rank, int(Tier.RELATED)), sure)
            elif words(raw) == words(name):  # the very name of the subject, outside of the places that it usually means
                yield Candidate(binding, 2)
    if not owner:
        yield from _narrowed(name, facts, lexicon, main=main)
        yield from _abbreviated(name, facts)


def _is_axis(binding: Binding) -> bool:
    """Whether a value is the axis of a library function or of a tensor's method, or the layout of a grid."""
    if binding.role not in {Role.ARGUMENT, Role.LIBRARY} or not binding.owner:
        return False
    method, library = binding.owner[-1], len(binding.owner) > 1
    return (library and method in GRIDS) or (binding.name in AXES and (method in METHODS or (library and method[:1].islower())))


def _lays_out(binding: Binding, name: str) -> bool:
    """Whether a value is the size or the bounds of some array, under another name than the subject's."""
    given = binding.role is Role.ARGUMENT and bool(binding.owner)
    return given and binding.owner[-1] in MAKERS and words(binding.name) != words(name)


def is_setting(candidate: Candidate, check: ValueCheck) -> bool:
    """Whether a value that is not known is one that somebody sets: what code merely computes under a related name is data."""
    own = {words(subject.rsplit(".", 1)[-1]) for subject in check.subjects}
    set_up = candidate.binding.role in {Role.OPTION, Role.KEY, Role.DEFAULT, Role.FLAG}
    owner = candidate.binding.owner
    to_library = candidate.binding.role is Role.ARGUMENT and len(owner) > 1 and owner[-1] not in MAKERS
    return set_up or (candidate.rank == 0 and (to_library or words(candidate.binding.name) in own))


def _fitting(spellings: Sequence[Spelling], facts: FactBase) -> dict[str, list[tuple[Spelling, int]]]:
    """Raw name -> the spellings it fits and how well: 0 to 2 by the spelling's tier, 3 when the name says more."""
    found: dict[str, list[tuple[Spelling, int]]] = {}
    for spelling in spellings:
        for raw in facts.names.exact(spelling.words):
            found.setdefault(raw, []).append((spelling, int(spelling.tier)))
        if spelling.tier is Tier.EXACT and len("".join(spelling.words)) > 1:
            for raw in facts.names.longer(spelling.words):
                found.setdefault(raw, []).append((spelling, 3))
    return found


def _narrowed(name: str, facts: FactBase, lexicon: Lexicon, *, main: bool) -> Iterator[Candidate]:
    """`critic learning rate`: the name of the core, in a place whose path has the other words.

    A core of one word that the lexicon does not know (`moe every`) speaks against the claim only where the owner itself has the others.
    """
    rest, core = lexicon.split(name)
    own = words(name)
    splits = [(rest, lexicon.spellings(core), True)] if rest else []
    splits += [(own[:i], (Spelling(own[i:], Tier.EXACT),), i < len(own) - 1) for i in range(1, len(own))]
    for others, spellings, telling in splits:
        for spelling in spellings:
            if spelling.tier is Tier.RELATED:
                continue
            for raw in facts.names.exact(spelling.words):
                for binding in facts.bindings(raw):
                    around = (*binding.owner, *binding.place.path[:-1])
                    if binding.role is Role.LIBRARY and not (_library_counts(binding) or path_has(binding.owner[-1:], others)):
                        continue
                    if path_has(around, others) and spelling.allowed(around):
                        sure = (telling or path_has(binding.owner, others)) and (main or words(raw) == own[-len(words(raw)) :])
                        sure = sure and not _lays_out(binding, name)
                        yield Candidate(binding, 1 if main or sure else int(Tier.RELATED), sure)


def _abbreviated(name: str, facts: FactBase) -> Iterator[Candidate]:
    """`n_cal` for the number of calibration examples: such a name can speak for a claim, not against it."""
    own = words(name)
    if len(own) < 2:
        return
    for raw in facts.names.covered(own):
        for binding in facts.bindings(raw):
            if binding.role is not Role.LIBRARY:
                yield Candidate(binding, ABBREVIATED, sure=False)


def _owned(binding: Binding, owner: Sequence[str]) -> bool:
    """Whether the binding's owner ends in the owner that the subject names."""
    around = [part for part in (*binding.owner, *binding.place.path) if part]
    return all(
        any(words(part) == words(wanted) or "".join(words(part)) == "".join(words(wanted)) for part in around) for wanted in owner
    )


def _library_counts(binding: Binding) -> bool:
    """A library's default stands for an undotted subject where the call sets up training: other calls share too many names."""
    return any("optim" in part.lower() or part in TRAINERS for part in binding.owner[:-1])


def _library_speaks(binding: Binding, name: str, fits: Sequence[tuple[Spelling, int]]) -> bool:
    """Whether a library's parameter says by itself what it is (`label_smoothing`), or its owner does (`p` of `Dropout`)."""
    tells = any(rank == 0 and len(spelling.words) > 1 for spelling, rank in fits)
    return tells or path_has(binding.owner[-1:], words(name))


def usual(live: list[Candidate]) -> list[Candidate]:
    """Without what stands in branches not taken by default, where something else speaks as surely."""
    taken = [candidate for candidate in live if not candidate.binding.optional]
    return taken if any(candidate.sure and candidate.binding.worths for candidate in taken) else live


def competing(live: list[Candidate]) -> list[Candidate]:
    """The candidates that compete: looser names count only where nothing fits better."""
    close = [candidate for candidate in live if candidate.rank <= 2]
    loose = [candidate for candidate in live if candidate.rank == ABBREVIATED]
    tier = min((candidate.rank for candidate in close), default=None)
    if tier is None:
        return live
    if tier == 2:
        return [*close, *loose]
    sure = [candidate for candidate in close if candidate.rank <= 1]
    known = [candidate for candidate in sure if candidate.binding.worths]
    return sure if known else [*close, *loose]


def arriving(live: list[Candidate]) -> list[Candidate]:
    """Without the values that never arrive as they are: what is handed on under the subject's name is computed from them."""
    given = [candidate for candidate in live if candidate.binding.role is Role.ARGUMENT]
    ends = {found.location for candidate in given for found in candidate.binding.worths}
    handed = [found for candidate in given if candidate.rank < int(Tier.RELATED) for found in candidate.binding.worths]
    consumed = {step.location for found in handed for step in found.trail if step.operand} - ends

    def kept(candidate: Candidate) -> bool:
        origins = {found.location for found in candidate.binding.worths}
        return candidate.binding.role is Role.ARGUMENT or not origins or not origins <= consumed

    return [candidate for candidate in live if kept(candidate)]
