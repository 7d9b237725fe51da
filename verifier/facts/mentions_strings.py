"""What a string in code is for: evidence (an argument, a table, a key, a branch), or text for people."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import Literal

from verifier.facts.program import Program
from verifier.facts.reads import MESSAGES
from verifier.facts.renames import renames
from verifier.facts.scopes import Scope, tail

Purpose = Literal["evidence", "key", "message", "choice", "option", "help", "read"]

_SPEAKING = MESSAGES | frozenset(
    "set_xlabel set_ylabel set_zlabel set_text axhline axvline exception fatal log text annotate suptitle legend ArgumentParser "
    "add_argument_group set_label secho fail".split()
)
_SPEAKING_KEYWORDS = frozenset(
    "help description epilog label title desc xlabel ylabel doc msg message usage metavar suptitle".split()
)
_SPEAKING_NAMES = frozenset(
    {"__all__", "__doc__", "description", "title", "caption", "label", "help_text", "usage", "msg", "message"}
)
_TRANSPARENT = (
    *(ast.Tuple, ast.List, ast.Set, ast.Starred, ast.IfExp, ast.BoolOp, ast.NamedExpr, ast.BinOp),
    *(ast.ListComp, ast.GeneratorExp, ast.comprehension),
)


@dataclass(frozen=True, slots=True)
class Use:
    """What a string is for.

    Attributes:
        value: for a key, the expression under it.
        call: the call that it is an argument of, directly or in a table.
        statement: the statement that it stands in.
        refused: the branch that the string leads to only raises an error.
        keyword: the keyword that it is passed under.
        branch: the statements of the branch that is taken for it.
    """

    purpose: Purpose
    value: ast.expr | None = None
    call: ast.Call | None = None
    statement: ast.stmt | None = None
    refused: bool = False
    keyword: str = ""
    branch: tuple[ast.stmt, ...] = ()


class Purposes:
    """Tells what strings are for.

    Args:
        program: the program.
    """

    def __init__(self, program: Program) -> None:
        self.program = program

    def parents(self, scope: Scope) -> dict[int, ast.AST]:
        """Id of each node of the scope's file -> its parent."""
        return self.program.nodes(scope.file).parents

    def of(self, node: ast.expr, scope: Scope) -> Use:
        """What a string of the scope's code is for."""
        parents = self.parents(scope)
        current: ast.AST = node
        value: ast.expr | None = None
        keyed = False
        while True:
            parent = parents.get(id(current))
            if parent is None:
                return Use("message")
            if isinstance(parent, ast.Dict):
                if renames(parent):
                    return Use("read")
                if not keyed and value is None and any(key is current for key in parent.keys):
                    keyed, value = True, parent.values[next(i for i, key in enumerate(parent.keys) if key is current)]
            elif not isinstance(parent, _TRANSPARENT):
                break
            current = parent
        purpose: Purpose = "key" if keyed else "evidence"
        return self._outermost(parent, current, purpose, value, scope)

    def _outermost(self, parent: ast.AST, current: ast.AST, purpose: Purpose, value: ast.expr | None, scope: Scope) -> Use:
        statement = self.statement(current, scope)
        match parent:
            case ast.Call() | ast.keyword():
                return self._argument(parent, current, purpose, value, scope)
            case ast.Compare():
                branch = tuple(statement.body) if isinstance(statement, ast.If) and _is_equality(parent) else ()
                return Use(purpose, value, statement=statement, refused=_raises(statement), branch=branch)
            case ast.MatchValue():
                return Use(purpose, value, statement=statement)
            case ast.Subscript():
                return Use("read") if parent.slice is current else Use(purpose, value, statement=statement)
            case ast.Assign() | ast.AnnAssign():
                spoken = {tail(target).lower() for target in _targets(parent)} & _SPEAKING_NAMES
                return Use("message") if spoken and value is None else Use(purpose, value, statement=parent)
            case ast.Return() | ast.For() | ast.AugAssign() | ast.Yield() | ast.arguments() | ast.FormattedValue() | ast.Lambda():
                return Use(purpose, value, statement=statement)
            case ast.Attribute() if purpose == "key":
                return Use(purpose, value, statement=statement)
        return Use("message", statement=statement)

    def _argument(
        self, parent: ast.Call | ast.keyword, current: ast.AST, purpose: Purpose, value: ast.expr | None, scope: Scope
    ) -> Use:
        call = parent if isinstance(parent, ast.Call) else self.parents(scope).get(id(parent))
        if not isinstance(call, ast.Call):
            return Use(purpose, value, statement=self.statement(parent, scope))
        if call.func is current:
            return Use(purpose if purpose == "key" else "message", value, statement=self.statement(call, scope))
        name = tail(call.func)
        keyword = parent.arg if isinstance(parent, ast.keyword) else None
        statement = self.statement(call, scope)
        if purpose == "key":
            return Use("key", value, call, statement)
        if keyword == "help" and name in {"add_argument", "option", "Option"}:
            return Use("help", call=call, statement=statement)
        if keyword in _SPEAKING_KEYWORDS or isinstance(self.parents(scope).get(id(call)), ast.Raise):
            return Use("message")
        if name == "add_argument":
            return Use(
                "choice" if keyword == "choices" else "option" if keyword is None else "evidence", call=call, statement=statement
            )
        if name in _SPEAKING and not (isinstance(call.func, ast.Attribute) and name in {"write", "log"} and len(call.args) > 2):
            return Use("message")
        if name == "getattr" and len(call.args) > 1 and call.args[1] is current and _names_module(call.args[0]):
            return Use("evidence", None, call, statement)
        if name in {
            "get",
            "pop",
            "setdefault",
            "getattr",
            "hasattr",
            "endswith",
            "startswith",
            "split",
            "replace",
            "strip",
            "join",
            "encode",
        }:
            return Use("read")
        return Use("evidence", None, call, statement, keyword=keyword or "")

    def statement(self, node: ast.AST, scope: Scope) -> ast.stmt | None:
        """The innermost statement around a node."""
        parents = self.parents(scope)
        current: ast.AST | None = node
        while current is not None and not isinstance(current, ast.stmt):
            current = parents.get(id(current))
        return current


def _targets(node: ast.Assign | ast.AnnAssign) -> list[ast.expr]:
    return list(node.targets) if isinstance(node, ast.Assign) else [node.target]


def _is_equality(node: ast.Compare) -> bool:
    return all(isinstance(operator, ast.Eq | ast.In) for operator in node.ops)


def _raises(statement: ast.stmt | None) -> bool:
    """Whether a branch starts by raising an error."""
    return (
        isinstance(statement, ast.If)
        and bool(statement.body)
        and isinstance(statement.body[0], ast.Raise)
        and not isinstance(statement.test, ast.UnaryOp)
    )


def _names_module(node: ast.expr) -> bool:
    """Whether a name looks like that of a module: `torchvision.datasets`, not `self.args`."""
    while isinstance(node, ast.Attribute):
        node = node.value
    return isinstance(node, ast.Name) and node.id not in {
        "self",
        "cls",
        "args",
        "cfg",
        "config",
        "opt",
        "opts",
        "hparams",
        "conf",
    }
