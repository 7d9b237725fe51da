"""What names stand for, across modules."""

import ast

import pytest

from tests.facts.programs import program_of, scope_named
from verifier.facts.scopes import Scope
from verifier.facts.targets import External

FILES = {
    "pkg/__init__.py": "from .opt import build as make\nfrom .consts import *\n",
    "pkg/opt.py": "import torch as th\n\ndef build(p):\n    return th.optim.Adam(p)\n",
    "pkg/consts.py": "LR = 1\n\ndef helper():\n    pass\n",
    "pkg/sub/deep.py": "from ..opt import build\nfrom ... import nothing\n\nclass Base:\n    def run(self):\n        pass\n",
    "main.py": """\
        import numpy as np
        import torch.nn.functional as F
        import pkg
        import pkg.opt as o
        from pkg import make, helper
        from pkg.sub.deep import Base
        from torch import nn, optim

        class Child(Base):
            def go(self):
                self.run()
                return super().run()

        alias = optim.SGD
        def use():
            make; helper; np.mean; F.relu; nn.Linear; pkg.make; o.build; alias; print; Child.run; unknown
        """,
}


def meaning(text: str) -> str:
    program = program_of(FILES)
    scope = scope_named(program, "main:use")
    node = next(node for node in ast.walk(scope.node) if isinstance(node, ast.expr) and ast.unparse(node) == text)
    target = program.resolve(node, scope)
    return target.name if isinstance(target, External) else target.qualified if isinstance(target, Scope) else "unknown"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("make", "pkg.opt:build"),
        ("helper", "pkg.consts:helper"),
        ("np.mean", "numpy.mean"),
        ("F.relu", "torch.nn.functional.relu"),
        ("nn.Linear", "torch.nn.Linear"),
        ("pkg.make", "pkg.opt:build"),
        ("o.build", "pkg.opt:build"),
        ("alias", "torch.optim.SGD"),
        ("print", "builtins.print"),
        ("Child.run", "pkg.sub.deep:Base.run"),
        ("unknown", "unknown"),
    ],
)
def test_resolution(text: str, expected: object) -> None:
    assert meaning(text) == expected


def test_relative_imports() -> None:
    program = program_of(FILES)
    module = scope_named(program, "pkg.sub.deep")
    target = program.written(module.writes["build"][0])
    assert isinstance(target, Scope)
    assert target.qualified == "pkg.opt:build"


def test_methods_through_self_and_super() -> None:
    program = program_of(FILES)
    method = scope_named(program, "main:Child.go")
    found = [program.resolve(call.func, method) for call in method.calls if isinstance(call.func, ast.Attribute)]
    assert [target.qualified for target in found if isinstance(target, Scope)] == ["pkg.sub.deep:Base.run"] * 2


def test_a_module_beside_the_importing_file() -> None:
    program = program_of({"exp/train.py": "import model\nmodel.Net\n", "exp/model.py": "class Net:\n    pass\n"})
    module = scope_named(program, "exp.train")
    assert program.find_module("model", module) is scope_named(program, "exp.model")


def test_circular_aliases_end() -> None:
    program = program_of({"a.py": "from b import x\n", "b.py": "from a import x\n"})
    assert program.written(scope_named(program, "a").writes["x"][0]) is None
