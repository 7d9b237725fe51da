import ast
import json

import pytest

from verifier.errors import SourceError
from verifier.source.notebook import read_notebook

CELLS = [
    {"cell_type": "markdown", "source": ["# Title\n"]},
    {"cell_type": "code", "source": ["%matplotlib inline\n", "!pip install x\n", "lr = 1e-4  # rate\n", "out = !ls"]},
    {"cell_type": "code", "source": ["%%bash\n", "ls -l"]},
    {"cell_type": "code", "source": "def f(x):\n    return (x\n        % 2)\n"},
]
NOTEBOOK = {"cells": CELLS, "metadata": {"kernelspec": {"language": "python"}}}


def lines(data: str) -> list[str]:
    """Return, for each statement, the text of its line in the notebook file."""
    file, problems = read_notebook("a.ipynb", data.encode())
    assert file
    assert problems == []
    return [data.split("\n")[node.lineno - 1].strip() for node in file.tree.body]


def test_line_numbers_are_those_of_the_file() -> None:
    data = json.dumps(NOTEBOOK, indent=1)
    file, _ = read_notebook("a.ipynb", data.encode())
    assert file
    assert lines(data)[0] == '"lr = 1e-4  # rate\\n",'
    assert "def f" in lines(data)[1]
    assert [number for number, _, _ in file.cells] == [1, 2, 3]
    (line, comment), *_ = file.comments
    assert comment == "rate"
    assert "# rate" in data.split("\n")[line - 1]


def test_where_each_line_of_code_has_its_own_line_the_text_is_aligned() -> None:
    data = json.dumps({"cells": CELLS[:2]}, indent=1)
    file, _ = read_notebook("a.ipynb", data.encode())
    assert file
    assert file.text.split("\n")[file.tree.body[0].lineno - 1] == "lr = 1e-4  # rate"


def test_a_notebook_on_one_line() -> None:
    file, problems = read_notebook("a.ipynb", json.dumps(NOTEBOOK).encode())
    assert file
    assert problems == []
    assert {node.lineno for node in ast.walk(file.tree) if isinstance(node, ast.stmt)} == {1}


def test_old_notebooks_keep_their_cells_in_worksheets() -> None:
    old = {"worksheets": [{"cells": [{"cell_type": "code", "input": ["x = 1"]}]}]}
    file, _ = read_notebook("a.ipynb", json.dumps(old).encode())
    assert file
    assert len(file.tree.body) == 1


def test_a_notebook_that_is_cut_off_keeps_its_cells_so_far() -> None:
    data = json.dumps(NOTEBOOK, indent=1)
    file, problems = read_notebook("a.ipynb", data[: data.index("ls -l")].encode())
    assert file
    assert len(file.tree.body) == 1
    assert "malformed notebook" in problems[0].message


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"[]",
        b'{"cells": 1}',
        b'{"cells": [1, {"cell_type": "code"}]}',
        b'{"cells": [{"cell_type": "code", "source": [1, null]}]}',
    ],
)
def test_what_is_no_notebook_does_no_harm(data: bytes) -> None:
    read_notebook("a.ipynb", data)


def test_other_languages_and_binary() -> None:
    file, problems = read_notebook("a.ipynb", b'{"metadata": {"kernelspec": {"language": "R"}}, "cells": []}')
    assert file is None
    assert problems[0].message == "not read: a notebook in R"
    with pytest.raises(SourceError):
        read_notebook("a.ipynb", b"\0")
