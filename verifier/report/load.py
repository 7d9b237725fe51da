"""Reads a JSON report back: from the cache, or from a file that is compared with another."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias, cast

from verifier.errors import ConfigError
from verifier.model.finding import Finding, Report, Step, UnitResult
from verifier.model.location import Location, Problem
from verifier.model.unit import Dimension, Unit
from verifier.model.verdict import Cause, Verdict

Fields: TypeAlias = Mapping[str, object]


def from_object(value: object) -> Report:
    """Rebuild a report from the values of its JSON form.

    Args:
        value: what `json.loads` gives for a report.

    Raises:
        ConfigError: it is not a report of this schema.
    """
    try:
        return _report(cast("Fields", value))
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise ConfigError(
            f"is not a report of sa-verify ({error!r}): give a file written with --format json, or results.jsonl"
        ) from error


def _report(value: Fields) -> Report:
    return Report(
        repo=_text(value["repo"]),
        units_from=tuple(_text(name) for name in cast("list[object]", value["units_from"])),
        results=tuple(_unit(unit) for unit in _many(value["units"])),
        problems=tuple(
            Problem(_text(item["file"]), _number(item["line"]), _text(item["message"])) for item in _many(value["problems"])
        ),
    )


def _unit(value: Fields) -> UnitResult:
    unit = Unit(
        id=_text(value["id"]),
        dimension=cast("Dimension", _text(value["dimension"])),
        claim=_text(value["claim"]),
        source=_text(value["source"]),
        line=_number(value.get("line", 0)),
        file=_text(value.get("file", "")),
    )
    return UnitResult(
        unit=unit, findings=tuple(_finding(item) for item in _many(value["checks"])), home=_text(value.get("home", ""))
    )


def _finding(value: Fields) -> Finding:
    cause, found = value["cause"], value["found"]
    return Finding(
        kind=_text(value["kind"]),
        subject=_text(value["subject"]),
        status=Verdict(_text(value["status"])),
        cause=None if cause is None else Cause(_text(cause)),
        expected=_text(value["expected"]),
        found=None if found is None else _text(found),
        location=_location(value["location"]),
        message=_text(value["message"]),
        origin=_text(value["origin"]),
        words=_text(value.get("words", "")),
        trail=tuple(Step(_text(step["text"]), _location(step["location"])) for step in _many(value.get("trail", []))),
        parts=tuple(_finding(part) for part in _many(value.get("parts", []))),
    )


def _location(value: object) -> Location | None:
    if value is None:
        return None
    fields = cast("Fields", value)
    return Location(_text(fields["file"]), *(_number(fields[name]) for name in ("line", "column", "end_line")))


def _many(value: object) -> list[Fields]:
    if not isinstance(value, list):
        raise TypeError("a list is expected")
    return value


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"text is expected, not {value!r}")
    return value


def _number(value: object) -> int:
    if not isinstance(value, int):
        raise TypeError(f"a whole number is expected, not {value!r}")
    return value
