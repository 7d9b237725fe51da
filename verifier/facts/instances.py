"""Objects of the repository's classes: what their attributes are, as constructed."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from verifier.facts import parameters
from verifier.facts.overlay import overlay
from verifier.facts.returns import returned
from verifier.facts.scopes import Scope, Write, dotted, tail
from verifier.facts.targets import CallSite
from verifier.facts.values import (
    UNKNOWN,
    Bound,
    Frame,
    Instance,
    Options,
    Ref,
    Table,
    Unknown,
    Values,
    join,
    read_from,
    step,
    without_none,
)
from verifier.model.constant import Scalar

if TYPE_CHECKING:
    from verifier.facts.evaluate import Evaluator


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
        patched = ev.program.patches(owner, name)
        if patched:
            return ev.written(patched[-1])
        if name in owner.writes:
            return _class_member(ev, instance, owner.writes[name][-1])
    if name == "hparams":
        return _saved(ev, instance)
    return _dynamic(ev, instance, mro, name)


def _saved(ev: Evaluator, instance: Instance) -> Values:
    """What `save_hyperparameters()` keeps: the arguments of the construction, or the one table that it is given."""
    init = ev.program.method(instance.cls, "__init__")
    call = next((call for call in init.calls if tail(call.func) == "save_hyperparameters"), None) if init is not None else None
    if init is None or call is None:
        return UNKNOWN
    frame = _method_frame(ev, instance, init)
    given = ev.evaluate(call.args[0], init, frame) if call.args else UNKNOWN
    if any(isinstance(value, Table | Options | Instance) for value in given):
        return given
    table = Table((), init.location(init.node))
    for writes in init.writes.values():
        if writes[0].kind == "param" and writes[0].name != init.receiver:
            table = table.updated(_argument(ev, writes[0], frame))
    return (table,)


def _argument(ev: Evaluator, write: Write, frame: Frame | None) -> list[tuple[Scalar, Values]]:
    """A parameter with its worth; of `**kwargs`, each of what it holds."""
    values = ev.written(write, frame)
    node = write.scope.function
    if node is not None and write.node is node.args.kwarg:
        return [entry for value in values if isinstance(value, Table) for entry in value.entries]
    return [(write.name, values)]


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
                    return read_from(table, name, found)
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
