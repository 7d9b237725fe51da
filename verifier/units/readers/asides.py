"""Asides: what a claim says that no code could show.

Achieved results, motives, hardware, theorem statements, citations and sections. Each is taken off the page with its reason, so that no
later reader turns it into a check.
"""

from __future__ import annotations

from collections.abc import Sequence

from verifier.model.unit import Unread
from verifier.units.readers.found import Page
from verifier.units.readers.vocabulary import CITATION_HEADS, MOTIVES, RESULT_HEADS, RESULTS, SCORES
from verifier.units.tokens import Clause, Kind, Token, closing

_BRACKETS = frozenset(
    "comparison compared vs. cf. cf reduced outperforms equivalent higher lower better worse harmful best referenced see".split()
)
_REFERENCES = frozenset(
    "section sections sec. table tables figure figures fig. eq. eqs. eq equation equations appendix app. lemma lemmas "
    "theorem theorems corollary proposition definition tab. chapter referenced".split()
)
_STATEMENTS = frozenset({"lemma", "theorem", "corollary", "proposition", "proof"})


def read(page: Page, clause: Clause) -> None:
    """Take the asides of a clause off the page."""
    tokens = page.tokens
    _citations(page, clause)
    if clause.head and clause.head[-1].lower() in RESULT_HEADS:
        page.add(
            clause.start,
            clause.stop,
            Unread(page.words(clause.start, clause.stop), "results or explanation, not a setting", False),
        )
        return
    at = _result(tokens, clause)
    if at is not None:
        page.add(at, clause.stop, Unread(page.words(at, clause.stop), "an achieved result, which code does not show", False))
    _scores(page, clause)
    at = next((i for i in range(clause.start, clause.stop) if tokens[i].low in MOTIVES and tokens[i].depth == 0), None)
    if at is not None and page.free(at, at + 1) and not _has_number(tokens[at : clause.stop]):
        page.add(at, clause.stop, Unread(page.words(at, clause.stop), "a motive or explanation", False))


def _scores(page: Page, clause: Clause) -> None:
    """Numbers of a clause that tells scores (`PPL 5.80 vs 5.79`), those behind an equals sign left out."""
    tokens = page.tokens
    numbers = [i for i in range(clause.start, clause.stop) if tokens[i].kind is Kind.NUMBER]
    near = [(i, j) for i in numbers for j in (i - 1, i - 2) if j >= clause.start and tokens[j].low in SCORES]
    scores = [j for i, j in near if tokens[i - 1].text in (tokens[j].text, "~", "≈")]
    if not scores:
        return
    page.taken.update(scores)
    for i in numbers:
        if "." in tokens[i].text and tokens[i - 1].text != "=" and page.free(i, i + 1):
            page.add(i, i + 1, Unread(tokens[i].text, "an achieved result, which code does not show", False))


def _citations(page: Page, clause: Clause) -> None:
    """Brackets that cite (`[19]`, `(Ho et al., 2022)`, `(Section 4.1, Eq. 3)`), compare or tell a result."""
    tokens = page.tokens
    index = clause.start
    while index < clause.stop:
        if tokens[index].kind is Kind.OPEN and page.free(index, index + 1):
            stop = closing(tokens, index)
            if _cites(tokens, index, stop):
                page.taken.update(range(index, stop + 1))
                index = stop
        elif tokens[index].low in _REFERENCES and index + 1 < clause.stop and _label(tokens[index + 1]):
            page.taken.update((index, index + 1))
        index += 1


def _cites(tokens: Sequence[Token], start: int, stop: int) -> bool:
    inner = tokens[start + 1 : stop]
    if not inner:
        return False
    lows = [token.low for token in inner]
    if "et al." in " ".join(lows) or any(low.startswith("et") and low.endswith("al.") for low in lows) or lows[0] in _BRACKETS:
        return True
    year = any(token.kind is Kind.NUMBER and token.text[:2] in {"19", "20"} and len(token.text) == 4 for token in inner)
    if year and inner[0].text[:1].isupper() and len(inner) <= 6 and not any(token.text == "=" for token in inner):
        return True
    labelled = len(inner) == 1 or _label(inner[1])
    if lows[0] in _REFERENCES or (lows[0] in CITATION_HEADS and len(inner) <= 3 and labelled and "=" not in lows):
        return True
    return (
        tokens[start].text == "["
        and all(token.kind in (Kind.NUMBER, Kind.COMMA) for token in inner)
        and _bare_reference(tokens, start, stop)
    )


def _bare_reference(tokens: Sequence[Token], start: int, stop: int) -> bool:
    """`[19]` after a word: a reference; `[1, 2, 4]` is a list."""
    before = tokens[start - 1] if start else None
    return (
        stop - start == 2
        and tokens[start + 1].text.isdigit()
        and before is not None
        and before.kind is Kind.WORD
        and before.text[-1:] not in "s="
    )


def _label(token: Token) -> bool:
    return token.kind is Kind.NUMBER or (token.kind is Kind.WORD and len(token.text) <= 5 and (token.text[:1].isupper()))


def _result(tokens: Sequence[Token], clause: Clause) -> int | None:
    """Where a clause begins to tell a result: a verb of success, a score with decimals, a theorem."""
    for index in range(clause.start, clause.stop):
        token = tokens[index]
        if token.kind is not Kind.WORD or token.depth:
            continue
        if token.low in RESULTS and (index > clause.start or token.low.endswith(("s", "ed"))):
            return _subject(tokens, clause, index)
        if token.low in _STATEMENTS and index == clause.start:
            return index
    return None


def _subject(tokens: Sequence[Token], clause: Clause, verb: int) -> int:
    """The start of the part between commas that has the verb."""
    commas = [i for i in range(clause.start, verb) if tokens[i].kind is Kind.COMMA and tokens[i].depth == 0]
    start = commas[-1] + 1 if commas else clause.start
    return max(start, verb - 5)


def _has_number(tokens: Sequence[Token]) -> bool:
    return any(token.kind is Kind.NUMBER or token.text == "=" for token in tokens)
