"""Checks the repositories of a benchmark, in one process or several. What comes out does not depend on how many."""

from __future__ import annotations

import gc
import json
import multiprocessing
import signal
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, partial
from itertools import groupby

from verifier.bench.corpus import Entry
from verifier.model.unit import Rule
from verifier.pipeline import prepare, run
from verifier.report.json import render_line
from verifier.report.summary import Summary, summarise


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of one repository.

    Attributes:
        entry: which one.
        line: its line of results.jsonl.
        summary: its figures; None when it got no report.
        error: why it got no report.
        seconds: how long it took.
    """

    entry: Entry
    line: str
    summary: Summary | None = None
    error: str = ""
    seconds: float = 0.0


def check_all(entries: Sequence[Entry], workers: int, *, use_cache: bool, tell: Callable[[str], None]) -> list[Outcome]:
    """Check all repositories.

    Args:
        entries: the repositories.
        workers: number of processes; 1 is this process alone.
        use_cache: whether reports of earlier runs are used and kept. With it, a run that was broken off goes on where it was.
        tell: is told how far it is.

    Returns:
        An outcome for each entry, in the order of the entries. A repository on which the checker or its whole process
        crashes has an error in its outcome.
    """
    by_paper = sorted(entries, key=lambda entry: (entry.paper, entry))
    groups = [tuple(group) for _, group in groupby(by_paper, key=lambda entry: entry.paper)]
    if workers == 1:
        batches: Iterable[list[Outcome]] = (check_paper(group, use_cache) for group in groups)
    else:
        batches = _spread(groups, workers, partial(check_paper, use_cache=use_cache))
    done: dict[Entry, Outcome] = {}
    for batch in batches:
        done |= {outcome.entry: outcome for outcome in batch}
        tell(f"{len(done)} of {len(entries)}: {batch[-1].entry.paper}")
    return [done[entry] for entry in entries]


def check_paper(group: Sequence[Entry], use_cache: bool) -> list[Outcome]:
    """Check the repositories of one paper, whose units are compiled once, when they are first needed."""
    from verifier.cache import default_store

    store = default_store() if use_cache else None
    rules = cache(lambda: _settled(prepare((group[0].units,))))
    outcomes = []
    for entry in group:
        start = time.perf_counter()
        try:
            report = run(entry.job, store, rules)
            _forget()
            gc.collect()
        except Exception as error:  # noqa: BLE001 - one repository must not take the others with it; its row says what happened
            outcomes.append(_failed(entry, f"{type(error).__name__}: {error}"))
            continue
        line = render_line(report, config=entry.config, paper=entry.paper)
        outcomes.append(Outcome(entry, line, summarise(report), seconds=time.perf_counter() - start))
    return outcomes


def _settled(rules: tuple[Rule, ...]) -> tuple[Rule, ...]:
    """The rules, now that all that is loaded for every repository is there: the search for garbage need not look at it again."""
    if not gc.get_freeze_count():
        gc.freeze()
    return rules


def _spread(
    groups: Sequence[tuple[Entry, ...]], workers: int, work: Callable[[Sequence[Entry]], list[Outcome]]
) -> Iterator[list[Outcome]]:
    """Work on the groups in several processes. When one dies, what is not done is tried again, each repository alone."""
    undone: list[Entry] = []
    with _pool(workers) as pool:
        tasks: dict[Future[list[Outcome]], Sequence[Entry]] = {pool.submit(work, group): group for group in groups}
        for task in as_completed(tasks):
            try:
                yield task.result()
            except BrokenProcessPool:
                undone += tasks[task]
    for entry in sorted(undone):
        with _pool(1) as pool:
            try:
                yield pool.submit(work, (entry,)).result()
            except BrokenProcessPool:
                yield [_failed(entry, "the process died")]


@contextmanager
def _pool(workers: int) -> Iterator[ProcessPoolExecutor]:
    """Processes that end at once on Ctrl-C, and start nothing new when this one stops."""
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(workers, mp_context=context, initializer=signal.signal, initargs=(signal.SIGINT, signal.SIG_DFL))
    try:
        yield pool
    finally:
        pool.shutdown(cancel_futures=True)


def _failed(entry: Entry, error: str) -> Outcome:
    line = json.dumps({"config": entry.config, "paper": entry.paper, "error": error}, separators=(",", ":"))
    return Outcome(entry, line, error=error)


def _forget() -> None:
    """Let go of what was kept for the last repository, if any formula was judged at all."""
    kept = sys.modules.get("verifier.algebra.kept")
    if kept is not None:
        kept.forget()
