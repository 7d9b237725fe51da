"""Parameters of a function that is walked into."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from verifier.facts.program import External
from verifier.facts.scopes import Scope
from verifier.facts.tracing.values import UNKNOWN, Frame, Function, Object, Value, unsure

if TYPE_CHECKING:
    from verifier.facts.tracing.machine import Machine
    from verifier.facts.tracing.site import Arguments


def bind_parameters(machine: Machine, function: Function, arguments: Arguments, frame: Frame) -> None:
    """Bind a function's parameters to the arguments of a call, and to their defaults where the call leaves them out."""
    node = function.scope.function
    assert node is not None
    given = [*([function.receiver] if function.receiver is not None else []), *function.given, *arguments.positional]
    named = {**function.named, **arguments.named}
    positional = [*node.args.posonlyargs, *node.args.args]
    defaults = dict(zip([parameter.arg for parameter in reversed(positional)], reversed(node.args.defaults), strict=False))
    defaults.update((p.arg, d) for p, d in zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True) if d is not None)
    for position, parameter in enumerate([*positional, *node.args.kwonlyargs]):
        name = parameter.arg
        if position < len(given) and position < len(positional):
            value = given[position]
        elif name in named:
            value = named.pop(name)
        else:
            value = _default(machine, function, defaults.get(name), arguments, name)
        if not value.things:
            value = Value((Object(labels=[name], level=len(machine.record.alternatives)),), value.sources)
        for thing in value.objects():
            thing.label(name)
        frame.env[name] = value
    if node.args.vararg is not None:
        frame.env[node.args.vararg.arg] = machine.expressions.sequence(given[len(positional) :], closed=arguments.open is None)
    if node.args.kwarg is not None:
        frame.env[node.args.kwarg.arg] = Value(
            (Object(cls=External("builtins.dict"), fields=named, closed=arguments.open is None),)
        )


def _default(machine: Machine, function: Function, default: ast.expr | None, arguments: Arguments, name: str) -> Value:
    if default is None:
        return arguments.open or UNKNOWN
    machine.record.muted += 1
    outer = function.frame or Frame(function.scope.parent or function.scope.module)
    value = machine.expressions.eval(default, outer)
    machine.record.muted -= 1
    if arguments.open is None:
        return value
    known = unsure(value)
    return Value(known.things or (Object(labels=[name], default=value.const()),), known.sources | arguments.open.sources)


def is_generator(machine: Machine, scope: Scope) -> bool:
    """Whether a function yields."""
    known = machine.generators.get(id(scope))
    if known is None:
        known = machine.generators[id(scope)] = _yields(scope)
    return known


def _yields(scope: Scope) -> bool:
    if scope.function is None or isinstance(scope.node, ast.Lambda) or "yield" not in scope.file.text:
        return False
    assert not isinstance(scope.node, ast.Module)
    stack: list[ast.AST] = list(scope.node.body)
    while stack:
        node = stack.pop()
        if isinstance(node, ast.Yield | ast.YieldFrom):
            return True
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda):
            stack.extend(ast.iter_child_nodes(node))
    return False
