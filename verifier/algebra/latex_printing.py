"""Expressions as LaTeX, for a person to read beside the paper."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from verifier.algebra.heads import COMPARISONS, LOGIC
from verifier.algebra.printing import number_text
from verifier.model.expression import Apply, Expr, Number, Symbol

_LOOSE, _SUM, _PRODUCT, _POWER, _ATOM = range(5)
_GREEK = frozenset(
    "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi pi rho sigma tau upsilon phi chi psi omega"
    " Gamma Delta Theta Lambda Xi Pi Sigma Phi Psi Omega".split()
)
_FUNCTIONS = frozenset("exp log sin cos tan sinh cosh tanh min max det".split())
_RELATIONS = {"<": "<", "<=": r"\le", ">": ">", ">=": r"\ge", "==": "=", "!=": r"\ne"}
_CONNECTIVES = {"and": r"\land", "or": r"\lor"}


def to_latex(expr: Expr) -> str:
    """The expression in LaTeX, without delimiters; operations that have no notation of their own are named functions."""
    return _latex(expr)[0]


def _wrap(expr: Expr, level: int) -> str:
    text, own = _latex(expr)
    return text if own >= level else rf"\left({text}\right)"


def _latex(expr: Expr) -> tuple[str, int]:
    match expr:
        case Number(value):
            if value.denominator == 1 or "/" not in number_text(value):
                return number_text(value), _SUM if value < 0 else _ATOM
            sign = "-" if value < 0 else ""
            return rf"{sign}\frac{{{abs(value.numerator)}}}{{{value.denominator}}}", _SUM if sign else _ATOM
        case Symbol(name):
            return _name(name), _ATOM
        case Apply("named", (_, inner)):
            return _latex(inner)
        case Apply(head, args) if head in _WRITTEN:
            return _WRITTEN[head](*args)
        case Apply(head, args) if head in COMPARISONS and len(args) == 2:
            return f"{_wrap(args[0], _SUM)} {_RELATIONS[head]} {_wrap(args[1], _SUM)}", _LOOSE
        case Apply(head, args) if head in LOGIC and head in _CONNECTIVES:
            return f" {_CONNECTIVES[head]} ".join(_wrap(item, _SUM) for item in args), _LOOSE
    function = rf"\{expr.head}" if expr.head in _FUNCTIONS else _name(expr.head)
    return rf"{function}\left({', '.join(_latex(item)[0] for item in expr.args)}\right)", _ATOM


def _name(name: str) -> str:
    """A name of code or of a claim: `beta_1` with a subscript, `self.norm` upright."""
    base, _, below = name.partition("_")
    if (
        "." not in name
        and base.isalnum()
        and (len(base) == 1 or base in _GREEK)
        and (not below or below.replace("_", "").isalnum())
    ):
        letter = rf"\{base}" if base in _GREEK else base
        return f"{letter}_{{{_upright(below)}}}" if below else letter
    return r"\infty" if name == "inf" else rf"\mathrm{{{_escaped(name)}}}"


def _upright(text: str) -> str:
    return text if len(text) == 1 or text.isdigit() else rf"\mathrm{{{_escaped(text)}}}"


def _escaped(text: str) -> str:
    for char in ("\\", "_", "%", "&", "#", "$", "{", "}"):
        text = text.replace(char, rf"\{char}" if char != "\\" else r"\backslash ")
    return text.replace("^", r"\hat{}").replace("~", r"\sim ")


def _sum(*args: Expr) -> tuple[str, int]:
    text = _wrap(args[0], _SUM)
    for term in args[1:]:
        if isinstance(term, Apply) and term.head == "neg":
            text += f" - {_wrap(term.args[0], _PRODUCT)}"
        else:
            text += f" + {_wrap(term, _PRODUCT)}"
    return text, _SUM


def _difference(a: Expr, b: Expr) -> tuple[str, int]:
    return f"{_wrap(a, _SUM)} - {_wrap(b, _PRODUCT)}", _SUM


def _negated(a: Expr) -> tuple[str, int]:
    return f"-{_wrap(a, _PRODUCT)}", _SUM


def _product(*args: Expr) -> tuple[str, int]:
    return r" \cdot ".join(_wrap(item, _PRODUCT) for item in args), _PRODUCT


def _matrix_product(a: Expr, b: Expr) -> tuple[str, int]:
    return f"{_wrap(a, _PRODUCT)} {_wrap(b, _POWER)}", _PRODUCT


def _quotient(a: Expr, b: Expr) -> tuple[str, int]:
    return rf"\frac{{{_latex(a)[0]}}}{{{_latex(b)[0]}}}", _ATOM


def _power(base: Expr, exponent: Expr) -> tuple[str, int]:
    return f"{_wrap(base, _ATOM)}^{{{_latex(exponent)[0]}}}", _POWER


def _cases(condition: Expr, a: Expr, b: Expr) -> tuple[str, int]:
    body = rf"{_latex(a)[0]} & {_latex(condition)[0]} \\ {_latex(b)[0]} & \text{{otherwise}}"
    return rf"\begin{{cases}} {body} \end{{cases}}", _ATOM


def _between(left: str, right: str) -> Callable[..., tuple[str, int]]:
    return lambda *args: (f"{left}{', '.join(_latex(item)[0] for item in args)}{right}", _ATOM)


def _before(operator: str) -> Callable[..., tuple[str, int]]:
    return lambda item: (f"{operator} {_wrap(item, _PRODUCT)}", _PRODUCT)


def _norm(x: Expr, *order: Expr) -> tuple[str, int]:
    below = f"_{{{_latex(order[0])[0]}}}" if order else ""
    return rf"\left\lVert {_latex(x)[0]} \right\rVert{below}", _ATOM


def _index(x: Expr, *keys: Expr) -> tuple[str, int]:
    return f"{_wrap(x, _ATOM)}_{{{', '.join(_latex(key)[0] for key in keys)}}}", _POWER


_WRITTEN: dict[str, Callable[..., tuple[str, int]]] = {
    "+": _sum,
    "-": _difference,
    "neg": _negated,
    "*": _product,
    "/": _quotient,
    "@": _matrix_product,
    "**": _power,
    "sqrt": _between(r"\sqrt{", "}"),
    "abs": _between(r"\left| ", r" \right|"),
    "norm": _norm,
    "where": _cases,
    "index": _index,
    "mean": _between(r"\mathbb{E}\left[ ", r" \right]"),
    "E": _between(r"\mathbb{E}\left[ ", r" \right]"),
    "transpose": lambda x: (f"{_wrap(x, _ATOM)}^\\top", _POWER),
    "inverse": lambda x: (f"{_wrap(x, _ATOM)}^{{-1}}", _POWER),
    "square": lambda x: (f"{_wrap(x, _ATOM)}^{{2}}", _POWER),
    "reciprocal": lambda x: _quotient(Number(Fraction(1)), x),
    "grad": lambda f, x: (rf"\nabla_{{{_latex(x)[0]}}} {_wrap(f, _PRODUCT)}", _PRODUCT),
    "floor": _between(r"\left\lfloor ", r" \right\rfloor"),
    "ceil": _between(r"\left\lceil ", r" \right\rceil"),
    "sum": _before(r"\sum"),
    "prod": _before(r"\prod"),
    "not": lambda x: (rf"\lnot {_wrap(x, _SUM)}", _LOOSE),
}
