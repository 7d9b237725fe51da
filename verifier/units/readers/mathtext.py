"""Mathematics as papers type it, read into an expression.

    sum     = product (("+" | "-") product)*
    product = factor (("*" | "/") factor | factor)*              a product without sign only between symbols and brackets
    factor  = "-" factor | atom ("^" power)*
    atom    = number | symbol | call | "(" sum ")" | "||" sum "||" | "|" sum "|" | ("sum" | "prod" | "min" | "E" ...) index? product

The reader takes the longest prefix that is mathematics and says where it ended. Calls of functions that it does not know (`V(s')`,
`p(x|z)`) become one symbol each, because code may compute them in any way. An integral is read as an expectation. It refuses what it
cannot say faithfully: sets, dots, distributions.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

from verifier.model.expression import Apply, Expr, Number, Symbol
from verifier.units.readers.mathcursor import Cursor, NotMathematics
from verifier.units.readers.mathlex import Piece, identifier
from verifier.units.readers.mathshape import indexed, integrand, is_inverse_call, is_matrix, joined, tidy
from verifier.units.readers.mathwords import ENGLISH, FUNCTIONS, LARGE, MEANS, is_symbol

_SUPERSCRIPT = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
_CLOSING = {"(": ")", "[": "]", "{": "}"}
_DIVERGENCE = re.compile(r"(?:D|KL)_?\{?(?:KL|kl)?\}?")
_ORDER = re.compile(r"_(?:\{?(\d|inf|infty|infinity|∞|F|op)(?:ty)?\}?)")
_BOUNDS = re.compile(r"(?:[_^](?:\{[^{}]*\}|\w+))*")
MAX_DEPTH = 40


@dataclass(frozen=True, slots=True)
class Reading:
    """An expression with the place after it, and the arguments of opaque calls that have structure of their own."""

    expr: Expr
    stop: int
    inner: tuple[Expr, ...] = ()


def read_expression(text: str, start: int, sigma_is_sigmoid: bool = False) -> Reading | None:
    """Read the longest expression that starts at a place; None when none does or it cannot be said faithfully."""
    reader = _Reader(text, start, sigma_is_sigmoid)
    try:
        expr = reader.sum()
    except NotMathematics:
        return None
    return Reading(tidy(expr), reader.last, tuple(tidy(item) for item in reader.inner))


class _Reader(Cursor):
    def __init__(self, text: str, start: int, sigmoid: bool) -> None:
        super().__init__(text, start)
        self.sigmoid = sigmoid
        self.depth, self.bars = 0, 0
        self.inner: list[Expr] = []

    def sum(self) -> Expr:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise NotMathematics
        left = self.product()
        while self.sees("+", "-"):
            mark = (self.at, self.last)
            glued = not self.piece.spaced and not self.after.spaced
            sign = self.next().text
            if glued and self.piece.kind == "name" and len(self.piece.text) > 4 and not is_symbol(self.piece):
                self.at, self.last = mark
                break
            try:
                right = self.product()
            except NotMathematics:
                self.at, self.last = mark
                break
            left = Apply(sign, (left, right))
        self.depth -= 1
        return left

    def product(self) -> Expr:
        left = self.factor()
        while True:
            mark = (self.at, self.last)
            divides = self.take("/")
            signed = divides or self.take("*", ".*") or self.take_word("circ", "odot", "times", "cdot")
            if not signed and not self.juxtaposed():
                return left
            if divides and self._lists(left):
                self.at, self.last = mark
                return left
            try:
                right = self.denominator() if divides else self.factor()
            except NotMathematics:
                self.at, self.last = mark
                if divides or self.piece.kind == "op":
                    return left
                raise
            left = Apply("/" if divides else "*", (left, right)) if signed else joined(left, right)

    def _lists(self, left: Expr) -> bool:
        """Whether a slash parts settings, as in `batch=64/lr=1e-3`, rather than divides."""
        named = self.piece.kind == "name" and self.after.text in ("=", ":=")
        return named and (isinstance(left, Number) or not is_symbol(self.piece))

    def denominator(self) -> Expr:
        """What stands below a slash: in `x/2σ^2` the attached symbol too."""
        number = self.piece.kind == "number"
        below = self.factor()
        while number and self.piece.kind == "name" and not self.piece.spaced:
            below = Apply("*", (below, self.factor()))
        return below

    def juxtaposed(self) -> bool:
        """Whether the next piece multiplies without a sign: a symbol, a function, an attached bracket; never a word of prose."""
        piece = self.piece
        if piece.kind == "name":
            return self._factor_by_name(piece)
        if self.sees("(", "["):
            return not piece.spaced or (self.before.text == ")" and piece.text == "(")
        return self.sees("∑", "Σ", "∏", "√") or (self.sees("||") and self.bars == 0)

    def _factor_by_name(self, piece: Piece) -> bool:
        if piece.text == "x" and not piece.index and piece.spaced and self.after.spaced:
            return False
        if self.after.text in ("=", ":="):
            return False
        call = self.after.text in ("(", "[")
        function = piece.text.lower() in FUNCTIONS and (call or piece.text.lower() not in ENGLISH)
        return is_symbol(piece) or function or (piece.text in LARGE and (call or bool(piece.index))) or piece.text in MEANS

    def factor(self) -> Expr:
        if self.take("-"):
            inner = self.factor()
            return Number(-inner.value) if isinstance(inner, Number) else Apply("neg", (inner,))
        if self.take("+"):
            return self.factor()
        return self.powers(self.atom())

    def powers(self, base: Expr) -> Expr:
        while True:
            if self.piece.kind == "op" and re.fullmatch(r"[⁰¹²³⁴⁵⁶⁷⁸⁹]+", self.piece.text):
                base = Apply("**", (base, Number(Fraction(self.next().text.translate(_SUPERSCRIPT)))))
            elif self.take("ᵀ", "⊤"):
                base = Apply("transpose", (base,))
            elif self.take("^", "**"):
                base = self.raised(base)
            else:
                return base

    def raised(self, base: Expr) -> Expr:
        """A power behind `^`: `2`, `{-1}`, `(1/2)`, `T`, `{t}`."""
        if self.piece.kind == "name" and self.piece.text in ("T", "top") and not self.piece.index:
            self.next()
            return Apply("transpose", (base,))
        power = self.braced() if self.take("{") else self.factor()
        if power == Symbol("T"):
            return Apply("transpose", (base,))
        if power == Number(Fraction(-1)) and is_matrix(base):
            return Apply("inverse", (base,))
        return Apply("**", (base, power))

    def braced(self) -> Expr:
        inner = self.sum()
        self.need("}")
        return inner

    def atom(self) -> Expr:
        piece = self.piece
        if piece.kind == "number":
            self.next()
            indicates = self.sees("{", "[") and piece.text == "1" and not self.piece.spaced
            return self.indicator() if indicates else Number(Fraction(piece.text))
        if piece.kind == "name":
            return self.named()
        if self.sees("(", "["):
            return self.bracket()
        if self.sees("||"):
            return self.norm()
        if self.sees("∑", "Σ", "∏"):
            return self.large(self.next())
        if self.take("∫"):
            return self.integral()
        if self.take("|"):
            inner = self.sum()
            self.need("|")
            return Apply("abs", (inner,))
        if self.take("√"):
            return Apply("sqrt", (self.atom(),))
        if self.take("∞"):
            return Symbol("inf")
        raise NotMathematics

    def bracket(self) -> Expr:
        args = self.arguments()
        if len(args) != 1:
            raise NotMathematics
        return args[0]

    def arguments(self) -> tuple[Expr, ...]:
        closing = _CLOSING[self.next().text]
        bars, self.bars = self.bars, 0
        args = [self.condition()]
        while self.take(","):
            args.append(self.condition())
        self.bars = bars
        self.need(closing)
        return tuple(args)

    def condition(self) -> Expr:
        left = self.sum()
        for sign in ("<=", ">=", "==", "!=", "<", ">"):
            if self.take(sign):
                return Apply(sign, (left, self.sum()))
        return left

    def norm(self) -> Expr:
        self.next()
        self.bars += 1
        inner = self.sum()
        self.bars -= 1
        self.need("||")
        match = _ORDER.match(self.text, self.last)
        if not match:
            return Apply("norm", (inner,))
        self.skip_to(match.end())
        order = match[1]
        if order in ("2", "F", "op"):
            return Apply("norm", (inner,))
        return Apply("norm", (inner, Symbol("inf") if order[0] in "i∞" else Number(Fraction(order))))

    def indicator(self) -> Expr:
        return Apply("indicator", (self.bracket(),))

    def large(self, piece: Piece) -> Expr:
        """A sum, product, maximum or expectation over what follows, with its bound kept as the axis until means are found."""
        head = "E" if piece.text in MEANS else LARGE[piece.text]
        if self.sees("_"):
            raise NotMathematics
        upper = re.search(r"\^\{?([^{}]+)\}?$", piece.index)
        args = self.arguments() if self.sees("(", "[") and not self.piece.spaced else (self.product(),)
        if head in ("max", "min") and len(args) > 1:
            return Apply(head, args)
        if len(args) != 1:
            raise NotMathematics
        return Apply(head, args, axis=identifier(upper[1]) if upper else "")

    def integral(self) -> Expr:
        """An integral up to its differentials, as the expectation that code samples or averages in its place."""
        bounds = _BOUNDS.match(self.text, self.last)
        if bounds and bounds.end() > self.last:
            self.skip_to(bounds.end())
        inner = integrand(self.product())
        if inner is None:
            raise NotMathematics
        return Apply("E", (inner,))

    def named(self) -> Expr:
        """What begins with a name: an operator, a function, a call or a symbol."""
        piece = self.next()
        low = piece.text.lower()
        follows = self.sees("(", "[") and not self.piece.spaced
        if low.startswith("partial"):
            raise NotMathematics
        if low.startswith("integral"):
            return self.integral()
        if self._is_large(piece, follows):
            return self.large(piece)
        if _DIVERGENCE.fullmatch(piece.text + piece.index) and "KL" in (piece.text + piece.index).upper() and self.sees("(", "["):
            return self.divergence()
        if piece.text.startswith("∇") or (low in ("grad", "nabla") and (piece.index or follows)):
            return self.gradient(piece)
        head = FUNCTIONS.get(low, "")
        if piece.text in ("σ", "sigma") and not piece.index and follows and (self.sigmoid or self._after_log() or self._gates()):
            head = "sigmoid"
        if head and (follows or head not in ENGLISH):
            return self.function(head, piece, follows)
        return self.opaque(piece) if follows else self.symbol(piece)

    def _is_large(self, piece: Piece, follows: bool) -> bool:
        if piece.text in LARGE:
            spelled = piece.text.lower() != piece.text
            return bool(piece.index) or follows or spelled or self.piece.kind in ("name", "number") or self.sees("||", "|")
        if piece.text not in MEANS:
            return False
        drawn = piece.text == "𝔼" or "~" in piece.index or "∼" in piece.index or not piece.index
        return self.sees("[", "||") or (drawn and self.sees("("))

    def _after_log(self) -> bool:
        """Whether a sigma stands inside a logarithm, as the sigmoid of a likelihood does."""
        return any(piece.text == "log" for piece in self.pieces[max(0, self.at - 3) : self.at])

    def _gates(self) -> bool:
        """Whether a sigma is applied to a weighted input: `σ(X W)`."""
        return " W" in self.text[self.piece.start : self.matching(self.piece.start)]

    def function(self, head: str, piece: Piece, follows: bool) -> Expr:
        power = None
        if head == "log" and piece.index.startswith("_"):
            head = {"2": "log2", "10": "log10"}.get(piece.index[1:].strip("{}"), "log")
        if self.take("^"):
            power = self.braced() if self.take("{") else self.factor()
            follows = self.sees("(", "[")
        if follows:
            args = self.arguments()
            self.drop_index()
        else:
            args = (self.powers(self.atom()),)
        applied: Expr = Apply(head, args)
        return Apply("**", (applied, power)) if power is not None else applied

    def divergence(self) -> Expr:
        start = self.next().start
        stop = self.matching(start)
        inside = self.text[start + 1 : stop].replace("‖", "||")
        split = next((at for at in range(len(inside)) if inside.startswith("||", at) and _level(inside, at) == 0), None)
        if split is None:
            raise NotMathematics
        self.skip_to(stop + 1)
        return Apply("KL", (Symbol(identifier(inside[:split])), Symbol(identifier(inside[split + 2 :]))))

    def gradient(self, piece: Piece) -> Expr:
        inner = self.powers(self.atom())
        name = piece.text.removeprefix("∇") + piece.index
        return Apply("grad", (inner, Symbol(identifier(name.strip("_{}") or "x"))))

    def opaque(self, piece: Piece) -> Expr:
        """A call of an unknown function: one symbol; what stands inside may be a formula of its own."""
        start = self.piece.start
        stop = self.matching(start)
        for part in _parts(self.text, start + 1, stop):
            inner = read_expression(self.text[:stop], part, self.sigmoid) if self.depth < MAX_DEPTH else None
            if inner is not None:
                self.inner.extend((inner.expr, *inner.inner))
        self.skip_to(stop + 1)
        return Symbol(identifier(piece.text + piece.index + "_" + self.text[start + 1 : stop]))

    def symbol(self, piece: Piece) -> Expr:
        if not is_symbol(piece) and len(piece.text) > 3 and self.piece.kind == "name" and not is_symbol(self.piece):
            raise NotMathematics
        if piece.text == "e" and (piece.index.startswith("^{") or self.sees("^")):
            return self.exponential(piece)
        if is_inverse_call(piece) and self.sees("(") and not self.piece.spaced:
            return self.opaque(piece)
        return indexed(piece)

    def exponential(self, piece: Piece) -> Expr:
        """`e^{-x}` and `e^(-x)`."""
        if self.take("^"):
            return Apply("exp", (self.braced() if self.take("{") else self.factor(),))
        inner = read_expression(piece.index[2:-1], 0, self.sigmoid)
        if inner is None:
            raise NotMathematics
        return Apply("exp", (inner.expr,))


def _level(text: str, stop: int) -> int:
    """How many brackets are open at a place."""
    return sum((char in "([{") - (char in ")]}") for char in text[:stop])


def _parts(text: str, start: int, stop: int) -> list[int]:
    """Where the arguments of a call begin."""
    found, depth = [start], 0
    for at in range(start, stop):
        depth += (text[at] in "([{") - (text[at] in ")]}")
        if depth == 0 and text[at] in ",|;":
            found.append(at + 1)
    return found
