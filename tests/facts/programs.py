"""Programs for tests, from texts."""

from __future__ import annotations

import ast
import textwrap

from verifier.facts.index import Facts
from verifier.facts.program import Program
from verifier.facts.scopes import Scope
from verifier.lexicon import load_lexicon
from verifier.model.repository import Repository
from verifier.source.config import read_config
from verifier.source.python import read_python
from verifier.source.shell import read_shell

SYNTAX = {"yaml": "yaml", "yml": "yaml", "json": "json", "toml": "toml", "ini": "ini"}


def repository(files: dict[str, str]) -> Repository:
    """A repository in memory: Python, configuration files and shell scripts, by their endings."""
    python, configs, scripts = [], [], []
    for path, text in sorted(files.items()):
        data = textwrap.dedent(text).encode()
        ending = path.rsplit(".", 1)[-1]
        if ending == "py":
            python.append(read_python(path, data)[0])
        elif ending == "sh":
            scripts.append(read_shell(path, data)[0])
        else:
            config, _ = read_config(path, SYNTAX[ending], data)
            assert config is not None
            configs.append(config)
    return Repository("test", tuple(python), tuple(configs), tuple(scripts))


def facts_of(files: dict[str, str] | str) -> Facts:
    """The fact base of a repository of these files, or of one file `m.py`."""
    return Facts(repository({"m.py": files} if isinstance(files, str) else files), load_lexicon())


def program_of(files: dict[str, str] | str) -> Program:
    """The program of these files."""
    return facts_of(files).program


def scope_named(program: Program, qualified: str) -> Scope:
    """The scope of that qualified name."""
    return next(scope for scope in program.scopes if scope.qualified == qualified)


def last_expression(scope: Scope) -> ast.expr:
    """The value of the last statement of a scope: what it returns, or the expression that stands there."""
    assert not isinstance(scope.node, ast.Lambda)
    statement = scope.node.body[-1]
    assert isinstance(statement, ast.Return | ast.Expr | ast.Assign)
    assert statement.value is not None
    return statement.value
