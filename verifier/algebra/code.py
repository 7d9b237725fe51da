"""An expression of code, ready to be matched: its parts in the forms that are asked for, and the names they go by."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import IntEnum

from verifier.algebra.guards import GUARDING, has_epsilon
from verifier.algebra.heads import is_known
from verifier.algebra.normal import Form, Normalizer
from verifier.algebra.rewrites import is_count
from verifier.algebra.terms import Term, scaled, split
from verifier.model.expression import Apply, Expr, Number, Symbol

MAX_PARTS = 300
_REDUCED = frozenset({"mean", "sum", "E", "dot", "var", "std", "norm", "normalize", "logsumexp"})
_VARYING = frozenset({"neg", "sqrt", "rsqrt", "square", "reciprocal", "abs", "log", "log2", "log10", "log1p", "exp"})

_WEIGHT = re.compile(r"weight|coef|mask|lambda|lambd|lam|\bbeta|_beta|_w$|\bw_")

_EXP = ("exp", "log", "sum", "mean")
_BECOMES: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("sigmoid", "softplus", "logsigmoid", "silu", "expm1", "log1p", "logaddexp"), ("sigmoid", *_EXP)),
    **dict.fromkeys(("softmax", "log_softmax", "logsumexp", "sum", "exp", "log"), ("softmax", "logsumexp", "sigmoid", *_EXP)),
    **dict.fromkeys(("log2", "log10"), ("log",)),
    **dict.fromkeys(("norm", "normalize", "dot"), ("sum", "abs", "amax", "max")),
    **dict.fromkeys(("var", "std", "E", "mean"), ("mean", "sum")),
    **dict.fromkeys(("min", "max", "relu", "clip"), ("min", "max", "amin", "amax")),
    **dict.fromkeys(("where", "indicator", ">", "<=", ">=", "not"), ("<", "where")),
    **dict.fromkeys(("sqrt", "**", "square", "rsqrt"), ("abs", "exp")),
    "gelu": ("erf",),
    "floordiv": ("floor",),
}


class Context(IntEnum):
    """How a part stands in the whole."""

    ROOT = 0
    AVERAGED = 1
    INSIDE = 2
    VARIED = 3


@dataclass(frozen=True, slots=True)
class Part:
    """A part of an expression.

    Attributes:
        expr: the part as lifted.
        term: in normal form.
        context: `ROOT` for the whole; `AVERAGED` when only a mean stands around it; `VARIED` when all that stands around it is a
            sign, a number or a root, so that the whole is another version of the part; else `INSIDE`.
        altered: what stands around it makes something else of it: other terms, functions, factors that speak of the same quantities.
    """

    expr: Expr
    term: Term
    context: Context
    altered: bool = False


@dataclass(slots=True)
class View:
    """An expression in one form.

    Attributes:
        normalizer: what made it. root: the whole. parts: its parts.
        whole: the keys of all that stands in it as such.
        labelled: what its names stand for: symbols, and parts that have a name.
    """

    normalizer: Normalizer
    root: Term
    parts: tuple[Part, ...]
    whole: frozenset[int]
    labelled: tuple[Term, ...]


@dataclass(slots=True)
class Shared:
    """What the expressions of one repository share: equal parts are one object, brought into each normal form once.

    Attributes:
        parts: structure of an expression -> the one object for it.
        known: id of an expression met before -> that expression, kept alive, and the one object for it.
        names: key of a term, in any form -> the names under which code holds it.
    """

    parts: dict[tuple[object, ...], Expr] = field(default_factory=dict)
    known: dict[int, tuple[Expr, Expr]] = field(default_factory=dict)
    names: dict[int, set[str]] = field(default_factory=dict)
    normalizers: dict[Form, Normalizer] = field(default_factory=dict)

    def one(self, expr: Expr) -> Expr:
        """The one object for an expression."""
        met = self.known.get(id(expr))
        if met is not None:
            return met[1]
        if isinstance(expr, Apply):
            args = tuple([self.one(item) for item in expr.args])
            found = self.parts.setdefault((expr.head, expr.axis, *map(id, args)), Apply(expr.head, args, expr.axis))
        else:
            found = self.parts.setdefault(("", expr), expr)
        self.known[id(expr)] = (expr, found)
        return found

    def normalizer(self, form: Form) -> Normalizer:
        """What brings expressions into a form."""
        found = self.normalizers.get(form)
        if found is None:
            found = self.normalizers[form] = Normalizer(form, self.names)
        return found


@dataclass(slots=True)
class Code:
    """An expression of code.

    Attributes:
        expr: as lifted.
        views: the forms made so far.
        heads: the heads in the expression as lifted.
        symbols: the names of its symbols and unknown functions.
        labels: the names of its named parts.
        inner: the names of those that are computed.
        all_names: both.
        shared: what it shares with other expressions of the repository.
        nodes: all that stands in it, each once.
        potential: the heads that any of its normal forms may hold.
        constants: the names of its constants.
        sizable: of those the ones that are not tiny.
        is_guarded: whether there is something in it that may only keep numbers in range.
    """

    expr: Expr
    shared: Shared = field(default_factory=Shared)
    nodes: tuple[Expr, ...] = ()
    views: dict[Form, View] = field(default_factory=dict)
    heads: frozenset[str] = frozenset()
    symbols: frozenset[str] = frozenset()
    labels: frozenset[str] = frozenset()
    inner: frozenset[str] = frozenset()
    all_names: frozenset[str] = frozenset()
    potential: frozenset[str] = frozenset()
    constants: frozenset[str] = frozenset()
    sizable: frozenset[str] = frozenset()
    is_guarded: bool = False

    def __post_init__(self) -> None:
        heads: set[str] = set()
        symbols: set[str] = set()
        labels: set[str] = set()
        inner: set[str] = set()
        constants: set[str] = set()
        sizable: set[str] = set()
        self.expr = self.shared.one(self.expr)
        bare = _bare(self.expr)
        stack: list[Expr] = [self.expr]
        seen: dict[int, Expr] = {}
        while stack:
            item = stack.pop()
            if id(item) in seen:
                continue
            seen[id(item)] = item
            if not isinstance(item, Apply):
                self.is_guarded |= has_epsilon(item)
            if isinstance(item, Symbol):
                symbols.add(item.name)
            elif isinstance(item, Apply):
                if item.head == "named" and isinstance(item.args[0], Symbol):
                    labels.add(item.args[0].name)
                    if isinstance(item.args[1], Number):
                        constants.add(item.args[0].name)
                        if not has_epsilon(item.args[1]):
                            sizable.add(item.args[0].name)
                    if isinstance(item.args[1], Apply) and _bare(item) is not bare:
                        inner.add(item.args[0].name)
                    stack.append(item.args[1])
                    continue
                heads.add(item.head)
                if not is_known(item.head):
                    symbols.add(item.head)
                stack.extend(item.args)
        self.nodes = tuple(seen.values())
        self.heads = frozenset(heads)
        self.is_guarded |= bool(heads & GUARDING)
        self.potential = self.heads.union(*(_BECOMES.get(head, ()) for head in heads))
        self.symbols = frozenset(symbols)
        if "sum" in self.potential and any(map(is_count, symbols)):
            self.potential |= {"mean"}
        self.labels = frozenset(labels)
        self.inner = frozenset(inner)
        self.constants = frozenset(constants)
        self.sizable = frozenset(sizable)
        self.all_names = self.symbols | self.labels

    @property
    def names(self) -> dict[int, set[str]]:
        """Key of a term, in any form -> the names under which code holds it."""
        return self.shared.names

    def view(self, form: Form) -> View:
        """The expression and its parts in a form; forms that cannot differ for it are one."""
        found = self.views.get(form)
        if found is None:
            own = self._own(form)
            found = self.views[own] = self.views.get(own) or self._made(own)
            self.views[form] = found
        return found

    def _own(self, form: Form) -> Form:
        shallow = bool(self.inner) and (form.shallow or form.kept >= self.inner)
        kept = form.kept - self.inner if shallow else form.kept & self.labels
        return form._replace(
            constants=form.constants or not self.constants,
            gradients=form.gradients and "stopgrad" in self.heads,
            reductions=form.reductions or not self.heads & _REDUCED,
            guards=form.guards or not self.is_guarded,
            inward=False,
            shallow=shallow,
            kept=kept & self.labels if form.constants else kept & self.inner,
        )

    def _made(self, form: Form) -> View:
        normalizer = self.shared.normalizer(form)
        expr = _bare(self.expr) if form.shallow or form.kept else self.expr
        whole = frozenset([normalizer(item).key for item in self.nodes])
        labelled = {}
        for item in self.nodes:
            if isinstance(item, Symbol) or (isinstance(item, Apply) and item.head == "named" and item is not self.expr):
                term = normalizer(item)
                labelled[term.key] = term
        return View(normalizer, normalizer(expr), tuple(_parts(expr, normalizer)), whole, tuple(labelled.values()))


def _parts(expr: Expr, normalizer: Normalizer) -> Iterator[Part]:
    seen: set[int] = set()
    queue: list[tuple[Expr, Context, bool]] = [(expr, Context.ROOT, False)]
    for item, context, altered in queue:
        term = normalizer(item)
        if term.key not in seen:
            seen.add(term.key)
            yield Part(item, term, context, altered)
            coefficient, rest = split(term)
            if coefficient != 1 and rest.head == "mean" and context <= Context.AVERAGED:
                yield Part(item, scaled(coefficient, rest.args[0]), Context.AVERAGED, altered)
        if isinstance(item, Apply) and item.head == "named" and context is Context.INSIDE:
            continue  # it has a definition of its own
        if isinstance(item, Apply) and len(queue) < MAX_PARTS:
            several = item.head in ("tuple", "cat") and context is Context.ROOT
            queue.extend(
                (inner, _below(item, inner, context), altered or _alters(item, inner))
                for inner in (map(_bare, item.args) if several else item.args)
                if isinstance(inner, Apply)
            )


def _below(outer: Apply, inner: Expr, context: Context) -> Context:
    """The context of an operand, given that of the operation."""
    if context is Context.INSIDE or outer.head == "named":
        return context
    if outer.head in ("tuple", "cat"):
        return Context.ROOT
    if outer.head in ("mean", "E", "stopgrad"):
        return max(context, Context.AVERAGED)
    if outer.head in _VARYING or outer.head == "sum":
        return Context.VARIED
    if outer.head in ("*", "/", "**") and all(isinstance(_bare(other), Number) for other in outer.args if other is not inner):
        return Context.VARIED
    return Context.INSIDE


def _alters(outer: Apply, inner: Expr) -> bool:
    """Whether an operation makes something else of its operand, rather than a selected or averaged version of it."""
    if outer.head == "*":
        return not all(_is_weight(other) for other in outer.args if other is not inner)
    return outer.head in ("+", "-", "**", "/") or outer.head in _VARYING - {"neg"}


def _is_weight(factor: Expr) -> bool:
    """Whether a factor only says how much something counts."""
    name = factor.args[0].name if isinstance(factor, Apply) and factor.head == "named" else getattr(factor, "name", "")  # type: ignore[union-attr]
    return bool(_WEIGHT.search(name))


def _bare(expr: Expr) -> Expr:
    while isinstance(expr, Apply) and expr.head == "named":
        expr = expr.args[1]
    return expr
