"""Bindings by tables: dictionary keys, configuration files, command-line options."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property, partial

from verifier.facts.binding.context import Context, origin_of
from verifier.facts.options import Option, Run
from verifier.facts.overlay import NAMESPACES
from verifier.facts.renames import renames
from verifier.facts.scopes import Write, dotted, tail
from verifier.facts.targets import CallSite, External
from verifier.facts.values import Items, Known, Options, Table, Value, Values, worths
from verifier.model.facts import Binding, Place, Role
from verifier.model.location import Location

LOADS = (
    *(
        "load",
        "safe_load",
        "full_load",
        "unsafe_load",
        "load_all",
        "loads",
        "fromfile",
        "from_file",
        "from_yaml",
        "compose",
        "read",
    ),
)
"""Last names of calls that may load a configuration file."""

Maker = Callable[[], Binding | None]


def _written_out(node: ast.expr | None) -> ast.Dict | None:
    """A dictionary as code writes it out, also where a call makes a configuration object of it."""
    if isinstance(node, ast.Call) and tail(node.func) in NAMESPACES and len(node.args) == 1:
        node = node.args[0]
    return node if isinstance(node, ast.Dict) else None


@dataclass
class Tables:
    """What tables hold.

    Attributes:
        context: the analyses they rest on.
    """

    context: Context

    def all(self) -> Iterator[tuple[str, Maker]]:
        """Every key of a dictionary or configuration file, and every option."""
        yield from self._dictionary_keys()
        yield from self._config_keys()
        for option in self.context.ev.options.declared:
            yield option.dest, partial(self._option, option)
        for run in self.context.ev.options.runs:
            for key in sorted(run.keys):
                yield key.rsplit(".", 1)[-1], partial(self._given, key, run)
        for name, site in self._flags():
            yield name, partial(self._flag, name, site)

    def _given(self, key: str, run: Run) -> Binding:
        """A setting that a command of a script changes: `optim.lr=1e-3`."""
        *sections, name = key.split(".")
        value = run.flags[key]
        read = self._spread_sections & set(sections)
        reason = "" if read else self.context.reads.member_unread(name, None)
        place = Place(value.origin, (*run.location.file.rsplit(".", 1)[0].split("/"), *sections, name), reason)
        return Binding(name, tuple(sections), Role.FLAG, place, worths((value,), value.origin))

    def _flags(self) -> Iterator[tuple[str, CallSite]]:
        """The declarations of absl: `flags.DEFINE_float("snr", 0.16, ...)`."""
        for called in self.context.program.call_names:
            if called.startswith("DEFINE_") and called != "DEFINE_config_file":
                for site in self.context.program.calls_named(called):
                    first = site.node.args[0] if site.node.args else None
                    if isinstance(first, ast.Constant) and isinstance(first.value, str):
                        yield first.value, site

    def _flag(self, name: str, site: CallSite) -> Binding:
        values = self.context.ev.options.absl(name)
        reason = self.context.liveness.reason(site.node, site.scope) or self.context.reads.member_unread(name, None)
        place = Place(site.scope.location(site.node), (*site.scope.names, name), reason)
        return Binding(name, (), Role.OPTION, place, worths(values, place.location))

    def _dictionary_keys(self) -> Iterator[tuple[str, Maker]]:
        for scope in self.context.program.scopes:
            for write in [*(w for ws in scope.writes.values() for w in ws), *scope.stores]:
                table = _written_out(write.value)
                if write.kind == "assign" and table is not None and not write.unpack:
                    yield from self._keys_of(table, write, (write.name.rsplit(".", 1)[-1],))

    def _keys_of(self, node: ast.Dict, write: Write, sections: tuple[str, ...]) -> Iterator[tuple[str, Maker]]:
        for key, value in zip(node.keys, node.values, strict=True) if not renames(node) else ():
            if isinstance(key, ast.Constant) and isinstance(key.value, str):
                name = key.value
                inner = _written_out(value)
                if inner is not None:
                    yield from self._keys_of(inner, write, (*sections, name))
                elif not self.context.is_counter(value, write.scope):
                    yield name, partial(self._key, name, value, write, sections)

    def _key(self, name: str, value: ast.expr, write: Write, sections: tuple[str, ...]) -> Binding:
        scope = write.scope
        reason = self.context.liveness.reason(write.node, scope) or self.context.reads.unread(write)
        values = self.context.ev.evaluate(value, scope)
        if not reason and self._never_whole(write) and not self._spread_sections & set(sections):
            reason = self.context.reads.member_unread(name, None)
        if not reason:
            reason = self.context.unreached(name, values)
        place = Place(scope.location(value), (*scope.names, *sections, name), reason)
        return Binding(name, sections, Role.KEY, place, worths(values, place.location))

    def _never_whole(self, write: Write) -> bool:
        """Whether a dictionary is only ever read key by key, with constant keys, by code of its own module.

        One that an object keeps is read key by key, whatever the keys, wherever the attribute is read.
        """
        name = write.name
        if "." in name:
            return self._kept_in_parts(name.rsplit(".", 1)[-1])
        for scope in write.scope.module.walk():
            parents = self.context.parents(scope)
            for load in scope.loads:
                if load.id == name.split(".")[0]:
                    parent = parents.get(id(load))
                    if isinstance(parent, ast.Subscript) and isinstance(parent.slice, ast.Constant):
                        continue
                    if isinstance(parent, ast.Attribute) and parent.attr == "get":
                        continue
                    return False
        return True

    def _kept_in_parts(self, attribute: str) -> bool:
        reads = self.context.reads.attributes.get(attribute, ())
        around = [self.context.parents(scope).get(id(node)) for scope, node in reads]
        return bool(around) and all(
            isinstance(parent, ast.Subscript) or (isinstance(parent, ast.Attribute) and parent.attr == "get") for parent in around
        )

    def _config_keys(self) -> Iterator[tuple[str, Maker]]:
        for file in self.context.ev.configs.files:
            for root in file.roots:
                yield from self._config_entries(self.context.ev.configs.table(file), file.path) if root is file.roots[0] else ()

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
                yield str(key), partial(self._config_key, str(key), values, path, sections)

    def _config_key(self, name: str, values: Values, path: str, sections: tuple[str, ...]) -> Binding:
        reason = "" if path in self._loaded else f"no code loads {path}"
        stem = tuple(path.rsplit(".", 1)[0].split("/"))
        if not reason and self._given_otherwise((*stem[:-1], *sections), name):
            reason = f"the command line gives another {name}"
        if not reason and not self._spread_sections & {*stem[:-1], *sections}:
            reason = self.context.reads.member_unread(name, None)
        if reason and path in self._loaded and self._is_handed_on(path, sections):
            reason = ""
        if not reason:
            reason = self.context.unreached(name, values)
        location = origin_of(values[0]) or Location(path, 1)
        return Binding(name, sections, Role.KEY, Place(location, (*stem, *sections, name), reason), worths(values, location))

    def _given_otherwise(self, around: tuple[str, ...], name: str) -> bool:
        """Whether every command that starts the program changes a setting by its path of keys."""
        runs = self.context.ev.options.runs
        changed = []
        for run in runs:
            paths = [key.split(".") for key in run.keys if "." in key]
            if any(path[-1] == name and set(path[:-1]) <= set(around) for path in paths):
                changed.append(run)
        started = {run.module for run in changed}
        return bool(changed) and all(run in changed for run in runs if run.module in started)

    def _is_handed_on(self, path: str, sections: tuple[str, ...]) -> bool:
        """Whether code hands a section of a file, or all of it, to a library that reads it by itself."""
        return any(file == path and sections[: len(part)] == part for file, part in self._handed_on)

    @cached_property
    def _handed_on(self) -> frozenset[tuple[str, tuple[str, ...]]]:
        found: set[tuple[str, tuple[str, ...]]] = set()
        for scope in self.context.program.scopes:
            for call in scope.calls:
                plain = [k.value for k in call.keywords if k.arg in {"config", "cfg", "config_params", "params", "settings"}]
                target = self.context.program.resolve(call.func, scope) if plain else None
                if isinstance(target, External) and self.context.reads.is_use(call, scope):
                    for value in (value for node in plain for value in self.context.ev.evaluate(node, scope)):
                        if isinstance(value, Table) and value.file:
                            found.add((value.file, tuple(part for part in value.section.split(".") if part)))
        return frozenset(found)

    @cached_property
    def _loaded(self) -> frozenset[str]:
        """The configuration files that live code loads: every load is evaluated once."""
        for name in LOADS:
            for site in self.context.program.calls_named(name):
                if not self.context.liveness.reason(site.node, site.scope):
                    self.context.ev.evaluate(site.node, site.scope)
                    if name == "read":
                        self._note_parser(site)
        for scope in self.context.program.scopes:
            if getattr(scope.node, "decorator_list", None) and scope.is_function:
                for writes in scope.writes.values():
                    if writes[0].kind == "param":
                        self.context.ev.options.of_parameter(writes[0], scope)
        return frozenset(self.context.ev.configs.loads)

    def _note_parser(self, site: CallSite) -> None:
        func = site.node.func
        if isinstance(func, ast.Attribute) and any(
            getattr(v, "name", "").endswith("ConfigParser") for v in self.context.ev.evaluate(func.value, site.scope)
        ):
            for file in self.context.ev.configs.meant(self.context.ev, site, None, "ini"):
                self.context.ev.configs.loads.setdefault(file.path, []).append(site)

    @cached_property
    def _spread_sections(self) -> set[str]:
        """Sections that some code reads as a whole: `**cfg["optimizer"]`, `Config(**cfg)`, `cfg.items()`."""
        found: set[str] = set()
        for scope in self.context.program.scopes:
            for call in scope.calls:
                spread = [k.value for k in call.keywords if k.arg is None]
                if isinstance(call.func, ast.Attribute) and call.func.attr in {"items", "values"}:
                    spread.append(call.func.value)
                if tail(call.func) in {"vars", "update", "from_dict", "SimpleNamespace", "Namespace", "EasyDict", "instantiate"}:
                    spread.extend(call.args)
                for node in spread:
                    found.update((dotted(node) or "").split(".")[1:])
        return found - {""}

    def _option(self, option: Option) -> Binding:
        scope = option.site.scope
        values = self.context.ev.options.worth(option)
        reason = self.context.liveness.reason(option.site.node, scope) or self.context.reads.member_unread(option.dest, None)
        if reason and self._options_spread():
            reason = ""
        if not reason:
            reason = self.context.unreached(option.dest, values)
        flagged = any(isinstance(value, Known) and value.origin.file != scope.file.path for value in values)
        place = Place(scope.location(option.site.node), (*scope.names, option.dest), reason)
        return Binding(option.dest, (), Role.FLAG if flagged else Role.OPTION, place, worths(values, place.location))

    def _options_spread(self) -> bool:
        return any(
            isinstance(value, Options)
            for site in self.context.program.calls_named("vars")
            if site.node.args and self.context.reads.is_use(site.node, site.scope)
            for value in self.context.ev.evaluate(site.node.args[0], site.scope)
        )
