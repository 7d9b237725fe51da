"""Settings of something else: `SAC baseline hyperparameters: discount=0.5, batch=8192` sets nothing outside SAC.

The heading's name becomes a check of its own, and the values that follow count only in places that bear the name.
"""

from __future__ import annotations

from dataclasses import replace

from verifier.model.check import AnyCheck, Check, FormulaCheck, PresentCheck, ValueCheck
from verifier.model.unit import Unread
from verifier.units.readers.entities import Role, is_own, is_proper
from verifier.units.readers.found import Found, Page
from verifier.units.readers.names import clean
from verifier.units.tokens import Clause, Kind

_OWNED = frozenset({"baseline", "baselines", "hyperparameters", "hyperparameter", "stage", "ablation"})


def owner_of(page: Page, heading: Clause, own: str = "") -> str:
    """The baseline that a heading announces the settings of; empty when it announces none."""
    if heading.stop >= len(page.tokens) or page.tokens[heading.stop].kind is not Kind.COLON:
        return ""
    words = [token for token in page.tokens[heading.start : heading.stop] if token.kind is Kind.WORD]
    outer = [token for token in words if token.depth == 0]
    at = next((i for i, token in enumerate(outer) if token.low in _OWNED), 0)
    aside = any(token.depth and token.low == "baseline" for token in words)
    names = [token for token in ([*outer, *words] if aside else outer[:at]) if is_proper(token) and not is_own(token.text, own)]
    return clean(names[0].text) if names else ""


def narrow(page: Page, heading: Clause, name: str) -> None:
    """Let every value and formula of a claim count only near a name, and add the check that the name is there."""
    source = page.source(heading.start, heading.stop)
    page.found = [Found(found.start, found.stop, _near(found.result, name)) for found in page.found]
    role: Role = "baseline" if "baseline" in source.words.lower() else ""
    page.add(heading.start, heading.stop, PresentCheck(entity=name, role=role, source=source), takes=())


def _near(result: Check | Unread, name: str) -> Check | Unread:
    return replace(result, near=(name,)) if isinstance(result, (ValueCheck, FormulaCheck, AnyCheck)) else result
