import json
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from verifier.model.repository import ConfigNode, Role
from verifier.source import DEFAULT_LIMITS, Limits
from verifier.source.config import read_config


def value(node: ConfigNode) -> Any:
    if node.fields is not None:
        return {key: value(inner) for key, inner in node.fields}
    if node.items is not None:
        return [value(inner) for inner in node.items]
    return node.value


def read(syntax: str, text: str, limits: Limits = DEFAULT_LIMITS) -> tuple[Any, list[str]]:
    file, problems = read_config(f"conf/a.{syntax}", syntax, text.encode(), limits)
    roots = [value(root) for root in file.roots] if file else []
    return (roots[0] if len(roots) == 1 else roots), [f"{problem.line}: {problem.message}" for problem in problems]


def at(syntax: str, text: str, *path: str) -> tuple[int, int]:
    file, _ = read_config("a", syntax, text.encode())
    assert file
    node = file.roots[0]
    for name in path:
        node = dict(node.fields or ())[name]
    return node.line, node.column


def test_yaml_scalars_are_worth_what_pyyaml_makes_of_them() -> None:
    words = "1e-4 1.0e-4 1e+5 yes 'yes' 0o17 017 1_000 0x1F ~ null .inf 1:30 ${lr} '' {} -1 +.5 1.e3 on Off".split()
    text = "\n".join(f"- {word}" for word in [*words, "!!float 3", "!!str 5"])
    expected = yaml.safe_load(text)
    assert read("yaml", text) == (expected, [])
    assert expected[0] == "1e-4"
    assert read("yaml", "[2020-01-01, !x 7]") == (["2020-01-01", "7"], [])


def test_yaml_places_are_those_of_the_value() -> None:
    text = "optimizer:\n  lr: 1.0e-4\n  betas: [0.9,\n    0.99]\n"
    assert at("yaml", text, "optimizer", "lr") == (2, 7)
    assert at("yaml", text, "optimizer", "betas") == (3, 10)


def test_yaml_anchors_merge_keys_and_documents() -> None:
    text = "a: &a {x: 1, y: 2}\nb: &b\n  y: 3\ne:\n  <<: *a\n  y: 4\nc:\n  <<: [*b, *a]\n  z: 4\nd: 1\nd: 5\n"
    assert read("yaml", text)[0] == yaml.safe_load(text)
    assert at("yaml", text, "c", "x") == (1, 11)
    assert read("yaml", "x: 1\n---\n- 2\n")[0] == [{"x": 1}, [2]]


@pytest.mark.parametrize(
    ("text", "kept", "lines"),
    [
        ("a: 1\nb: [1, 2\nc: 3\n", {"a": 1, "c": 3}, [2]),
        ("a: 1\nb: c: 2\nd: 3\n", {"a": 1, "d": 3}, [2]),
        ("xs:\n  - 1\n  y: 2\nz: 3\n", {"xs": [1], "z": 3}, [3]),
        ("a: 1\n\tb: 2\nc: 3\n", {"a": 1, "c": 3}, [2]),
        ("```yaml\na: 1\nb: 2\n```\nThat is: all of it\n", {"a": 1, "b": 2}, [1]),
        ('a: 1\nb: "cut o', {"a": 1}, [2]),
    ],
)
def test_malformed_yaml_loses_only_the_lines_at_fault(text: str, kept: Any, lines: list[int]) -> None:
    found, problems = read("yaml", text)
    assert found == kept
    assert [int(problem.split(":")[0]) for problem in problems] == lines


def test_aliases_do_not_explode() -> None:
    bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
    bomb += "".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]\n" for n in range(1, 10))
    assert read("yaml", bomb) == ([], ["1: data file, not read as configuration: more than 5000 values"])
    assert read("yaml", "a: &a [1, *a]\n") == ({"a": [1, None]}, ["1: alias *a has no finished anchor"])


@pytest.mark.parametrize(
    ("syntax", "text"), [("yaml", "a: " + "[" * 500 + "]" * 500), ("json", "[" * 10_000), ("toml", "a = " + "[" * 10_000)]
)
def test_deep_nesting_is_a_problem(syntax: str, text: str) -> None:
    assert read(syntax, text)[1]


@pytest.mark.parametrize(
    ("syntax", "text"), [("yaml", "- 1\n" * 6_000), ("json", json.dumps([1] * 6_000)), ("ini", "a=1\n" * 6_000)]
)
def test_data_is_no_configuration(syntax: str, text: str) -> None:
    assert read(syntax, text) == ([], ["1: data file, not read as configuration: more than 5000 values"])


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=20,
)


@settings(max_examples=100, deadline=None)
@given(json_values, st.sampled_from([None, 2]))
def test_json_is_read_as_json_does(data: Any, indent: int | None) -> None:
    assert read("json", json.dumps(data, indent=indent)) == (data, [])
    assert read("json", json.dumps(data, indent=indent, ensure_ascii=False)) == (data, [])


@settings(max_examples=100, deadline=None)
@given(st.text(alphabet='{}[],:"\\ \n0.1eatrufls-+/*#', max_size=60))
def test_any_text_is_read_without_failing(text: str) -> None:
    for syntax in ("json", "yaml", "toml", "ini"):
        read(syntax, text)


def test_json_that_is_cut_off_keeps_its_finished_values() -> None:
    assert read("json", '{"a": 1, "b": {"c": 2, "d": "x') == ({"a": 1, "b": {"c": 2}}, ["1: a value is missing"])
    assert read("json", '{"a": 1,\n "b": [1, 2],\n}') == ({"a": 1, "b": [1, 2]}, [])
    assert read("json", '{"a": 1 // why\n}') == ({"a": 1}, [])
    assert read("json", '{"a": 1} x')[1] == ["1: text after the end of the value"]
    assert at("json", '{\n  "a": {"lr": 1e-4}}', "a", "lr") == (2, 15)


def test_toml() -> None:
    text = (
        'x = 1e-4\n[tool.a]\n"k k" = [1, {b = true}]\nd = 2020-01-01\n[[rows]]\nn = 1\n[[rows]]\nn = 2\n[rows.sub]\nm.o = "s"\n'
    )
    expected = {
        "x": 1e-4,
        "tool": {"a": {"k k": [1, {"b": True}], "d": "2020-01-01"}},
        "rows": [{"n": 1}, {"n": 2, "sub": {"m": {"o": "s"}}}],
    }
    assert read("toml", text) == (expected, [])
    assert at("toml", text, "tool", "a", "k k") == (3, 9)
    found, problems = read("toml", 'a = 1\nb = = 2\n[t]\nc = "x\nd = 3\n[u]\ne = 4\n')
    assert found["a"] == 1
    assert found["u"] == {"e": 4}
    assert problems


def test_ini() -> None:
    text = "top = 0\n[Train]\nLR = 1e-4\n# note\nlist: a\n  b\nnonsense\n"
    assert read("ini", text) == (
        {"top": "0", "Train": {"LR": "1e-4", "list": "a\nb"}},
        ["7: malformed INI: neither a section nor an option"],
    )
    assert at("ini", text, "Train", "LR") == (3, 6)


def test_configuration_of_tests_is_no_evidence() -> None:
    file, _ = read_config("tests/a.json", "json", b"{}")
    assert file
    assert file.role is Role.TEST
