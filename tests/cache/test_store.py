"""The store keeps texts, and no fault of its file stops a run."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from verifier.cache.store import Store, default_store


def test_what_is_put_comes_back(tmp_path: Path) -> None:
    store = Store(tmp_path / "deep" / "reports.sqlite3")
    assert store.get("a") is None
    store.put("a", "é" * 1000)
    store.put("a", "newer")
    store.put("b", "other")
    assert store.get("a") == "newer"
    assert Store(tmp_path / "deep" / "reports.sqlite3").get("b") == "other"


@pytest.mark.parametrize("damage", [b"", b"not a database at all" * 100, b"SQLite format 3\x00" + b"\x00" * 2000])
def test_a_damaged_file_is_replaced(tmp_path: Path, damage: bytes) -> None:
    file = tmp_path / "reports.sqlite3"
    file.write_bytes(damage)
    store = Store(file)
    assert store.get("a") is None
    store.put("a", "text")
    assert store.get("a") == "text"


def test_a_damaged_entry_is_none(tmp_path: Path) -> None:
    file = tmp_path / "reports.sqlite3"
    Store(file).put("a", "text")
    with sqlite3.connect(file) as database:
        database.execute("UPDATE report SET body = x'00'")
    assert Store(file).get("a") is None


def test_a_folder_that_cannot_be_made_is_done_without(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    store = Store(tmp_path / "file" / "reports.sqlite3")
    store.put("a", "text")
    assert store.get("a") is None


def test_the_oldest_entries_are_dropped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("verifier.cache.store._KEPT", 3)
    store = Store(tmp_path / "reports.sqlite3")
    for number in range(6):
        store.put(str(number), "text")
    assert [store.get(str(number)) for number in range(6)] == [None] * 3 + ["text"] * 3


def test_where_it_is_kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("SA_VERIFY_CACHE_DIR")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    default_store().put("a", "text")
    assert list((tmp_path / "sa-verify").iterdir())
