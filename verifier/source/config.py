"""Configuration files to trees of values with their places."""

from __future__ import annotations

from verifier.model.location import Problem
from verifier.model.repository import ConfigFile, Role
from verifier.source.config_tree import Roots, TooLargeError
from verifier.source.limits import DEFAULT_LIMITS, Limits
from verifier.source.text import decode


def read_config(path: str, syntax: str, data: bytes, limits: Limits = DEFAULT_LIMITS) -> tuple[ConfigFile | None, list[Problem]]:
    """Read a YAML, TOML, JSON or INI file.

    Args:
        path: relative to the repository, with `/`.
        syntax: `yaml`, `toml`, `json` or `ini`.
        data: the file's bytes.
        limits: bounds on the number of values and their nesting.

    Returns:
        The file, None when it is data and no configuration, and a problem for each thing that could not be read.

    Raises:
        SourceError: the bytes are binary.
    """
    text, remark = decode(data)
    problems = [Problem(path, 1, remark)] if remark else []
    try:
        roots, faults = _roots(syntax, text, limits)
    except TooLargeError:
        message = f"data file, not read as configuration: more than {limits.config_nodes} values"
        return None, [*problems, Problem(path, 1, message)]
    problems += [Problem(path, line, message) for line, message in faults]
    role = Role.TEST if "tests" in path.split("/")[:-1] else Role.CODE
    return ConfigFile(path, syntax, roots, role), problems


def _roots(syntax: str, text: str, limits: Limits) -> Roots:
    """Hand over to the reader of the syntax, imported only when a file needs it."""
    if syntax == "yaml":
        from verifier.source.config_yaml import read_yaml as reader
    elif syntax == "toml":
        from verifier.source.config_toml import read_toml as reader
    elif syntax == "json":
        from verifier.source.config_json import read_json as reader
    else:
        from verifier.source.config_ini import read_ini as reader
    return reader(text, limits)
