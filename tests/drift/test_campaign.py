"""A campaign finds the faults that the units are about, and writes nothing."""

from pathlib import Path

import pytest

from verifier.cli import main
from verifier.drift.campaign import campaign
from verifier.lexicon import load_lexicon
from verifier.pipeline import prepare

CODE = """import torch


def weighted(x, y, w):
    return w * ((x - y) ** 2).mean()


def train(model, data):
    optimizer = torch.optim.Adam(model.parameters(), lr=3e-4)
    for x, y in data:
        optimizer.zero_grad()
        loss = weighted(model(x), y, 0.5)
        loss.backward()
        optimizer.step()
"""
UNITS = """units:
  - id: lr
    claim: learning rate 3e-4
    checks: [{value: learning rate, equals: 3e-4}]
  - id: loss
    claim: the weighted squared error
    checks: [{formula: "weighted = w*mean((x - y)**2)"}]
  - id: order
    claim: backward before the step
    checks: [{order: [backward, optimizer.step]}]
"""


def lay_out(folder: Path) -> tuple[Path, Path]:
    repo = folder / "repo"
    repo.mkdir()
    (repo / "train.py").write_text(CODE)
    units = folder / "units.yaml"
    units.write_text(UNITS)
    return repo, units


def test_planted_faults_are_found(tmp_path: Path) -> None:
    repo, units = lay_out(tmp_path)
    trials = list(campaign(repo, prepare([units]), load_lexicon()))
    assert {trial.unit for trial in trials} == {"lr", "loss", "order"}
    assert all(trial.caught for trial in trials)
    assert (repo / "train.py").read_text() == CODE


def test_the_seed_decides(tmp_path: Path) -> None:
    repo, units = lay_out(tmp_path)
    rules = prepare([units])

    def planted(seed: int) -> list[str]:
        return [trial.mutation.text for trial in campaign(repo, rules, load_lexicon(), seed=seed, most=1)]

    assert planted(1) == planted(1)


def test_the_command_prints_a_line_a_fault(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    repo, units = lay_out(tmp_path)
    assert main(["mutate", str(repo), "--units", str(units)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[-1] == f"{len(lines) - 1} of {len(lines) - 1} planted faults found"


def test_a_folder_that_is_not_there_is_an_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, units = lay_out(tmp_path)
    assert main(["mutate", str(tmp_path / "nowhere"), "--units", str(units)]) == 2
    assert "nowhere" in capsys.readouterr().err
