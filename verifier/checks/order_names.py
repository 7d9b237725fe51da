"""Which events of a trace are a step: by name, by what a method is called on, by what libraries call it, by its words."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache

from verifier.lexicon.frameworks import Frameworks, StepNames
from verifier.lexicon.names import find_window, key, same_word, short_forms, words
from verifier.model.facts import Event, EventForm

EXACT, KNOWN, INSIDE, WORDS, AROUND = range(5)
"""How well a name fits: it is the step, libraries call the step so, it has the phrase, its words, its words with those around it."""

_DOTTED = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+")
_LIGHT = frozenset(
    "compute calculate calc get apply perform do run make build the a an of to with on in and for from its by then first all "
    "new step stage phase procedure process operation module layer using use via".split()
)
_ANY_RECEIVER = frozenset({"loss", "model", "self", "net", "network", "module", "tensor", "x"})
_ENDINGS = frozenset(
    [
        "",
        "e",
        "s",
        "es",
        "d",
        "ed",
        "ing",
        "er",
        "or",
        "ion",
        "ation",
        "ization",
        "ment",
        "ements",
        "al",
        "ive",
        "ance",
        "ted",
        "ting",
        "ped",
        "ping",
        "ling",
        "led",
        "l",
        "licate",
        "ict",
        "iction",
        "icted",
        "lication",
    ]
)
_STEM = 4
"""Letters that two forms of one word share at least."""
_UPDATES = frozenset({"update", "optimize", "train", "step"})
_TRAINERS = frozenset(
    {"trainer", "agent", "runner", "learner", "engine", "algorithm", "algo", "experiment", "pipeline", "worker"}
)
_SWITCHES = frozenset({"mode", "training", "was", "prev", "previous", "flag"})
_MODES = frozenset({"mode", "eval"})
_SETTINGS = frozenset(
    "freq frequency interval every period lr rate coef coefficient factor flag config cfg args path dir ratio threshold size name".split()
)
"""Words that end the name of a setting of a step, which is not the step."""
_UNITED = frozenset({"forward", "call", "apply"})
_Named = tuple[tuple[str, ...], str, EventForm, tuple[str, ...], tuple[str, ...], bool]
"""All of an event that tells which step it is: its names, target, form, receiver, context, and whether it was walked into."""


class Step:
    """One step of a check, with all its alternatives.

    Args:
        alternatives: phrases, identifiers or dotted paths.
        frameworks: what libraries call steps.
    """

    def __init__(self, alternatives: tuple[str, ...], frameworks: Frameworks) -> None:
        self.text = alternatives[0]
        entries = [frameworks.step_names(text) for text in alternatives]
        self.cyclic = any(entry.cyclic for entry in entries if entry is not None)
        self._names = [_Name(text, entry, frameworks) for text, entry in zip(alternatives, entries, strict=True)]
        self.updates = any(name.updates for name in self._names)
        self._glance = _Glance(self._names)
        self._ranks: dict[_Named, int | None] = {}

    def rank(self, event: Event) -> int | None:
        """How well an event fits, 0 the best; None when it does not."""
        if not any(map(self._glance, event.names)):
            return None
        named = (event.names, event.target, event.form, event.receiver, event.context, event.result is None)
        if named not in self._ranks:
            ranks = [found for name in self._names if (found := name.rank(event)) is not None]
            self._ranks[named] = min(ranks, default=None)
        return self._ranks[named]

    def called(self, event: Event) -> int | None:
        """How well an event fits without the names that its result is bound to."""
        return self.rank(replace(event, names=event.names[: len(event.names) - len(event.bound)], bound=()))


class _Name:
    """One way of naming a step."""

    def __init__(self, text: str, entry: StepNames | None, frameworks: Frameworks) -> None:
        self.frameworks = frameworks
        self.method, self.receiver = text, ""
        if _DOTTED.fullmatch(text.strip()):
            self.receiver, _, self.method = text.strip().rpartition(".")
        self.key = _key(self.method)
        self.words = words(self.method)
        self.updates = not _UPDATES.isdisjoint(self.words)
        self.content = tuple(word for word in self.words if word not in _LIGHT) or self.words
        self.calls: dict[str, list[str]] = {}
        for call in entry.calls if entry is not None else ():
            self.calls.setdefault(_key(call.rpartition(".")[2]), []).append(call.rpartition(".")[0])
        self._known: dict[str, _Fit] = {}

    def rank(self, event: Event) -> int | None:
        """How well an event fits."""
        found = self._rank(event)
        switch = found is not None and not self.receiver and not _MODES & {*self.words} and _is_mode_switch(event)
        return None if switch else found

    def _rank(self, event: Event) -> int | None:
        fits = [self._of_name(name) for name in event.names]
        best = min((fit.rank for fit in fits if fit.rank is not None), default=None)
        if self.receiver:
            return self._dotted(event, best, fits)
        if (best is None or best > KNOWN) and self._library(event, fits):
            return KNOWN
        if best is None and (len(self.content) > 1 or self.updates) and event.form is not EventForm.LISTED:
            return self._around(event, fits)
        return best

    def _of_name(self, name: str) -> _Fit:
        fit = self._known.get(name)
        if fit is None:
            found = words(name)
            touches = any(_alike(word, other) for word in self.content for other in found)
            rank = self._compare(name)
            if rank is not None and name[:1] == "'":
                rank = max(rank, INSIDE)
            fit = self._known[name] = _Fit(rank, tuple(self.calls.get(_key(name), ())), touches, "step" in found)
        return fit

    def _compare(self, name: str) -> int | None:
        if _key(name) == self.key:
            return EXACT
        if not self.words:
            return None
        found = words(name)
        if found and found[-1] in _SETTINGS and found[-1] not in self.words:
            return None
        if find_window(found, self.words) >= 0 and (len(self.words) > 1 or len(self.key) > 2):
            return INSIDE
        if all(_among(word, found) for word in self.content):
            return WORDS
        return WORDS if _abbreviates(self.words, found) or _abbreviates(found, self.words) else None

    def _library(self, event: Event, fits: list[_Fit]) -> bool:
        return any(not receiver or _received(event, receiver, self.frameworks) for fit in fits for receiver in fit.receivers)

    def _dotted(self, event: Event, best: int | None, fits: list[_Fit]) -> int | None:
        if best == EXACT and event.form is not EventForm.LISTED:
            if _ends_with(event.target, self.receiver, self.method) or _received(event, self.receiver, self.frameworks):
                return EXACT
            if self.receiver in _ANY_RECEIVER and event.receiver:
                return KNOWN
        if best == INSIDE and _received(event, self.receiver, self.frameworks):
            return INSIDE
        if self.key in _UNITED and any(_key(name) == _key(self.receiver.rpartition(".")[2]) for name in event.names):
            return EXACT if event.form is EventForm.CALL else WORDS
        return KNOWN if self._library(event, fits) else None

    def _around(self, event: Event, fits: list[_Fit]) -> int | None:
        updates = self.updates and any(fit.step for fit in fits)
        updates = updates and _received(event, "optimizer", self.frameworks)
        if not updates and (len(self.content) < 2 or not any(fit.touches for fit in fits)):
            return None
        everything = {word for name in (*event.names, *event.receiver, *event.context) for word in words(name)}
        if updates:
            everything |= _UPDATES
            everything |= {word for word in self.content if word[:1] in everything}
        return AROUND if all(any(_alike(word, other) for other in everything) for word in self.content) else None


def _is_mode_switch(event: Event) -> bool:
    """Whether a call only sets a network to a mode: `model.train()`, `self.net.eval()`."""
    if event.names[:1] not in (("train",), ("eval",)) or event.result is not None or not event.receiver:
        return False
    if event.context and not any(word in _SWITCHES for name in event.context for word in words(name)):
        return False
    return not any(word in _TRAINERS for name in event.receiver for word in words(name))


class _Glance:
    """A quick look whether a name says anything about a step; most say nothing.

    Args:
        names: the ways of naming the step.
    """

    def __init__(self, names: list[_Name]) -> None:
        self.keys = {name.key for name in names}.union(*(name.calls for name in names))
        self.keys |= {_key(name.receiver.rpartition(".")[2]) for name in names if name.receiver and name.key in _UNITED}
        self.initials = {word for name in names for word in name.words if 3 <= len(word) <= 6 and len(name.words) == 1}
        self.short = {"".join(word[:1] for word in name.words) for name in names if len(name.words) > 2}
        self.runs = {"".join(name.words) for name in names if name.words}
        content = {word for name in names for word in name.content}
        self.words = {other for word in content for other in short_forms(word)}
        self.words |= {"step"} if any(name.updates for name in names) else set()
        self.starts = {word[:_STEM] for word in content if len(word) >= _STEM}
        self._known: dict[str, bool] = {}

    def __call__(self, name: str) -> bool:
        """Whether a name may fit, or share a word with the step."""
        known = self._known.get(name)
        if known is None:
            known = self._known[name] = self._look(name)
        return known

    def _look(self, name: str) -> bool:
        if _key(name) in self.keys:
            return True
        found = words(name)
        if any(word in self.words or word[:_STEM] in self.starts for word in found):
            return True
        run = "".join(found)
        if any(wanted in run for wanted in self.runs) or (len(found) == 1 and any(found[0] in short for short in self.short)):
            return True
        initials = "".join(word[:1] for word in found) if len(found) > 2 else ""
        return any(short in initials for short in self.initials)


@dataclass(frozen=True, slots=True)
class _Fit:
    """What one name says about a step.

    Attributes:
        rank: how well it fits by itself.
        receivers: what a method of this name must be called on to be what libraries call the step; empty text for anything.
        touches: whether it shares a word with the step.
        step: whether it is a step of something, such as an optimizer.
    """

    rank: int | None
    receivers: tuple[str, ...]
    touches: bool
    step: bool


def _among(word: str, found: tuple[str, ...]) -> bool:
    """Whether a name has a word; in a long name, who does a thing (`trainer state`) is not the doing."""
    alike = [other for other in found if _alike(word, other)]
    return any(len(found) < 3 or same_word(word, other) or not _does(word, other) for other in alike)


def _does(word: str, other: str) -> bool:
    return other.endswith(("er", "or")) and not word.endswith(("er", "or"))


def _abbreviates(short: tuple[str, ...], long: tuple[str, ...]) -> bool:
    """Whether one word is made of the initials of others: `hpd` of `highest posterior density`."""
    if len(short) != 1 or not 3 <= len(short[0]) <= 6 or len(long) < len(short[0]):
        return False
    return short[0] in "".join(word[:1] for word in long)


def _received(event: Event, receiver: str, frameworks: Frameworks) -> bool:
    """Whether a method is called on what a check's dotted path says."""
    if not event.receiver:
        return False
    last = receiver.rpartition(".")[2]
    wanted = words(last)
    kind = frameworks.kind_of_name(last)
    made = {found for name in event.receiver if (found := frameworks.kind_of_class(name))}
    if kind and made and kind not in made:
        return False
    said = {found for name in event.receiver if (found := frameworks.kind_of_name(name))}
    if kind and not made and said and kind not in said:
        return False
    if any(_key(name) == _key(last) for name in event.receiver):
        return True
    present = [word for name in event.receiver for word in words(name)]
    if kind and (kind in made or kind in said):
        rest = [word for word in wanted if frameworks.kind_of_name(word) != kind]
        return all(any(same_word(word, other) for other in present) for word in rest)
    return all(any(same_word(word, other) for other in present) for word in wanted)


def _ends_with(target: str, receiver: str, method: str) -> bool:
    parts = target.split(".")
    wanted = [*receiver.split("."), method]
    return len(parts) >= len(wanted) and all(_key(a) == _key(b) for a, b in zip(parts[-len(wanted) :], wanted, strict=True))


@lru_cache(maxsize=16384)
def _key(name: str) -> str:
    return key(name) or name.strip("_").lower()


@lru_cache(maxsize=16384)
def _alike(a: str, b: str) -> bool:
    """Whether two words are one up to their endings: `evaluate` and `evaluation`."""
    if a == b or same_word(a, b):
        return True
    common = 0
    while common < min(len(a), len(b)) and a[common] == b[common]:
        common += 1
    return common >= _STEM and a[common:] in _ENDINGS and b[common:] in _ENDINGS


def places(event: Event) -> Iterable[str]:
    """The names among which `near` looks, beyond those of the event's place."""
    return (*event.names, *event.receiver)
