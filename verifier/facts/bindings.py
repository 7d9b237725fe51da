"""Bindings: every place where a name is given a value, evaluated when a check asks for the name.

Sources are call arguments, parameter and field defaults, assignments, dictionary keys, configuration keys, command-line options, loops,
and the defaults of library calls that leave a parameter out.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from functools import cached_property

from verifier.facts import attributes, parameters
from verifier.facts.evaluate import Evaluator
from verifier.facts.liveness import Liveness
from verifier.facts.placeholders import Placeholders
from verifier.facts.program import CallSite, External, Target
from verifier.facts.reads import Reads
from verifier.facts.scopes import Scope, Write, dotted, tail
from verifier.facts.values import Items, Known, Ref, Table, Value, Values, is_unknown, worths
from verifier.lexicon import Lexicon
from verifier.model.facts import Binding, Place, Role, Worth
from verifier.model.location import Location

Maker = Callable[[], Binding | None]

COUNTED_LOOPS = frozenset({"range", "trange", "prange", "arange"})


class Bindings:
    """All bindings of a program, by raw name.

    Args:
        ev: the evaluator.
        liveness: which code is live.
        reads: what is read.
        placeholders: what is a placeholder.
        lexicon: signatures of library calls.
    """

    def __init__(self, ev: Evaluator, liveness: Liveness, reads: Reads, placeholders: Placeholders, lexicon: Lexicon) -> None:
        self.ev, self.program = ev, ev.program
        self.liveness, self.reads, self.placeholders, self.lexicon = liveness, reads, placeholders, lexicon
        self._known: dict[str, tuple[Binding, ...]] = {}

    @cached_property
    def _makers(self) -> dict[str, list[Maker]]:
        found: dict[str, list[Maker]] = {}
        for name, maker in self._all():
            found.setdefault(name, []).append(maker)
        return found

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Every raw name that is given a value."""
        return tuple(sorted(self._makers))

    def of(self, name: str) -> tuple[Binding, ...]:
        """The bindings of a raw name, sorted by place."""
        if name not in self._known:
            made = [maker() for maker in self._makers.get(name, ())]
            kept = [binding for binding in made if binding is not None]
            self._known[name] = tuple(sorted(kept, key=lambda b: (b.place.location, b.role, b.owner)))
        return self._known[name]

    def _all(self) -> Iterator[tuple[str, Maker]]:
        for scope in self.program.scopes:
            yield from self._arguments(scope)
            yield from self._defaults(scope)
            yield from self._assignments(scope)
            yield from self._loops(scope)
        yield from self._dictionary_keys()
        yield from self._config_keys()
        for option in self.ev.options.declared:
            yield option.dest, lambda option=option: self._option(option)  # type: ignore[misc]

    # --- call arguments -------------------------------------------------------------------------------------------------

    def _arguments(self, scope: Scope) -> Iterator[tuple[str, Maker]]:
        for node in scope.calls:
            if tail(node.func) in {"print", "add_argument", "format", "super", "isinstance", "len"}:
                continue
            site = CallSite(node, scope)
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
            if len(given) == len(node.args):
                yield from self._left_out(site, target, {*named, *names[: len(given)]})

    def _called(self, site: CallSite) -> tuple[Target | None, list[ast.expr]]:
        """What a call calls and with which positional arguments; `partial(f, a)` counts as a call of `f`."""
        target = self._target(site)
        if target is None and isinstance(site.node.func, ast.Subscript | ast.Name | ast.Call):
            called = self.ev.called(site)
            target = called[0].target if len(called) == 1 and isinstance(called[0], Ref) else None
        if isinstance(target, External) and target.name == "functools.partial" and site.node.args:
            return self.program.resolve(site.node.args[0], site.scope), site.node.args[1:]
        return target, site.node.args

    def _target(self, site: CallSite) -> Target | None:
        target = self.program.resolve(site.node.func, site.scope)
        if target is None and isinstance(site.node.func, ast.Attribute):
            only = self.program.by_name.get(site.node.func.attr, ())
            return only[0] if len(only) == 1 and only[0].is_method else None
        return target

    def _parameter_names(self, target: Target | None) -> tuple[str, ...]:
        if isinstance(target, External):
            signature = self.lexicon.signature(target.name)
            return (
                tuple(p.name for p in signature.parameters if not p.keyword_only and not p.stars) if signature is not None else ()
            )
        if isinstance(target, Scope):
            function = target
            if target.is_class:
                if attributes.is_record(self.ev, target):
                    return tuple(field.name for field in attributes.record_fields(self.ev, target))
                init = self.program.method(target, "__init__")
                if init is None:
                    return self._inherited_names(target)
                function = init
            node = function.function
            if node is not None:
                plain = [parameter.arg for parameter in (*node.args.posonlyargs, *node.args.args)]
                return tuple(plain[1:] if function.receiver else plain)
        return ()

    def _inherited_names(self, cls: Scope) -> tuple[str, ...]:
        outside = next((base for base in self.program.mro(cls) if isinstance(base, External)), None)
        return self._parameter_names(outside)

    def _argument(self, site: CallSite, target: Target | None, name: str, value: ast.expr) -> Maker:
        def make() -> Binding:
            dead = self.liveness.reason(site.node, site.scope) or self._ignored(target, name)
            values = self.ev.evaluate(value, site.scope)
            return self._binding(name, self._owner(site, target), Role.ARGUMENT, value, site, values, dead)

        return make

    def _ignored(self, target: Target | None, name: str) -> str:
        if not isinstance(target, Scope):
            return ""
        if target.is_class:
            if attributes.is_record(self.ev, target):
                return self.reads.member_unread(name, target)
            init = self.program.method(target, "__init__")
            return self.reads.parameter_unread(init, name) if init is not None else ""
        return self.reads.parameter_unread(target, name)

    def _spread(self, site: CallSite, target: Target | None, node: ast.expr) -> Iterator[tuple[str, Maker]]:
        for value in self.ev.evaluate(node, site.scope):
            if isinstance(value, Table):
                for key, values in value.entries:
                    if isinstance(key, str):
                        yield (
                            key,
                            lambda key=key, values=values: self._binding(  # type: ignore[misc]
                                key,
                                self._owner(site, target),
                                Role.ARGUMENT,
                                node,
                                site,
                                values,
                                self.liveness.reason(site.node, site.scope) or self._ignored(target, key),
                            ),
                        )

    def _left_out(self, site: CallSite, target: Target | None, given: set[str]) -> Iterator[tuple[str, Maker]]:
        if not isinstance(target, External) or any(k.arg is None for k in site.node.keywords):
            return
        if any(isinstance(argument, ast.Starred) for argument in site.node.args):
            return
        signature = self.lexicon.signature(target.name)
        for name, default in signature.defaults.items() if signature is not None else ():
            if name not in given and default is not None:
                yield name, self._library(site, target, name, default)

    def _library(self, site: CallSite, target: External, name: str, default: object) -> Maker:
        def make() -> Binding:
            location = site.scope.location(site.node)
            place = Place(location, self._path(site, target), self.liveness.reason(site.node, site.scope))
            worth = Worth(default, location)  # type: ignore[arg-type]
            return Binding(name, self._owner(site, target), Role.LIBRARY, place, (worth,))

        return make

    def _binding(
        self, name: str, owner: tuple[str, ...], role: Role, node: ast.AST, site: CallSite, values: Values, dead: str
    ) -> Binding:
        place = Place(site.scope.location(node), (*self._path(site, self._called(site)[0]), name), dead)
        return Binding(name, owner, role, place, worths(values, place.location))

    def _owner(self, site: CallSite, target: Target | None) -> tuple[str, ...]:
        if isinstance(target, External):
            return tuple(target.name.split("."))
        if isinstance(target, Scope):
            return (parameters.shown(target),)
        return tuple((dotted(site.node.func) or tail(site.node.func)).split("."))

    def _path(self, site: CallSite, target: Target | None) -> tuple[str, ...]:
        """Names on the way to a call: file, class, function, what its result is bound to, what it calls."""
        return (*site.scope.names, *self._bound_to(site), *self._owner(site, target)[-2:])

    def _bound_to(self, site: CallSite) -> tuple[str, ...]:
        names = self._assigned_calls(site.scope).get(id(site.node), ())
        return names

    def _assigned_calls(self, scope: Scope) -> dict[int, tuple[str, ...]]:
        cache: dict[int, dict[int, tuple[str, ...]]] = self.__dict__.setdefault("_assigned", {})
        if id(scope) not in cache:
            table: dict[int, tuple[str, ...]] = {}
            for write in [*(w for ws in scope.writes.values() for w in ws), *scope.stores]:
                if write.kind == "assign" and write.value is not None:
                    own = tuple(part for part in write.name.split(".") if part not in {"self", "cls"})
                    for part in ast.walk(write.value):
                        if isinstance(part, ast.Call):
                            table[id(part)] = (*table.get(id(part), ()), *own)
            cache[id(scope)] = table
        return cache[id(scope)]

    # --- defaults -------------------------------------------------------------------------------------------------------

    def _defaults(self, scope: Scope) -> Iterator[tuple[str, Maker]]:
        if scope.is_function:
            for name, writes in scope.writes.items():
                if writes[0].kind != "param":
                    continue
                if writes[0].value is not None:
                    yield name, lambda write=writes[0]: self._default(write, scope)  # type: ignore[misc]
                elif self._is_command(scope):
                    yield name, lambda write=writes[0]: self._started(write, scope)  # type: ignore[misc]

    @staticmethod
    def _is_command(function: Scope) -> bool:
        return any(tail(decorator) in {"option", "argument", "command"} for decorator in getattr(function.node, "decorator_list", ()))

    def _started(self, write: Write, function: Scope) -> Binding | None:
        """A parameter that the command line fills."""
        values = self.ev.options.of_parameter(write, function)
        if values is None or all(isinstance(value, Table) for value in values):
            return None
        reason = self.liveness.scope_reason(function) or self.reads.parameter_unread(function, write.name)
        place = Place(write.location, (*function.names, write.name), reason)
        return Binding(write.name, (function.name,), Role.OPTION, place, worths(values, place.location))

    def _default(self, write: Write, function: Scope) -> Binding:
        assert write.value is not None
        values = parameters.default(self.ev, write, function)
        reason = self.liveness.scope_reason(function) or self.reads.parameter_unread(function, write.name)
        if not reason:
            effective = parameters.parameter(self.ev, write, function, None)
            reason = _overridden(values, effective, f"every call passes another {write.name}")
        place = Place(function.location(write.value), (*function.names, write.name), reason)
        return Binding(write.name, (parameters.shown(function),), Role.DEFAULT, place, worths(values, place.location))

    # --- assignments ----------------------------------------------------------------------------------------------------

    def _assignments(self, scope: Scope) -> Iterator[tuple[str, Maker]]:
        for name, writes in scope.writes.items():
            for write in writes:
                if write.kind in {"assign", "augment"}:
                    yield name, lambda write=write: self._assigned_value(write)  # type: ignore[misc]
        for write in scope.stores:
            if write.kind in {"assign", "augment"}:
                yield write.name.rsplit(".", 1)[-1], lambda write=write: self._assigned_value(write)  # type: ignore[misc]

    def _assigned_value(self, write: Write) -> Binding | None:
        scope = write.scope
        is_field = scope.is_class and attributes.is_record(self.ev, scope)
        values = attributes.field_default(self.ev, write) if is_field else self.ev.written(write)
        if all(isinstance(value, Table) for value in values):
            return None
        reason = self.liveness.reason(write.node, scope) or self.reads.unread(write)
        if not reason and is_field:
            effective = attributes.instance_attribute(self.ev, attributes.Instance(scope), write.name)
            reason = _overridden(values, effective, f"every {scope.name} is made with another {write.name}")
        if not reason and "." in write.name:
            reason = self._overwritten(write)
        if not reason and (scope.is_class or "." in write.name):
            reason = self._unreached(write.name.rsplit(".", 1)[-1], values)
        path = (*scope.names, *(part for part in write.name.split(".") if part not in {"self", "cls"}))
        stub = self.placeholders.statement(write.node, scope) if isinstance(write.node, ast.stmt) else None
        place = Place(write.location, path, reason)
        owner = (scope.name,) if scope.is_class else tuple(write.name.split(".")[:-1])
        return Binding(
            write.name.rsplit(".", 1)[-1],
            owner,
            Role.DEFAULT if is_field else Role.ASSIGNMENT,
            place,
            worths(values, place.location),
            stub,
        )

    def _overwritten(self, write: Write) -> str:
        flow = self.program.flow(write.scope)
        final = flow.exit.get(write.name)
        if final is None or write in final or any(write in seen for seen in flow.reaching.values()):
            return ""
        return f"{write.name} is overwritten on line {getattr(final[-1].node, 'lineno', 0)}"

    # --- loops ----------------------------------------------------------------------------------------------------------

    def _loops(self, scope: Scope) -> Iterator[tuple[str, Maker]]:
        for name, writes in scope.writes.items():
            for write in writes:
                if write.kind == "loop" and isinstance(write.value, ast.Call):
                    count = _count(write.value)
                    if count is not None:
                        yield name, lambda write=write, count=count: self._loop(write, count)  # type: ignore[misc]

    def _loop(self, write: Write, count: ast.expr) -> Binding:
        place = Place(
            write.scope.location(count), (*write.scope.names, write.name), self.liveness.reason(write.node, write.scope)
        )
        return Binding(write.name, (), Role.LOOP, place, worths(self.ev.evaluate(count, write.scope), place.location))

    # --- dictionaries and configuration files ---------------------------------------------------------------------------

    def _dictionary_keys(self) -> Iterator[tuple[str, Maker]]:
        for scope in self.program.scopes:
            for write in [*(w for ws in scope.writes.values() for w in ws), *scope.stores]:
                if write.kind == "assign" and isinstance(write.value, ast.Dict) and not write.unpack:
                    yield from self._keys_of(write.value, write, (write.name.rsplit(".", 1)[-1],))

    def _keys_of(self, node: ast.Dict, write: Write, sections: tuple[str, ...]) -> Iterator[tuple[str, Maker]]:
        for key, value in zip(node.keys, node.values, strict=True):
            if isinstance(key, ast.Constant) and isinstance(key.value, str):
                name = key.value
                if isinstance(value, ast.Dict):
                    yield from self._keys_of(value, write, (*sections, name))
                else:
                    yield name, lambda name=name, value=value: self._key(name, value, write, sections)  # type: ignore[misc]

    def _key(self, name: str, value: ast.expr, write: Write, sections: tuple[str, ...]) -> Binding:
        scope = write.scope
        reason = self.liveness.reason(write.node, scope) or self.reads.unread(write)
        values = self.ev.evaluate(value, scope)
        if not reason and self._never_whole(write):
            reason = self.reads.member_unread(name, None)
        if not reason:
            reason = self._unreached(name, values)
        place = Place(scope.location(value), (*scope.names, *sections, name), reason)
        return Binding(name, sections, Role.KEY, place, worths(values, place.location))

    def _never_whole(self, write: Write) -> bool:
        """Whether a dictionary is only ever read key by key, with constant keys, by code of its own module."""
        name = write.name
        for scope in write.scope.module.walk():
            parents = self._parents(scope)
            for load in scope.loads:
                if load.id == name.split(".")[0]:
                    parent = parents.get(id(load))
                    if isinstance(parent, ast.Subscript) and isinstance(parent.slice, ast.Constant):
                        continue
                    if isinstance(parent, ast.Attribute) and parent.attr in {"get"}:
                        continue
                    return False
        return "." not in name

    def _parents(self, scope: Scope) -> dict[int, ast.AST]:
        cache: dict[str, dict[int, ast.AST]] = self.__dict__.setdefault("_parent_tables", {})
        path = scope.file.path
        if path not in cache:
            cache[path] = {id(child): node for node in ast.walk(scope.file.tree) for child in ast.iter_child_nodes(node)}
        return cache[path]

    def _unreached(self, name: str, values: Values) -> str:
        """Why the value under a key is never what a read of the key sees; empty when it may be."""
        own = {origin for value in values if (origin := _origin(value)) is not None}
        if not own:
            return ""
        seen = False
        for scope, node in self.reads.attributes.get(name, ()):
            if not isinstance(node, ast.expr) or not self.reads.is_use(node, scope):
                continue
            got = self.ev.evaluate(node, scope)
            if is_unknown(got):
                return ""
            seen = True
            if any(_origin(value) in own for value in got):
                return ""
        return f"another value overrides {name}" if seen else ""

    def _config_keys(self) -> Iterator[tuple[str, Maker]]:
        for file in self.ev.configs.files:
            for root in file.roots:
                yield from self._config_entries(self.ev.configs.table(file), file.path) if root is file.roots[0] else ()

    def _config_entries(self, value: Value, path: str, sections: tuple[str, ...] = ()) -> Iterator[tuple[str, Maker]]:
        if not isinstance(value, Table):
            return
        for key, values in value.entries:
            inner = values[0]
            if isinstance(inner, Table):
                yield from self._config_entries(inner, path, (*sections, str(key)))
            elif (
                isinstance(inner, Items) and inner.items and any(isinstance(part, Table) for item in inner.items for part in item)
            ):
                for item in inner.items:
                    yield from self._config_entries(item[0], path, (*sections, str(key)))
            else:
                yield str(key), lambda key=str(key), values=values: self._config_key(key, values, path, sections)  # type: ignore[misc]

    def _config_key(self, name: str, values: Values, path: str, sections: tuple[str, ...]) -> Binding:
        self._load_all()
        reason = "" if path in self.ev.configs.loads else f"no code loads {path}"
        if not reason and not self._spread_sections & set(sections):
            reason = self.reads.member_unread(name, None)
        if not reason:
            reason = self._unreached(name, values)
        location = _origin(values[0]) or Location(path, 1)
        stem = tuple(path.rsplit(".", 1)[0].split("/"))
        return Binding(name, sections, Role.KEY, Place(location, (*stem, *sections, name), reason), worths(values, location))

    def _load_all(self) -> None:
        """Evaluate every load of a configuration file once, so that it is known which files are loaded."""
        if "_loaded" not in self.__dict__:
            self.__dict__["_loaded"] = True
            for name in (
                "load",
                "safe_load",
                "full_load",
                "unsafe_load",
                "loads",
                "fromfile",
                "compose",
                "read",
                "from_file",
                "from_yaml",
                "load_all",
            ):
                for site in self.program.calls_named(name):
                    if not self.liveness.reason(site.node, site.scope):
                        self.ev.evaluate(site.node, site.scope)
                        if name == "read":
                            self._note_parser(site)
            for scope in self.program.scopes:
                for writes in scope.writes.values():
                    if writes[0].kind == "param" and scope.function is not None and not isinstance(scope.node, ast.Lambda):
                        if getattr(scope.node, "decorator_list", None):
                            self.ev.options.of_parameter(writes[0], scope)

    def _note_parser(self, site: CallSite) -> None:
        func = site.node.func
        if isinstance(func, ast.Attribute) and any(
            getattr(v, "name", "").endswith("ConfigParser") for v in self.ev.evaluate(func.value, site.scope)
        ):
            for file in self.ev.configs.meant(self.ev, site, None, "ini"):
                self.ev.configs.loads.setdefault(file.path, []).append(site)

    @cached_property
    def _spread_sections(self) -> set[str]:
        """Sections that some code reads as a whole: `**cfg["optimizer"]`, `Config(**cfg)`, `cfg.items()`."""
        found: set[str] = set()
        for scope in self.program.scopes:
            for call in scope.calls:
                spread = [k.value for k in call.keywords if k.arg is None]
                if isinstance(call.func, ast.Attribute) and call.func.attr in {"items", "values"}:
                    spread.append(call.func.value)
                if tail(call.func) in {"vars", "update", "from_dict", "SimpleNamespace", "Namespace", "EasyDict"}:
                    spread.extend(call.args)
                for node in spread:
                    found.update((dotted(node) or "").split(".")[1:])
        return found - {""}

    # --- options --------------------------------------------------------------------------------------------------------

    def _option(self, option: object) -> Binding:
        from verifier.facts.options import Option

        assert isinstance(option, Option)
        scope = option.site.scope
        values = self.ev.options.worth(option)
        reason = self.liveness.reason(option.site.node, scope) or self.reads.member_unread(option.dest, None)
        if reason and self._options_spread():
            reason = ""
        if not reason:
            reason = self._unreached(option.dest, values)
        flagged = any(isinstance(value, Known) and value.origin.file != scope.file.path for value in values)
        place = Place(scope.location(option.site.node), (*scope.names, option.dest), reason)
        return Binding(option.dest, (), Role.FLAG if flagged else Role.OPTION, place, worths(values, place.location))

    def _options_spread(self) -> bool:
        return any(
            isinstance(value, attributes.Options)
            for site in self.program.calls_named("vars")
            if site.node.args and self.reads.is_use(site.node, site.scope)
            for value in self.ev.evaluate(site.node.args[0], site.scope)
        )


def _origin(value: Value) -> Location | None:
    return value.origin if isinstance(value, Known | Items | Table) else None


def _overridden(own: Values, effective: Values, reason: str) -> str:
    """The reason, when every effective candidate is known and none of them is written where this one is."""
    origins = {origin for value in own if (origin := _origin(value)) is not None}
    if not origins or is_unknown(effective):
        return ""
    return "" if any(_origin(value) in origins for value in effective) else reason


def _count(call: ast.Call) -> ast.expr | None:
    """The number of rounds of `range(n)`, `range(1, n + 1)`, `tqdm(range(n))`."""
    name = tail(call.func)
    if name in {"tqdm", "enumerate", "reversed", "track", "list"} and call.args and isinstance(call.args[0], ast.Call):
        return _count(call.args[0])
    if name not in COUNTED_LOOPS or not call.args:
        return None
    if len(call.args) == 1:
        return call.args[0]
    start, stop = call.args[0], call.args[1]
    if isinstance(start, ast.Constant) and start.value == 0:
        return stop
    if isinstance(stop, ast.BinOp) and isinstance(stop.op, ast.Add) and isinstance(start, ast.Constant):
        if isinstance(stop.right, ast.Constant) and stop.right.value == start.value:
            return stop.left
    return None
