"""Results on disk: results.jsonl of a benchmark run, or single JSON reports."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from verifier.errors import ConfigError
from verifier.report.load import from_object

if TYPE_CHECKING:
    from verifier.model.finding import Report

FILE_NAME = "results.jsonl"


@dataclass(frozen=True, slots=True)
class Row:
    """One result.

    Attributes:
        config: who or what wrote the repository; empty for a single report.
        paper: the paper it is of; empty for a single report.
        report: what was found; None when the repository got no report.
    """

    config: str
    paper: str
    report: Report | None


def write_lines(lines: Iterable[str], folder: Path) -> Path:
    """Write results.jsonl into a folder, which is made when it does not exist; the file appears whole or not at all.

    Raises:
        ConfigError: it cannot be written.
    """
    target = folder / FILE_NAME
    partial = folder / f"{FILE_NAME}.part"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with partial.open("w", encoding="utf-8", newline="\n") as stream:
            stream.writelines(f"{line}\n" for line in lines)
        os.replace(partial, target)
    except OSError as error:
        raise ConfigError(f"cannot be written: {error.strerror}", str(target)) from error
    return target


def read_results(path: Path) -> list[Row]:
    """Read results.jsonl, a folder that holds it, or a JSON report.

    Raises:
        ConfigError: the file cannot be read, or is neither.
    """
    file = path / FILE_NAME if path.is_dir() else path
    try:
        text = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"cannot be read: {error}", str(file)) from error
    rows = list(_rows(text, file))
    if not rows:
        raise ConfigError("holds no result", str(file))
    return rows


def _rows(text: str, file: Path) -> Iterator[Row]:
    for number, document in _documents(text, file):
        try:
            if not isinstance(document, dict):
                raise ConfigError("is not a report of sa-verify")
            report = None if "error" in document else from_object(document)
        except ConfigError as error:
            raise ConfigError(error.message, f"{file}:{number}") from error
        yield Row(str(document.get("config", "")), str(document.get("paper", "")), report)


def _documents(text: str, file: Path) -> Iterator[tuple[int, object]]:
    """The JSON values with their lines: the whole text is one, or else each line."""
    try:
        yield 1, json.loads(text)
        return
    except ValueError:
        pass
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip():
            try:
                yield number, json.loads(line)
            except ValueError as error:
                raise ConfigError(f"is not JSON: {error}", f"{file}:{number}") from error
