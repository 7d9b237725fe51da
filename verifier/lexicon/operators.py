"""Operators of libraries: what their functions, methods and modules compute, read from rules/operators.

A pack maps signatures to meanings, `add(x, other, alpha=1)` to `x + alpha*other`, both in Python's expression syntax; the heads of a
meaning are those of `verifier.model.expression`. `reduce(x)` in a meaning is the mean, the sum or nothing, as the parameter
`reduction` says. Where packs name the same method, the lower `rank` wins. A meaning `special einsum` names a rule that no template can
state; code holds it.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from pathlib import Path
from typing import Any

from verifier.errors import RuleError
from verifier.model.expression import Apply, Expr, Number, Symbol
from verifier.resources import data_folder

_BINARY: dict[type[ast.operator], str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.Pow: "**", ast.MatMult: "@",
}  # fmt: skip
_COMPARE: dict[type[ast.cmpop], str] = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!="}
_KEYS = frozenset({
    "library", "roots", "methods", "elementwise", "reductions", "along", "functions", "modules", "transparent", "transparent_modules",
    "wrappers", "constants", "aliases", "examples", "rank", "layers",
})  # fmt: skip


@dataclass(frozen=True, slots=True)
class Operator:
    """What a function computes.

    Attributes:
        parameters: their names in order.
        defaults: parameters with a default that counts: an expression, or a word such as `mean`.
        meaning: an expression with the parameters as symbols; None for a special rule.
        special: the name of the special rule, empty when there is none.
    """

    parameters: tuple[str, ...]
    defaults: tuple[tuple[str, Expr], ...] = ()
    meaning: Expr | None = None
    special: str = ""


@dataclass(frozen=True, slots=True)
class ModuleOperator:
    """What calling an instance of a class computes: `construct` binds the constructor's arguments, `call` those of the call."""

    construct: Operator
    call: Operator


@dataclass(slots=True)
class Operators:
    """All packs together.

    Attributes:
        functions: qualified name -> operator. methods: bare name -> operator with the receiver as first parameter.
        modules: qualified class -> what its instances compute.
        layers: those modules that formulas mostly name rather than write out.
        transparent: qualified functions, and bare methods after a `.`, whose result is their first operand.
        wrappers: qualified functions that return the function they are given.
        constants: qualified name -> symbol. aliases: conventional name of an import -> module.
        examples: (code, meaning) pairs, by library.
    """

    functions: dict[str, Operator] = field(default_factory=dict)
    methods: dict[str, Operator] = field(default_factory=dict)
    modules: dict[str, ModuleOperator] = field(default_factory=dict)
    layers: set[str] = field(default_factory=set)
    transparent: set[str] = field(default_factory=set)
    transparent_modules: set[str] = field(default_factory=set)
    wrappers: set[str] = field(default_factory=set)
    constants: dict[str, str] = field(default_factory=dict)
    aliases: dict[str, str] = field(default_factory=dict)
    examples: list[tuple[str, str, str]] = field(default_factory=list)


@lru_cache(maxsize=1)
def operators() -> Operators:
    """Every pack of rules/operators.

    Raises:
        RuleError: a pack is malformed.
    """
    import yaml

    table, packs = Operators(), []
    for path in sorted(data_folder("rules").joinpath("operators").glob("*.yaml")):
        try:
            pack = yaml.load(path.read_text(encoding="utf-8"), Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))  # noqa: S506
        except yaml.YAMLError as error:
            raise RuleError("not valid YAML: " + " ".join(str(error).split()), path.name) from error
        packs.append((pack, path))
    for pack, path in sorted(packs, key=lambda entry: entry[0].get("rank", 1)):
        _add(table, pack, path)
    return table


def _add(table: Operators, pack: dict[str, Any], path: Path) -> None:
    unknown = sorted(set(pack) - _KEYS)
    if unknown:
        raise RuleError(f"unknown key {unknown[0]}; known are {', '.join(sorted(_KEYS))}", path.name)
    signatures: dict[str, str] = {f"{name}(x)": f"{name}(x)" for name in pack.get("elementwise", [])}
    signatures |= {f"{name}(x, dim, keepdim)": f"{name}(x)" for name in pack.get("reductions", [])}
    signatures |= {f"{name}(x, dim)": f"{name}(x)" for name in pack.get("along", [])}
    signatures |= pack.get("functions", {})
    for signature, meaning in signatures.items():
        name, operator = _operator(signature, str(meaning), path)
        for root in pack["roots"]:
            table.functions.setdefault(f"{root}.{name}", operator)
        if pack.get("methods") and "." not in name:
            table.methods.setdefault(name, operator)
    for signature, meaning in (pack.get("modules", {}) | pack.get("layers", {})).items():
        name, module = _module(signature, str(meaning), path)
        for root in pack["roots"]:
            table.modules.setdefault(f"{root}.{name}", module)
            if signature in pack.get("layers", {}):
                table.layers.add(f"{root}.{name}")
    for name in pack.get("transparent", []):
        table.transparent.update(f"{root}.{name}" for root in pack["roots"])
        if pack.get("methods") and "." not in name:
            table.transparent.add(f".{name}")
    table.transparent_modules.update(f"{root}.{name}" for root in pack["roots"] for name in pack.get("transparent_modules", []))
    table.wrappers.update(f"{root}.{name}" for root in pack["roots"] for name in pack.get("wrappers", []))
    table.constants.update(
        {f"{root}.{name}": symbol for root in pack["roots"] for name, symbol in pack.get("constants", {}).items()}
    )
    table.aliases.update(pack.get("aliases", {}))
    table.examples.extend((path.stem, str(code), str(meaning)) for code, meaning in pack.get("examples", {}).items())


def _operator(signature: str, meaning: str, path: Path) -> tuple[str, Operator]:
    node = _parse(signature, path)
    if not isinstance(node, ast.Call):
        raise RuleError(f"`{signature}` is no signature, write `name(x, y)`", path.name)
    return ast.unparse(node.func), _bound(node, meaning, path)


def _bound(node: ast.Call, meaning: str, path: Path) -> Operator:
    parameters = [ast.unparse(argument) for argument in node.args] + [keyword.arg or "" for keyword in node.keywords]
    defaults = tuple((keyword.arg or "", template(keyword.value, path.name)) for keyword in node.keywords)
    if meaning.startswith("special "):
        return Operator(tuple(parameters), defaults, None, meaning.split()[1])
    return Operator(tuple(parameters), defaults, template(_parse(meaning, path), path.name))


def _module(signature: str, meaning: str, path: Path) -> tuple[str, ModuleOperator]:
    node = _parse(signature, path)
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Call):
        raise RuleError(f"`{signature}` is no signature of a module, write `Name(option=1)(x)`", path.name)
    construct = _bound(node.func, "None", path)
    return ast.unparse(node.func.func), ModuleOperator(construct, _bound(node, meaning, path))


def _parse(text: str, path: Path) -> ast.expr:
    try:
        return ast.parse(text, mode="eval").body
    except SyntaxError as error:
        raise RuleError(f"`{text}` is not an expression: {error.msg}", path.name) from error


def template(node: ast.expr, where: str = "") -> Expr:
    """The expression that a meaning writes.

    Raises:
        RuleError: it holds something that meanings do not have.
    """
    match node:
        case ast.Constant(value=bool() | str() | None as value):
            return Symbol(str(value))
        case ast.Constant(value=int() | float() as value):
            return Number(Fraction(repr(value)))
        case ast.Name(id=name):
            return Symbol(name)
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return Apply("neg", (template(operand, where),))
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _BINARY:
            return Apply(_BINARY[type(op)], (template(left, where), template(right, where)))
        case ast.Compare(left=left, ops=[op], comparators=[right]) if type(op) in _COMPARE:
            return Apply(_COMPARE[type(op)], (template(left, where), template(right, where)))
        case ast.Call(func=ast.Name(id=head), args=args, keywords=[]):
            return Apply(head, tuple(template(argument, where) for argument in args))
        case ast.Tuple(elts=elements):
            return Apply("tuple", tuple(template(element, where) for element in elements))
    raise RuleError(f"`{ast.unparse(node)}` is not understood in a meaning", where)
