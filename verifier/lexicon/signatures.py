"""Signatures of library functions and classes: the parameters in order, with the library's own defaults."""

from __future__ import annotations

import ast
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, cast

from verifier.errors import RuleError
from verifier.lexicon.packs import compiled, refuse_unknown, strings
from verifier.model.constant import Constant

_PACK = frozenset({"pack", "library", "version", "signatures", "examples"})
_ALIASES = frozenset({"pack", "prefixes", "examples"})


_USUAL = ("torch.optim.", "torch.nn.", "torch.utils.", "collections.")  # what a bare name means when several libraries have it


class Default(Enum):
    """What stands for a default that is no constant."""

    REQUIRED = "required"
    OPAQUE = "..."


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a library callable.

    Attributes:
        default: the constant, REQUIRED when there is none, OPAQUE when it is an object or function.
        keyword_only: whether it cannot be given by position.
        stars: `*` or `**` for the parameter that takes what is left over.
    """

    name: str
    default: Constant | Default = Default.REQUIRED
    keyword_only: bool = False
    stars: str = ""


@dataclass(frozen=True, slots=True)
class Signature:
    """How a library callable is called.

    Attributes:
        name: its public qualified name: `torch.optim.AdamW`.
        library: the library and version that it was read from: `torch 2.13.0`.
    """

    name: str
    library: str
    parameters: tuple[Parameter, ...]

    def named(self, name: str) -> Parameter | None:
        """The parameter of that name."""
        return next((one for one in self.parameters if one.name == name and not one.stars), None)

    def at(self, position: int) -> Parameter | None:
        """The parameter that the positional argument number `position` (from 0) goes to."""
        plain = [one for one in self.parameters if not one.keyword_only and not one.stars]
        return plain[position] if 0 <= position < len(plain) else None

    @property
    def defaults(self) -> dict[str, Constant]:
        """The parameters that have a constant as default."""
        return {one.name: one.default for one in self.parameters if not isinstance(one.default, Default)}


@dataclass(frozen=True)
class Signatures:
    """All signatures of the packs in rules/defaults, found by whatever spelling an import gives them."""

    rules: Path

    @cached_property
    def _plain(self) -> tuple[dict[str, tuple[str, str]], dict[str, str], dict[str, tuple[str, ...]], Plain]:
        found: tuple[dict[str, tuple[str, str]], dict[str, str], dict[str, tuple[str, ...]], Plain]
        found = compiled(self.rules, "defaults", build, Path(__file__))
        return found

    @property
    def examples(self) -> Plain:
        """(pack, examples that must hold, examples that must not) of each pack."""
        return self._plain[3]

    @property
    def names(self) -> tuple[str, ...]:
        """The qualified names of all signatures."""
        return tuple(self._plain[0])

    def find(self, qualified: str) -> Signature | None:
        """The signature of a callable.

        Args:
            qualified: its name as an import resolves it, or as far as known: `torch.optim.adamw.AdamW`, `optim.AdamW`, `AdamW`.

        Returns:
            None when it is not known, or the name fits several.
        """
        name = self._name(qualified)
        if name is None:
            return None
        text, library = self._plain[0][name]
        parameters = _parse(text)
        if qualified.startswith("torch.Tensor.") and parameters:
            parameters = parameters[1:]
        return Signature(name, library, parameters)

    def _name(self, qualified: str) -> str | None:
        table, prefixes, by_last, _ = self._plain
        if qualified in table:
            return qualified
        if qualified.startswith("torch.Tensor."):
            plain = f"torch.{qualified.removeprefix('torch.Tensor.').rstrip('_')}"
            return plain if plain in table else None
        for spelled in (qualified, _replaced(qualified, prefixes)):
            if spelled in table:
                return spelled
            found = _narrow(spelled, by_last.get(spelled.rpartition(".")[2], ()))
            if found:
                return found
        return None


def _replaced(qualified: str, prefixes: Mapping[str, str]) -> str:
    parts = qualified.split(".")
    for end in range(len(parts), 0, -1):
        full = prefixes.get(".".join(parts[:end]))
        if full:
            return ".".join([full, *parts[end:]])
    return qualified


def _narrow(qualified: str, candidates: Sequence[str]) -> str | None:
    """The one candidate that the name can stand for: same library, or the name is its end."""
    root, dot, _ = qualified.partition(".")
    if not dot:
        return candidates[0] if len(candidates) == 1 else next((name for name in candidates if name.startswith(_USUAL)), None)
    ends = [name for name in candidates if name.endswith("." + qualified)]
    inside = [name for name in candidates if name.partition(".")[0] == root]
    if len(inside) > 1:
        inside = [name for name in inside if _within(name.split("."), qualified.split("."))]
    found = ends or inside
    return found[0] if len(found) == 1 else None


def _within(parts: Sequence[str], whole: Sequence[str]) -> bool:
    rest = iter(whole)
    return all(part in rest for part in parts)


Plain = Any


def build(packs: Sequence[tuple[str, Mapping[str, Any]]]) -> Plain:
    """Compiles rules/defaults: (name -> (text, library), prefix -> prefix, last name -> names, examples)."""
    table: dict[str, tuple[str, str]] = {}
    prefixes: dict[str, str] = {}
    examples: list[tuple[str, tuple[str, ...], tuple[str, ...]]] = []
    for where, pack in packs:
        if pack["pack"] == "aliases":
            refuse_unknown(where, pack, _ALIASES, ("prefixes",))
            prefixes.update(pack["prefixes"])
        else:
            refuse_unknown(where, pack, _PACK, ("library", "version", "signatures"))
            table.update(_checked(where, pack))
        given = refuse_unknown(where, pack.get("examples") or {}, frozenset({"pass", "fail"}))
        examples.append((where, strings(where, given.get("pass")), strings(where, given.get("fail"))))
    by_last: dict[str, tuple[str, ...]] = {}
    for name in table:
        last = name.rpartition(".")[2]
        by_last[last] = (*by_last.get(last, ()), name)
    return table, prefixes, by_last, tuple(examples)


def _checked(where: str, pack: Mapping[str, Any]) -> dict[str, tuple[str, str]]:
    library = f"{pack['library']} {pack['version']}"
    for name, text in pack["signatures"].items():
        try:
            _parse(text)
        except (SyntaxError, ValueError, TypeError) as error:
            raise RuleError(f"no signature: {error}", f"{where}: {name}") from error
    return {name: (text, library) for name, text in pack["signatures"].items()}


@lru_cache(maxsize=1024)
def _parse(text: str) -> tuple[Parameter, ...]:
    arguments = cast(ast.Lambda, ast.parse(f"lambda {text.strip()[1:-1]}: 0", mode="eval").body).args
    plain = [*arguments.posonlyargs, *arguments.args]
    given: list[ast.expr | None] = [*[None] * (len(plain) - len(arguments.defaults)), *arguments.defaults]
    found = [Parameter(one.arg, _value(default)) for one, default in zip(plain, given, strict=True)]
    if arguments.vararg:
        found.append(Parameter(arguments.vararg.arg, stars="*"))
    found += [
        Parameter(one.arg, _value(value), keyword_only=True)
        for one, value in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
    ]
    if arguments.kwarg:
        found.append(Parameter(arguments.kwarg.arg, stars="**"))
    return tuple(found)


def _value(node: ast.expr | None) -> Constant | Default:
    if node is None:
        return Default.REQUIRED
    text = ast.unparse(node)
    if text == "...":
        return Default.OPAQUE
    if text in ("inf", "-inf", "nan"):
        return float(text)
    if isinstance(node, ast.Call):
        return Default.OPAQUE
    return _frozen(ast.literal_eval(node))


def _frozen(value: object) -> Constant:
    if isinstance(value, (list, tuple)):
        return tuple(_frozen(item) for item in value)
    if isinstance(value, dict):
        return {str(name): _frozen(item) for name, item in value.items()}
    if isinstance(value, float) and math.isnan(value):
        return value
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    raise ValueError(f"no constant: {value!r}")
