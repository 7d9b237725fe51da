"""What a process that dies costs: one report."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from verifier.bench.corpus import Entry
from verifier.bench.workers import Outcome, _spread


def work(group: Sequence[Entry]) -> list[Outcome]:
    """Dies on one of the repositories."""
    if any(entry.config == "deadly" for entry in group):
        os._exit(1)
    return [Outcome(entry, entry.paper) for entry in group]


def entry(config: str, paper: str) -> Entry:
    return Entry(config, paper, Path("repo"), Path("units"), "units")


def test_a_process_that_dies_costs_one_report() -> None:
    groups = [(entry("a", "one"), entry("deadly", "one")), (entry("a", "two"),)]
    outcomes = [outcome for batch in _spread(groups, 2, work) for outcome in batch]
    failed = [outcome.entry for outcome in outcomes if outcome.error]
    assert failed == [entry("deadly", "one")]
    assert {outcome.entry for outcome in outcomes} == {entry("a", "one"), entry("a", "two"), entry("deadly", "one")}
