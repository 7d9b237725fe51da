"""Rewrites of a program that keep its order keep the verdict; those that break it change it."""

from __future__ import annotations

import tempfile
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.checks.test_order import judge

NAMES = ["load", "denoise", "encode", "quantize", "decode"]


def program(body: list[str], helpers: str = "") -> str:
    functions = "".join(f"def {name}(x):\n    return x + {i}\n\n\n" for i, name in enumerate(NAMES))
    extra = "".join(f"def other{i}(y):\n    return y\n\n\n" for i in range(3))
    lines = "".join(f"    {line}\n" for line in body)
    return f"{functions}{extra}{helpers}def main(x, y):\n{lines}    return x\n"


def status(text: str, *steps: str, link: str = "control") -> str:
    with tempfile.TemporaryDirectory() as folder:
        return judge(Path(folder), text, *steps, link=link).status.value


@settings(max_examples=30, deadline=None)
@given(st.data())
def test_independent_statements_anywhere_keep_the_verdict(data: st.DataObject) -> None:
    body = [f"x = {name}(x)" for name in NAMES]
    for i in data.draw(st.permutations(range(3))):
        body.insert(data.draw(st.integers(0, len(body))), f"z{i} = other{i}(y)")
    assert status(program(body), *NAMES) == "aligned"
    assert status(program(body), *NAMES, link="data") == "aligned"
    assert status(program(body), NAMES[0], "other0", link="data") == ("drifted")


@settings(max_examples=30, deadline=None)
@given(st.permutations(range(len(NAMES))))
def test_only_the_right_permutation_is_aligned(order: list[int]) -> None:
    text = program([f"x = {NAMES[i]}(x)" for i in order])
    expected = "aligned" if order == sorted(order) else "drifted"
    assert status(text, *NAMES) == expected
    assert status(text, *NAMES, link="data") == expected


@settings(max_examples=30, deadline=None)
@given(st.integers(0, len(NAMES) - 1), st.integers(1, len(NAMES)), st.booleans())
def test_moving_steps_into_a_helper_keeps_the_order(first: int, count: int, swap: bool) -> None:
    names = list(NAMES)
    if swap:
        names[1], names[2] = names[2], names[1]
    moved = names[first : first + count]
    helper = "def helper(v):\n" + "".join(f"    v = {name}(v)\n" for name in moved) + "    return v\n\n\n"
    body = (
        [f"x = {name}(x)" for name in names[:first]] + ["x = helper(x)"] + [f"x = {name}(x)" for name in names[first + count :]]
    )
    expected = "drifted" if swap else "aligned"
    assert status(program(body, helper), *NAMES) == expected
    assert status(program(body, helper), *NAMES, link="data") == expected


@settings(max_examples=20, deadline=None)
@given(st.integers(0, len(NAMES) - 2), st.sampled_from(["recomputed", "ignored", "overwritten"]))
def test_a_cut_link_is_found(at: int, how: str) -> None:
    body = [f"x = {name}(x)" for name in NAMES]
    if how == "recomputed":
        body.insert(0, "start = x")
        body[at + 2] = f"x = {NAMES[at + 1]}(start)"
    elif how == "ignored":
        body[at] = f"{NAMES[at]}(x)"
    else:
        body.insert(at + 1, "x = other0(y)")
    assert status(program(body), *NAMES) == "aligned"
    assert status(program(body), *NAMES, link="data") == "drifted"


@settings(max_examples=20, deadline=None)
@given(st.sampled_from(["with open('f') as h:", "for _ in range(3):", "while True:", "if y:", "try:"]), st.integers(0, 4))
def test_blocks_around_steps_keep_the_order(block: str, first: int) -> None:
    inner = [f"    x = {name}(x)" for name in NAMES[first:]]
    ending = ["    break"] if block == "while True:" else []
    closing = ["finally:", "    y = 0"] if block == "try:" else []
    body = [f"x = {name}(x)" for name in NAMES[:first]] + [block, *inner, *ending, *closing]
    assert status(program(body), *NAMES) == "aligned"
    assert status(program(body), *reversed(NAMES)) == "drifted"
