"""Functions that compute nothing but a plain measure."""

import pytest

from tests.facts.programs import facts_of, scope_named
from verifier.facts.idioms import idiom


@pytest.mark.parametrize(
    ("body", "name"),
    [
        ("return ((a - b) ** 2).mean()", "MSE"),
        ("return torch.mean(torch.square(a - b)).item()", "MSE"),
        ("return np.sqrt(np.mean((a - b) ** 2))", "RMSE"),
        ("return float((a - b).abs().mean())", "MAE"),
        ("return (a == b).float().mean()", "accuracy"),
        ("value = torch.mean((a - b) ** 2)\n    return value", "MSE"),
        ("return (a ** 2).mean()", ""),
        ("return scale * ((a - b) ** 2).mean()", ""),
        ("return (a > b).float().mean()", ""),
        ("a = normalise(a)\n    return ((a - b) ** 2).mean()", ""),
    ],
)
def test_idiom(body: str, name: str) -> None:
    facts = facts_of(f"def f(a, b):\n    {body}\n")
    found = idiom(scope_named(facts.program, "m:f"))
    assert (found.name if found is not None else "") == name
