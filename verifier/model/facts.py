"""Facts: what the code does, ready to be checked. Produced by `facts`, consumed by `checks`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from verifier.model.constant import Constant
from verifier.model.expression import Expr
from verifier.model.finding import Step
from verifier.model.location import Location


@dataclass(frozen=True, slots=True)
class Place:
    """Where a fact stands.

    Attributes:
        location: file and lines.
        path: the raw names on the way to it, outermost first: file path parts, class, function, config section, call, the name
            that the call's result is bound to. `near` looks here.
        dead: why nothing reaches or reads it, in a few words; empty when it is live.
    """

    location: Location
    path: tuple[str, ...] = ()
    dead: str = ""


@dataclass(frozen=True, slots=True)
class Placeholder:
    """A statement that stands where a computation should be.

    Attributes:
        location: the placeholder statement.
        reason: what it is: `pass`, `raises NotImplementedError`, `TODO with a constant`, ...
    """

    location: Location
    reason: str


class Role(StrEnum):
    """What kind of writing gives a name its value."""

    ARGUMENT = "argument"
    DEFAULT = "default"
    ASSIGNMENT = "assignment"
    KEY = "key"
    OPTION = "option"
    FLAG = "flag"
    LIBRARY = "library default"
    LOOP = "loop"


@dataclass(frozen=True, slots=True)
class Worth:
    """One value something may have, where that value is written, and how it got to its use.

    Attributes:
        symbolic: the value is the dotted name of a class, function or what a call made, not a constant of the code.
    """

    value: Constant
    location: Location
    trail: tuple[Step, ...] = ()
    symbolic: bool = False


@dataclass(frozen=True, slots=True)
class Binding:
    """A name is given a value.

    Attributes:
        name: the name itself, raw: `lr`.
        owner: what it belongs to, outermost first: `("torch", "optim", "AdamW")`, `("Config",)`, a config's sections.
        place: where the name is given the value (the worths say where the value is written).
        worths: the values it may have; empty when it is not known.
        stub: set when it rests on a placeholder.
        optional: it stands in a branch that the program does not take by default.
    """

    name: str
    owner: tuple[str, ...]
    role: Role
    place: Place
    worths: tuple[Worth, ...] = ()
    stub: Placeholder | None = None
    optional: bool = False


class Form(StrEnum):
    """How something is mentioned: called, defined, passed on, written in a text that code reads, given a value, or imported."""

    CALL = "call"
    CLASS = "class"
    FUNCTION = "function"
    REFERENCE = "reference"
    STRING = "string"
    KEY = "key"
    NAME = "name"
    IMPORT = "import"


@dataclass(frozen=True, slots=True)
class Idiom:
    """A plain measure, all that a function computes: its usual name, and where it is computed."""

    name: str
    location: Location


@dataclass(frozen=True, slots=True)
class Mention:
    """A name or string that may show that an entity is used.

    Attributes:
        text: the identifier with the names before it, imports undone, or the string: `torchmetrics.image.fid.FrechetInceptionDistance`,
            `Trainer.update_ema`, `rajpurkar/squad_v2`.
        target: the qualified name that it resolves to, as far as known.
        form: how it stands there.
        stub: set when what stands under the name is, or rests on, a placeholder.
        setting: a name that is given a plain constant, or nothing: it sets something, it computes nothing.
        uses: what the definition or value under the name calls, and the strings that it passes.
        idiom: the plain measure that is all the function under the name computes.
        off: all that live code gives the name is false: what it switches on can be had, but does not happen by default.
    """

    text: str
    target: str
    form: Form
    place: Place
    stub: Placeholder | None = None
    setting: bool = False
    uses: tuple[str, ...] = ()
    idiom: Idiom | None = None
    off: bool = False


@dataclass(frozen=True, slots=True)
class Remark:
    """Text that only people read: a comment, docstring or message."""

    text: str
    location: Location


@dataclass(frozen=True, slots=True)
class Definition:
    """An expression that code computes.

    Attributes:
        names: what it defines: the function it is returned from, the variable, attribute or key it is stored in.
        expr: what is computed, with the helpers of the repository substituted.
        place: where; the location is the statement that computes it.
        discarded: why its result does not count (thrown away, overwritten before use); empty when it does.
        stub: set when it rests on a placeholder.
    """

    names: tuple[str, ...]
    expr: Expr
    place: Place
    discarded: str = ""
    stub: Placeholder | None = None


class EventForm(StrEnum):
    """What kind of thing happens."""

    CALL = "call"
    CONSTRUCT = "construct"
    LISTED = "listed"
    ASSIGN = "assign"
    STAGE = "stage"
    ENTRY = "entry"


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happens in a trace.

    Attributes:
        names: what it may be called: the called name, its class, the name its result is bound to, a stage's string.
        target: the qualified name of what is called, as far as known.
        place: where it stands.
        form: a call, the making of an object, the turn of an object in a listed sequence, an assignment, a branch taken for a
            stage's name, or the entry itself.
        receiver: for a method, the names of what it is called on: as written, as bound elsewhere, its class, its kind.
        context: names that stand in its arguments.
        inputs: numbers of the events whose results reach its inputs.
        result: for a call that was walked into, the events whose results its own result is made of; None where its inputs are.
        alternatives: (branch number, arm) for each branch it stands in; two events with different arms of one branch exclude each other.
        loops: numbers of the loops it stands in, outermost first.
        depth: how many calls below the entry it stands.
        end: for a call that was walked into, the index just past the last event inside it; else its own index + 1.
        stub: set when what is called is a placeholder.
        looks: for a call that was walked into, the events whose results its inside prints or decides by.
        bound: those of the names that the result of a call is bound to.
    """

    names: tuple[str, ...]
    target: str
    place: Place
    form: EventForm = EventForm.CALL
    receiver: tuple[str, ...] = ()
    context: tuple[str, ...] = ()
    inputs: tuple[int, ...] = ()
    result: tuple[int, ...] | None = None
    alternatives: tuple[tuple[int, int], ...] = ()
    loops: tuple[int, ...] = ()
    depth: int = 0
    end: int = 0
    stub: Placeholder | None = None
    looks: tuple[int, ...] = ()
    bound: tuple[str, ...] = ()


class EntryKind(StrEnum):
    """How a trace gets started: by the repository itself, only by a user of its public names, or by nobody."""

    PROGRAM = "program"
    PUBLIC = "public"
    DEAD = "dead"


@dataclass(frozen=True, slots=True)
class Trace:
    """What happens, in execution order, from one entry on.

    Attributes:
        entry: the function, file or script that the trace starts at.
        kind: what starts it.
        place: where that is; `place.dead` says why nothing runs it.
        choices: numbers of the branches that the caller of the program chooses between (a mode, a stage).
        firsts: (branch, arm) of branches in a loop that take this arm in the first turns and the other later.
        truncated: why the trace stops early; empty when it is whole.
        saved: names of the files that it writes, without folders; `loaded`: of those that it reads.
    """

    entry: str
    place: Place
    events: tuple[Event, ...]
    kind: EntryKind = EntryKind.PROGRAM
    choices: tuple[int, ...] = ()
    truncated: str = ""
    saved: frozenset[str] = frozenset()
    loaded: frozenset[str] = frozenset()
    firsts: tuple[tuple[int, int], ...] = ()


class Names(Protocol):
    """Raw names, found by their words."""

    def exact(self, spelled: Sequence[str]) -> Sequence[str]:
        """The names that are these words."""

    def longer(self, spelled: Sequence[str]) -> Sequence[str]:
        """The names that begin or end with these words and say more."""

    def covered(self, spelled: Sequence[str]) -> Iterator[str]:
        """The names whose every telling word is one of these words or a short form of one."""


class FactBase(Protocol):
    """All facts of one repository: immutable, sorted, each kind computed when first asked for."""

    @property
    def start(self) -> Location | None:
        """The first line of its first code file: where a person is sent for what is nowhere; None when there is no code."""

    @property
    def names(self) -> Names:
        """Every raw name that is given a value anywhere."""

    def bindings(self, name: str) -> Sequence[Binding]:
        """Where a raw name is given a value, and which."""

    @property
    def mentioned(self) -> Sequence[str]:
        """Every text that is mentioned anywhere."""

    def mentions(self, text: str) -> Sequence[Mention]:
        """Where a text is mentioned, and how."""

    @property
    def remarks(self) -> Sequence[Remark]:
        """Comments, docstrings and messages."""

    @property
    def definitions(self) -> Sequence[Definition]:
        """Every expression computed."""

    @property
    def traces(self) -> Sequence[Trace]:
        """What happens in order, one trace an entry."""

    @property
    def placeholders(self) -> Sequence[tuple[Place, Placeholder]]:
        """Every placeholder, with the function or class that it stands for."""
