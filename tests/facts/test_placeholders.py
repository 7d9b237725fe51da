"""What is a placeholder, and what only looks like one."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest

from verifier.facts.placeholders import Placeholders
from verifier.facts.program import Program
from verifier.source.reader import read


def found(folder: Path, code: str) -> dict[str, tuple[int, str]]:
    """Name of each placeholder's scope -> line and reason."""
    (folder / "main.py").write_text(dedent(code), encoding="utf-8")
    stubs = Placeholders(Program(read(folder)))
    return {scope.name: (stub.location.line, stub.reason) for scope, stub in stubs.all}


STUBS = {
    "pass": "def f(x):\n    pass\n",
    "ellipsis": "def f(x):\n    ...\n",
    "only a docstring": 'def f(x):\n    """Trains the model."""\n',
    "not implemented": "def f(x):\n    print(x)\n    raise NotImplementedError\n",
    "said by another error": 'def f(x):\n    raise RuntimeError("not implemented yet")\n',
    "only prints": 'def f(epochs):\n    for epoch in range(epochs):\n        print("epoch", epoch)\n',
    "constant result": "def compute_fid(real, fake):\n    return 3.2\n",
    "constant dictionary": 'def evaluate(model, loader):\n    return {"accuracy": 0.9, "name": "run"}\n',
    "zeros": "import torch\n\ndef perceptual_loss(x, y):\n    return torch.zeros(x.shape[0])\n",
    "random result": "import random\n\ndef compute_score(model, data):\n    value = random.random() * 10\n    return value\n",
    "random data": (
        "import torch\nfrom torch.utils.data import TensorDataset\n\ndef load(root):\n"
        "    x = torch.randn(8, 3)\n    return TensorDataset(x)\n"
    ),
    "marked constant": "def steps(model):\n    return 12  # placeholder\n",
    "empty answer": 'def evaluate(model):\n    print("no benchmark")\n    return {}\n',
    "input returned": "def rope(x):\n    return x  # placeholder for the rotation\n",
    "input returned, to do": "def shift(x):\n    # TODO shifted windows\n    return x\n",
    "says so": 'def rope(x):\n    """Placeholder for the rotation."""\n    y = x * 2\n    return y\n',
    "stub comment first": "def rope(x):\n    # Stub implementation\n    y = x * 2\n    return y\n",
    "simulated": "import torch\n\ndef tokens(x):\n    # Simulate a tokenizer\n    return torch.randint(0, 9, (4,))\n",
    "mock forward": "class Net:\n    def forward(self, x):\n        raise NotImplementedError\n",
}


@pytest.mark.parametrize("name", STUBS)
def test_stubs(name: str, tmp_path: Path) -> None:
    assert found(tmp_path, STUBS[name])


REAL = {
    "abstract": "from abc import abstractmethod\n\nclass A:\n    @abstractmethod\n    def f(self):\n        pass\n",
    "protocol": "from typing import Protocol\n\nclass A(Protocol):\n    def f(self): ...\n",
    "overload": "from typing import overload\n\n@overload\ndef f(x: int): ...\ndef f(x):\n    return x\n",
    "overridden": (
        "class A:\n    def f(self):\n        raise NotImplementedError\n\nclass B(A):\n    def f(self):\n        return 1\n"
    ),
    "exception": "class Wrong(Exception):\n    pass\n",
    "namespace": "class Config:\n    pass\n",
    "hook": "class A:\n    def on_epoch_end(self):\n        pass\n\n    def run(self, x):\n        return x * 2\n",
    "no-op beside a real sibling": """
        class Base:
            pass

        class Curiosity(Base):
            def update(self, batch):
                self.net.step(batch)

        class Return(Base):
            def score(self, batch):
                return batch.sum()

            def update(self, batch):
                pass
        """,
    "said on purpose": (
        'class A:\n    def fit(self, x):\n        """Needs no training."""\n        pass\n\n'
        "    def f(self, x):\n        return x + 1\n"
    ),
    "pass with a reason": "def sync(nets):\n    pass  # no target networks here\n",
    "logger": "def log_results(x):\n    print(x)\n",
    "early none": "def loss(x):\n    if x is None:\n        return None\n    return x.mean()\n",
    "accumulator": "def total_loss(xs):\n    loss = 0.0\n    for x in xs:\n        loss += x\n    return loss\n",
    "filled zeros": "import numpy as np\n\ndef compute_scores(xs):\n    out = np.zeros(3)\n    out[0] = xs[0]\n    return out\n",
    "noise": "import torch\n\ndef sample_noise(shape):\n    return torch.randn(shape)\n",
    "constant of the class": "class A:\n    def num_classes(self):\n        return 10\n",
    "placeholder token": 'def ids(tok):\n    # the image placeholder token\n    return tok.convert("<img>")\n',
    "boolean answer": "def is_score(x):\n    return True\n",
    "own random method": "class Buffer:\n    def sample_reward(self, n):\n        return self.choice(n)\n",
    "fallback after an error": (
        "def load(p):\n    try:\n        x = open(p)\n    except OSError:\n        x = 0  # placeholder\n    return x\n"
    ),
}


@pytest.mark.parametrize("name", REAL)
def test_real_code(name: str, tmp_path: Path) -> None:
    assert not found(tmp_path, REAL[name])


def test_a_single_marked_statement(tmp_path: Path) -> None:
    code = (
        "import numpy as np\n\ndef step(policy, env):\n"
        "    grad = np.zeros(3)  # replace with the real gradient\n    return policy + grad\n"
    )
    assert found(tmp_path, code) == {"step": (4, "marked as a placeholder (replace with the real gradient)")}


def test_a_function_rests_on_its_helpers(tmp_path: Path) -> None:
    code = (
        "def _inter(a, b):\n    # TODO\n    return a.new_zeros(())\n\ndef dice(a, b):\n    i = _inter(a, b)\n"
        "    return 2 * i / (a.sum() + b.sum())\n"
    )
    (tmp_path / "main.py").write_text(code, encoding="utf-8")
    program = Program(read(tmp_path))
    stubs = Placeholders(program)
    (dice,) = program.by_name["dice"]
    resting = stubs.resting_on(dice)
    assert stubs.of(dice) is None
    assert resting is not None
    assert resting.location.line == 3
