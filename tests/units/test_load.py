from __future__ import annotations

import json
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from verifier.errors import UnitErrors
from verifier.model.check import AnyCheck, Between, Equals, FormulaCheck, NotCheck, OneOf, OrderCheck, PresentCheck, ValueCheck
from verifier.model.unit import Unit
from verifier.units import load_units


def load(folder: Path, text: str, name: str = "units.yaml") -> tuple[Unit, ...]:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return load_units([path])


def faults(folder: Path, text: str, name: str = "units.yaml") -> list[str]:
    with pytest.raises(UnitErrors) as caught:
        load(folder, text, name)
    return [str(error).replace(f"{folder.as_posix()}/", "") for error in caught.value.errors]


def test_every_kind_of_check(tmp_path: Path) -> None:
    (unit,) = load(
        tmp_path,
        """
units:
  - id: a
    claim: c
    checks:
      - {value: [lr, learning rate], equals: "2^-10", tolerance: 1e-3, near: [stage, 2]}
      - {value: depth, one_of: [6, 12]}
      - {value: width, between: [64, "1k"]}
      - {value: heads, at_least: 4}
      - {formula: a*x, symbols: {a: slope}, instead_of: a + x}
      - {present: [FID, IS], as: metric}
      - {order: [encode, [decode, sample]], link: data}
      - {any: [{present: Adam}, {present: AdamW}]}
      - {not: {present: dropout}}
""",
    )
    plain = [check for check in unit.checks if not isinstance(check, (AnyCheck, NotCheck))]
    lr, depth, width, heads, formula, fid, inception, order = plain
    assert isinstance(lr, ValueCheck)
    assert (lr.subjects, lr.test, lr.tolerance, lr.near) == (("lr", "learning rate"), Equals(2**-10), 1e-3, ("stage", "2"))
    assert isinstance(depth, ValueCheck)
    assert depth.test == OneOf((6, 12))
    assert isinstance(width, ValueCheck)
    assert width.test == Between(64, 1000)
    assert isinstance(heads, ValueCheck)
    assert heads.test == Between(4, None)
    assert isinstance(formula, FormulaCheck)
    assert (formula.text, formula.symbols, formula.instead_of) == ("a*x", (("a", ("slope",)),), "a + x")
    assert isinstance(fid, PresentCheck)
    assert isinstance(inception, PresentCheck)
    assert (fid.entity, fid.role, inception.entity) == ("FID", "metric", "IS")
    assert isinstance(order, OrderCheck)
    assert (order.steps, order.link) == ((("encode",), ("decode", "sample")), "data")
    held, ruled_out = unit.checks[-2:]
    assert isinstance(held, AnyCheck)
    assert [part.kind for part in held.checks] == ["present", "present"]
    assert isinstance(ruled_out, NotCheck)
    assert ruled_out.check.kind == "present"


@pytest.mark.parametrize(
    ("written", "value"),
    [("3e-4", 0.0003), ("1_000", 1000), ("off", "off"), ("no", "no"), ("True", True), ("~", None), ("'1/4'", 0.25), ("0x10", 16),
     ("[60, [1, '2']]", (60, (1, 2))), ("512x512", "512x512"), ("2024-01-31", "2024-01-31"), ("1:30", "1:30")],
)  # fmt: skip
def test_values_are_read_as_yaml_1_2(tmp_path: Path, written: str, value: object) -> None:
    (unit,) = load(tmp_path, f"units: [{{id: a, claim: c, checks: [{{value: x, equals: {written}}}]}}]")
    (check,) = unit.checks
    assert isinstance(check, ValueCheck)
    assert check.test == Equals(value)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("unit", "dimension"),
    [
        ("{id: a, claim: c}", "D1"),
        ("{id: a-D3-001, claim: c}", "D3"),
        ("{id: a-D3-001, claim: c, checks: [{order: [a, b]}]}", "D4"),
        ("{id: a, claim: c, checks: [{not: {any: [{present: x}]}}]}", "D3"),
        ("{id: a, claim: c, checks: [{formula: x + 1}, {present: x}]}", "D2"),
        ("{id: a, claim: c, dimension: D2, checks: [{present: x}]}", "D2"),
    ],
)
def test_the_dimension_when_left_out(tmp_path: Path, unit: str, dimension: str) -> None:
    assert load(tmp_path, f"units: [{unit}]")[0].dimension == dimension


CLAIM = {"id": "p-D2-001", "claim": "the loss is the mean squared error", "source": "Eq. 3"}


@pytest.mark.parametrize(
    "content",
    [
        {"paper_id": "p", "D1": [], "D2": [CLAIM], "D3": [], "D4": []},
        {"paper_id": "p", "requirements": {"D2": [CLAIM]}},
        {"paper_id": "p", "requirements": [{**CLAIM, "dimension": "D2"}]},
        [{**CLAIM, "type": "D2", "weight": 2}],
        [{"claim_id": CLAIM["id"], "text": CLAIM["claim"], "source": CLAIM["source"], "type": "D2"}],
    ],
)
def test_the_forms_of_a_claim_file(tmp_path: Path, content: object) -> None:
    (unit,) = load(tmp_path, json.dumps(content, indent=1), "sau.json")
    assert (unit.id, unit.dimension, unit.claim, unit.source) == ("p-D2-001", "D2", CLAIM["claim"], "Eq. 3")
    assert not unit.checks
    assert unit.line > 0


def test_a_source_may_be_left_empty(tmp_path: Path) -> None:
    assert [
        unit.source for unit in load(tmp_path, "units: [{id: a, claim: c, source: ''}, {id: b, claim: c, source: null}]")
    ] == ["", ""]


def test_what_a_claim_file_has_beyond_claims(tmp_path: Path) -> None:
    content = {"year": 2025, "D1": [{"id": "a", "claim": "b", "chekcs": []}], "D5": [{"id": "c", "claim": "d"}]}
    stray, misspelled = faults(tmp_path, json.dumps(content), "sau.json")
    assert "unknown key `D5`" in stray
    assert "unknown key `chekcs`: did you mean `checks`?" in misspelled


def test_all_faults_of_all_files_at_once_in_order(tmp_path: Path) -> None:
    (tmp_path / "b.yaml").write_text("units:\n- {id: x, claim: c}\n- {id: y, clam: c}\n", encoding="utf-8")
    (tmp_path / "a.json").write_text('{"units": [\n{"id": "x", "claim": "c"},\n{"id": ""}]}', encoding="utf-8")
    (tmp_path / ".hidden.yaml").write_text("nonsense", encoding="utf-8")
    (tmp_path / "unit-file.schema.json").write_text("{}", encoding="utf-8")
    with pytest.raises(UnitErrors) as caught:
        load_units([tmp_path])
    folder = tmp_path.as_posix()
    assert [error.where.removeprefix(folder) for error in caught.value.errors] == [
        "/a.json:3", "/a.json:3", "/b.yaml:3", "/b.yaml:3", "/b.yaml:2",
    ]  # fmt: skip
    assert f"the id `x` is taken by the unit at {folder}/a.json:2" in caught.value.errors[-1].message


def test_files_of_a_folder_in_the_order_of_their_paths(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    for name, identifier in [("z.yml", "last"), ("a.yaml", "first"), ("sub/m.json", "middle")]:
        (tmp_path / name).write_text(json.dumps({"units": [{"id": identifier, "claim": "c"}]}), encoding="utf-8")
    assert [unit.id for unit in load_units([tmp_path])] == ["first", "middle", "last"]
    (tmp_path / "sub" / "out.yaml").symlink_to(__file__)
    (tmp_path / "folder.yaml").mkdir()
    assert len(load_units([tmp_path])) == 3
    assert load_units([tmp_path / "z.yml", tmp_path / "a.yaml"])[0].file.endswith("z.yml")


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "units.yaml: is empty"),
        ("# nothing\n", "units.yaml: is empty"),
        ("units:\n- id: a\n\tclaim: b", "units.yaml:3: not YAML: "),
        ("units:\n\t- id: a", "indent with blanks, not with tabs"),
        ("units:\n- claim: a: b", "units.yaml:2: not YAML: mapping values are not allowed in this context (put text"),
        ("units: [1\nx: 2", "units.yaml:2: not YAML: "),
        ("a: 1\n---\nb: 2", "units.yaml:2: holds several documents"),
        ("&a [*a]", "units.yaml:1: the alias `*a` names no anchor above it, or stands inside it"),
        ("x: !!python/name:os.system y", "units.yaml:1: tags are not part of the format"),
        ("[" * 100, "nested more than 60 deep"),
        ("x: \x07", "units.yaml:1: not YAML: "),
    ],
)
def test_what_is_no_yaml(tmp_path: Path, text: str, fault: str) -> None:
    (found,) = faults(tmp_path, text)
    assert fault in found


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (" ", "units.json: is empty"),
        ('{"units": [\n1,]}', "units.json:2: not JSON: expected a value"),
        ('{"units" []}', "units.json:1: not JSON: expected `:`"),
        ("{'units': []}", "expected a key in double quotes"),
        ('{"a": NaN}', "expected a value"),
        ('{"a": 1} {', "text after the end"),
        ('{"a": "x', "units.json:1: not JSON: Unterminated string"),
        ('{"a": "\\ud800"}', "half of a surrogate pair"),
        ("[" * 100, "nested more than 60 deep"),
        ('{"a": 1' + "0" * 500 + "}", "more than 400 digits"),
    ],
)
def test_what_is_no_json(tmp_path: Path, text: str, fault: str) -> None:
    (found,) = faults(tmp_path, text, "units.json")
    assert fault in found


def test_bytes_that_are_no_text(tmp_path: Path) -> None:
    path = tmp_path / "units.yaml"
    path.write_bytes(b"units:\n- id: \xe9\n")
    with pytest.raises(UnitErrors, match=r"units\.yaml:2: is not UTF-8 text \(byte 0xe9\)"):
        load_units([path])
    with pytest.raises(UnitErrors, match=r"cannot be read: No such file"):
        load_units([tmp_path / "none.yaml"])
    (tmp_path / "empty").mkdir()
    with pytest.raises(UnitErrors, match="holds no unit file"):
        load_units([tmp_path / "empty"])


def test_aliases_serve_but_do_not_explode(tmp_path: Path) -> None:
    (unit,) = load(tmp_path, "units: [{id: a, claim: &c text, source: *c}]")
    assert unit.source == "text"
    levels = "".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]\n" for n in range(1, 12))
    (found,) = faults(tmp_path, "a0: &a0 [x]\n" + levels)
    assert "once its aliases are followed" in found


WORDS = st.sampled_from(
    ["units", "id", "claim", "checks", "value", "equals", "between", "formula", "present", "order", "any", "not", "near", "D1",
     "D9", "requirements", "x", "a + b", "", "512x512", "1/3", "\\frac", "link", "as", "symbols", "paper"]
)  # fmt: skip
TREES = st.recursive(
    st.one_of(WORDS, st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False, allow_infinity=False)),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(WORDS, inner, max_size=5)),
    max_leaves=25,
)


def outcome(text: str, name: str) -> object:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, name)
        path.write_text(text, encoding="utf-8", newline="")
        try:
            return [(unit.id, unit.checks) for unit in load_units([path])]
        except UnitErrors as error:
            return [fault.message for fault in error.errors]


@settings(deadline=None)
@given(TREES)
def test_any_tree_loads_or_names_its_faults_alike_in_both_notations(tree: object) -> None:
    assert outcome(json.dumps(tree), "units.json") == outcome(json.dumps(tree), "units.yaml")


@settings(deadline=None)
@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=60), st.sampled_from(["units.yaml", "units.json"]))
def test_any_text_loads_or_names_its_faults(text: str, name: str) -> None:
    outcome(text, name)
