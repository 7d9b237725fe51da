"""Calls: which function runs, what its parameters are, what comes back."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from verifier.facts.program import External
from verifier.facts.scopes import Scope, tail
from verifier.facts.tracing.machine import path_of
from verifier.facts.tracing.parameters import bind_parameters, is_generator
from verifier.facts.tracing.recorder import Draft
from verifier.facts.tracing.site import Arguments, Site, argument_names, called_name, written
from verifier.facts.tracing.special import Special
from verifier.facts.tracing.values import UNKNOWN, Frame, Function, Object, Thing, Value, join
from verifier.lexicon.names import words
from verifier.model.facts import EventForm

if TYPE_CHECKING:
    from verifier.facts.tracing.machine import Machine

_VAGUE = frozenset({"model", "net", "network", "self", "base", "module"})
_STAGE = re.compile(r"[A-Za-z]\w{1,30}")
_FETCHES = re.compile(r"_*(?:get|load|build|make|create|read|open|parse|log|check|set|add|save|write|init)")
_APPLY = ("__call__", "forward", "call")


class Calls:
    """Makes calls.

    Attributes:
        last: id of a call's node -> number of its latest event.
        discarded: id of the call whose result the running statement throws away.
        consumers: id of a call's node -> who takes what its generator yields.
    """

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.special = Special(machine)
        self.last: dict[int, int] = {}
        self.discarded = 0
        self.consumers: dict[int, Callable[[Value], None]] = {}
        self._methods: dict[str, list[Scope]] = {}
        self._contexts: dict[int, tuple[str, ...]] = {}

    def forget(self) -> None:
        """Forget the numbers of the events of another trace."""
        self.last = {}
        self.consumers = {}
        self.discarded = 0

    def call(self, node: ast.Call, frame: Frame) -> Value:
        """Make the call that an expression writes."""
        func = node.func
        discarded = self.discarded == id(node)
        base: Value | None = None
        if isinstance(func, ast.Attribute):
            base = self.machine.expressions.eval(func.value, frame)
            callee = self.machine.expressions.member(base, func.attr)
        else:
            callee = self.machine.expressions.eval(func, frame)
        arguments = self._arguments(node, frame)
        if base is not None:
            callee = self._guessed(base, callee)
        site = Site(node, frame, called_name(func), base, written(func), self._context(node), discarded)
        special = self.special.call(site, callee, arguments)
        return special if special is not None else self.invoke(site, callee, arguments)

    def _guessed(self, base: Value, callee: Value) -> Value:
        """A method of an object that nothing tells the class of: that of the one class whose name it bears."""
        thing = next((found for found in callee.things if isinstance(found, Object)), None)
        owner = next(iter(base.objects()), None)
        if thing is None or owner is None or owner.cls is not None or len(callee.things) != 1 or not owner.labels:
            return callee
        methods = self._methods.get(thing.attribute)
        if methods is None:
            methods = [scope for scope in self.machine.program.by_name.get(thing.attribute, ()) if scope.is_method]
            self._methods[thing.attribute] = methods
        if not methods:
            return callee
        said = {word for label in owner.labels for word in words(label)} - _VAGUE
        fitting = [scope for scope in methods if scope.parent is not None and said & set(words(scope.parent.name))]
        if len(fitting) != 1 or fitting[0].parent is None:
            return callee
        owner.cls = fitting[0].parent
        return self.machine.expressions.member(base, thing.attribute)

    def _arguments(self, node: ast.Call, frame: Frame) -> Arguments:
        found = Arguments()
        for argument in node.args:
            value = self.machine.expressions.eval(argument, frame)
            if isinstance(argument, ast.Starred):
                items = self.machine.loops.elements(value)
                if items is None:
                    found.open = Value((), value.reach())
                else:
                    found.positional += items
            elif found.open is None:
                found.positional.append(value)
        for keyword in node.keywords:
            before = len(self.machine.record.listed)
            value = self.machine.expressions.eval(keyword.value, frame)
            if keyword.arg is not None and len(self.machine.record.listed) > before:
                self.machine.record.name_listed(before, (keyword.arg,))
            if keyword.arg is not None:
                found.named[keyword.arg] = value
            else:
                found.open = Value((), value.reach())
                for thing in value.objects():
                    if thing.external == "builtins.dict":
                        found.named.update(thing.fields)
        return found

    def _context(self, node: ast.Call) -> tuple[str, ...]:
        known = self._contexts.get(id(node))
        if known is None:
            names = [name for argument in node.args for name in argument_names(argument)]
            names += [name for keyword in node.keywords for name in argument_names(keyword.value)]
            known = self._contexts[id(node)] = tuple(dict.fromkeys(names))
        return known

    # --- who is called --------------------------------------------------------------------------------------------------

    def invoke(self, site: Site, callee: Value, arguments: Arguments) -> Value:
        """Call a value: each candidate in the repository as an alternative, else something outside."""
        inside = [thing for thing in callee.things if self._is_inside(thing)]
        if not inside:
            return self.machine.externals.call(site, callee, arguments)
        if len(inside) == 1:
            return self._run(site, inside[0], callee, arguments)
        record = self.machine.record
        branch, outer = record.number(), record.alternatives
        values = []
        for arm, thing in enumerate(inside):
            record.alternatives = (*outer, (branch, arm))
            values.append(self._run(site, thing, callee, arguments))
        record.alternatives = outer
        return join(values)

    def _is_inside(self, thing: Thing) -> bool:
        if isinstance(thing, Function):
            return True
        if isinstance(thing, Scope):
            return thing.is_class
        return isinstance(thing, Object) and (self._applied(thing) is not None or self._is_sequence(thing))

    def _is_sequence(self, thing: Object) -> bool:
        return (
            bool(thing.items) and isinstance(thing.cls, External) and self.machine.frameworks.in_list("sequences", thing.cls.name)
        )

    def _applied(self, thing: Object) -> Function | None:
        if not isinstance(thing.cls, Scope) or not thing.cls.is_class:
            return None
        for name in _APPLY:
            for found in self.machine.expressions.member(Value((thing,)), name).things:
                if isinstance(found, Function):
                    return found
        return None

    def _run(self, site: Site, thing: Thing, callee: Value, arguments: Arguments) -> Value:
        if isinstance(thing, Function):
            return self.run(site, thing, callee, arguments)
        if isinstance(thing, Scope):
            return self._construct(site, thing, arguments)
        assert isinstance(thing, Object)
        function = self._applied(thing)
        if function is not None:
            bound = Function(function.scope, Value((thing,), callee.sources), function.frame)
            return self.run(site, bound, callee, arguments, applied=thing)
        return self._in_turn(site, thing, arguments)

    def run(self, site: Site, function: Function, callee: Value, arguments: Arguments, applied: Object | None = None) -> Value:
        """Call a function of the repository."""
        scope = function.scope
        names = [site.name] if site.name else []
        if not isinstance(scope.node, ast.Lambda):
            owner = scope.parent.name if scope.is_method and scope.parent is not None and scope.name in _APPLY else ""
            names += [owner] if owner else [scope.name]
        names += applied.labels if applied is not None else []
        names += [function.label] if function.label else []
        if not _FETCHES.match(scope.name):
            names += [f"'{text}'" for text in arguments.texts() if _STAGE.fullmatch(text)]
        index = self.emit(site, names, _qualified(scope), EventForm.CALL, arguments.reach(), function.receiver)
        result = self.enter(site, function, arguments, index)
        return Value(result.things, frozenset({index}) if index >= 0 else result.sources | callee.sources)

    def emit(
        self, site: Site, names: list[str], target: str, form: EventForm, inputs: frozenset[int], receiver: Value | None
    ) -> int:
        """Record a call; returns the number of its event, -1 when nothing is recorded."""
        record = self.machine.record
        if record.muted:
            return -1
        index = record.emit(Draft(
            names, site.frame.scope.location(site.node), site.frame.path, form, target=target, receiver=self.receiver_names(site, receiver),
            context=site.context, inputs=inputs,
        ))  # fmt: skip
        self.last[id(site.node)] = index
        return index

    def receiver_names(self, site: Site, receiver: Value | None) -> tuple[str, ...]:
        """The names of what a method is called on: as written, as bound elsewhere, its class and its kind."""
        names = list(site.written)
        for thing in (receiver or site.base or UNKNOWN).objects():
            kind = self.machine.kind(thing)
            names += [
                *thing.labels,
                *([thing.cls.name.rpartition(".")[2]] if thing.cls is not None else []),
                *([kind] if kind else []),
                *(_owners(thing) if kind == "optimizer" else []),
            ]
        return tuple(dict.fromkeys(names))

    def enter(self, site: Site, function: Function, arguments: Arguments, index: int) -> Value:
        """Walk into a function."""
        machine, scope = self.machine, function.scope
        record = machine.record
        if index >= 0:
            record.drafts[index].stub = machine.stub(scope)
        if index < 0 and not record.muted:
            return Value((Object(cls=External(scope.qualified)),), arguments.reach())
        given = arguments.texts()
        if not machine.may_enter(scope, given):
            machine.replays.again(index, scope, given)
            return Value((Object(cls=External(scope.qualified)),), arguments.reach())
        frame = Frame(scope, parent=function.frame, path=path_of(site.frame.path, scope))
        bind_parameters(machine, function, arguments, frame)
        generator = is_generator(machine, scope)
        consumer = self.consumers.pop(id(site.node), None) if generator else None
        if consumer is not None:
            frame.on_yield.append(consumer)
        if index >= 0:
            machine.replays.walked[id(scope), given] = index
            record.running.append(index)
        result = self._walked(scope, frame)
        if index >= 0:
            record.running.pop()
        if generator:
            result = machine.expressions.sequence(frame.yields, closed=False)
        record.close(index, result.reach())
        return result

    def _walked(self, scope: Scope, frame: Frame) -> Value:
        machine, record = self.machine, self.machine.record
        outer = record.alternatives, record.depth
        record.depth += 1
        machine.enter(scope)
        before = len(record.drafts)
        if isinstance(scope.node, ast.Lambda):
            result = machine.expressions.eval(scope.node.body, frame)
        else:
            machine.statements.block(scope.node.body, frame)
            result = join(frame.returns)
        machine.stack.pop()
        machine.sizes[id(scope)] = max(machine.sizes.get(id(scope), 0), len(record.drafts) - before)
        record.alternatives, record.depth = outer
        return result

    def _construct(self, site: Site, cls: Scope, arguments: Arguments) -> Value:
        thing = Object(cls=cls, level=len(self.machine.record.alternatives))
        kind = self.machine.kind(thing)
        if kind:
            self.machine.made_kinds.add(kind)
        self.machine.reached.add(id(cls))
        index = self.emit(site, [site.name, cls.name], _qualified(cls), EventForm.CONSTRUCT, arguments.reach(), None)
        if index >= 0:
            self.machine.record.drafts[index].stub = self.machine.stub(cls)
        self.initialise(site, thing, arguments, index)
        return Value((thing,), frozenset({index}) if index >= 0 else frozenset())

    def initialise(self, site: Site, thing: Object, arguments: Arguments, index: int) -> None:
        """Run `__init__` of a fresh object, or fill the fields of a data class."""
        assert isinstance(thing.cls, Scope)
        found = self.machine.expressions.member(Value((thing,)), "__init__")
        init = next((function for function in found.things if isinstance(function, Function)), None)
        if init is not None:
            self.enter(site, init, arguments, index)
            self.machine.record.close(index, None)
            return
        assert isinstance(thing.cls.node, ast.ClassDef)
        declared = [
            part.target.id
            for part in thing.cls.node.body
            if isinstance(part, ast.AnnAssign) and isinstance(part.target, ast.Name)
        ]
        thing.fields.update(zip(declared, arguments.positional, strict=False))
        thing.fields.update(arguments.named)
        self._fill_defaults(thing, thing.cls)
        for value in arguments.all():
            thing.holds += value.objects()
        later = self.machine.expressions.member(Value((thing,)), "__post_init__")
        if any(isinstance(function, Function) for function in later.things):
            self.machine.implicit.call(later, [], site.node, site.frame, "__post_init__")

    def _fill_defaults(self, thing: Object, cls: Scope) -> None:
        """Fill the fields of a data class that hold functions or lists of them with their defaults."""
        assert isinstance(cls.node, ast.ClassDef)
        self.machine.record.muted += 1
        for part in cls.node.body:
            if not (isinstance(part, ast.AnnAssign) and isinstance(part.target, ast.Name) and part.value is not None):
                continue
            if part.target.id in thing.fields:
                continue
            frame, written = Frame(cls, path=cls.names), part.value
            factory = isinstance(written, ast.Call) and tail(written.func) in ("field", "Field")
            if isinstance(written, ast.Call) and factory:
                given = {keyword.arg: keyword.value for keyword in written.keywords}
                written = given.get("default_factory") or given.get("default") or written
                factory = "default_factory" in given
            value = self.machine.expressions.eval(written, frame)
            if factory:
                value = self.invoke(Site(written, frame, ""), value, Arguments())
            if any(isinstance(inner, Function) or (isinstance(inner, Object) and inner.items) for inner in value.things):
                thing.fields[part.target.id] = value
        self.machine.record.muted -= 1

    def _in_turn(self, site: Site, thing: Object, arguments: Arguments) -> Value:
        """Call the elements of a listed sequence one after another."""
        name = thing.external.rpartition(".")[2]
        index = self.emit(site, [site.name, name, *thing.labels], thing.external, EventForm.CALL, arguments.reach(), None)
        value = arguments.positional[0] if arguments.positional else UNKNOWN
        for item in thing.items:
            pair = self.machine.loops.elements(item)
            called = pair[1] if pair is not None and len(pair) == 2 else item
            labels = next((inner.labels for inner in called.objects() if inner.labels), [])
            step = Site(site.node, site.frame, labels[0] if labels else "")
            value = self.invoke(step, called, Arguments([value]))
        self.machine.record.close(index, value.reach())
        return Value(value.things, frozenset({index}) if index >= 0 else value.sources)


def _owners(optimizer: Object) -> list[str]:
    """The names of what an optimizer updates."""
    held = [inner for thing in optimizer.holds[:4] for inner in (thing, *thing.holds[:4])]
    return [label for thing in held for label in thing.labels][:8]


def _qualified(scope: Scope) -> str:
    return scope.qualified.replace(":", ".")
