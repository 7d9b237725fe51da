"""Graphs as text."""

from __future__ import annotations

from verifier.report.graph import dot, mermaid

LABELS = {1: ('say "hi"', "a.py:1"), 2: ("b\nc", "a.py:2")}
EDGES = [(1, 2, "call"), (1, 2, "data")]


def test_dot_quotes_labels() -> None:
    text = dot(LABELS, EDGES)
    assert '  e1 [label="say \\"hi\\"\\na.py:1"];' in text
    assert "  e1 -> e2;" in text
    assert "  e1 -> e2 [style=dashed];" in text


def test_mermaid_writes_signs_as_entities() -> None:
    text = mermaid(LABELS, EDGES)
    assert 'e1["say #34;hi#34;<br/>a.py:1"]' in text
    assert "  e1 -.-> e2" in text
