"""Formulas: `lhs = rhs` where the right side has enough structure to be told from any other computation.

A sum of terms that have structure of their own gives a check for each, because papers state composite losses whole and code computes them
apart. A formula gives variants where code has a choice that papers do not write: a squared norm as a mean of squares, an expectation as a
batch mean, an objective that is maximised as a loss that is minimised.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from verifier.algebra.language import parse
from verifier.algebra.printing import to_text
from verifier.errors import FormulaError
from verifier.model.check import AnyCheck, Between, Check, Equals, FormulaCheck, PresentCheck, ValueCheck
from verifier.model.expression import Apply, Expr, Number, Symbol
from verifier.model.unit import Unread
from verifier.units.readers.found import Page
from verifier.units.readers.mathlex import identifier
from verifier.units.readers.mathtext import read_expression
from verifier.units.readers.names import is_content, is_symbol
from verifier.units.readers.vocabulary import QUANTITIES
from verifier.units.tokens import Kind, Token

DISCRIMINATING = 3
_TERM = 4
_INLINE = 4
_NORMAL_LENGTH = 390
_EQUALS = re.compile(r"(?<![<>=!:+\-*/~≤≥≠])(?::=|=|←)(?![=>])")
_LHS = re.compile(
    r"(?:[A-Za-zÀ-ÖØ-öø-ÿĀ-ſα-ωΑ-Ω\u0300-\u0307][\wα-ωΑ-Ω\u0300-\u0307'-]*)"
    r"(?:[_^]\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}|\^[\w*+-]+|'|\*|_\w+)*"
    r"(?:\([^()]*(?:\([^()]*\)[^()]*)*\))?\s*$"
)
_BOUNDS = frozenset({"<=", ">=", "≤", "≥", "<", ">", "<<", ">>"})
_CHEAP = {"+": 1, "-": 1, "*": 1, "/": 1, "@": 1, "neg": 1, "E": 1, "transpose": 1}
_GLOSSED = re.compile(r"(?P<name>\b[A-Za-zα-ωΑ-Ω](?:\w|_\{[^{}]*\})*) \([a-z][^()=]{2,60}\)\s*$")
_RANGE = re.compile(r"\s*,?\s*(?:\.\.|…|\\[lc]?dots)")
_JOINED = re.compile(r"[/*+·⊙∘-]\s*$")
_MAXIMISED = re.compile(r"\b(?:maximi[sz]e\w*|objective|max_)\b|^J", re.IGNORECASE)
_LOSSES = (
    ("cross-entropy loss", re.compile(r"cross[- ]entropy", re.IGNORECASE), "log"),
    ("MSE loss", re.compile(r"\bMSE\b|mean[- ]squared", re.IGNORECASE), "**"),
    ("L1 loss", re.compile(r"\bL1 loss\b|\bMAE\b", re.IGNORECASE), "abs"),
    ("KL loss", re.compile(r"\bKL\b"), "log"),
)
_SIGMOID = re.compile(r"sigmoid|logistic", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Equation:
    """A formula found in the text: what it defines, its right side, and its span of characters."""

    lhs: str
    expr: Expr
    start: int
    stop: int
    inner: tuple[Expr, ...]


def read(page: Page) -> None:
    """Read the formulas of a claim, equations first, then expressions that stand alone."""
    sigmoid = bool(_SIGMOID.search(page.text)) and "standard deviation" not in page.text
    for equation in _equations(page.text, sigmoid):
        _add(page, equation)
    _alone(page, sigmoid)


def _equations(text: str, sigmoid: bool) -> Iterator[Equation]:
    for sign in _EQUALS.finditer(text):
        reading = read_expression(text, sign.end(), sigmoid)
        before = text[: sign.start()][-160:]
        left = _LHS.search(before) or _GLOSSED.search(before)
        if reading is None:
            continue
        offset = max(0, sign.start() - 160)
        start = offset + left.start() if left else sign.start()
        named = left and len(left.group()) < 60 and not _JOINED.search(text[:start])
        lhs = identifier((left["name"] if left.re is _GLOSSED else left.group()).strip()) if left and named else ""
        yield Equation(lhs, reading.expr, start, reading.stop, reading.inner)


def is_limit(result: Check | Unread) -> bool:
    """Whether a check is on what a formula's prose sets to 0 or 1 (a limit case, the first index) or bounds by them: no setting."""
    parts = result.checks if isinstance(result, AnyCheck) else (result,)
    first = parts[0]
    if not isinstance(first, ValueCheck) or any(isinstance(part, FormulaCheck) for part in parts):
        return False
    last = first.subjects[0].split()[-1]
    named = not is_symbol(last) and (last.lower() in QUANTITIES or "_" in last)
    if isinstance(first.test, Between):
        return not named and {first.test.low, first.test.high} <= {None, 0.0, 1.0}
    if not isinstance(first.test, Equals) or isinstance(first.test.value, bool):
        return False
    words = first.subjects[0].split()
    symbolic = any(is_symbol(word) and (len(words) == 1 or not word.isupper()) for word in (*words, *first.subjects))
    if first.test.value in ((0, 1), (0, 2), (-1, 1)):
        return symbolic or not named
    return first.test.value in (0, 1, -1) and (symbolic or not named)


def weight(expr: Expr) -> int:
    """How much structure an expression has: 1 an arithmetic sign, 2 a function or power, 1 a number other than 0, 1 and 2."""
    if isinstance(expr, Number):
        return 0 if expr.value in (0, 1, 2, -1) else 1
    if isinstance(expr, Symbol):
        return 0
    return _CHEAP.get(expr.head, 2) + sum(weight(item) for item in expr.args)


def _names(expr: Expr) -> bool:
    """Whether a symbol stands in an expression: `2/3` is a value."""
    return isinstance(expr, Symbol) or (isinstance(expr, Apply) and any(_names(item) for item in expr.args))


def _scales(expr: Expr) -> bool:
    """Whether an expression divides by a symbol or has a factor: `2*T/K`."""
    return isinstance(expr, Apply) and expr.head in "*/" and any(isinstance(item, Number) or _scales(item) for item in expr.args)


def _add(page: Page, equation: Equation) -> None:
    indexes = [i for i, token in enumerate(page.tokens) if token.start >= equation.start and token.end <= equation.stop]
    if not indexes or not _names(equation.expr) or weight(equation.expr) < 1:
        return
    if _RANGE.match(page.text, equation.stop):
        page.taken.update(indexes)
        return
    if not page.free(indexes[0], indexes[-1] + 1):
        if indexes[0] in page.taken:
            page.taken.update(indexes)
        return
    start, stop = indexes[0], indexes[-1] + 1
    parts = [*_terms(equation.expr), *(item for item in equation.inner if weight(item) >= _TERM + 2)]
    checks = [check for check in (_check(page, equation, part, start, stop) for part in parts) if check is not None]
    if not checks:
        if weight(equation.expr) >= DISCRIMINATING:
            page.add(start, stop, Unread(page.words(start, stop), "a formula that the formula language cannot express", True))
        else:
            page.taken.update(range(start, stop))
            _defined(page, equation, start, stop)
        return
    for check in checks:
        page.add(start, stop, check)


def _defined(page: Page, equation: Equation, start: int, stop: int) -> None:
    """A formula too simple to be told apart still defines something by name: `ExpertCoactivation(i, j) = N_ij / N_i`."""
    name = re.match(r"[A-Za-z]{5,}(?:[_-]?[A-Za-z]{3,})*", page.text[equation.start : equation.stop])
    if name and name.group().lower() not in _MATH_WORDS:
        page.add(start, stop, PresentCheck(entity=name.group(), source=page.source(start, stop)))


def _terms(expr: Expr) -> list[Expr]:
    """The terms of a sum when at least two have structure of their own, else the whole."""
    terms = [term for term in _summands(expr) if weight(_core(term)) >= _TERM]
    return terms if len(terms) > 1 and all(_is_reduction(_core(term)) for term in terms) else [expr]


def _summands(expr: Expr) -> list[Expr]:
    if isinstance(expr, Apply) and expr.head == "+":
        return [part for item in expr.args for part in _summands(item)]
    return [expr]


def _core(expr: Expr) -> Expr:
    """A term without its coefficient."""
    if isinstance(expr, Apply) and expr.head == "*":
        rest = [item for item in expr.args if weight(item) > 1]
        return rest[0] if len(rest) == 1 else expr
    return expr


def _is_reduction(expr: Expr) -> bool:
    """Whether a term is a quantity by itself, as losses are: a norm, mean, sum, divergence or expectation."""
    if isinstance(expr, Apply) and expr.head in ("**", "neg"):
        return _is_reduction(expr.args[0])
    return isinstance(expr, Apply) and expr.head in ("norm", "mean", "sum", "E", "KL")


def _check(page: Page, equation: Equation, expr: Expr, start: int, stop: int) -> Check | None:
    if weight(expr) < DISCRIMINATING - bool(equation.lhs and _scales(expr)):
        return None
    whole = expr == equation.expr
    source = page.source(start, stop)
    hints = symbols(page.tokens)
    checks: list[Check] = []
    for variant in _variants(expr, bool(_MAXIMISED.search(page.text))):
        text = to_text(variant)
        text = f"{equation.lhs} = {text}" if whole and equation.lhs else text
        if len(text) > _NORMAL_LENGTH or not _valid(text):
            continue
        used = tuple((name, names) for name, names in hints if re.search(rf"\b{re.escape(name)}\b", text))
        checks.append(FormulaCheck(text=text, symbols=used, source=source))
    if not checks:
        return None
    if re.match(r"L(?:_|$)|.*loss", equation.lhs, re.IGNORECASE):
        checks += [PresentCheck(entity=name, source=source) for name in _named_losses(page.text, expr)]
    return checks[0] if len(checks) == 1 else AnyCheck(checks=tuple(checks), source=source)


def _named_losses(text: str, expr: Expr) -> list[str]:
    """Losses that the claim names beside a formula of their shape: code calls them from a library."""
    heads = _heads(expr)
    return [name for name, pattern, needed in _LOSSES if needed in heads and pattern.search(text)]


def _heads(expr: Expr) -> set[str]:
    return {expr.head}.union(*(_heads(item) for item in expr.args)) if isinstance(expr, Apply) else set()


def _valid(text: str) -> bool:
    try:
        parse(text)
    except FormulaError:
        return False
    return True


def _variants(expr: Expr, maximised: bool) -> list[Expr]:
    """The formula, then how code may write it."""
    if isinstance(expr, Apply) and expr.head in ("max", "min", "argmax", "argmin") and len(expr.args) == 1:
        inner = expr.args[0]
        if isinstance(inner, Apply) and inner.head in ("E", "sum", "mean", "+", "-"):
            return _variants(inner, maximised or expr.head in ("max", "argmax"))
    found = [expr]
    squares = _replace(expr, "mean")
    if squares != expr:
        found += [_without_expectation(squares), _replace(expr, "sum")]
    batch = _expectation_as_mean(expr)
    if batch != expr and squares == expr:
        found += [batch, _without_expectation(expr)]
    if maximised and isinstance(expr, Apply) and expr.head in ("E", "sum", "mean", "min"):
        found.append(Apply("neg", (batch,)))
    return list(dict.fromkeys(found))[:4]


def _map(expr: Expr, change: object) -> Expr:
    if not isinstance(expr, Apply):
        return expr
    rebuilt = Apply(expr.head, tuple(_map(item, change) for item in expr.args), expr.axis)
    return change(rebuilt)  # type: ignore[operator,no-any-return]


def _replace(expr: Expr, reduction: str) -> Expr:
    """Squared norms as a reduction over squares."""

    def change(node: Apply) -> Expr:
        squared = node.head == "**" and node.args[1] == Number(Fraction(2)) and isinstance(node.args[0], Apply)
        if squared and isinstance(inner := node.args[0], Apply) and inner.head == "norm" and len(inner.args) == 1:
            return Apply(reduction, (Apply("**", (inner.args[0], Number(Fraction(2)))),))
        return node

    return _map(expr, change)


def _expectation_as_mean(expr: Expr) -> Expr:
    return _map(expr, lambda node: Apply("mean", node.args) if node.head == "E" else node)


def _without_expectation(expr: Expr) -> Expr:
    return _map(expr, lambda node: node.args[0] if node.head == "E" else node)


def _alone(page: Page, sigmoid: bool) -> None:
    """Expressions without an equals sign: `softmax(Q K^T / sqrt(d_k)) V`."""
    index = 0
    while index < len(page.tokens):
        token = page.tokens[index]
        if token.text in _BOUNDS and index + 1 < len(page.tokens):
            index = _bound(page, index + 1, sigmoid)
            continue
        starts = token.text == "(" or (token.text in {"|", "‖"} and _opens_next(page.tokens, index)) or _opens(token)
        if index in page.taken or not starts:
            index += 1
            continue
        reading = read_expression(page.text, token.start, sigmoid)
        stop = index
        while reading and stop < len(page.tokens) and page.tokens[stop].end <= reading.stop:
            stop += 1
        if reading and weight(reading.expr) >= _INLINE and page.free(index, stop) and _mathematical(page.tokens[index:stop]):
            equation = Equation("", reading.expr, token.start, reading.stop, ())
            _add(page, equation)
            index = max(stop, index + 1)
        else:
            index += 1


def _bound(page: Page, index: int, sigmoid: bool) -> int:
    """Set aside what bounds something (`L <= C log T`): a condition of theory, not a computation; the index to go on from."""
    reading = read_expression(page.text, page.tokens[index].start, sigmoid)
    stop = index + 1
    while reading and stop < len(page.tokens) and page.tokens[stop].end <= reading.stop:
        stop += 1
    if reading and weight(reading.expr) >= _INLINE:
        page.taken.update(range(index, stop))
    return stop


def _opens_next(tokens: Sequence[Token], index: int) -> bool:
    """Whether something that may stand between bars follows a bar, after a second one perhaps."""
    after = [token.text for token in tokens[index + 1 : index + 3]]
    return bool(after) and (after[0] not in {"|", "‖"} or after[-1] not in {"|", "‖"})


def _opens(token: Token) -> bool:
    """Whether a word may begin a formula: a symbol or a function, not a name with a hyphen."""
    return (
        token.kind is Kind.WORD
        and "-" not in token.text
        and (is_symbol(token.text) or "_" in token.text or token.low in _MATH_WORDS | {"sum", "log", "exp"})
    )


_PROSE = re.compile(r"[A-Za-z]{4,}(?:-[A-Za-z]+)*")
_MATH_WORDS = frozenset(
    "softmax sigmoid sqrt mean norm argmin argmax clip relu silu gelu tanh softplus grad alpha beta gamma delta theta "
    "lambda sigma epsilon kappa omega".split()
)


def _mathematical(tokens: Sequence[Token]) -> bool:
    """Whether a stretch is a formula rather than prose with slashes and brackets."""
    words = [token for token in tokens if token.kind is Kind.WORD]
    prose = [token for token in words if _PROSE.fullmatch(token.text) and token.low not in _MATH_WORDS]
    return len(prose) * 3 <= len(words)


_BEFORE_A_NAME = frozenset({"the", "a", "an", "learned", "learnable", "its", "number", "of"})
_DEFINES = frozenset({"is", "are", "denotes", "denote", "represents", "="})


def symbols(tokens: Sequence[Token]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """What the prose says symbols are: `f_i is the fraction of tokens` gives `f_i` the name `fraction`."""
    found: dict[str, tuple[str, ...]] = {}
    for index in range(len(tokens) - 2):
        token = tokens[index]
        if token.kind is not Kind.WORD or not is_symbol(token.text) or tokens[index + 1].low not in _DEFINES:
            continue
        at = index + 2
        while at < len(tokens) and tokens[at].low in _BEFORE_A_NAME:
            at += 1
        words: list[str] = []
        while at < len(tokens) and is_content(tokens[at]) and re.fullmatch(r"[A-Za-z-]{3,}", tokens[at].text) and len(words) < 4:
            if tokens[at].low in _MATH_WORDS | {"sum", "prod", "log", "exp"}:
                break
            words.append(tokens[at].text.lower())
            at += 1
        if words:
            name = identifier(token.text)
            found.setdefault(name, tuple(dict.fromkeys((" ".join(words), " ".join(words[-2:]), words[-1]))))
    return tuple((name, _own(name, found)) for name in sorted(found))


def _own(name: str, found: dict[str, tuple[str, ...]]) -> tuple[str, ...]:
    """The names of a symbol without the bare word that is the whole name of another: of `maximum loss` beside `loss`."""
    others = {spoken[0] for other, spoken in found.items() if other != name}
    return tuple(spoken for spoken in found[name] if spoken not in others) or found[name]
