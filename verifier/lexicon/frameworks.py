"""What frameworks do by themselves: kinds of objects, listed sequences, who calls which hook in which order, names of steps.

Read from the packs in rules/frameworks; nothing here knows a framework by name.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

from verifier.errors import RuleError
from verifier.lexicon.names import key, words
from verifier.lexicon.packs import compiled, refuse_unknown, rules_folder, strings

_LISTS = ("sequences", "lists", "wrappers", "runs_argument", "iterates", "changes", "changes_held", "holds", "pure_modules", "pure_methods",
          "returns_self", "returns_arguments", "saves", "loads")  # fmt: skip
_PACK = frozenset({"pack", "about", "kinds", "resources", "runs", *_LISTS})
_ITEM = frozenset({"hook", "step", "receiver", "loop", "unless_manual", "otherwise", "when_argument", "when_made"})


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of object: an optimizer, a scheduler, a gradient scaler."""

    name: str
    prefixes: tuple[str, ...]
    classes: frozenset[str]
    names: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Turn:
    """One thing a framework does in a run.

    Attributes:
        hook: the user's method that it calls, if there is one.
        step: what it does itself where the user has no hook.
        receiver: the kind of object the step is a method of.
        inner: what it repeats.
        otherwise: what it does where the user has no hook.
        repeated: whether `inner` is a loop.
        unless_manual: whether it is left out when the user steps the optimizer in the hook.
        when_argument: the argument of the framework's object that switches it on.
        when_made: the kind of object that must have been made.
    """

    hook: str = ""
    step: str = ""
    receiver: str = ""
    inner: tuple[Turn, ...] = ()
    otherwise: tuple[Turn, ...] = ()
    repeated: bool = False
    unless_manual: bool = False
    when_argument: str = ""
    when_made: str = ""


@dataclass(frozen=True, slots=True)
class Run:
    """A method of a framework that runs the user's hooks.

    Attributes:
        methods: its names.
        classes: qualified names of the classes that have it, bases counted.
        on_self: whether the hooks are those of the object itself, not of the first argument.
        order: what it does.
    """

    methods: frozenset[str]
    classes: frozenset[str]
    on_self: bool
    order: tuple[Turn, ...]


@dataclass(frozen=True, slots=True)
class StepNames:
    """What libraries call a step that papers name by a phrase.

    Attributes:
        phrases: the phrases, each as one string of its words.
        calls: names of calls, the likeliest first.
        cyclic: whether the step only makes ready for the next turn of the loop it stands in, so that it may close the turn before.
    """

    phrases: frozenset[str]
    calls: tuple[str, ...]
    cyclic: bool


@dataclass(frozen=True)
class Frameworks:
    """All packs of rules/frameworks."""

    kinds: tuple[Kind, ...]
    runs: tuple[Run, ...]
    steps: tuple[StepNames, ...]
    writes: Mapping[str, tuple[str, ...]]
    reads: Mapping[str, tuple[str, ...]]
    lists: Mapping[str, frozenset[str]]

    @cached_property
    def _index(self) -> _Index:
        return _Index(self.kinds, self.steps)

    def kind_of_class(self, qualified: str) -> str:
        """The kind of object that a class or function outside the repository makes; empty when it is none of the kinds."""
        return self._index.of_class(qualified)

    def kind_of_name(self, name: str) -> str:
        """The kind of object that a name says it is (`opt_d` is an optimizer); empty when it says none."""
        return self._index.of_name(name)

    def step_names(self, phrase: str) -> StepNames | None:
        """The entry whose phrases or calls have this one."""
        return self._index.steps.get(key(phrase))

    def in_list(self, which: str, qualified: str) -> bool:
        """Whether a qualified name is in one of the lists; modules may lie deeper than the list says (`keras.src.models.Sequential`)."""
        return _in_list(self.lists[which], qualified)


@lru_cache(maxsize=16384)
def _in_list(names: frozenset[str], qualified: str) -> bool:
    first, _, rest = qualified.partition(".")
    ending = f".{rest.rpartition('.')[2]}"
    return qualified in names or any(name.startswith(f"{first}.") and name.endswith(ending) for name in names)


class _Index:
    """Answers on kinds and steps, kept: the packs are too large to be a key of a cache."""

    def __init__(self, kinds: tuple[Kind, ...], steps: tuple[StepNames, ...]) -> None:
        self.kinds = kinds
        self._classes: dict[str, str] = {}
        self._names: dict[str, str] = {}
        self.steps: dict[str, StepNames] = {}
        for entry in steps:
            for phrase in sorted(entry.phrases):
                self.steps.setdefault(phrase, entry)
        for entry in steps:
            for call in entry.calls[:1]:
                self.steps.setdefault(key(call), entry)

    def of_class(self, qualified: str) -> str:
        """The kind of what a class makes."""
        if qualified not in self._classes:
            last = qualified.rpartition(".")[2]
            fitting = (kind.name for kind in self.kinds if last in kind.classes or qualified.startswith(kind.prefixes))
            self._classes[qualified] = next(fitting, "")
        return self._classes[qualified]

    def of_name(self, name: str) -> str:
        """The kind that a name says."""
        if name not in self._names:
            found = set(words(name))
            fitting = (kind.name for kind in self.kinds if any(found.issuperset(wanted) for wanted in kind.names))
            self._names[name] = next(fitting, "")
        return self._names[name]


@lru_cache(maxsize=2)
def load_frameworks(rules: Path | None = None) -> Frameworks:
    """Read the packs.

    Args:
        rules: the rules folder; that of the package when None.

    Raises:
        RuleError: a pack is malformed.
    """
    plain = compiled(rules or rules_folder(), "frameworks", _build, Path(__file__))
    return Frameworks(
        tuple(Kind(name, tuple(prefixes), frozenset(classes), tuple(names)) for name, prefixes, classes, names in plain["kinds"]),
        tuple(Run(frozenset(m), frozenset(c), on_self, tuple(_turn(t) for t in order)) for m, c, on_self, order in plain["runs"]),
        tuple(StepNames(frozenset(phrases), tuple(calls), cyclic) for phrases, calls, cyclic in plain["steps"]),
        plain["writes"],
        plain["reads"],
        {name: frozenset(values) for name, values in plain["lists"].items()},
    )


def _build(packs: Sequence[tuple[str, Mapping[str, Any]]]) -> Any:
    """Plain data of the packs, for `packs.compiled`."""
    kinds: list[Any] = []
    runs: list[Any] = []
    steps: list[Any] = []
    effects: dict[str, dict[str, tuple[str, ...]]] = {"writes": {}, "reads": {}}
    lists: dict[str, list[str]] = {name: [] for name in _LISTS}
    for where, pack in packs:
        if pack["pack"] == "steps":
            steps += [_step(where, entry) for entry in pack.get("entries", [])]
            continue
        refuse_unknown(where, pack, _PACK)
        for name in _LISTS:
            lists[name] += strings(f"{where}: {name}", pack.get(name))
        kinds += [_kind(where, name, entry) for name, entry in pack.get("kinds", {}).items()]
        runs += [_run(where, entry) for entry in pack.get("runs", [])]
        for resource, entry in pack.get("resources", {}).items():
            for effect, names in refuse_unknown(where, entry, frozenset(effects)).items():
                for name in strings(where, names):
                    effects[effect][name] = (*effects[effect].get(name, ()), resource)
    return {"kinds": kinds, "runs": runs, "steps": steps, **effects, "lists": lists}


def _kind(where: str, name: str, entry: object) -> Any:
    found = refuse_unknown(where, entry, frozenset({"prefixes", "classes", "names"}))
    named = [words(text) for text in strings(where, found.get("names"))]
    return name, strings(where, found.get("prefixes")), strings(where, found.get("classes")), named


def _step(where: str, entry: object) -> Any:
    found = refuse_unknown(where, entry, frozenset({"phrases", "calls", "cyclic"}), ("phrases", "calls"))
    return (
        sorted({key(text) for text in strings(where, found["phrases"])}),
        strings(where, found["calls"]),
        bool(found.get("cyclic")),
    )


def _run(where: str, entry: object) -> Any:
    found = refuse_unknown(
        where, entry, frozenset({"methods", "classes", "subject", "order"}), ("methods", "classes", "subject", "order")
    )
    if found["subject"] not in ("self", "first"):
        raise RuleError("subject must be self or first", where)
    return (
        strings(where, found["methods"]),
        strings(where, found["classes"]),
        found["subject"] == "self",
        _checked(where, found["order"]),
    )


def _checked(where: str, order: object) -> list[Any]:
    if not isinstance(order, list):
        raise RuleError("an order is a list", where)
    checked = []
    for item in order:
        found = dict(refuse_unknown(where, item, _ITEM))
        for inner in ("loop", "unless_manual", "otherwise"):
            if inner in found:
                found[inner] = _checked(where, found[inner])
        checked.append(found)
    return checked


def _turn(item: Mapping[str, Any]) -> Turn:
    inner = item.get("loop") or item.get("unless_manual") or ()
    return Turn(
        item.get("hook", ""),
        item.get("step", ""),
        item.get("receiver", ""),
        tuple(_turn(part) for part in inner),
        tuple(_turn(part) for part in item.get("otherwise", ())),
        "loop" in item,
        "unless_manual" in item,
        item.get("when_argument", ""),
        item.get("when_made", ""),
    )
