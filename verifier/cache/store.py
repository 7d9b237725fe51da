"""A small table of texts in one SQLite file in the user's cache folder. It is safe to delete, and no fault of it stops a run."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import zlib
from pathlib import Path

_KEPT = 5_000
_LARGEST = 50_000_000
_BUSY_SECONDS = 2.0


class Store:
    """Texts by key, over a SQLite file. A file that is damaged is replaced; one that cannot be opened or written is done without.

    Args:
        file: the SQLite file; it and its folder are made when something is first kept.
    """

    def __init__(self, file: Path) -> None:
        self._file = file

    def get(self, key: str) -> str | None:
        """The text kept under a key; None when there is none or it cannot be read."""
        if not self._file.is_file():
            return None
        try:
            with contextlib.closing(self._open()) as database:
                row = database.execute("SELECT body FROM report WHERE key = ?", (key,)).fetchone()
            return None if row is None else _unpacked(row[0])
        except (sqlite3.Error, OSError, zlib.error, UnicodeDecodeError, TypeError):
            return None

    def put(self, key: str, text: str) -> None:
        """Keep a text under a key; the oldest beyond a few thousand are dropped."""
        try:
            self._put(key, text)
        except sqlite3.OperationalError:
            return
        except sqlite3.DatabaseError:
            with contextlib.suppress(OSError, sqlite3.Error):
                self._file.unlink(missing_ok=True)
                self._put(key, text)
        except OSError:
            return

    def _put(self, key: str, text: str) -> None:
        self._file.parent.mkdir(parents=True, exist_ok=True)
        with contextlib.closing(self._open()) as database, database:
            database.execute("CREATE TABLE IF NOT EXISTS report (number INTEGER PRIMARY KEY, key TEXT UNIQUE, body BLOB)")
            database.execute("INSERT OR REPLACE INTO report (key, body) VALUES (?, ?)", (key, zlib.compress(text.encode(), 1)))
            database.execute("DELETE FROM report WHERE number <= (SELECT max(number) FROM report) - ?", (_KEPT,))

    def _open(self) -> sqlite3.Connection:
        return sqlite3.connect(self._file, timeout=_BUSY_SECONDS)


def _unpacked(body: bytes) -> str | None:
    unpacker = zlib.decompressobj()
    text = unpacker.decompress(body, _LARGEST)
    return text.decode() if unpacker.eof else None


def default_store() -> Store:
    """The store in `$SA_VERIFY_CACHE_DIR`, else in `$XDG_CACHE_HOME/sa-verify`, else in `~/.cache/sa-verify`."""
    own = os.environ.get("SA_VERIFY_CACHE_DIR")
    shared = os.environ.get("XDG_CACHE_HOME")
    folder = Path(own) if own else Path(shared) / "sa-verify" if shared else Path("~/.cache/sa-verify").expanduser()
    return Store(folder / "reports-1.sqlite3")
