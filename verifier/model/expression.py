"""Expressions: the one shape of a formula, whether a paper writes it or code computes it.

What a formula means is said by the heads of its operations. These are all that is understood; any other head is an unknown function.

Arithmetic
    `+` and `*` take any number of operands; `-` and `/` two; `neg` one; `**` base and exponent; `@` two matrices, in order.
Elementwise functions, one operand
    `sqrt rsqrt square reciprocal exp expm1 log log1p log2 log10 abs sign floor ceil round sin cos tan sinh cosh tanh asin acos atan
    erf sigmoid logsigmoid softplus relu silu gelu`.
Elementwise functions, several operands
    `min` and `max` of two or more; `clip(x, lo, hi)`, where a bound that is left out makes it `max(x, lo)` or `min(x, hi)`;
    `where(condition, a, b)`; `lerp(a, b, w)`, which is `a + w*(b - a)`; `logaddexp(a, b)`; `atan2(a, b)`; `mod(a, b)`;
    `floordiv(a, b)`.
Reductions, one operand
    `sum mean prod max min var std logsumexp argmax argmin`, whatever they run over (`axis` holds it, for messages); `norm(x)` and
    `norm(x, p)`, with the number or the symbol `inf` as p; `dot(x, y)`; `topk(x, k)`; `E(x)`, the expectation; `trace`; `det`.
Along an axis, same shape
    `softmax(x) log_softmax(x) cumsum(x) cumprod(x)`; `normalize(x)`, which is `x / norm(x)`.
Matrices
    `transpose(x)`, `inverse(x)`.
Gradients and distributions
    `grad(f, x)` (the derivative of f by x; `grad(f, t, t)` is not used: it is `grad(grad(f, t), t)`), `stopgrad(x)`, `KL(p, q)`.
Conditions
    `indicator(c)`; `<`, `<=`, `>`, `>=`, `==`, `!=` of two; `and`, `or` of any number; `not` of one.
Structure
    `tuple` for several results, `cat` for joined or stacked parts, `index(x, i, ...)` for a look-up `x[i]`, gather or slice, with the
    index as a symbol spelled like the code (`1:`, `:-1`, `t`). A look-up that only selects by batch or step may stay an `index`.
    `call(f, x, ...)` calls a function that is itself computed.
Names of code
    `named(Symbol(name), x)` is worth `x`; it keeps the name under which code holds the sub-expression that was substituted, and the name
    of a constant: `named(eps, 1/100000000)`. It is not an operation: nothing is compared by it, only found by it.
Unknown functions
    The head is the dotted name as code writes it (`self.gate`, `model`, `dist.log_prob`), the operands are the arguments in order, those
    given by keyword last. A method of something computed has its receiver as first operand and the bare name as head.

Left out altogether: casts, device moves, reshaping, broadcasting, `contiguous`, `clone`. Left as symbols: constants `pi`, `e`, `inf`.
The previous value of something that a loop or an in-place method updates is the symbol of its name.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True, slots=True)
class Number:
    """A constant. Exact where the source is: `0.1` is 1/10."""

    value: Fraction


@dataclass(frozen=True, slots=True)
class Symbol:
    """A quantity that is not computed further.

    Attributes:
        name: as the claim writes it, or the dotted name of the code (`self.cfg.gamma`, `batch["adv"]` is `batch.adv`).
    """

    name: str


@dataclass(frozen=True, slots=True)
class Apply:
    """An operation.

    Attributes:
        head: what is done: one of the heads listed above, or the name of an unknown function.
        args: the operands.
        axis: for a reduction of code, what it runs over as written (`-1`, `dim=1`, `batch`), empty when over everything or
            not known. Never compared; only said in messages.
    """

    head: str
    args: tuple[Expr, ...]
    axis: str = ""


Expr = Number | Symbol | Apply
