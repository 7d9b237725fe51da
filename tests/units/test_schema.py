from __future__ import annotations

import json

import jsonschema

from verifier.units.schema import SCHEMA_FILE, schema_text


def test_the_published_file_is_current() -> None:
    assert SCHEMA_FILE.read_text(encoding="utf-8") == schema_text()


def test_it_is_a_schema() -> None:
    jsonschema.Draft202012Validator.check_schema(json.loads(schema_text()))
