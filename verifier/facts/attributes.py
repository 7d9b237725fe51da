"""Attributes and subscripts of candidates: objects, modules, tables, options."""

from __future__ import annotations

import ast
import math
import re
from typing import TYPE_CHECKING

from verifier.facts.guards import by_default
from verifier.facts.instances import instance_attribute
from verifier.facts.overlay import overlay
from verifier.facts.program import External
from verifier.facts.scopes import Scope, Write, dotted, tail
from verifier.facts.values import (
    UNKNOWN,
    Bound,
    Frame,
    Instance,
    Items,
    Known,
    Made,
    Options,
    Ref,
    Table,
    Value,
    Values,
    join,
    read_from,
    step,
    without_none,
)

if TYPE_CHECKING:
    from verifier.facts.evaluate import Evaluator

CONFIGURATION = re.compile(
    r"(?:^|_)(?:cfg|conf|config|configs|configuration|hparams|hp|hyper\w*|params|settings|opts?|args|options)(?:$|_)",
    re.IGNORECASE,
)
"""What an object that holds configuration is called."""

CONSTANTS = {"pi": math.pi, "e": math.e, "inf": math.inf, "tau": math.tau}
PASSING = frozenset({"value", "data", "T", "weight_value"})
"""Attributes that stand for the object itself when it is a constant."""


def attribute(ev: Evaluator, node: ast.Attribute, scope: Scope, frame: Frame | None) -> Values:
    """The candidates of `base.name`."""
    direct = _stored(ev, node, scope, frame)
    if direct is not None:
        return direct
    if isinstance(node.value, ast.Call) and tail(node.value.func) == "super":
        return _of_super(ev, node, scope)
    base = ev.evaluate(node.value, scope, frame)
    found = without_none(join(member(ev, value, node.attr, node, scope) for value in base))
    return found if found != UNKNOWN else by_key_path(ev, node, scope)


def by_key_path(ev: Evaluator, node: ast.expr, scope: Scope) -> Values:
    """Last resort for a read whose object is not known: the only place in the configuration files with the same key path.

    A single key must belong to something that is named like a configuration.
    """
    path = dotted(node)
    if path is None or not ev.loads_configs:
        return UNKNOWN
    base, *keys = path.split(".")
    if base in {"self", "cls", scope.receiver} and keys:
        base, *keys = keys
    if not keys or (len(keys) == 1 and not CONFIGURATION.search(base)):
        return UNKNOWN
    for start in range(len(keys)):
        if len(keys) - start > 1 or CONFIGURATION.search(keys[start - 1] if start else base):
            found = ev.configs.by_keys(tuple(keys[start:]))
            if found is not None:
                return step(found, f"read as {'.'.join(keys)}", scope.location(node))
    return UNKNOWN


def _stored(ev: Evaluator, node: ast.expr, scope: Scope, frame: Frame | None) -> Values | None:
    """What assignments to the same dotted path in this scope give it."""
    flow = ev.program.flow(scope)
    writes = flow.reaching.get(id(node))
    if not writes or id(node) in flow.partial:
        return None
    path = dotted(node) or ""
    values = join(overlay(ev, write, path, ev.written(write, frame)) for write in by_default(ev, writes, frame))
    return without_none(values)


def _of_super(ev: Evaluator, node: ast.Attribute, scope: Scope) -> Values:
    cls = ev.program.enclosing_class(scope)
    for base in ev.program.bases(cls) if cls is not None else ():
        if isinstance(base, Scope):
            found = ev.program.method(base, node.attr)
            if found is not None:
                return (Bound(found, Instance(cls) if cls is not None else None),)
    return UNKNOWN


def member(ev: Evaluator, value: Value, name: str, node: ast.expr, scope: Scope) -> Values:
    """An attribute of one candidate."""
    match value:
        case Ref(target=External() as target):
            return _of_library(ev, target, name, node, scope)
        case Ref(target=Scope() as target):
            return _of_definition(ev, target, name)
        case Instance():
            return instance_attribute(ev, value, name)
        case Table():
            found = value.get(name)
            return read_from(value, name, found) if found is not None else UNKNOWN
        case Options():
            return ev.options.option(value, name)
        case Known() if name in PASSING:
            return (value,)
        case Made(name="wandb.init") if name == "config":
            return run_config(ev)
        case Made():
            return ev.configs.made_attribute(ev, value, name)
    return UNKNOWN


def _of_library(ev: Evaluator, target: External, name: str, node: ast.expr, scope: Scope) -> Values:
    if name in CONSTANTS and target.name.split(".")[0] in {"math", "numpy", "torch", "jax", "tensorflow"}:
        return (Known(CONSTANTS[name], scope.location(node)),)
    if target.name.endswith("FLAGS"):
        return ev.options.absl(name)
    if target.name == "wandb.config":
        return join(item(ev, table, Known(name, scope.location(node)), node, scope) for table in run_config(ev))
    return (Ref(External(f"{target.name}.{name}")),)


def run_config(ev: Evaluator) -> Values:
    """What `wandb.init(config=...)` is given, for reads of `wandb.config`."""
    sites = [site for site in ev.program.calls_named("init") if ev.external(site.node.func, site.scope) == "wandb.init"]
    given = [(site, k.value) for site in sites for k in site.node.keywords if k.arg == "config"]
    return join(ev.evaluate(value, site.scope) for site, value in given)


def _of_definition(ev: Evaluator, target: Scope, name: str) -> Values:
    if target.is_module:
        writes = ev.program.flow(target).exit.get(name) or tuple(target.writes.get(name, ()))
        assigned = [write for write in writes if write.kind in {"assign", "augment"}]
        if assigned:
            return join(overlay(ev, write, name, ev.written(write)) for write in assigned)
        found = ev.program.member(target, name)
        return (Ref(found),) if found is not None else starred(ev, name, target)
    if target.is_class:
        for owner in ev.program.mro(target):
            if isinstance(owner, Scope) and name in owner.writes:
                write = owner.writes[name][-1]
                if write.kind == "assign":
                    return ev.written(write)
                inner = ev.program.scope_of.get(id(write.node))
                return (Ref(inner),) if inner is not None else UNKNOWN
    return UNKNOWN


def imported_constant(ev: Evaluator, write: Write) -> Values:
    """The value behind `from module import NAME`, when NAME is not a definition but a variable."""
    node = write.node
    if isinstance(node, ast.ImportFrom):
        for alias in node.names:
            if (alias.asname or alias.name) == write.name:
                module = ev.program.imported_module(node, write.scope)
                if module is not None:
                    return _of_definition(ev, module, alias.name)
    return UNKNOWN


def starred(ev: Evaluator, name: str, scope: Scope) -> Values:
    """The value of a variable that comes in through `from module import *`."""
    for write in scope.module.writes.get("*", ()):
        if isinstance(write.node, ast.ImportFrom):
            module = ev.program.imported_module(write.node, scope)
            if module is not None and name in module.writes:
                return _of_definition(ev, module, name)
    return UNKNOWN


def subscript(ev: Evaluator, node: ast.Subscript, scope: Scope, frame: Frame | None) -> Values:
    """The candidates of `base[key]`."""
    direct = _stored(ev, node, scope, frame)
    if direct is not None:
        return direct
    keys = ev.evaluate(node.slice, scope, frame) if not isinstance(node.slice, ast.Slice) else UNKNOWN
    found = join(item(ev, value, key, node, scope) for value in ev.evaluate(node.value, scope, frame) for key in keys)
    return found if found != UNKNOWN else by_key_path(ev, node, scope)


def item(ev: Evaluator, value: Value, key: Value, node: ast.expr, scope: Scope) -> Values:
    """One candidate under one key."""
    if isinstance(value, Table):
        if isinstance(key, Known):
            found = value.get(key.value)
            return read_from(value, key.value, found) if found is not None else UNKNOWN
        return join(values for _, values in value.entries) if value.entries else UNKNOWN
    if isinstance(value, Items):
        if isinstance(key, Known) and isinstance(key.value, int) and -len(value.items) <= key.value < len(value.items):
            return value.items[key.value]
        return UNKNOWN
    if isinstance(value, Ref) and isinstance(value.target, External) and value.target.name == "wandb.config":
        return join(item(ev, table, key, node, scope) for table in run_config(ev) if table != value)
    if isinstance(value, Instance | Options | Made) and isinstance(key, Known) and isinstance(key.value, str):
        return member(ev, value, key.value, node, scope)
    return UNKNOWN
