"""Command-line options: argparse, click, typer, fire and absl, with the flags that the repository's shell scripts give.

What runs by default counts: a flag in a script of the repository that starts the program beats `set_defaults`, which beats the
option's own default.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from verifier.facts import configs as configuration
from verifier.facts import instances
from verifier.facts.commands import Run, Runs, constant
from verifier.facts.program import CallSite, External
from verifier.facts.scopes import Scope, Write, tail
from verifier.facts.values import (
    UNKNOWN,
    Frame,
    Instance,
    Items,
    Known,
    Made,
    Options,
    Ref,
    Table,
    Unknown,
    Value,
    Values,
    join,
    step,
)
from verifier.model.location import Location

if TYPE_CHECKING:
    from verifier.facts.evaluate import Evaluator


@dataclass(frozen=True, slots=True)
class Option:
    """One declared option.

    Attributes:
        dest: the attribute it is read under.
        flags: its spellings on the command line, without leading dashes.
        site: the declaration.
        parser: id of the call that made its parser, 0 when not known.
    """

    dest: str
    flags: tuple[str, ...]
    site: CallSite
    parser: int


class OptionTable:
    """All options that a program declares.

    Args:
        ev: the evaluator that asks.
    """

    def __init__(self, ev: Evaluator) -> None:
        self.ev = ev
        self.commands = Runs(ev.program)

    @cached_property
    def declared(self) -> tuple[Option, ...]:
        """Every `add_argument` of the program, in source order."""
        found = []
        for site in self.ev.program.calls_named("add_argument"):
            option = self._option(site)
            if option is not None:
                found.append(option)
        return tuple(found)

    def _option(self, site: CallSite) -> Option | None:
        names = [a.value for a in site.node.args if isinstance(a, ast.Constant) and isinstance(a.value, str)]
        if not names:
            return None
        long = [name for name in names if name.startswith("--")]
        dest = next((k.value.value for k in site.node.keywords if k.arg == "dest" and isinstance(k.value, ast.Constant)), None)
        name = str(dest or (long or names)[0].lstrip("-").replace("-", "_"))
        return Option(name, tuple(n.lstrip("-") for n in names), site, self._parser(site.node.func, site.scope, None))

    def _parser(self, func: ast.expr, scope: Scope, frame: Frame | None) -> int:
        """The id of the call that made the parser a method is called on, through groups and sub-parsers."""
        node = func
        for _ in range(8):
            if not isinstance(node, ast.Attribute):
                return 0
            made = next((v for v in self.ev.evaluate(node.value, scope, frame) if isinstance(v, Made)), None)
            if made is None:
                base = node.value
                if isinstance(base, ast.Call) and isinstance(base.func, ast.Attribute):
                    node = base.func
                    continue
                inner = self._group(base, scope)
                if inner is None:
                    return 0
                node, scope = inner
                continue
            return id(made.site.node)
        return 0

    def _group(self, base: ast.expr, scope: Scope) -> tuple[ast.Attribute, Scope] | None:
        if isinstance(base, ast.Name):
            for write in self.ev.program.reaching(base, scope):
                if isinstance(write.value, ast.Call) and isinstance(write.value.func, ast.Attribute):
                    return write.value.func, write.scope
        return None

    def parsed(self, node: ast.Call, func: ast.Attribute, scope: Scope, frame: Frame | None) -> Values | None:
        """What `parser.parse_args()` and its kin return."""
        if func.attr == "parse_args_into_dataclasses":
            return self._dataclasses(node, func, scope, frame)
        options = Options(self._parser(func, scope, frame), scope.module.qualified)
        if func.attr == "parse_known_args":
            return (Items(((options,), UNKNOWN), scope.location(node)),)
        return (options,)

    def _dataclasses(self, node: ast.Call, func: ast.Attribute, scope: Scope, frame: Frame | None) -> Values:
        for value in self.ev.evaluate(func.value, scope, frame):
            if isinstance(value, Made) and value.site.node.args:
                given = self.ev.evaluate(value.site.node.args[0], value.site.scope, value.frame)
                classes = given[0].items if isinstance(given[0], Items) else (given,)
                made = tuple(
                    tuple(
                        self.filled(v.target, scope.module) for v in group if isinstance(v, Ref) and isinstance(v.target, Scope)
                    )
                    or UNKNOWN
                    for group in classes
                )
                return (Items(made, scope.location(node)),)
        return UNKNOWN

    def filled(self, cls: Scope, module: Scope) -> Instance:
        """An object of a class of settings, with what commands of scripts give the module: `--optim.lr 1e-3`."""
        made = Instance(cls)
        for run in self.commands.of(module):
            for flag, value in run.flags.items():
                made = self._with(made, flag.replace("-", "_").split("."), (value,))
        return made

    def _with(self, made: Instance, path: list[str], values: Values) -> Instance:
        if len(path) > 1:
            inner = next((v for v in instances.instance_attribute(self.ev, made, path[0]) if isinstance(v, Instance)), None)
            if inner is None:
                return made
            values = (self._with(inner, path[1:], values),)
        return replace(made, overrides=(*((k, v) for k, v in made.overrides if k != path[0]), (path[0], values)))

    def _of(self, options: Options) -> list[Option]:
        own = [o for o in self.declared if options.parser and o.parser == options.parser]
        loose = [o for o in self.declared if not o.parser or not options.parser]
        near = [o for o in loose if o.site.scope.module.qualified == options.module]
        return own or near or loose

    def option(self, options: Options, name: str) -> Values:
        """The candidates of an option by its attribute name."""
        for key, values in options.overrides:
            if key == name:
                return values
        found = [o for o in self._of(options) if o.dest == name]
        return join(self.worth(option) for option in found) if found else UNKNOWN

    def table(self, options: Options) -> Table:
        """All options as a table, for `vars(args)`."""
        own = self._of(options)
        entries: dict[object, Values] = {}
        for option in own:
            entries[option.dest] = (
                join([entries[option.dest], self.worth(option)]) if option.dest in entries else self.worth(option)
            )
        entries.update(dict(options.overrides))
        origin = own[0].site.scope.location(own[0].site.node) if own else Location("", 1)
        return Table(tuple(entries.items()), origin)  # type: ignore[arg-type]

    def worth(self, option: Option) -> Values:
        """What an option is worth by default: flags of scripts, `set_defaults`, its own default."""
        runs = self.commands.of(option.site.scope.module)
        given = [self._typed(run.flags[f], option) for run in runs for f in option.flags if f in run.flags]
        every = [any(f in run.flags for f in option.flags) for run in runs]
        if given and all(every):
            return join(given)
        return join([*given, self._default(option)])

    def _typed(self, value: Known, option: Option) -> Values:
        keywords = {k.arg: k.value.value for k in option.site.node.keywords if k.arg and isinstance(k.value, ast.Constant)}
        typed: Value = value
        if keywords.get("action") == "store_false":
            typed = replace(value, value=False)
        elif keywords.get("nargs") in {"+", "*"} or isinstance(keywords.get("nargs"), int):
            parts = str(value.value).split() if isinstance(value.value, str) else [value.value]
            typed = Items(tuple((replace(value, value=constant(part)),) for part in parts), value.origin)
        return step((typed,), f"--{option.flags[-1]} on the command line", value.origin)

    def _default(self, option: Option) -> Values:
        keywords = {k.arg: k.value for k in option.site.node.keywords if k.arg}
        scope = option.site.scope
        for site in self.ev.program.calls_named("set_defaults"):
            for keyword in site.node.keywords:
                if keyword.arg == option.dest:
                    return self.ev.evaluate(keyword.value, site.scope)
                if keyword.arg is None:
                    for value in self.ev.evaluate(keyword.value, site.scope):
                        found = value.get(option.dest) if isinstance(value, Table) else None
                        if found is not None:
                            return found
        location = scope.location(option.site.node)
        action = keywords.get("action")
        kind = action.value if isinstance(action, ast.Constant) else ""
        if "default" in keywords:
            values = self.ev.evaluate(keywords["default"], scope)
            return step(values, f"default of --{option.flags[-1]}", scope.location(keywords["default"]))
        if kind in {"store_true", "store_false"}:
            return (Known(kind == "store_false", location),)
        if isinstance(action, ast.Attribute) and action.attr == "BooleanOptionalAction":
            return UNKNOWN
        return (Known(None, location),)

    # --- functions that the command line calls --------------------------------------------------------------------------

    def of_parameter(self, write: Write, owner: Scope) -> Values | None:
        """What the command line gives a parameter of a function that it starts; None when it starts no such function."""
        node = owner.node
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            return None
        for decorator in node.decorator_list:
            name = tail(decorator)
            if name == "main" and isinstance(decorator, ast.Call):
                table = configuration.hydra_table(self.ev, decorator, owner)
                if table is not None:
                    return (table,)
            if name in {"option", "argument"} and isinstance(decorator, ast.Call):
                found = self._click(decorator, write, owner)
                if found is not None:
                    return found
        if self.is_command(owner):
            return self._started(write, owner)
        return None

    def _click(self, decorator: ast.Call, write: Write, owner: Scope) -> Values | None:
        names = [a.value for a in decorator.args if isinstance(a, ast.Constant) and isinstance(a.value, str)]
        declared = [name.split("/")[0].lstrip("-") for name in names]
        refused = [name.split("/")[1].lstrip("-") for name in names if "/" in name]
        if write.name not in [name.replace("-", "_") for name in declared]:
            return None
        flagged = self._flag(declared, owner.module)
        flagged += [(replace(value, value=False),) for values in self._flag(refused, owner.module) for value in values]
        names = [*declared, *refused]
        default = next((k.value for k in decorator.keywords if k.arg == "default"), None)
        outer = owner.parent or owner
        if default is None:
            is_flag = bool(refused) or any(k.arg == "is_flag" for k in decorator.keywords)
            own: Values = (Known(False if is_flag else None, outer.location(decorator)),)
        else:
            own = step(self.ev.evaluate(default, outer), f"default of --{names[0].lstrip('-')}", outer.location(default))
        return join([*flagged, own]) if not flagged or not self._all_give(names, owner.module) else join(flagged)

    def _all_give(self, names: list[str], module: Scope) -> bool:
        plain = {name.lstrip("-") for name in names}
        return all(plain & run.flags.keys() for run in self.commands.of(module))

    def _flag(self, names: list[str], module: Scope) -> list[tuple[Known, ...]]:
        runs = self.commands.of(module)
        return [(run.flags[name],) for run in runs for name in names if name in run.flags]

    def is_command(self, owner: Scope) -> bool:
        """Whether typer or fire starts a function with what the command line gives its parameters."""
        if any(tail(decorator) in {"command", "callback"} for decorator in getattr(owner.node, "decorator_list", ())):
            return True
        return any(
            any(isinstance(a, ast.Name) and a.id == owner.name for a in site.node.args)
            for name in ("Fire", "run")
            for site in self.ev.program.calls_named(name)
            if self.ev.external(site.node.func, site.scope) in {"fire.Fire", "typer.run"}
        )

    def _started(self, write: Write, owner: Scope) -> Values | None:
        name = write.name
        annotation = write.node.annotation if isinstance(write.node, ast.arg) else None
        parts = [part for node in (write.value, annotation) if node is not None for part in ast.walk(node)]
        texts = [part.value for part in parts if isinstance(part, ast.Constant) and isinstance(part.value, str)]
        spelled = [text.lstrip("-") for text in texts if text.startswith("-")]
        flagged = self._flag([name, name.replace("_", "-"), *spelled], owner.module)
        if not flagged:
            return None
        return join(flagged)

    @property
    def runs(self) -> tuple[Run, ...]:
        """Every command of the repository's scripts that starts one of its modules."""
        return self.commands.all

    # --- absl -----------------------------------------------------------------------------------------------------------

    def absl(self, name: str) -> Values:
        """The default of `FLAGS.name`."""
        for called in self.ev.program.call_names:
            if not called.startswith("DEFINE_"):
                continue
            for site in self.ev.program.calls_named(called):
                first = site.node.args[0] if site.node.args else None
                if isinstance(first, ast.Constant) and first.value == name:
                    flagged = self._flag([name], site.scope.module)
                    default = (
                        site.node.args[1]
                        if len(site.node.args) > 1
                        else next((k.value for k in site.node.keywords if k.arg == "default"), None)
                    )
                    if called == "DEFINE_config_file":
                        return configuration.config_file_function(self.ev, default, site.scope)
                    return join(flagged) if flagged else self.ev.evaluate(default, site.scope)
        return UNKNOWN

    def environment(self, name: str, module: Scope) -> Values:
        """What scripts set a variable of the environment to that a module reads; nothing unless all that start it do."""
        runs = self.commands.of(module)
        found = [(run.environment[name],) for run in runs if name in run.environment]
        return join(found) if found and len(found) == len(runs) else ()

    def given(self, module: Scope) -> Table:
        """What commands of scripts give a module as `key=value`: the table that `OmegaConf.from_cli()` reads."""
        runs = self.commands.of(module)
        table = Table((), runs[0].location if runs else Location(module.file.path, 1))
        for run in runs:
            for key in sorted(run.keys):
                table = configuration.overridden(table, key.split("."), (run.flags[key],))
        return table


__all__ = ["External", "Option", "OptionTable", "Run", "Unknown"]
