"""Unit files from disk."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from verifier.errors import UnitError, UnitErrors
from verifier.units.entries import read_units
from verifier.units.fields import Faults
from verifier.units.wire import read_file

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from verifier.model.unit import Unit

_SUFFIXES = (".yaml", ".yml", ".json")


def load_units(paths: Sequence[Path | str]) -> tuple[Unit, ...]:
    """Loads unit files and folders of unit files.

    Args:
        paths: files, read in this order, and folders, whose YAML and JSON files are read in the order of their paths. Hidden
            files, JSON Schemas (`*.schema.json`) and links that lead out of the folder are left out.

    Returns:
        The units of all files. A unit without checks is to be compiled from its claim.

    Raises:
        UnitErrors: with every fault of all the files, each with its line and how to mend it.
    """
    faults: list[UnitError] = []
    units: list[Unit] = []
    for path in paths:
        for file, name in _files(Path(path), faults):
            loaded, found = _load(file, name)
            units += loaded
            faults += found
    faults += _repeated(units)
    if faults:
        raise UnitErrors(faults)
    return tuple(units)


def _files(path: Path, faults: list[UnitError]) -> Iterator[tuple[Path, str]]:
    if not path.is_dir():
        yield path, path.as_posix()
        return
    found = (file for file in path.rglob("*") if file.suffix.lower() in _SUFFIXES and file.is_file())
    inside = sorted(file.relative_to(path).as_posix() for file in found if file.resolve().is_relative_to(path.resolve()))
    names = [name for name in inside if not _left_out(name)]
    if not names:
        faults.append(UnitError("holds no unit file (*.yaml, *.yml, *.json)", path.as_posix()))
    yield from ((path / name, (path / name).as_posix()) for name in names)


def _left_out(name: str) -> bool:
    return name.endswith(".schema.json") or any(part.startswith(".") for part in name.split("/"))


def _load(file: Path, name: str) -> tuple[tuple[Unit, ...], list[UnitError]]:
    faults = Faults(name)
    try:
        units = read_units(read_file(file, name), faults)
    except UnitError as error:
        return (), [error]
    return units, sorted(faults.found, key=lambda fault: int(fault.where.rpartition(":")[2]))


def _repeated(units: Sequence[Unit]) -> Iterator[UnitError]:
    first: dict[str, Unit] = {}
    for unit in units:
        other = first.setdefault(unit.id, unit)
        if other is not unit:
            where = f"line {other.line}" if other.file == unit.file else f"{other.file}:{other.line}"
            yield UnitError(f"the id `{unit.id}` is taken by the unit at {where}: ids are unique", f"{unit.file}:{unit.line}")
