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
from verifier.model.check import AnyCheck, Check, OrderCheck, Origin, PresentCheck
from verifier.model.finding import Finding
from verifier.model.verdict import Cause, Verdict

if TYPE_CHECKING:
    from verifier.model.facts import FactBase
    from verifier.model.unit import Rule

_AT_HOME = 0.4
"""The share of the weight of a claim's words that a place must have to be what the claim is about."""
_TELLING = 10
_WORD = re.compile(r"[A-Za-z][A-Za-z0-9_]+")


@dataclass(frozen=True, slots=True)
class Home:
    """Where a unit lives.

    Attributes:
        label: the file, and the class or function in it; empty when no place shares a word with the unit.
        share: how much of what the unit's words weigh stands there, from 0 to 1.
    """

    label: str
    share: float


def find_home(context: Sequence[str], facts: FactBase) -> Home:
    """The place that has most of the telling words of a unit.

    Args:
        context: the unit's words, the most telling first.
        facts: what the repository does.
    """
    labels, places = _indexed(facts)
    number, share = places.best(tuple(context[:_TELLING]))
    return Home(labels[number] if number >= 0 else "", share)


def at_home(rule: Rule, check: Check, finding: Finding, home: Home) -> Finding:
    """The finding, or `missing` where a thing was found that the claim only names and the repository has for something else.

    Values and formulas speak for themselves, and so does what a formula's text names; a check that a person wrote means any place.
    """
    named = isinstance(check, (PresentCheck, OrderCheck)) or (
        isinstance(check, AnyCheck) and all(isinstance(part, PresentCheck) for part in check.checks)
    )
    compiled = check.source.origin is Origin.COMPILED
    if not named or not compiled or rule.unit.dimension == "D2" or home.share >= _AT_HOME or finding.status is not Verdict.ALIGNED:
        return finding
    message = f"{finding.message} ({finding.location}), but nothing there or elsewhere is about what the claim speaks of"
    return replace(finding, status=Verdict.MISSING, cause=Cause.MISSING, found=None, location=None, message=message)


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
