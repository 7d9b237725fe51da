"""Attributes and subscripts of candidates: objects, modules, tables, options."""

from __future__ import annotations

import ast
import math
import re
from typing import TYPE_CHECKING

from verifier.facts import parameters
from verifier.facts.overlay import overlay
from verifier.facts.program import CallSite, External
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
    Unknown,
    Value,
    Values,
    join,
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
    values = join(overlay(ev, write, path, ev.written(write, frame)) for write in writes)
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
            if name in CONSTANTS and target.name.split(".")[0] in {"math", "numpy", "torch", "jax", "tensorflow"}:
                return (Known(CONSTANTS[name], scope.location(node)),)
            if target.name.endswith("FLAGS"):
                return ev.options.absl(name)
            return (Ref(External(f"{target.name}.{name}")),)
        case Ref(target=Scope() as target):
            return _of_definition(ev, target, name)
        case Instance():
            return instance_attribute(ev, value, name)
        case Table():
            found = value.get(name)
            return _read(value, name, found) if found is not None else UNKNOWN
        case Options():
            return ev.options.option(value, name)
        case Known() if name in PASSING:
            return (value,)
        case Made():
            return ev.configs.made_attribute(ev, value, name)
    return UNKNOWN


def _read(table: Table, key: object, values: Values) -> Values:
    if not table.file:
        return values
    where = f"{table.section}.{key}".lstrip(".")
    return step(values, f"read as {where} from {table.file}", None)


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


# --- objects --------------------------------------------------------------------------------------------------------------


def instance_attribute(ev: Evaluator, instance: Instance, name: str) -> Values:
    """An attribute of an object: later changes, what its methods store, its fields, class attributes, properties, methods."""
    for key, values in instance.overrides:
        if key == name:
            return values
    mro = [owner for owner in ev.program.mro(instance.cls) if isinstance(owner, Scope)]
    for owner in mro:
        stored = _stored_attribute(ev, instance, owner, name)
        if stored is not None:
            return stored
    for owner in mro:
        if name in owner.writes:
            return _class_member(ev, instance, owner.writes[name][-1])
    return _dynamic(ev, instance, mro, name)


def _stored_attribute(ev: Evaluator, instance: Instance, owner: Scope, name: str) -> Values | None:
    stores = [write for write in ev.program.attribute_stores.get(id(owner), {}).get(name, ()) if "." in write.name]
    if not stores:
        return None
    groups: list[Values] = []
    for write in stores:
        flow = ev.program.flow(write.scope)
        final = flow.exit.get(write.name)
        if final is not None and write not in final:
            continue
        frame = _method_frame(ev, instance, write.scope)
        groups.append(overlay(ev, write, write.name, ev.written(write, frame)))
    known = [group for group in groups if not all(isinstance(value, Unknown) for value in group)]
    return without_none(join(known)) if known else UNKNOWN


def _method_frame(ev: Evaluator, instance: Instance, method: Scope) -> Frame | None:
    """The frame in which a method's parameters are those of the object's construction, for `__init__`."""
    if instance.site is None or method.name != "__init__":
        return None
    if method.parent is not instance.cls:
        return _inherited_frame(ev, instance, method)
    return ev.frame(method, instance.site, instance.frame, instance)


def _inherited_frame(ev: Evaluator, instance: Instance, method: Scope) -> Frame | None:
    own = ev.program.method(instance.cls, "__init__")
    assert instance.site is not None
    if own is method or own is None:
        return ev.frame(method, instance.site, instance.frame, instance)
    outer = ev.frame(own, instance.site, instance.frame, instance)
    for call in own.calls:
        if isinstance(call.func, ast.Attribute) and call.func.attr == "__init__" and tail(call.func.value) == "super":
            return ev.frame(method, CallSite(call, own), outer, instance)
    return None


def _class_member(ev: Evaluator, instance: Instance, write: Write) -> Values:
    inner = ev.program.scope_of.get(id(write.node))
    if inner is not None and inner.is_function:
        if _is_property(inner):
            return returned(ev, inner, ev.frame(inner, _site_of(instance, inner), instance.frame, instance))
        return (Bound(inner, instance),)
    if inner is not None:
        return (Ref(inner),)
    field = _field(ev, instance, write)
    return field if field is not None else ev.written(write)


def _site_of(instance: Instance, inner: Scope) -> CallSite:
    return instance.site or CallSite(ast.Call(ast.Name(inner.name, ast.Load()), [], []), inner)


def _is_property(scope: Scope) -> bool:
    return isinstance(scope.node, ast.FunctionDef) and any(
        tail(decorator) in {"property", "cached_property", "lazy_property"} for decorator in scope.node.decorator_list
    )


def is_record(ev: Evaluator, cls: Scope) -> bool:
    """Whether a class's annotated names are fields of its constructor: dataclass, attrs, pydantic, NamedTuple, TypedDict."""
    assert isinstance(cls.node, ast.ClassDef)
    marks = {tail(decorator) for decorator in cls.node.decorator_list}
    if marks & {"dataclass", "define", "attrs", "s", "frozen", "mutable", "struct", "attr", "chex_dataclass", "configclass"}:
        return True
    if any(
        tail(base) in {"BaseModel", "BaseSettings", "NamedTuple", "TypedDict", "Struct", "PretrainedConfig"}
        for base in cls.node.bases
    ):
        return True
    return any(
        isinstance(base, Scope) and base is not cls and base.is_class and is_record(ev, base) for base in ev.program.bases(cls)
    )


def record_fields(ev: Evaluator, cls: Scope) -> list[Write]:
    """The fields of a record in the order of its constructor, inherited ones first."""
    fields: dict[str, Write] = {}
    for owner in reversed([owner for owner in ev.program.mro(cls) if isinstance(owner, Scope) and owner.is_class]):
        for writes in owner.writes.values():
            for write in writes:
                if isinstance(write.node, ast.AnnAssign) and tail(write.node.annotation) != "ClassVar":
                    fields.pop(write.name, None)
                    fields[write.name] = write
        assert isinstance(owner.node, ast.ClassDef)
        for statement in owner.node.body:
            if (
                isinstance(statement, ast.AnnAssign)
                and isinstance(statement.target, ast.Name)
                and statement.target.id not in fields
            ):
                fields[statement.target.id] = Write(statement.target.id, "assign", statement, statement.value, owner)
    return list(fields.values())


def _field(ev: Evaluator, instance: Instance, write: Write) -> Values | None:
    """The worth of a record's field: what the construction passes, else its default; None when it is no field."""
    if not isinstance(write.node, ast.AnnAssign | ast.Assign) or not is_record(ev, instance.cls):
        return None
    default = field_default(ev, write)
    sites = (
        [(instance.site, instance.frame)] if instance.site is not None else [(site, None) for site in ev.callers(instance.cls)]
    )
    if not sites:
        return default
    index = (
        [field.name for field in record_fields(ev, instance.cls)].index(write.name)
        if isinstance(write.node, ast.AnnAssign)
        else None
    )
    return join(_field_passed(ev, write.name, index, site, frame, default) for site, frame in sites)


def _field_passed(ev: Evaluator, name: str, index: int | None, site: CallSite, frame: Frame | None, default: Values) -> Values:
    for keyword in site.node.keywords:
        if keyword.arg == name:
            return step(
                ev.evaluate(keyword.value, site.scope, frame),
                f"given as {name} at the construction",
                site.scope.location(keyword.value),
            )
        if keyword.arg is None:
            for value in ev.evaluate(keyword.value, site.scope, frame):
                found = value.get(name) if isinstance(value, Table) else None
                if found is not None:
                    return found
    if index is not None and index < len(site.node.args) and not any(isinstance(a, ast.Starred) for a in site.node.args):
        return ev.evaluate(site.node.args[index], site.scope, frame)
    return default


def field_default(ev: Evaluator, write: Write) -> Values:
    """The default of a record's field."""
    if isinstance(write.value, ast.Call) and tail(write.value.func) in {"field", "Field", "ib", "attrib", "Factory"}:
        return parameters.declared(ev, write.value, write.scope)
    if write.value is None:
        return UNKNOWN
    return step(ev.evaluate(write.value, write.scope), f"default of {write.name} in {write.scope.name}", write.location)


def _dynamic(ev: Evaluator, instance: Instance, mro: list[Scope], name: str) -> Values:
    """Attributes that a class sets by name: `self.__dict__.update(kwargs)`, `setattr(self, key, value)` loops, `__getattr__`."""
    for owner in mro:
        for method in owner.children:
            frame = _method_frame(ev, instance, method)
            for table in _dynamic_tables(ev, method, frame):
                found = table.get(name)
                if found is not None:
                    return _read(table, name, found)
        if "__getattr__" in owner.writes or "__getitem__" in owner.writes:
            for stored in ev.program.attribute_stores.get(id(owner), {}):
                for value in instance_attribute(ev, instance, stored) if stored != name else ():
                    found = value.get(name) if isinstance(value, Table) else None
                    if found is not None:
                        return found
    return UNKNOWN


def _dynamic_tables(ev: Evaluator, method: Scope, frame: Frame | None) -> list[Table]:
    found: list[Table] = []
    if not method.receiver:
        return found
    for call in method.calls:
        path = dotted(call.func) or ""
        source: ast.expr | None = None
        if path in {f"{method.receiver}.__dict__.update", f"{method.receiver}.update"} and call.args:
            source = call.args[0]
        elif (
            path == "setattr"
            and len(call.args) == 3
            and dotted(call.args[0]) == method.receiver
            and isinstance(call.args[1], ast.Name)
        ):
            for write in ev.program.reaching(call.args[1], method):
                if write.kind == "loop" and isinstance(write.value, ast.Call) and isinstance(write.value.func, ast.Attribute):
                    source = write.value.func.value
        if source is not None:
            found.extend(value for value in ev.evaluate(source, method, frame) if isinstance(value, Table))
    return found


# --- returns and subscripts -----------------------------------------------------------------------------------------------


def returned(ev: Evaluator, function: Scope, frame: Frame | None) -> Values:
    """What a function of the repository returns; generators are unknown."""
    node = function.node
    if isinstance(node, ast.Lambda):
        return ev.evaluate(node.body, function, frame)
    values = [
        ev.evaluate(statement.value, function, frame)
        for statement in _returns(node)
        if statement.value is not None and not ev.program.is_dead(statement, function)
    ]
    return without_none(join(values)) if values else UNKNOWN


def _returns(node: ast.AST) -> list[ast.Return]:
    found: list[ast.Return] = []
    stack: list[ast.AST] = list(reversed(getattr(node, "body", [])))
    while stack:
        part = stack.pop()
        if isinstance(part, ast.Return):
            found.append(part)
        elif isinstance(part, ast.stmt | ast.ExceptHandler | ast.match_case) and not isinstance(
            part, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
        ):
            stack.extend(reversed(list(ast.iter_child_nodes(part))))
    return found


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
            return _read(value, key.value, found) if found is not None else UNKNOWN
        return join(values for _, values in value.entries) if value.entries else UNKNOWN
    if isinstance(value, Items):
        if isinstance(key, Known) and isinstance(key.value, int) and -len(value.items) <= key.value < len(value.items):
            return value.items[key.value]
        return UNKNOWN
    if isinstance(value, Instance | Options | Made) and isinstance(key, Known) and isinstance(key.value, str):
        return member(ev, value, key.value, node, scope)
    return UNKNOWN
