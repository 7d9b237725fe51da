"""What passes through files: configuration that is loaded, results that are saved and read back, defaults of options."""

from __future__ import annotations

from typing import TYPE_CHECKING

from verifier.facts.program import External
from verifier.facts.tracing.machine import constant
from verifier.facts.tracing.values import Const, Object, Value

if TYPE_CHECKING:
    from verifier.facts.tracing.machine import Machine
    from verifier.facts.tracing.site import Arguments, Site
    from verifier.model.repository import ConfigNode

_CONFIG = frozenset(
    {"yaml.safe_load", "yaml.load", "yaml.full_load", "json.load", "tomllib.load", "toml.load", "omegaconf.OmegaConf.load"}
)
_MAX_ITEMS = 64
_PATH = External("pathlib.Path")
_WRITES = frozenset({"write", "writelines", "writerow", "writerows"})
_READS = frozenset({"read", "readlines", "readline"})


class Files:
    """Follows values through files."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine

    def opened(self, arguments: Arguments) -> Value:
        """A file handle, which remembers its path."""
        return Value((Object(cls=External("io.open"), default=_path(arguments)),), arguments.reach())

    def joined(self, arguments: Arguments) -> Value:
        """A path of several parts: as a constant when all are known, else by its last known part."""
        consts = [value.const() for value in arguments.positional]
        if consts and all(const is not None for const in consts):
            return constant("/".join(str(const.value) for const in consts if const is not None))
        last = next((const for const in reversed(consts) if const is not None), None)
        return Value((Object(default=last, labels=["path"]),), arguments.reach())

    def below(self, part: Value, whole: Value) -> Value:
        """A path whose last part is known."""
        const = part.const()
        sources = whole.reach() | part.sources
        if const is None or not isinstance(const.value, str):
            return Value((), sources)
        return Value((Object(cls=_PATH, default=const),), sources)

    def path(self, arguments: Arguments) -> Value:
        """A path, which remembers its text."""
        return Value((Object(cls=_PATH, default=_path(arguments)),), arguments.reach())

    def configuration(self, target: str, arguments: Arguments) -> Value | None:
        """The content of a configuration file of the repository, if a call loads one."""
        path = _path(arguments) if target in _CONFIG else None
        if path is None:
            return None
        name = str(path.value).removeprefix("./")
        for file in self.machine.program.repository.configs:
            if file.roots and (file.path == name or file.path.endswith(f"/{name}") or name.endswith(f"/{file.path}")):
                return _value(file.roots[0], 0)
        return None

    def declare_option(self, parser: Object, arguments: Arguments) -> None:
        """Remember the default of a command-line option."""
        names = [
            const.value for value in arguments.positional if (const := value.const()) is not None and isinstance(const.value, str)
        ]
        default = arguments.named.get("default")
        const = default.const() if default is not None else None
        if names and const is not None:
            long = next((name for name in names if name.startswith("--")), names[0])
            parser.fields[f"option {long.lstrip('-').replace('-', '_')}"] = Value((const,))

    def parsed_options(self, parser: Object | None) -> Object:
        """The options of the command line: those that a script gives, else unknown with their defaults known."""
        parsed = Object(labels=["args"])
        for key, value in parser.fields.items() if parser is not None else ():
            if key.startswith("option "):
                parsed.fields[key[7:]] = Value((Object(labels=[key[7:]], default=value.const()),))
        parsed.fields.update(self.machine.options or {})
        return parsed

    def read_and_write(self, site: Site, receiver: Value | None, arguments: Arguments, index: int) -> None:
        """What is saved under a path is what a later call reads from it."""
        lists, resources = self.machine.frameworks.lists, self.machine.resources
        handle = receiver is not None and any(thing.external == "io.open" for thing in receiver.objects())
        values = [*arguments.all(), *([receiver] if receiver is not None else [])]
        if site.name in lists["saves"] or (handle and site.name in _WRITES):
            self.machine.record.saved |= _names(values)
            for name in _names(values):
                resources.setdefault(f"file {name}", set()).add(index)
        elif (site.name in lists["loads"] or (handle and site.name in _READS)) and index >= 0:
            draft = self.machine.record.drafts[index]
            self.machine.record.loaded |= _names(values)
            for name in _names(values):
                draft.inputs |= frozenset(resources.get(f"file {name}", ()))


def _path(arguments: Arguments) -> Const | None:
    """The path that a call is given: a constant, or the default of an option."""
    for value in arguments.all():
        const = value.const() or next((thing.default for thing in value.objects() if thing.default is not None), None)
        if const is not None and isinstance(const.value, str):
            return const
    return None


def _names(values: list[Value]) -> set[str]:
    """The last parts of the paths among some values."""
    found = set()
    for value in values:
        consts = [
            thing if isinstance(thing, Const) else thing.default for thing in value.things if isinstance(thing, Const | Object)
        ]
        texts = [const.value for const in consts if const is not None and isinstance(const.value, str)]
        found |= {text.rstrip("/").rpartition("/")[2] for text in texts if "." in text or "/" in text}
    return found


def _value(node: ConfigNode, depth: int) -> Value:
    """A node of a configuration file as a value; what it says may be overridden, but lists and names of stages are what they are."""
    if depth > 8:
        return Value()
    if node.fields is not None:
        fields = {key: _value(inner, depth + 1) for key, inner in node.fields[:_MAX_ITEMS]}
        return Value((Object(cls=External("builtins.dict"), fields=fields, closed=True),))
    if node.items is not None:
        items = [_value(inner, depth + 1) for inner in node.items[:_MAX_ITEMS]]
        if len(node.items) <= _MAX_ITEMS and all(isinstance(inner.value, str) for inner in node.items):
            items = [constant(str(inner.value)) for inner in node.items]
        return Value((Object(cls=External("builtins.list"), items=items, closed=len(node.items) <= _MAX_ITEMS),))
    if isinstance(node.value, int | float | str | bool) or node.value is None:
        return Value((Object(default=Const(node.value)),))
    return Value()
