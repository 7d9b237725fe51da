"""`sa-verify trace`."""

from __future__ import annotations

from pathlib import Path

import pytest

from verifier.cli import main

CODE = """
def first(x):
    return x + 1


def second(x):
    return first(x) * 2


if __name__ == "__main__":
    print(second(3), "a|b")
"""


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    (tmp_path / "tool.py").write_text(CODE, encoding="utf-8")
    return tmp_path


def test_listing(repo: Path, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    assert main(["trace", str(repo), "tool.py"]) == 0
    assert capsysbinary.readouterr().out.decode() == (
        "tool.py (program)\n    0  entry tool  tool.py:1\n    1  call second  tool.py:11\n    2    call first  tool.py:7\n"
    )


@pytest.mark.parametrize("entry", ["tool.py:second", "second", "tool.second"])
def test_a_function_inside_a_program(repo: Path, entry: str, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    assert main(["trace", str(repo), entry]) == 0
    lines = capsysbinary.readouterr().out.decode().splitlines()
    assert lines[1:] == ["    1  call second  tool.py:11", "    2    call first  tool.py:7"]


def test_graphs(repo: Path, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    assert main(["trace", str(repo), "second", "--graph", "dot"]) == 0
    dot = capsysbinary.readouterr().out.decode()
    assert dot.startswith("digraph trace {")
    assert "e1 -> e2;" in dot
    assert main(["trace", str(repo), "second", "--graph", "mermaid", "--hops", "1"]) == 0
    mermaid = capsysbinary.readouterr().out.decode()
    assert mermaid.startswith("flowchart LR\n")
    assert "e0 --> e1" in mermaid


def test_unknown_entry(repo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["trace", str(repo), "third"]) == 2
    assert "no trace passes third" in capsys.readouterr().err
