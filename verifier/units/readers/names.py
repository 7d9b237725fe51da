"""Subjects: which words around a value name it, and how code may spell them.

The name of a value is the noun phrase left of it (`batch size 768`, `codebook K=4096`) or, for counts, right of it (`16 attention
heads`). A noun phrase gives alternatives from the exact phrase to its head; a bare head such as `rate` is offered only for values that
speak for themselves.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from verifier.units.readers.vocabulary import CONNECTORS, GENERIC, GREEK, PREPOSITIONS, QUANTITIES, VERBS
from verifier.units.tokens import Kind, Token

_INDEXED = re.compile(r"\\?(?:[A-Za-zα-ωΑ-Ω]|[a-z]+(?=[_\d^]))'*(?:[_^].*|\d{1,2})?'*")
_NP_LENGTH = 5
_EMPHATIC = frozenset("not no all and or only both any every each must never does is-not".split())
_FILLERS = frozenset({"total", "default", "value", "fixed", "i", "ii", "iii", "iv", "two", "three", "four", "five"})


def is_symbol(word: str) -> bool:
    """Whether a word is a mathematical symbol: one letter, a Greek name, either with an index."""
    base = re.split(r"[_^'\d]", word.lstrip("\\"), maxsplit=1)[0].lower()
    return bool(_INDEXED.fullmatch(word)) and (len(base) <= 1 or base in GREEK) or word.lstrip("\\").lower() in GREEK


def is_content(token: Token) -> bool:
    """Whether a token may stand in a noun phrase; `IS` is a name, `is` and the emphatic `NOT` are none."""
    acronym = token.text.isupper() and len(token.text) > 1 and token.low not in _EMPHATIC
    return token.kind is Kind.WORD and (token.low not in PREPOSITIONS or acronym)


def left_phrase(tokens: Sequence[Token], index: int, floor: int = 0) -> tuple[list[str], int]:
    """The noun phrase that ends right before a token, skipping connectors (`of`, `set to`) and a bracketed gloss.

    Returns:
        Its words, and the index of its first token (`index` when there is none).
    """
    at = index - 1
    while at >= floor and (tokens[at].low in CONNECTORS or tokens[at].text in {"=", ":=", ":", "~", "≈", "==", "∈", "in"}):
        at -= 1
    gloss: list[str] = []
    if at > floor and tokens[at].kind is Kind.CLOSE:
        opening = _opening(tokens, at)
        gloss = [token.text for token in tokens[opening + 1 : at] if token.kind is Kind.WORD]
        at = opening - 1
        if len(gloss) > 3:
            gloss = []
    words: list[str] = []
    start = index
    while at >= floor and len(words) < _NP_LENGTH and _joins(tokens[at], bool(words)):
        if tokens[at].kind is Kind.WORD:
            words.insert(0, tokens[at].text)
            start = at
        at -= 1
    return (words + [word for word in gloss if is_symbol(word) or "_" in word] if words else gloss), start


def _joins(token: Token, inside: bool) -> bool:
    if token.kind is Kind.WORD:
        return token.low not in PREPOSITIONS and (
            token.low not in VERBS or (inside and token.low.endswith("ing")) or token.low in QUANTITIES
        )
    return inside and token.text in {"/", "&", "-"}


def _opening(tokens: Sequence[Token], close: int) -> int:
    depth = 0
    for index in range(close, -1, -1):
        if tokens[index].kind is Kind.CLOSE:
            depth += 1
        elif tokens[index].kind is Kind.OPEN:
            depth -= 1
            if depth == 0:
                return index
    return 0


def owner(tokens: Sequence[Token], index: int, floor: int = 0) -> list[str]:
    """The noun phrase before the bracket that a token stands in: `AdamW` for the tokens of `AdamW (lr 3e-4)`; empty outside."""
    depth = tokens[index].depth
    at = index
    while at >= floor and not (tokens[at].kind is Kind.OPEN and tokens[at].depth == depth):
        at -= 1
    return left_phrase(tokens, at, floor)[0] if depth and at > floor else []


def right_phrase(tokens: Sequence[Token], index: int) -> tuple[list[str], int]:
    """The noun phrase that starts at a token and ends at its first plural; `(words, index after it)`.

    `16 attention heads with RoPE` gives `attention heads`; a hyphen right after a number (`3-layer CNN`) gives `layer`.
    """
    at = index
    hyphen = (
        at < len(tokens) and tokens[at].text in {"-", "–"} and at + 1 < len(tokens) and tokens[at].end == tokens[at + 1].start
    )
    if hyphen:
        at += 1
    words: list[str] = []
    while at < len(tokens) and is_content(tokens[at]) and _attributive(tokens, at) and len(words) < _NP_LENGTH:
        words.append(tokens[at].text)
        at += 1
        if hyphen:
            return [*words[:-1], words[-1] if _plural(words[-1].lower()) else words[-1] + "s"], at
        if _plural(words[-1].lower()) and not (at < len(tokens) and tokens[at].low in QUANTITIES):
            return words, at
        if at < len(tokens) and tokens[at].text == "/" and at + 1 < len(tokens) and is_content(tokens[at + 1]):
            at += 1
    return words[:2], min(at, index + 2 + hyphen)


def _attributive(tokens: Sequence[Token], at: int) -> bool:
    """Whether a word may go on a noun phrase: no verb, or one that qualifies a plural (`train trajectories`)."""
    if tokens[at].low not in VERBS or _plural(tokens[at].low):
        return True
    return at + 1 < len(tokens) and is_content(tokens[at + 1]) and _plural(tokens[at + 1].low)


def _plural(word: str) -> bool:
    return len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is"))


def singular(word: str) -> str:
    """The singular of a regular English plural."""
    low = word.lower()
    if low.endswith("ies") and len(low) > 4:
        return word[:-3] + "y"
    return word[:-1] if _plural(low) else word


def subjects(words: Sequence[str], loose: bool = False, count: bool = False) -> tuple[str, ...]:
    """What code may call a quantity that the paper names with these words; the lexicon knows the spellings of each.

    Args:
        words: the noun phrase, in order.
        loose: the value is distinctive, so that each longer word alone may name it.
        count: it is a number of things (`64 experts`): `number of experts`.

    Returns:
        Alternatives, the most specific first, without duplicates.
    """
    names = [word.rstrip("'") for word in words if word.lower() not in _FILLERS] or list(words)
    symbols = [word for word in names if is_symbol(word)]
    nouns = [word for word in names if word not in symbols]
    offered: list[str] = []
    if nouns:
        head = nouns[-1]
        phrases = [" ".join(nouns[-size:]) for size in range(min(len(nouns), 4), 1, -1)]
        offered = [f"number of {phrase}" for phrase in phrases] if count else phrases
        if count and (_plural(head.lower()) or len(nouns) == 1):
            offered.append(f"number of {head}")
        elif len(nouns) == 1 or head.lower() not in GENERIC | QUANTITIES or "_" in head:
            offered.append(head)
        if symbols:
            offered += [" ".join(names[-2:]), f"{nouns[-1]} {symbols[-1]}"]
            offered += [f"{nouns[-1]} size", f"number of {nouns[-1]}"] if head.lower() not in QUANTITIES else []
    offered += symbols
    if loose:
        offered += [word for word in nouns if len(word) > 4 and word.lower() not in GENERIC | QUANTITIES]
    return tuple(dict.fromkeys(clean(name) for name in offered if clean(name)))


def clean(name: str) -> str:
    """A name without LaTeX and index braces: `L_{C_m}` is `L_C_m`."""
    name = re.sub(r"\\(?:text|mathrm|mathbf|hat|bar|tilde)?", "", name)
    return re.sub(r"[{}^\\]+", "_", name).replace("__", "_").strip("_-. ,")
