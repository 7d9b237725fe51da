"""What a symbol of a claim may stand for in code, told by names: the code's own words, and the names that a unit gives."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

from verifier.algebra.code import Code
from verifier.algebra.kept import kept
from verifier.algebra.terms import Term, node, scaled, split
from verifier.checks.formula_names import closeness, hinted, names_of, spelled

_NUMBERED = frozenset("beta b alpha lambda lam gamma".split())


@kept(16384)
def _numbered_apart(symbol: str, name: str) -> bool:
    """Whether a symbol and a name are coefficients of one family with different numbers: beta1 and beta2."""
    (base, number), (other, another) = _numbered(spelled(symbol)), _numbered(spelled(name))
    return base == other and base in _NUMBERED and bool(number and another) and number != another


def _numbered(word: str) -> tuple[str, str]:
    base = word.rstrip("0123456789")
    return base, word[len(base) :]


_COUNTERS = frozenset("ijk")


def _is_shifted(term: Term) -> bool:
    """Whether a term is a quantity and a whole number: counted from another start."""
    return term.head == "+" and len(term.args) == 2 and term.args[0].head == "num" and term.args[0].value.denominator == 1


def _complement(term: Term) -> tuple[Term, ...]:
    """What `sigmoid(-x)` is when it is read as 1 minus it."""
    return (node("sigmoid", (scaled(Fraction(-1), term.args[0]),)),) if term.head == "sigmoid" else ()


@kept(2048)
def _spelled(names: frozenset[str]) -> frozenset[str]:
    return frozenset(map(spelled, names))


@kept(16384)
def _has_hinted(hints: tuple[str, ...], names: frozenset[str]) -> bool:
    return any(hinted(hint, name) for hint in hints for name in names)


@dataclass(frozen=True, slots=True)
class Lens:
    """Which names of a claim one code has: what its symbols may stand for there.

    Attributes:
        owned: the symbols whose own name is in the code.
        present: the symbols with given names of which one is in the code.
    """

    owned: frozenset[str]
    present: frozenset[str]

    @classmethod
    def of(cls, code: Code, hints: dict[str, tuple[str, ...]], symbols: frozenset[str]) -> Lens:
        """The lens through which a claim's symbols are seen in a code."""
        plain = _spelled(code.all_names)
        owned = [symbol for symbol in symbols if symbol not in hints and spelled(symbol) in plain]
        present = [name for name, given in hints.items() if _has_hinted(given, code.all_names)]
        return cls(frozenset(owned), frozenset(present))

    def shares(self, symbols: frozenset[str], *, alone: bool) -> bool:
        """Whether a code with the formula's own, but generic, name has enough of its symbols to be the one that is meant.

        Args:
            symbols: the symbols of the claim.
            alone: that name is a single letter, so that all symbols are asked for.
        """
        met = len(self.owned | (self.present & symbols))
        return met >= (len(symbols) if alone else min(2, len(symbols))) > 0


@dataclass(slots=True)
class Naming:
    """How well a symbol of the claim goes with a term of the codes seen through one lens.

    Called with a symbol and a term it gives 3 when a hint names the term, 2 for the same word, 1 for a usual name; -1 when a hint or the
    symbol's own name stands for something else there.

    Attributes:
        code: one of these codes; all of them share their names.
        hints: for a symbol, the names that it may have.
        lens: which names of the claim are in these codes.
    """

    code: Code
    hints: dict[str, tuple[str, ...]]
    lens: Lens
    known: dict[tuple[str, int], int] = field(default_factory=dict)
    words: dict[str, str] = field(init=False)

    def __post_init__(self) -> None:
        self.words = {symbol: spelled(symbol) for symbol in self.lens.owned}

    def __call__(self, symbol: str, term: Term) -> int:
        """How well they go together."""
        key = (symbol, term.key)
        found = self.known.get(key)
        if found is None:
            found = self.known[key] = self._fit(symbol, term, names_of(term, self.code))
        return found

    def _fit(self, symbol: str, term: Term, names: set[str]) -> int:
        if symbol in self.hints:
            if any(hinted(hint, name) for hint in self.hints[symbol] for name in names):
                return 3
            if symbol in self.lens.present:
                return -1
        if self.words and self._is_taken(symbol, term, names):
            return -1
        if any(_numbered_apart(symbol, name) for name in names):
            return -1
        close = max([closeness(symbol, name) for name in names], default=0)
        return -1 if not close and self._is_term_of(symbol, term) else close

    def _is_term_of(self, symbol: str, term: Term) -> bool:
        """Whether a nameless sum has a term by a name for this symbol beside others, which the claim then lacks."""
        if term.head != "+" or self.code.names.get(term.key) or (symbol in _COUNTERS and _is_shifted(term)):
            return False
        plain = [part for part in term.args if part.head == "sym"]
        return any(closeness(symbol, name) for part in plain for name in names_of(part, self.code))

    def _is_taken(self, symbol: str, term: Term, names: set[str]) -> bool:
        """Whether a term has the name of another symbol, or has this symbol for one of its parts."""
        own = self.words.get(symbol, "")
        called = {spelled(name) for name in names}
        if own in called:
            return False
        if any(other in called for one, other in self.words.items() if one != symbol):
            return True
        if own and term.head == "num":
            return True
        if not own or self.code.names.get(term.key) or (own in _COUNTERS and _is_shifted(term)):
            return False
        parts = term.args if term.head in ("+", "*", "**") else _complement(term)
        return any(own in map(spelled, names_of(split(part)[1], self.code)) for part in parts)
