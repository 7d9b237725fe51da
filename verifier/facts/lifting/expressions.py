"""Evaluate Python expressions to terms, in an environment."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from verifier.facts.lifting.lookups import PAIRED, Lookups, is_new_axis
from verifier.facts.lifting.loops import unwrapped
from verifier.facts.lifting.terms import (
    NONE,
    Class,
    Free,
    Function,
    Instance,
    Mapping,
    Member,
    Outside,
    Parameter,
    Sequence,
    Value,
    as_text,
    expression,
    facing,
    node,
    number,
    too_large,
    unnamed,
)
from verifier.facts.scopes import dotted
from verifier.model.expression import Apply, Expr, Number, Symbol

_BINARY: dict[type[ast.operator], str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.Pow: "**", ast.MatMult: "@", ast.Mod: "mod", ast.FloorDiv: "floordiv",
    ast.BitAnd: "and", ast.BitOr: "or", ast.BitXor: "xor", ast.LShift: "shift_left", ast.RShift: "shift_right",
}  # fmt: skip
_COMPARE: dict[type[ast.cmpop], str] = {
    ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!=", ast.Is: "is", ast.IsNot: "is not",
    ast.In: "in", ast.NotIn: "not in",
}  # fmt: skip
_TRANSPOSED = frozenset({"T", "mT", "H", "mH"})
_SAME = frozenset({"data", "real"})
_SHAPES = frozenset({"shape", "ndim", "dtype", "device"})
_LARGEST = 10**40


class Expressions(Lookups):
    """Evaluates expressions; statements and calls are handled by its base and its heir."""

    def value(self, tree: ast.expr) -> Value:
        """What an expression is worth."""
        handler = _HANDLERS.get(type(tree))
        return handler(self, tree) if handler is not None else Symbol(type(tree).__name__)

    def expr(self, tree: ast.expr) -> Expr:
        """What an expression is worth, as an expression of bounded size."""
        term = expression(self.value(tree))
        return Symbol(self.text(tree)) if too_large(term) else term

    def text(self, tree: ast.expr) -> str:
        """Short code as it is written, to name what is not computed further."""
        path = dotted(tree)
        if path is not None:
            return path
        written = ast.unparse(tree)
        return written if len(written) <= 60 else type(tree).__name__.lower()

    # --- names ------------------------------------------------------------------------------------------------------------

    def _name(self, tree: ast.Name) -> Value:
        known = self.env.get(tree.id)
        return known if known is not None else self.outer(tree.id)

    def outer(self, name: str) -> Value:
        """A name that the environment lacks: of an outer scope, of the builtins, or unknown."""
        owner = self.program.lookup(name, self.scope)
        if owner is None:
            if name in self.table.aliases:
                return Outside(self.table.aliases[name], name)
            return self.starred(name) or (Outside(f"builtins.{name}", name) if hasattr(builtins, name) else Symbol(name))
        if owner is self.scope:
            return self.defined_here(name) or Symbol(name)
        if owner.is_module:
            return self.lifter.global_value(name, owner) or Free(name, owner)
        return self.lifter.nested_function(name, owner) or Free(name, owner)

    def defined_here(self, name: str) -> Value | None:
        """A function, class or import of this scope that its environment lacks (defined below, or in a branch)."""
        return self.lifter.global_value(name, self.scope)

    def starred(self, name: str) -> Value | None:
        """A name that a star import may bring."""
        return self.lifter.starred(name, self.scope.module)

    def _attribute(self, tree: ast.Attribute) -> Value:
        path = dotted(tree)
        if path is not None and path in self.env:
            return self.env[path]
        return self.attribute(self.value(tree.value), tree.attr, path)

    def attribute(self, base: Value, name: str, path: str | None) -> Value:
        """An attribute of a value."""
        match base:
            case Outside():
                qualified = f"{base.name}.{name}"
                constant = self.table.constants.get(qualified)
                return Symbol(constant) if constant else Outside(qualified, f"{base.shown}.{name}")
            case Class(scope=scope):
                return self.lifter.member_value(scope, name) or Member(path or name, Symbol(scope.name), name)
            case Mapping(entries=entries):
                return entries.get(name, Symbol(path or name))
            case Instance():
                return self.lifter.instance_attribute(base, name, path or name)
        term = expression(base)
        if name in _SHAPES:
            return Symbol(path or name)
        if isinstance(term, Parameter) and term.name == self.receiver:
            return Member(path or name, term, name)
        if name in _TRANSPOSED:
            return node("transpose", term)
        if name in _SAME or (name == "values" and isinstance(unnamed(term), Apply) and unnamed(term).head in PAIRED):  # type: ignore[union-attr]
            return base
        if name == "indices":
            return self._indices(term)
        return Member(path or name, term, name)

    def _indices(self, term: Expr) -> Expr:
        inner = unnamed(term)
        return node(PAIRED[inner.head], *inner.args) if isinstance(inner, Apply) and inner.head in PAIRED else term

    # --- constants and containers -----------------------------------------------------------------------------------------

    def _constant(self, tree: ast.Constant) -> Value:
        value = tree.value
        if value is None:
            return NONE
        if isinstance(value, bool):
            return Symbol(str(value))
        if isinstance(value, int):
            return Number(Fraction(value)) if abs(value) < _LARGEST else Symbol("inf")
        if isinstance(value, float):
            return number(value) if abs(value) < _LARGEST else Symbol("inf")
        if isinstance(value, str):
            return Symbol(f"'{value[:200]}'")
        return Symbol("...")

    def _tuple(self, tree: ast.Tuple | ast.List | ast.Set) -> Value:
        items: list[Value] = []
        for element in tree.elts:
            if isinstance(element, ast.Starred):
                inner = self.value(element.value)
                items.extend(inner.items if isinstance(inner, Sequence) and inner.grown is None else (inner,))
            else:
                items.append(self.value(element))
        return Sequence(tuple(items))

    def _dict(self, tree: ast.Dict) -> Value:
        entries: dict[str, Value] = {}
        for key, value in zip(tree.keys, tree.values, strict=True):
            worth = self.value(value)
            if key is None:
                entries.update(worth.entries if isinstance(worth, Mapping) else {})
            elif isinstance(key, ast.Constant):
                entries[str(key.value)] = worth
        return Mapping(entries)

    def _starred(self, tree: ast.Starred) -> Value:
        return self.value(tree.value)

    def _await(self, tree: ast.Await) -> Value:
        return self.value(tree.value)

    def _lambda(self, tree: ast.Lambda) -> Value:
        return Function(self.program.scope_of[id(tree)])

    def _named_expr(self, tree: ast.NamedExpr) -> Value:
        self.bind(tree.target, self.value(tree.value), tree)
        return self.value(tree.target)

    # --- operations -------------------------------------------------------------------------------------------------------

    def _bin_op(self, tree: ast.BinOp) -> Value:
        left, right = self.value(tree.left), self.value(tree.right)
        if isinstance(tree.op, ast.Add) and isinstance(left, Sequence) and isinstance(right, Sequence):
            return Sequence(left.items + right.items, left.grown or right.grown, left.source or right.source)
        if isinstance(tree.op, ast.Mult) and isinstance(left, Sequence):
            return left if len(left.items) == 1 else Symbol(self.text(tree))
        if isinstance(tree.op, ast.Sub) and _pairwise(tree.left, tree.right):
            return self.binary(
                tree.op, node("index", expression(left), Symbol("i")), node("index", expression(right), Symbol("j"))
            )
        return self.binary(tree.op, expression(left), expression(right))

    def binary(self, op: ast.operator, left: Expr, right: Expr) -> Expr:
        """An operation of two terms; a sum divided by the number of its terms is a mean."""
        inner = unnamed(left)
        if as_text(inner) is not None or as_text(unnamed(right)) is not None:
            return Symbol("''")
        if (
            isinstance(op, ast.Div)
            and isinstance(inner, Apply)
            and inner.head == "sum"
            and isinstance(right, Symbol)
            and right.name == f"len({inner.axis})"
        ):
            return node("mean", inner.args[0])
        made = node(_BINARY[type(op)], left, facing(right) if isinstance(op, ast.MatMult) else right)
        return Symbol("...") if too_large(made) else made

    def _unary_op(self, tree: ast.UnaryOp) -> Value:
        operand = self.expr(tree.operand)
        if isinstance(tree.op, ast.UAdd):
            return operand
        if isinstance(tree.op, ast.USub):
            return Number(-operand.value) if type(operand) is Number else node("neg", operand)
        return node("not", operand)

    def _bool_op(self, tree: ast.BoolOp) -> Value:
        return node("and" if isinstance(tree.op, ast.And) else "or", *(self.expr(value) for value in tree.values))

    def _compare(self, tree: ast.Compare) -> Value:
        left = self.expr(tree.left)
        if len(tree.ops) == 1 and _pairwise(tree.left, tree.comparators[0]):
            pair = (node("index", left, Symbol("i")), node("index", self.expr(tree.comparators[0]), Symbol("j")))
            return node(_COMPARE[type(tree.ops[0])], *pair)
        parts: list[Expr] = []
        for op, comparator in zip(tree.ops, tree.comparators, strict=True):
            right = self.expr(comparator)
            parts.append(node(_COMPARE[type(op)], left, right))
            left = right
        return parts[0] if len(parts) == 1 else node("and", *parts)

    def _if_exp(self, tree: ast.IfExp) -> Value:
        known = self.program.truth(tree.test, self.scope)
        if known is not None:
            return self.value(tree.body if known else tree.orelse)
        condition = self.expr(tree.test)
        return self.choose(tree, condition, self.value(tree.body), self.value(tree.orelse))

    def _comprehension(self, tree: ast.ListComp | ast.GeneratorExp | ast.SetComp) -> Value:
        saved = dict(self.env)
        generator = tree.generators[0]
        source = self.value(generator.iter)
        if (
            len(tree.generators) == 1
            and not generator.ifs
            and isinstance(source, Sequence)
            and source.grown is None
            and 0 < len(source.items) <= 4
        ):
            items = []
            for item in source.items:
                self.bind_quietly(generator.target, item)
                items.append(self.value(tree.elt))
            self.env = saved
            return Sequence(tuple(items))
        for part in tree.generators:
            self.bind_each(part.target, part.iter)
        element = self.expr(tree.elt)
        self.env = saved
        return Sequence((), element, self.text(unwrapped(generator.iter)))

    def _dict_comp(self, tree: ast.DictComp) -> Value:
        saved = dict(self.env)
        source = self.value(tree.generators[0].iter)
        entries: dict[str, Value] = {}
        if len(tree.generators) == 1 and isinstance(source, Sequence):
            for item in source.items:
                self.bind_quietly(tree.generators[0].target, item)
                key = as_text(self.value(tree.key))
                if key is not None:
                    entries[key] = self.value(tree.value)
        self.env = saved
        return Mapping(entries) if entries else Symbol("dict")

    def _slice(self, tree: ast.Slice) -> Value:
        return Symbol(self.text(tree))

    def _joined_str(self, _: ast.JoinedStr) -> Value:
        return Symbol("''")


def _pairwise(left: ast.expr, right: ast.expr) -> bool:
    """Whether both sides get a new axis, in different places, so that each element meets each: `x[:, None] - y[None, :]`."""
    axes = (_new_axis(left), _new_axis(right))
    return None not in axes and axes[0] != axes[1]


def _is_ellipsis(tree: ast.expr) -> bool:
    return isinstance(tree, ast.Constant) and tree.value is ...


def _new_axis(tree: ast.expr) -> str | None:
    if isinstance(tree, ast.Subscript):
        parts = tree.slice.elts if isinstance(tree.slice, ast.Tuple) else [tree.slice]
        places = [i for i, part in enumerate(parts) if is_new_axis(part) and not _is_ellipsis(part)]
        return str(places) if places else None
    if (
        isinstance(tree, ast.Call)
        and isinstance(tree.func, ast.Attribute)
        and tree.func.attr in {"unsqueeze", "expand_dims"}
        and tree.args
    ):
        return ast.unparse(tree.args[0])
    return None


_HANDLERS: dict[type[ast.expr], Callable[[Expressions, Any], Value]] = {
    ast.Name: Expressions._name,
    ast.Attribute: Expressions._attribute,
    ast.Constant: Expressions._constant,
    ast.Tuple: Expressions._tuple,
    ast.Dict: Expressions._dict,
    ast.Starred: Expressions._starred,
    ast.Await: Expressions._await,
    ast.Lambda: Expressions._lambda,
    ast.NamedExpr: Expressions._named_expr,
    ast.BinOp: Expressions._bin_op,
    ast.UnaryOp: Expressions._unary_op,
    ast.BoolOp: Expressions._bool_op,
    ast.Compare: Expressions._compare,
    ast.IfExp: Expressions._if_exp,
    ast.DictComp: Expressions._dict_comp,
    ast.Subscript: Expressions.subscript,
    ast.Slice: Expressions._slice,
    ast.JoinedStr: Expressions._joined_str,
    ast.List: Expressions._tuple,
    ast.Set: Expressions._tuple,
    ast.ListComp: Expressions._comprehension,
    ast.GeneratorExp: Expressions._comprehension,
    ast.SetComp: Expressions._comprehension,
    ast.Call: Expressions.call_of,
}
