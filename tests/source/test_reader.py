import subprocess
import sys
from pathlib import Path

from verifier.source import read


def test_each_kind_goes_to_its_reader_sorted_by_path(tmp_path: Path) -> None:
    files = {
        "b.py": "x = 1\n",
        "a.ipynb": '{"cells": []}',
        "c.yaml": "x: 1\n",
        "d.toml": "x = 1\n",
        "e.json": '{"x": 1}',
        "f.cfg": "[x]\ny = 1\n",
        "g.sh": "ls\n",
        "Makefile": "a:\n\tls\n",
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    repo = read(tmp_path)
    assert repo.name == tmp_path.name
    assert [file.path for file in repo.python] == ["a.ipynb", "b.py"]
    assert [(file.path, file.syntax) for file in repo.configs] == [
        ("c.yaml", "yaml"),
        ("d.toml", "toml"),
        ("e.json", "json"),
        ("f.cfg", "ini"),
    ]
    assert [(file.path, file.syntax) for file in repo.scripts] == [("Makefile", "make"), ("g.sh", "shell")]
    assert repo.problems == ()


def test_every_file_is_parsed_or_a_problem(tmp_path: Path) -> None:
    (tmp_path / "binary.py").write_bytes(b"\x00\x01")
    (tmp_path / "binary.yaml").write_bytes(b"\x00\x01")
    (tmp_path / "empty.py").write_bytes(b"")
    (tmp_path / "cut.py").write_text("x = 1\ndef f(")
    repo = read(tmp_path)
    assert [file.path for file in repo.python] == ["cut.py", "empty.py"]
    assert [(problem.file, problem.line) for problem in repo.problems] == [("binary.py", 1), ("binary.yaml", 1), ("cut.py", 2)]


def test_reading_changes_nothing_and_runs_nothing(tmp_path: Path) -> None:
    (tmp_path / "yaml.py").write_text("raise SystemExit(1)\n")
    (tmp_path / "a.yaml").write_text("x: !!python/object/apply:os.system ['touch hacked']\n")
    before = sorted(tmp_path.iterdir())
    read(tmp_path)
    assert sorted(tmp_path.iterdir()) == before


def test_parsers_are_imported_only_when_a_file_needs_them(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("x = 1\n")
    code = f"import sys, pathlib; from verifier.source import read; read(pathlib.Path({str(tmp_path)!r})); print(sorted(sys.modules))"
    modules = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert "'yaml'" not in modules
    assert "tree_sitter" not in modules
