"""Einstein sums as matrix products, dot products, elementwise products and sums."""

from __future__ import annotations

import re

from verifier.facts.lifting.terms import node
from verifier.model.expression import Expr

Pattern = tuple[list[list[str]], list[str]]


def pattern_of(text: str | None, *, spaced: bool = False) -> Pattern | None:
    """The axes of the operands and of the result: `bi,bi->b`; None when it is not written out.

    Args:
        text: the equation.
        spaced: whether axes are words between blanks (einops) instead of letters.
    """
    if not text:
        return None
    left, arrow, right = text.partition("->")
    cut = (lambda part: part.split()) if spaced else (lambda part: re.findall(r"\.\.\.|[A-Za-z]", part))
    inputs = [cut(part) for part in left.split(",")]
    if not arrow:
        letters = [axis for axes in inputs for axis in axes]
        return inputs, sorted({axis for axis in letters if letters.count(axis) == 1})
    return inputs, cut(right)


def contract(pattern: Pattern, operands: list[Expr]) -> Expr | None:
    """What an Einstein sum computes, up to the order of axes that are neither summed nor multiplied out.

    A product of two operands that sums over an axis and keeps one of each is `@`, transposed where the axes stand the other way.
    """
    inputs, output = pattern
    if len(inputs) != len(operands):
        return None
    if len(operands) == 1:
        return _single(inputs[0], output, operands[0])
    if len(operands) > 2:
        later = {axis for axes in inputs[2:] for axis in axes}.union(output)
        between = [axis for axis in dict.fromkeys((*inputs[0], *inputs[1])) if axis in later]
        joined = contract((inputs[:2], between), operands[:2])
        return None if joined is None else contract(([between, *inputs[2:]], output), [joined, *operands[2:]])
    first, second = inputs
    summed = [axis for axis in first if axis in second and axis not in output]
    own_first = [axis for axis in first if axis in output and axis not in second]
    own_second = [axis for axis in second if axis in output and axis not in first]
    if not summed:
        product = node("*", *operands)
        return node("sum", product) if any(axis not in output for axis in (*first, *second)) else product
    if not own_first or not own_second:
        matrix = (len(first), len(second), len(output)) == (2, 1, 1) and first[0] in output
        return node("@", *operands) if matrix else node("sum", node("*", *operands), axis=" ".join(summed))
    a, b = operands
    if output.index(own_first[-1]) > output.index(own_second[-1]):
        first, second, a, b = second, first, b, a
        own_first, own_second = own_second, own_first
    left = a if first.index(own_first[-1]) < first.index(summed[-1]) else node("transpose", a)
    right = b if second.index(summed[-1]) < second.index(own_second[-1]) else node("transpose", b)
    return node("@", left, right)


def _single(axes: list[str], output: list[str], operand: Expr) -> Expr:
    if len(set(axes)) < len(axes):
        return node("trace", operand) if not output else operand
    if any(axis not in output for axis in axes):
        return node("sum", operand)
    return node("transpose", operand) if len(axes) > 1 and axes[-2:] == output[:-3:-1] else operand
