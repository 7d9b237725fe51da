"""The formula language of unit files: `lhs = rhs`, or `rhs` alone.

Numbers, names, the functions of `heads`, calls of unknown functions, `+ - * / ** @`, comparisons, `and or not`. Greek letters and the
usual signs of Unicode (× · ⊙ − ≤ √ ² ᵀ) are read as what they stand for. Anything else is refused with its column and how to mend it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from fractions import Fraction

from verifier.algebra.heads import ALIASES, ARITY, CALLS, COMPARISONS, CONSTANTS, GREEK, arity_fault
from verifier.errors import FormulaError
from verifier.model.expression import Apply, Expr, Number, Symbol

MAX_LENGTH = 4000
MAX_DEPTH = 60

_SIGNS = {
    "×": "*",
    "·": "*",
    "⋅": "*",
    "⊙": "*",
    "∗": "*",
    "∘": "*",
    "−": "-",
    "–": "-",
    "÷": "/",
    "≤": "<=",
    "≥": ">=",
    "≠": "!=",
}
_POWERS = {"⁰": "0", "¹": "1", "²": "2", "³": "3", "⁴": "4"}
_TOKEN = re.compile(
    r"(?P<space>\s+)"
    r"|(?P<number>(?:\d+(?:_\d+)*\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)"
    r"|(?P<name>[^\W\d](?:[^\W⁰¹²³⁴ᵀ]|'|\.(?=[^\W\d]))*)"
    r"|(?P<sign>\*\*|<=|>=|==|!=|[-+*/@^=<>()\[\],×·⋅⊙∗∘−–÷≤≥≠√⁰¹²³⁴ᵀ⊤∞])"
)
_MEND = {
    "|": "write abs(x), or KL(p, q) for a divergence",
    "‖": "write norm(x) or norm(x, p)",
    "∑": "write sum(x)",
    "Σ": "write sum(x)",
    "∏": "write prod(x)",
    "{": "the formula language has no braces; for LaTeX use the key `latex`",
    "\\": "for LaTeX use the key `latex` in place of `formula`",
    "$": "for LaTeX use the key `latex` in place of `formula`",
    "_": "a subscript is a part of the name: x_t",
    ":": "a definition is written with a single `=`",
    "%": "write the ratio as a number",
    "!": "factorials are not in the formula language",
}


@dataclass(frozen=True, slots=True)
class Formula:
    """A formula as read.

    Attributes:
        text: as written.
        rhs: what is computed.
        lhs: what it defines; None when only an expression is written.
    """

    text: str
    rhs: Expr
    lhs: Expr | None = None

    @property
    def name(self) -> str:
        """The name that the formula defines; empty when it names none."""
        match self.lhs:
            case Symbol(name):
                return name
            case Apply("index", (Symbol(name), *_)):
                return name
            case Apply(head, args) if head not in ARITY and args and (head[0].isalpha() or head[0] == "_"):
                return head
        return ""


def claimed(expr: Expr, declared: Collection[str]) -> Expr:
    """An expression whose symbols are told from constants and from the expectation.

    Names that a unit declares as symbols are symbols, be they `pi`, `e` or `E`; and an `e` that is no base of a power is one anyway.

    Args:
        expr: an expression as read.
        declared: the names of symbols that a unit gives names for.
    """
    taken = {name for name in (*CONSTANTS, "E") if name in declared}
    if not _is_base_only(expr):
        taken.add("e")
    return _told(expr, taken) if taken else expr


def _is_base_only(expr: Expr) -> bool:
    """Whether each `e` in an expression has an exponent."""
    if not isinstance(expr, Apply):
        return not (isinstance(expr, Symbol) and expr.name == "e")
    args = (
        expr.args[1:] if expr.head == "**" and expr.args[0] == Symbol("e") and not isinstance(expr.args[1], Number) else expr.args
    )
    return all(_is_base_only(item) for item in args)


def _told(expr: Expr, taken: Collection[str]) -> Expr:
    if isinstance(expr, Symbol):
        return Symbol(f"{expr.name}_") if expr.name in taken else expr
    if isinstance(expr, Number):
        return expr
    head = f"{expr.head}_" if expr.head in taken else expr.head
    return Apply(head, tuple(_told(item, taken) for item in expr.args), expr.axis)


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of the text: its kind, its text, and its 1-based column."""

    kind: str
    text: str
    column: int


def parse(text: str) -> Formula:
    """Read a formula.

    Args:
        text: `lhs = rhs` or `rhs`.

    Raises:
        FormulaError: the text is not in the language; the error says what, in which column, and how to mend it.
    """
    if len(text) > MAX_LENGTH:
        raise FormulaError(f"the formula is longer than {MAX_LENGTH} characters", MAX_LENGTH)
    return _Parser(tuple(_tokens(text)), text).formula()


def parse_expression(text: str) -> Expr:
    """Read an expression: the right-hand side alone. Raises FormulaError like `parse`."""
    return parse(text).rhs


def _tokens(text: str) -> Iterator[Token]:
    at = 0
    while at < len(text):
        found = _TOKEN.match(text, at)
        if not found:
            sign = text[at]
            mend = _MEND.get(sign, "see the formula language in the documentation")
            raise FormulaError(f"`{sign}` in column {at + 1} is not understood: {mend}", at + 1)
        if found.lastgroup != "space":
            word = _SIGNS.get(found.group(), found.group())
            if found.lastgroup == "name":
                word = _spelled(word, at + 1)
            yield Token(str(found.lastgroup), word, at + 1)
        at = found.end()
    yield Token("end", "", len(text) + 1)


def _spelled(name: str, column: int) -> str:
    if name in ("Σ", "∑"):
        raise FormulaError(f"`{name}` in column {column} is not understood: write sum(x)", column)
    parts = [GREEK.get(letter, letter) for letter in name]
    return name if name.isascii() else "".join(parts)


class _Parser:
    def __init__(self, tokens: tuple[Token, ...], text: str) -> None:
        self.tokens, self.text, self.at, self.depth = tokens, text, 0, 0

    @property
    def token(self) -> Token:
        return self.tokens[self.at]

    def take(self, *texts: str) -> Token | None:
        token = self.token
        if token.kind in ("sign", "name") and token.text in texts:
            self.at += 1
            return token
        return None

    def fault(self, message: str) -> FormulaError:
        token = self.token
        seen = f"`{token.text}` in column {token.column}" if token.text else "the end of the formula"
        return FormulaError(f"{message}, not {seen}", token.column)

    def formula(self) -> Formula:
        left = self.condition()
        if not self.take("="):
            self.ended()
            return Formula(self.text, left)
        right = self.condition()
        if self.token.text == "=":
            raise self.fault("one `=` is allowed: after the right-hand side, expected the end")
        self.ended()
        return Formula(self.text, right, left)

    def ended(self) -> None:
        token = self.token
        if token.kind == "end":
            return
        if token.kind in ("name", "number") or token.text in ("(", "["):
            raise self.fault("expected an operator (products are written with `*`)")
        raise self.fault("expected an operator or the end")

    def condition(self) -> Expr:
        left = self.conjunction()
        while self.take("or"):
            left = Apply("or", (left, self.conjunction()))
        return left

    def conjunction(self) -> Expr:
        left = self.comparison()
        while self.take("and"):
            left = Apply("and", (left, self.comparison()))
        return left

    def comparison(self) -> Expr:
        if self.take("not"):
            return Apply("not", (self.comparison(),))
        left = self.sum()
        if sign := self.take(*COMPARISONS):
            return Apply(sign.text, (left, self.sum()))
        return left

    def sum(self) -> Expr:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise self.fault(f"the formula is nested deeper than {MAX_DEPTH}")
        left = self.product()
        while sign := self.take("+", "-"):
            left = Apply(sign.text, (left, self.product()))
        self.depth -= 1
        return left

    def product(self) -> Expr:
        left = self.signed()
        while sign := self.take("*", "/", "@"):
            left = Apply(sign.text, (left, self.signed()))
        return left

    def signed(self) -> Expr:
        if self.take("-"):
            self.depth += 1
            if self.depth > MAX_DEPTH:
                raise self.fault(f"the formula is nested deeper than {MAX_DEPTH}")
            literal = self.token.kind == "number"
            inner = self.signed()
            self.depth -= 1
            return Number(-inner.value) if literal and isinstance(inner, Number) else Apply("neg", (inner,))
        if self.take("+"):
            return self.signed()
        return self.power()

    def power(self) -> Expr:
        base = self.postfix()
        if self.take("**", "^"):
            return Apply("**", (base, self.signed()))
        return base

    def postfix(self) -> Expr:
        left = self.atom()
        while True:
            token = self.token
            if token.text in _POWERS:
                self.at += 1
                left = Apply("**", (left, Number(Fraction(_POWERS[token.text]))))
            elif self.take("ᵀ", "⊤"):
                left = Apply("transpose", (left,))
            elif self.take("["):
                left = Apply("index", (left, *self.operands("]")))
            else:
                return left

    def atom(self) -> Expr:
        token = self.token
        if token.kind == "number":
            self.at += 1
            return Number(Fraction(token.text))
        if token.kind == "name":
            self.at += 1
            return self.call(token) if self.take("(") else Symbol(token.text)
        if self.take("("):
            inner = self.condition()
            if not self.take(")"):
                raise self.fault("expected `)`")
            return inner
        if self.take("√"):
            return Apply("sqrt", (self.postfix(),))
        if self.take("∞"):
            return Symbol("inf")
        raise self.fault("expected a number, a name or `(`")

    def call(self, name: Token) -> Expr:
        args = self.operands(")")
        head = ALIASES.get(name.text, name.text)
        if head == "**":
            return Apply("**", args)
        if head in ARITY and (fault := arity_fault(head, len(args))):
            raise FormulaError(f"{fault}, in column {name.column} (written like {CALLS})", name.column)
        return Apply(head, args)

    def operands(self, closing: str) -> tuple[Expr, ...]:
        if self.take(closing):
            return ()
        args = [self.condition()]
        while self.take(","):
            args.append(self.condition())
        if not self.take(closing):
            raise self.fault(f"expected `,` or `{closing}`")
        return tuple(args)
