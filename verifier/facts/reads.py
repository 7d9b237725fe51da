"""Who reads what: whether a written name, attribute, key or parameter is ever used by live code.

A read inside an `assert`, a message or a log is no use. A plain copy (`self.x = x`) is a use only if the copy is used.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cached_property

from verifier.facts.liveness import Liveness
from verifier.facts.nodes import walk
from verifier.facts.program import External, Program
from verifier.facts.purity import ingredients
from verifier.facts.scopes import Scope, Write, dotted, tail
from verifier.lexicon.names import words
from verifier.model.repository import PythonFile

MESSAGES = frozenset(
    "print info debug warning warn error critical log_hyperparams log_params add_scalar add_text pprint format_help secho echo rprint "
    "add_hparams set_description set_postfix set_title title suptitle xlabel ylabel write".split()
)
"""Calls that only tell what they are given."""
DUMPS = frozenset({"dump", "dumps", "safe_dump", "to_yaml"})
NAMESPACES = frozenset({"arg", "argument", "opt", "option", "namespace", "flag"})
"""Words of what parsed options are called: reading all of them reads no attribute of a class."""


class Reads:
    """The uses of everything that a program writes.

    Args:
        program: the program.
        liveness: which of its code is live.
    """

    def __init__(self, program: Program, liveness: Liveness) -> None:
        self.program = program
        self.liveness = liveness
        self._idle: dict[int, set[int]] = {}
        self._copies: dict[int, dict[int, ast.stmt]] = {}
        self._active: set[int] = set()
        self._unread: dict[int, str] = {}
        self._tentative: dict[int, str] = {}

    # --- what does not count as a use -----------------------------------------------------------------------------------

    def is_use(self, node: ast.AST, scope: Scope) -> bool:
        """Whether a read is live and does more than tell."""
        return id(node) not in self._idle_of(scope) and not self.liveness.reason(node, scope)

    def _idle_of(self, scope: Scope) -> set[int]:
        key = id(scope.file)
        if key not in self._idle:
            found: set[int] = set()
            for part in self.program.nodes(scope.file).of(ast.Assert, ast.Call):
                if isinstance(part, ast.Assert) or (isinstance(part, ast.Call) and self._tells(part)):
                    found.update(map(id, walk(part)[1:]))
            self._idle[key] = found
        return self._idle[key]

    @cached_property
    def _run_config_read(self) -> bool:
        """Whether code reads `wandb.config` or that of a run."""
        read = (node for _, node in self.attributes.get("config", ()) if isinstance(node, ast.Attribute))
        return any((dotted(node) or "") in {"wandb.config", "run.config"} for node in read)

    def _tells(self, call: ast.Call) -> bool:
        name = tail(call.func)
        if name in MESSAGES or name in DUMPS:
            return True
        path = dotted(call.func) or ""
        if path == "wandb.init" and self._run_config_read:
            return False
        return path in {
            "wandb.log",
            "wandb.init",
            "wandb.config.update",
            "mlflow.log_params",
            "mlflow.log_param",
            "math.isclose",
        } or path.startswith("logging.")

    # --- indexes --------------------------------------------------------------------------------------------------------

    @cached_property
    def attributes(self) -> dict[str, list[tuple[Scope, ast.AST]]]:
        """Attribute name or string key -> where it is read."""
        found: dict[str, list[tuple[Scope, ast.AST]]] = {}
        for scope in self.program.scopes:
            for node in scope.attributes:
                found.setdefault(node.attr, []).append((scope, node))
            for key, expression in scope.keys:
                found.setdefault(key, []).append((scope, expression))
        return found

    @cached_property
    def _loads(self) -> dict[tuple[int, str], list[tuple[Scope, ast.Name]]]:
        """(binding scope, name) -> its reads as a plain name."""
        found: dict[tuple[int, str], list[tuple[Scope, ast.Name]]] = {}
        for scope in self.program.scopes:
            for load in scope.loads:
                owner = self.program.lookup(load.id, scope)
                if owner is not None:
                    found.setdefault((id(owner), load.id), []).append((scope, load))
        return found

    @cached_property
    def _imports(self) -> dict[str, list[tuple[Scope, str]]]:
        """Imported name -> (importing scope, local name)."""
        found: dict[str, list[tuple[Scope, str]]] = {}
        for scope in self.program.scopes:
            for name, writes in scope.writes.items():
                for write in writes:
                    if isinstance(write.node, ast.ImportFrom):
                        for alias in write.node.names:
                            if (alias.asname or alias.name) == name:
                                found.setdefault(alias.name, []).append((scope, name))
        return found

    # --- questions ------------------------------------------------------------------------------------------------------

    def unread(self, write: Write) -> str:
        """Why nothing uses what a write writes; empty when something may.

        What is only copied in a circle is not used. While one answer is sought, those that rest on its being open are kept apart: should
        it turn out to be used, so is everything on the way to it.
        """
        key = id(write)
        if key in self._active:
            return f"{write.name} is only copied"
        known = self._unread.get(key, self._tentative.get(key))
        if known is not None:
            return known
        self._active.add(key)
        try:
            reason = self._find(write)
        finally:
            self._active.discard(key)
        if not reason or not self._active:
            self._unread[key] = reason
        else:
            self._tentative[key] = reason
        if not self._active:
            self._tentative.clear()
        return reason

    def _find(self, write: Write) -> str:
        if "." in write.name:
            return self._stored(write)
        scope = self._owner(write)
        if scope.is_class:
            final = self.program.flow(scope).exit.get(write.name, (write,))
            if write not in final:
                return f"{write.name} is overwritten on line {getattr(final[-1].node, 'lineno', 0)}"
            return self.member_unread(write.name, scope)
        loads = self._loads.get((id(scope), write.name), [])
        seen = self.readers(write)
        if any(self._uses(node, reader) for reader, node in seen):
            return ""
        if scope.is_module and self._read_elsewhere(write):
            return ""
        if not seen and any(self.is_use(node, reader) for reader, node in loads):
            return f"{write.name} is overwritten before it is read"
        return f"nothing reads {write.name}"

    @staticmethod
    def _owner(write: Write) -> Scope:
        return write.scope.module if write.name in write.scope.globals else write.scope

    def _read_elsewhere(self, write: Write) -> bool:
        module = write.scope.module
        if write not in self.program.flow(module).exit.get(write.name, (write,)):
            return False
        if any(
            self.is_use(node, reader)
            for reader, node in self.attributes.get(write.name, ())
            if isinstance(node, ast.Attribute) and reader.module is not module
        ):
            return True
        for scope, local in self._imports.get(write.name, ()):
            if any(self.is_use(load, reader) for reader, load in self._loads.get((id(scope), local), ())):
                return True
        for scope in self.program.modules.values():
            for star in scope.writes.get("*", ()):
                if isinstance(star.node, ast.ImportFrom) and self.program.imported_module(star.node, scope) is module:
                    if any(load.id == write.name for inner in scope.walk() for load in inner.loads):
                        return True
        return False

    def _stored(self, write: Write) -> str:
        name = write.name.rsplit(".", 1)[-1]
        target = write.node.targets[0] if isinstance(write.node, ast.Assign) else None
        if isinstance(target, ast.Attribute) and isinstance(self.program.resolve(target.value, write.scope), External):
            return ""
        cls = self.program.enclosing_class(write.scope)
        if cls is not None and self._has_outside_base(cls):
            return ""
        return self.member_unread(name, cls)

    def _has_outside_base(self, cls: Scope) -> bool:
        """Whether a base outside the repository may read attributes by name (a plain `nn.Module` does not)."""
        assert isinstance(cls.node, ast.ClassDef)
        plain = {
            "object",
            "ABC",
            "Module",
            "Protocol",
            "Generic",
            "Dataset",
            "Enum",
            "NamedTuple",
            "BaseModel",
            "IterableDataset",
            "LightningModule",
            "Env",
        }
        outside = [base for base in cls.node.bases if not isinstance(self.program.resolve(base, cls.parent or cls), Scope)]
        return any(tail(base) not in plain for base in outside)

    def member_unread(self, name: str, cls: Scope | None) -> str:
        """Why nothing uses an attribute or key of this name; empty when something may."""
        reads = self.attributes.get(name, ())
        if any(self._uses(node, reader) for reader, node in reads):
            return ""
        if cls is not None and self._reads_all_fields(cls):
            return ""
        return f"nothing reads {name}"

    @cached_property
    def _dynamic_reads(self) -> tuple[Scope | None, ...]:
        """The classes of which code reads all fields at once; None stands for any."""
        found: dict[int, Scope | None] = {}
        for site in (site for name in ("asdict", "vars") for site in self.program.calls_named(name)):
            given = site.node.args[0] if site.node.args else None
            if given is None or not self.is_use(site.node, site.scope):
                continue
            if self._is_namespace(given, site.scope):
                continue
            cls = self.program.enclosing_class(site.scope) if dotted(given) == "self" else None
            found[id(cls)] = cls
        return tuple(found.values())

    def _is_namespace(self, node: ast.expr, scope: Scope) -> bool:
        """Whether an expression is what a parser of options gave: by its name, or by the call that it is bound to."""
        if NAMESPACES.intersection(words(tail(node.func if isinstance(node, ast.Call) else node))):
            return True
        if not isinstance(node, ast.Name):
            return False
        made = (write.value for write in self.program.reaching(node, scope))
        return any(isinstance(value, ast.Call) and NAMESPACES.intersection(words(tail(value.func))) for value in made)

    def _reads_all_fields(self, cls: Scope) -> bool:
        own = {id(base) for base in self.program.mro(cls)} | {id(cls)}
        return any(read is None or id(read) in own for read in self._dynamic_reads) or any(
            node.attr == "__dict__" and self.is_use(node, scope) for scope in cls.walk() for node in scope.attributes
        )

    def readers(self, write: Write) -> list[tuple[Scope, ast.Name]]:
        """Where a plain name is read that a write may have given its value."""
        loads = self._loads.get((id(self._owner(write)), write.name), [])
        return [(reader, node) for reader, node in loads if write in self.program.reaching(node, reader)]

    def parameter_unread(self, function: Scope, name: str) -> str:
        """Why a function ignores a parameter; empty when it may use it."""
        writes = [write for write in function.writes.get(name, ()) if write.kind == "param"]
        if not writes or isinstance(function.node, ast.Lambda):
            return ""
        if any(tail(call.func) in {"locals", "save_hyperparameters"} for call in function.calls):
            return ""
        reason = self.unread(writes[0])
        owner = function.parent if function.name == "__init__" and function.parent is not None else function
        return reason and f"{owner.name} ignores its parameter {name}"

    def _uses(self, node: ast.AST, reader: Scope) -> bool:
        if not self.is_use(node, reader):
            return False
        statement = self._copy(node, reader)
        if statement is None:
            return True
        writes = list(self._writes_of(statement, reader))
        return not writes or any(not self.unread(write) for write in writes)

    def _copy(self, node: ast.AST, scope: Scope) -> ast.stmt | None:
        """The statement that does nothing but copy a read, or compute from it: `self.x = x`, `lr = args.lr / 2`."""
        key = id(scope.file)
        if key not in self._copies:
            table: dict[int, ast.stmt] = {}
            for part in self.program.nodes(scope.file).of(ast.Assign, ast.AnnAssign):
                if isinstance(part, ast.Assign | ast.AnnAssign) and part.value is not None:
                    table[id(part.value)] = part
                    if isinstance(part.value, ast.Tuple):
                        table.update((id(element), part) for element in part.value.elts)
            for function in self._returning(scope.file):
                for part in walk(function):
                    if isinstance(part, ast.Assign) and isinstance(part.targets[0], ast.Name):
                        table.update((id(read), part) for read in ingredients(part.value))
            self._copies[key] = table
        return self._copies[key].get(id(node))

    def _returning(self, file: PythonFile) -> list[ast.AST]:
        """The functions of a file that give back a result: what they compute and neither give back nor use is thrown away."""
        nodes = self.program.nodes(file)
        returns = [node for node in nodes.of(ast.Return) if isinstance(node, ast.Return) and node.value is not None]
        found: dict[int, ast.AST] = {}
        for node in returns:
            current: ast.AST | None = node
            while current is not None and not isinstance(current, ast.FunctionDef | ast.AsyncFunctionDef):
                current = nodes.parents.get(id(current))
            if current is not None:
                found[id(current)] = current
        return list(found.values())

    def _writes_of(self, statement: ast.stmt, scope: Scope) -> Iterator[Write]:
        for writes in scope.writes.values():
            yield from (write for write in writes if write.node is statement)
        yield from (write for write in scope.stores if write.node is statement)
