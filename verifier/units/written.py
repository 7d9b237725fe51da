"""Checks as a unit file writes them."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from verifier.errors import FormulaError
from verifier.model import worth
from verifier.model.check import (
    AnyCheck,
    Between,
    Check,
    Equals,
    FormulaCheck,
    NotCheck,
    OneOf,
    OrderCheck,
    PresentCheck,
    Source,
    Test,
    ValueCheck,
)
from verifier.units import fields
from verifier.units.format import KEYS, LINKS, ROLES, TESTS

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Literal

    from verifier.model.constant import Constant
    from verifier.units.fields import Faults
    from verifier.units.wire import Node


def read_checks(node: Node, faults: Faults) -> tuple[Check, ...]:
    """Reads a list of checks.

    Args:
        node: the list.
        faults: takes every fault; the checks that have one are left out of the result.
    """
    if node.items is None:
        faults.add(node, f"`checks` must be a list, not {node.sort}")
        return ()
    if not node.items:
        faults.add(node, "`checks` is an empty list: leave it out to have the checks compiled from the claim")
    return tuple(check for item in node.items for check in _read_check(item, faults))


def _read_check(node: Node, faults: Faults) -> tuple[Check, ...]:
    """One check; several for a `present` with a list."""
    keys = fields.mapping(node, "a check", faults)
    if keys is None:
        return ()
    kinds = [key for key in keys if key in KEYS]
    if len(kinds) != 1:
        faults.add(node, _no_kind(keys) if not kinds else f"a check has one kind, not {' and '.join(f'`{k}`' for k in kinds)}")
        return ()
    kind = kinds[0]
    before = len(faults.found)
    fields.refuse_unknown(node, (kind, *KEYS[kind]), f"a `{kind}` check", faults)
    near = _near(keys, faults)
    checks = _READERS[kind](keys, near, Source(line=node.line), faults)
    return checks if len(faults.found) == before else ()


def _no_kind(keys: dict[str, Node]) -> str:
    stray = next((key for key in keys if not any(key in known for known in KEYS.values())), None)
    if stray is None:
        return f"a check needs a kind: one of the keys {', '.join(KEYS)}"
    return f"unknown kind of check `{stray}`{fields.suggestion(stray, KEYS)}"


def _near(keys: dict[str, Node], faults: Faults) -> tuple[str, ...]:
    """The words of `near`; a number, as in `[stage, 2]`, is a word too."""
    node = keys.get("near")
    if node is None:
        return ()
    items = (node,) if node.items is None else node.items
    numbers = tuple(type(item.value) is int for item in items)
    words = tuple(
        str(item.value) if number else fields.text(item, "`near`", faults) for item, number in zip(items, numbers, strict=True)
    )
    if not words:
        faults.add(node, "`near` is an empty list")
    return words


def _value(keys: dict[str, Node], near: tuple[str, ...], source: Source, faults: Faults) -> tuple[Check, ...]:
    subjects = fields.texts(keys["value"], "`value`", faults)
    named = [key for key in TESTS if key in keys]
    if not named and set(keys) - {"value", *KEYS["value"]}:
        return ()  # the unknown key, a fault of its own, is most likely the test
    if len(named) != 1:
        got = " and ".join(f"`{key}`" for key in named) or "none"
        faults.add(keys["value"], f"a `value` check needs one of {', '.join(TESTS)}, not {got}")
        return ()
    test = _test(named[0], keys[named[0]], faults)
    tolerance = None
    if "tolerance" in keys:
        tolerance = _number(keys["tolerance"], "`tolerance`", faults)
        if tolerance is not None and not 0 <= tolerance < math.inf:
            faults.add(keys["tolerance"], "`tolerance` must be a number from 0 up: the relative difference that is allowed")
    if test is None:
        return ()
    return (ValueCheck(subjects=subjects, test=test, tolerance=tolerance, near=near, source=source),)


def _test(key: str, node: Node, faults: Faults) -> Test | None:
    if key == "equals":
        return Equals(_constant(node, "`equals`", faults))
    if key == "one_of":
        if not node.items:
            faults.add(node, "`one_of` must be a list of values" + ("" if node.items is None else ", and has none"))
            return None
        return OneOf(tuple(_constant(item, "`one_of`", faults) for item in node.items))
    if key == "between":
        return _between(node, faults)
    bound = _number(node, f"`{key}`", faults)
    return Between(bound, None) if key == "at_least" else Between(None, bound)


def _between(node: Node, faults: Faults) -> Test | None:
    if node.items is None or len(node.items) != 2:
        faults.add(node, "`between` must be a list of two numbers, [lowest, highest]")
        return None
    low, high = (_number(item, "`between`", faults) for item in node.items)
    if low is not None and high is not None and low > high:
        faults.add(node, f"`between` has its bounds swapped: {worth.format(low)} is more than {worth.format(high)}")
    return Between(low, high)


def _number(node: Node, what: str, faults: Faults) -> float | None:
    value = worth.parse(node.value)
    if isinstance(value, (int, float)) and not isinstance(value, bool) and not math.isnan(value):
        return value
    got = f"`{node.value}`" if isinstance(node.value, str) else node.sort
    faults.add(node, f"{what} takes numbers, not {got}")
    return None


def _constant(node: Node, what: str, faults: Faults) -> Constant:
    if node.fields is not None:
        faults.add(node, f"{what} cannot be a mapping: write a check for each of its fields")
        return None
    if node.items is not None:
        return tuple(_constant(item, what, faults) for item in node.items)
    return worth.parse(node.value)


def _formula(
    notation: Literal["formula", "latex"],
) -> Callable[[dict[str, Node], tuple[str, ...], Source, Faults], tuple[Check, ...]]:
    def read(keys: dict[str, Node], near: tuple[str, ...], source: Source, faults: Faults) -> tuple[Check, ...]:
        formula = _expression(keys[notation], notation, notation, faults)
        instead = _expression(keys["instead_of"], "instead_of", notation, faults) if "instead_of" in keys else None
        symbols = _symbols(keys["symbols"], faults) if "symbols" in keys else ()
        return (FormulaCheck(text=formula, notation=notation, symbols=symbols, instead_of=instead, near=near, source=source),)

    return read


def _expression(node: Node, key: str, notation: str, faults: Faults) -> str:
    """The text of a formula, once its syntax is known to be right."""
    written = fields.text(node, f"`{key}`", faults)
    if not written:
        return ""
    try:
        _parse(written, notation)
    except FormulaError as error:
        faults.add(node, f"`{key}`, column {error.column}: {error.message}")
    return written


def _parse(written: str, notation: str) -> None:
    if notation == "latex":
        from verifier.algebra.latex import parse_latex

        parse_latex(written)
    else:
        from verifier.algebra.language import parse

        parse(written)


def _symbols(node: Node, faults: Faults) -> tuple[tuple[str, tuple[str, ...]], ...]:
    names = fields.mapping(node, "`symbols`", faults) or {}
    return tuple((symbol, fields.texts(names[symbol], f"the names of `{symbol}`", faults)) for symbol in names)


def _present(keys: dict[str, Node], near: tuple[str, ...], source: Source, faults: Faults) -> tuple[Check, ...]:
    entities = fields.texts(keys["present"], "`present`", faults)
    role = fields.choice(keys["as"], ROLES, "`as`", faults) if "as" in keys else None
    return tuple(PresentCheck(entity=entity, role=role or "", near=near, source=source) for entity in entities)


def _order(keys: dict[str, Node], near: tuple[str, ...], source: Source, faults: Faults) -> tuple[Check, ...]:
    node = keys["order"]
    if node.items is None or len(node.items) < 2:
        faults.add(node, "`order` must be a list of at least two steps")
        return ()
    steps = tuple(fields.texts(item, "a step", faults) for item in node.items)
    link = fields.choice(keys["link"], LINKS, "`link`", faults) if "link" in keys else None
    return (OrderCheck(steps=steps, link=link or "control", near=near, source=source),)


def _any(keys: dict[str, Node], near: tuple[str, ...], source: Source, faults: Faults) -> tuple[Check, ...]:
    node = keys["any"]
    if not node.items:
        faults.add(node, "`any` must be a list of checks" + ("" if node.items is None else ", and has none"))
        return ()
    parts = tuple(check for item in node.items for check in _read_check(item, faults))
    return (AnyCheck(checks=parts, near=near, source=source),)


def _not(keys: dict[str, Node], near: tuple[str, ...], source: Source, faults: Faults) -> tuple[Check, ...]:
    return tuple(NotCheck(check=check, near=near, source=source) for check in _read_check(keys["not"], faults))


_READERS = {
    "value": _value,
    "formula": _formula("formula"),
    "latex": _formula("latex"),
    "present": _present,
    "order": _order,
    "any": _any,
    "not": _not,
}
