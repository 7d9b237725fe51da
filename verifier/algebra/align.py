"""Alignment: ways in which the symbols of a claimed formula may stand for parts of the code's expression.

The claim is laid over the code from the outside in, modulo the order of sums and products; a symbol takes whatever part is left for it.
Numeric coefficients and signs are not compared here: an alignment is a proposal, which is accepted only when the claim with its symbols
replaced is equal to the code. The number of steps is bounded.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction

from verifier.algebra.heads import ARITY, CONSTANTS, is_known
from verifier.algebra.kept import kept
from verifier.algebra.terms import ONE, Term, add, factors_of, mul, node, num, power, scaled, split, sym, terms_of

Affinity = Callable[[str, Term], int]
_COMMUTATIVE = frozenset({"min", "max", "==", "!=", "and", "or"})
_SQUARE = re.compile(r"(^|[._])(var|variance|\w*_var|\w+2|\w*(_sq|squared))$")
_ACTIVATIONS = frozenset({"sigmoid"})


@dataclass(frozen=True, slots=True)
class Binding:
    """What the symbols and unknown functions of a claim stand for.

    Attributes:
        values: name of a symbol, or of a function with `()` -> the term it stands for (a symbol with the function's name).
        opaque: key of a claimed call that stands for something as a whole -> that.
        used: keys of the terms taken.
    """

    values: Mapping[str, Term] = field(default_factory=dict)
    opaque: Mapping[int, Term] = field(default_factory=dict)
    used: frozenset[int] = frozenset()

    def bind(self, name: str, term: Term) -> Binding:
        """This binding and one more symbol."""
        return Binding({**self.values, name: term}, self.opaque, self.used | {term.key})

    def covers(self, pattern: Term) -> bool:
        """Whether every symbol and unknown function of the pattern stands for something."""
        if _asked(pattern) <= self.values.keys():
            return True
        return bool(self.opaque) and self._covers(pattern)

    def _covers(self, pattern: Term) -> bool:
        if pattern.key in self.opaque:
            return True
        if pattern.head == "sym":
            return pattern.name in self.values or pattern.name in CONSTANTS
        if pattern.head != "num" and not is_known_term(pattern.head) and f"{pattern.head}()" not in self.values:
            return False
        return all(self._covers(item) for item in pattern.args)


@kept(16384)
def _asked(pattern: Term) -> frozenset[str]:
    """The names under which a binding holds the symbols and unknown functions of a pattern."""
    functions = [f"{head}()" for head in pattern.heads if not is_known_term(head)]
    return (pattern.symbols - CONSTANTS).union(functions)


def is_known_term(head: str) -> bool:
    """Whether a head of a term means something, rather than naming an unknown function."""
    return is_known(head) or head in ("amin", "amax")


@dataclass(slots=True)
class Aligner:
    """Lays one claim over terms of code.

    Attributes:
        affinity: how well a name and a term of code go together: negative when they must not.
        once: the symbols that the claim names once only.
        same: whether two terms of code are equal.
        whole: keys of the terms that stand in code as such; a symbol stands for one of these, or for several of them together.
        named: the terms that have a name of their own in code.
        budget: steps left.
    """

    affinity: Affinity
    once: frozenset[str]
    same: Callable[[Term, Term], bool]
    whole: frozenset[int] | set[int]
    named: Mapping[int, set[str]]
    budget: int = 4000

    def align(self, p: Term, c: Term, b: Binding) -> Iterator[Binding]:
        """The bindings under which the claim's term `p` may be the code's term `c`, the likeliest first."""
        self.budget -= 1
        if self.budget < 0:
            return
        if p.head == "sym":
            yield from self.symbol(p.name, c, b)
        elif p.head == "num" or not p.symbols and not (p.heads - ARITY.keys()):
            if p.key == c.key:
                yield b
        elif p.head == "+":
            yield from self.sum(p, c, b)
        elif p.head == "*":
            yield from self.product(p, c, b)
        elif p.head == "**":
            yield from self.power(p, c, b)
        elif not is_known_term(p.head):
            yield from self.unknown(p, c, b)
        elif p.head == c.head and len(p.args) == len(c.args) or (p.head == c.head and p.head in ("min", "max")):
            yield from self.known(p, c, b)
        elif p.head == "@" and not is_known_term(c.head) and len(p.args) == 2 and c.args:
            yield from self.linear(p, c, b)

    # one symbol

    def symbol(self, name: str, c: Term, b: Binding) -> Iterator[Binding]:
        """The symbol stands for the term, unless it stands for something else."""
        if name in CONSTANTS and name not in b.values:
            if c.head == "sym" and c.name == name:
                yield b
            elif c.head == "sym" and (name != "pi" or self.affinity(name, c) > 0):
                yield b.bind(name, c)
            return
        held = b.values.get(name)
        if held is not None:
            if self.same(held, c):
                yield b
            return
        if (c.key in b.used and c.head != "num") or not self.stands(c) or self.affinity(name, c) < 0:
            return
        yield b.bind(name, c)

    def stands(self, c: Term) -> bool:
        """Whether a symbol may stand for a term: no sign, factor or exponent of the code is taken into it."""
        if c.head in ("sym", "num", "index", "arange") or c.key in self.named:
            return True
        if c.head == "+":
            return c.key in self.whole or scaled(Fraction(-1), c).key in self.whole
        coefficient, rest = split(c)
        if coefficient != 1:
            return rest.head == "*" and coefficient > 0 and c.key in self.whole
        if c.head == "*":
            return any(not (item.head == "**" and item.args[1].head == "num" and item.args[1].value < 0) for item in c.args)
        if c.head == "**" and c.args[1].head == "num" and c.args[1].value < 0:
            return False
        return c.key in self.whole or not c.symbols

    # functions

    def known(self, p: Term, c: Term, b: Binding) -> Iterator[Binding]:
        """The same function on both sides."""
        if p.head in _COMMUTATIVE:
            yield from self.shuffled(list(p.args), list(c.args), b, p.head)
            return
        yield from self.pairwise(p.args, c.args, b)
        if p.head == "where" and p.args[0].head == c.args[0].head == "<":
            turned = node("<", c.args[0].args[::-1])
            yield from self.pairwise(p.args, (turned, c.args[2], c.args[1]), b)

    def pairwise(self, ps: tuple[Term, ...], cs: tuple[Term, ...], b: Binding) -> Iterator[Binding]:
        """Operands in order."""
        if not ps:
            yield b
            return
        for bound in self.align(ps[0], cs[0], b):
            yield from self.pairwise(ps[1:], cs[1:], bound)

    def shuffled(self, ps: list[Term], cs: list[Term], b: Binding, head: str) -> Iterator[Binding]:
        """Operands in any order; a last symbol takes all that is left of a minimum or maximum."""
        if not ps:
            if not cs:
                yield b
            return
        ps = sorted(ps, key=lambda item: (item.head == "sym", -item.size))
        first, rest = ps[0], ps[1:]
        if first.head == "num" and first not in cs:
            return
        if not rest and len(cs) > 1 and first.head == "sym":
            yield from self.symbol(first.name, node(head, tuple(cs)), b)
            return
        for at in self.ranked(first, cs):
            for bound in self.align(first, cs[at], b):
                yield from self.shuffled(rest, cs[:at] + cs[at + 1 :], bound, head)

    def ranked(self, p: Term, cs: list[Term]) -> list[int]:
        """The places of candidates for a term of the claim, the likeliest first."""
        if p.head == "sym":
            return sorted(range(len(cs)), key=lambda at: (-self.affinity(p.name, cs[at]), at))
        shared = [len(p.heads & item.heads) - len(p.heads - item.heads) + 2 * (p.head == item.head) for item in cs]
        return sorted(range(len(cs)), key=lambda at: (-shared[at], abs(p.size - cs[at].size), at))

    def unknown(self, p: Term, c: Term, b: Binding) -> Iterator[Binding]:
        """An unknown function: one of the code's, a matrix product, or any part as a whole."""
        name = f"{p.head}()"
        held = b.values.get(name)
        if p.key in b.opaque:
            if self.same(b.opaque[p.key], c):
                yield b
            return
        callee = _callee(p, c)
        given = _given(c)
        if callee and (held is None or held.name == callee) and len(given) >= len(p.args):
            target = sym(callee)
            if held is not None or target.key not in b.used:
                for bound in self.pairwise(p.args, given[: len(p.args)], b.bind(name, target)):
                    yield bound if given == c.args else replace(bound, opaque={**bound.opaque, p.key: c})
                if given == c.args and len(given) == len(p.args) == 2:
                    yield from self.pairwise(p.args, given[::-1], b.bind(name, target))
        if c.head == "@" and len(p.args) == 1 and held is None:
            for left, right in ((c.args[:-1], c.args[-1]), (c.args[1:], c.args[0])):
                inner = left[0] if len(left) == 1 else node("@", left)
                for bound in self.align(p.args[0], inner, b):
                    yield replace(bound.bind(name, right), opaque={**bound.opaque, p.key: c})
        whole = held is None or any(term.key == held.key for term in b.opaque.values())
        if whole and all(item.head == "sym" for item in p.args) and c.head != "num" and c.key not in b.used:
            fit = self.affinity(p.head, c)
            if fit > 0 or (fit == 0 and (c.key in self.named or not is_known_term(c.head) or c.head in ("index", "call"))):
                given_symbols = {item.name: b.values.get(item.name, item) for item in p.args}
                yield replace(
                    b, values={**given_symbols, name: c, **b.values}, opaque={**b.opaque, p.key: c}, used=b.used | {c.key}
                )

    def linear(self, p: Term, c: Term, b: Binding) -> Iterator[Binding]:
        """A claimed `W @ x` where code calls a layer."""
        weight, x = p.args
        if weight.head == "transpose":
            weight = weight.args[0]
        if weight.head == "sym" and weight.name not in b.values and len(c.args) == 1:
            for bound in self.align(x, c.args[0], b.bind(weight.name, sym(c.head))):
                yield replace(bound, opaque={**bound.opaque, p.key: c})

    # powers, products, sums

    def is_square(self, c: Term) -> bool:
        """Whether the name of a term says that it is the square of something: a variance, `sigma2`, `norm_sq`."""
        names = {c.name} if c.head == "sym" else self.named.get(c.key, ())
        return any(_SQUARE.search(name) for name in names)

    def power(self, p: Term, c: Term, b: Binding) -> Iterator[Binding]:
        """The same exponent on both sides, or one that divides the code's."""
        base, exponent = p.args
        if exponent.head != "num":
            if c.head == "**":
                for bound in self.align(exponent, c.args[1], b):
                    yield from self.align(base, c.args[0], bound)
            return
        if c.head == "**" and c.args[1].key == exponent.key:
            yield from self.align(base, c.args[0], b)
            if exponent.value % 2 == 0 and c.args[0].head == "+":
                yield from self.align(base, scaled(Fraction(-1), c.args[0]), b)
            return
        if exponent.value == 2 and base.head == "sym" and base.name not in b.values and self.is_square(c):
            yield b.bind(base.name, power(c, num(Fraction(1, 2))))
        elif c.head in ("**", "*", "exp"):
            root = power(c, num(1 / exponent.value))
            if c.head == "exp" and base.head == "sym" and base.name not in b.values and self.affinity(base.name, c) >= 0:
                yield b.bind(base.name, root)
            elif root.size <= c.size and root.key != c.key:
                yield from self.align(base, root, b)

    def product(self, p: Term, c: Term, b: Binding) -> Iterator[Binding]:
        """Factors in any order; compound ones first, then symbols take what is left."""
        own, rest = split(p)
        theirs, other = split(c)
        symbols = [item for item in factors_of(rest) if item.head == "sym"]
        compound = sorted([item for item in factors_of(rest) if item.head != "sym"], key=_rank)
        left = [item for item in factors_of(other) if item.key != ONE.key]
        if len(left) + 1 < sum(item.name in self.once for item in symbols):
            return
        extra = num(abs(theirs)) if own in (1, -1) and abs(theirs) != 1 else None
        for bound, free in self.compounds(compound, left, b, self.factor):
            if extra is not None and symbols and (len(symbols) > 1 or not free):
                yield from self.share([item.name for item in symbols], [*free, extra], bound)
            yield from self.share([item.name for item in symbols], free, bound)

    def factor(self, p: Term, c: Term, b: Binding) -> Iterator[Binding]:
        """A compound factor; a sum also against the negated one."""
        yield from self.align(p, c, b)
        if p.head == c.head == "+":
            yield from self.align(p, scaled(Fraction(-1), c), b)

    def sum(self, p: Term, c: Term, b: Binding) -> Iterator[Binding]:
        """Terms in any order; compound ones first, then symbols take what is left, with its sign."""
        if len(terms_of(c)) < len(p.args) - 1:
            return
        plain = [item for item in p.args if split(item)[1].head == "sym" and abs(split(item)[0]) == 1]
        compound = sorted([item for item in p.args if item not in plain and item.head != "num"], key=_rank)
        numbers = [item for item in p.args if item.head == "num"]
        left = [item for item in terms_of(c) if not (item.head == "num" and numbers and item.key == numbers[0].key)]
        found = False
        for bound, free in self.compounds(compound, left, b, self.term):
            found = True
            yield from self.share_sum(plain, free, bound)
        if not found and len(compound) == 2 and compound[0].symbols & compound[1].symbols:
            for bound, free in self.compounds(compound[::-1], left, b, self.term):
                yield from self.share_sum(plain, free, bound)

    def term(self, p: Term, c: Term, b: Binding) -> Iterator[Binding]:
        """A compound term of a sum; without sums in it, its sign must be the code's."""
        if "+" not in p.heads and "+" not in c.heads and (split(p)[0] > 0) != (split(c)[0] > 0):
            return
        yield from self.align(p, c, b)

    def compounds(
        self, ps: list[Term], cs: list[Term], b: Binding, rule: Callable[[Term, Term, Binding], Iterator[Binding]]
    ) -> Iterator[tuple[Binding, list[Term]]]:
        """Compound parts of the claim laid on parts of the code; yields the binding and what is left of the code."""
        if self.budget < 0:
            return
        if not ps:
            yield b, cs
            return
        first, rest = ps[0], ps[1:]
        for at in self.ranked(first, cs):
            for bound in rule(first, cs[at], b):
                yield from self.compounds(rest, cs[:at] + cs[at + 1 :], bound, rule)
        below = [item for item in cs if item.head == "**" and item.args[1].head == "num" and item.args[1].value < 0]
        if first.head == "**" and first.args[0].head == "sym" and len(below) > 1:
            for bound in rule(first, mul(below), b):
                yield from self.compounds(rest, [item for item in cs if item not in below], bound, rule)
        for bound, free in self.compounds(rest, cs, b, rule):  # others may bind all its symbols; it is checked at the end
            if bound.covers(first):
                yield bound, free

    def share(self, names: list[str], free: list[Term], b: Binding) -> Iterator[Binding]:
        """The symbols of a product take the factors that are left."""
        open_names = [name for name in names if name not in b.values]
        for name in names:
            if name in b.values:
                held = factors_of(b.values[name])
                if all(item in free for item in held):
                    free = [item for item in free if item not in held]
        yield from self.deal(open_names, free, b)

    def deal(self, names: list[str], free: list[Term], b: Binding) -> Iterator[Binding]:
        """Each symbol takes one part; the last one may take all."""
        if self.budget < 0:
            return
        if not names:
            yield b
            return
        names = sorted(names, key=lambda name: -max([self.affinity(name, item) for item in free], default=0))
        first, rest = names[0], names[1:]
        if not rest and len(free) > 1 and all(item.head != "num" for item in free):
            yield from self.symbol(first, mul(free), b)
        ranked = self.ranked(sym(first), free)
        if rest and first in self.once and all(name in self.once for name in rest) and len(free) <= len(names):
            best = max([self.affinity(first, item) for item in free], default=0)
            ranked = ranked[:1] if best == 0 else [at for at in ranked if self.affinity(first, free[at]) == best]
        for at in ranked:
            self.budget -= 1
            for bound in self.symbol(first, free[at], b):
                yield from self.deal(rest, free[:at] + free[at + 1 :], bound)

    def share_sum(self, plain: list[Term], free: list[Term], b: Binding) -> Iterator[Binding]:
        """The symbols of a sum take the terms that are left, each with its own sign."""
        if self.budget < 0:
            return
        waiting = [item for item in plain if split(item)[1].name not in b.values]
        for item in plain:
            if item not in waiting:
                held = scaled(split(item)[0], b.values[split(item)[1].name])
                if all(part in free for part in terms_of(held)):
                    free = [part for part in free if part not in terms_of(held)]
        if not waiting:
            yield b
            return
        waiting.sort(key=lambda item: -max([self.affinity(split(item)[1].name, split(part)[1]) for part in free], default=0))
        first, rest = waiting[0], waiting[1:]
        sign, name = split(first)[0], split(first)[1].name
        fitting = [at for at, part in enumerate(free) if (split(part)[0] > 0) == (sign > 0)]
        if not rest and len(free) > 1 and fitting:
            yield from self.symbol(name, scaled(sign, add(free)), b)
        fitting.sort(key=lambda at: (-self.affinity(name, split(free[at])[1]), at))
        for at in fitting:
            self.budget -= 1
            for bound in self.symbol(name, scaled(sign, free[at]), b):
                yield from self.share_sum([*rest], free[:at] + free[at + 1 :], bound)


def _given(c: Term) -> tuple[Term, ...]:
    """The operands of a call, those that are joined into one taken apart."""
    return tuple([part for item in c.args for part in (item.args if item.head in ("cat", "tuple") else (item,))])


def _callee(p: Term, c: Term) -> str:
    """The function of the code that an unknown one may be; a claimed sigma may be the sigmoid."""
    if c.head in _ACTIVATIONS and p.head == "sigma":
        return c.head
    return c.head if not is_known_term(c.head) and c.head not in ("num", "sym") else ""


def _rank(item: Term) -> tuple[bool, int]:
    """Compound parts by how much they tell: functions first, powers of a symbol last."""
    return (item.head == "**" and item.args[0].head == "sym", -item.size)
