"""Graphs of events as Graphviz DOT or as Mermaid."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from verifier.report.escape import plain

Labels = Mapping[int, tuple[str, str]]
Edges = Iterable[tuple[int, int, str]]


def dot(labels: Labels, edges: Edges) -> str:
    """A Graphviz digraph; calls are drawn plain, data flow dashed.

    Args:
        labels: node -> its name and its place.
        edges: (source, target, `call` or `data`).
    """
    lines = ["digraph trace {", "  rankdir=LR;", '  node [shape=box, fontname="sans-serif"];']
    lines += [f'  e{node} [label="{_quoted(name)}\\n{_quoted(place)}"];' for node, (name, place) in sorted(labels.items())]
    lines += [f"  e{source} -> e{target}{' [style=dashed]' if kind == 'data' else ''};" for source, target, kind in edges]
    return "\n".join([*lines, "}", ""])


def mermaid(labels: Labels, edges: Edges) -> str:
    """A Mermaid flowchart; calls are drawn plain, data flow dotted.

    Args:
        labels: node -> its name and its place.
        edges: (source, target, `call` or `data`).
    """
    lines = ["flowchart LR"]
    lines += [f'  e{node}["{_entities(name)}<br/>{_entities(place)}"]' for node, (name, place) in sorted(labels.items())]
    lines += [f"  e{source} {'-.->' if kind == 'data' else '-->'} e{target}" for source, target, kind in edges]
    return "\n".join([*lines, ""])


def _quoted(text: str) -> str:
    return plain(text).replace("\\", "\\\\").replace('"', '\\"')


def _entities(text: str) -> str:
    return "".join(f"#{ord(character)};" if character in '"#&<>`[]{}|;' else character for character in plain(text))
