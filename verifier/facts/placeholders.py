"""Placeholders: statements that stand where a computation should be.

Four kinds are told apart. A function whose whole body does nothing (`pass`, `...`, `raise NotImplementedError`, messages); a function that
ignores what it is given and returns a constant, zeros or random numbers, where its name or a comment says that it should compute
something; a function that says so of itself; and a single statement that a comment marks so. Abstract methods, protocols, overloads,
exceptions, no-ops beside a real sibling, early returns and accumulators that start at zero are none of these.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cached_property

from verifier.facts.placeholder_branches import certain_stub
from verifier.facts.placeholder_marks import ADMITS, Remarks, because
from verifier.facts.placeholder_syntax import (
    class_bases,
    is_ellipsis,
    is_empty,
    is_idle,
    is_not_implemented,
    only_shapes,
    own_statements,
    parameters,
    parents,
    short,
    without_docstring,
    works,
    yields,
)
from verifier.facts.placeholder_values import CONTAINERS, FILLED, RANDOM, Origin, origin
from verifier.facts.program import Program
from verifier.facts.scopes import Scope, tail
from verifier.lexicon import load_lexicon
from verifier.lexicon.marks import Mark, PlaceholderMarks
from verifier.model.facts import Placeholder

COMPUTES = re.compile(
    r"^_*(?:compute|calculate|calc|evaluate|eval|estimate|measure|extract|predict|score|get_(?:metric|score|feature|fid|accuracy|loss))"
    r"|(?:loss|fid|kid|metric|score|accuracy|precision|recall|f1|auc|bleu|rouge|psnr|ssim|lpips|error|rmse|mse|mae|divergence|distance|"
    r"perplexity|entropy|likelihood|similarity|regret|coverage|return|reward|penalty|regularizer|advantage|objective|elbo|log_prob|"
    r"jacobian|hessian|laplacian|embedding|feature|importance|saliency|attribution|uncertainty)(?:_|s?$)|^_*(?:kl|mmd|elbo|js|tv|mi)_",
    re.IGNORECASE,
)
LOADS = re.compile(
    r"^_*(?:load|read|fetch|download|get|prepare|build|make|create)_.*(?:data|dataset|loader|split|images|frames|samples|corpus)",
    re.IGNORECASE,
)
TELLS = re.compile(r"(?:^|_)(?:log|print|info|warn|warning|debug|report|show|display|notify|echo|hook)(?:_|$|s$)", re.IGNORECASE)
HOOKS = re.compile(r"^(?:on_|reset$|close$|render$|__|setup$|teardown$|seed$|flush$|log|callback|before_|after_)")
RESULT = re.compile(
    r"(?:fid|kid|score|accuracy|acc|precision|recall|f1|auc|auroc|bleu|rouge\w?|psnr|ssim|lpips|rmse|mse|mae|perplexity|ppl|wer|map|miou|"
    r"iou|dice|ece|success_rate|win_rate)(?:_|$|s$)",
    re.IGNORECASE,
)
BOUND = re.compile(
    r"target|best|thresh|min|max|baseline|paper|expected|ref|init|weight|coef|lambda|goal|limit|tol|eps", re.IGNORECASE
)
EMPTY = {"FakeData": "a data set of made-up images", "Identity": "a layer that does nothing"}
SHAPE_ONLY = frozenset({"shape", "size", "device", "dtype", "ndim", "new_zeros", "new_ones", "new_full", "__len__"})
_GENERATES = re.compile(
    r"sampl|noise|random|init|generat|augment|prompt|label|perturb|mask|simulat|jitter|bootstrap", re.IGNORECASE
)
_TOYS = re.compile(r"synthetic|toy|simul|gauss|noise|generat|sampl|random|artificial|make_", re.IGNORECASE)
_DRAWS = re.compile(
    r"draw|crop|flip|shuffl|permut|split|select|choose|pick|explor|act(?:ion)?s?$|policy|latent|prior|mutat|aug|baseline|seed",
    re.IGNORECASE,
)
_SIZES = re.compile(
    r"^(?:n|k|m|b|d|t|num|count|seed|rng|key|generator|device|dtype|length|batch|dims?)$|^(?:n|num)_|(?:size|shape|dim|len|count|device)$",
    re.IGNORECASE,
)
_CHECKS = re.compile(r"(?:^|_)(?:validate|check|verify|ensure|assert)(?:_|$)", re.IGNORECASE)
_PATHS = re.compile(r"(?:path|root|dir|folder|file|url)", re.IGNORECASE)


class Placeholders:
    """Which functions, classes and statements of a program are placeholders.

    Args:
        program: the program to look at.
        marks: words that mark placeholders; those of the shipped rules when None.
    """

    def __init__(self, program: Program, marks: PlaceholderMarks | None = None) -> None:
        self.program = program
        self.marks = marks or load_lexicon().placeholder_marks
        self._known: dict[int, Placeholder | None] = {}
        self._resting: dict[int, Placeholder | None] = {}
        self.remarks = Remarks(self.marks)

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

            def stub_of(call: ast.Call) -> Placeholder | None:
                target = self.program.resolve(call.func, scope)
                helps = isinstance(target, Scope) and target.is_function and target is not scope
                return self.resting_on(target, depth - 1) if isinstance(target, Scope) and helps else None

            body = [] if isinstance(scope.node, ast.Lambda) else scope.node.body
            self._resting[id(scope)] = certain_stub(body, stub_of)
        return self._resting[id(scope)]

    def statement(self, node: ast.stmt, scope: Scope) -> Placeholder | None:
        """A single marked statement that assigns or returns something made up."""
        value = getattr(node, "value", None)
        if not isinstance(node, ast.Assign | ast.AnnAssign | ast.Return) or value is None:
            return None
        found = self.remarks.at(node, scope)
        if found is None or self._is_aside(node, scope):
            return None
        made = origin(value, scope, self.program)
        if made is None or made is Origin.PLAIN or not self._shows(found[0], made, node, scope):
            return None
        return Placeholder(scope.location(node), f"marked as a placeholder ({short(found[1])})")

    @staticmethod
    def _shows(mark: Mark, made: Origin, node: ast.Assign | ast.AnnAssign | ast.Return, scope: Scope) -> bool:
        """Whether a mark beside a made-up value shows a placeholder: a hint does for random numbers that nothing asks for."""
        if mark.sure or mark.name == "for now":
            return mark.sure or made is not Origin.CONSTANT
        target = ast.unparse(node.targets[0]) if isinstance(node, ast.Assign) else scope.name
        return made is Origin.RANDOM and not _GENERATES.search(target)

    def _is_aside(self, node: ast.stmt, scope: Scope) -> bool:
        """Whether a statement belongs to what is done after an error, or to a module's own try-out."""
        for part in ast.walk(scope.node):
            main = isinstance(part, ast.If) and scope.is_module and "__name__" in ast.unparse(part.test)
            if (isinstance(part, ast.ExceptHandler) or main) and any(inner is node for inner in ast.walk(part)):
                return True
        return False

    def made_up(self, name: str, value: ast.expr, scope: Scope) -> Placeholder | None:
        """What makes a value no result at all: a written or random number under a result's name, made-up data, an empty layer."""
        if isinstance(value, ast.Call) and tail(value.func) in EMPTY:
            return Placeholder(scope.location(value), f"{name} is {EMPTY[tail(value.func)]}")
        if isinstance(value, ast.Constant):
            given = (
                isinstance(value.value, float)
                and value.value not in {0.0, 1.0}
                and RESULT.search(name)
                and not BOUND.search(name)
            )
            return Placeholder(scope.location(value), f"{name} is a written number, not computed") if given else None
        if isinstance(value, ast.Call) and tail(value.func) in CONTAINERS and origin(value, scope, self.program) is not None:
            return Placeholder(scope.location(value), "a data set of made-up numbers")
        if (COMPUTES.search(name) or RESULT.search(name)) and origin(value, scope, self.program) is Origin.RANDOM:
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
            if self.remarks.comments(scope) and not isinstance(scope.node, ast.Lambda):
                for statement in own_statements(scope.node.body):
                    single = self.statement(statement, scope)
                    if single is not None:
                        found.append((scope, single))
        return tuple(found)

    # --- functions ------------------------------------------------------------------------------------------------------

    def _function(self, scope: Scope) -> Placeholder | None:
        node = scope.node
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) or self._excused(scope, node):
            return None
        body = without_docstring(node.body)
        if not body:
            return (
                None
                if scope.is_method and HOOKS.search(scope.name)
                else Placeholder(scope.location(node), "a body that is only a docstring")
            )
        last = body[-1]
        if isinstance(last, ast.Raise) and all(is_idle(part) for part in body[:-1]) and self._is_unimplemented(last):
            return Placeholder(
                scope.location(last),
                "raises NotImplementedError" if is_not_implemented(last) else "raises that it is not implemented",
            )
        if all(is_idle(part) for part in body):
            if self._is_no_op(scope, node) or (_CHECKS.search(scope.name) and any(isinstance(part, ast.If) for part in body)):
                return None
            what = "pass" if isinstance(last, ast.Pass) else "..." if is_ellipsis(last) else "a message"
            return Placeholder(scope.location(last), f"only {what}")
        return (
            self._returns_nothing(scope, node, body)
            or self._returns_made_up(scope, node, body)
            or self._admits(scope, node, body)
        )

    def _is_unimplemented(self, node: ast.Raise) -> bool:
        if is_not_implemented(node):
            return True
        texts = [part.value for part in ast.walk(node) if isinstance(part, ast.Constant) and isinstance(part.value, str)]
        return any((mark := self.marks.in_message(text)) is not None and mark.sure for text in texts)

    def _returns_nothing(
        self, scope: Scope, node: ast.FunctionDef | ast.AsyncFunctionDef, body: list[ast.stmt]
    ) -> Placeholder | None:
        """A function that should compute or load something, but only speaks and returns an empty answer."""
        last = body[-1]
        if not isinstance(last, ast.Return) or not all(is_idle(part) for part in body[:-1]) or not is_empty(last.value):
            return None
        named = COMPUTES.search(node.name) or LOADS.search(node.name)
        mark = self.remarks.inside(node, scope)
        if mark is None and not (named and parameters(scope) and isinstance(last.value, ast.Dict)):
            return None
        return Placeholder(scope.location(last), f"returns nothing{because(mark)}")

    def _returns_made_up(
        self, scope: Scope, node: ast.FunctionDef | ast.AsyncFunctionDef, body: list[ast.stmt]
    ) -> Placeholder | None:
        if node.name.startswith("__") and node.name not in {"__call__", "__getitem__", "__iter__"}:
            return None
        returns = [part for part in own_statements(body) if isinstance(part, ast.Return)]
        values = [part.value for part in returns if part.value is not None]
        if not values or len(values) < len(returns) or any(yields(part) for part in own_statements(body)):
            return None
        origins = [origin(value, scope, self.program) for value in values]
        made = [one for one in origins if one is not None]
        if len(made) < len(origins):
            return None
        mark = self.remarks.inside(node, scope)
        drawn = mark is not None and max(made) is Origin.RANDOM and not _draws(scope)
        if not drawn and self._uses_parameters(scope, node):
            return None
        if mark is None and not self._should_depend(scope, node, made):
            return None
        return Placeholder(scope.location(returns[-1]), f"returns {made[-1].words} whatever it is given{because(mark)}")

    def _should_depend(self, scope: Scope, node: ast.FunctionDef | ast.AsyncFunctionDef, made: list[Origin]) -> bool:
        """Whether a function that bears no mark is no function at all without its parameters."""
        if node.name == "__getitem__" and max(made) is Origin.RANDOM:
            return not _TOYS.search(" ".join(scope.names))
        if max(made) is Origin.PLAIN or self._has_real_sibling(scope):
            return False
        if max(made) is Origin.RANDOM and _returns_data(node) and not _TOYS.search(" ".join(scope.names)):
            return True
        if max(made) is Origin.RANDOM and not _draws(scope) and not all(_SIZES.search(name) for name in parameters(scope)):
            return True
        if LOADS.search(node.name) and max(made) is Origin.RANDOM:
            ignored = any(_PATHS.search(name) for name in parameters(scope))
            return ignored or any(entity.kind == "dataset" for _, _, entity in load_lexicon().find_entities(node.name))
        given = parameters(scope)
        sizes = max(made) is not Origin.CONSTANT and all(_SIZES.search(name) for name in given)
        return bool(COMPUTES.search(node.name)) and bool(given) and not sizes

    def _admits(self, scope: Scope, node: ast.FunctionDef | ast.AsyncFunctionDef, body: list[ast.stmt]) -> Placeholder | None:
        """A function whose docstring, or whose comment on what it returns, says that something else should stand there."""
        last = body[-1]
        if not isinstance(last, ast.Return) or last.value is None:
            return None
        found = self.remarks.at(last, scope)
        said = found[1] if found is not None and found[0].name in ADMITS else self.remarks.admission(node, scope)
        if not said and len(body) == 1 and isinstance(last.value, ast.Name) and last.value.id in parameters(scope):
            mark = self.remarks.inside(node, scope)
            if mark is not None and mark[0].sure:
                return Placeholder(scope.location(last), f"returns its input{because(mark)}")
        return Placeholder(scope.location(last), f"says that it is a placeholder ({short(said)})") if said else None

    def _uses_parameters(self, scope: Scope, node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
        """Whether the function looks at more of its parameters than their shape and device."""
        names = set(parameters(scope))
        table = parents(node)
        for load in scope.loads:
            if load.id in names or load.id == scope.receiver:
                parent = table.get(id(load))
                call = table.get(id(parent)) if isinstance(parent, ast.keyword) else None
                if isinstance(call, ast.Call) and tail(call.func) in CONTAINERS:
                    continue
                if not (_is_shape(load, parent) or only_shapes(load, table)) and not (
                    load.id == scope.receiver and isinstance(parent, ast.Attribute)
                ):
                    return True
        return any(child.loads for child in scope.children)

    # --- what excuses a function ----------------------------------------------------------------------------------------

    def _excused(self, scope: Scope, node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
        names = {tail(decorator) for decorator in node.decorator_list}
        if names & {"abstractmethod", "overload", "abstractproperty", "abstractclassmethod", "setter", "implements"}:
            return True
        if not scope.is_method or scope.parent is None:
            return False
        cls = scope.parent
        if any(isinstance(base, ast.Name | ast.Attribute) and tail(base) in {"Protocol", "ABC"} for base in class_bases(cls)):
            return True
        return any(node.name in subclass.writes for subclass in self._below(cls))

    def _below(self, cls: Scope) -> Iterator[Scope]:
        for subclass in self.program.subclasses.get(id(cls), ()):
            yield subclass
            yield from self.program.subclasses.get(id(subclass), ())

    def _is_no_op(self, scope: Scope, node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
        """Whether doing nothing is what the function is for."""
        if (scope.is_method and HOOKS.search(scope.name)) or TELLS.search(scope.name):
            return True
        mark = self.remarks.inside(node, scope)
        if mark is not None and mark[0].sure:
            return False
        spoken = all(isinstance(part, ast.Expr) and isinstance(part.value, ast.Call) for part in without_docstring(node.body))
        if spoken and not parameters(scope) and not COMPUTES.search(node.name):
            return True
        return self.remarks.on_purpose(node, scope) or self._has_real_sibling(scope)

    def _has_real_sibling(self, scope: Scope) -> bool:
        """Whether another class of the same base, or beside this one, does something under the name, and this class does other things."""
        cls = scope.parent if scope.is_method else None
        if cls is None or cls.parent is None:
            return False
        bases = {id(base) for base in self.program.mro(cls)[1:] if isinstance(base, Scope)}
        related = [one for base in bases for one in self.program.subclasses.get(base, ())]
        related += [one for one in cls.parent.children if one.is_class]
        others = (
            child for one in related if one is not cls for child in one.children if child.name == scope.name and child.is_method
        )
        return any(works(child) for child in others) and any(works(child) for child in cls.children if child.name[:2] != "__")

    # --- classes --------------------------------------------------------------------------------------------------------

    def _class(self, scope: Scope) -> Placeholder | None:
        node = scope.node
        assert isinstance(node, ast.ClassDef)
        body = without_docstring(node.body)
        if all(is_idle(part) for part in body):
            empty = any(isinstance(part, ast.Pass) or is_ellipsis(part) for part in body)
            named = re.search(r"(?:config|args|namespace|options|state|params|dict|opts?|struct)$", node.name, re.IGNORECASE)
            real = bool(node.bases or node.keywords or node.decorator_list or named)
            if real or not empty or next(self._below(scope), None) is not None:
                return None
            return Placeholder(scope.location(body[-1]), "an empty class")
        methods = [child for child in scope.children if child.is_method and not child.name.startswith("__")]
        stubs = [self.of(method) for method in methods]
        main = next((child for child in scope.children if child.name in {"forward", "__call__", "__getitem__"}), None)
        if main is not None and self.of(main) is not None:
            return self.of(main)
        noise = self._holds_noise(scope, main) if main is not None and main.name == "__getitem__" else None
        if noise is not None:
            return noise
        idle = all(stub is not None or not works(method) for stub, method in zip(stubs, methods, strict=True))
        return next((stub for stub in stubs if stub is not None), None) if idle else None

    def _holds_noise(self, cls: Scope, main: Scope) -> Placeholder | None:
        """A named data set whose items are random numbers that it made at its construction."""
        if _TOYS.search(cls.name) or not any(entity.kind == "dataset" for _, _, entity in load_lexicon().find_entities(cls.name)):
            return None
        read = {node.attr for node in main.attributes if isinstance(node.value, ast.Name) and node.value.id == main.receiver}
        stores = [write for method in cls.children for write in method.stores if write.name.rpartition(".")[2] in read]
        values = [(write, origin(write.value, write.scope, self.program)) for write in stores if write.value is not None]
        random = [write for write, made in values if made is Origin.RANDOM]
        if not random or len(random) < len(stores):
            return None
        return Placeholder(random[0].location, "a data set of random numbers")


def _draws(scope: Scope) -> bool:
    """Whether random numbers are what the names of a function and its class promise."""
    outer = scope.parent.name if scope.is_method and scope.parent is not None else ""
    return any(pattern.search(f"{outer} {scope.name}") for pattern in (_GENERATES, _TOYS, _DRAWS))


def _is_shape(load: ast.Name, parent: ast.AST | None) -> bool:
    """Whether a parameter is only read for its shape and device, for how many random numbers to make, or for a message."""
    if isinstance(parent, ast.Attribute):
        return parent.attr in SHAPE_ONLY or parent.attr in {"eval", "train", "to", "cuda", "cpu"}
    if isinstance(parent, ast.Call):
        return load in parent.args and tail(parent.func) in (FILLED | RANDOM | {"len", "print", "range"})
    return isinstance(parent, ast.FormattedValue)


def _returns_data(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether a function returns a data set or loader."""
    returned = (part.value for part in own_statements(node.body) if isinstance(part, ast.Return))
    return any(isinstance(value, ast.Call) and tail(value.func) in CONTAINERS for value in returned)
