"""Words of mathematics: which names are functions, large operators or symbols."""

from __future__ import annotations

from verifier.units.readers.mathlex import Piece

_NAMES = (
    "sqrt exp log log2 log10 abs sign floor ceil sin cos tan tanh erf sigmoid softplus relu silu gelu softmax log_softmax logsumexp "
    "mean var std det trace stopgrad clip norm cumsum cumprod inverse transpose"
)
FUNCTIONS = {name: name for name in _NAMES.split()} | {
    "ln": "log",
    "sg": "stopgrad",
    "clamp": "clip",
    "tr": "trace",
    "logsoftmax": "log_softmax",
    "swish": "silu",
    "sgn": "sign",
    "detach": "stopgrad",
}
"""Lower-case name -> function of the formula language."""
LARGE = {
    **dict.fromkeys(("sum", "Sum", "∑", "Σ"), "sum"),
    **dict.fromkeys(("prod", "Prod", "product", "∏", "Π"), "prod"),
    "max": "max",
    "min": "min",
    "argmax": "argmax",
    "argmin": "argmin",
    "arg_max": "argmax",
    "arg_min": "argmin",
    "avg": "mean",
    "average": "mean",
}
"""Operators that run over an index."""
MEANS = frozenset({"E", "𝔼", "Exp"})
ENGLISH = frozenset("mean var std abs sign norm clip trace det inverse transpose floor sum max min".split())
"""Functions that are words of prose too: they only count before a bracket or with an index."""
_GREEK = frozenset(
    "alpha beta gamma delta epsilon eps zeta eta theta kappa lambda mu nu xi pi rho sigma tau phi chi psi omega hat "
    "bar tilde grad nabla".split()
)
_SMALL_WORDS = frozenset("a an in is of on at to or as if by we it be do so no us vs".split())


def is_symbol(piece: Piece) -> bool:
    """Whether a name is a symbol rather than a word of prose: it has an index, is short, or is a Greek letter spelled out."""
    base = piece.text.split("_")[0]
    short = len(base) <= 2 and base.lower() not in _SMALL_WORDS
    return bool(piece.index) or short or base.lower() in _GREEK or "_" in piece.text
