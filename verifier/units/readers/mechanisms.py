"""Mechanisms: noun phrases that name a part of the method, where no other reader has explained the words.

A clause is cut into items at commas, brackets and the words that join parts (`with`, `via`, `using`, `and`). A compound or a
name in an item (`query-dependent`, `EMA`) becomes one `present` check. A phrase of plain words is named in code in too many
ways to be told absent by its words: it is read only where a claim gives nothing surer, and then any run of two of its words, or
a telling word, may name it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from verifier.model.check import AnyCheck, Check, PresentCheck
from verifier.units.readers.entities import is_own, is_proper
from verifier.units.readers.found import Page
from verifier.units.readers.names import clean, is_content, is_symbol
from verifier.units.readers.vocabulary import CITATION_HEADS, COUNTED_ENTITIES, GENERIC, HARDWARE, PREPOSITIONS, VERBS
from verifier.units.tokens import Clause, Kind, Token

_JOINS = frozenset(
    "with via using and or by from on to in for into through as of over at per between across before after then than "
    "vs vs. against".split()
)
_PLAIN = frozenset(
    "new first second third final same different multiple single several various entire full whole key core novel "
    "original standard simple paper-specified section following respective corresponding specific particular general "
    "overall high low higher lower large small best time times way ways case cases example examples end start part "
    "parts set sets term terms form order point points result results sequence ordering execution computation "
    "workflow pipeline proof design space exploration theoretical number use effect impact difference input inputs "
    "output outputs two three four five six seven eight nine ten rest default current experiment experiments work "
    "paper existing proposed additional further available direct directly based related".split()
)
_FORMAL = frozenset(
    "loss losses function functions formula equation update rule definition objective computation algorithm criterion "
    "condition bound gradient variable quantity expression derivation".split()
)
_POINTS_BACK = frozenset("this these that it here note such which thus therefore".split())
_MAX_WORDS = 5


def read(page: Page, clause: Clause, own: str = "", phrases: bool = False, compounds: bool = True) -> None:
    """Read the mechanisms of a clause.

    Args:
        page: the claim.
        clause: where to read; one that points back (`This ensures`) explains and names none.
        own: the paper's own name, which is no mechanism.
        phrases: read phrases of plain words too.
        compounds: read single compounds of plain words (`query-dependent`) too: in a list of settings they name parts.
    """
    if page.tokens[clause.start].low in _POINTS_BACK:
        return
    for start, stop in _items(page, clause):
        if start > 1 and page.tokens[start - 1].kind is Kind.COLON and page.tokens[start - 2].low in {"output", "input", "feeds"}:
            continue
        phrase = [i for i in _phrase(page, start, stop) if not is_own(page.tokens[i].text, own)]
        if phrase and (len(phrase) > 1 or _names(page.tokens[phrase[0]])):
            named = (len(phrase) == 1 and compounds) or any(is_proper(page.tokens[i]) for i in phrase)
            if (phrases or named) and (page.tokens[phrase[0]].depth == 0 or is_proper(page.tokens[phrase[0]])):
                _add(page, phrase)


def _items(page: Page, clause: Clause) -> Iterator[tuple[int, int]]:
    """Stretches of unexplained tokens between commas, brackets and joining words."""
    start = clause.start
    for index in range(clause.start, clause.stop + 1):
        token = page.tokens[index] if index < clause.stop else None
        if token is None or index in page.taken or token.kind is not Kind.WORD or token.low in _JOINS:
            if index > start:
                yield start, index
            start = index + 1


def _phrase(page: Page, start: int, stop: int) -> list[int]:
    """The last run of content words of an item, without leading verbs and plain words; empty when nothing in it tells."""
    runs: list[list[int]] = [[]]
    for index in range(start, stop):
        token = page.tokens[index]
        if (
            is_content(token)
            and (token.low not in VERBS or _nominal(page, index, stop, bool(runs[-1])))
            and not is_symbol(token.text)
            and not token.low.endswith("ly")
        ):
            runs[-1].append(index)
        elif runs[-1]:
            runs.append([])
    best = max(runs, key=lambda run: (sum(tells(page.tokens[i]) for i in run), len(run)))
    while best and page.tokens[best[0]].low in _PLAIN:
        best = best[1:]
    best = best[-_MAX_WORDS:]
    telling = [i for i in best if tells(page.tokens[i])]
    if not telling or (len(best) == 1 and not _names(page.tokens[best[0]])):
        return []
    if page.tokens[best[-1]].low in CITATION_HEADS | COUNTED_ENTITIES and len(telling) < 2:
        return []
    return best


def _nominal(page: Page, index: int, stop: int, inside: bool) -> bool:
    """Whether a word that may be a verb is part of a name here: `Frequency Keep Score`, `load balancing loss`."""
    if index + 1 < stop and page.tokens[index + 1].low.endswith("ing"):
        return True
    if not page.tokens[index].text[:1].isupper():
        return False
    before = page.tokens[index - 1] if index else None
    after = page.tokens[index + 1] if index + 1 < stop else None
    if inside and before is not None and before.text[:1].isupper():
        return True
    return before is not None and before.kind is Kind.WORD and after is not None and after.text[:1].isupper()


def tells(token: Token) -> bool:
    """Whether a word says something particular: not short, plain, generic or of hardware."""
    low = token.low
    return (
        len(low) > 2
        and low not in GENERIC
        and low not in _PLAIN
        and low not in _FORMAL
        and low not in HARDWARE
        and low not in PREPOSITIONS
        and low not in COUNTED_ENTITIES
    )


def _names(token: Token) -> bool:
    """Whether a single word is enough to look for: a compound or a name."""
    return is_proper(token) or "-" in token.text or "_" in token.text


def _add(page: Page, phrase: Sequence[int]) -> None:
    start, stop = phrase[0], phrase[-1] + 1
    names = alternatives([page.tokens[i] for i in phrase])
    source = page.source(start, stop)
    checks: list[Check] = [PresentCheck(entity=name, source=source) for name in names]
    if checks:
        page.add(start, stop, checks[0] if len(checks) == 1 else AnyCheck(checks=tuple(checks), source=source))


def alternatives(tokens: Sequence[Token]) -> tuple[str, ...]:
    """What code may call a phrase: the phrase, each run of two of its words of which one tells, each word that is a name."""
    words = [clean(token.text) for token in tokens]
    found = [" ".join(words)] if len(words) <= 4 else []
    for size in (3, 2):
        starts = [at for at in range(len(words) - size + 1) if any(tells(token) for token in tokens[at : at + size])]
        found += [" ".join(words[at : at + size]) for at in starts]
    found += [word for word, token in zip(words, tokens, strict=True) if is_proper(token) or "_" in token.text]
    if len(words) == 1:
        found += [word for word, token in zip(words, tokens, strict=True) if tells(token)]
    return tuple(dict.fromkeys(name for name in found if name))
