"""Later changes to a configuration object: `cfg.lr = 1e-3`, `cfg["lr"] = ...`, `cfg.update(...)`, `setattr(cfg, key, value)`."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from verifier.facts.guards import runs
from verifier.facts.scopes import Scope, Write, dotted, tail
from verifier.facts.values import UNKNOWN, Frame, Instance, Known, Made, Options, Table, Value, Values, join, without_none

if TYPE_CHECKING:
    from verifier.facts.evaluate import Evaluator

NAMESPACES = frozenset(
    {
        "ConfigDict",
        "EasyDict",
        "AttrDict",
        "Munch",
        "Box",
        "DotMap",
        "SimpleNamespace",
        "Namespace",
        "Bunch",
        "edict",
        "dict",
        "CfgNode",
        "CN",
        "OmegaConf",
    }
)
"""Calls that make an empty or filled configuration object."""

Change = tuple[str, Values, bool]
"""Dotted path below the object, what it is set to, and whether that happens in any case."""


def overlay(ev: Evaluator, write: Write, name: str, values: Values, before: int = 0) -> Values:
    """The candidates of a name with the later changes made through it in the same scope, up to a line of it when one is given."""
    if not any(isinstance(value, Table | Instance | Options) or _is_namespace(value) for value in values):
        return values
    changes = list(_changes(ev, write.scope, name, before))
    return join((_changed(value, changes),) for value in values) if changes else values


def _is_namespace(value: Value) -> bool:
    return isinstance(value, Made) and value.name.rsplit(".", 1)[-1] in NAMESPACES


def _changes(ev: Evaluator, scope: Scope, name: str, before: int, frame: Frame | None = None) -> Iterator[Change]:
    prefix = f"{name}."
    for store in scope.stores:
        if before and getattr(store.node, "lineno", 0) >= before:
            continue
        if store.name.startswith(prefix) and store.kind == "assign" and not store.unpack:
            taken = runs(ev, store.node, scope, frame)
            if taken is not False:
                yield store.name[len(prefix) :], ev.evaluate(store.value, scope, frame), taken is True
    for call in scope.calls:
        if isinstance(call.func, ast.Attribute) and call.func.attr in {"update", "merge_update"}:
            base = dotted(call.func.value)
            if base is not None and (base == name or base.startswith(prefix)) and runs(ev, call, scope, frame) is not False:
                yield from _updated(ev, call, base[len(prefix) :], scope, frame)
        elif (
            isinstance(call.func, ast.Name) and call.func.id == "setattr" and len(call.args) == 3 and dotted(call.args[0]) == name
        ):
            yield from _set(ev, call, scope, frame)


def _updated(ev: Evaluator, call: ast.Call, below: str, scope: Scope, frame: Frame | None) -> Iterator[Change]:
    for argument in call.args:
        for value in ev.evaluate(argument, scope, frame):
            if isinstance(value, Table):
                for key, values in value.entries:
                    yield f"{below}.{key}".lstrip("."), values, True
    for keyword in call.keywords:
        if keyword.arg is not None:
            yield f"{below}.{keyword.arg}".lstrip("."), ev.evaluate(keyword.value, scope, frame), True


def _set(ev: Evaluator, call: ast.Call, scope: Scope, frame: Frame | None) -> Iterator[Change]:
    key = ev.evaluate(call.args[1], scope, frame)
    if len(key) == 1 and isinstance(key[0], Known):
        yield str(key[0].value), ev.evaluate(call.args[2], scope, frame), False
        return
    if isinstance(call.args[1], ast.Name):
        for write in ev.program.reaching(call.args[1], scope):
            if write.kind == "loop" and isinstance(write.value, ast.Call) and tail(write.value) == "items":
                assert isinstance(write.value.func, ast.Attribute)
                for value in ev.evaluate(write.value.func.value, scope, frame):
                    if isinstance(value, Table):
                        yield from ((str(name), values, True) for name, values in value.entries)


def _changed(value: Value, changes: list[Change]) -> Value:
    for path, values, always in changes:
        value = _set_path(value, path.split("."), values, always)
    return value


def _set_path(value: Value, path: list[str], values: Values, always: bool) -> Value:
    key, below = path[0], path[1:]
    if isinstance(value, Made) and _is_namespace(value):
        value = Table((), value.site.scope.location(value.site.node))
    if isinstance(value, Table):
        before = value.get(key)
        return value.updated([(key, _merged(before, below, values, always))])
    if isinstance(value, Instance | Options):
        kept = dict(value.overrides)
        kept[key] = _merged(kept.get(key), below, values, always)
        return replace(value, overrides=tuple(kept.items()))
    return value


def _merged(before: Values | None, below: list[str], values: Values, always: bool) -> Values:
    if below:
        inner = before if before is not None else UNKNOWN
        tables = [value for value in inner if isinstance(value, Table | Instance | Made)]
        if not tables:
            return inner
        return join((_set_path(value, below, values, always),) for value in tables)
    if before is None:
        return values
    has_none = any(isinstance(value, Known) and value.value is None for value in values)
    if always and not has_none:
        return values
    return without_none(join([before, values]))
