"""What a parameter is worth: what callers pass, its default, or what the program that starts the function gives it."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from verifier.facts.program import CallSite
from verifier.facts.scopes import Scope, Write, tail
from verifier.facts.values import UNKNOWN, Frame, Instance, Items, Options, Ref, Table, Values, join, step

if TYPE_CHECKING:
    from verifier.facts.evaluate import Evaluator


PARSED = frozenset({"args", "opts", "options", "namespace", "cli_args"})
"""What a function calls the parsed options that somebody hands in: `args.func(args)`."""


def parameter(ev: Evaluator, write: Write, owner: Scope, frame: Frame | None) -> Values:
    """The candidates of a parameter.

    Args:
        ev: the evaluator.
        write: the parameter's own write; its value is the default.
        owner: the function it belongs to.
        frame: the call to look through; None for all calls.
    """
    if write.name == owner.receiver and owner.parent is not None:
        return (Ref(_called_class(ev, owner, frame)),) if _is_classmethod(owner) else (_receiver(owner, frame),)
    if frame is not None and frame.callee is owner:
        for name, values in frame.extra:
            if name == write.name:
                return values
        return passed(ev, write, owner, frame.site, frame.outer)
    started = ev.options.of_parameter(write, owner)
    if started is not None:
        return started
    sites = _sites(ev, owner)
    if sites:
        return join(passed(ev, write, owner, site, None) for site in sites)
    if write.value is not None:
        return default(ev, write, owner)
    found = annotated(ev, write, owner)
    if found == UNKNOWN and write.name in PARSED and ev.options.declared:
        return (Options(0, owner.module.qualified),)
    return found


def _called_class(ev: Evaluator, owner: Scope, frame: Frame | None) -> Scope:
    """The class that a class method is called on, as far as the call says it; else the one that defines it."""
    assert owner.parent is not None
    if frame is not None and frame.callee is owner and isinstance(frame.site.node.func, ast.Attribute):
        target = ev.program.resolve(frame.site.node.func.value, frame.site.scope)
        if isinstance(target, Scope) and target.is_class:
            return target
    return owner.parent


def _receiver(owner: Scope, frame: Frame | None) -> Instance:
    assert owner.parent is not None
    if frame is not None and frame.callee is owner:
        for name, values in frame.extra:
            if name == owner.receiver and isinstance(values[0], Instance):
                return values[0]
        if owner.name == "__init__":
            return Instance(owner.parent, frame.site, frame.outer)
    return Instance(owner.parent)


def _sites(ev: Evaluator, owner: Scope) -> tuple[CallSite, ...]:
    sites = ev.callers(owner)
    if owner.name == "__init__" and owner.parent is not None:
        sites += tuple(site for site in _super_calls(ev, owner) if site not in sites)
    return sites


def _super_calls(ev: Evaluator, owner: Scope) -> list[CallSite]:
    """`super().__init__(...)` calls in subclasses, and subclass constructions that reach an inherited `__init__`."""
    assert owner.parent is not None
    found: list[CallSite] = []
    for subclass in ev.program.subclasses.get(id(owner.parent), ()):
        init = subclass.writes.get("__init__")
        if init:
            scope = ev.program.scope_of.get(id(init[-1].node))
            if scope is not None:
                found.extend(CallSite(call, scope) for call in scope.calls if _is_super_init(call))
        else:
            found.extend(ev.callers(subclass))
    return found


def _is_super_init(call: ast.Call) -> bool:
    func = call.func
    return (
        isinstance(func, ast.Attribute)
        and func.attr == "__init__"
        and isinstance(func.value, ast.Call)
        and tail(func.value.func) == "super"
    )


def passed(ev: Evaluator, write: Write, owner: Scope, site: CallSite, outer: Frame | None) -> Values:
    """What one call passes for a parameter: its argument, what `**` or `*` spreads into it, else the default."""
    node = owner.function
    assert node is not None
    spread = False
    for keyword in site.node.keywords:
        if keyword.arg == write.name:
            values = ev.evaluate(keyword.value, site.scope, outer)
            return step(values, f"passed as {write.name} to {shown(owner)}", site.scope.location(keyword.value))
        if keyword.arg is None:
            found = _spread(ev, keyword.value, write.name, site, outer)
            if found is not None:
                return found
            spread = spread or _may_hold_more(ev, keyword.value, site, outer)
    if node.args.kwarg is not None and node.args.kwarg is write.node:
        return (_rest(ev, owner, site, outer),)
    index = position(owner, write.name, bound=_is_bound(ev, owner, site))
    if index is not None:
        positional = _positional(ev, site, index, outer)
        if positional is not None:
            return step(positional, f"passed as {write.name} to {shown(owner)}", site.scope.location(site.node))
    if spread and write.value is None:
        return UNKNOWN
    return default(ev, write, owner)


def _spread(ev: Evaluator, node: ast.expr, name: str, site: CallSite, outer: Frame | None) -> Values | None:
    for value in ev.evaluate(node, site.scope, outer):
        if isinstance(value, Table):
            found = value.get(name)
            if found is not None:
                return step(found, f"spread into the call as {name}", site.scope.location(site.node))
    return None


def _may_hold_more(ev: Evaluator, node: ast.expr, site: CallSite, outer: Frame | None) -> bool:
    return not all(isinstance(value, Table) and value.whole for value in ev.evaluate(node, site.scope, outer))


def _positional(ev: Evaluator, site: CallSite, index: int, outer: Frame | None) -> Values | None:
    for i, argument in enumerate(site.node.args):
        if isinstance(argument, ast.Starred):
            spread = ev.evaluate(argument.value, site.scope, outer)
            if len(spread) == 1 and isinstance(spread[0], Items) and index - i < len(spread[0].items):
                return spread[0].items[index - i]
            return UNKNOWN
        if i == index:
            return ev.evaluate(argument, site.scope, outer)
    return None


def _rest(ev: Evaluator, owner: Scope, site: CallSite, outer: Frame | None) -> Table:
    """What `**kwargs` holds: keywords that no parameter takes."""
    table = Table((), site.scope.location(site.node))
    for keyword in site.node.keywords:
        if keyword.arg is None:
            for value in ev.evaluate(keyword.value, site.scope, outer):
                if isinstance(value, Table):
                    table = table.updated((k, v) for k, v in value.entries if k not in owner.writes)
        elif keyword.arg not in owner.writes:
            table = table.updated([(keyword.arg, ev.evaluate(keyword.value, site.scope, outer))])
    return table


def position(owner: Scope, name: str, *, bound: bool) -> int | None:
    """The place of a parameter among the positional arguments of a call, without the receiver when the call is bound."""
    node = owner.function
    assert node is not None
    names = [parameter.arg for parameter in (*node.args.posonlyargs, *node.args.args)]
    if name not in names:
        return None
    return names.index(name) - (1 if bound else 0)


def _is_bound(ev: Evaluator, owner: Scope, site: CallSite) -> bool:
    if not owner.receiver:
        return False
    if owner.name == "__init__":
        return not (
            isinstance(site.node.func, ast.Attribute) and site.node.func.attr == "__init__" and not _is_super_init(site.node)
        )
    if isinstance(site.node.func, ast.Attribute):
        target = ev.program.resolve(site.node.func.value, site.scope)
        is_static_use = isinstance(target, Scope) and target.is_class and not _is_classmethod(owner)
        return not is_static_use
    return True


def _is_classmethod(owner: Scope) -> bool:
    node = owner.node
    return isinstance(node, ast.FunctionDef) and any(tail(d) == "classmethod" for d in node.decorator_list)


def default(ev: Evaluator, write: Write, owner: Scope) -> Values:
    """The default of a parameter, seen through `typer.Option(0.1)` and the like; its type when there is none."""
    if write.value is None:
        return annotated(ev, write, owner)
    outer = owner.parent or owner
    value = write.value
    if isinstance(value, ast.Call) and tail(value.func) in {"Option", "Argument", "Field", "field", "Body", "Query"}:
        return declared(ev, value, outer)
    return step(ev.evaluate(value, outer), f"default of {write.name} in {shown(owner)}", write.scope.location(value))


def declared(ev: Evaluator, call: ast.Call, scope: Scope) -> Values:
    """The default inside a field or option declaration: `field(default=0.1)`, `field(default_factory=list)`, `Option(0.1)`."""
    for keyword in call.keywords:
        if keyword.arg in {"default", "value"}:
            return ev.evaluate(keyword.value, scope)
        if keyword.arg in {"default_factory", "factory"}:
            made = keyword.value
            if isinstance(made, ast.Lambda):
                inner = ev.program.scope_of.get(id(made))
                return ev.evaluate(made.body, inner) if inner is not None else UNKNOWN
            target = ev.program.resolve(made, scope)
            if isinstance(target, Scope) and target.is_class:
                return (Instance(target, CallSite(ast.Call(made, [], []), scope)),)
            return UNKNOWN
    if call.args and not (isinstance(call.args[0], ast.Constant) and call.args[0].value is ...):
        return ev.evaluate(call.args[0], scope)
    return UNKNOWN


def annotated(ev: Evaluator, write: Write, owner: Scope) -> Values:
    """What a parameter's type says: an object of that class."""
    annotation = write.node.annotation if isinstance(write.node, ast.arg) else None
    target = _annotation_class(ev, annotation, owner.parent or owner)
    return (Instance(target),) if target is not None else UNKNOWN


def _annotation_class(ev: Evaluator, annotation: ast.expr | None, scope: Scope) -> Scope | None:
    match annotation:
        case None:
            return None
        case ast.Constant(value=str() as name):
            found = ev.program.by_name.get(name.rsplit(".", 1)[-1], ())
            return found[0] if len(found) == 1 and found[0].is_class else None
        case ast.BinOp(op=ast.BitOr()):
            return _annotation_class(ev, annotation.left, scope) or _annotation_class(ev, annotation.right, scope)
        case ast.Subscript() if tail(annotation.value) == "Optional":
            return _annotation_class(ev, annotation.slice, scope)
        case ast.Name() | ast.Attribute():
            target = ev.program.resolve(annotation, scope)
            return target if isinstance(target, Scope) and target.is_class else None
    return None


def shown(owner: Scope) -> str:
    """How a function is called in messages."""
    if owner.name == "__init__" and owner.parent is not None:
        return owner.parent.name
    return owner.name if not owner.name.startswith("<lambda") else "a lambda"
