"""Terms: expressions in normal form, each with a key that is equal exactly when the terms are.

Sums and products are flat and ordered, numbers exact and folded, quotients and roots are powers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from hashlib import blake2b

from verifier.algebra.kept import kept
from verifier.model.expression import Apply, Expr, Number, Symbol

MAX_TERMS = 48
_HALF = Fraction(1, 2)
_UNIT = Fraction(1)


@dataclass(frozen=True, slots=True, eq=False)
class Term:
    """A node of a normal form.

    Attributes:
        head: `num`, `sym`, or the head of an operation.
        args: the operands, ordered where order does not matter.
        value: a number's worth.
        name: a symbol's name.
        key: 64 bits of a digest of the structure.
        size: how many nodes it has.
        symbols: the names of its symbols.
        heads: the heads in it.
    """

    head: str
    args: tuple[Term, ...]
    value: Fraction
    name: str
    key: int
    size: int
    symbols: frozenset[str] = field(repr=False)
    heads: frozenset[str] = field(repr=False)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Term) and other.key == self.key

    def __hash__(self) -> int:
        return self.key

    def walk(self) -> Iterator[Term]:
        """The term and all terms in it, outermost first."""
        yield self
        for item in self.args:
            yield from item.walk()


_NONE: frozenset[str] = frozenset()
_ZERO_VALUE = Fraction(0)


def _digest(text: str) -> int:
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "big")


def num(value: Fraction | int) -> Term:
    """A number."""
    return _ratio(value.numerator, value.denominator)


@kept(4096)
def _ratio(above: int, below: int) -> Term:
    worth = Fraction(above, below)
    return Term("num", (), worth, "", _digest(f"#{worth}"), 1, _NONE, _NONE)


@kept(16384)
def sym(name: str) -> Term:
    """A symbol."""
    return Term("sym", (), _ZERO_VALUE, name, _digest(f"${name}"), 1, frozenset({name}), _NONE)


@kept(32768)
def node(head: str, args: tuple[Term, ...]) -> Term:
    """An operation, as it is: nothing is folded or ordered."""
    return Term(
        head,
        args,
        _ZERO_VALUE,
        "",
        _digest(f"{head}({','.join([format(item.key, 'x') for item in args])})"),
        1 + sum(item.size for item in args),
        frozenset().union(*(item.symbols for item in args)),
        frozenset({head}).union(*(item.heads for item in args)),
    )


ZERO, ONE, MINUS_ONE, HALF = num(0), num(1), num(-1), num(_HALF)


def order(term: Term) -> tuple[int, int, str, int]:
    """The place of a term among its siblings."""
    return (0 if term.head == "num" else 1, term.size, term.head, term.key)


@kept(32768)
def split(term: Term) -> tuple[Fraction, Term]:
    """The numeric coefficient of a term, and the rest of it."""
    if term.head == "num":
        return term.value, ONE
    if term.head == "*" and term.args[0].head == "num":
        rest = term.args[1:]
        return term.args[0].value, rest[0] if len(rest) == 1 else node("*", rest)
    return _UNIT, term


def scaled(coefficient: Fraction, term: Term) -> Term:
    """A number times a term; distributed over a sum."""
    if coefficient == 1:
        return term
    if coefficient == 0:
        return ZERO
    own, rest = split(term)
    total = own * coefficient
    if rest.key == ONE.key:
        return num(total)
    if rest.head == "+":
        return add(scaled(total, item) for item in rest.args)
    if total == 1:
        return rest
    return node("*", (num(total), *(rest.args if rest.head == "*" else (rest,))))


def add(terms: Iterable[Term]) -> Term:
    """A sum: flat, like terms collected, ordered."""
    found: dict[int, tuple[Fraction, Term]] = {}
    constant = Fraction(0)
    queue = list(terms)
    for term in queue:
        if term.head == "+":
            queue.extend(term.args)
            continue
        coefficient, rest = split(term)
        if rest.key == ONE.key:
            constant += coefficient
        else:
            before = found.get(rest.key)
            found[rest.key] = (coefficient + (before[0] if before else 0), rest)
    parts = [scaled(coefficient, rest) for coefficient, rest in found.values() if coefficient]
    if any(part.head == "+" for part in parts):
        return add([*parts, num(constant)])
    if constant:
        parts.append(num(constant))
    if not parts:
        return ZERO
    return parts[0] if len(parts) == 1 else node("+", tuple(sorted(parts, key=order)))


def mul(factors: Iterable[Term]) -> Term:
    """A product: flat, powers of one base collected, ordered, its number distributed over a lone sum."""
    coefficient = _UNIT
    found: dict[int, tuple[Term, Fraction]] = {}
    others: list[Term] = []
    queue = list(factors)
    for factor in queue:
        if factor.head == "*":
            queue.extend(factor.args)
        elif factor.head == "num":
            coefficient *= factor.value
        elif factor.head == "**" and factor.args[1].head != "num":
            others.append(factor)
        else:
            base, exponent = (factor.args[0], factor.args[1].value) if factor.head == "**" else (factor, _UNIT)
            before = found.get(base.key)
            found[base.key] = (base, exponent + (before[1] if before else 0))
    if not coefficient:
        return ZERO
    parts = others
    for base, exponent in found.values():
        if exponent:
            parts.append(power(base, num(exponent)))
    if any(part.head in ("num", "*") for part in parts):
        return mul([num(coefficient), *parts])
    if len(parts) < 2:
        return scaled(coefficient, parts[0]) if parts else num(coefficient)
    return _product(coefficient, parts)


def _product(coefficient: Fraction, parts: list[Term]) -> Term:
    """A product of several factors, with the numbers taken out of those that are sums."""
    for at, part in enumerate(parts):
        content, parts[at] = _even(part)
        coefficient *= content
    parts.sort(key=order)
    return node("*", tuple(parts) if coefficient == 1 else (num(coefficient), *parts))


def _even(factor: Term) -> tuple[Fraction, Term]:
    """A number that was distributed over all terms of a sum, and the sum without it; also of a whole power of a sum."""
    whole = factor.head == "**" and factor.args[1].head == "num" and factor.args[1].value.denominator == 1
    total = factor.args[0] if whole else factor
    if total.head != "+":
        return Fraction(1), factor
    parts = [split(item)[0] for item in total.args]
    content = abs(parts[0]) * (-1 if all(part < 0 for part in parts) else 1)
    if content == 1 or any(abs(part) != abs(content) for part in parts):
        return Fraction(1), factor
    bare = scaled(1 / content, total)
    return (content ** int(factor.args[1].value), node("**", (bare, factor.args[1]))) if whole else (content, bare)


@kept(16384)
def power(base: Term, exponent: Term) -> Term:
    """A power: of numbers folded, of products and powers distributed; an even root of an even power is an absolute value."""
    if base.head == "sym" and base.name == "e":
        return node("exp", (exponent,))
    if exponent.head != "num":
        return ONE if base.key == ONE.key else node("**", (base, exponent))
    n = exponent.value
    if n == 0:
        return ONE
    if n == 1:
        return base
    if base.head == "num":
        return _number_power(base.value, n)
    if base.head == "*":
        return _product_power(base, n)
    if base.head == "**":
        return _repeated(base, exponent)
    if base.head == "abs" and n.denominator == 1 and n % 2 == 0:
        return power(base.args[0], exponent)
    if base.head == "exp":
        return node("exp", (scaled(n, base.args[0]),))
    return node("**", (base, exponent))


def _repeated(base: Term, exponent: Term) -> Term:
    """A power of a power."""
    root, inner, n = base.args[0], base.args[1], exponent.value
    if inner.head == "num":
        if inner.value % 2 == 0 and (inner.value * n) % 2 != 0:
            root = magnitude(root)
        return power(root, num(inner.value * n))
    if n.denominator == 1 or root.head == "num":
        return power(root, mul((inner, exponent)))
    return node("**", (base, exponent))


def _product_power(base: Term, n: Fraction) -> Term:
    coefficient, rest = split(base)
    factors = rest.args if rest.head == "*" else (rest,)
    if coefficient < 0 and n.denominator != 1:
        inner = scaled(-coefficient, rest)
        return node("**", (node("*", (MINUS_ONE, *(inner.args if inner.head == "*" else (inner,)))), num(n)))
    return mul([_number_power(coefficient, n), *(power(item, num(n)) for item in factors)])


def _number_power(value: Fraction, n: Fraction) -> Term:
    if value == 1:
        return ONE
    bits = max(value.numerator.bit_length(), value.denominator.bit_length())
    if n.denominator == 1 and abs(n) * bits <= 4096 and (value or n > 0):
        return num(value ** int(n))
    if value > 0 and n.denominator == 2 and abs(n) <= 8:
        above, below = _root(value.numerator), _root(value.denominator)
        if above and below:
            return num(Fraction(above, below) ** int(n * 2))
        whole = n.numerator // 2
        if whole:
            return mul([num(value**whole), node("**", (num(value), num(_HALF)))])
    return node("**", (num(value), num(n)))


def _root(value: int) -> int:
    if value > 10**24:
        return 0
    guess = round(value**0.5)
    return guess if guess * guess == value else 0


def magnitude(term: Term) -> Term:
    """The absolute value."""
    coefficient, rest = split(term)
    if rest.key == ONE.key:
        return num(abs(coefficient))
    if rest.head in ("abs", "exp") or (rest.head == "**" and rest.args[1].head == "num" and rest.args[1].value % 2 == 0):
        return scaled(abs(coefficient), rest)
    return scaled(abs(coefficient), node("abs", (rest,)))


def factors_of(term: Term) -> tuple[Term, ...]:
    """The factors of a product, or the term alone."""
    return term.args if term.head == "*" else (term,)


def terms_of(term: Term) -> tuple[Term, ...]:
    """The terms of a sum, or the term alone."""
    return term.args if term.head == "+" else (term,)


def to_expr(term: Term) -> Expr:
    """The term as an expression, for printing."""
    if term.head == "num":
        return Number(term.value)
    if term.head == "sym":
        return Symbol(term.name)
    return Apply(term.head, tuple(to_expr(item) for item in term.args))
