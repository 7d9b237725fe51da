"""Distributions: `a ~ U(0, 2)`, `noise ~ N(0, I)`, `U ~ Dir(1, ..., 1)`.

    draw = symbol "~" family "(" arguments ")"

Code draws in many ways: a call with the bounds, a unit draw that is scaled, or a call whose name says the family.
"""

from __future__ import annotations

from collections.abc import Sequence

from verifier.model.check import AnyCheck, Check, Equals, FormulaCheck, PresentCheck, Source, ValueCheck
from verifier.model.constant import Constant
from verifier.units.readers.found import Page
from verifier.units.readers.names import clean, left_phrase, subjects
from verifier.units.readers.numbers import constant
from verifier.units.tokens import Clause, Kind, Token, closing

_UNIFORM = frozenset({"u", "unif", "uniform"})
_NORMAL = frozenset({"n", "normal", "gaussian"})
_CALLS = {
    "uniform": ("uniform", "rand", "uniform_", "rand_like", "random uniform"),
    "normal": ("randn", "randn_like", "normal", "normal_", "standard_normal", "multivariate_normal"),
    "dir": ("dirichlet", "Dirichlet"),
    "dirichlet": ("dirichlet", "Dirichlet"),
    "bernoulli": ("bernoulli", "Bernoulli", "binomial"),
    "gumbel": ("gumbel", "Gumbel", "gumbel_noise"),
    "cat": ("categorical", "Categorical", "multinomial"),
    "categorical": ("categorical", "Categorical", "multinomial"),
    "beta": ("beta", "Beta"),
    "exp": ("exponential", "Exponential"),
    "poisson": ("poisson", "Poisson"),
    "laplace": ("laplace", "Laplace"),
}


def read(page: Page, clause: Clause) -> None:
    """Read the distributions of a clause."""
    tokens = page.tokens
    index = clause.start
    while index + 1 < clause.stop:
        family = _family(tokens, index)
        if not family or not page.free(index, index + 2):
            index += 1
            continue
        stop = closing(tokens, index + 1) + 1
        drawn = index > clause.start and tokens[index - 1].text in {"~", "∼", "from", "="}
        words, start = left_phrase(tokens, index, clause.start) if drawn else ([], index)
        source = page.source(start, stop)
        check = _check(family, tokens[index + 2 : stop - 1], tuple(subjects(words)) if words else (), source)
        page.add(start, stop, check)
        index = stop


def _family(tokens: Sequence[Token], index: int) -> str:
    token, after = tokens[index], tokens[index + 1]
    if token.kind is not Kind.WORD or after.text != "(" or after.start != token.end:
        return ""
    before = tokens[index - 1].text if index else ""
    low = clean(token.text).lower().lstrip("_")
    if low in _UNIFORM | _NORMAL and (len(low) > 1 or before in {"~", "∼", "from"} or token.text == "N"):
        return "uniform" if low in _UNIFORM else "normal"
    return low if low in _CALLS and before in {"~", "∼", "from"} else ""


def _check(family: str, arguments: Sequence[Token], names: tuple[str, ...], source: Source) -> Check:
    """Any of the ways to draw; bounds that are numbers must be right, others are not compared."""
    values = [constant(token.text) if token.kind is Kind.NUMBER else None for token in arguments if token.kind is not Kind.COMMA]
    numbers = [value for value in values if isinstance(value, (int, float))]
    checks: list[Check] = []
    if len(numbers) == 2 and len(values) == 2 and family in ("uniform", "normal"):
        checks = _bounded(family, numbers[0], numbers[1], names, source)
    if not checks or numbers == [0, 1]:
        checks += [PresentCheck(entity=call, source=source) for call in _CALLS[family]]
    return checks[0] if len(checks) == 1 else AnyCheck(checks=tuple(checks), source=source)


def _bounded(family: str, first: float, second: float, names: tuple[str, ...], source: Source) -> list[Check]:
    drawn = "rand(n)" if family == "uniform" else "randn(n)"
    width = round(second - first, 12) if family == "uniform" else second
    scaled = drawn if width == 1 else f"{width:.12g}*{drawn}"
    shifted = scaled if first == 0 else f"{first:.12g} + {scaled}"
    bounds = f"{family}({first:.12g}, {second:.12g}"
    checks: list[Check] = [FormulaCheck(text=text, source=source) for text in (f"{bounds})", f"{bounds}, n)", shifted)]
    pair: tuple[Constant, ...] = (first, second)
    subject = (
        (*(f"{name} range" for name in names[:2]), *names)
        if family == "uniform"
        else (*(f"{name} std" for name in names[:2]), "std")
    )
    if subject:
        checks.insert(0, ValueCheck(subjects=subject, test=Equals(pair if family == "uniform" else second), source=source))
    return checks
