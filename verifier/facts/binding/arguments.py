"""Bindings by calls: arguments, what `**` spreads, and the defaults of library calls that leave a parameter out."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from verifier.facts import instances, parameters
from verifier.facts.binding.context import Context
from verifier.facts.binding.counts import is_measured, is_round
from verifier.facts.scopes import Scope, dotted, tail
from verifier.facts.targets import CallSite, External, Target
from verifier.facts.values import Bound, Instance, Known, Made, Ref, Table, Values, is_unknown, worths
from verifier.model.facts import Binding, Place, Role, Worth

Maker = Callable[[], Binding | None]
GENERATORS = frozenset({"rng", "random_state", "np_random", "prng", "rs"})
"""What a random generator is called that somebody hands in."""

GENERATION = frozenset({"max_new_tokens", "num_beams", "do_sample", "attention_mask", "input_ids", "top_p", "generation_config"})
"""Arguments by which a method called `generate` is that of a language model of Hugging Face."""


def _entries(group: ast.Dict) -> dict[str, ast.expr]:
    """What a parameter group sets, by name."""
    pairs = zip(group.keys, group.values, strict=True)
    named = ((key.value, value) for key, value in pairs if isinstance(key, ast.Constant) and isinstance(key.value, str))
    return {name: value for name, value in named if name != "params"}


@dataclass
class Arguments:
    """What calls pass.

    Attributes:
        context: the analyses they rest on.
    """

    context: Context

    def of_scope(self, scope: Scope) -> Iterator[tuple[str, Maker]]:
        """What the calls made by a scope's code give to parameters."""
        for node in scope.calls:
            if tail(node.func) in {"print", "add_argument", "format", "super", "isinstance", "len"}:
                continue
            site = CallSite(node, scope)
            if tail(node.func) == "instantiate" and node.args:
                yield from self._instantiated(site)
                continue
            target, given = self._called(site)
            named = {keyword.arg: keyword.value for keyword in node.keywords if keyword.arg is not None}
            for name, value in named.items():
                yield name, self._argument(site, target, name, value)
            for keyword in node.keywords:
                if keyword.arg is None:
                    yield from self._spread(site, target, keyword.value)
            names = self._parameter_names(target)
            for name, value in zip(names, given, strict=False):
                if isinstance(value, ast.Starred):
                    break
                yield name, self._argument(site, target, name, value)
            groups = [_entries(group) for group in self._groups(site, names)]
            for group in groups:
                for name, value in group.items():
                    yield name, self._argument(site, target, name, value)
            if tail(node.func) != "partial" or not self._called_by_name(site):
                everywhere = set(groups[0]).intersection(*groups[1:]) if groups else set()
                yield from self._left_out(site, target, {*named, *names[: len(given)], *everywhere, *self._held(site)})

    def _instantiated(self, site: CallSite) -> Iterator[tuple[str, Maker]]:
        """What `hydra.utils.instantiate(cfg, a=1)` passes to the `_target_` of its configuration."""
        for value in self.context.ev.evaluate(site.node.args[0], site.scope):
            named = value.get("_target_") if isinstance(value, Table) else None
            if not isinstance(value, Table) or named is None or not isinstance(named[0], Known):
                continue
            target = self._named(str(named[0].value))
            entries = {key: values for key, values in value.entries if isinstance(key, str) and not key.startswith("_")}
            for keyword in site.node.keywords:
                if keyword.arg is not None and not keyword.arg.startswith("_"):
                    entries[keyword.arg] = self.context.ev.evaluate(keyword.value, site.scope)
            for name, values in entries.items():
                yield name, self._entry(site, target, name, site.node.args[0], values)
            yield from self._defaults(site, target, set(entries))

    def _named(self, path: str) -> Target:
        """What a dotted path names: a definition of the repository, or something outside."""
        module, _, name = path.rpartition(".")
        scope = self.context.program.modules.get(module)
        found = self.context.program.member(scope, name) if scope is not None else None
        return found if found is not None else External(path)

    def _held(self, site: CallSite) -> set[str]:
        """What a partial application has given before this call of it."""
        if not isinstance(site.node.func, ast.Name):
            return set()
        called = self.context.ev.called(site)
        return {name for value in called if isinstance(value, Bound) for name, _ in value.given}

    def _called_by_name(self, site: CallSite) -> bool:
        """Whether code calls what it binds a partial application to; else only who it is handed to knows what is left out."""
        return any(self.context.program.calls_named(name) for name in self._bound_to(site))

    def _groups(self, site: CallSite, names: tuple[str, ...]) -> list[ast.Dict]:
        """The parameter groups that an optimizer is given, in its call or under a name bound before."""
        if names[:1] != ("params",) or not site.node.args:
            return []
        first: ast.expr | None = site.node.args[0]
        if isinstance(first, ast.Name):
            bound = (write.value for write in self.context.program.reaching(first, site.scope))
            first = next((value for value in bound if isinstance(value, ast.List)), None)
        return [group for group in first.elts if isinstance(group, ast.Dict)] if isinstance(first, ast.List) else []

    def _called(self, site: CallSite) -> tuple[Target | None, list[ast.expr]]:
        """What a call calls and with which positional arguments; `partial(f, a)` counts as a call of `f`."""
        target = self._target(site)
        if target is None and isinstance(site.node.func, ast.Subscript | ast.Name | ast.Call):
            called = self.context.ev.called(site)
            if len(called) == 1 and isinstance(called[0], Bound) and called[0].site is not None:
                return called[0].function, [*called[0].site.node.args[1:], *site.node.args]
            target = called[0].target if len(called) == 1 and isinstance(called[0], Ref) else None
        if isinstance(target, External) and target.name in {"dataclasses.replace", "attrs.evolve", "attr.evolve"}:
            changed = self.context.ev.evaluate(site.node.args[0], site.scope) if site.node.args else ()
            made = next((value.cls for value in changed if isinstance(value, Instance)), None)
            return made or target, []
        if isinstance(target, External) and target.name == "functools.partial" and site.node.args:
            return self.context.program.resolve(site.node.args[0], site.scope), site.node.args[1:]
        return target, site.node.args

    def _target(self, site: CallSite) -> Target | None:
        target = self.context.program.resolve(site.node.func, site.scope)
        if target is None and isinstance(site.node.func, ast.Attribute):
            only = self.context.program.by_name.get(site.node.func.attr, ())
            if len(only) == 1 and only[0].is_method:
                return only[0]
            if site.node.func.attr == "generate" and GENERATION.intersection(k.arg or "" for k in site.node.keywords):
                return External("transformers.GenerationMixin.generate")
            return self._drawn(site, site.node.func)
        return target

    def _drawn(self, site: CallSite, node: ast.Attribute) -> External | None:
        """A method of a random generator; of what else libraries make, no signatures of methods are known."""
        if self.context.lexicon.signature(f"numpy.random.Generator.{node.attr}") is None:
            return None
        values = self.context.ev.evaluate(node.value, site.scope)
        if is_unknown(values) and tail(node.value) in GENERATORS:
            return External(f"numpy.random.Generator.{node.attr}")
        made = (value.name for value in values if isinstance(value, Made) and value.name.startswith("numpy.random."))
        return next((External(f"{name}.{node.attr}") for name in made), None)

    def _parameter_names(self, target: Target | None) -> tuple[str, ...]:
        if isinstance(target, External):
            signature = self.context.lexicon.signature(target.name)
            return (
                tuple(p.name for p in signature.parameters if not p.keyword_only and not p.stars) if signature is not None else ()
            )
        if isinstance(target, Scope):
            function = target
            if target.is_class:
                if instances.is_record(self.context.ev, target):
                    return tuple(field.name for field in instances.record_fields(self.context.ev, target))
                init = self.context.program.method(target, "__init__")
                if init is None:
                    return self._inherited_names(target)
                function = init
            node = function.function
            if node is not None:
                plain = [parameter.arg for parameter in (*node.args.posonlyargs, *node.args.args)]
                return tuple(plain[1:] if function.receiver else plain)
        return ()

    def _inherited_names(self, cls: Scope) -> tuple[str, ...]:
        outside = next((base for base in self.context.program.mro(cls) if isinstance(base, External)), None)
        return self._parameter_names(outside)

    def _argument(self, site: CallSite, target: Target | None, name: str, value: ast.expr) -> Maker:
        def make() -> Binding | None:
            values = self.context.settled(self.context.ev.evaluate(value, site.scope))
            reaching = self.context.program.reaching
            if self.context.is_counter(value, site.scope) or is_round(value, site.scope, reaching):
                return None
            if is_unknown(values) and is_measured(value, site.scope, reaching):
                return None
            dead = self.context.liveness.reason(site.node, site.scope) or self._ignored(target, name)
            if not dead and isinstance(target, External) and target.name == "builtins.dict":
                dead = self.context.unreached(name, values)
            return self._binding(name, self._owner(site, target), Role.ARGUMENT, value, site, values, dead)

        return make

    def _ignored(self, target: Target | None, name: str) -> str:
        if not isinstance(target, Scope):
            return ""
        if target.is_class:
            if instances.is_record(self.context.ev, target):
                return self.context.reads.member_unread(name, target)
            init = self.context.program.method(target, "__init__")
            return self.context.reads.parameter_unread(init, name) if init is not None else ""
        return self.context.reads.parameter_unread(target, name)

    def _spread(self, site: CallSite, target: Target | None, node: ast.expr) -> Iterator[tuple[str, Maker]]:
        for value in self.context.ev.evaluate(node, site.scope):
            if isinstance(value, Table):
                for key, values in value.entries:
                    if isinstance(key, str):
                        yield key, self._entry(site, target, key, node, values)

    def _entry(self, site: CallSite, target: Target | None, name: str, node: ast.expr, values: Values) -> Maker:
        def make() -> Binding:
            dead = self.context.liveness.reason(site.node, site.scope) or self._ignored(target, name)
            return self._binding(name, self._owner(site, target), Role.ARGUMENT, node, site, values, dead)

        return make

    def _left_out(self, site: CallSite, target: Target | None, given: set[str]) -> Iterator[tuple[str, Maker]]:
        if not isinstance(target, External) or any(k.arg is None for k in site.node.keywords):
            return
        if any(isinstance(argument, ast.Starred) for argument in site.node.args):
            return
        yield from self._defaults(site, target, given)

    def _defaults(self, site: CallSite, target: Target | None, given: set[str]) -> Iterator[tuple[str, Maker]]:
        """The library's own defaults of what a call leaves out."""
        signature = self.context.lexicon.signature(target.name) if isinstance(target, External) else None
        for name, default in signature.defaults.items() if signature is not None else ():
            if name not in given and default is not None and isinstance(target, External):
                yield name, self._library(site, target, name, default)

    def _library(self, site: CallSite, target: External, name: str, default: object) -> Maker:
        def make() -> Binding:
            location = site.scope.location(site.node)
            place = Place(location, self._path(site, target), self.context.liveness.reason(site.node, site.scope))
            worth = Worth(default, location)  # type: ignore[arg-type]
            return Binding(name, self._owner(site, target), Role.LIBRARY, place, (worth,))

        return make

    def _binding(
        self, name: str, owner: tuple[str, ...], role: Role, node: ast.AST, site: CallSite, values: Values, dead: str
    ) -> Binding:
        place = Place(site.scope.location(node), (*self._path(site, self._called(site)[0]), name), dead)
        optional = self.context.optional(site.node, site.scope)
        return Binding(name, owner, role, place, worths(values, place.location), optional=optional)

    def _owner(self, site: CallSite, target: Target | None) -> tuple[str, ...]:
        if isinstance(target, External):
            return tuple(target.name.split("."))
        if isinstance(target, Scope):
            return (parameters.shown(target),)
        func = site.node.func
        return tuple((dotted(func) or (f"_.{func.attr}" if isinstance(func, ast.Attribute) else tail(func))).split("."))

    def _path(self, site: CallSite, target: Target | None) -> tuple[str, ...]:
        """Names on the way to a call: file, class, function, what its result is bound to, what it calls."""
        return (*site.scope.names, *self._bound_to(site), *self._owner(site, target)[-2:])

    def _bound_to(self, site: CallSite) -> tuple[str, ...]:
        return self.context.assigned_calls(site.scope).get(id(site.node), ())
