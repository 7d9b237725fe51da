import ast
import os
import sys
import textwrap
import warnings
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from verifier.source.blocks import Block, group, nest
from verifier.source.logical import logical_lines
from verifier.source.salvage import Salvager
from verifier.source.strict import parse_piece
from verifier.source.tolerant import tolerant_parse

LIBRARY = Path(os.__file__).parent
EVERY_KIND = '''
import os, sys as system
from . import a
from ..b import (c as d,
                 e)
@decorated(1,
           two=2)
@twice
async def f(a, /, b: int = 1, *args: int, c, **kwargs) -> dict[str, int]:
    """Say."""
    async with x as y, z:
        await y
    async for i in range(3):
        if i: continue
        elif not i: break
        else: yield i
    else:
        return
    try: raise E from e
    except (A, B) as err: pass
    except C:
        pass
    else: x = 1
    finally: del x
class K(Base, metaclass=M):
    x: int = 3; y = 2
    z += 1
    def g(self): return self.z \\
        if self else None
while a < b <= c:
    print(f"{a!r:>{b}} {c=}" "tail",
          end="")
else:
    assert a, "no"
with (open("x") as f, g):
    global h
match x:
    case {"a": 1, **rest} if z:
        pass
    case K(1, b=-2) | [a, *_]: pass
    case _:
        lambda q, *w: (yield q)
if x:
    try:
        a[1:2, ::3] = b = [i async for i in j if k for l in m]
    except* E:
        nonlocal_ = {**a, "b": {1, 2}}
'''


class PieceByPiece(Salvager):
    """Takes every block apart, as if each had a fault somewhere."""

    def statements(self, blocks: Sequence[Block]) -> list[ast.stmt]:
        found: list[ast.stmt] = []
        for statement in group(blocks):
            block = statement[0]
            if len(statement) > 1 or block.children or block.line.opens:
                found += self._compound(statement)
            else:
                found += parse_piece(self.clauses.text(block.line.first, block.line.last), block.line.first) or []
        return found


def piece_by_piece(text: str) -> ast.Module:
    return ast.Module(body=PieceByPiece(text).statements(nest(logical_lines(text))), type_ignores=[])


def strictly(text: str) -> ast.Module:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.parse(text)


def test_each_kind_of_statement_is_put_together_as_ast_does_with_its_places() -> None:
    assert ast.dump(piece_by_piece(EVERY_KIND), include_attributes=True) == ast.dump(
        strictly(EVERY_KIND), include_attributes=True
    )


@pytest.mark.parametrize("part", range(4))
def test_the_standard_library_taken_apart_gives_the_trees_of_ast(part: int) -> None:
    for path in sorted(LIBRARY.glob("*.py"))[part::8]:
        text = path.read_text(encoding="utf-8")
        assert ast.dump(piece_by_piece(text)) == ast.dump(strictly(text)), path.name


def kept(text: str) -> tuple[str, list[tuple[int, int]]]:
    """Return the code that was understood, and the lines that were not."""
    tree, broken, faults = tolerant_parse(textwrap.dedent(text))
    assert faults
    return ast.unparse(tree), broken


def test_a_function_that_is_cut_off_keeps_its_body_so_far() -> None:
    code, broken = kept(
        """\
        def train(model):
            lr = 3e-4
            for x in loader:
                loss = model(x)
                optimizer = Adam(model.parameters(), lr=lr, betas=(0.9, 0.99"""
    )
    assert "lr = 0.0003" in code
    assert "loss = model(x)" in code
    assert "Adam(model.parameters(), lr=lr, **...)" in code
    assert broken == [(5, 5)]


def test_a_dictionary_that_is_cut_off_keeps_its_finished_items() -> None:
    code, broken = kept('C = {\n    "lr": 1e-3,\n    "model": {\n        "dim": 512,\n        "heads": [1, 2,\n        3')
    assert code == "C = {'lr': 0.001, 'model': {'dim': 512, **...}, **...}"
    assert broken == [(5, 6)]


def test_half_a_list_half_a_signature_and_a_lone_header_are_dropped() -> None:
    assert kept("a = 1\nb = [1, 2") == ("a = 1", [(2, 2)])
    assert kept("a = 1\ndef f(x,\n      y") == ("a = 1", [(2, 3)])
    assert kept("a = 1\nif a:\n    for x in") == ("a = 1", [(2, 3)])
    assert kept('class A:\n    x = 1\n    def f(self):\n        """Say') == ("class A:\n    x = 1", [(3, 4)])


def test_one_slip_costs_one_statement() -> None:
    code, broken = kept(
        """\
        def f(x):
            y = g(x
            z = 1
            return z
        class A:
            def m(self):
                bad bad
                return 2
        w = "open
        v = 3
        """
    )
    assert "z = 1" in code
    assert "return 2" in code
    assert "v = 3" in code
    assert broken == [(2, 2), (7, 7), (9, 9)]


def test_broken_clauses_keep_what_is_inside() -> None:
    code, _ = kept("if a b:\n    x = 1\nelse:\n    y = 2\ntry:\n    z = 3\nexcept A B:\n    w = 4\ndef f(1):\n    return 5\n")
    for line in ("x = 1", "y = 2", "z = 3", "w = 4", "def f(*_, **__):", "return 5"):
        assert line in code


def test_markdown_around_the_code_is_left_out() -> None:
    assert kept("```python\nx = 1\n```\n\nThis sets x.\n") == ("x = 1", [(1, 1), (3, 3), (5, 5)])
    assert kept("Here it is: fine?\n```py\nx = 1\n```\nand\n```bash\ny = 2\n```\n```python\nz = 3")[0] == "x = 1\nz = 3"
    assert kept("x = 1\ndef f():\n    return 2\n```\nThat's all, folks.\n")[0] == "x = 1\n\ndef f():\n    return 2"
    assert kept('x = """\n```python\n"""\ny = (\n')[0] == "x = '\\n```python\\n'"


def test_lines_stay_where_they_are() -> None:
    tree, _, _ = tolerant_parse("prose here\n```python\nx = 1\ndef f():\n    y = (\n    return 2\n```\n")
    assert [node.lineno for node in ast.walk(tree) if isinstance(node, (ast.Assign, ast.Return))] == [3, 6]


def test_merge_markers_keep_the_first_side() -> None:
    assert kept("a = 1\n<<<<<<< HEAD\nb = 2\n=======\nb = 3\n>>>>>>> other\nc = 4\n")[0] == "a = 1\nb = 2\nc = 4"


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("print 'a', b\n", "print('a', b)"),
        ("if a <> b:\n    raise E, 'x'\n", "if a != b:\n    raise E('x')"),
        ("try:\n    x\nexcept E, e:\n    y\n", "try:\n    x\nexcept E as e:\n    y"),
        ('print("\n--- start ---")\ny = 1\n', "print('\\n--- start ---')\ny = 1"),
        ('x = f("a", "b {c}\n\nd", e=1)\n', "x = f('a', 'b {c}\\n\\nd', e=1)"),
        ("def f(x)\n    return x\n", "def f(x):\n    return x"),
        ("_, best: Tensor = topk(x)\n", "_, best = topk(x)"),
        ("exec code in scope\n", "exec(code)"),
        ("x = cfg.global.lr\n", "x = cfg.global_.lr"),
        ("def f():\n    raise NotImplementedError(not yet done)\n", "def f():\n    raise NotImplementedError"),
        (
            'class A:\n    """Say."""\\\n    def f(self):\n        return 1\n',
            'class A:\n    """Say."""\n\n    def f(self):\n        return 1',
        ),
        ("class A:\n\tdef f(self):\n\t\tx = 1\n        return x\n", "class A:\n\n    def f(self):\n        x = 1"),
    ],
)
def test_other_versions_and_small_slips(text: str, code: str) -> None:
    assert kept(text)[0].startswith(code)


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="the running Python knows these")
def test_newer_syntax() -> None:
    assert (
        kept("type V[T] = list[T]\ndef f[T](x: T) -> T:\n    return x\n")[0] == "V = list[T]\n\ndef f(x: T) -> T:\n    return x"
    )
    assert kept('x = f"{a["lr"]}"\n')[0] == "x = f\"{a['lr']}\""


PIECES = [
    "def f(x):",
    "    ",
    "\n",
    "x = 1",
    "(",
    ")",
    "{'a': 1,",
    '"""',
    "'",
    "if a:",
    "else:",
    "return",
    "```",
    "#",
    "\\",
    "é",
    "try:",
    "@d",
    "\t",
]


@settings(max_examples=300, deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=40).map("".join))
def test_any_text_gives_a_tree_whose_statements_lie_inside_it(text: str) -> None:
    tree, broken, _ = tolerant_parse(text)
    last = text.count("\n") + 1
    assert all(1 <= node.lineno <= (node.end_lineno or 0) <= last for node in ast.walk(tree) if isinstance(node, ast.stmt))
    assert all(1 <= first <= end <= last for first, end in broken)
    ast.unparse(tree)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, len(EVERY_KIND)))
def test_a_cut_anywhere_loses_only_the_end(at: int) -> None:
    whole = strictly(EVERY_KIND)
    tree, _, _ = tolerant_parse(EVERY_KIND[:at])
    line = EVERY_KIND[:at].count("\n") + 1
    before = [ast.dump(node) for node in whole.body if (node.end_lineno or 0) < line]
    assert [ast.dump(node) for node in tree.body][: len(before)] == before
