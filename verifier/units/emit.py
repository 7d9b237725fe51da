"""Unit files written: every unit with its checks, for a person to correct and keep."""

from __future__ import annotations

import json
import math
import re
from typing import TYPE_CHECKING

from verifier.model.check import (
    AnyCheck,
    Check,
    Equals,
    FormulaCheck,
    NotCheck,
    OneOf,
    OrderCheck,
    PresentCheck,
    Test,
    ValueCheck,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from verifier.model.constant import Constant
    from verifier.model.unit import Rule

_PLAIN = re.compile(r"[A-Za-z_](?:[\w ./()+*^-]*[\w.)])?", re.ASCII)
_RESERVED = frozenset({"null", "true", "false", "yes", "no", "on", "off", "y", "n"})
_UNPRINTABLE = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")


def dump_rules(rules: Sequence[Rule]) -> str:
    """Writes rules as a unit file in YAML, which loads as the same units with the same checks.

    Above each compiled check a comment has the words of the claim it was read from; below a unit comments have what was not
    read, and why. A unit without checks keeps none, so that it is compiled again when it is loaded.

    Args:
        rules: the units with their checks.
    """
    lines = ["units:"]
    for rule in rules:
        lines += [f"  {line}" for line in _unit(rule)]
    return "\n".join(lines) + "\n"


def _unit(rule: Rule) -> Iterator[str]:
    unit = rule.unit
    yield f"- id: {_scalar(unit.id)}"
    yield f"  dimension: {unit.dimension}"
    if unit.claim:
        yield f"  claim: {_scalar(unit.claim)}"
    if unit.source:
        yield f"  source: {_scalar(unit.source)}"
    if rule.checks:
        yield "  checks:"
        yield from (f"    {line}" for check in rule.checks for line in _item(check))
    for part in rule.unread:
        yield f"  # {'not read' if part.checkable else 'left out'}: {_comment(part.words)} ({_comment(part.reason)})"


def _item(check: Check) -> Iterator[str]:
    """A check as an element of a list."""
    if check.source.words:
        yield f"# from: {_comment(check.source.words)}"
    first, *rest = _fields(check)
    yield f"- {first}"
    yield from (f"  {line}" for line in rest)


def _fields(check: Check) -> Iterator[str]:
    """A check as the lines of a mapping."""
    if isinstance(check, ValueCheck):
        yield f"value: {_names(check.subjects)}"
        yield _test(check.test)
        if check.tolerance is not None:
            yield f"tolerance: {_scalar(check.tolerance)}"
    elif isinstance(check, FormulaCheck):
        yield f"{check.notation}: {_scalar(check.text)}"
        if check.symbols:
            yield "symbols:"
            yield from (f"  {_scalar(symbol)}: {_names(names)}" for symbol, names in check.symbols)
        if check.instead_of is not None:
            yield f"instead_of: {_scalar(check.instead_of)}"
    elif isinstance(check, PresentCheck):
        yield f"present: {_scalar(check.entity)}"
        if check.role:
            yield f"as: {check.role}"
    elif isinstance(check, OrderCheck):
        yield f"order: [{', '.join(_names(step) for step in check.steps)}]"
        if check.link != "control":
            yield f"link: {check.link}"
    else:
        yield from _held(check)
    if check.near:
        yield f"near: {_flow(check.near)}"


def _held(check: AnyCheck | NotCheck) -> Iterator[str]:
    """The checks that a check holds."""
    if isinstance(check, NotCheck):
        yield "not:"
        yield from (f"  {line}" for line in _fields(check.check))
    else:
        yield "any:"
        yield from (f"  {line}" for part in check.checks for line in _item(part))


def _test(test: Test) -> str:
    if isinstance(test, Equals):
        return f"equals: {_flow(test.value)}"
    if isinstance(test, OneOf):
        return f"one_of: {_flow(test.values)}"
    if test.low is None:
        return f"at_most: {_scalar(test.high)}"
    return f"at_least: {_scalar(test.low)}" if test.high is None else f"between: {_flow((test.low, test.high))}"


def _names(names: Sequence[str]) -> str:
    return _scalar(names[0]) if len(names) == 1 else _flow(tuple(names))


def _flow(value: Constant) -> str:
    if isinstance(value, tuple):
        return f"[{', '.join(_flow(item) for item in value)}]"
    return _scalar(value)


def _scalar(value: Constant) -> str:
    if isinstance(value, str):
        safe = _PLAIN.fullmatch(value) and value.lower() not in _RESERVED
        return value if safe else _quoted(value)
    if isinstance(value, float) and math.isinf(value):
        return ".inf" if value > 0 else "-.inf"
    return repr(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else json.dumps(value)


def _quoted(text: str) -> str:
    """Double quotes as JSON has them, which YAML reads alike once its own unprintable characters are escaped."""
    return _UNPRINTABLE.sub(lambda char: f"\\u{ord(char.group()):04x}", json.dumps(text, ensure_ascii=False))


def _comment(text: str) -> str:
    return _UNPRINTABLE.sub("", " ".join(text.split()))
