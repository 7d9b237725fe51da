"""Print what happens, in execution order, from an entry on: a program, a function or a method.

With --graph, print the call and data-flow graph around it instead.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from verifier.commands.output import write
from verifier.errors import ConfigError
from verifier.facts import index
from verifier.lexicon import load_lexicon
from verifier.model.facts import Event, Trace
from verifier.report.escape import plain
from verifier.source.reader import read

_MOST_NODES = 400


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("repo", metavar="REPO", type=Path, help="the repository")
    parser.add_argument("entry", metavar="ENTRY", help="a file, FILE:FUNCTION, FILE:CLASS.METHOD or a name")
    parser.add_argument("--graph", choices=("dot", "mermaid"), help="print the call and data-flow graph around it")
    parser.add_argument(
        "--hops", metavar="N", type=int, default=0, help="how far around it the graph reaches (default: what it calls)"
    )
    parser.add_argument("--output", "-o", metavar="FILE", type=Path, help="write there instead of to the standard output")


def run(options: argparse.Namespace) -> int:
    """Find the trace and print it."""
    traces = index(read(options.repo), load_lexicon()).traces
    trace, first, last = _find(traces, options.entry)
    text = _graph(trace, first, last, options.graph, options.hops) if options.graph else _listing(trace, first, last)
    write(text, options.output)
    return 0


def _find(traces: Sequence[Trace], entry: str) -> tuple[Trace, int, int]:
    """The trace of an entry, and the part of it that is the entry's own.

    Raises:
        ConfigError: nothing of this name is ever run.
    """
    path, _, name = entry.replace("\\", "/").partition(":")
    path = path.removeprefix("./")
    for trace in traces:
        if trace.entry == entry or (not name and path in (trace.entry, trace.place.location.file)):
            return trace, 0, len(trace.events)
    wanted, module = name or path, path.removesuffix(".py").replace("/", ".") if name else ""
    for trace in traces:
        for number, event in enumerate(trace.events):
            if _is(event, wanted, module):
                return trace, number, event.end
    known = ", ".join(dict.fromkeys(trace.entry for trace in traces[:12]))
    raise ConfigError(f"no trace passes {plain(entry)}; entries are {plain(known) or 'none'}")


def _is(event: Event, name: str, module: str) -> bool:
    if module:
        return event.target == f"{module}.{name}" or event.target.endswith(f".{module}.{name}")
    return name in event.names or event.target == name or event.target.endswith(f".{name}")


def _listing(trace: Trace, first: int, last: int) -> str:
    head = f"{trace.entry} ({trace.kind.value}{f': {trace.place.dead}' if trace.place.dead else ''})"
    lines = [head]
    outer = trace.events[first].depth if first < last else 0
    for number in range(first, last):
        event = trace.events[number]
        notes = [f"<- {', '.join(str(origin) for origin in event.inputs)}"] if event.inputs else []
        notes += [f"loop {event.loops[-1]}"] if event.loops else []
        notes += [f"branch {'/'.join(f'{branch}.{arm}' for branch, arm in event.alternatives)}"] if event.alternatives else []
        notes += [f"dead: {event.place.dead}"] if event.place.dead else []
        notes += [f"placeholder: {event.stub.reason}"] if event.stub else []
        lines.append(
            f"{number:5d}  {'  ' * (event.depth - outer)}{_title(event)}  {event.place.location}  {'; '.join(notes)}".rstrip()
        )
    if trace.truncated:
        lines.append(f"       cut: {trace.truncated}")
    return "\n".join(plain(line) for line in lines) + "\n"


def _title(event: Event) -> str:
    receiver = f"{'.'.join(event.receiver[:1])}." if event.receiver else ""
    others = f" ({', '.join(event.names[1:])})" if len(event.names) > 1 else ""
    return f"{event.form.value} {receiver}{event.names[0] if event.names else event.target or '?'}{others}"


def _graph(trace: Trace, first: int, last: int, notation: str, hops: int) -> str:
    from verifier.facts.tracing.graph import TraceGraph
    from verifier.report.graph import dot, mermaid

    graph = TraceGraph(trace)
    numbers = graph.around(range(first, last), hops)[:_MOST_NODES]
    labels = {number: (_title(trace.events[number]), str(trace.events[number].place.location)) for number in numbers}
    edges = [(edge.source, edge.target, edge.kind) for edge in graph.edges(numbers)]
    return dot(labels, edges) if notation == "dot" else mermaid(labels, edges)
