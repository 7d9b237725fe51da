"""Placeholders: statements that stand where a computation should be.

Three kinds are told apart. A function whose whole body does nothing (`pass`, `...`, `raise NotImplementedError`); a function that
ignores what it is given and returns a constant, zeros or random numbers, where its name or a comment says that it should compute
something; and a single statement that a comment marks so. Abstract methods, protocols, overloads, exceptions, hooks with a real
sibling, early returns and accumulators that start at zero are none of these.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cached_property

from verifier.facts.program import Program
from verifier.facts.scopes import Scope, tail
from verifier.model.facts import Placeholder

MARK = re.compile(
    r"\b(?:todo|fixme|xxx|placeholders?|dummy|mock(?:ed|s)?|stub(?:bed)?|fake|not (?:yet )?(?:been )?(?:implemented|ported|supported)|"
    r"to be (?:implemented|done|added)|implement (?:me|this|later)|simulat(?:e|ed|ing)|for now|in (?:practice|a real|reality)|hard-?coded|"
    r"made[- ]up|would (?:be|go|need|require)|should be replaced|replace (?:this )?with|simplif(?:y|ied|ication)|pretend|synthetic)\b",
    re.IGNORECASE,
)
COMPUTES = re.compile(
    r"^_*(?:compute|calculate|calc|evaluate|eval|estimate|measure|extract|predict|score|get_(?:metric|score|feature|fid|accuracy|loss))"
    r"|(?:loss|fid|kid|metric|score|accuracy|precision|recall|f1|auc|bleu|rouge|psnr|ssim|lpips|error|rmse|mse|mae|divergence|distance|"
    r"perplexity|entropy|likelihood|similarity|regret|coverage|return|reward)(?:_|s?$)",
    re.IGNORECASE,
)
RANDOM = frozenset(
    {
        "rand",
        "randn",
        "randint",
        "random",
        "uniform",
        "normal",
        "standard_normal",
        "rand_like",
        "randn_like",
        "normal_",
        "uniform_",
        "choice",
        "gauss",
    }
)
FILLED = frozenset(
    {
        "zeros",
        "ones",
        "zeros_like",
        "ones_like",
        "full",
        "full_like",
        "empty",
        "new_zeros",
        "new_ones",
        "eye",
        "new_full",
        "empty_like",
    }
)
WRAPPERS = frozenset(
    {"tensor", "array", "float", "int", "asarray", "as_tensor", "FloatTensor", "Tensor", "float32", "float64", "abs"}
)
CONTAINERS = frozenset({"TensorDataset", "DataLoader", "from_tensor_slices", "Subset", "random_split", "from_dict"})
SHAPE_ONLY = frozenset({"shape", "size", "device", "dtype", "ndim", "new_zeros", "new_ones", "new_full", "__len__"})
HOOKS = re.compile(r"^(?:on_|reset$|close$|render$|__|setup$|teardown$|seed$|flush$|log|callback|before_|after_)")


class Placeholders:
    """Which functions, classes and statements of a program are placeholders.

    Args:
        program: the program to look at.
    """

    def __init__(self, program: Program) -> None:
        self.program = program
        self._known: dict[int, Placeholder | None] = {}
        self._resting: dict[int, Placeholder | None] = {}
        self._marks: dict[str, dict[int, str]] = {}

    def of(self, scope: Scope) -> Placeholder | None:
        """The statement that makes a function or class a placeholder; None when it is a real one."""
        if id(scope) not in self._known:
            self._known[id(scope)] = self._class(scope) if scope.is_class else self._function(scope)
        return self._known[id(scope)]

    def resting_on(self, scope: Scope, depth: int = 3) -> Placeholder | None:
        """The placeholder that a function is, or that its result depends on through the helpers that it calls."""
        own = self.of(scope)
        if own is not None or depth <= 0 or not scope.is_function:
            return own
        if id(scope) not in self._resting:
            self._resting[id(scope)] = None
            for call in scope.calls:
                target = self.program.resolve(call.func, scope)
                if isinstance(target, Scope) and target.is_function and target is not scope and _result_is_used(scope, call):
                    found = self.resting_on(target, depth - 1)
                    if found is not None:
                        self._resting[id(scope)] = found
                        break
        return self._resting[id(scope)]

    def marked(self, node: ast.stmt | ast.expr, scope: Scope) -> str:
        """The comment that marks a statement as a placeholder: on its line or alone on the line above; empty when none does."""
        marks = self._marks_of(scope)
        own = marks.get(node.lineno) or marks.get(getattr(node, "end_lineno", 0) or 0)
        if own:
            return own
        above = marks.get(node.lineno - 1, "")
        return above if above and self._comment_alone(node.lineno - 1, scope) else ""

    def statement(self, node: ast.stmt, scope: Scope) -> Placeholder | None:
        """A single marked statement that assigns or returns something made up."""
        value = getattr(node, "value", None)
        if not isinstance(node, ast.Assign | ast.AnnAssign | ast.Return) or value is None or not _made_up(value):
            return None
        mark = self.marked(node, scope)
        return Placeholder(scope.location(node), f"marked as a placeholder ({_short(mark)})") if mark else None

    def made_up(self, name: str, value: ast.expr, scope: Scope) -> Placeholder | None:
        """What makes a value no result at all: random numbers under the name of a result, a data set of random numbers."""
        if isinstance(value, ast.Call) and tail(value.func) in CONTAINERS and _made_up(value):
            return Placeholder(scope.location(value), "a data set of made-up numbers")
        if COMPUTES.search(name) and _is_random(value) and _made_up(value):
            return Placeholder(scope.location(value), f"{name} is a random number")
        return None

    @cached_property
    def all(self) -> tuple[tuple[Scope, Placeholder], ...]:
        """Every function, class or marked statement that is a placeholder, with the scope it stands in."""
        found: list[tuple[Scope, Placeholder]] = []
        for scope in self.program.scopes:
            own = None if scope.is_module else self.of(scope)
            if own is not None:
                found.append((scope, own))
                continue
            if self._marks_of(scope) and not isinstance(scope.node, ast.Lambda):
                for statement in _own_statements(scope.node.body):
                    single = self.statement(statement, scope)
                    if single is not None:
                        found.append((scope, single))
        return tuple(found)

    # --- functions ------------------------------------------------------------------------------------------------------

    def _function(self, scope: Scope) -> Placeholder | None:
        node = scope.node
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) or self._excused(scope, node):
            return None
        body = _without_docstring(node.body)
        if not body:
            return None if self._is_hook(scope) else Placeholder(scope.location(node), "a body that is only a docstring")
        last = body[-1]
        if isinstance(last, ast.Raise) and _is_not_implemented(last) and all(_is_idle(part) for part in body[:-1]):
            return Placeholder(scope.location(last), "raises NotImplementedError")
        if all(_is_idle(part) for part in body):
            if self._is_hook(scope):
                return None
            what = "pass" if isinstance(last, ast.Pass) else "..." if _is_ellipsis(last) else "a message"
            return Placeholder(scope.location(last), f"only {what}")
        return self._returns_made_up(scope, node, body)

    def _returns_made_up(
        self, scope: Scope, node: ast.FunctionDef | ast.AsyncFunctionDef, body: list[ast.stmt]
    ) -> Placeholder | None:
        returns = [part for part in _own_statements(body) if isinstance(part, ast.Return)]
        if not returns or any(part.value is None for part in returns) or any(_yields(part) for part in _own_statements(body)):
            return None
        values = [self._returned(part, scope) for part in returns]
        if not all(_made_up(value) for value in values) or self._uses_parameters(scope, node):
            return None
        mark = self._mark_inside(node, scope)
        last = returns[-1]
        computes = bool(COMPUTES.search(node.name)) and bool(_parameters(scope))
        if not mark and not computes:
            return None
        if not mark and all(_is_plain(value) for value in values):
            return None
        value = values[-1]
        what = "random numbers" if _is_random(value) else "zeros" if _is_filled(value) else "a constant"
        reason = f"returns {what} whatever it is given"
        return Placeholder(scope.location(last), f"{reason} ({_short(mark)})" if mark else reason)

    def _returned(self, node: ast.Return, scope: Scope) -> ast.expr:
        assert node.value is not None
        if isinstance(node.value, ast.Name):
            writes = self.program.reaching(node.value, scope)
            if len(writes) == 1 and writes[0].kind == "assign" and writes[0].value is not None and not writes[0].unpack:
                return writes[0].value
        return node.value

    def _uses_parameters(self, scope: Scope, node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
        """Whether the function looks at more of its parameters than their shape and device."""
        names = set(_parameters(scope))
        parents = _parents(node)
        for load in scope.loads:
            if load.id not in names and load.id != scope.receiver:
                continue
            parent = parents.get(id(load))
            if isinstance(parent, ast.Attribute) and (
                parent.attr in SHAPE_ONLY or parent.attr in {"eval", "train", "to", "cuda", "cpu"}
            ):
                continue
            if isinstance(parent, ast.Call) and load in parent.args and tail(parent.func) in (FILLED | RANDOM | {"len", "print"}):
                continue
            if load.id == scope.receiver and isinstance(parent, ast.Attribute):
                continue
            if isinstance(parent, ast.FormattedValue):
                continue
            return True
        return any(isinstance(child, Scope) and child.loads for child in scope.children)

    def _mark_inside(self, node: ast.FunctionDef | ast.AsyncFunctionDef, scope: Scope) -> str:
        marks = self._marks_of(scope)
        for line in range(node.lineno, (node.end_lineno or node.lineno) + 1):
            if line in marks:
                return marks[line]
        docstring = ast.get_docstring(node) or ""
        found = MARK.search(docstring)
        if found:
            return found.group(0)
        printed = (string.value for string in scope.strings if isinstance(string.value, str) and string.value != docstring)
        return next((text for text in printed if MARK.search(text)), "")

    def _excused(self, scope: Scope, node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
        names = {tail(decorator) for decorator in node.decorator_list}
        if names & {"abstractmethod", "overload", "abstractproperty", "abstractclassmethod", "setter", "implements"}:
            return True
        if not scope.is_method or scope.parent is None:
            return False
        cls = scope.parent
        if any(isinstance(base, ast.Name | ast.Attribute) and tail(base) in {"Protocol", "ABC"} for base in _class_bases(cls)):
            return True
        return any(node.name in subclass.writes for subclass in self._below(cls))

    def _below(self, cls: Scope) -> Iterator[Scope]:
        for subclass in self.program.subclasses.get(id(cls), ()):
            yield subclass
            for deeper in self.program.subclasses.get(id(subclass), ()):
                yield deeper

    def _is_hook(self, scope: Scope) -> bool:
        return scope.is_method and HOOKS.search(scope.name) is not None

    # --- classes --------------------------------------------------------------------------------------------------------

    def _class(self, scope: Scope) -> Placeholder | None:
        node = scope.node
        assert isinstance(node, ast.ClassDef)
        body = _without_docstring(node.body)
        if all(_is_idle(part) for part in body):
            if (
                node.bases
                or node.keywords
                or node.decorator_list
                or self._below_any(scope)
                or not any(isinstance(part, ast.Pass) or _is_ellipsis(part) for part in body)
            ):
                return None
            return Placeholder(scope.location(body[-1]), "an empty class")
        methods = [child for child in scope.children if child.is_method and not child.name.startswith("__")]
        stubs = [self.of(method) for method in methods]
        call = next((child for child in scope.children if child.name in {"forward", "__call__"}), None)
        if call is not None and self.of(call) is not None:
            return self.of(call)
        return stubs[0] if stubs and all(stub is not None for stub in stubs) else None

    def _below_any(self, scope: Scope) -> bool:
        return next(self._below(scope), None) is not None

    # --- comments -------------------------------------------------------------------------------------------------------

    def _marks_of(self, scope: Scope) -> dict[int, str]:
        file = scope.file
        if file.path not in self._marks:
            self._marks[file.path] = {line: text.strip() for line, text in file.comments if MARK.search(text)}
        return self._marks[file.path]

    def _comment_alone(self, line: int, scope: Scope) -> bool:
        lines = scope.file.text.split("\n")
        return 0 < line <= len(lines) and lines[line - 1].lstrip().startswith("#")


def _parameters(scope: Scope) -> list[str]:
    return [name for name, writes in scope.writes.items() if writes[0].kind == "param" and name != scope.receiver]


def _class_bases(cls: Scope) -> list[ast.expr]:
    return cls.node.bases if isinstance(cls.node, ast.ClassDef) else []


def _without_docstring(body: list[ast.stmt]) -> list[ast.stmt]:
    first = body[0] if body else None
    if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str):
        return body[1:]
    return body


def _own_statements(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    stack = list(reversed(body))
    while stack:
        node = stack.pop()
        yield node
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            continue
        for child in reversed(list(ast.iter_child_nodes(node))):
            if isinstance(child, ast.stmt):
                stack.append(child)
            elif isinstance(child, ast.ExceptHandler | ast.match_case):
                stack.extend(reversed(child.body))


def _is_ellipsis(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and node.value.value is ...


def _is_idle(node: ast.stmt) -> bool:
    """Whether a statement does nothing but speak."""
    if isinstance(node, ast.Pass | ast.Import | ast.ImportFrom) or _is_ellipsis(node):
        return True
    if isinstance(node, ast.Expr):
        value = node.value
        if isinstance(value, ast.Constant):
            return True
        return isinstance(value, ast.Call) and tail(value.func) in {"print", "info", "warning", "warn", "debug"}
    return False


def _is_not_implemented(node: ast.Raise) -> bool:
    raised = node.exc
    return raised is not None and tail(raised) in {"NotImplementedError", "NotImplemented"}


def _yields(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr | ast.Assign) and isinstance(node.value, ast.Yield | ast.YieldFrom)


def _made_up(value: ast.expr) -> bool:
    """Whether an expression is made of nothing but constants, zeros and random numbers."""
    match value:
        case ast.Constant():
            return value.value is not ... and not isinstance(value.value, str)
        case ast.UnaryOp():
            return _made_up(value.operand)
        case ast.BinOp():
            return _made_up(value.left) and _made_up(value.right)
        case ast.Tuple() | ast.List():
            return bool(value.elts) and all(_made_up(part) for part in value.elts)
        case ast.Dict():
            return bool(value.values) and all(_made_up(part) for part in value.values)
        case ast.Attribute():
            return value.attr in {"nan", "inf"}
        case ast.Call():
            return _is_random(value) or _is_filled(value) or _is_wrapped(value)
    return False


def _is_wrapped(value: ast.Call) -> bool:
    if tail(value.func) in WRAPPERS and value.args:
        return _made_up(value.args[0])
    if tail(value.func) in CONTAINERS and value.args:
        return _made_up(value.args[0])
    if isinstance(value.func, ast.Attribute) and tail(value.func) in {
        "item",
        "to",
        "cuda",
        "float",
        "unsqueeze",
        "view",
        "reshape",
        "astype",
        "expand",
    }:
        return _made_up(value.func.value)
    return False


def _is_random(value: ast.expr) -> bool:
    if isinstance(value, ast.Dict | ast.Tuple | ast.List):
        parts = value.values if isinstance(value, ast.Dict) else value.elts
        return any(_is_random(part) for part in parts)
    if isinstance(value, ast.BinOp):
        return _is_random(value.left) or _is_random(value.right)
    return isinstance(value, ast.Call) and (
        tail(value.func) in RANDOM
        or (
            _is_wrapped(value)
            and any(_is_random(part) for part in ast.walk(value) if part is not value and isinstance(part, ast.Call))
        )
    )


def _is_filled(value: ast.expr) -> bool:
    return isinstance(value, ast.Call) and tail(value.func) in FILLED


def _is_plain(value: ast.expr) -> bool:
    """A boolean, None or empty answer: a legitimate default, unless a comment says otherwise."""
    return isinstance(value, ast.Constant) and (value.value is None or isinstance(value.value, bool))


def _parents(root: ast.AST) -> dict[int, ast.AST]:
    return {id(child): node for node in ast.walk(root) for child in ast.iter_child_nodes(node)}


def _result_is_used(scope: Scope, call: ast.Call) -> bool:
    if isinstance(scope.node, ast.Lambda):
        return True
    assert isinstance(scope.node, ast.FunctionDef | ast.AsyncFunctionDef)
    return not any(isinstance(part, ast.Expr) and part.value is call for part in _own_statements(scope.node.body))


def _short(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= 60 else f"{text[:57]}..."
