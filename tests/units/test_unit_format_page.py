"""What docs/unit-format.md shows must load."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from verifier.units import load_units
from verifier.units.format import KEYS, KIND_DIMENSION

PAGE = (Path(__file__).parents[2] / "docs" / "unit-format.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL)


@pytest.mark.parametrize("block", BLOCKS)
def test_examples_load(tmp_path: Path, block: str) -> None:
    path = tmp_path / "units.yaml"
    indented = "".join(f"      {line}" for line in block.splitlines(keepends=True))
    path.write_text(block if "units:" in block else f"units:\n  - id: a\n    checks:\n{indented}", encoding="utf-8")
    assert all(unit.checks for unit in load_units([path]))


@pytest.mark.parametrize("kind", KEYS)
def test_every_kind_is_shown_with_what_passes_fails_and_is_undecided(kind: str) -> None:
    (section,) = [part for part in PAGE.split("\n### ") if re.match(rf"[^:]*`{kind}`", part)]
    assert re.search(rf"^- {kind}:", section, re.MULTILINE)
    assert all(f"\n- {word}: " in section for word in ("passes", "fails", "undecided"))
    assert all(f"`{key}" in PAGE for key in KEYS[kind])


def test_every_dimension_is_explained() -> None:
    assert all(re.search(rf"`{kind}`[^,)]*{dimension}", PAGE) for kind, dimension in KIND_DIMENSION.items())
