"""Dictionaries, namespaces and records as tables: made, merged, changed, looked at."""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import TYPE_CHECKING

from verifier.facts import instances
from verifier.facts.scopes import Scope
from verifier.facts.targets import CallSite
from verifier.facts.values import Frame, Instance, Items, Known, Options, Table, Unknown, Value, Values

if TYPE_CHECKING:
    from verifier.facts.evaluate import Evaluator


def views(ev: Evaluator, func: ast.Attribute, scope: Scope, frame: Frame | None) -> Values | None:
    """`d.items()`, `d.keys()`, `d.values()`; None when what it is called on is no table."""
    found: list[Value] = []
    for value in ev.evaluate(func.value, scope, frame):
        table = as_table(ev, value)
        if not isinstance(table, Table):
            return None
        origin = table.origin
        keys = tuple((Known(key, origin),) for key, _ in table.entries)
        worthy = tuple(values for _, values in table.entries)
        pairs = tuple((Items((key, held), origin),) for key, held in zip(keys, worthy, strict=True))
        shown: dict[str, tuple[Values, ...]] = {"items": pairs, "keys": keys, "values": worthy}
        found.append(Items(shown[func.attr], origin))
    return tuple(found) or None


def zipped(ev: Evaluator, site: CallSite, frame: Frame | None) -> Values | None:
    """`zip(a, b)` of sequences that are known; None when one is not."""
    columns = [_elements(ev, argument, site, frame) for argument in site.node.args]
    known = [column for column in columns if column is not None]
    if not known or len(known) < len(columns):
        return None
    origin = site.scope.location(site.node)
    return (Items(tuple((Items(row, origin),) for row in zip(*known, strict=False)), origin),)


def numbered(ev: Evaluator, site: CallSite, frame: Frame | None) -> Values | None:
    """`enumerate(a)` of a sequence that is known; None when it is not."""
    elements = _elements(ev, site.node.args[0], site, frame) if site.node.args else None
    if elements is None:
        return None
    origin = site.scope.location(site.node)
    return (Items(tuple((Items(((Known(at, origin),), values), origin),) for at, values in enumerate(elements)), origin),)


def _elements(ev: Evaluator, node: ast.expr, site: CallSite, frame: Frame | None) -> tuple[Values, ...] | None:
    values = ev.evaluate(node, site.scope, frame)
    return values[0].items if len(values) == 1 and isinstance(values[0], Items) else None


def as_table(ev: Evaluator, value: Value) -> Value:
    """`vars(x)` or `asdict(x)`."""
    if isinstance(value, Options):
        return ev.options.table(value)
    if isinstance(value, Instance):
        fields = [field.name for field in instances.record_fields(ev, value.cls)]
        names = fields or list(ev.program.attribute_stores.get(id(value.cls), {}))
        origin = value.cls.location(value.cls.node)
        return Table(tuple((name, instances.instance_attribute(ev, value, name)) for name in names), origin)
    return value if isinstance(value, Table) else Unknown()


def replaced(ev: Evaluator, value: Value, site: CallSite, frame: Frame | None) -> Value:
    """`dataclasses.replace(x, a=1)`: the same object with these fields."""
    if not isinstance(value, Instance):
        return Unknown()
    changed = dict(value.overrides)
    for keyword in site.node.keywords:
        if keyword.arg is not None:
            changed[keyword.arg] = ev.evaluate(keyword.value, site.scope, frame)
    return replace(value, overrides=tuple(changed.items()))


def namespace(ev: Evaluator, site: CallSite, frame: Frame | None) -> Values:
    """`dict(a=1)`, `SimpleNamespace(**d)`, `EasyDict({...})`."""
    node, scope = site.node, site.scope
    table = Table((), scope.location(node))
    for argument in node.args:
        for value in ev.evaluate(argument, scope, frame):
            given = as_table(ev, value)
            table = table.updated(given.entries) if isinstance(given, Table) else replace(table, whole=False)
    for keyword in node.keywords:
        values = ev.evaluate(keyword.value, scope, frame)
        if keyword.arg is not None:
            table = table.updated([(keyword.arg, values)])
        else:
            for value in values:
                table = table.updated(value.entries) if isinstance(value, Table) else replace(table, whole=False)
    return (table,)


def merged_tables(groups: list[Values], site: CallSite) -> Values:
    """`OmegaConf.merge(a, b)`: deep, later ones win."""
    result = Table((), site.scope.location(site.node))
    for values in groups:
        tables = [value for value in values if isinstance(value, Table)]
        if tables:
            result = deep_merge(result, tables[0])
        elif not all(isinstance(value, Known) for value in values):
            result = replace(result, whole=False)
    return (result,)


def deep_merge(base: Table, over: Table) -> Table:
    """The union of two tables, section by section, with `over` winning."""
    merged = dict(base.entries)
    for key, values in over.entries:
        before = merged.get(key)
        if (
            before is not None
            and len(before) == 1
            and len(values) == 1
            and isinstance(before[0], Table)
            and isinstance(values[0], Table)
        ):
            merged[key] = (deep_merge(before[0], values[0]),)
        else:
            merged[key] = values
    return replace(base, entries=tuple(merged.items()), whole=base.whole and over.whole)
