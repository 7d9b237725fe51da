"""Names in formulas: which names of code may be meant by a symbol of a claim, and by the name that it defines."""

from __future__ import annotations

from collections.abc import Iterable

from verifier.algebra.code import Code
from verifier.algebra.kept import kept
from verifier.algebra.terms import Term
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


@kept(16384)
def last(name: str) -> tuple[str, ...]:
    """The words of the last part of a dotted name."""
    return words(name.rpartition(".")[2]) or words(name)


@kept(16384)
def spelled(name: str) -> str:
    """The last part of a name as one word."""
    return "".join(last(name))


@kept(65536)
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


@kept(65536)
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


@kept(65536)
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
