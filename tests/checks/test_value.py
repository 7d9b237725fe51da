"""The value check: names, places, kinds of values, and what is said of them."""

from __future__ import annotations

import pytest

from tests.facts.programs import facts_of
from verifier.checks.value import check_value, meets
from verifier.lexicon import load_lexicon
from verifier.model.check import Between, Equals, OneOf, Test, ValueCheck
from verifier.model.constant import Constant
from verifier.model.finding import Finding


def judged(files: dict[str, str] | str, subject: str | tuple[str, ...], value: Constant, *near: str) -> Finding:
    subjects = (subject,) if isinstance(subject, str) else subject
    check = ValueCheck(subjects=subjects, test=Equals(value), near=near)
    return check_value(check, facts_of(files), load_lexicon())


def verdict(files: dict[str, str] | str, subject: str, value: Constant, *near: str) -> str:
    return judged(files, subject, value, *near).status.value


OPTIMIZER = "import torch\n\ndef train(net):\n    return torch.optim.AdamW(net.parameters(), lr=3e-4, betas=(0.9, 0.95))\n"


@pytest.mark.parametrize(
    ("subject", "value", "expected"),
    [
        ("learning rate", 3e-4, "aligned"),
        ("lr", "0.0003", "aligned"),
        ("AdamW.lr", 3e-4, "aligned"),
        ("optim.AdamW.lr", 3e-4, "aligned"),
        ("SGD.lr", 3e-4, "missing"),
        ("learning rate", 1e-3, "drifted"),
        ("betas", (0.9, 0.95), "aligned"),
        ("AdamW.weight_decay", 0.01, "aligned"),
        ("weight decay", 0.01, "aligned"),
        ("AdamW.eps", 1e-6, "drifted"),
        ("warmup steps", 100, "missing"),
    ],
)
def test_subjects(subject: str, value: Constant, expected: str) -> None:
    assert verdict(OPTIMIZER, subject, value) == expected


def test_near_narrows() -> None:
    code = "def actor(lr=1e-4):\n    return lr\n\ndef critic(lr=1e-3):\n    return lr\n"
    assert verdict(code, "learning rate", 1e-3) == "aligned"
    assert verdict(code, "learning rate", 1e-3, "actor") == "drifted"
    assert verdict(code, "critic learning rate", 1e-3) == "aligned"
    assert verdict(code, "learning rate", 1e-3, "generator") == "missing"


def test_a_live_wrong_value_beats_a_dead_right_one() -> None:
    code = "GAMMA = 0.99\n\ndef run(gamma=0.9):\n    return gamma\n"
    assert judged(code, "discount factor", 0.99).found == "0.9"
    assert verdict("GAMMA = 0.99\n", "discount factor", 0.99) == "unused"


def test_a_name_that_says_more_only_speaks_for_a_loose_subject() -> None:
    assert verdict("def f(total_tokens=0):\n    return total_tokens\n", "tokens", 4096) == "missing"
    assert verdict("def f(actor_lr=1e-4):\n    return actor_lr\n", "learning rate", 1e-3) == "drifted"


def test_a_name_that_shortens_the_subject() -> None:
    code = "def split(data, n_cal=1000):\n    return data[:n_cal]\n"
    assert verdict(code, "number of calibration examples", 1000) == "aligned"
    assert verdict(code, "number of calibration examples", 500) == "missing"


def test_computed_data_is_no_setting() -> None:
    assert verdict("def f(x):\n    tokens = x.encode()\n    return tokens\n", "number of tokens", 4096) == "missing"
    assert verdict("import torch\n\ndef f(p, lr):\n    return torch.optim.SGD(p, lr)\n", "learning rate", 0.1) == "undecided"


@pytest.mark.parametrize(
    ("literal", "value", "expected"),
    [
        ("None", 3, "missing"),
        ("True", 1, "missing"),
        ("[1, 2, 3]", 3, "missing"),
        ("(256, 256)", "256x256", "aligned"),
        ("'cosine'", "cosine", "aligned"),
        ("'Cosine'", "linear", "drifted"),
        ("False", False, "aligned"),
        ("'1e-4'", 1e-4, "aligned"),
    ],
)
def test_kinds_of_values(literal: str, value: Constant, expected: str) -> None:
    assert verdict(f"def f(my_setting={literal}):\n    return my_setting\n", "my_setting", value) == expected


def test_the_finding_says_where_and_how() -> None:
    files = {
        "conf.yaml": "lr: 0.01\n",
        "t.py": "import torch\nimport yaml\n\ncfg = yaml.safe_load(open('conf.yaml'))\ntorch.optim.SGD(p, lr=cfg['lr'])\n",
    }
    finding = judged(files, "learning rate", 0.1)
    assert (finding.status, finding.cause, finding.expected, finding.found) == ("drifted", "wrong-value", "0.1", "0.01")
    assert str(finding.location) == "conf.yaml:1"
    assert [str(step) for step in finding.trail] == ["read as lr from conf.yaml", "t.py:5 SGD.lr (argument)"]


def test_a_placeholder_value_is_deferred() -> None:
    code = "def run():\n    fid = 0.0  # TODO: compute\n    return fid\n"
    assert verdict(code, "fid", 12.5) == "deferred"


@pytest.mark.parametrize(
    ("test", "value", "expected"),
    [
        (Between(1, 3), 2, True),
        (Between(1, 3), 3, True),
        (Between(1, 3), 3.1, False),
        (Between(None, 3), -5, True),
        (Between(1, None), 0, False),
        (Between(1, 3), True, False),
        (Between(1, 3), "2", True),
        (Between(1, 3), "cosine", False),
        (OneOf((1, 2)), 2.0, True),
        (OneOf((1, 2)), 3, False),
        (Equals("50k"), 50_000, True),
    ],
)
def test_tests(test: Test, value: Constant, *, expected: bool) -> None:
    assert meets(test, value, None) is expected


def test_a_tolerance() -> None:
    assert meets(Equals(4.9e-4), 5e-4, 0.05)
    assert not meets(Equals(4.9e-4), 5e-4, None)
