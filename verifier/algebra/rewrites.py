"""The identities behind the normal form, one function for each head.

Each rule takes `build`, which makes an operation in normal form, and the operands, already in normal form.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction

from verifier.algebra.kept import kept
from verifier.algebra.terms import (
    HALF,
    MINUS_ONE,
    ONE,
    ZERO,
    Term,
    add,
    factors_of,
    magnitude,
    mul,
    node,
    num,
    order,
    power,
    scaled,
    split,
)

Build = Callable[[str, tuple[Term, ...]], Term]
Rule = Callable[[Build, tuple[Term, ...]], Term]

_ELEMENTWISE = frozenset(
    "+ * ** exp log abs sign floor ceil round sin cos tan sinh cosh tanh asin acos atan erf sigmoid gelu where < == != and or not".split()
)
_COUNT = re.compile(r"\.(size\(-1\)|shape\[-1\]|numel\(\))$|^len\(|\.size$")
_SCALE = re.compile(r"(^|[._])(scale|scaling|temperature|temp|tau|alpha|beta|gamma|lambda|lam|\w*dim|d_k|d|head_dim|eps)$")


def _sum(build: Build, total: Term) -> Term:
    """A sum; `1 - sigmoid(x)` is `sigmoid(-x)`."""
    if len(total.args) == 2 and total.head == "+" and total.args[0].key == ONE.key:
        coefficient, rest = split(total.args[1])
        if coefficient == -1 and rest.head == "sigmoid":
            return build("sigmoid", (_neg(rest.args[0]),))
    return total


def _divergence(build: Build, args: tuple[Term, ...]) -> Term:
    """The divergence of distributions that are written out as what a softmax or an exponential gives."""
    p, q = args
    if not {"softmax", "exp"} & (p.heads & q.heads):
        return node("KL", args)
    return build("sum", (build("*", (p, add((build("log", (p,)), _neg(build("log", (q,))))))),))


def _inverse(term: Term) -> Term:
    return power(term, MINUS_ONE)


def _neg(term: Term) -> Term:
    return scaled(Fraction(-1), term)


def _exp(_: Build, args: tuple[Term, ...]) -> Term:
    (x,) = args
    if x.key == ZERO.key:
        return ONE
    coefficient, rest = split(x)
    if rest.head == "log":
        return power(rest.args[0], num(coefficient))
    logs = [item for item in factors_of(rest) if item.head == "log"] if rest.head == "*" else []
    if len(logs) == 1:
        return power(logs[0].args[0], mul([num(coefficient), *(item for item in rest.args if item is not logs[0])]))
    return node("exp", args)


def _log(build: Build, args: tuple[Term, ...]) -> Term:
    (x,) = args
    if x.key == ONE.key:
        return ZERO
    if x.head == "exp":
        return x.args[0]
    if x.head == "**":
        return mul((x.args[1], build("log", (x.args[0],))))
    if x.head == "sum" and x.args[0].head == "exp":
        return build("logsumexp", (x.args[0].args[0],))
    if (inner := _logistic(x)) is not None:
        return _neg(build("log", (build("sigmoid", (_neg(inner),)),)))
    return node("log", args)


def _elementary_log(build: Build, args: tuple[Term, ...]) -> Term:
    (x,) = args
    if x.key == ONE.key:
        return ZERO
    if x.head == "exp":
        return x.args[0]
    if x.head == "**":
        return mul((x.args[1], build("log", (x.args[0],))))
    coefficient, rest = split(x)
    if rest.head == "*" or (coefficient != 1 and coefficient > 0 and rest.key != ONE.key):
        parts = [build("log", (item,)) for item in factors_of(rest)]
        if coefficient != 1:
            parts.append(node("log", (num(coefficient),)))
        return add(parts) if coefficient > 0 else node("log", args)
    return node("log", args)


def _logistic(x: Term) -> Term | None:
    """The y of `1 + exp(y)`."""
    if x.head == "+" and len(x.args) == 2 and x.args[0].key == ONE.key and x.args[1].head == "exp":
        return x.args[1].args[0]
    return None


def _power(build: Build, args: tuple[Term, ...]) -> Term:
    base, exponent = args
    if exponent.head == "num" and (inner := _logistic(base)) is not None and exponent.value < 0:
        return power(build("sigmoid", (_neg(inner),)), num(-exponent.value))
    return power(base, exponent)


def _product(build: Build, args: tuple[Term, ...]) -> Term:
    product = mul(args)
    if product.head == "*":
        for factor in product.args:
            if factor.head == "**" and factor.args[0].head == "sum":
                body = factor.args[0].args[0]
                if body.head == "exp" and body in product.args and factor.args[1].key == MINUS_ONE.key:
                    rest = [item for item in product.args if item not in (factor, body)]
                    return mul([*rest, build("softmax", (body.args[0],))])
            if factor.head in ("sum", "**") and (found := _averaged(build, factor, product)) is not None:
                return found
    return product


def _averaged(build: Build, factor: Term, product: Term) -> Term | None:
    """A sum, or a power of one, divided by the number of its terms: a mean."""
    total, exponent = (factor.args[0], factor.args[1]) if factor.head == "**" else (factor, ONE)
    if total.head != "sum" or exponent.head != "num":
        return None
    for other in product.args:
        base, n = (other.args[0], other.args[1]) if other.head == "**" else (other, ONE)
        if base.head == "sym" and is_count(base.name) and n.head == "num" and n.value == -exponent.value:
            rest = [item for item in product.args if item not in (factor, other)]
            return mul([*rest, power(build("mean", total.args), exponent)])
    return None


@kept(16384)
def is_count(name: str) -> bool:
    """Whether a name of code says how many elements a sum over the last axis, or over all, has."""
    return bool(_COUNT.search(name))


def _softmax(_: Build, args: tuple[Term, ...]) -> Term:
    """A softmax; what is the same for every element is left out of it."""
    (x,) = args
    kept = [item for item in x.args if split(item)[1].head not in ("amax", "logsumexp")] if x.head == "+" else []
    return node("softmax", (add(kept),) if kept else args)


def _norm(build: Build, args: tuple[Term, ...]) -> Term:
    x = args[0]
    p = args[1] if len(args) > 1 else num(2)
    if p.head == "sym" and p.name == "inf":
        return build("max", (magnitude(x),))
    if p.head == "num" and p.value == 2:
        return power(build("sum", (power(x, p),)), HALF)
    if p.key == ONE.key:
        return build("sum", (magnitude(x),))
    return power(build("sum", (power(magnitude(x), p),)), power(p, MINUS_ONE))


def _variance(build: Build, args: tuple[Term, ...]) -> Term:
    (x,) = args
    return build("mean", (power(add((x, _neg(build("mean", (x,))))), num(2)),))


def _reduction(head: str) -> Rule:
    def rule(build: Build, args: tuple[Term, ...]) -> Term:
        if len(args) != 1:
            return node(head, args)
        (x,) = args
        if x.head == head:
            return x
        if x.head == "num" and head == "mean":
            return x
        coefficient, rest = split(x)
        if coefficient != 1 and rest.key != ONE.key:
            return scaled(coefficient, build(head, (rest,)))
        if head == "sum" and rest.head == "*":
            norms = [item for item in rest.args if _is_inverse_norm(item)]
            if norms and len(norms) < len(rest.args):
                return mul([*norms, build(head, (mul([item for item in rest.args if item not in norms]),))])
        if head == "mean" and x.head == "+" and x.args[0].head == "num":
            return add((x.args[0], build(head, (add(x.args[1:]),))))
        return node(head, args)

    return rule


def _is_inverse_norm(term: Term) -> bool:
    """Whether a factor is one over a norm, which is the same for every element that is summed."""
    return term.head == "**" and term.args[0].head == "sum" and term.args[1].head == "num" and term.args[1].value < 0


def _extreme(head: str) -> Rule:
    def rule(_: Build, args: tuple[Term, ...]) -> Term:
        if len(args) == 1 and args[0].head in ("cat", "tuple") and len(args[0].args) > 1:
            args = args[0].args
        if len(args) == 1:
            return node(f"a{head}", args)
        flat: dict[int, Term] = {}
        for item in args:
            for inner in item.args if item.head == head else (item,):
                flat[inner.key] = inner
        numbers = [item for item in flat.values() if item.head == "num"]
        if len(numbers) > 1:
            best = (min if head == "min" else max)(numbers, key=lambda item: item.value)
            flat = {key: item for key, item in flat.items() if item.head != "num" or item is best}
        found = tuple(sorted(flat.values(), key=order))
        return found[0] if len(found) == 1 else node(head, found)

    return rule


def _even(head: str) -> Rule:
    def rule(_: Build, args: tuple[Term, ...]) -> Term:
        coefficient, rest = split(args[0])
        return node(head, (scaled(abs(coefficient), rest),))

    return rule


def _odd(head: str) -> Rule:
    def rule(_: Build, args: tuple[Term, ...]) -> Term:
        coefficient, rest = split(args[0])
        if coefficient < 0:
            return _neg(node(head, (scaled(-coefficient, rest),)))
        return ZERO if coefficient == 0 else node(head, args)

    return rule


def _compare(_: Build, args: tuple[Term, ...]) -> Term:
    return node("<", args)


def _flipped(_: Build, args: tuple[Term, ...]) -> Term:
    return node("<", args[::-1])


def _where(build: Build, args: tuple[Term, ...]) -> Term:
    condition, yes, no = args
    if condition.head == "not":
        return build("where", (condition.args[0], no, yes))
    if yes.key == ONE.key and no.key == ZERO.key:
        return condition
    return yes if yes.key == no.key else node("where", args)


def _matrix(_: Build, args: tuple[Term, ...]) -> Term:
    """A matrix product: flat, with the scalars of its factors in front."""
    outside: list[Term] = []
    inside: list[Term] = []
    for arg in args:
        for item in arg.args if arg.head == "@" else (arg,):
            if item.head == "num":
                outside.append(item)
                continue
            kept = [factor for factor in factors_of(item) if not _scalar(factor)]
            if kept and len(kept) < len(factors_of(item)):
                outside.extend(factor for factor in factors_of(item) if _scalar(factor))
                item = mul(kept)  # noqa: PLW2901
            inside.extend(item.args if item.head == "@" else (item,))
    product = node("@", tuple(inside)) if len(inside) > 1 else mul(inside)
    return mul([*outside, product]) if outside else product


def _scalar(factor: Term) -> bool:
    if factor.head == "num":
        return True
    if factor.head == "**" and factor.args[0].head in ("sym", "num") and factor.args[1].head == "num":
        return factor.args[1].value < 0 or factor.args[1].value.denominator != 1
    return factor.head == "sym" and bool(_SCALE.search(factor.name))


def _transpose(build: Build, args: tuple[Term, ...]) -> Term:
    x = args[0]
    if x.head == "transpose":
        return x.args[0]
    if x.head == "@":
        return node("@", tuple([build("transpose", (item,)) for item in reversed(x.args)]))
    coefficient, rest = split(x)
    return scaled(coefficient, node("transpose", (rest,))) if coefficient != 1 else node("transpose", (x,))


def _index(build: Build, args: tuple[Term, ...]) -> Term:
    """A look-up, moved inwards to what is looked up; new axes and full slices fall away."""
    x = args[0]
    places = tuple(item for item in args[1:] if not (item.head == "sym" and item.name in (":", "...", "None", "::")))
    if not places or x.head == "num":
        return x
    if x.head in _ELEMENTWISE or (x.head in ("min", "max") and len(x.args) > 1):
        return build(x.head, tuple([build("index", (item, *places)) for item in x.args]))
    if x.head in ("tuple", "cat") and places[0].head == "num" and places[0].value.denominator == 1:
        at = int(places[0].value)
        if -len(x.args) <= at < len(x.args):
            return x.args[at] if len(places) == 1 else build("index", (x.args[at], *places[1:]))
    if x.head == "index":
        return node("index", (*x.args, *places))
    return node("index", (x, *places))


def _gradient(_: Build, args: tuple[Term, ...]) -> Term:
    coefficient, rest = split(args[0])
    return scaled(coefficient, node("grad", (rest, *args[1:]))) if coefficient != 1 else node("grad", args)


REWRITES: dict[str, Rule] = {
    "+": lambda build, args: _sum(build, add(args)),
    "-": lambda build, args: _sum(build, add((args[0], _neg(args[1])))),
    "neg": lambda _, args: _neg(args[0]),
    "*": _product,
    "/": lambda build, args: build("*", (args[0], build("**", (args[1], MINUS_ONE)))),
    "**": _power,
    "@": _matrix,
    "sqrt": lambda build, args: build("**", (args[0], HALF)),
    "rsqrt": lambda build, args: build("**", (args[0], num(Fraction(-1, 2)))),
    "square": lambda build, args: build("**", (args[0], num(2))),
    "reciprocal": lambda build, args: build("**", (args[0], MINUS_ONE)),
    "exp": _exp,
    "log": _log,
    "expm1": lambda build, args: add((build("exp", args), MINUS_ONE)),
    "log1p": lambda build, args: build("log", (add((ONE, args[0])),)),
    "log2": lambda build, args: mul((build("log", args), _inverse(node("log", (num(2),))))),
    "log10": lambda build, args: mul((build("log", args), _inverse(node("log", (num(10),))))),
    "logaddexp": lambda build, args: build("log", (add((build("exp", args[:1]), build("exp", args[1:]))),)),
    "abs": lambda _, args: magnitude(args[0]),
    "cos": _even("cos"),
    "cosh": _even("cosh"),
    "sin": _odd("sin"),
    "tan": _odd("tan"),
    "sinh": _odd("sinh"),
    "tanh": _odd("tanh"),
    "erf": _odd("erf"),
    "sign": _odd("sign"),
    "logsigmoid": lambda build, args: build("log", (build("sigmoid", args),)),
    "softplus": lambda build, args: _neg(build("log", (build("sigmoid", (_neg(args[0]),)),))),
    "silu": lambda build, args: build("*", (args[0], build("sigmoid", args))),
    "relu": lambda build, args: build("max", (args[0], ZERO)),
    "softmax": _softmax,
    "log_softmax": lambda build, args: build("log", (build("softmax", args),)),
    "floordiv": lambda build, args: build("floor", (build("/", args),)),
    "norm": _norm,
    "normalize": lambda build, args: build("/", (args[0], build("norm", args[:1]))),
    "var": _variance,
    "std": lambda build, args: power(build("var", args), HALF),
    "E": lambda build, args: build("mean", args),
    "mean": _reduction("mean"),
    "sum": _reduction("sum"),
    "dot": lambda build, args: build("sum", (build("*", args),)),
    "min": _extreme("min"),
    "max": _extreme("max"),
    "clip": lambda build, args: build("min", (build("max", args[:2]), args[2])),
    "lerp": lambda build, args: add((args[0], build("*", (args[2], add((args[1], _neg(args[0]))))))),
    "<": _compare,
    "<=": _compare,
    ">": _flipped,
    ">=": _flipped,
    "==": lambda _, args: node("==", tuple(sorted(args, key=order))),
    "!=": lambda _, args: node("!=", tuple(sorted(args, key=order))),
    "indicator": lambda _, args: args[0],
    "where": _where,
    "transpose": _transpose,
    "index": _index,
    "grad": _gradient,
    "KL": _divergence,
}

ELEMENTARY: dict[str, Rule] = {
    "log": _elementary_log,
    "sigmoid": lambda build, args: power(add((ONE, build("exp", (_neg(args[0]),)))), MINUS_ONE),
    "softplus": lambda build, args: build("log", (add((ONE, build("exp", args))),)),
    "logsigmoid": lambda build, args: _neg(build("log", (add((ONE, build("exp", (_neg(args[0]),)))),))),
    "softmax": lambda build, args: mul((build("exp", args), _inverse(node("sum", (build("exp", args),))))),
    "logsumexp": lambda build, args: build("log", (node("sum", (build("exp", args),)),)),
    "log_softmax": lambda build, args: add((args[0], _neg(build("log", (node("sum", (build("exp", args),)),))))),
    "gelu": lambda build, args: mul(
        (HALF, args[0], add((ONE, build("erf", (mul((args[0], power(num(2), num(Fraction(-1, 2))))),)))))
    ),
}
