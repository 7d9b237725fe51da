"""Configuration files as code loads them: which file a load means, and its content as candidates."""

from __future__ import annotations

import ast
import posixpath
import re
from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from verifier.facts.program import CallSite
from verifier.facts.scopes import Scope, tail
from verifier.facts.values import UNKNOWN, Frame, Items, Known, Made, Ref, Table, Value, Values, join
from verifier.lexicon.names import same_word, words
from verifier.model.location import Location
from verifier.model.repository import ConfigFile, ConfigNode, Repository, Role

if TYPE_CHECKING:
    from verifier.facts.evaluate import Evaluator

LOADERS = {
    "yaml": re.compile(
        r"(?:^|\.)(?:yaml|ruamel)\b.*\.(?:safe_load|load|full_load|unsafe_load|load_all|safe_load_all)$|OmegaConf\.load$|oyaml\.\w*load$"
    ),
    "json": re.compile(r"(?:^|\.)(?:json|ujson|orjson|commentjson|json5|simplejson)\.loads?$"),
    "toml": re.compile(r"(?:^|\.)(?:toml|tomllib|tomli|rtoml|pytoml)\.loads?$"),
    "any": re.compile(
        r"(?:Config|ConfigDict|AutoConfig|anyconfig|CfgNode)\.(?:fromfile|from_file|load|from_yaml|from_json_file|load_cfg)$"
    ),
}
SUFFIX = re.compile(r"\.(ya?ml|json|toml|ini|cfg|conf)$")
READS = frozenset({"read", "read_text", "open", "read_bytes", "joinpath", "resolve", "absolute"})
MAX_UNNAMED = 6
"""How many files a load whose path is not known may mean, as candidates."""


class Configs:
    """The configuration files of a repository.

    Args:
        repository: the repository as read.
    """

    def __init__(self, repository: Repository) -> None:
        self.files = tuple(file for file in repository.configs if file.role is Role.CODE)
        self._tables: dict[str, Value] = {}
        self.loads: dict[str, list[CallSite]] = {}

    @cached_property
    def by_path(self) -> dict[str, ConfigFile]:
        """Path -> file."""
        return {file.path: file for file in self.files}

    def table(self, file: ConfigFile) -> Value:
        """The content of a file; of a stream of documents, the first one."""
        if file.path not in self._tables:
            root = file.roots[0] if file.roots else ConfigNode(None, 1, 1, ())
            value = _value(root, file.path, "")
            self._tables[file.path] = _interpolated(value, value) if isinstance(value, Table) else value
        return self._tables[file.path]

    def loaded(self, ev: Evaluator, name: str, site: CallSite, frame: Frame | None) -> Values | None:
        """What a call loads, when it is a loader of configuration files; None when it is none."""
        if name in {"tyro.cli", "pyrallis.parse", "draccus.parse", "simple_parsing.parse", "chz.entrypoint"}:
            return self._class_of(ev, site, frame)
        if name.endswith("hydra.compose"):
            return self._composed(site)
        syntax = next((syntax for syntax, pattern in LOADERS.items() if pattern.search(name)), None)
        if syntax is None:
            return None
        files = self.meant(ev, site, frame, syntax)
        for file in files:
            self.loads.setdefault(file.path, []).append(site)
        return tuple(self.table(file) for file in files) or UNKNOWN

    def meant(self, ev: Evaluator, site: CallSite, frame: Frame | None, syntax: str) -> list[ConfigFile]:
        """The files that a load may mean: the one its path names, or all of the syntax when the path is not known."""
        argument = site.node.args[0] if site.node.args else next((k.value for k in site.node.keywords), None)
        paths = list(_paths(ev, argument, site.scope, frame)) if argument is not None else []
        named = [file for path in paths for file in [self.find(path, site.scope.file.path)] if file is not None]
        if named or paths:
            return list(dict.fromkeys(named))
        fitting = [file for file in self.files if syntax in {"any", file.syntax} and not _is_tooling(file.path)]
        return fitting if len(fitting) <= MAX_UNNAMED else []

    def find(self, path: str, beside: str) -> ConfigFile | None:
        """The file that a path in code means: from the root, beside the code, by its ending, or as the only one so called."""
        path = posixpath.normpath(path.strip())
        for folder in ("", posixpath.dirname(beside)):
            found = self.by_path.get(posixpath.normpath(posixpath.join(folder, path)))
            if found is not None:
                return found
        ending = "/".join(part for part in path.split("/") if part not in {"..", "."})
        matches = [file for file in self.files if file.path == ending or file.path.endswith(f"/{ending}")]
        if not matches:
            matches = [file for file in self.files if posixpath.basename(file.path) == posixpath.basename(ending)]
        return matches[0] if len(matches) == 1 else None

    @cached_property
    def _by_keys(self) -> dict[tuple[str, ...], list[Values]]:
        """Every ending of a key path in the files that are no tool's -> the values there."""
        found: dict[tuple[str, ...], list[Values]] = {}
        for file in self.files:
            if not _is_tooling(file.path):
                for path, values in _leaves(self.table(file), ()):
                    for start in range(len(path)):
                        found.setdefault(path[start:], []).append(values)
        return found

    def by_keys(self, keys: tuple[str, ...]) -> Values | None:
        """The value at a key path that only one place of all configuration files has; None when none or several do."""
        found = self._by_keys.get(keys, [])
        if len(found) == 1:
            return found[0]
        return self._flattened(keys[-1]) if not found else None

    def anywhere(self, key: str) -> Values:
        """What a key may be worth: its values at all places of all configuration files; nothing when none has it."""
        found = self._by_keys.get((key,), [])
        return join(found) if found else ()

    def _flattened(self, name: str) -> Values | None:
        """The value whose key path says the words of a flattened name: `unet_heads` for `unet: {heads: 4}`; None when several differ."""
        wanted = words(name)
        found: list[Values] = []
        for path, groups in self._by_keys.items():
            own = words(path[-1])
            if len(path) > 1 and 0 < len(own) < len(wanted) and wanted[-len(own) :] == own:
                sections = {word for section in path[:-1] for word in words(section)}
                if all(any(same_word(word, section) for section in sections) for word in wanted[: -len(own)]):
                    found.extend(values for values in groups if values not in found)
        return found[0] if len(found) == 1 else None

    def made_attribute(self, ev: Evaluator, made: Made, name: str) -> Values:
        """An attribute or key of what an outside call made: sections of a `ConfigParser`, attributes of a loaded object."""
        if made.name.endswith("ConfigParser"):
            return self._parser_section(ev, made, name)
        return UNKNOWN

    def _parser_section(self, ev: Evaluator, made: Made, name: str) -> Values:
        for site in ev.program.calls_named("read"):
            func = site.node.func
            if isinstance(func, ast.Attribute) and any(
                v is made or (isinstance(v, Made) and v.site.node is made.site.node) for v in ev.evaluate(func.value, site.scope)
            ):
                for file in self.meant(ev, site, None, "ini"):
                    self.loads.setdefault(file.path, []).append(site)
                    table = self.table(file)
                    found = table.get(name) if isinstance(table, Table) else None
                    if found is not None:
                        return found
        return UNKNOWN

    def _class_of(self, ev: Evaluator, site: CallSite, frame: Frame | None) -> Values:
        arguments = [*site.node.args, *(k.value for k in site.node.keywords if k.arg in {"config_class", "f"})]
        for argument in arguments[:1]:
            for value in ev.evaluate(argument, site.scope, frame):
                if isinstance(value, Ref) and isinstance(value.target, Scope) and value.target.is_class:
                    return (ev.options.filled(value.target, site.scope.module),)
        return UNKNOWN

    def _composed(self, site: CallSite) -> Values:
        for keyword in site.node.keywords:
            if keyword.arg == "config_name" and isinstance(keyword.value, ast.Constant):
                found = compose(self, str(keyword.value.value), "", site.scope.file.path)
                return (found,) if found is not None else UNKNOWN
        return UNKNOWN


def _leaves(value: Value, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Values]]:
    if isinstance(value, Table):
        for key, values in value.entries:
            if isinstance(values[0], Table):
                yield from _leaves(values[0], (*path, str(key)))
            else:
                yield (*path, str(key)), values


def _is_tooling(path: str) -> bool:
    name = path.rsplit("/", 1)[-1]
    return name in {
        "pyproject.toml",
        "package.json",
        "setup.cfg",
        "tox.ini",
        "pytest.ini",
        "environment.yml",
        "environment.yaml",
        "docker-compose.yml",
        "mkdocs.yml",
        ".pre-commit-config.yaml",
    } or path.startswith(".")


def _value(node: ConfigNode, file: str, section: str) -> Value:
    origin = Location(file, node.line, node.column)
    if node.fields is not None:
        entries = tuple((key, (_value(inner, file, f"{section}.{key}".lstrip(".")),)) for key, inner in node.fields)
        return Table(entries, origin, True, file, section)
    if node.items is not None:
        return Items(tuple((_value(inner, file, section),) for inner in node.items), origin)
    if node.value is None or isinstance(node.value, bool | int | float | str):
        return Known(node.value, origin)
    return Known(str(node.value), origin)


_REFERENCE = re.compile(r"\$\{(?:oc\.env:\w+,)?([\w.]+)\}")


def _interpolated(value: Value, root: Table, depth: int = 8) -> Value:
    """OmegaConf's `${section.key}` resolved where it is a whole value."""
    if isinstance(value, Known) and isinstance(value.value, str) and depth > 0:
        found = _REFERENCE.fullmatch(value.value.strip())
        if found is None:
            return value
        if "oc.env" in value.value:
            return Known(found.group(1), value.origin)
        target = _at(root, found.group(1).split("."))
        return _interpolated(target, root, depth - 1) if target is not None else value
    if isinstance(value, Table):
        entries = tuple((key, tuple(_interpolated(part, root, depth) for part in values)) for key, values in value.entries)
        return Table(entries, value.origin, value.whole, value.file, value.section)
    return value


def _at(table: Table, path: list[str]) -> Value | None:
    current: Value = table
    for key in path:
        found = current.get(key) if isinstance(current, Table) else None
        if found is None:
            return None
        current = found[0]
    return current


def _paths(ev: Evaluator, node: ast.expr, scope: Scope, frame: Frame | None, depth: int = 6) -> Iterator[str]:
    """The paths that an argument of a loader may be: a string, an open file, what is read from one."""
    if depth <= 0:
        return
    if isinstance(node, ast.Call):
        if isinstance(node.func, ast.Attribute) and node.func.attr in READS and tail(node.func.value) not in {"os", "path"}:
            yield from _paths(ev, node.func.value, scope, frame, depth - 1)
            return
        if tail(node.func) == "open" and node.args:
            yield from _paths(ev, node.args[0], scope, frame, depth - 1)
            return
    joined = list(_joined(ev, node, scope, frame))
    yield from joined
    known = bool(joined)
    for value in ev.evaluate(node, scope, frame):
        if isinstance(value, Known) and isinstance(value.value, str):
            known = True
            yield value.value
        elif isinstance(value, Made) and value.site.node.args and value.name.rsplit(".", 1)[-1] == "open":
            known = True
            yield from _paths(ev, value.site.node.args[0], value.site.scope, value.frame, depth - 1)
    if not known:
        if isinstance(node, ast.Name):
            for write in ev.program.reaching(node, scope):
                if write.kind in {"assign", "with"} and write.value is not None and not write.unpack:
                    yield from _paths(ev, write.value, write.scope, frame, depth - 1)
        else:
            texts = [part.value for part in ast.walk(node) if isinstance(part, ast.Constant) and isinstance(part.value, str)]
            yield from (text for text in texts if SUFFIX.search(text))


def _joined(ev: Evaluator, node: ast.expr, scope: Scope, frame: Frame | None) -> Iterator[str]:
    """The name of a file below a folder: `ROOT / "a.json"`, also where the folder is not known."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div):
        for value in ev.evaluate(node.right, scope, frame):
            if isinstance(value, Known) and isinstance(value.value, str) and SUFFIX.search(value.value):
                yield value.value


# --- Hydra ----------------------------------------------------------------------------------------------------------------


def hydra_table(ev: Evaluator, decorator: ast.Call, owner: Scope) -> Table | None:
    """The configuration that `@hydra.main(config_path=..., config_name=...)` gives its function."""
    if "hydra" not in ev.external(decorator.func, owner.parent or owner):
        return None
    given = {k.arg: k.value.value for k in decorator.keywords if isinstance(k.value, ast.Constant)}
    name, folder = str(given.get("config_name") or "config"), str(given.get("config_path") or "")
    table = compose(ev.configs, name, folder, owner.file.path)
    if table is None:
        return None
    for run in ev.options.runs:
        if run.module == owner.module.qualified:
            for key, value in run.flags.items():
                table = overridden(table, key.split("."), (value,))
    return table


def overridden(table: Table, path: list[str], values: Values) -> Table:
    """A table with the value under a path of keys changed."""
    if len(path) == 1:
        return table.updated([(path[0], values)])
    inner = table.get(path[0])
    below = inner[0] if inner is not None and isinstance(inner[0], Table) else Table((), table.origin)
    return table.updated([(path[0], (overridden(below, path[1:], values),))])


def compose(configs: Configs, name: str, folder: str, beside: str, depth: int = 6) -> Table | None:
    """A Hydra configuration with its `defaults` list put together (Hydra documentation, "The Defaults List")."""
    stem = re.sub(r"\.ya?ml$", "", name)
    file = next(
        (
            found
            for suffix in ("yaml", "yml")
            if (found := configs.find(posixpath.join(folder, f"{stem}.{suffix}"), beside)) is not None
        ),
        None,
    )
    table = configs.table(file) if file is not None else None
    if file is None or not isinstance(table, Table):
        return None
    configs.loads.setdefault(file.path, [])
    defaults = table.get("defaults")
    result = Table((), table.origin, True, table.file)
    items = defaults[0].items if defaults is not None and isinstance(defaults[0], Items) else ()
    own_last = True
    here = posixpath.dirname(file.path)
    for item in items if depth > 0 else ():
        entry = item[0]
        if isinstance(entry, Known):
            if entry.value == "_self_":
                result, own_last = _over(result, table), False
            else:
                base = compose(configs, str(entry.value), here, beside, depth - 1)
                result = _over(result, base) if base is not None else result
        elif isinstance(entry, Table):
            for group, chosen in entry.entries:
                if isinstance(chosen[0], Known) and chosen[0].value is not None:
                    plain = str(group).removeprefix("override ").removeprefix("optional ").split("@")[0]
                    part = compose(configs, f"{plain}/{chosen[0].value}", here, beside, depth - 1)
                    if part is not None:
                        result = _over(result, _nested(plain.split("/"), part))
    merged = _over(result, table) if own_last else result
    final = Table(tuple((k, v) for k, v in merged.entries if k != "defaults"), table.origin, True, table.file)
    interpolated = _interpolated(final, final)
    return interpolated if isinstance(interpolated, Table) else final


def _nested(path: list[str], table: Table) -> Table:
    for key in reversed(path):
        table = Table(((key, (table,)),), table.origin, True, table.file)
    return table


def _over(base: Table, top: Table) -> Table:
    merged = dict(base.entries)
    for key, values in top.entries:
        before = merged.get(key)
        if before is not None and isinstance(before[0], Table) and isinstance(values[0], Table):
            merged[key] = (_over(before[0], values[0]),)
        else:
            merged[key] = values
    return Table(tuple(merged.items()), base.origin, True, top.file or base.file, base.section)


def config_file_function(ev: Evaluator, default: ast.expr | None, scope: Scope) -> Values:
    """What `get_config()` of the file named by `config_flags.DEFINE_config_file` returns."""
    for value in ev.evaluate(default, scope):
        if isinstance(value, Known) and isinstance(value.value, str):
            stem = value.value.removesuffix(".py").strip("./").replace("/", ".")
            module = ev.program.find_module(stem, scope)
            function = ev.program.member(module, "get_config")
            if isinstance(function, Scope):
                call = ast.Call(ast.Name("get_config", ast.Load()), [], [])
                return join([ev.evaluate_call(function, CallSite(call, scope))])
    return UNKNOWN
