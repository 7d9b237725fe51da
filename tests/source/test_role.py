import pytest

from verifier.model.repository import Role
from verifier.source.role import role_of

TESTS = "def test_adds():\n    assert 1 + 1 == 2\n"
PROGRAM = "import argparse\n\ndef test_model(model):\n    return model.eval()\n"


@pytest.mark.parametrize(
    ("path", "text", "role"),
    [
        ("model.py", "", Role.CODE),
        ("tests/helpers.py", "", Role.TEST),
        ("pkg/tests/data/a.py", "", Role.TEST),
        ("conftest.py", "", Role.TEST),
        ("test_loss.py", TESTS, Role.TEST),
        ("loss_test.py", "import unittest\n", Role.TEST),
        ("tests.py", TESTS, Role.TEST),
        ("test.py", PROGRAM, Role.CODE),
        ("test.py", TESTS, Role.CODE),
        ("testing.py", TESTS, Role.CODE),
        ("tools/test_model.py", PROGRAM, Role.CODE),
        ("tools/test_model.py", "import pytest\n" + PROGRAM, Role.TEST),
        ("test_time_training.py", "class Adapter:\n    pass\n", Role.CODE),
        ("latest.py", TESTS, Role.CODE),
    ],
)
def test_role(path: str, text: str, role: Role) -> None:
    assert role_of(path, text) is role
