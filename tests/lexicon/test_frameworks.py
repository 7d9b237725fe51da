"""The packs that say what frameworks do."""

from __future__ import annotations

from pathlib import Path

import pytest

from verifier.errors import RuleError
from verifier.lexicon.frameworks import load_frameworks


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("torch.optim.AdamW", "optimizer"),
        ("torch.optim.lr_scheduler.StepLR", "scheduler"),
        ("torch.optim.adamw.AdamW", "optimizer"),
        ("transformers.get_cosine_schedule_with_warmup", "scheduler"),
        ("torch.cuda.amp.GradScaler", "scaler"),
        ("torch.nn.Linear", ""),
    ],
)
def test_kind_of_class(name: str, kind: str) -> None:
    assert load_frameworks().kind_of_class(name) == kind


@pytest.mark.parametrize(
    ("name", "kind"),
    [("opt_d", "optimizer"), ("lr_scheduler", "scheduler"), ("scaler", "scaler"), ("options", ""), ("model", "")],
)
def test_kind_of_name(name: str, kind: str) -> None:
    assert load_frameworks().kind_of_name(name) == kind


def test_phrases_lead_to_calls() -> None:
    frameworks = load_frameworks()
    clear, clip = frameworks.step_names("Clear Gradients"), frameworks.step_names("gradient clipping")
    assert clear is not None
    assert clear.cyclic
    assert clear.calls[0] == "zero_grad"
    assert clip is not None
    assert not clip.cyclic
    assert frameworks.step_names("scaler.step") is None


def test_lists_know_deeper_modules() -> None:
    frameworks = load_frameworks()
    assert frameworks.in_list("sequences", "torch.nn.modules.container.Sequential")
    assert not frameworks.in_list("sequences", "mine.Sequential")


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("pack: framework\nkind: {}\n", "unknown key kind"),
        ("pack: framework\nruns: [{methods: [fit], classes: [a.B], subject: other, order: []}]\n", "subject must be"),
        ("pack: framework\nruns: [{methods: [fit], classes: [a.B], subject: self, order: [{hok: x}]}]\n", "unknown key hok"),
        ("pack: steps\nentries: [{phrases: [a]}]\n", "calls is missing"),
    ],
)
def test_malformed_packs_are_refused(tmp_path: Path, text: str, fault: str) -> None:
    (tmp_path / "frameworks").mkdir()
    (tmp_path / "frameworks" / "bad.yaml").write_text(text, encoding="utf-8")
    with pytest.raises(RuleError, match=fault):
        load_frameworks(tmp_path)
