"""Runs of a framework: the user's hooks in the order in which the framework calls them, and its own steps between them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from verifier.facts.program import External
from verifier.facts.scopes import Scope
from verifier.facts.tracing.recorder import Draft
from verifier.facts.tracing.values import Const, Function, Object, Value
from verifier.lexicon.frameworks import Run, Turn
from verifier.model.facts import EventForm

if TYPE_CHECKING:
    from verifier.facts.tracing.machine import Machine
    from verifier.facts.tracing.site import Arguments, Site


class Runs:
    """Starts them."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.callbacks: list[Object] = []

    def start(self, site: Site, target: str, receiver: Value | None, arguments: Arguments) -> bool:
        """Run the hooks if a call is a framework's run.

        Returns:
            Whether it was.
        """
        method = target.rpartition(".")[2]
        for run in self.machine.frameworks.runs:
            if method in run.methods and receiver is not None:
                for owner in receiver.objects():
                    if self._is_of(owner, run):
                        subject = owner if run.on_self else _first(arguments)
                        if subject is not None and (run.on_self or isinstance(subject.cls, Scope)):
                            outer = self.callbacks
                            for value in arguments.all():
                                self._load(value, site)
                            self.callbacks = _callbacks([*arguments.named.items(), *owner.fields.items()])
                            self.play(run.order, subject, owner, site)
                            self.callbacks = outer
                            return True
        return False

    def _load(self, value: Value, site: Site) -> None:
        """Make a batch of a loader that a run is given."""
        frameworks = self.machine.frameworks
        if any(isinstance(thing.cls, External) and frameworks.in_list("iterates", thing.cls.name) for thing in value.objects()):
            self.machine.loops.one(value, site.node, site.frame)

    def runs_hooks(self, target: str) -> bool:
        """Whether a class runs what it is handed only later, in its own order."""
        return any(target in run.classes for run in self.machine.frameworks.runs)

    def unstarted(self, cls: Scope) -> Run | None:
        """The run that would call the hooks of a class nobody visibly runs."""
        for run in self.machine.frameworks.runs:
            hooks = _hooks(run.order)
            defined = [hook for hook in hooks if hook in cls.writes and hook.endswith("_step")]
            if defined and any(isinstance(base, External) for base in self.machine.program.mro(cls)):
                return run
        return None

    def _is_of(self, owner: Object, run: Run) -> bool:
        bases = self.machine.program.mro(owner.cls) if isinstance(owner.cls, Scope) and owner.cls.is_class else (owner.cls,)
        for base in bases:
            if isinstance(base, External):
                for name in run.classes:
                    if base.name == name or (
                        base.name.rpartition(".")[2] == name.rpartition(".")[2] and base.name.split(".")[0] == name.split(".")[0]
                    ):
                        return True
        return False

    def play(self, order: tuple[Turn, ...], subject: Object, owner: Object, site: Site) -> None:
        """Do the turns of a run one after another."""
        record = self.machine.record
        for turn in order:
            if turn.repeated:
                outer = record.loops
                record.loops = (*outer, record.number())
                self.play(turn.inner, subject, owner, site)
                record.loops = outer
            elif turn.unless_manual:
                if not self._manual(subject):
                    self.play(turn.inner, subject, owner, site)
            elif not (turn.hook and self._hook(turn, subject, owner, site)):
                self.play(turn.otherwise, subject, owner, site)
                if turn.step and self._applies(turn, owner):
                    self._step(turn, site)

    def _manual(self, subject: Object) -> bool:
        flag = subject.fields.get("automatic_optimization")
        const = flag.const() if flag is not None else None
        return const == Const(False)

    def _applies(self, turn: Turn, owner: Object) -> bool:
        if turn.when_argument and turn.when_argument not in owner.fields:
            return False
        return not turn.when_made or turn.when_made in self.machine.made_kinds

    def _hook(self, turn: Turn, subject: Object, owner: Object, site: Site) -> bool:
        own = self._hook_of(turn, subject, site)
        given = owner.fields.get(turn.hook)
        if given is not None and not own:
            self.machine.implicit.call(given, [], site.node, site.frame, turn.hook)
        for callback in self.callbacks:
            if callback is not subject:
                self._hook_of(turn, callback, site)
        return own

    def _hook_of(self, turn: Turn, subject: Object, site: Site) -> bool:
        if not isinstance(subject.cls, Scope):
            return False
        method = self.machine.expressions.member(Value((subject,)), turn.hook)
        if not any(isinstance(thing, Function) for thing in method.things):
            return False
        made = self.machine.implicit.call(method, [], site.node, site.frame, turn.hook)
        if turn.hook.endswith(("_step", "compute_loss")):
            self.machine.resources["result of the hook"] = set(made.sources)
        return True

    def _step(self, turn: Turn, site: Site) -> None:
        machine = self.machine
        inputs = frozenset(machine.resources.get("result of the hook", ())) | frozenset(machine.resources.get("gradient", ()))
        receiver = (turn.receiver,) if turn.receiver else ()
        index = machine.record.emit(
            Draft(
                [turn.step],
                site.frame.scope.location(site.node),
                site.frame.path,
                EventForm.CALL,
                receiver=receiver,
                inputs=inputs,
            )
        )
        if index >= 0 and turn.step in machine.frameworks.writes:
            machine.resources["gradient"] = {index}


def _callbacks(named: list[tuple[str, Value]]) -> list[Object]:
    """The objects that a framework was given as callbacks; a class stands for an object of it."""
    found: list[Object] = []
    for name, value in named:
        if name in ("callbacks", "callback", "datamodule"):
            items = [item for thing in value.objects() for item in thing.items] or [value]
            things = [thing for item in items for thing in item.things]
            found += [thing for thing in things if isinstance(thing, Object)]
            found += [Object(cls=thing) for thing in things if isinstance(thing, Scope) and thing.is_class]
    return found


def _first(arguments: Arguments) -> Object | None:
    candidates = [*arguments.positional[:1], *(value for name, value in arguments.named.items() if name == "model")]
    return next((thing for value in candidates for thing in value.objects()), None)


def _hooks(order: tuple[Turn, ...]) -> list[str]:
    return [hook for turn in order for hook in (*([turn.hook] if turn.hook else []), *_hooks(turn.inner))]
