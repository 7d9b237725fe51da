"""Made-up values: expressions of nothing but constants, zeros and random numbers, whatever the code around them is given."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from enum import IntEnum
from functools import lru_cache

from verifier.facts.nodes import walk
from verifier.facts.program import External, Program
from verifier.facts.scopes import Scope, tail

RANDOM = frozenset(
    "rand randn randint random uniform normal standard_normal rand_like randn_like randint_like normal_ uniform_ choice gauss randperm "
    "random_sample integers beta betavariate triangular".split()
)
FILLED = frozenset("zeros ones zeros_like ones_like full full_like empty new_zeros new_ones eye new_full empty_like".split())
CONTAINERS = frozenset({"TensorDataset", "DataLoader", "from_tensor_slices", "Subset", "random_split", "from_dict"})
_WRAPPERS = frozenset(
    "tensor array float int asarray as_tensor FloatTensor Tensor float32 float64 abs round list tuple sorted max min Variable".split()
)
_METHODS = frozenset(
    "item to cuda cpu float unsqueeze view reshape astype expand tolist numpy clip round clamp sum mean detach long half copy".split()
)
_DEEPEST = 4


class Origin(IntEnum):
    """What a made-up value is made of; of a compound the highest counts."""

    PLAIN = 0
    CONSTANT = 1
    ZEROS = 2
    RANDOM = 3

    @property
    def words(self) -> str:
        """For messages."""
        return ("a constant", "a constant", "zeros", "random numbers")[self]


def origin(value: ast.expr, scope: Scope, program: Program, depth: int = _DEEPEST) -> Origin | None:
    """What a value is made of, when it is made up; None when it may depend on anything else.

    Args:
        value: an expression of the scope's code.
        scope: its scope; names are followed to their only assignment there.
        program: resolves names.
        depth: how many names are still followed.
    """
    match value:
        case ast.Constant():
            return _of_constant(value)
        case ast.UnaryOp():
            return origin(value.operand, scope, program, depth)
        case ast.BinOp():
            return _highest((value.left, value.right), scope, program, depth)
        case ast.Tuple() | ast.List():
            return _highest(value.elts, scope, program, depth) if value.elts else None
        case ast.Dict():
            numbers = [part for part in value.values if not (isinstance(part, ast.Constant) and isinstance(part.value, str))]
            return _highest(numbers, scope, program, depth) if numbers else None
        case ast.ListComp() | ast.GeneratorExp() | ast.DictComp():
            return origin(value.value if isinstance(value, ast.DictComp) else value.elt, scope, program, depth)
        case ast.Attribute():
            return Origin.PLAIN if value.attr in {"nan", "inf"} else None
        case ast.Name():
            return _of_name(value, scope, program, depth)
        case ast.Call():
            return _of_call(value, scope, program, depth)
    return None


def _of_constant(node: ast.Constant) -> Origin | None:
    if node.value is None or isinstance(node.value, bool):
        return Origin.PLAIN
    return Origin.CONSTANT if isinstance(node.value, int | float) else None


def _highest(parts: Iterable[ast.expr], scope: Scope, program: Program, depth: int) -> Origin | None:
    found = [origin(part, scope, program, depth) for part in parts]
    known = [one for one in found if one is not None]
    return max(known) if known and len(known) == len(found) else None


def _of_name(node: ast.Name, scope: Scope, program: Program, depth: int) -> Origin | None:
    if depth <= 0:
        return None
    writes = program.reaching(node, scope)
    if (
        len(writes) != 1
        or writes[0].kind != "assign"
        or writes[0].value is None
        or writes[0].unpack
        or writes[0].scope is not scope
    ):
        return None
    if any(store.name.split(".")[0] == node.id for store in scope.stores) or _filled_in(node.id, scope):
        return None
    return origin(writes[0].value, scope, program, depth - 1)


def _filled_in(name: str, scope: Scope) -> bool:
    """Whether code fills what a name holds: by an element, a slice or a method that changes it."""
    for call in scope.calls:
        func = call.func
        changes = isinstance(func, ast.Attribute) and isinstance(func.value, ast.Name) and func.value.id == name
        if changes and (
            tail(func).endswith("_") or tail(func) in {"append", "extend", "update", "insert", "add", "fill", "setdefault"}
        ):
            return True
    return name in _subscripted(scope)


@lru_cache(maxsize=16)
def _subscripted(scope: Scope) -> frozenset[str]:
    found = set()
    for node in walk(scope.node):
        if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store) and isinstance(node.value, ast.Name):
            found.add(node.value.id)
    return frozenset(found)


def _of_call(node: ast.Call, scope: Scope, program: Program, depth: int) -> Origin | None:
    name = tail(node.func)
    if name in RANDOM and not _is_own(node.func, scope):
        return Origin.RANDOM
    if name in FILLED:
        return Origin.ZEROS
    if name in (_WRAPPERS | CONTAINERS) and node.args:
        first = node.args[:1] if name in CONTAINERS or len(node.args) == 1 else node.args
        return _highest(first, scope, program, depth)
    if isinstance(node.func, ast.Attribute) and name in _METHODS:
        return origin(node.func.value, scope, program, depth)
    if name in {"Parameter", "Embedding", "Linear"}:
        return None
    if node.args and isinstance(program.resolve(node.func, scope), External):
        found = _highest(node.args, scope, program, depth)
        return found if found is Origin.RANDOM else None
    return None


def _is_own(func: ast.expr, scope: Scope) -> bool:
    """Whether a call named like a source of random numbers is a method of the object itself."""
    return isinstance(func, ast.Attribute) and isinstance(func.value, ast.Name) and func.value.id == scope.receiver
