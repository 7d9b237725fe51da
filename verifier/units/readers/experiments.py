"""Experiments: the heading of a protocol names what must be there.

`Sensitivity analysis: DDIM steps. Metric: MSE.` says nothing about code that has no such analysis, whatever else that code measures. So the
heading is a check of its own, and in a variation of an experiment (an ablation, a robustness test, a scaling study) the data sets and
metrics that it shares with the main experiment are none.
"""

from __future__ import annotations

from verifier.model.check import AnyCheck, Check, PresentCheck
from verifier.model.unit import Unread
from verifier.units.readers.entities import is_own
from verifier.units.readers.found import Page
from verifier.units.readers.mechanisms import tells
from verifier.units.readers.names import clean, is_content, is_symbol
from verifier.units.tokens import Clause, Kind

_VARIATIONS = frozenset(
    "ablation ablations sensitivity robustness scaling study studies analysis analyses comparison efficiency test "
    "sweep probing".split()
)
_LONGEST = 12
_MAX_WORDS = 8


def is_variation(page: Page, heading: Clause) -> bool:
    """Whether a heading announces a variation of an experiment."""
    return any(token.low in _VARIATIONS for token in page.tokens[heading.start : heading.stop])


def is_shared(result: Check | Unread) -> bool:
    """Whether a check is on a data set or metric, which a variation shares with the main experiment."""
    return isinstance(result, PresentCheck) and result.role in ("dataset", "metric")


def heading_of(page: Page, first: Clause) -> Clause | None:
    """The heading of a claim: its first clause, when it ends at a colon or is short."""
    if first.stop >= len(page.tokens):
        return None
    colon = page.tokens[first.stop].kind is Kind.COLON
    return first if colon or first.stop - first.start <= _LONGEST else None


def read(page: Page, heading: Clause, own: str = "") -> None:
    """Add the check that the experiment of a heading is there, under any of its telling words but the paper's own name."""
    tokens = [token for token in page.tokens[heading.start : heading.stop] if is_content(token) and not is_symbol(token.text)]
    tokens = [token for token in tokens if not is_own(token.text, own)]
    words = [clean(token.text) for token in tokens[:_MAX_WORDS] if tells(token) or token.low in _VARIATIONS]
    if not words:
        return
    source = page.source(heading.start, heading.stop)
    checks = tuple(PresentCheck(entity=word, source=source) for word in dict.fromkeys(words))
    page.add(heading.start, heading.stop, AnyCheck(checks=checks, source=source) if len(checks) > 1 else checks[0], takes=())
