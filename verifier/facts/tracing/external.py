"""Calls of what lies outside the repository: what they return, change and call back, as the framework packs say."""

from __future__ import annotations

from typing import TYPE_CHECKING

from verifier.facts.program import External
from verifier.facts.scopes import Scope
from verifier.facts.tracing.recorder import Draft
from verifier.facts.tracing.values import UNKNOWN, Function, Object, Value, names_of
from verifier.model.facts import EventForm
from verifier.model.location import Location

if TYPE_CHECKING:
    from verifier.facts.tracing.machine import Machine
    from verifier.facts.tracing.site import Arguments, Site

_MAX_HELD = 64


class Externals:
    """Makes these calls."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine

    def call(self, site: Site, callee: Value, arguments: Arguments) -> Value:
        """Call something outside, or something unknown."""
        target, method = _target(callee)
        receiver = method.owner if method is not None and method.owner is not None else None
        inputs = arguments.reach() | (receiver.reach() if receiver is not None else callee.reach())
        named = any(isinstance(thing, External) for thing in callee.things)
        made = named and target.rpartition(".")[2][:1].isupper()
        index = self._emit(site, target, callee, inputs, receiver, made=made)
        sources = frozenset({index}) if index >= 0 else inputs
        if self.machine.runs.start(site, target, receiver, arguments):
            self._change_held(receiver, arguments, index)
            self.machine.record.close(index, None)
            return Value((Object(cls=External(target)),) if target else (), sources)
        self.machine.processes.start(site, target, arguments)
        frameworks = self.machine.frameworks
        if target and frameworks.in_list("wrappers", target) and arguments.positional:
            first = arguments.positional[0]
            return Value(first.things, sources | first.sources)
        if made and (
            frameworks.in_list("sequences", target) or frameworks.in_list("lists", target) or target == "collections.OrderedDict"
        ):
            return self._sequence(site, target, arguments, index)
        parser = next(iter(receiver.objects()), None) if receiver is not None else None
        if site.name == "add_argument" and parser is not None:
            self.machine.files.declare_option(parser, arguments)
        if site.name in ("parse_args", "parse_known_args"):
            return Value((self.machine.files.parsed_options(parser),), sources)
        loaded = self.machine.files.configuration(target, arguments)
        if loaded is not None:
            return Value(loaded.things, sources)
        self.machine.files.read_and_write(site, receiver, arguments, index)
        if not frameworks.in_list("iterates", target) and not self.machine.runs.runs_hooks(target):
            self._callbacks(site, arguments, inputs, index)
        self._effects(site, target, receiver, arguments, index)
        return self._result(site, target, receiver, arguments, sources, made=made, named=named)

    def _emit(self, site: Site, target: str, callee: Value, inputs: frozenset[int], receiver: Value | None, *, made: bool) -> int:
        record = self.machine.record
        if record.muted or target.startswith("builtins."):
            return -1
        reads = self.machine.frameworks.reads.get(site.name, ())
        for resource in reads:
            inputs |= self.machine.resources.get(resource, set())
        names = [site.name] if site.name else []
        last = target.rpartition(".")[2]
        names += [last] if last and last != site.name else []
        if not made:
            names += [label for thing in callee.objects() if thing.owner is None for label in thing.labels if label not in names]
        index = record.emit(Draft(
            names, site.frame.scope.location(site.node), site.frame.path, EventForm.CONSTRUCT if made else EventForm.CALL, target=target,
            receiver=self.machine.calls.receiver_names(site, receiver), context=site.context, inputs=inputs,
        ))  # fmt: skip
        self.machine.calls.last[id(site.node)] = index
        if made:
            kind = self.machine.frameworks.kind_of_class(target)
            if kind:
                self.machine.made_kinds.add(kind)
        return index

    # --- what they do ---------------------------------------------------------------------------------------------------

    def _callbacks(self, site: Site, arguments: Arguments, inputs: frozenset[int], index: int) -> None:
        """Walk into the functions that are handed over: whoever takes them calls them."""
        functions = [thing for value in arguments.all() for thing in value.things if isinstance(thing, Function)]
        results = [self.machine.implicit.called_back(site, function, Value((), inputs)) for function in functions[:4]]
        if functions and index >= 0:
            self.machine.record.close(index, None)
            self.machine.record.drafts[index].inputs |= frozenset().union(*(result.sources for result in results))

    def _effects(self, site: Site, target: str, receiver: Value | None, arguments: Arguments, index: int) -> None:
        if index < 0:
            return
        frameworks, name = self.machine.frameworks, site.name
        for resource in frameworks.writes.get(name, ()):
            if self.machine.record.alternatives:
                self.machine.resources.setdefault(resource, set()).add(index)
            else:
                self.machine.resources[resource] = {index}
        if receiver is not None:
            if name in frameworks.lists["changes_held"]:
                self._change_held(receiver, None, index)
            elif self._changes_receiver(site, name) or self.machine.truth(arguments.named.get("inplace", UNKNOWN)):
                self._touch(receiver.objects(), index, arguments)
            return
        pure = any(target.startswith(prefix) for prefix in frameworks.lists["pure_modules"])
        if name.endswith("_") and not name.startswith("_") or name == "shuffle" or (site.discarded and not pure):
            self._touch([thing for value in arguments.all() for thing in value.objects()], index, None)

    def _changes_receiver(self, site: Site, name: str) -> bool:
        lists = self.machine.frameworks.lists
        if (name.endswith("_") and not name.endswith("__")) or name in lists["changes"]:
            return True
        return site.discarded and name not in lists["pure_methods"]

    def _touch(self, things: list[Object], index: int, arguments: Arguments | None) -> None:
        for thing in things:
            thing.touched.add(index)
            if arguments is not None and len(thing.holds) < _MAX_HELD:
                thing.holds += [held for value in arguments.all() for held in value.objects()][:4]

    def _change_held(self, receiver: Value | None, arguments: Arguments | None, index: int) -> None:
        """Everything that an object was made from changes with it: the parameters of an optimizer."""
        if index < 0:
            return
        pending = [*(receiver.objects() if receiver is not None else [])]
        if arguments is not None:
            pending += [thing for value in arguments.all() for thing in value.objects()]
        seen: set[int] = set()
        while pending and len(seen) < _MAX_HELD:
            thing = pending.pop()
            if id(thing) not in seen:
                seen.add(id(thing))
                thing.touched.add(index)
                pending += thing.holds
                pending += [inner for item in thing.items for inner in item.objects()]

    # --- what they return -----------------------------------------------------------------------------------------------

    def _result(
        self,
        site: Site,
        target: str,
        receiver: Value | None,
        arguments: Arguments,
        sources: frozenset[int],
        *,
        made: bool,
        named: bool,
    ) -> Value:
        lists = self.machine.frameworks.lists
        if receiver is not None and site.name in lists["returns_self"]:
            kept = tuple(thing for thing in receiver.things if isinstance(thing, Object))
            if kept:
                return Value(kept, sources | receiver.sources)
        if site.name in lists["returns_arguments"] and arguments.positional:
            if len(arguments.positional) == 1:
                return Value(arguments.positional[0].things, sources)
            return Value(self.machine.expressions.sequence(arguments.positional).things, sources)
        known = named or receiver is not None
        thing = Object(cls=External(target or site.name) if known else None, level=len(self.machine.record.alternatives))
        if made or site.name in lists["holds"]:
            thing.holds = [
                held for value in (*arguments.all(), *([receiver] if receiver is not None else [])) for held in value.objects()
            ][:_MAX_HELD]
        if made:
            thing.fields.update(arguments.named)
        return Value((thing,), sources)

    def _sequence(self, site: Site, target: str, arguments: Arguments, index: int) -> Value:
        """A listed sequence: its elements, and their turns in the order of the list."""
        items, closed = arguments.positional, arguments.open is None
        listed = items or list(arguments.named.values())[:1]
        if len(listed) == 1 and any(thing.external in _CONTAINERS for thing in listed[0].objects()):
            inner = self.machine.loops.elements(listed[0])
            closed = inner is not None
            items = inner if inner is not None else [item for thing in listed[0].objects() for item in thing.items]
            if closed and any(thing.external != "builtins.list" and not thing.items for thing in listed[0].objects()):
                items = [value for thing in listed[0].objects() for value in thing.fields.values()]
        thing = Object(cls=External(target), items=list(items), closed=closed, level=len(self.machine.record.alternatives))
        for value in arguments.all():
            thing.holds += value.objects()
        if self.machine.frameworks.in_list("sequences", target) and index >= 0:
            self._list_turns(site, items, index)
        return Value((thing,), frozenset({index}) if index >= 0 else arguments.reach())

    def _list_turns(self, site: Site, items: list[Value], index: int) -> None:
        record = self.machine.record
        before = -1
        for item in items:
            pair = self.machine.loops.elements(item)
            named = pair is not None and len(pair) == 2
            value = pair[1] if pair is not None and named else item
            label = pair[0].const() if pair is not None and named else None
            names = [str(label.value)] if label is not None else []
            for thing in value.things:
                names += names_of(thing)
            made = max((source for source in value.sources if source < len(record.drafts)), default=-1)
            location = record.drafts[made].location if made >= 0 else site.frame.scope.location(site.node)
            inputs = frozenset({before}) if before >= 0 else frozenset()
            before = record.emit(Draft(names, _within(location, site), site.frame.path, EventForm.LISTED, inputs=inputs))
        record.close(index, None)


_CONTAINERS = frozenset({"builtins.list", "collections.OrderedDict", "builtins.dict"})


def _within(location: Location, site: Site) -> Location:
    """The place of an element's making, when that is in the same file; else of the list."""
    own = site.frame.scope.location(site.node)
    return location if location.file == own.file else own


def _target(callee: Value) -> tuple[str, Object | None]:
    """The qualified name of what is called, and the method when it is one of an object."""
    for thing in callee.things:
        if isinstance(thing, External):
            return thing.name, None
        if isinstance(thing, Object):
            if thing.owner is None:
                return thing.external, None
            owner = next(iter(thing.owner.objects()), None)
            prefix = owner.external if owner is not None else ""
            if owner is not None and isinstance(owner.cls, Scope):
                prefix = owner.cls.qualified.replace(":", ".")
            return f"{prefix}.{thing.attribute}" if prefix else thing.attribute, thing
    return "", None
