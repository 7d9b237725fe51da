"""Tables that only tell how names are spelled elsewhere, and so give nothing a value."""

from __future__ import annotations

import ast
from functools import lru_cache

from verifier.lexicon.names import words


@lru_cache(maxsize=64)
def renames(table: ast.Dict) -> bool:
    """Whether a table only tells how names are spelled elsewhere: `{"lr_scheduler": "lr_schedule", "net.weight": "net_weight"}`."""
    pairs = [(key.value, value.value) for key, value in _constants(table)]
    if not pairs or len(pairs) < len(table.keys):
        return False
    told = sum(_respelled(str(key), str(value)) for key, value in pairs)
    return 2 * told >= len(pairs)


def _constants(table: ast.Dict) -> list[tuple[ast.Constant, ast.Constant]]:
    return [
        (key, value)
        for key, value in zip(table.keys, table.values, strict=True)
        if isinstance(key, ast.Constant) and isinstance(value, ast.Constant) and isinstance(value.value, str)
    ]


def _respelled(one: str, other: str) -> bool:
    """Whether two names of several words are forms of each other."""
    a, b = words(one), words(other)
    return one != other and len(a) == len(b) > 1 and all(x[:4] == y[:4] for x, y in zip(a, b, strict=True))
