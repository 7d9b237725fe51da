"""Order checks on small repositories in the styles that people write: each case of order_cases.yaml."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.checks.test_order import Facts
from verifier.checks.order import check_order
from verifier.lexicon import load_lexicon
from verifier.model.check import OrderCheck

CASES = list(yaml.safe_load_all((Path(__file__).parent / "order_cases.yaml").read_text(encoding="utf-8")))


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_case(tmp_path: Path, case: dict[str, Any]) -> None:
    for name, text in case["files"].items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    facts = Facts(tmp_path)
    wrong = []
    for check in case["checks"]:
        steps = tuple((step,) for step in check["order"])
        ordered = OrderCheck(steps=steps, link=check.get("link", "control"), near=tuple(check.get("near", ())))
        finding = check_order(ordered, facts, load_lexicon())  # type: ignore[arg-type]
        file, _, line = check.get("at", "").rpartition(":")
        place = finding.location
        here = not line or (place is not None and place.file == file and place.line <= int(line) <= place.end_line)
        if finding.status.value != check["expect"] or not here:
            wrong.append((check, finding.status.value, str(place), finding.message))
    assert not wrong
