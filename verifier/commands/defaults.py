"""Which unit files are meant when none is named."""

from __future__ import annotations

from pathlib import Path

from verifier.errors import ConfigError

_NAMES = ("sa-units.yaml", "sau.json", "units")


def default_units(repo: Path) -> tuple[Path, ...]:
    """The unit files of a repository: those its pyproject.toml names, else well-known names in it, else in the current folder.

    Raises:
        ConfigError: there are none, or the setting is malformed.
    """
    named = _from_pyproject(repo / "pyproject.toml")
    if named:
        return named
    for folder in (repo, Path()):
        for name in _NAMES:
            path = folder / name
            if path.is_dir() if name == "units" else path.is_file():
                return (path,)
    raise ConfigError(
        f"no unit file: name one with --units, or put {', '.join(_NAMES[:-1])} or a folder {_NAMES[-1]}/ into the repository"
    )


def _from_pyproject(file: Path) -> tuple[Path, ...]:
    if not file.is_file():
        return ()
    import tomllib

    try:
        settings = tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return ()  # a repository may be in any state; a broken pyproject.toml names nothing
    tool = settings.get("tool")
    section = tool.get("sa-verify") if isinstance(tool, dict) else None
    if not isinstance(section, dict) or "units" not in section:
        return ()
    units = section["units"]
    names = [units] if isinstance(units, str) else units
    if not isinstance(names, list) or not names or not all(isinstance(name, str) for name in names):
        raise ConfigError("[tool.sa-verify] units must be the path of a unit file or folder, or a list of paths", str(file))
    return tuple(file.parent / name for name in names)
