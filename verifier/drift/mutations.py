"""Mutations: small wrong edits at a given line, written with libcst so that everything else stays as it is.

The operators are those of mutation testing (DeMillo, Lipton, Sayward: Hints on Test Data Selection, 1978) as far as they make semantic
drift: another constant, another sign or operator, a placeholder instead of a computation, two statements swapped.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import libcst as cst
from libcst.metadata import MetadataWrapper, PositionProvider

FLIPS: dict[type[cst.BaseBinaryOp], type[cst.BaseBinaryOp]] = {
    cst.Add: cst.Subtract,
    cst.Subtract: cst.Add,
    cst.Multiply: cst.Divide,
    cst.Divide: cst.Multiply,
}


@dataclass(frozen=True, slots=True)
class Mutation:
    """One planted fault.

    Attributes:
        kind: `value`, `operator`, `placeholder` or `order`.
        line: where.
        text: the whole changed file.
        what: what was changed, in a few words.
    """

    kind: str
    line: int
    text: str
    what: str


def another_value(text: str, line: int) -> list[Mutation]:
    """The file with one number of a line changed, once for each number.

    Args:
        text: a file; Python if it parses, else any text (a configuration file).
        line: counted from 1.
    """
    module = _parsed(text)
    if module is None:
        return _textual(text, line)
    found = _Numbers(line)
    MetadataWrapper(module).visit(found)
    return [_numbered(text, line, index, number) for index, number in enumerate(found.numbers)]


def _numbered(text: str, line: int, index: int, number: str) -> Mutation:
    changed = MetadataWrapper(cst.parse_module(text)).visit(_ChangeNumber(line, index))
    return Mutation("value", line, changed.code, f"{number} becomes {_other(number)}")


def another_operator(text: str, line: int, end_line: int) -> list[Mutation]:
    """The file with one arithmetic operator between two lines turned round, once for each."""
    module = _parsed(text)
    if module is None:
        return []
    found = _Operators(line, end_line)
    MetadataWrapper(module).visit(found)
    mutations = []
    for index, (where, before) in enumerate(found.operators):
        changed = MetadataWrapper(cst.parse_module(text)).visit(_Flip(line, end_line, index))
        mutations.append(Mutation("operator", where, changed.code, f"{before} is turned round"))
    return mutations


def placeholder(text: str, line: int) -> list[Mutation]:
    """The file with the body of the function around a line replaced by a constant and a TODO; empty when there is none."""
    module = _parsed(text)
    if module is None:
        return []
    stub = _Stub(line)
    changed = MetadataWrapper(module).visit(stub)
    return [Mutation("placeholder", line, changed.code, f"{stub.done} returns 0.0")] if stub.done else []


def swapped(text: str, first: int, second: int) -> list[Mutation]:
    """The file with the two statements on two lines of one block exchanged; empty when they are not in one block."""
    module = _parsed(text)
    if module is None or first == second:
        return []
    swap = _Swap(first, second)
    changed = MetadataWrapper(module).visit(swap)
    return [Mutation("order", second, changed.code, f"lines {first} and {second} change places")] if swap.done else []


def _parsed(text: str) -> cst.Module | None:
    try:
        return cst.parse_module(text)
    except (cst.ParserSyntaxError, RecursionError):
        return None


_NUMBER = re.compile(r"(?<![\w.])\d+(?:\.\d+)?(?:[eE][-+]?\d+)?(?![\w.])")


def _textual(text: str, line: int) -> list[Mutation]:
    lines = text.split("\n")
    if not 0 < line <= len(lines):
        return []
    found = []
    for match in _NUMBER.finditer(lines[line - 1]):
        changed = lines[line - 1][: match.start()] + _other(match.group()) + lines[line - 1][match.end() :]
        whole = "\n".join([*lines[: line - 1], changed, *lines[line:]])
        found.append(Mutation("value", line, whole, f"{match.group()} becomes {_other(match.group())}"))
    return found


def _other(number: str) -> str:
    """Another number of the same shape: `3e-4` becomes `4e-4`, `256` becomes `356`, `0.9` becomes `0.8`."""
    for index, digit in enumerate(number):
        if digit.isdigit() and digit != "0":
            other = str(int(digit) - 1) if digit == "9" else str(int(digit) + 1)
            return number[:index] + other + number[index + 1 :]
    return "1" if number.replace("0", "").replace(".", "") == "" else number


class _Placed(cst.CSTTransformer):
    """A transformer that knows the lines of its nodes."""

    METADATA_DEPENDENCIES = (PositionProvider,)

    def lines(self, node: cst.CSTNode) -> tuple[int, int]:
        """First and last line of a node."""
        span = self.get_metadata(PositionProvider, node)
        return span.start.line, span.end.line


class _Numbers(_Placed):
    def __init__(self, line: int) -> None:
        super().__init__()
        self.line = line
        self.numbers: list[str] = []

    def _see(self, node: cst.Integer | cst.Float) -> None:
        if self.lines(node)[0] == self.line:
            self.numbers.append(node.value)

    def visit_Integer(self, node: cst.Integer) -> None:
        self._see(node)

    def visit_Float(self, node: cst.Float) -> None:
        self._see(node)


class _ChangeNumber(_Placed):
    def __init__(self, line: int, index: int) -> None:
        super().__init__()
        self.line, self.left = line, index

    def _chosen(self, node: cst.CSTNode) -> bool:
        if self.lines(node)[0] != self.line:
            return False
        self.left -= 1
        return self.left == -1

    def leave_Integer(self, original_node: cst.Integer, updated_node: cst.Integer) -> cst.Integer:
        return updated_node.with_changes(value=_other(original_node.value)) if self._chosen(original_node) else updated_node

    def leave_Float(self, original_node: cst.Float, updated_node: cst.Float) -> cst.Float:
        return updated_node.with_changes(value=_other(original_node.value)) if self._chosen(original_node) else updated_node


class _Operators(_Placed):
    def __init__(self, line: int, end_line: int) -> None:
        super().__init__()
        self.line, self.end_line = line, end_line
        self.operators: list[tuple[int, str]] = []

    def leave_BinaryOperation(self, original_node: cst.BinaryOperation, updated_node: cst.BinaryOperation) -> cst.BinaryOperation:
        where = self.lines(original_node)[0]
        if self.line <= where <= self.end_line and type(original_node.operator) in FLIPS:
            self.operators.append((where, type(original_node.operator).__name__.lower()))
        return updated_node


class _Flip(_Placed):
    def __init__(self, line: int, end_line: int, index: int) -> None:
        super().__init__()
        self.line, self.end_line, self.left = line, end_line, index

    def leave_BinaryOperation(self, original_node: cst.BinaryOperation, updated_node: cst.BinaryOperation) -> cst.BinaryOperation:
        where = self.lines(original_node)[0]
        other = FLIPS.get(type(original_node.operator))
        if not self.line <= where <= self.end_line or other is None:
            return updated_node
        self.left -= 1
        if self.left != -1:
            return updated_node
        return updated_node.with_changes(operator=other())


class _Stub(_Placed):
    def __init__(self, line: int) -> None:
        super().__init__()
        self.line = line
        self.done = ""

    def leave_FunctionDef(self, original_node: cst.FunctionDef, updated_node: cst.FunctionDef) -> cst.FunctionDef:
        first, last = self.lines(original_node)
        if self.done or not first <= self.line <= last:
            return updated_node
        self.done = original_node.name.value
        body = cst.parse_module("def f():\n    return 0.0  # TODO: compute this\n").body[0]
        assert isinstance(body, cst.FunctionDef)
        return updated_node.with_changes(body=body.body)


class _Swap(_Placed):
    def __init__(self, first: int, second: int) -> None:
        super().__init__()
        self.first, self.second = first, second
        self.done = False

    def _exchange(self, original: Sequence[cst.CSTNode], updated: Sequence[cst.CSTNode]) -> list[cst.CSTNode]:
        places = [self.lines(node) for node in original]
        one = next((i for i, (start, end) in enumerate(places) if start <= self.first <= end), None)
        two = next((i for i, (start, end) in enumerate(places) if start <= self.second <= end), None)
        changed = list(updated)
        definitions = (cst.FunctionDef, cst.ClassDef)
        if one is None or two is None or one == two or self.done:
            return changed
        if not isinstance(original[one], definitions) and not isinstance(original[two], definitions):
            changed[one], changed[two] = changed[two], changed[one]
            self.done = True
        return changed

    def leave_IndentedBlock(self, original_node: cst.IndentedBlock, updated_node: cst.IndentedBlock) -> cst.IndentedBlock:
        return updated_node.with_changes(body=self._exchange(original_node.body, updated_node.body))

    def leave_Module(self, original_node: cst.Module, updated_node: cst.Module) -> cst.Module:
        return updated_node.with_changes(body=self._exchange(original_node.body, updated_node.body))
