"""Home: words of a unit that say where in a repository it lives."""

from __future__ import annotations

from verifier.model.unit import Unit
from verifier.units.readers.names import is_content, is_symbol
from verifier.units.readers.vocabulary import CITATION_HEADS, GENERIC, HARDWARE, VERBS
from verifier.units.tokens import Kind, tokenize

_LIMIT = 24


def context(unit: Unit) -> tuple[str, ...]:
    """The telling words of a claim, those of its heading first, without duplicates.

    Args:
        unit: a unit, written or to be compiled.

    Returns:
        Up to 24 words as the claim spells them; `ranking.rank` scores places of the repository against them.
    """
    tokens = tokenize(unit.claim)
    colon = next((i for i, token in enumerate(tokens) if token.kind is Kind.COLON and token.depth == 0), 0)
    ordered = [*tokens[:colon], *tokens[colon:]]
    found: dict[str, str] = {}
    for token in ordered:
        if (
            not is_content(token)
            or is_symbol(token.text)
            or token.low in GENERIC | VERBS | HARDWARE | CITATION_HEADS
            or len(token.text) < 3
        ):
            continue
        found.setdefault(token.low, token.text)
    return tuple(found.values())[:_LIMIT]
