"""The normal form: identities of the functions of machine learning, applied from the inside out.

`sqrt`, `/`, `rsqrt` become powers; `norm`, `var`, `std`, `dot`, `normalize` become sums and means; `silu`, `relu`, `softplus`,
`log_softmax`, `log1p`, `expm1`, `lerp`, `clip` become what they are made of. The sum of a number times x is the number times the sum.
A `Form` chooses between variants of the same normal form.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

from verifier.algebra import terms as t
from verifier.algebra.guards import unguarded
from verifier.algebra.heads import ARITY, CONSTANTS
from verifier.algebra.rewrites import ELEMENTARY, REWRITES
from verifier.algebra.terms import ONE, Term
from verifier.model.expression import Apply, Expr, Number, Symbol

MAX_DEPTH = 120


class Form(NamedTuple):
    """A variant of the normal form.

    Attributes:
        constants: constants of code with a name count as numbers; else as symbols of that name.
        gradients: `stopgrad` counts.
        reductions: `mean` and `sum` count; else they are left out.
        elementary: `sigmoid`, `softmax`, `logsumexp`, `gelu` are written out, and logarithms of products taken apart.
        expanded: products of sums are multiplied out, and means of sums taken apart.
        inward: factors beside a lone sum or mean are moved into it.
        guards: what only keeps numbers in range counts: bounds and terms that are tiny, rounding, a zero where a quotient has no value.
        shallow: what code holds under a name counts as that name, so that the expression is read as the statement is written.
        kept: the same for these names only.
    """

    constants: bool = True
    gradients: bool = False
    reductions: bool = True
    elementary: bool = False
    expanded: bool = False
    inward: bool = False
    guards: bool = True
    shallow: bool = False
    kept: frozenset[str] = frozenset()


@dataclass(slots=True)
class Normalizer:
    """Brings expressions of one origin into one form.

    Attributes:
        form: the variant.
        names: key of a term -> the names under which code holds it.
        seen: id of an expression -> that expression, kept alive, and its term.
    """

    form: Form
    names: dict[int, set[str]] = field(default_factory=dict)
    seen: dict[int, tuple[Expr, Term]] = field(default_factory=dict)

    def __call__(self, expr: Expr, depth: int = 0) -> Term:
        """The normal form of an expression. What is nested too deeply becomes an opaque symbol."""
        known = self.seen.get(id(expr))
        if known is not None:
            return known[1]
        term = self._term(expr, depth)
        self.seen[id(expr)] = (expr, term)
        return term

    def _term(self, expr: Expr, depth: int) -> Term:
        if isinstance(expr, Number):
            return t.num(expr.value)
        if isinstance(expr, Symbol):
            return t.sym(expr.name)
        if depth > MAX_DEPTH:
            return t.sym("...")
        if expr.head == "named" and len(expr.args) == 2:
            return self._named(expr, depth)
        args = tuple([self(item, depth + 1) for item in expr.args])
        term = self.build(expr.head, args)
        if expr.head == "index" and args and args[0].key in self.names:
            self.names.setdefault(term.key, set()).update(self.names[args[0].key])
        return term

    def _named(self, expr: Apply, depth: int) -> Term:
        label, inner = expr.args
        name = label.name if isinstance(label, Symbol) else ""
        term = self(inner, depth + 1)
        if term.head == "num" and name and (not self.form.constants or name in self.form.kept):
            return t.sym(name)
        if term.head not in ("num", "sym") and (self.form.shallow or name in self.form.kept) and name:
            return t.sym(f"{name}_" if name in CONSTANTS else name)
        if name:
            self.names.setdefault(term.key, set()).add(name)
        return term

    def build(self, head: str, args: tuple[Term, ...]) -> Term:
        """An operation on terms, in normal form."""
        form = self.form
        if head in ("stopgrad", "mean", "sum", "E") and len(args) == 1:
            if (head == "stopgrad" and not form.gradients) or (head != "stopgrad" and not form.reductions):
                return args[0]
        if not form.guards and (bare := unguarded(head, args)) is not None:
            return bare if isinstance(bare, Term) else self.build(*bare)
        if form.elementary and (rule := ELEMENTARY.get(head)) and len(args) == 1:
            return rule(self.build, args)
        if form.elementary and head in ("*", "**"):
            if not form.expanded:
                return t.mul(args) if head == "*" else t.power(*args)
        if head == "*" and form.expanded:
            return self._expanded(args)
        if head == "**" and form.expanded and args[0].head == "+" and args[1].head == "num" and args[1].value in (2, 3):
            return self._expanded((args[0],) * int(args[1].value))
        if head in ("mean", "sum") and form.expanded and len(args) == 1 and args[0].head == "+":
            return t.add(self.build(head, (item,)) for item in args[0].args)
        if head.endswith("arange") and len(args) > 2 and args[2].head == "num" and args[2].value:
            return t.scaled(args[2].value, t.node("arange", (t.scaled(1 / args[2].value, args[1]),)))
        rule = REWRITES.get(head)
        term = rule(self.build, args) if rule else t.node(head, args)
        return self._inward(term) if form.inward and term.head == "*" else term

    def _inward(self, product: Term) -> Term:
        reduced = [item for item in product.args if item.head in ("sum", "mean")]
        if len(reduced) != 1:
            return product
        (inner,) = reduced
        coefficient, rest = t.split(product)
        others = [item for item in t.factors_of(rest) if item is not inner]
        return t.scaled(coefficient, t.node(inner.head, (t.mul([*others, inner.args[0]]),))) if others else product

    def _expanded(self, factors: tuple[Term, ...]) -> Term:
        product = t.mul(factors)
        parts: list[Term] = [ONE]
        rest: list[Term] = []
        for factor in t.factors_of(product):
            base, count = factor, 1
            if factor.head == "**" and factor.args[1].head == "num" and factor.args[1].value in (2, 3):
                base, count = factor.args[0], int(factor.args[1].value)
            if base.head == "+" and len(parts) * len(base.args) ** count <= t.MAX_TERMS:
                for _ in range(count):
                    parts = [t.mul((left, right)) for left in parts for right in base.args]
            else:
                rest.append(factor)
        if len(parts) == 1 and parts[0].key == ONE.key:
            return product
        return t.add(t.mul((part, *rest)) for part in parts)


def substituted(
    term: Term, values: dict[str, Term], build: Callable[[str, tuple[Term, ...]], Term], opaque: dict[int, Term]
) -> Term:
    """The term with its symbols, and the opaque terms in it, replaced.

    Args:
        term: a term.
        values: name of a symbol, or of an unknown function -> what stands for it (a symbol with the function's name).
        build: makes an operation in normal form.
        opaque: key of a term in it -> what stands for that term as a whole.
    """
    if term.key in opaque:
        return opaque[term.key]
    if term.head == "sym":
        return values.get(term.name, term)
    if term.head == "num":
        return term
    head = term.head
    if head not in ARITY and (bound := values.get(f"{head}()")):
        head = bound.name
    args = tuple([substituted(item, values, build, opaque) for item in term.args])
    return build(head, args)
