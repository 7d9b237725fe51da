"""The call and data-flow graph of a trace, behind a few questions.

Nodes are numbers of events. networkx does the work and is imported only here, when a graph is asked for.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

import networkx as nx

from verifier.model.facts import Trace


@dataclass(frozen=True, slots=True, order=True)
class Edge:
    """One event calls another, or its result reaches another."""

    source: int
    target: int
    kind: Literal["call", "data"]


class TraceGraph:
    """Answers questions about who calls what and whose result goes where.

    Args:
        trace: the trace.
    """

    def __init__(self, trace: Trace) -> None:
        self.trace = trace
        self._calls: nx.DiGraph[int] = nx.DiGraph()
        self._data: nx.DiGraph[int] = nx.DiGraph()
        self._calls.add_nodes_from(range(len(trace.events)))
        self._data.add_nodes_from(range(len(trace.events)))
        open_calls: list[int] = []
        for number, event in enumerate(trace.events):
            while open_calls and trace.events[open_calls[-1]].end <= number:
                open_calls.pop()
            if open_calls:
                self._calls.add_edge(open_calls[-1], number)
            open_calls.append(number)
            self._data.add_edges_from((origin, number) for origin in event.inputs if origin != number)

    def find(self, name: str) -> list[int]:
        """The events of this name: a called or assigned name, or the end of a dotted target."""
        last = name.rpartition(":")[2]
        return [
            number
            for number, event in enumerate(self.trace.events)
            if last in event.names or event.target == last or event.target.endswith(f".{last}")
        ]

    def around(self, events: Iterable[int], hops: int) -> list[int]:
        """The events within some steps along calls and data flow, either way.

        Args:
            events: where to start.
            hops: how many steps.
        """
        both = nx.compose(self._calls, self._data)
        found: set[int] = set()
        for number in events:
            found |= set(nx.ego_graph(both, number, radius=hops, undirected=True))
        return sorted(found)

    def edges(self, events: Iterable[int]) -> list[Edge]:
        """The calls and data flows among some events."""
        inside = sorted(set(events))
        calls = [Edge(source, target, "call") for source, target in self._calls.subgraph(inside).edges]
        data = [Edge(source, target, "data") for source, target in self._data.subgraph(inside).edges]
        return sorted(calls + data)

    def flow(self, source: int, sink: int) -> list[int]:
        """The shortest way on which the result of one event reaches another, both included; empty when there is none."""
        try:
            return list(nx.shortest_path(self._data, source, sink))
        except nx.NetworkXNoPath:
            return []
