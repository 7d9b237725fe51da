"""Packs on disk: strictness and cache."""

from __future__ import annotations

from pathlib import Path

import pytest

from verifier.errors import RuleError
from verifier.lexicon import Lexicon


def lexicon(folder: Path, pack: str, content: str) -> Lexicon:
    file = folder / "rules" / pack
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(content, encoding="utf-8")
    return Lexicon(folder / "rules")


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SA_VERIFY_CACHE_DIR", str(tmp_path / "cache"))
    return tmp_path / "cache"


NAMES = "pack: names\nentries:\n  - {name: learning rate, exact: [lr]}\n"


@pytest.mark.parametrize(
    ("pack", "content", "message"),
    [
        ("names/a.yaml", "pack: names\nentries:\n  - {name: lr, exakt: [x]}\n", "names/a.yaml: lr: unknown key exakt"),
        ("names/a.yaml", "pack: names\nentries:\n  - {name: lr, exact: [1]}\n", "a list of strings"),
        ("names/a.yaml", "pack: names\nentries:\n  - {name: lr, guards: {gamma: {not_in: [a]}}}\n", "not listed"),
        ("names/a.yaml", "pack: names\nentries:\n  - {name: lr}\n  - {name: lr}\n", "two entries"),
        ("names/a.yaml", "pack: [\n", "no valid YAML"),
        ("names/a.yaml", "- 1\n", "mapping"),
    ],
)
def test_malformed_names(tmp_path: Path, pack: str, content: str, message: str) -> None:
    with pytest.raises(RuleError, match=message):
        lexicon(tmp_path, pack, content).names("lr")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (
            "pack: entities\nkind: dataset\nfamily: x\nentries:\n  - {name: A1}\n  - {name: B1, spellings: [a-1]}\n",
            "share a spelling",
        ),
        ("pack: entities\nkind: planet\nfamily: x\nentries:\n  - {name: A1}\n", "kind planet"),
        ("pack: entities\nkind: dataset\nfamily: x\nentries:\n  - {name: A1, broader: [B1]}\n", "no entity"),
        ("pack: entities\nkind: dataset\nentries: []\n", "family is missing"),
    ],
)
def test_malformed_entities(tmp_path: Path, content: str, message: str) -> None:
    with pytest.raises(RuleError, match=message):
        lexicon(tmp_path, "entities/a.yaml", content).identify("x")


def test_malformed_signature(tmp_path: Path) -> None:
    content = 'pack: defaults\nlibrary: x\nversion: "1"\nsignatures: {x.f: "(a, b=g())x"}\n'
    with pytest.raises(RuleError, match=r"x\.f"):
        lexicon(tmp_path, "defaults/a.yaml", content).signature("x.f")


def test_cache_is_used_and_never_needed(tmp_path: Path, cache: Path) -> None:
    assert lexicon(tmp_path, "names/a.yaml", NAMES).names("lr") == (("lr",), ("learning", "rate"))
    (kept,) = (cache / "rules").glob("*.marshal")
    kept.write_bytes(b"broken")
    assert Lexicon(tmp_path / "rules").names("lr") == (("lr",), ("learning", "rate"))


def test_a_changed_pack_is_read_again(tmp_path: Path) -> None:
    lexicon(tmp_path, "names/a.yaml", NAMES).names("lr")
    changed = lexicon(tmp_path, "names/a.yaml", NAMES.replace("[lr]", "[lr, eta]"))
    assert ("eta",) in changed.names("learning rate")


def test_works_without_a_place_for_the_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    blocker = tmp_path / "file"
    blocker.write_text("")
    monkeypatch.setenv("SA_VERIFY_CACHE_DIR", str(blocker))
    assert ("lr",) in lexicon(tmp_path, "names/a.yaml", NAMES).names("learning rate")
