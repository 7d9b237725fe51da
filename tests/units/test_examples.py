"""Checks that are right, and checks that are wrong with what must be said about them: to the loader and to the schema."""

from __future__ import annotations

from pathlib import Path

import jsonschema
import pytest

from verifier.errors import UnitErrors
from verifier.units import load_units
from verifier.units.schema import unit_file_schema
from verifier.units.wire import Node
from verifier.units.wire_yaml import read_yaml

RIGHT = [
    "{value: learning rate, equals: 3e-4}",
    "{value: [lr, learning rate], equals: '3e-4', tolerance: 0.01}",
    "{value: AdamW.betas, equals: [0.9, 0.95], near: [stage, 2]}",
    "{value: resolution, equals: 512x512, near: encoder}",
    "{value: bias, equals: false}",
    "{value: weight decay, equals: null}",
    "{value: mode, equals: off}",
    "{value: depth, one_of: [6, '2^3', twelve]}",
    "{value: layers, between: [4, 8]}",
    "{value: layers, between: ['2^2', .inf]}",
    "{value: steps, at_least: 50k}",
    "{value: dropout, at_most: '10%'}",
    "{formula: 'y = a*x + b'}",
    "{formula: 'a*x + b', symbols: {a: slope, x: [features, inputs]}, instead_of: 'a*x'}",
    "{present: CIFAR-10, as: dataset}",
    "{present: [FID, inception score], as: metric}",
    "{order: [zero_grad, [backward, loss.backward], step]}",
    "{order: [encode, decode], link: data, near: sample}",
    "{any: [{value: lr, equals: 1}, {not: {present: dropout}}], near: critic}",
    "{not: {any: [{present: dropout}]}}",
]

# What a JSON Schema can refuse, too.
WRONG = [
    ("foo", "a check must be a mapping, not text"),
    ("{}", "needs a kind"),
    ("{valeu: lr, equals: 1}", "unknown kind of check `valeu`: did you mean `value`?"),
    ("{near: [x]}", "needs a kind"),
    ("{value: lr, present: x, equals: 1}", "one kind, not `value` and `present`"),
    ("{value: lr}", "needs one of equals"),
    ("{value: lr, equals: 1, at_most: 2}", "not `equals` and `at_most`"),
    ("{value: lr, equal: 1}", "unknown key `equal` in a `value` check: did you mean `equals`?"),
    ("{value: '', equals: 1}", "`value` is empty"),
    ("{value: 3, equals: 1}", "`value` must be text, not the number 3: put it in quotes"),
    ("{value: [], equals: 1}", "`value` is an empty list"),
    ("{value: lr, equals: {a: 1}}", "`equals` cannot be a mapping"),
    ("{value: lr, one_of: 3}", "`one_of` must be a list"),
    ("{value: lr, one_of: []}", "`one_of` must be a list of values, and has none"),
    ("{value: lr, between: [1]}", "two numbers"),
    ("{value: lr, between: [1, 2, 3]}", "two numbers"),
    ("{value: lr, between: [few, 3]}", "takes numbers, not `few`"),
    ("{value: lr, at_least: true}", "takes numbers, not true"),
    ("{value: lr, at_most: many}", "takes numbers, not `many`"),
    ("{value: lr, equals: 1, tolerance: -1}", "`tolerance` must be a number from 0 up"),
    ("{value: lr, equals: 1, tolerance: low}", "`tolerance` takes numbers"),
    ("{value: lr, equals: 1, near: []}", "`near` is an empty list"),
    ("{value: lr, equals: 1, near: [{}]}", "`near` must be text, not a mapping"),
    ("{formula: 3}", "`formula` must be text"),
    ("{formula: x, symbols: [a]}", "`symbols` must be a mapping"),
    ("{formula: x, symbols: {x: 3}}", "the names of `x` must be text"),
    ("{formula: x, instead_of: ''}", "`instead_of` is empty"),
    ("{formula: x, tolerance: 1}", "unknown key `tolerance` in a `formula` check"),
    ("{present: []}", "`present` is an empty list"),
    ("{present: x, as: dataest}", "`as` cannot be `dataest`: did you mean `dataset`?"),
    ("{present: x, as: 3}", "`as` cannot be the number 3"),
    ("{order: [one]}", "at least two steps"),
    ("{order: one}", "at least two steps"),
    ("{order: [one, []]}", "a step is an empty list"),
    ("{order: [one, two], link: datum}", "`link` cannot be `datum`: did you mean `data`?"),
    ("{any: []}", "`any` must be a list of checks, and has none"),
    ("{any: {present: x}}", "`any` must be a list of checks"),
    ("{any: [{present: x, az: y}]}", "unknown key `az`"),
    ("{not: [{present: x}]}", "a check must be a mapping, not a list"),
    ("{not: {value: lr}}", "needs one of equals"),
]

# What only the loader can refuse.
WRONG_BEYOND_SCHEMA = [
    ("{value: lr, between: [3, 1]}", "`between` has its bounds swapped: 3 is more than 1"),
    ("{value: lr, equals: 1, equals: 2}", "`equals` stands twice in a check"),
    ("{value: lr, at_least: 3rd}", "takes numbers, not `3rd`"),
    ("{formula: 'y = (a + '}", "`formula`, column 9: "),
    ("{formula: y, instead_of: 'a +* b'}", "`instead_of`, column "),
]


def unit_file(check: str) -> str:
    """A unit file whose one check stands on line 6."""
    return f"paper: example\nunits:\n  - id: example-1\n    claim: what the paper says\n    checks:\n      - {check}\n"


VALIDATOR = jsonschema.Draft202012Validator(unit_file_schema())


def plain(node: Node) -> object:
    if node.fields is not None:
        return {key.value: plain(value) for key, value in node.fields}
    return [plain(item) for item in node.items] if node.items is not None else node.value


def valid(text: str) -> bool:
    return bool(VALIDATOR.is_valid(plain(read_yaml(text, "units.yaml"))))


@pytest.mark.parametrize("check", RIGHT)
def test_what_is_right(tmp_path: Path, check: str) -> None:
    path = tmp_path / "units.yaml"
    path.write_text(unit_file(check), encoding="utf-8")
    (unit,) = load_units([path])
    assert unit.checks
    assert all(found.source.line == 6 for found in unit.checks)
    assert valid(unit_file(check))


@pytest.mark.parametrize(("check", "fault"), WRONG + WRONG_BEYOND_SCHEMA)
def test_what_is_wrong(tmp_path: Path, check: str, fault: str) -> None:
    path = tmp_path / "units.yaml"
    path.write_text(unit_file(check), encoding="utf-8")
    with pytest.raises(UnitErrors) as caught:
        load_units([path])
    (error,) = caught.value.errors
    assert error.where == f"{path.as_posix()}:6"
    assert fault in error.message
    assert "\n" not in error.message
    assert not valid(unit_file(check)) or (check, fault) in WRONG_BEYOND_SCHEMA


UNITS_WRONG = [
    ("units: []", "`units` must be a list of units, and has none"),
    ("{}", "no units: a unit file has the key `units`"),
    ("unit: []", "not `unit`"),
    ("units: [{id: a}]", "a unit needs a `claim`, `checks`, or both"),
    ("units: [{claim: b}]", "a unit needs an `id`"),
    ("units: [{id: a, claim: b, checks: []}]", "`checks` is an empty list"),
    ("units: [{id: a, claim: b, checks: x}]", "`checks` must be a list, not text"),
    ("units: [{id: a, claim: b, dimension: D5}]", "`dimension` cannot be `D5`: known are D1, D2, D3, D4"),
    ("units: [{id: a, claim: b, dimesion: D1}]", "unknown key `dimesion` in a unit: did you mean `dimension`?"),
    ("{units: [{id: a, claim: b}], version: 1}", "unknown key `version` in a unit file: known are paper, units, $schema"),
    ("units: [{id: 7, claim: b}]", "`id` must be text, not the number 7: put it in quotes"),
    ("units: [{id: a, claim: [b]}]", "`claim` must be text, not a list"),
    ("units: [3]", "a unit must be a mapping, not the number 3"),
    ("paper: 3\nunits: [{id: a, claim: b}]", "`paper` must be text"),
]


@pytest.mark.parametrize(("text", "fault"), UNITS_WRONG)
def test_units_that_are_wrong(tmp_path: Path, text: str, fault: str) -> None:
    path = tmp_path / "units.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(UnitErrors) as caught:
        load_units([path])
    (error,) = caught.value.errors
    assert fault in error.message
    assert not valid(text)
