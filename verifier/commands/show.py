"""Print what was lifted from a function of REPO: each expression in the notation of unit files, in LaTeX, and where its parts stand."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from verifier.commands.output import write
from verifier.errors import ConfigError
from verifier.report.escape import plain

if TYPE_CHECKING:
    from collections.abc import Iterator

    from verifier.facts.lifting import Lifted
    from verifier.facts.program import Program
    from verifier.facts.scopes import Scope


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("repo", metavar="REPO", type=Path, help="the folder to read")
    parser.add_argument(
        "target", metavar="FILE:FUNCTION", help="as in losses.py:elbo or model.py:VAE.forward; FILE alone: all of it"
    )


def run(options: argparse.Namespace) -> int:
    """Print the expressions of one function, class or file."""
    from verifier.facts.lifting import lifted
    from verifier.facts.liveness import Liveness
    from verifier.facts.placeholders import Placeholders
    from verifier.facts.program import Program
    from verifier.source.reader import read

    program = Program(read(options.repo))
    liveness, stubs = Liveness(program), Placeholders(program)
    items = [item for scope in _scopes(program, options.target) for item in lifted(program, liveness, stubs, scope)]
    shown = dict.fromkeys(tuple(_lines(item)) for item in items)
    lines = [line for block in shown for line in block]
    write("".join(f"{plain(line)}\n" for line in lines or ["nothing is computed there"]))
    return 0


def _scopes(program: Program, target: str) -> list[Scope]:
    file, _, function = target.partition(":")
    modules = [module for module in program.modules.values() if module.file.path == file.removeprefix("./")]
    if not modules:
        raise ConfigError(f"the repository has no Python file {file}; write FILE:FUNCTION with FILE relative to REPO", target)
    inside = [scope for scope in modules[0].walk() if not scope.is_module]
    if not function:
        return [modules[0], *(scope for scope in inside if scope.parent is modules[0])]
    wanted = [scope for scope in inside if f".{scope.qualified.rpartition(':')[2]}".endswith(f".{function}")]
    if not wanted:
        known = ", ".join(sorted({scope.qualified.rpartition(":")[2] for scope in inside if "<" not in scope.name})[:20])
        raise ConfigError(f"{file} has no function or class {function}; it has {known or 'none'}", target)
    return wanted


def _lines(item: Lifted) -> Iterator[str]:
    from verifier.algebra.latex_printing import to_latex
    from verifier.algebra.printing import to_text

    definition = item.definition
    remarks = [
        definition.place.dead,
        definition.discarded,
        f"rests on a placeholder: {definition.stub.reason}" if definition.stub else "",
    ]
    remark = "; ".join(text for text in remarks if text)
    yield f"{definition.place.location}  {', '.join(definition.names) or 'expression'}" + (f"  [{remark}]" if remark else "")
    yield f"    {to_text(definition.expr)}"
    yield f"    ${to_latex(definition.expr)}$"
    for origin in item.origins:
        yield f"      {origin.name} = {to_text(origin.expr)}  ({origin.location or 'argument'})"
    yield ""
