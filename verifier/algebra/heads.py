"""The heads of operations: which names are functions of the formula language, and how many operands each takes."""

from __future__ import annotations

MANY = 99

ARITY: dict[str, tuple[int, int]] = {
    **dict.fromkeys(
        "sqrt rsqrt square reciprocal exp expm1 log log1p log2 log10 abs sign floor ceil round sin cos tan sinh cosh tanh asin acos atan "
        "erf sigmoid logsigmoid softplus relu silu gelu softmax log_softmax logsumexp sum mean var std prod cumsum cumprod transpose "
        "inverse trace det stopgrad E indicator normalize".split(),
        (1, 1),
    ),
    **dict.fromkeys("dot grad KL topk logaddexp atan2 mod floordiv".split(), (2, 2)),
    **dict.fromkeys("argmax argmin".split(), (1, 1)),
    **dict.fromkeys("min max".split(), (1, MANY)),
    **dict.fromkeys("clip where lerp".split(), (3, 3)),
    "norm": (1, 2),
}
CALLS = "abs(x), clip(x, lo, hi), grad(f, x), KL(p, q), norm(x, p), topk(x, k), dot(x, y), where(c, a, b)"

ALIASES: dict[str, str] = {
    "ln": "log",
    "average": "mean",
    "expectation": "E",
    "Sum": "sum",
    "sgn": "sign",
    "sg": "stopgrad",
    "stop_gradient": "stopgrad",
    "detach": "stopgrad",
    "clamp": "clip",
    "maximum": "max",
    "minimum": "min",
    "ReLU": "relu",
    "SiLU": "silu",
    "swish": "silu",
    "GELU": "gelu",
    "Softmax": "softmax",
    "logsoftmax": "log_softmax",
    "tr": "trace",
    "Var": "var",
    "pow": "**",
    **dict.fromkeys("concat concatenate stack hstack vstack".split(), "cat"),
}

REDUCTIONS = frozenset("sum mean prod min max var std logsumexp argmax argmin norm dot topk E trace det".split())
COMPARISONS = ("<=", ">=", "==", "!=", "<", ">")
LOGIC = frozenset({"and", "or", "not"})
OPERATORS = frozenset({"+", "*", "-", "/", "neg", "**", "@"}) | LOGIC | frozenset(COMPARISONS)
STRUCTURE = frozenset({"tuple", "cat", "index", "call", "named"})
CONSTANTS = frozenset({"pi", "e", "inf"})

GREEK: dict[str, str] = dict(
    zip(
        "αβγδεϵζηθϑικλμνξοπρστυφϕχψωΓΔΘΛΞΠΣΦΨΩℓ∇",
        (
            "alpha beta gamma delta epsilon epsilon zeta eta theta theta iota kappa lambda mu nu xi omicron pi rho sigma tau upsilon phi "
            "phi chi psi omega Gamma Delta Theta Lambda Xi Pi Sigma Phi Psi Omega ell nabla"
        ).split(),
        strict=True,
    )
)


_KNOWN = ARITY.keys() | OPERATORS | STRUCTURE


def is_known(head: str) -> bool:
    """Whether the head means something, rather than being the name of an unknown function."""
    return head in _KNOWN


def arity_fault(name: str, count: int) -> str:
    """What is wrong with the number of operands of a known function; empty when nothing is."""
    low, high = ARITY[name]
    if low <= count <= high:
        return ""
    wanted = str(low) if low == high else f"{low} or more" if high == MANY else f"{low} to {high}"
    return f"{name} takes {wanted} operand{'' if wanted == '1' else 's'}, not {count}"
