"""Units as a file lists them: the project's own format, and the claim files of SA-Bench in their three forms."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from verifier.model.check import AnyCheck, NotCheck
from verifier.model.unit import Dimension, Unit
from verifier.units import fields
from verifier.units.format import DIMENSIONS, FILE_KEYS, KIND_DIMENSION, UNIT_KEYS
from verifier.units.written import read_checks

if TYPE_CHECKING:
    from verifier.model.check import Check
    from verifier.units.fields import Faults
    from verifier.units.wire import Node

_MARK = re.compile(r"(?:^|[-_./])(D[1-4])(?=[-_./]|$)")
_CLAIM_KEYS = {"claim_id": "id", "text": "claim", "type": "dimension"}


def read_units(root: Node, faults: Faults) -> tuple[Unit, ...]:
    """Reads the units of a file, in its order.

    Besides `{paper, units: [...]}` this takes what SA-Bench takes: `{paper_id, D1: [...], D2: [...], ...}`, the same under
    `requirements`, and a list of claims, bare or under `requirements`, each with its `dimension` (or `type`).
    """
    if root.items is not None:
        return _claims(root, None, faults)
    keys = fields.mapping(root, "a unit file", faults)
    if keys is None:
        return ()
    if "units" in keys:
        fields.refuse_unknown(root, FILE_KEYS, "a unit file", faults)
        if "paper" in keys:
            fields.text(keys["paper"], "`paper`", faults)
        return _list(keys["units"], faults)
    if "requirements" in keys:
        _refuse_stray(root, ("requirements",), faults)
        nested = keys["requirements"]
        return _claims(nested, None, faults) if nested.items is not None else _by_dimension(nested, "`requirements`", faults)
    if any(key in DIMENSIONS for key in keys):
        return _by_dimension(root, "a claim file", faults)
    stray = next(iter(keys), "")
    got = f", not `{stray}`" if stray else ""
    faults.add(root, f"no units: a unit file has the key `units`{got}")
    return ()


def _list(node: Node, faults: Faults) -> tuple[Unit, ...]:
    if not node.items:
        faults.add(node, "`units` must be a list of units" + (f", not {node.sort}" if node.items is None else ", and has none"))
        return ()
    return tuple(unit for item in node.items if (unit := _unit(item, faults)) is not None)


def _unit(node: Node, faults: Faults) -> Unit | None:
    """A unit of the project's own format."""
    keys = fields.mapping(node, "a unit", faults)
    if keys is None:
        return None
    fields.refuse_unknown(node, UNIT_KEYS, "a unit", faults)
    return _build(node, keys, None, faults)


def _build(node: Node, keys: dict[str, Node], default: Dimension | None, faults: Faults) -> Unit | None:
    if "id" not in keys:
        faults.add(node, "a unit needs an `id`")
    if "claim" not in keys and "checks" not in keys:
        faults.add(node, "a unit needs a `claim`, `checks`, or both")
    identifier = fields.text(keys["id"], "`id`", faults) if "id" in keys else ""
    claim = fields.text(keys["claim"], "`claim`", faults) if "claim" in keys else ""
    noted = keys.get("source")
    source = fields.text(noted, "`source`", faults) if noted is not None and noted.value != "" and noted.sort != "empty" else ""
    checks = read_checks(keys["checks"], faults) if "checks" in keys else ()
    dimension = default
    if "dimension" in keys:
        dimension = fields.choice(keys["dimension"], DIMENSIONS, "`dimension`", faults)
    if not identifier:
        return None
    dimension = dimension or _dimension_of(checks) or _marked(identifier) or "D1"
    return Unit(id=identifier, dimension=dimension, claim=claim, source=source, checks=checks, line=node.line, file=faults.name)


def _dimension_of(checks: tuple[Check, ...]) -> Dimension | None:
    """The dimension of the first check; that of `any` and `not` is that of what they hold."""
    for check in checks:
        if check.kind in KIND_DIMENSION:
            return KIND_DIMENSION[check.kind]
        inner = check.checks if isinstance(check, AnyCheck) else (check.check,) if isinstance(check, NotCheck) else ()
        if found := _dimension_of(inner):
            return found
    return None


def _marked(identifier: str) -> Dimension | None:
    """The dimension that an id such as `paper-D2-003` names."""
    match = _MARK.search(identifier)
    return DIMENSIONS[match.group(1)] if match else None


def _by_dimension(node: Node, what: str, faults: Faults) -> tuple[Unit, ...]:
    keys = fields.mapping(node, what, faults) or {}
    _refuse_stray(node, tuple(DIMENSIONS), faults)
    return tuple(unit for key in keys if key in DIMENSIONS for unit in _claims(keys[key], DIMENSIONS[key], faults))


def _claims(node: Node, dimension: Dimension | None, faults: Faults) -> tuple[Unit, ...]:
    what = f"`{dimension}`" if dimension else "the list of claims"
    if node.items is None:
        faults.add(node, f"{what} must be a list of claims, not {node.sort}")
        return ()
    if not node.items and dimension is None:
        faults.add(node, f"{what} is empty")
    return tuple(unit for item in node.items if (unit := _claim(item, dimension, faults)) is not None)


def _claim(node: Node, dimension: Dimension | None, faults: Faults) -> Unit | None:
    """A claim of an SA-Bench file; a unit of the own format is one, too."""
    keys = fields.mapping(node, "a claim", faults)
    if keys is None:
        return None
    _refuse_stray(node, (*UNIT_KEYS, *_CLAIM_KEYS), faults)
    keys = {_CLAIM_KEYS.get(key, key): keys[key] for key in keys if key in UNIT_KEYS or _CLAIM_KEYS.get(key) not in keys}
    return _build(node, keys, dimension, faults)


def _refuse_stray(node: Node, known: tuple[str, ...], faults: Faults) -> None:
    """Refuses unknown keys with contents of their own; a benchmark's notes in a word or a number are let be."""
    for key, value in node.fields or ():
        if isinstance(key.value, str) and key.value not in known and (value.items is not None or value.fields is not None):
            faults.add(key, f"unknown key `{key.value}`{fields.suggestion(key.value, known)}")
