"""A report in the formats people and programs read: one module a format, each a pure function from a report to text."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Literal, cast, get_args

if TYPE_CHECKING:
    from collections.abc import Callable

    from verifier.model.finding import Report

Format = Literal["text", "json", "sarif", "markdown", "junit", "github", "html"]
FORMATS: tuple[str, ...] = get_args(Format)


def render(report: Report, format: Format = "text") -> str:  # noqa: A002  (the word of the command line)
    """The report in one of the formats, without colour.

    Args:
        report: what was found.
        format: `text`, `json`, `sarif`, `markdown`, `junit`, `github` or `html`.

    Returns:
        The whole output, the same byte for byte for the same report.
    """
    renderer = import_module(f"verifier.report.{format}").render
    return cast("Callable[[Report], str]", renderer)(report)
