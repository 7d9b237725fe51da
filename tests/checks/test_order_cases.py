"""Order checks on small repositories in the styles that people write: each case of order_cases.yaml."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.checks.test_order import judge

CASES = list(yaml.safe_load_all((Path(__file__).parent / "order_cases.yaml").read_text(encoding="utf-8")))


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_case(tmp_path: Path, case: dict[str, Any]) -> None:
    wanted = {str(check["order"]): check["expect"] for check in case["checks"]}
    found = {}
    for check in case["checks"]:
        finding = judge(
            tmp_path, case["files"], *check["order"], link=check.get("link", "control"), near=tuple(check.get("near", ()))
        )
        found[str(check["order"])] = finding.status.value
    assert found == wanted
