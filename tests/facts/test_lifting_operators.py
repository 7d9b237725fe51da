"""The examples beside the operators of rules/operators: code on the left computes what stands on the right."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tests.facts.lifting_code import texts
from verifier.algebra.printing import to_text
from verifier.errors import RuleError
from verifier.facts.lifting.special import SPECIAL
from verifier.lexicon import operators as module
from verifier.lexicon.operators import operators, template
from verifier.resources import data_folder

_MODULES = ("torch", "numpy", "jax", "math", "einops", "optax", "tensorflow", "flax")
EXAMPLES = operators().examples


@pytest.mark.parametrize(
    ("code", "meaning"), [entry[1:] for entry in EXAMPLES], ids=[f"{entry[0]}: {entry[1]}" for entry in EXAMPLES]
)
def test_example(code: str, meaning: str) -> None:
    names = sorted(
        {node.id for node in ast.walk(ast.parse(code)) if isinstance(node, ast.Name)} - {*_MODULES, "min", "max", "sum"}
    )
    imports = "".join(f"import {name}\n" for name in _MODULES) + "import torch.nn.functional\nimport jax.numpy\n"
    expected = template(ast.parse(meaning, mode="eval").body)
    found = texts(f"{imports}def computed({', '.join(names)}):\n    return {code} + extra", "computed")
    assert found == [f"{_wrapped(to_text(expected))} + extra"] or found == [to_text(expected) + " + extra"]


def _wrapped(text: str) -> str:
    return f"({text})"


def test_every_pack_has_examples_and_every_special_rule_exists() -> None:
    table = operators()
    packs = {path.stem for path in Path(data_folder("rules"), "operators").glob("*.yaml")}
    assert {entry[0] for entry in table.examples} == packs
    specials = {operator.special for operator in (*table.functions.values(), *table.methods.values()) if operator.special}
    assert specials <= set(SPECIAL)


@pytest.mark.parametrize(
    ("pack", "message"),
    [
        ("library: x\nroots: [x]\nfunction: {}\n", "unknown key function"),
        ("library: x\nroots: [x]\nfunctions: {'f(x)': 'x +'}\n", "is not an expression"),
        ("library: x\nroots: [x]\nfunctions: {'f': 'x'}\n", "is no signature"),
        ("library: x\nroots: [x]\nfunctions: {'f(x)': '[x]'}\n", "is not understood in a meaning"),
        ("library: x\nroots: [x]\nmodules: {'f(x)': 'x'}\n", "is no signature of a module"),
        ("library: [x\n", "not valid YAML"),
    ],
)
def test_a_malformed_pack_is_refused(pack: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "operators"
    folder.mkdir()
    (folder / "x.yaml").write_text(pack, encoding="utf-8")
    monkeypatch.setattr(module, "data_folder", lambda _: tmp_path)
    with pytest.raises(RuleError, match=message):
        operators.__wrapped__()
