"""What expressions are worth, followed through a program."""

import pytest

from tests.facts.programs import facts_of, last_expression, scope_named
from verifier.facts.values import UNKNOWN, Instance, Made, Ref, Unknown, worths
from verifier.model.location import Location

BASE = "class A:\n    def __init__(self, a):\n        self.a = a\n\n"


def worth_of(files: dict[str, str] | str, qualified: str = "m:f") -> list[object]:
    """The constants that the last expression of a scope may be, `?` for what is not known."""
    facts = facts_of(files)
    scope = scope_named(facts.program, qualified)
    values = facts.evaluator.evaluate(last_expression(scope), scope)
    plain = [found.value for found in worths(values, Location("", 1)) if not found.symbolic]
    return [*plain, *("?" for value in values if isinstance(value, Unknown))]


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("2 ** 10", [1024]),
        ("1 / 3", [1 / 3]),
        ("-(3 + 4) // 2", [-4]),
        ("int('12') + float('0.5')", [12.5]),
        ("max(3, 7, 5)", [7]),
        ("[1, 2] * 2", [(1, 2, 1, 2)]),
        ("[*(1, 2), 3]", [(1, 2, 3)]),
        ("{**{'a': 1}, 'b': 2}['b']", [2]),
        ("dict(a=1, b=2)['a']", [1]),
        ("{'a': {'b': 5}}['a']['b']", [5]),
        ("(1, 2, 3)[-1]", [3]),
        ("3 if True else 4", [3]),
        ("None or 5", [5]),
        ("'x' + 'y'", ["xy"]),
        ("f'{1}-{2}'", ["1-2"]),
        ("len([1, 2, 3])", [3]),
        ("math.sqrt(16)", [4.0]),
        ("math.pi > 3", [True]),
        ("os.environ.get('LR', '0.1')", ["0.1"]),
        ("{'a': 1}.get('b', 9)", [9]),
        ("{'a': 1}.get('a', 9)", [1]),
        ("2 ** 100000", ["?"]),
        ("1 / 0", ["?"]),
        ("unknown()", ["?"]),
        ("c", ["?"]),
        ("(lambda x=3: x + 1)()", [4]),
        ("[1 for _ in range(3)]", [(1, 1, 1)]),
        ("torch.tensor(0.07)", [0.07]),
        ("copy.deepcopy({'a': 2})['a']", [2]),
    ],
)
def test_expressions(expression: str, expected: object) -> None:
    assert worth_of(f"import math, os, copy, torch\n\ndef f(c):\n    return {expression}\n") == expected


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("def f(x=1):\n    return x\n", [1]),
        ("def f(x=1):\n    return x\n\nf(2)\n", [2]),
        ("def f(x=1):\n    return x\n\nf(2)\nf()\n", [2, 1]),
        ("def f(x):\n    return x\n\ndef g(y=5):\n    f(y)\n", [5]),
        ("def f(*, x):\n    return x\n\nf(**{'x': 7})\n", [7]),
        ("def f(a, x):\n    return x\n\nf(*(1, 2))\n", [2]),
        ("def f(**kw):\n    return kw['x']\n\nf(x=3)\n", [3]),
        ("def f(n):\n    return f(n - 1)\n", ["?"]),
        ("def half(v):\n    return v / 2\n\ndef f():\n    return half(8)\n", [4.0]),
        ("def f(x=None):\n    if x is None:\n        x = 4\n    return x\n", [4]),
        ("def f(x=None):\n    return x or 6\n", [6]),
    ],
)
def test_parameters(code: str, expected: object) -> None:
    assert worth_of(code) == expected


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("class A:\n    def __init__(self, lr=1):\n        self.lr = lr\n\ndef f():\n    return A(2).lr\n", [2]),
        ("class A:\n    lr = 3\n\nclass B(A):\n    pass\n\ndef f():\n    return B().lr\n", [3]),
        ("class A:\n    @property\n    def lr(self):\n        return 4\n\ndef f():\n    a = A()\n    return a.lr\n", [4]),
        ("class A:\n    def get(self):\n        return 5\n\ndef f():\n    a = A()\n    return a.get()\n", [5]),
        ("class A:\n    def __init__(self):\n        self.x = 1\n        self.x = 2\n\ndef f():\n    return A().x\n", [2]),
        ("class A:\n    pass\n\ndef f():\n    a = A()\n    a.x = 6\n    return a.x\n", [6]),
        ("class A:\n    def __init__(self, **kw):\n        self.__dict__.update(kw)\n\ndef f():\n    return A(x=8).x\n", [8]),
        (f"{BASE}class B(A):\n    def __init__(self):\n        super().__init__(9)\n\ndef f():\n    return B().a\n", [9]),
        ("from enum import Enum\n\nclass E(Enum):\n    A = 3\n\ndef f():\n    return E.A.value\n", [3]),
    ],
)
def test_objects(code: str, expected: object) -> None:
    assert worth_of(code) == expected


def test_the_trail_says_how_a_value_came() -> None:
    facts = facts_of({"a.py": "LR = 3e-4\n", "b.py": "from a import LR\n\ndef f(lr):\n    return lr\n\nf(LR)\n"})
    scope = scope_named(facts.program, "b:f")
    (found,) = worths(facts.evaluator.evaluate(last_expression(scope), scope), Location("", 1))
    assert str(found.location) == "a.py:1"
    assert [str(step) for step in found.trail] == ["b.py:6 passed as lr to f"]


def test_named_things_are_symbolic() -> None:
    facts = facts_of("import torch\n\nclass Net:\n    pass\n\ndef f(c):\n    return (torch.optim.Adam(c), Net(), torch.relu)\n")
    scope = scope_named(facts.program, "m:f")
    (items,) = facts.evaluator.evaluate(last_expression(scope), scope)
    kinds = [type(values[0]) for values in items.items]  # type: ignore[union-attr]
    assert kinds == [Made, Instance, Ref]


def test_deep_and_circular_programs_end() -> None:
    chain = "\n".join(f"def f{i}(x):\n    return f{i + 1}(x) + f{i + 1}(x)\n" for i in range(60))
    assert worth_of(f"{chain}\ndef f60(x):\n    return 1\n\ndef f(x):\n    return f0(x)\n") == ["?"]
    assert worth_of("a = b\nb = a\n\ndef f():\n    return a\n") == ["?"]
    assert worth_of("def f(xs):\n    x = 1\n    for _ in xs:\n        x += 1\n        x *= 2\n    return x\n")[-1] == "?"


CONFIG = {
    "conf.yaml": "train:\n  lr: 1e-4\n  batch_size: 32\nname: run\n",
    "conf.json": '{"depth": 4}',
    "conf.toml": "[opt]\nwd = 0.1\n",
    "conf.ini": "[run]\nsteps = 10\n",
}


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        (
            "import yaml\n\ndef f():\n    with open('conf.yaml') as h:\n        cfg = yaml.safe_load(h)\n    return cfg['train']['lr']\n",
            ["1e-4"],
        ),
        (
            "import yaml\n\ndef f(path='conf.yaml'):\n    c = yaml.safe_load(open(path))\n    return c.get('train').get('batch_size')\n",
            [32],
        ),
        (
            "import json\nfrom pathlib import Path\n\ndef f():\n    return json.loads(Path('conf.json').read_text())['depth']\n",
            [4],
        ),
        ("import tomllib\n\ndef f():\n    return tomllib.load(open('conf.toml', 'rb'))['opt']['wd']\n", [0.1]),
        (
            "from configparser import *\n\ndef f():\n    c = ConfigParser()\n    c.read('conf.ini')\n    return c.getint('run', 'steps')\n",
            [10],
        ),
        (
            "from omegaconf import OmegaConf as O\n\ndef f():\n    c = O.merge(O.load('conf.yaml'), {'name': 'x'})\n    return c.name\n",
            ["x"],
        ),
    ],
)
def test_configuration_files(code: str, expected: object) -> None:
    assert worth_of({**CONFIG, "m.py": code}) == expected


def test_an_expression_that_is_none_is_unknown() -> None:
    facts = facts_of("x = 1\n")
    assert facts.evaluator.evaluate(None, scope_named(facts.program, "m")) == UNKNOWN
