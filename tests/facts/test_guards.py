"""Which branches run by default."""

import pytest

from tests.facts.programs import facts_of


@pytest.mark.parametrize(
    ("code", "values"),
    [
        ("FAST = False\nlr = 1.0\nif FAST:\n    lr = 2.0\nused = f(lr)\n", {1.0}),
        ("FAST = True\nlr = 1.0\nif FAST:\n    lr = 2.0\nused = f(lr)\n", {2.0}),
        ("lr = 1.0\nif unknown():\n    lr = 2.0\nused = f(lr)\n", {1.0, 2.0}),
        ("given = 3.0\nlr = 1.0\nif given is not None:\n    lr = given\nused = f(lr)\n", {3.0}),
        ("given = None\nlr = 1.0\nif given is not None:\n    lr = given\nused = f(lr)\n", {1.0}),
        ("lr = 1.0\nfor lr in (4.0, 5.0):\n    pass\nused = f(lr)\n", {4.0, 5.0}),
    ],
)
def test_values_that_arrive(code: str, values: set[float]) -> None:
    facts = facts_of(code)
    module = next(iter(facts.program.modules.values()))
    call = next(call for call in module.calls if getattr(call.func, "id", "") == "f")
    found = {getattr(value, "value", None) for value in facts.evaluator.evaluate(call.args[0], module)}
    assert found == values
