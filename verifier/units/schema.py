"""The JSON Schema of unit files, for editors and for programs that write units.

It is made from the same tables that the loader reads, and kept beside this module as `unit-file.schema.json`. What a schema
cannot say (ids are unique, bounds in order, formulas well formed) only the loader checks.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from verifier.units.format import DIMENSIONS, KEYS, LINKS, ROLES, TESTS

Json = str | bool | int | Sequence["Json"] | Mapping[str, "Json"]

SCHEMA_FILE = Path(__file__).with_name("unit-file.schema.json")

_TEXT: Json = {"type": "string", "pattern": r"\S"}
_TEXTS: Json = {"anyOf": [_TEXT, {"type": "array", "items": _TEXT, "minItems": 1}]}
_VALUE: Json = {"$ref": "#/$defs/value"}
_NUMBER: Json = {"$ref": "#/$defs/number"}
_CHECK: Json = {"$ref": "#/$defs/check"}
_WORD: Json = {"anyOf": [_TEXT, {"type": "integer"}]}

_ABOUT = {
    "equals": 'The value, in any notation: 3e-4, "2^20", "1/3", "12.5%", "50k", "512x512", text, true, null or a list.',
    "one_of": "The values of which the code may have any.",
    "between": "The lowest and the highest value that are right.",
    "at_least": "The lowest value that is right.",
    "at_most": "The highest value that is right.",
    "tolerance": "How much a number may differ, relative to its size. Left out: 1e-9.",
    "near": "Words that the place has in its path: file, class, function, config section, call, or the name a call's result has.",
    "symbols": "For a symbol of the formula, the names that it may have in code.",
    "instead_of": "The formula of an earlier method that must not stand in the place of the paper's own.",
    "as": "What the entity is.",
    "link": "control: the steps run in this order. data: each step's result also reaches the next.",
}
_PROPERTIES: dict[str, Json] = {
    "equals": _VALUE,
    "one_of": {"type": "array", "items": _VALUE, "minItems": 1},
    "between": {"type": "array", "items": _NUMBER, "minItems": 2, "maxItems": 2},
    "at_least": _NUMBER,
    "at_most": _NUMBER,
    "tolerance": {"anyOf": [{"type": "number", "minimum": 0}, {"type": "string", "pattern": r"^\s*[^-\s].*\d"}]},
    "near": {"anyOf": [_WORD, {"type": "array", "items": _WORD, "minItems": 1}]},
    "symbols": {"type": "object", "additionalProperties": _TEXTS},
    "instead_of": _TEXT,
    "as": {"enum": list(ROLES)},
    "link": {"enum": list(LINKS)},
}
_STEPS: Json = {"type": "array", "items": _TEXTS, "minItems": 2}
_KINDS: dict[str, tuple[str, Json]] = {
    "value": ("A quantity has a value: its name, or the names it may have.", _TEXTS),
    "formula": ("An expression is computed, in the formula language.", _TEXT),
    "latex": ("An expression is computed, in LaTeX.", _TEXT),
    "present": ("Something is really used; of a list, each of it.", _TEXTS),
    "order": ("Steps are done in this order; a step may be a list of alternatives.", _STEPS),
    "any": ("One of the checks holds.", {"type": "array", "items": _CHECK, "minItems": 1}),
    "not": ("The check does not hold.", _CHECK),
}


def unit_file_schema() -> dict[str, Json]:
    """The JSON Schema (draft 2020-12) of unit files in the project's own format."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "sa-verify unit file",
        "description": "What a paper claims, as checks that code can be held against.",
        "type": "object",
        "required": ["units"],
        "additionalProperties": False,
        "properties": {
            "$schema": {"type": "string"},
            "paper": _TEXT,
            "units": {"type": "array", "minItems": 1, "items": {"$ref": "#/$defs/unit"}},
        },
        "$defs": {
            "unit": _unit(),
            "check": {"oneOf": [_check(kind) for kind in KEYS]},
            "value": {"type": ["string", "number", "boolean", "null", "array"], "items": _VALUE},
            "number": {"anyOf": [{"type": "number"}, {"type": "string", "pattern": r"\d|pi|π|[iI]nf|∞"}]},
        },
    }


def _unit() -> Json:
    return {
        "type": "object",
        "required": ["id"],
        "anyOf": [{"required": ["claim"]}, {"required": ["checks"]}],
        "additionalProperties": False,
        "properties": {
            "id": {**_described("Unique among all units that are loaded."), "type": "string", "pattern": r"\S"},
            "dimension": {
                **_described("D1 numeric, D2 formula, D3 protocol, D4 order. Left out: that of the checks."),
                "enum": list(DIMENSIONS),
            },
            "claim": {**_described("What the paper says, in the author's words."), "type": "string", "pattern": r"\S"},
            "source": {**_described("Where the paper says it."), "type": ["string", "null"]},
            "checks": {
                **_described("Every one must hold. Left out: compiled from the claim."),
                "type": "array",
                "minItems": 1,
                "items": _CHECK,
            },
        },
    }


def _described(text: str) -> dict[str, Json]:
    return {"description": text}


def _check(kind: str) -> Json:
    about, content = _KINDS[kind]
    properties: dict[str, Json] = {kind: content}
    for key in KEYS[kind]:
        properties[key] = {"description": _ABOUT[key], "allOf": [_PROPERTIES[key]]}
    check: dict[str, Json] = {
        "description": about,
        "type": "object",
        "required": [kind],
        "additionalProperties": False,
        "properties": properties,
    }
    if kind == "value":
        check["oneOf"] = [{"required": [test]} for test in TESTS]
    return check


def schema_text() -> str:
    """The schema as the file beside this module holds it."""
    return json.dumps(unit_file_schema(), indent=2, ensure_ascii=False) + "\n"
