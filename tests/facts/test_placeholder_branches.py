"""Which functions end in a placeholder whatever branch they take."""

from __future__ import annotations

import ast
from textwrap import dedent

import pytest

from verifier.facts.placeholder_branches import certain_stub
from verifier.facts.scopes import tail
from verifier.model.facts import Placeholder
from verifier.model.location import Location


def found(code: str) -> bool:
    def stub_of(call: ast.Call) -> Placeholder | None:
        return Placeholder(Location("a.py", call.lineno), "stub") if tail(call.func) == "stub" else None

    return certain_stub(ast.parse(dedent(code)).body, stub_of) is not None


@pytest.mark.parametrize(
    "code",
    [
        "y = stub(x)",
        "for x in xs:\n    y += stub(x)",
        "with open(p) as f:\n    y = 2 * stub(f)",
        "if a:\n    y = stub(x)\nelse:\n    y = stub(z)",
        "if a:\n    y = stub(x)\nelse:\n    raise ValueError(a)",
        "if a is None:\n    raise ValueError(a)\ny = stub(a)",
        "if stub(x):\n    y = 1",
        "try:\n    y = stub(x)\nexcept KeyError:\n    y = 0",
        "y = [stub(x) for x in xs]",
        "print(stub(x))",
    ],
)
def test_every_way_ends_in_it(code: str) -> None:
    assert found(code)


@pytest.mark.parametrize(
    "code",
    [
        "stub(x)",
        "y = real(x)",
        "if a:\n    y = stub(x)",
        "if a:\n    y = stub(x)\nelse:\n    y = real(x)",
        "if a:\n    y = real(x)\nelif b:\n    y = stub(x)\nelse:\n    y = real(x)",
        "y = stub(x) if a else real(x)",
        "y = a or stub(x)",
        "f = lambda x: stub(x)",
        "def inner():\n    return stub(x)",
        "if a:\n    y = real(x)\nelse:\n    raise ValueError(a)",
    ],
)
def test_a_way_leads_past_it(code: str) -> None:
    assert not found(code)


@pytest.mark.parametrize("depth", [30, 400])
def test_long_chains_are_bounded(depth: int) -> None:
    chain = "".join(f"{'if' if i == 0 else 'elif'} a == {i}:\n    y = real(x)\n" for i in range(depth))
    assert not found(chain + "else:\n    y = stub(x)\n")
