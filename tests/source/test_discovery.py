import os
from pathlib import Path

import pytest

from verifier.errors import SourceError
from verifier.source import Limits, read
from verifier.source.discovery import discover

LIMITS = Limits()


def write(root: Path, *paths: str) -> None:
    for path in paths:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text("x = 1\n")


def paths(root: Path) -> list[str]:
    return [file.path for file in discover(root, LIMITS)[0]]


def test_files_are_sorted_and_of_handled_kinds(tmp_path: Path) -> None:
    write(tmp_path, "b.py", "a/z.py", "a/run.sh", "Makefile", "notes.md", "conf/base.yaml", "data.csv", "B.PY")
    assert paths(tmp_path) == ["B.PY", "Makefile", "a/run.sh", "a/z.py", "b.py", "conf/base.yaml"]


def test_copies_of_other_people_and_caches_are_left_out(tmp_path: Path) -> None:
    write(tmp_path, ".git/x.py", ".venv/x.py", "venv/x.py", "node_modules/x.json", "lib/site-packages/x.py", "vendor/x.py")
    write(
        tmp_path,
        "a/__pycache__/x.py",
        "p.egg-info/x.json",
        "third_party/x.py",
        "build/lib/x.py",
        "package-lock.json",
        "my/pyvenv.cfg",
    )
    write(tmp_path, "my/x.py", "env/cartpole.py", "build/model.py", "result/x.py")
    assert paths(tmp_path) == ["build/model.py", "env/cartpole.py", "result/x.py"]


def test_links_lead_neither_out_nor_around(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    write(outside, "secret.py")
    root = tmp_path / "repo"
    write(root, "a.py", "sub/b.py")
    (root / "loop").symlink_to(root)
    (root / "out").symlink_to(outside)
    (root / "out.py").symlink_to(outside / "secret.py")
    (root / "same.py").symlink_to(root / "a.py")
    (root / "self.py").symlink_to(root / "self.py")
    found, problems = discover(root, LIMITS)
    assert [file.path for file in found] == ["a.py", "same.py", "sub/b.py"]
    assert [problem.file for problem in problems] == ["out", "out.py", "self.py"]


def test_a_pipe_is_not_opened(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.py")
    found, problems = discover(tmp_path, LIMITS)
    assert found == []
    assert "not a regular file" in problems[0].message


def test_what_is_not_a_folder_is_one_clear_error(tmp_path: Path) -> None:
    write(tmp_path, "a.py")
    with pytest.raises(SourceError, match="is not a folder"):
        read(tmp_path / "a.py")
    with pytest.raises(SourceError, match="there is no such folder"):
        read(tmp_path / "nothing")


def test_bounds_become_problems(tmp_path: Path) -> None:
    write(tmp_path, "a.py", "b.py", "c.py", "deep/er/d.py")
    (tmp_path / "a.py").write_text("x = 1\n" * 100)
    repo = read(tmp_path, limits=Limits(python_bytes=100, files=1, folders=1))
    assert [file.path for file in repo.python] == ["b.py"]
    assert [problem.file for problem in repo.problems] == ["a.py", "c.py", "deep/er"]


def test_a_large_file_is_not_even_opened(tmp_path: Path) -> None:
    with (tmp_path / "big.py").open("wb") as stream:
        stream.truncate(50_000_000)
    assert read(tmp_path).problems[0].message == "not read: 50000000 bytes, more than the limit of 2000000"


def test_a_file_that_may_not_be_read(tmp_path: Path) -> None:
    write(tmp_path, "a.py", "b.py")
    (tmp_path / "a.py").chmod(0)
    if os.access(tmp_path / "a.py", os.R_OK):
        pytest.skip("runs as a user who may read everything")
    repo = read(tmp_path)
    assert [problem.file for problem in repo.problems] == ["a.py"]
