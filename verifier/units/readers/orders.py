"""Orders: numbered steps, phases, arrows, and `then`, `before`, `after`.

    steps = marker step (marker step)+          marker = "(1)" | "1)" | "Step 1" | "Phase 1" | "Stage 1"
    chain = step (arrow step)+
    pair  = step ("before" | "then" | "followed by") step | step "after" step

The steps give one `order` check. A step is named by its verb with its object, by its object, and by its verb alone when the
verb is not an everyday one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from verifier.model.check import OrderCheck
from verifier.units.readers.found import Page
from verifier.units.readers.mechanisms import alternatives
from verifier.units.readers.names import is_content, is_symbol
from verifier.units.readers.vocabulary import GENERIC, VERBS
from verifier.units.tokens import Clause, Kind, Token, clauses, closing, is_arrow

_STAGES = frozenset({"step", "phase", "stage", "part"})
_EVERYDAY = frozenset(
    "use apply set compute perform run take get make do keep repeat let report show demonstrate given define follow "
    "include compare validate verify analyze introduce obtain provide".split()
)
_OUTCOMES = frozenset("observe demonstrate confirm conclude show prove".split())
_ENDS = frozenset(
    "with using via on to for from by in into at through where while until so based as that which under over across "
    "per when if and".split()
)
_MAX_WORDS = 5


def read(page: Page) -> None:
    """Read the order that a claim states, as a check on each pair of steps that follow one another."""
    spans = list(_numbered(page.tokens)) or list(_staged(page.tokens)) or list(_chained(page.tokens))
    named = [(span, names) for span in spans if (names := step_names(page.tokens, *span))]
    steps = [names for at, (_, names) in enumerate(named) if at == 0 or set(names) != set(named[at - 1][1])]
    if not spans:
        for clause in clauses(page.tokens):
            _pair(page, clause)
    start, stop = (named[0][0][0], named[-1][0][1]) if named else (0, 0)
    for pair in pairwise(steps):
        page.add(start, stop, OrderCheck(steps=pair, source=page.source(start, stop)), takes=())


def _numbered(tokens: Sequence[Token]) -> Iterator[tuple[int, int]]:
    """`(1) ... (2) ...` and `1) ... 2) ...`, counted from 1."""
    marks: list[tuple[int, int]] = []
    for index, token in enumerate(tokens[:-1]):
        after = tokens[index + 1]
        if token.kind is Kind.NUMBER and token.text == str(len(marks) + 1) and after.text == ")":
            opened = index > 0 and tokens[index - 1].text == "("
            marks.append((index - opened, index + 2))
    yield from _between(marks, len(tokens))


def _staged(tokens: Sequence[Token]) -> Iterator[tuple[int, int]]:
    """`Step 1 - ... Step 2 - ...`."""
    marks: list[tuple[int, int]] = []
    for index, token in enumerate(tokens[:-1]):
        number = tokens[index + 1].text
        if (
            token.low in _STAGES
            and number in (str(len(marks) + 1), "I" * (len(marks) + 1))
            and token.depth == 0
            and token.text[:1].isupper()
        ):
            stop = index + 2
            if stop < len(tokens) and tokens[stop].text == "(":
                stop = closing(tokens, stop) + 1
            while stop < len(tokens) and (tokens[stop].kind in (Kind.BREAK, Kind.COLON) or tokens[stop].text in {"-", "–"}):
                stop += 1
            marks.append((index, stop))
    yield from _between(marks, len(tokens))


def _between(marks: Sequence[tuple[int, int]], end: int) -> Iterator[tuple[int, int]]:
    if len(marks) < 2:
        return
    for (_, start), (stop, _) in zip(marks, [*marks, (end, end)][1:], strict=True):
        if start < stop:
            yield start, stop


def _chained(tokens: Sequence[Token]) -> Iterator[tuple[int, int]]:
    """Steps between arrows outside brackets; the first starts after its heading."""
    arrows = [i for i, token in enumerate(tokens) if is_arrow(token) and token.depth == 0]
    if not arrows:
        return
    start = max(
        (i + 1 for i in range(arrows[0]) if tokens[i].kind in (Kind.COLON, Kind.BREAK) and tokens[i].depth == 0), default=0
    )
    for stop in [*arrows, _sentence_end(tokens, arrows[-1])]:
        if start < stop:
            yield start, stop
        start = stop + 1


def _sentence_end(tokens: Sequence[Token], index: int) -> int:
    return next((i for i in range(index + 1, len(tokens)) if tokens[i].text == "." and tokens[i].depth == 0), len(tokens))


def step_names(tokens: Sequence[Token], start: int, stop: int) -> tuple[str, ...]:
    """What code may call a step, the fullest first; empty when nothing in it can be named."""
    words = list(_main_words(tokens, start, stop))
    if not words or any(word.low.rstrip("s") in _OUTCOMES for word in words):
        return ()
    verb = words[0] if words[0].low in VERBS or words[0].low.rstrip("s") in VERBS or _verbal(words[0]) else None
    nouns = [word for word in words if word is not verb][:_MAX_WORDS]
    names: list[str] = []
    if verb is not None and nouns:
        names += [f"{verb.text} {nouns[-1].text}", f"{verb.text} {nouns[0].text}"]
    names += alternatives(nouns) if nouns else ()
    if verb is not None and verb.low not in _EVERYDAY:
        names.append(verb.text)
    telling = [word.text for word in nouns if word.low not in GENERIC and len(word.text) > 3]
    return tuple(dict.fromkeys(name.lower() for name in names + telling))[:10]


def _main_words(tokens: Sequence[Token], start: int, stop: int) -> Iterator[Token]:
    """The words of a step up to the first preposition after its object."""
    seen = 0
    for index in range(start, stop):
        token = tokens[index]
        if (
            token.kind in (Kind.OPEN, Kind.BREAK, Kind.COLON)
            or token.text == "="
            or (token.low in _ENDS and seen > 1)
            or (token.kind is Kind.COMMA and seen > 1)
        ):
            if seen:
                return
            continue
        if is_content(token) and not is_symbol(token.text):
            seen += 1
            yield token
        if seen > _MAX_WORDS:
            return


def _verbal(token: Token) -> bool:
    return token.text[:1].isupper() and token.low.endswith(
        ("ize", "ise", "ate", "ain", "ode", "ute", "end", "ort", "une", "ift", "ist", "ble")
    )


def _pair(page: Page, clause: Clause) -> None:
    """Read `X before Y`, `X followed by Y` and `Y after X` in a clause."""
    tokens = page.tokens
    for index in range(clause.start + 1, clause.stop - 1):
        low, following = tokens[index].low, tokens[index + 1].low
        if low not in {"before", "after", "then"} and (low, following) != ("followed", "by"):
            continue
        left = _names_left(tokens, clause.start, index)
        right = step_names(tokens, index + 1 + (low == "followed"), clause.stop)
        if not left or not right or set(left) & set(right):
            continue
        steps = (right, left) if low == "after" else (left, right)
        page.add(clause.start, clause.stop, OrderCheck(steps=steps, source=page.source(clause.start, clause.stop)), takes=())
        return


def _names_left(tokens: Sequence[Token], start: int, index: int) -> tuple[str, ...]:
    """The step that ends right before a joining word: back to the last comma."""
    begin = max((i + 1 for i in range(start, index - 1) if tokens[i].kind is Kind.COMMA), default=start)
    return step_names(tokens, begin, index)
