"""Home: the place of a repository that a unit speaks of, and what it means for the checks compiled from its claim.

A claim names many things that any project of its field has: an optimiser, a loss, a data set. Where no place of the repository is about
what the claim speaks of as a whole, such a thing belongs to something else, and that it is there shows nothing. Names, docstrings and
comments tell where a home is; they never make a check hold.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from verifier.lexicon.ranking import Places
from verifier.model.check import AnyCheck, Check, Origin
from verifier.model.finding import Finding
from verifier.model.verdict import Cause, Verdict

if TYPE_CHECKING:
    from verifier.model.facts import FactBase
    from verifier.model.unit import Rule

_NEAR = 0.4
"""The share of the weight of a claim's words below which no place is about the claim."""
_AT = 0.5
"""The share from which a place is surely about the claim."""
_TELLING = 10
_HEADING = 5
_HEADED = 0.3
_FEWEST = 6
_HOLDING = 2
_MANY = 5
_EXACT = frozenset({"value", "formula", "latex"})
_WORD = re.compile(r"[A-Za-z][A-Za-z0-9_]+")


@dataclass(frozen=True, slots=True)
class Home:
    """Where a unit lives.

    Attributes:
        label: the file, and the class or function in it; empty when no place shares a word with the unit.
        share: how much of what the unit's words weigh stands there, from 0 to 1.
        heading: the same for the first of its words alone, wherever they stand.
    """

    label: str = ""
    share: float = 0.0
    heading: float = 0.0


def find_home(context: Sequence[str], facts: FactBase) -> Home:
    """The place that has most of the telling words of a unit.

    Args:
        context: the unit's words, the most telling first.
        facts: what the repository does.
    """
    if not context:
        return Home()
    labels, places = _indexed(facts)
    number, share = places.best(context[:_TELLING])
    return Home(labels[number] if number >= 0 else "", share, places.best(context[:_HEADING])[1])


def settle(rule: Rule, findings: Sequence[Finding], home: Home) -> list[Finding]:
    """What findings are worth where the unit lives; those of checks that a person wrote always what they say.

    Away from home a thing that the claim only names is `missing`, though the repository has it for something else. (Values and formulas
    speak for themselves: where two of a claim hold, or most of the many things that it names are there, the repository is about it.) At
    home a value, formula or step that no name shows is `undecided`: the code is about it, and may do it under names that the claim does
    not give. So is, anywhere, a value that only a bare word of its name has.

    Args:
        rule: the unit with its checks.
        findings: the finding of each check, in order.
        home: where the unit lives.
    """
    away = _is_away(rule, home) and not _speaks(rule, findings)
    return [_settled(rule, check, finding, home, away) for check, finding in zip(rule.checks, findings, strict=True)]


def _is_away(rule: Rule, home: Home) -> bool:
    """Whether a claim says enough to tell that no place is about it; of a formula's text, which goes on about symbols, the heading."""
    if rule.unit.dimension == "D2":
        return home.heading < _HEADED and len(rule.context) >= _FEWEST
    return home.share < _NEAR and len(rule.context) >= _FEWEST


def _speaks(rule: Rule, findings: Sequence[Finding]) -> bool:
    """Whether enough of a claim holds to be about this repository: two values or formulas and half of them, or most of many names."""
    exact: list[Verdict] = []
    named: list[Verdict] = []
    for check, finding in zip(rule.checks, findings, strict=True):
        kinds = _kinds(check)
        if finding.status is not Verdict.UNDECIDED:
            exact += [finding.status] if kinds & _EXACT else []
            named += [finding.status] if kinds == {"present"} else []
    held, found = exact.count(Verdict.ALIGNED), named.count(Verdict.ALIGNED)
    return (held >= _HOLDING and 2 * held >= len(exact)) or (found >= _MANY and 3 * found >= 2 * len(named))


def _settled(rule: Rule, check: Check, finding: Finding, home: Home, away: bool) -> Finding:
    if check.source.origin is not Origin.COMPILED:
        return finding
    kinds = _kinds(check)
    if away and finding.status is Verdict.ALIGNED and kinds <= {"present", "order"}:
        message = f"{finding.message} ({finding.location}), but nothing there or elsewhere is about what the claim speaks of"
        return replace(finding, status=Verdict.MISSING, cause=Cause.MISSING, found=None, location=None, message=message)
    if finding.status is Verdict.DRIFTED and kinds == {"value"} and _is_bare(finding):
        message = f"{finding.message}; only a bare word of the claim's name for it names this"
        return replace(finding, status=Verdict.UNDECIDED, cause=None, found=None, location=None, message=message)
    renamed = kinds & ({"formula", "latex", "order"} if rule.unit.dimension == "D2" else {*_EXACT, "order"})
    if home.share >= _AT and finding.status is Verdict.MISSING and renamed:
        message = f"{finding.message}; {home.label} is about it and may do it under other names"
        return replace(finding, status=Verdict.UNDECIDED, cause=None, message=message)
    return finding


def _is_bare(finding: Finding) -> bool:
    """Whether nothing has the full name of a value, which the first alternative asks for: another value of a bare word shows nothing."""
    return bool(finding.parts) and finding.parts[0].status in (Verdict.MISSING, Verdict.UNDECIDED)


def _kinds(check: Check) -> frozenset[str]:
    """The kinds of the tests that may meet a check."""
    return frozenset(part.kind for part in check.checks) if isinstance(check, AnyCheck) else frozenset({check.kind})


_Index = tuple[tuple[str, ...], Places]
_KEPT: WeakKeyDictionary[FactBase, _Index] = WeakKeyDictionary()


def _indexed(facts: FactBase) -> _Index:
    """The places of a repository and their words, made once for all its units."""
    if facts not in _KEPT:
        documents = _documents(facts)
        labels = tuple(sorted(documents))
        _KEPT[facts] = labels, Places([sorted(documents[label]) for label in labels])
    return _KEPT[facts]


def _documents(facts: FactBase) -> dict[str, set[str]]:
    """The names and texts of each class, function and section; a comment or docstring belongs to the code right below it."""
    documents: dict[str, set[str]] = {}
    lines: dict[str, list[tuple[int, str]]] = {}
    for text in facts.mentioned:
        for mention in facts.mentions(text):
            place = mention.place
            file = place.location.file
            inner = place.path[file.count("/") + 1 :][:2]
            label = ":".join((file, ".".join(inner))) if inner else file
            documents.setdefault(label, set()).update((text, *place.path))
            lines.setdefault(file, []).append((place.location.line, label))
    below = {file: sorted(found) for file, found in lines.items()}
    for remark in facts.remarks:
        file = remark.location.file
        label = next((label for line, label in below.get(file, ()) if line >= remark.location.line), file)
        documents.setdefault(label, set()).update(_WORD.findall(remark.text))
    return documents
