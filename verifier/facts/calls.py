"""What calls return: conversions, containers, configuration loaders, functions and classes of the repository."""

from __future__ import annotations

import ast
import math
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from verifier.facts import attributes, containers
from verifier.facts.configs import overridden
from verifier.facts.overlay import NAMESPACES
from verifier.facts.program import CallSite, External
from verifier.facts.returns import returned
from verifier.facts.scopes import Scope, tail
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
)
from verifier.model import worth

if TYPE_CHECKING:
    from verifier.facts.evaluate import Evaluator

MATH: dict[str, Callable[..., float]] = {
    "sqrt": math.sqrt,
    "exp": math.exp,
    "log": math.log,
    "log2": math.log2,
    "log10": math.log10,
    "pow": math.pow,
    "ceil": math.ceil,
    "floor": math.floor,
    "radians": math.radians,
}
SAME = frozenset(
    "tensor array asarray as_tensor Parameter float32 float64 float16 int32 int64 deepcopy copy Tensor FloatTensor list tuple set sorted "
    "to_container structured create freeze FrozenDict cuda to_dict as_dict item clone numpy lower strip Path expanduser resolve str_ "
    "abspath normpath DictConfig ListConfig MappingProxyType OrderedDict namedtuple_".split()
)
"""Calls that give back their first argument, or the object they are called on, as far as its worth goes."""
NUMERIC: dict[str, Callable[[int | float], int | float]] = {"int": int, "float": float, "round": round, "abs": abs, "bool": bool}
Rule = Callable[["Evaluator", CallSite, Frame | None], Values | None]


def call(ev: Evaluator, node: ast.Call, scope: Scope, frame: Frame | None) -> Values:
    """The candidates of a call."""
    site = CallSite(node, scope)
    method = _known_method(ev, node, scope, frame)
    if method is not None:
        return method
    return join(_of(ev, value, site, frame) for value in _callees(ev, site, frame))


def _callees(ev: Evaluator, site: CallSite, frame: Frame | None) -> Values:
    called = ev.called(site, frame)
    if all(isinstance(value, Unknown) for value in called) and isinstance(site.node.func, ast.Attribute):
        name = site.node.func.attr
        only = ev.program.by_name.get(name, ())
        if len(only) == 1 and only[0].is_method and not name.startswith("__"):
            return (Bound(only[0]),)
    return called


def _of(ev: Evaluator, callee: Value, site: CallSite, frame: Frame | None) -> Values:
    match callee:
        case Ref(target=External() as target):
            return external(ev, target.name, site, frame)
        case Ref(target=Scope() as target) if target.is_class:
            return (Instance(target, site, frame),)
        case Ref(target=Scope() as target) if target.is_function:
            return returned(ev, target, ev.frame(target, site, frame))
        case Bound(function=Scope() as function) if function.is_class:
            return (Instance(function, site, frame),)
        case Bound(function=Scope() as function):
            return returned(ev, function, ev.frame(function, site, frame, callee.receiver))
        case Bound(function=External() as target):
            return external(ev, target.name, site, frame)
        case Instance():
            inner = ev.program.method(callee.cls, "__call__") or ev.program.method(callee.cls, "forward")
            return returned(ev, inner, ev.frame(inner, site, frame, callee)) if inner is not None else UNKNOWN
    return UNKNOWN


def external(ev: Evaluator, name: str, site: CallSite, frame: Frame | None) -> Values:
    """What a call of something outside the repository gives."""
    loaded = ev.configs.loaded(ev, name, site, frame)
    if loaded is not None:
        return loaded
    rule = _RULES.get(name) or _by_last_name(name)
    found = rule(ev, site, frame) if rule is not None else None
    return found if found is not None else (Made(name, site, frame),)


def _by_last_name(name: str) -> Rule | None:
    library, last = name.split(".")[0], name.rsplit(".", 1)[-1]
    if last in MATH and library in {"math", "numpy", "np", "torch", "jax"}:
        return _mathematics
    if last in NAMESPACES:
        return containers.namespace
    if last == "merge" and "OmegaConf" in name:
        return _merge
    if last in {"from_cli", "from_dotlist"}:
        return _command_line
    return _first if last in SAME else None


def _first(ev: Evaluator, site: CallSite, frame: Frame | None) -> Values | None:
    return ev.evaluate(site.node.args[0], site.scope, frame) if site.node.args else None


def _command_line(ev: Evaluator, site: CallSite, frame: Frame | None) -> Values | None:
    return _dotlist(ev, site, frame) if site.node.args else (ev.options.given(site.scope.module),)


def _dotlist(ev: Evaluator, site: CallSite, frame: Frame | None) -> Values | None:
    table = Table((), site.scope.location(site.node))
    for value in ev.evaluate(site.node.args[0], site.scope, frame):
        for held in value.items if isinstance(value, Items) else ():
            if isinstance(held[0], Known) and isinstance(held[0].value, str) and "=" in held[0].value:
                key, text = held[0].value.split("=", 1)
                table = overridden(table, key.split("."), (_number(replace(held[0], value=text)),))
    return (table,)


def _merge(ev: Evaluator, site: CallSite, frame: Frame | None) -> Values | None:
    return containers.merged_tables([ev.evaluate(argument, site.scope, frame) for argument in site.node.args], site)


def _conversion(ev: Evaluator, site: CallSite, frame: Frame | None) -> Values | None:
    first = _first(ev, site, frame)
    return join((_converted(tail(site.node.func), value),) for value in first) if first is not None else None


def _to_text(ev: Evaluator, site: CallSite, frame: Frame | None) -> Values | None:
    first = _first(ev, site, frame)
    return join((_text(value),) for value in first) if first is not None else None


def _tabled(ev: Evaluator, site: CallSite, frame: Frame | None) -> Values | None:
    first = _first(ev, site, frame)
    return join((containers.as_table(ev, value),) for value in first) if first is not None else None


def _with_changes(ev: Evaluator, site: CallSite, frame: Frame | None) -> Values | None:
    first = _first(ev, site, frame)
    return join((containers.replaced(ev, value, site, frame),) for value in first) if first is not None else None


def _known_method(ev: Evaluator, node: ast.Call, scope: Scope, frame: Frame | None) -> Values | None:
    """Methods of containers, options and constants, by what they are called on."""
    func = node.func
    if not isinstance(func, ast.Attribute):
        return None
    if func.attr in {"get", "pop", "setdefault"} and node.args:
        return _get(ev, node, func, scope, frame)
    if func.attr in {"parse_args", "parse_known_args", "parse_args_into_dataclasses", "parse_intermixed_args"}:
        return ev.options.parsed(node, func, scope, frame)
    if func.attr in {"items", "keys", "values"} and not node.args:
        return containers.views(ev, func, scope, frame)
    if func.attr in SAME and not node.args:
        base = ev.evaluate(func.value, scope, frame)
        if any(isinstance(value, Known | Items | Table | Instance | Options) for value in base):
            return base
    if func.attr == "load" and any(
        isinstance(value, Made) and value.name.endswith("yaml.YAML") for value in ev.evaluate(func.value, scope, frame)
    ):
        return ev.configs.loaded(ev, "ruamel.yaml.load", CallSite(node, scope), frame)
    if func.attr in {"getfloat", "getint", "getboolean"}:
        return _ini(ev, node, func, scope, frame)
    if func.attr == "_replace":
        return join(
            (containers.replaced(ev, value, CallSite(node, scope), frame),) for value in ev.evaluate(func.value, scope, frame)
        )
    return None


def _get(ev: Evaluator, node: ast.Call, func: ast.Attribute, scope: Scope, frame: Frame | None) -> Values | None:
    base = ev.evaluate(func.value, scope, frame)
    if isinstance(func.value, ast.Attribute) and func.value.attr == "environ":
        return _environment(ev, CallSite(node, scope), frame)
    keys = ev.evaluate(node.args[0], scope, frame)
    if not any(isinstance(value, Table | Options | Instance | Unknown) for value in base):
        return None
    fallback = _fallback(ev, node, scope, frame)
    found = []
    for value in base:
        if isinstance(value, Instance) and ev.program.method(value.cls, func.attr) is not None:
            return None
        for key in keys:
            got = attributes.item(ev, value, key, node, scope)
            missing = isinstance(value, Table) and value.whole and isinstance(key, Known) and value.get(key.value) is None
            if not missing and all(isinstance(part, Unknown) for part in got):
                got = _in_files(ev, func, key) or fallback
            found.append(fallback if missing else got)
    return join(found)


def _in_files(ev: Evaluator, func: ast.Attribute, key: Value) -> Values:
    """What configuration files say, when it is not known which section of them an object of such a name holds."""
    if not isinstance(key, Known) or not isinstance(key.value, str) or not ev.loads_configs:
        return ()
    return ev.configs.anywhere(key.value) if attributes.CONFIGURATION.search(tail(func.value)) else ()


def _fallback(ev: Evaluator, node: ast.Call, scope: Scope, frame: Frame | None) -> Values:
    default = (
        node.args[1] if len(node.args) > 1 else next((k.value for k in node.keywords if k.arg in {"default", "fallback"}), None)
    )
    if default is None:
        return (Known(None, scope.location(node)),)
    return step(ev.evaluate(default, scope, frame), "default where the key is not there", scope.location(default))


def _ini(ev: Evaluator, node: ast.Call, func: ast.Attribute, scope: Scope, frame: Frame | None) -> Values:
    values = ev.evaluate(func.value, scope, frame)
    for argument in node.args[:2]:
        key = ev.evaluate(argument, scope, frame)
        values = join(attributes.item(ev, value, part, node, scope) for value in values for part in key)
    found = join((_number(value),) for value in values)
    fallback = next((keyword.value for keyword in node.keywords if keyword.arg == "fallback"), None)
    return ev.evaluate(fallback, scope, frame) if found == UNKNOWN and fallback is not None else found


def _environment(ev: Evaluator, site: CallSite, frame: Frame | None) -> Values:
    node = site.node
    default = node.args[1] if len(node.args) > 1 else next((k.value for k in node.keywords if k.arg == "default"), None)
    first = node.args[0] if node.args else None
    name = first.value if isinstance(first, ast.Constant) and isinstance(first.value, str) else "that is set"
    given = ev.options.environment(name, site.scope.module)
    if given:
        return given
    if default is None:
        return UNKNOWN
    return step(
        ev.evaluate(default, site.scope, frame), f"default of the environment variable {name}", site.scope.location(default)
    )


def _number(value: Value) -> Value:
    if isinstance(value, Known) and isinstance(value.value, str):
        parsed = worth.parse(value.value)
        return replace(value, value=parsed) if isinstance(parsed, int | float) else value
    return value


def _converted(name: str, value: Value) -> Value:
    value = _number(value)
    if isinstance(value, Known) and isinstance(value.value, int | float):
        try:
            converted = NUMERIC[name](value.value)
        except (OverflowError, ValueError):
            return Unknown()
        return replace(value, value=converted)
    return Unknown()


def _text(value: Value) -> Value:
    if not isinstance(value, Known):
        return Unknown()
    return value if isinstance(value.value, str) else replace(value, value=repr(value.value))


def _builtin(ev: Evaluator, site: CallSite, frame: Frame | None) -> Values:
    name = tail(site.node.func)
    arguments = [ev.evaluate(argument, site.scope, frame) for argument in site.node.args]
    if (
        len(arguments) == 1
        and len(arguments[0]) == 1
        and isinstance(arguments[0][0], Items)
        and name in {"max", "min", "sum", "len"}
    ):
        items = arguments[0][0].items
        if name == "len":
            return (Known(len(items), site.scope.location(site.node)),)
        arguments = list(items)
    if not all(len(values) == 1 and isinstance(values[0], Known) for values in arguments):
        return UNKNOWN
    numbers = [values[0].value for values in arguments if isinstance(values[0], Known)]
    if not numbers or not all(isinstance(number, int | float) for number in numbers):
        return UNKNOWN
    return _reduced(name, numbers, site)  # type: ignore[arg-type]


def _reduced(name: str, numbers: list[int | float], site: CallSite) -> Values:
    origin = site.scope.location(site.node)
    if name == "range":
        steps = range(*[int(number) for number in numbers[:3]]) if all(isinstance(n, int) for n in numbers) else range(0)
        return (Items(tuple((Known(i, origin),) for i in steps), origin),) if 0 < len(steps) <= 64 else UNKNOWN
    if name == "pow":
        return UNKNOWN
    reduce: dict[str, Callable[[list[int | float]], int | float]] = {"max": max, "min": min, "sum": sum}
    return (Known(reduce[name](numbers), origin),) if name in reduce else UNKNOWN


def _mathematics(ev: Evaluator, site: CallSite, frame: Frame | None) -> Values:
    name = ev.external(site.node.func, site.scope) or tail(site.node.func)
    arguments = [ev.evaluate(argument, site.scope, frame) for argument in site.node.args]
    if not arguments or not all(len(values) == 1 and isinstance(values[0], Known) for values in arguments):
        return (Made(name, site, frame),)
    try:
        result = MATH[name.rsplit(".", 1)[-1]](*[values[0].value for values in arguments if isinstance(values[0], Known)])
    except (ArithmeticError, TypeError, ValueError):
        return UNKNOWN
    return (Known(result, site.scope.location(site.node)),)


def _getattr(ev: Evaluator, site: CallSite, frame: Frame | None) -> Values | None:
    node, scope = site.node, site.scope
    if len(node.args) < 2:
        return None
    names = ev.evaluate(node.args[1], scope, frame)
    found = []
    for value in ev.evaluate(node.args[0], scope, frame):
        for name in names:
            got = (
                attributes.member(ev, value, name.value, node, scope)
                if isinstance(name, Known) and isinstance(name.value, str)
                else UNKNOWN
            )
            if len(node.args) > 2 and all(isinstance(part, Unknown) for part in got):
                got = ev.evaluate(node.args[2], scope, frame)
            found.append(got)
    return join(found)


def _partial(ev: Evaluator, site: CallSite, frame: Frame | None) -> Values | None:
    if not site.node.args:
        return None
    given = tuple((k.arg, ev.evaluate(k.value, site.scope, frame)) for k in site.node.keywords if k.arg is not None)
    functions = ev.evaluate(site.node.args[0], site.scope, frame)
    return tuple(Bound(value.target, None, site, given) for value in functions if isinstance(value, Ref)) or UNKNOWN


def _path(ev: Evaluator, site: CallSite, frame: Frame | None) -> Values:
    parts = [ev.evaluate(argument, site.scope, frame) for argument in site.node.args]
    texts = [
        values[0].value
        for values in parts
        if len(values) == 1 and isinstance(values[0], Known) and isinstance(values[0].value, str)
    ]
    return (Known("/".join(texts), site.scope.location(site.node)),) if texts else UNKNOWN


_RULES: dict[str, Rule] = {
    **{f"builtins.{name}": _conversion for name in NUMERIC},
    **{f"builtins.{name}": _builtin for name in ("max", "min", "sum", "len", "range", "pow")},
    **dict.fromkeys(("os.environ.get", "os.getenv", "environ.get", "getenv"), _environment),
    **dict.fromkeys(("builtins.vars", "dataclasses.asdict", "attr.asdict", "attrs.asdict"), _tabled),
    **dict.fromkeys(("dataclasses.replace", "copy.replace", "attr.evolve", "attrs.evolve"), _with_changes),
    **dict.fromkeys(("os.path.join", "posixpath.join"), _path),
    "builtins.str": _to_text,
    "builtins.dict": containers.namespace,
    "builtins.zip": containers.zipped,
    "builtins.enumerate": containers.numbered,
    "builtins.getattr": _getattr,
    "functools.partial": _partial,
}
"""Calls with a meaning of their own, by qualified name."""
