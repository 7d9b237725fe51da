"""Which writes a read may see, and which statements are never reached."""

import ast

import pytest

from tests.facts.programs import last_expression, program_of, scope_named


def seen_values(body: str) -> set[str]:
    """The sources of the values that the last `return x` of a function with this body may see."""
    indented = "\n".join(f"    {line}" for line in body.splitlines())
    program = program_of(f"def f(c, items):\n{indented}\n    return x\n")
    scope = scope_named(program, "m:f")
    node = last_expression(scope)
    assert isinstance(node, ast.Name)
    return {ast.unparse(write.value) for write in program.reaching(node, scope) if write.value is not None}


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("x = 1\nx = 2", {"2"}),
        ("x = 1\nif c:\n    x = 2", {"1", "2"}),
        ("if c:\n    x = 1\nelse:\n    x = 2", {"1", "2"}),
        ("if c:\n    x = 1\n    return x\nx = 2", {"2"}),
        ("x = 1\nif False:\n    x = 2", {"1"}),
        ("x = 1\nfor i in items:\n    x = 2", {"1", "2"}),
        ("x = 1\nwhile True:\n    x = 2\n    if c:\n        break", {"2"}),
        ("x = 1\nwhile c:\n    x = 2\n    continue", {"1", "2"}),
        ("try:\n    x = 1\nexcept ValueError:\n    x = 2", {"1", "2"}),
        ("x = 0\ntry:\n    x = risky()\nexcept ValueError:\n    pass", {"0", "risky()"}),
        ("try:\n    x = 1\nfinally:\n    x = 3", {"3"}),
        ("with c as y:\n    x = 1", {"1"}),
        ("match c:\n    case 1:\n        x = 1\n    case _:\n        x = 2", {"1", "2"}),
        ("if (x := 3) > 2:\n    pass", {"3"}),
        ("x = 1\ndel c\nx = x + 1", {"x + 1"}),
    ],
)
def test_reaching_writes(body: str, expected: object) -> None:
    assert seen_values(body) == expected


def dead_lines(code: str, qualified: str = "m") -> list[int]:
    program = program_of(code)
    scope = scope_named(program, qualified)
    dead = program.flow(scope).dead
    return sorted(node.lineno for node in ast.walk(scope.node) if isinstance(node, ast.stmt) and id(node) in dead)


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("def f():\n    return 1\n    x = 2\n", [3]),
        ("def f():\n    raise ValueError\n    x = 2\n", [3]),
        ("def f(c):\n    if c:\n        return 1\n    else:\n        return 2\n    x = 3\n", [6]),
        ("def f(c):\n    if c:\n        return 1\n    x = 3\n", []),
        ("def f():\n    while True:\n        pass\n    x = 1\n", [4]),
        ("def f():\n    if 0:\n        x = 1\n", [3]),
        ("def f():\n    if not True:\n        x = 1\n    else:\n        y = 1\n", [3]),
        ("import sys\ndef f():\n    sys.exit(1)\n    x = 1\n", [4]),
        ("def f(xs):\n    for x in xs:\n        break\n        y = 1\n", [4]),
    ],
)
def test_unreachable_statements(code: str, expected: object) -> None:
    assert dead_lines(code, "m:f") == expected


def test_a_module_constant_decides_a_branch() -> None:
    code = "USE = False\n\ndef f():\n    if USE:\n        x = 1\n    return 2\n"
    assert dead_lines(code, "m:f") == [5]


def test_a_constant_that_is_written_twice_decides_nothing() -> None:
    code = "USE = False\nUSE = load()\n\ndef f():\n    if USE:\n        x = 1\n    return 2\n"
    assert dead_lines(code, "m:f") == []


def test_an_attribute_is_forgotten_when_its_object_is_replaced() -> None:
    program = program_of("def f():\n    c = make()\n    c.lr = 1\n    c = make()\n    return c.lr\n")
    scope = scope_named(program, "m:f")
    assert id(last_expression(scope)) not in program.flow(scope).reaching


def test_closures_see_the_last_value() -> None:
    program = program_of("def f():\n    x = 1\n    def g():\n        return x\n    x = 2\n    return g\n")
    inner = scope_named(program, "m:f.g")
    node = last_expression(inner)
    assert isinstance(node, ast.Name)
    assert [ast.unparse(write.value) for write in program.reaching(node, inner) if write.value] == ["2"]
