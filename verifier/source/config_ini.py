"""INI files with positions, as `configparser` reads them: values are strings, an indented line goes on with the one before."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from verifier.model.repository import ConfigNode
from verifier.source.config_tree import Builder, Fault, Roots
from verifier.source.limits import Limits

_SECTION = re.compile(r"\[(?P<name>[^\]\n]+)\]")
_OPTION = re.compile(r"(?P<key>[^=:\s][^=:]*)[=:]\s*(?P<value>.*)$")


@dataclass(slots=True)
class _Section:
    """A section that is still being filled; it stands for the file itself before the first header."""

    name: str
    line: int
    options: list[tuple[str, ConfigNode]] = field(default_factory=list)


def read_ini(text: str, limits: Limits) -> Roots:
    """Read an INI text. Keys keep their case, options before the first section belong to the root.

    Returns:
        The root, a mapping of sections, as the only root, and the faults as (line, message).

    Raises:
        TooLargeError: it has more values than a configuration would.
    """
    builder = Builder(limits)
    sections = [_Section("", 1)]
    faults: list[Fault] = []
    for number, line in enumerate(text.split("\n"), 1):
        stripped = line.strip()
        options = sections[-1].options
        header, option = _SECTION.match(stripped), _OPTION.match(line.rstrip())
        if not stripped or stripped[0] in "#;":
            continue
        builder.add()
        if line[0] in " \t" and options:
            options[-1] = _continued(*options[-1], stripped)
        elif header:
            sections.append(_Section(header["name"], number))
        elif option:
            options.append((option["key"].rstrip(), ConfigNode(option["value"], number, option.start("value") + 1)))
        else:
            faults.append((number, "malformed INI: neither a section nor an option"))
    pairs = [*sections[0].options]
    pairs += [(section.name, builder.mapping(section.options, section.line, 1)) for section in sections[1:]]
    return (builder.mapping(pairs, 1, 1),), faults


def _continued(key: str, node: ConfigNode, more: str) -> tuple[str, ConfigNode]:
    return key, ConfigNode(f"{node.value}\n{more}", node.line, node.column)
