"""The unit format's keys and words, in one place: the loader, the JSON Schema and the emitter read them here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from verifier.model.unit import Dimension

Role = Literal["", "dataset", "baseline", "metric", "model", "module", "call"]

DIMENSIONS: dict[str, Dimension] = {"D1": "D1", "D2": "D2", "D3": "D3", "D4": "D4"}
ROLES: dict[str, Role] = {
    "dataset": "dataset", "baseline": "baseline", "metric": "metric", "model": "model", "module": "module", "call": "call",
}  # fmt: skip
LINKS: dict[str, Literal["control", "data"]] = {"control": "control", "data": "data"}
TESTS = ("equals", "one_of", "between", "at_least", "at_most")
KEYS: dict[str, tuple[str, ...]] = {
    "value": (*TESTS, "tolerance", "near"),
    "formula": ("symbols", "instead_of", "near"),
    "latex": ("symbols", "instead_of", "near"),
    "present": ("as", "near"),
    "order": ("link", "near"),
    "any": ("near",),
    "not": ("near",),
}
KIND_DIMENSION: dict[str, Dimension] = {"value": "D1", "formula": "D2", "latex": "D2", "present": "D3", "order": "D4"}
UNIT_KEYS = ("id", "dimension", "claim", "source", "checks")
FILE_KEYS = ("paper", "units", "$schema")
