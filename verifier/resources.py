"""Where the data that ships with the package lies: rules/ and units/."""

from __future__ import annotations

from pathlib import Path


def data_folder(name: str) -> Path:
    """The folder `rules` or `units`: inside an installed package, or at the top of a source checkout."""
    package = Path(__file__).resolve().parent
    checkout = package.parent / name
    installed = package / "_data" / name
    return installed if installed.is_dir() else checkout
