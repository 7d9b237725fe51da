"""The report as one self-contained HTML page: no script, nothing loaded from elsewhere."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from jinja2 import Environment, StrictUndefined, Template

from verifier.model.finding import Report
from verifier.model.verdict import Verdict
from verifier.report.escape import plain
from verifier.report.summary import COUNTED, summarise


def render(report: Report) -> str:
    """The report as an HTML page; every text is escaped."""
    return _template().render(
        report=report,
        summary=summarise(report),
        counted=COUNTED,
        aligned=Verdict.ALIGNED,
        problems=sorted(report.problems),
    )


@cache
def _template() -> Template:
    environment = Environment(
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True
    )
    environment.filters["plain"] = lambda value: plain(str(value))
    environment.filters["score"] = lambda value: "–" if value is None else f"{value:.3f}"
    environment.filters["share"] = lambda value: "–" if value is None else f"{value:.1%}"
    source = Path(__file__).with_name("page.html.jinja").read_text(encoding="utf-8")
    return environment.from_string(source)
