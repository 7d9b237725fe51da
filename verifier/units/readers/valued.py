"""Values into checks: which alternatives a value with its names has in code."""

from __future__ import annotations

import re

from verifier.model.check import AnyCheck, Between, Check, Equals, FormulaCheck, PresentCheck, Source, Test, ValueCheck
from verifier.units.readers.found import Page
from verifier.units.readers.names import clean, is_symbol, owner
from verifier.units.readers.numbers import Value, numeral

_IMAGES = frozenset("resolution image images input inputs generation observation observations pixels frames frame".split())


def add_value(page: Page, value: Value, start: int, stop: int, names: tuple[str, ...], takes: range | None = None) -> None:
    """Add a check for each variant of a value; an interval may stand as a pair or as its upper bound."""
    if any(
        isinstance(test, Equals) and isinstance(test.value, str) and re.fullmatch(r"\d+x\d+.*", test.value)
        for test in value.tests
    ):
        imaged = any(word in _IMAGES for name in names for word in name.lower().split())
        names = (*names, "image size", "resolution") if imaged else names
    if not names:
        return
    source = page.source(start, stop)
    names = _owned(page, start, names)
    if any(isinstance(test, Between) for test in value.tests):
        names = (*names, *(f"{bound} {names[0]}" for bound in ("min", "max")), f"{names[0]} threshold", "threshold")
    for test in value.tests:
        for part, labels in _parts(test, names):
            check = _value(labels, part, source)
            if value.interval and isinstance(part, Equals) and isinstance(part.value, tuple):
                top = max(part.value, key=lambda bound: float(bound) if isinstance(bound, (int, float)) else 0.0)
                high = ValueCheck(subjects=tuple(f"max {name}" for name in labels[:2]) + labels, test=Equals(top), source=source)
                check = AnyCheck(checks=(*(check.checks if isinstance(check, AnyCheck) else (check,)), high), source=source)
            page.add(start, stop, check, takes)


def _value(names: tuple[str, ...], test: Test, source: Source) -> Check:
    """One check on the full names; in place of it another on the bare words among them, or what a loss weight may be in code."""
    full = tuple(name for name in names if re.search(r"[ _.]", name) or name == names[0])
    bare = tuple(name for name in names if name not in full)
    checks: list[Check] = [ValueCheck(subjects=full, test=test, source=source)]
    if bare:
        checks.append(ValueCheck(subjects=bare, test=test, source=source))
    checks += _weighted(names[0], test, source)
    return checks[0] if len(checks) == 1 else AnyCheck(checks=tuple(checks), source=source)


def _weighted(name: str, test: Test, source: Source) -> list[Check]:
    """A weight of 1 is met by a term that is simply added, another by the factor of the term."""
    match = re.fullmatch(r"(.+?)(?:[ _]loss)? (?:weight|coefficient|coef)", name)
    worth = numeral(test)
    if match is None or worth is None or isinstance(test, Between):
        return []
    term = match[1].replace("_", " ")
    if worth == 1:
        return [PresentCheck(entity=f"{term} loss", source=source)]
    symbol = re.sub(r"\W+", "_", f"{term}_loss".lower())
    hints = ((symbol, (f"{term} loss", f"loss {term}", f"{term.split()[-1]} loss")),)
    return [FormulaCheck(text=f"{worth:.12g}*{symbol}", symbols=hints, source=source)]


def _owned(page: Page, start: int, names: tuple[str, ...]) -> tuple[str, ...]:
    """Names inside a bracket belong to the phrase before it: `AdamW (lr 3e-4)`, `horizontal flip (p=0.5)`."""
    above = [word for word in owner(page.tokens, start) if not is_symbol(word)] if page.tokens[start].depth else []
    if not above or len(above[-1]) < 3:
        return names
    phrase = " ".join(above[-2:])
    short = is_symbol(names[0]) or len(names[0]) <= 2
    qualified = [f"{above[-1]}.{names[0]}"] if above[-1][:1].isupper() else [f"{phrase} {names[0]}"]
    extra = [f"{phrase} prob"] if names[0] in {"p", "prob"} else [phrase] if short else []
    return tuple(dict.fromkeys((*(clean(name) for name in qualified), *names, *(clean(name) for name in extra))))


def _parts(test: Test, names: tuple[str, ...]) -> list[tuple[Test, tuple[str, ...]]]:
    """`256x256x3` is a resolution and a number of channels."""
    text = test.value if isinstance(test, Equals) else None
    if isinstance(text, str) and (match := re.fullmatch(r"(\d+x\d+)x([134])", text)):
        return [(Equals(match[1]), names), (Equals(int(match[2])), ("channels", "in channels", "number of channels"))]
    return [(test, names)]
