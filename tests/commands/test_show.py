"""`sa-verify show`: what was lifted, in both notations, with the origin of each part."""

from __future__ import annotations

from pathlib import Path

import pytest

from verifier.cli import main

CODE = """import torch


def spread(x, eps=1e-6):
    return (x.var() + eps).sqrt()


class Norm(torch.nn.Module):
    def forward(self, x):
        centred = x - x.mean()
        return centred / spread(x)
"""


@pytest.fixture
def repo(tmp_path: Path) -> str:
    (tmp_path / "layers.py").write_text(CODE, encoding="utf-8")
    return str(tmp_path)


def test_prints_expression_latex_and_origins(repo: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["show", repo, "layers.py:Norm.forward"]) == 0
    printed = capfd.readouterr().out
    assert "layers.py:11  forward, Norm\n    (x - mean(x))/sqrt(var(x) + 1e-06)\n" in printed
    assert r"$\frac{x - \mathbb{E}\left[ x \right]}{\sqrt{\mathrm{var}\left(x\right) + 1e-06}}$" in printed
    assert "      centred = x - mean(x)  (layers.py:10)\n" in printed
    assert "      spread = sqrt(var(x) + 1e-06)  (layers.py:4)\n" in printed
    assert "      eps = 1e-06  (argument)\n" in printed


def test_a_file_alone_is_shown_whole(repo: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["show", repo, "layers.py"]) == 0
    printed = capfd.readouterr().out
    assert "spread\n" in printed
    assert "forward, Norm\n" in printed


@pytest.mark.parametrize(
    ("target", "message"), [("none.py:f", "has no Python file none.py"), ("layers.py:f", "it has Norm, Norm.forward, spread")]
)
def test_an_unknown_target_is_refused_in_one_line(
    repo: str, target: str, message: str, capfd: pytest.CaptureFixture[str]
) -> None:
    assert main(["show", repo, target]) == 2
    error = capfd.readouterr().err
    assert message in error
    assert error.count("\n") == 1
