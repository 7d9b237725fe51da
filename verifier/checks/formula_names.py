"""Names in formulas: which names of code may be meant by a symbol of a claim, and by the name that it defines."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from verifier.algebra.code import Code
from verifier.algebra.terms import Term, node, scaled, split
from verifier.lexicon.names import find_window, words

_MEANT: dict[str, tuple[str, ...]] = {
    "gamma": ("discount", "gamma"),
    "lambda": ("lam", "lmbda", "lamda", "lambd", "trace", "gae lambda"),
    "epsilon": ("eps", "noise", "epsilon"),
    "eps": ("epsilon", "noise"),
    "theta": ("params", "angle", "weights", "online", "student"),
    "xi": ("target", "teacher", "slow", "ema"),
    "tau": ("temperature", "temp", "momentum", "polyak"),
    "eta": ("lr", "learning rate", "step size"),
    "alpha": ("alphas", "temperature", "ent coef"),
    "beta": ("betas", "kl weight"),
    "sigma": ("std", "sigmas", "scale"),
    "mu": ("mean", "loc"),
    "pi": ("policy",),
    "a": ("adv", "advantage", "action"),
    "r": ("reward", "ratio", "return"),
    "v": ("value", "values"),
    "q": ("query", "qs"),
    "k": ("key", "keys"),
    "delta": ("td error", "deltas"),
    "d": ("done", "terminal"),
    "t": ("step", "timestep", "time"),
    "x": ("obs", "input", "image"),
    "y": ("target", "label"),
    "z": ("latent",),
    "s": ("state", "score"),
    "rho": ("decay",),
    "n": ("num", "count", "size"),
}
_GENERIC = frozenset(
    (
        "loss out output res result ret val value x y z err error target score tmp h w p l f g o u v a b c d e i j k m "
        "n q r s t total objective forward call step update compute data pred prediction weight scale theta phi mu "
        "sigma alpha beta gamma delta tau eta lambda eps epsilon logit feature input hidden state"
    ).split()
)
_FILLER = frozenset("loss l j get compute calc calculate fn func function self the of term objective".split())


@lru_cache(maxsize=16384)
def last(name: str) -> tuple[str, ...]:
    """The words of the last part of a dotted name."""
    return words(name.rpartition(".")[2]) or words(name)


@lru_cache(maxsize=16384)
def spelled(name: str) -> str:
    """The last part of a name as one word."""
    return "".join(last(name))


@lru_cache(maxsize=65536)
def closeness(symbol: str, name: str) -> int:
    """How close a symbol of a claim is to a name of code: 2 the same word, 1 the same letter or a usual name for it, 0 not at all."""
    own, other = words(symbol), last(name)
    if not own or not other:
        return 0
    joined = "".join(own)
    if joined == "".join(other):
        return 2 if len(joined) > 2 else 1
    base = tuple(word for word in own if len(word) > 1) or own[:1]
    if base == other and len("".join(base)) > 2:
        return 2
    head = base[0]
    if head == other[0] and len(head) > 2:
        return 1
    return int(any(find_window(other, words(meant)) >= 0 for meant in _MEANT.get(own[0], ())))


@lru_cache(maxsize=65536)
def hinted(hint: str, name: str) -> bool:
    """Whether a name of code is one that a unit gives for a symbol."""
    wanted, other = words(hint), last(name)
    if not wanted or not other:
        return False
    return (
        "".join(wanted) == "".join(other)
        or (find_window(other, wanted) >= 0 and len("".join(wanted)) > 2)
        or wanted == words(name)
    )


def defines(name: str, defined: Iterable[str]) -> int:
    """How sure it is that code's names define what a formula names.

    Returns:
        3 for the same specific name, 2 for the same specific words but for fillers such as `loss`, 1 for the same generic name, else 0.
    """
    return max((_defines(name, other) for other in defined), default=0)


@lru_cache(maxsize=65536)
def _defines(name: str, defined: str) -> int:
    own, other = words(name), last(defined)
    if not own or not other:
        return 0
    joined = "".join(own)
    if joined == "".join(other):
        return 1 if len(joined) < 3 or joined in _GENERIC else 3
    base, theirs = _core(own), _core(other)
    return 2 if base and base == theirs and len("".join(base)) > 1 and "".join(base) not in _GENERIC else 0


_SUCCESSOR = frozenset("new next updated t".split())


def succeeds(name: str, defined: str) -> bool:
    """Whether what is defined is the next value of a name: `v_new` of `v`, `p` of `p`."""
    own, other = last(name), last(defined)
    return own == other or own == tuple(word for word in other if word not in _SUCCESSOR)


def _core(parts: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(word for word in parts if word not in _FILLER and not (len(word) == 1 and word.isalpha()))


def names_of(term: Term, code: Code) -> set[str]:
    """The names under which code holds a term."""
    names = set(code.names.get(term.key, ()))
    if term.head == "sym":
        names.add(term.name)
    elif term.head in ("index", "stopgrad", "transpose") and term.args:
        names |= names_of(term.args[0], code)
    elif not term.args or (term.head not in _ARITHMETIC and term.head[0].isalpha()):
        names.add(term.head)
    return names


_ARITHMETIC = frozenset("sum mean exp log max min abs prod".split())


_NUMBERED = frozenset("beta b alpha lambda lam gamma".split())


@lru_cache(maxsize=16384)
def _numbered_apart(symbol: str, name: str) -> bool:
    """Whether a symbol and a name are coefficients of one family with different numbers: beta1 and beta2."""
    (base, number), (other, another) = _numbered(spelled(symbol)), _numbered(spelled(name))
    return base == other and base in _NUMBERED and bool(number and another) and number != another


def _numbered(word: str) -> tuple[str, str]:
    base = word.rstrip("0123456789")
    return base, word[len(base) :]


_COUNTERS = frozenset("i j k t n step epoch iteration".split())


def _is_shifted(term: Term) -> bool:
    """Whether a term is a quantity and a whole number: counted from another start."""
    return term.head == "+" and len(term.args) == 2 and term.args[0].head == "num" and term.args[0].value.denominator == 1


def _complement(term: Term) -> tuple[Term, ...]:
    """What `sigmoid(-x)` is when it is read as 1 minus it."""
    return (node("sigmoid", (scaled(Fraction(-1), term.args[0]),)),) if term.head == "sigmoid" else ()


@lru_cache(maxsize=2048)
def _spelled(names: frozenset[str]) -> frozenset[str]:
    return frozenset(map(spelled, names))


@lru_cache(maxsize=16384)
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


def affinity_of(code: Code, hints: dict[str, tuple[str, ...]], lens: Lens) -> Callable[[str, Term], int]:
    """How well a symbol of the claim goes with a term of a code seen through a lens.

    Returns:
        What gives 3 when a hint names the term, 2 for the same word, 1 for a usual name; -1 when a hint or the symbol's own name
        stands for something else in this code.
    """
    known: dict[tuple[str, int], int] = {}
    words_of = {symbol: spelled(symbol) for symbol in lens.owned}

    def affinity(symbol: str, term: Term) -> int:
        key = (symbol, term.key)
        found = known.get(key)
        if found is None:
            found = known[key] = _affinity(symbol, term)
        return found

    def _affinity(symbol: str, term: Term) -> int:
        names = names_of(term, code)
        if symbol in hints:
            if any(hinted(hint, name) for hint in hints[symbol] for name in names):
                return 3
            if symbol in lens.present:
                return -1
        if words_of and _is_taken(symbol, words_of.get(symbol, ""), term, names):
            return -1
        if any(_numbered_apart(symbol, name) for name in names):
            return -1
        close = max([closeness(symbol, name) for name in names], default=0)
        return -1 if not close and _is_term_of(symbol, term) else close

    def _is_term_of(symbol: str, term: Term) -> bool:
        """Whether a nameless sum has a term by a name for this symbol beside others, which the claim then lacks."""
        if term.head != "+" or code.names.get(term.key) or (symbol in _COUNTERS and _is_shifted(term)):
            return False
        return any(closeness(symbol, name) for part in term.args if part.head == "sym" for name in names_of(part, code))

    def _is_taken(symbol: str, own: str, term: Term, names: set[str]) -> bool:
        """Whether a term has the name of another symbol, or has this symbol for one of its parts."""
        called = {spelled(name) for name in names}
        if own in called:
            return False
        if any(other in called and (own or len(other) > 1) for one, other in words_of.items() if one != symbol):
            return True
        if own and term.head == "num":
            return True
        if not own or code.names.get(term.key) or (own in _COUNTERS and _is_shifted(term)):
            return False
        parts = term.args if term.head in ("+", "*", "**") else _complement(term)
        return any(own in map(spelled, names_of(split(part)[1], code)) for part in parts)

    return affinity
