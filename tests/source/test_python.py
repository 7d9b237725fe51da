import ast

import pytest

from verifier.errors import SourceError
from verifier.source import Limits
from verifier.source.comments import comments
from verifier.source.python import read_python


def names(data: bytes) -> list[str]:
    file, _ = read_python("a.py", data)
    return [node.id for node in ast.walk(file.tree) if isinstance(node, ast.Name)]


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\xef\xbb\xbfx = 1\n",
        b"x = 1\r\ny = 2\r\n",
        b"x = 1\n\x0c\ny = 2\n",
        b"# -*- coding: latin-1 -*-\nx = '\xe9'\n",
        b"x = '\\d'\n",
        b'"""\n```python\nx = 1\n```\n"""\n',
    ],
)
def test_unusual_but_right_files_are_no_problem(data: bytes) -> None:
    file, problems = read_python("a.py", data)
    assert problems == []
    assert file.broken == ()


def test_wrong_encodings_are_read_and_reported() -> None:
    file, problems = read_python("a.py", b"name = 'caf\xe9'\n")
    assert ast.literal_eval(file.tree.body[0].value) == "café"  # type: ignore[attr-defined]
    assert "latin-1" in problems[0].message
    assert names("x = y\n".encode("utf-16")) == ["x", "y"]


def test_a_codec_that_is_no_encoding_is_not_used() -> None:
    assert names(b"# coding: rot13\nx = y\n") == ["x", "y"]


def test_binary_is_refused() -> None:
    with pytest.raises(SourceError, match="binary"):
        read_python("a.py", b"x = 1\0\n")


def test_lines_are_those_of_the_file_after_line_ends_of_any_kind() -> None:
    file, _ = read_python("a.py", b"x = 1\r\n\ry = 2\n")
    assert [node.lineno for node in file.tree.body] == [1, 3]


@pytest.mark.parametrize(
    "deep",
    [
        "x = a" + ".b" * 10_000,
        "x = 1" + "+1" * 10_000,
        "x = " + "-" * 400 + "1",
        "x = " + "not " * 400 + "1",
        "x = " + "(" * 10_000 + ")" * 10_000,
        "x = " + "[" * 190 + "]" * 190,
        "x = " + "lambda: " * 400 + "1",
        "\n".join(["if a: pass", *["elif b: pass"] * 1_000]),
        "\n".join([" " * depth + "if x:" for depth in range(95)] + [" " * 95 + "x = " + "-" * 90 + "1"]),
    ],
)
def test_a_statement_that_nests_too_deep_is_dropped_and_the_rest_kept(deep: str) -> None:
    file, problems = read_python("a.py", f"first = 1\n{deep}\nlast = 2\n".encode())
    assert problems
    assert file.broken
    assert isinstance(file.tree.body[0], ast.Assign)
    assert isinstance(file.tree.body[-1], ast.Assign)
    assert depth(file.tree) <= Limits().tree_depth + 10


def depth(tree: ast.AST) -> int:
    level, count = [tree], 0
    while level:
        level = [child for node in level for child in ast.iter_child_nodes(node)]
        count += 1
    return count


def test_long_but_flat_statements_are_kept() -> None:
    table = "x = {" + ", ".join(f"'k{number}': [{number}, -{number}]" for number in range(2_000)) + "}\n"
    file, problems = read_python("a.py", table.encode())
    assert problems == []
    assert len(file.tree.body) == 1


def test_comments_are_found_outside_strings_only() -> None:
    text = "x = '#no'  # one\n'''\n# no\n'''\n#: two\ny = \"\"\"#no\"\"\" # three\n# don't\nz = 1 # four\n"
    assert comments(text) == ((1, "one"), (5, ": two"), (6, "three"), (7, "don't"), (8, "four"))
