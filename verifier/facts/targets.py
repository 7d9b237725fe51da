"""What a name may stand for, and where something is called."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from verifier.facts.scopes import Scope


@dataclass(frozen=True, slots=True)
class External:
    """Something outside the repository, by its qualified name; builtins are `builtins.x`."""

    name: str


Target = Scope | External
"""What a name stands for: a module, class or function of the repository, or something outside."""


@dataclass(frozen=True, slots=True, eq=False)
class CallSite:
    """A call and the scope whose code makes it."""

    node: ast.Call
    scope: Scope
