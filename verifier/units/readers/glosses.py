"""What else names a value: a bracket behind it, the head of its list, the symbol that its clause opens with."""

from __future__ import annotations

from collections.abc import Sequence

from verifier.units.readers.found import Page
from verifier.units.readers.names import clean, is_content, is_symbol, left_phrase, subjects
from verifier.units.readers.vocabulary import PREPOSITIONS, QUANTITIES
from verifier.units.tokens import Clause, Kind, Token


def gloss_of(tokens: Sequence[Token], index: int) -> tuple[list[str], int]:
    """The words of a bracket right after a value: `alpha=0.01 (load balancing weight)`."""
    if index >= len(tokens) or tokens[index].text != "(":
        return [], index
    words: list[str] = []
    at = index + 1
    while at < len(tokens) and is_content(tokens[at]) and len(words) < 5:
        words.append(tokens[at].text)
        at += 1
    return (words, at) if at < len(tokens) and tokens[at].kind in (Kind.CLOSE, Kind.COMMA) else ([], index)


def measured_names(page: Page, clause: Clause, start: int, words: Sequence[str]) -> tuple[str, ...]:
    """`a memory buffer M of size 200`: a bare measure belongs to the thing before it."""
    bare = len(words) == 1 and words[0].lower() in QUANTITIES
    if not bare or start <= clause.start or page.tokens[start - 1].low not in {"of", "with"}:
        return ()
    things = [word for word in left_phrase(page.tokens, start - 1, clause.start)[0] if not is_symbol(word)]
    return subjects([*things, words[0]]) if things else ()


def qualified_names(page: Page, clause: Clause, start: int) -> tuple[str, ...]:
    """`number of draws for expectation = 64`: what stands before the preposition is the name, what stands behind it says where."""
    if start <= clause.start + 1 or page.tokens[start - 1].low not in {"for", "in", "during"}:
        return ()
    words = left_phrase(page.tokens, start - 1, clause.start)[0]
    named = bool(words) and (words[-1].lower() in QUANTITIES or words[0].lower() in {"num", "number"} or "_" in words[-1])
    return subjects(words) if named else ()


def headline_names(clause: Clause, words: Sequence[str]) -> tuple[str, ...]:
    """`Stochastic depth rate by model size: T=0.1`: variants that are mere letters are named by the head of their list."""
    if not all(is_symbol(word) for word in words):
        return ()
    stop = next((i for i, word in enumerate(clause.head) if word.lower() in PREPOSITIONS), len(clause.head))
    head = clause.head[:stop]
    return subjects(head) if head and head[-1].lower() in QUANTITIES else ()


def opening_name(page: Page, clause: Clause, start: int) -> tuple[str, ...]:
    """`K for numerical experiments = 10`: the symbol that a clause opens with is what its first equals sign defines."""
    tokens = page.tokens
    first = tokens[clause.start]
    plain = all(token.kind is Kind.WORD or token.depth for token in tokens[clause.start + 1 : start])
    return (clean(first.text),) if start > clause.start and first.kind is Kind.WORD and is_symbol(first.text) and plain else ()


def expanded(page: Page, right: list[str]) -> list[str]:
    """`64E` in a claim that speaks of experts: a single capital stands for the plural or participle that it begins."""
    if len(right) != 1 or len(right[0]) != 1 or not right[0].isupper():
        return right
    for token in page.tokens:
        if (
            token.kind is Kind.WORD
            and len(token.text) > 4
            and token.low.startswith(right[0].lower())
            and token.low.endswith(("s", "ed", "ive"))
        ):
            return [token.text]
    return right
