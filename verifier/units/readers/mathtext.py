"""Mathematics as papers type it, read into an expression.

    sum     = product (("+" | "-") product)*
    product = factor (("*" | "/") factor | factor)*              a product without sign only between symbols and brackets
    factor  = "-" factor | atom ("^" power)*
    atom    = number | symbol | call | "(" sum ")" | "||" sum "||" | "|" sum "|" | ("sum" | "prod" | "min" | "E" ...) index? product

The reader takes the longest prefix that is mathematics and says where it ended. Calls of functions that it does not know (`V(s')`,
`p(x|z)`) become one symbol each, because code may compute them in any way. It refuses what it cannot say faithfully: integrals, sets,
dots, distributions.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

from verifier.model.expression import Apply, Expr, Number, Symbol
from verifier.units.readers.mathlex import Piece, identifier, lex

_FUNCTIONS = {
    name.lower(): name
    for name in (
        "sqrt exp log log2 log10 abs sign floor ceil sin cos tan tanh erf sigmoid softplus relu silu gelu softmax log_softmax logsumexp mean var std "
        "det trace stopgrad clip norm cumsum cumprod inverse transpose"
    ).split()
}
_ALIASES = {"ln": "log", "sg": "stopgrad", "clamp": "clip", "tr": "trace", "logsoftmax": "log_softmax", "swish": "silu", "sgn": "sign", "detach": "stopgrad"}
_LARGE = {
    **{name: "sum" for name in ("sum", "Sum", "∑", "Σ")},
    **{name: "prod" for name in ("prod", "Prod", "product", "∏", "Π")},
    **{name: name for name in ("max", "min", "argmax", "argmin")},
    **{"arg_max": "argmax", "arg_min": "argmin", "avg": "mean", "average": "mean"},
}
_MEANS = frozenset({"E", "𝔼", "Exp"})
_POWERED = frozenset("gamma γ lambda λ rho ρ e beta β alpha α".split())
_SUPERSCRIPT = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
MAX_DEPTH = 40


class NotMathematics(Exception):
    """The text at this place is not a formula, or says what the formula language cannot."""


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
    return Reading(_tidy(expr), reader.last, tuple(_tidy(item) for item in reader.inner))


class _Reader:
    def __init__(self, text: str, start: int, sigmoid: bool) -> None:
        self.text, self.sigmoid = text, sigmoid
        self.pieces = list(lex(text, start))
        self.at, self.depth, self.bars = 0, 0, 0
        self.last = start
        self.inner: list[Expr] = []

    @property
    def piece(self) -> Piece:
        return self.pieces[self.at]

    def next(self) -> Piece:
        piece = self.piece
        self.last = piece.stop
        self.at += 1
        return piece

    def take(self, *texts: str) -> bool:
        if self.piece.kind == "op" and self.piece.text in texts:
            self.next()
            return True
        return False

    def sum(self) -> Expr:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise NotMathematics
        left = self.product()
        while self.piece.text in ("+", "-") and self.piece.kind == "op":
            mark = (self.at, self.last)
            glued = not self.piece.spaced and not self.pieces[self.at + 1].spaced
            sign = self.next().text
            if glued and self.piece.kind == "name" and len(self.piece.text) > 4 and not _is_symbol(self.piece):
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
            sign = "*"
            juxtaposed = False
            if self.take("*", ".*") or self._word("circ", "odot", "times", "cdot"):
                pass
            elif self.take("/"):
                sign = "/"
            elif self._juxtaposed():
                juxtaposed = True
            else:
                return left
            try:
                right = self.denominator() if sign == "/" else self.factor()
            except NotMathematics:
                self.at, self.last = mark
                if sign == "/" or self.piece.kind == "op":
                    return left
                raise
            left = _joined(left, right) if juxtaposed else Apply(sign, (left, right))

    def denominator(self) -> Expr:
        """What stands below a slash: in `x/2σ^2` the attached symbol too."""
        number = self.piece.kind == "number"
        below = self.factor()
        while number and self.piece.kind == "name" and not self.piece.spaced:
            below = Apply("*", (below, self.factor()))
        return below

    def _word(self, *names: str) -> bool:
        """Take an operator that is spelled out, when an operand follows."""
        if self.piece.kind != "name" or self.piece.text not in names or self.pieces[self.at + 1].kind == "end":
            return False
        self.next()
        return True

    def _juxtaposed(self) -> bool:
        """Whether the next token multiplies without a sign: a symbol, a function, an attached bracket; never a word of prose."""
        piece, before = self.piece, self.pieces[self.at - 1]
        if piece.kind == "name":
            if piece.text == "x" and not piece.index and piece.spaced and self.pieces[self.at + 1].spaced:
                return False
            if self.pieces[self.at + 1].text in ("=", ":="):
                return False
            if before.kind == "number" and piece.spaced and len(piece.text) > 2 and not piece.index:
                return False
            return _is_symbol(piece) or piece.text.lower() in _FUNCTIONS or piece.text in _LARGE or piece.text in _MEANS
        if piece.kind == "op" and piece.text in ("∑", "Σ", "∏", "√"):
            return True
        if piece.kind == "op" and piece.text in ("(", "["):
            return not piece.spaced or (before.text in (")", "]") and piece.text == "(")
        if piece.kind == "op" and piece.text == "||" and self.bars == 0:
            return True
        return False

    def factor(self) -> Expr:
        if self.take("-"):
            inner = self.factor()
            return Number(-inner.value) if isinstance(inner, Number) else Apply("neg", (inner,))
        if self.take("+"):
            return self.factor()
        return self.powers(self.atom())

    def powers(self, base: Expr) -> Expr:
        while True:
            piece = self.piece
            if piece.kind != "op":
                return base
            if re.fullmatch(r"[⁰¹²³⁴⁵⁶⁷⁸⁹]+", piece.text):
                self.next()
                base = Apply("**", (base, Number(Fraction(piece.text.translate(_SUPERSCRIPT)))))
            elif piece.text in ("ᵀ", "⊤"):
                self.next()
                base = Apply("transpose", (base,))
            elif piece.text in ("^", "**"):
                self.next()
                base = self.raised(base)
            else:
                return base

    def raised(self, base: Expr) -> Expr:
        """A power behind `^`: `2`, `{-1}`, `(1/2)`, `T`, `{t}`."""
        if self.piece.kind == "name" and self.piece.text in ("T", "top") and not self.piece.index:
            self.next()
            return Apply("transpose", (base,))
        if self.take("{"):
            power = self.sum()
            if not self.take("}"):
                raise NotMathematics
        else:
            power = self.factor()
        if power == Symbol("T"):
            return Apply("transpose", (base,))
        if power == Number(Fraction(-1)) and _is_matrix(base):
            return Apply("inverse", (base,))
        return Apply("**", (base, power))

    def atom(self) -> Expr:
        piece = self.piece
        if piece.kind == "number":
            self.next()
            if self.piece.text in ("{", "[") and piece.text == "1" and not self.piece.spaced:
                return self.indicator()
            return Number(Fraction(piece.text))
        if piece.kind == "name":
            return self.named()
        if piece.kind != "op":
            raise NotMathematics
        if piece.text in ("(", "["):
            return self.bracket("(" if piece.text == "(" else "[")
        if piece.text == "||":
            return self.norm()
        if piece.text == "|":
            return self.absolute()
        if piece.text in ("∑", "Σ", "∏"):
            return self.large(self.next())
        if piece.text == "√":
            self.next()
            return Apply("sqrt", (self.atom(),))
        if piece.text == "∞":
            self.next()
            return Symbol("inf")
        raise NotMathematics

    def bracket(self, opening: str) -> Expr:
        self.next()
        bars, self.bars = self.bars, 0
        inner = self.condition()
        self.bars = bars
        if not self.take(")" if opening == "(" else "]"):
            raise NotMathematics
        return inner

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
        if not self.take("||"):
            raise NotMathematics
        match = re.match(r"_(?:\{?(\d|inf|infty|infinity|∞|F|op)(?:ty)?\}?)", self.text[self.last :])
        if not match:
            return Apply("norm", (inner,))
        self._skip_to(self.last + match.end())
        order = match[1]
        if order in ("2", "F", "op"):
            return Apply("norm", (inner,))
        return Apply("norm", (inner, Symbol("inf") if order[0] in "i∞" else Number(Fraction(order))))

    def _skip_to(self, place: int) -> None:
        """Go on reading at a place of the text."""
        self.pieces = [*self.pieces[: self.at], *lex(self.text, place)]
        self.last = place

    def absolute(self) -> Expr:
        self.next()
        inner = self.sum()
        if not self.take("|"):
            raise NotMathematics
        return Apply("abs", (inner,))

    def indicator(self) -> Expr:
        closing = "}" if self.next().text == "{" else "]"
        inner = self.condition()
        if not self.take(closing):
            raise NotMathematics
        return Apply("indicator", (inner,))

    def large(self, piece: Piece) -> Expr:
        """A sum, product, maximum or expectation over what follows, with its bounds kept as the axis until means are found."""
        head = "E" if piece.text in _MEANS else _LARGE[piece.text]
        index = piece.index
        if not index and self.piece.text == "_" and self.piece.kind == "op":
            raise NotMathematics
        upper = re.search(r"\^\{?([^{}]+)\}?$", index)
        if self.piece.text in ("(", "[") and not self.piece.spaced:
            args = self.arguments()
        else:
            args = (self.product(),)
        if head in ("max", "min") and len(args) > 1:
            return Apply(head, args)
        if len(args) != 1:
            raise NotMathematics
        return Apply(head, args, axis=identifier(upper[1]) if upper else "")

    def arguments(self) -> tuple[Expr, ...]:
        closing = {"(": ")", "[": "]", "{": "}"}[self.next().text]
        bars, self.bars = self.bars, 0
        args = [self.condition()]
        while self.take(","):
            args.append(self.condition())
        self.bars = bars
        if not self.take(closing):
            raise NotMathematics
        return tuple(args)

    def named(self) -> Expr:
        piece = self.next()
        low = piece.text.lower()
        follows = self.piece.kind == "op" and self.piece.text in ("(", "[") and not self.piece.spaced
        if piece.text in _LARGE and (piece.index or follows or low != piece.text or self.piece.kind in ("name", "number") or self.piece.text in ("||", "|")):
            return self.large(piece)
        if low.startswith(("integral", "partial")):
            raise NotMathematics
        opens = ("[", "||", "(") if piece.text == "𝔼" or "~" in piece.index or "∼" in piece.index or not piece.index else ("[", "||")
        if piece.text in _MEANS and self.piece.text in opens:
            return self.large(piece)
        if low in ("d_kl", "kl", "d_{kl}") or re.fullmatch(r"(?:D|KL)_?\{?(?:KL|kl)?\}?", piece.text + piece.index):
            if follows or self.piece.text in ("(", "["):
                return self.divergence()
        if piece.text.startswith("∇") or (low in ("grad", "nabla") and (piece.index or follows)):
            return self.gradient(piece)
        head = _ALIASES.get(low, _FUNCTIONS.get(low, ""))
        if piece.text in ("σ", "sigma") and not piece.index and follows and (self.sigmoid or self._after_log()):
            head = "sigmoid"
        if head and head != "norm" or (head == "norm" and follows):
            return self.function(head, piece, follows)
        if follows and self.piece.text in ("(", "["):
            return self.opaque(piece)
        return self.symbol(piece)

    def _after_log(self) -> bool:
        return self.at >= 2 and self.pieces[self.at - 2].text.lower() in ("log", "ln", "(") and any(p.text == "log" for p in self.pieces[max(0, self.at - 3) : self.at])

    def function(self, head: str, piece: Piece, follows: bool) -> Expr:
        power = None
        if piece.index.startswith("_") and head == "log":
            base = piece.index[1:].strip("{}")
            head = {"2": "log2", "10": "log10"}.get(base, "log")
        if self.piece.text == "^" and self.piece.kind == "op":
            self.next()
            power = self.factor() if not self.take("{") else self._braced()
            follows = self.piece.text in ("(", "[")
        if follows:
            args = self.arguments()
            self._drop_index()
        elif self.piece.kind in ("name", "number") or self.piece.text in ("||", "|", "∑", "Σ", "(", "∏"):
            args = (self.powers(self.atom()),)
        else:
            raise NotMathematics
        applied: Expr = Apply(head, args)
        return Apply("**", (applied, power)) if power is not None else applied

    def _braced(self) -> Expr:
        inner = self.sum()
        if not self.take("}"):
            raise NotMathematics
        return inner

    def _drop_index(self) -> None:
        """`softmax(x)_i` is a softmax."""
        match = re.match(r"_(?:\{[^{}]*\}|\w+)", self.text[self.last :])
        if match:
            self._skip_to(self.last + match.end())

    def divergence(self) -> Expr:
        start = self.next().start
        depth, at, split = 0, start, -1
        for at in range(start, len(self.text)):
            if self.text[at] in "([":
                depth += 1
            elif self.text[at] in ")]":
                depth -= 1
                if depth == 0:
                    break
            elif depth == 1 and self.text.startswith("||", at) or self.text[at] == "‖" and depth == 1:
                split = at
        if split < 0 or depth:
            raise NotMathematics
        left, right = self.text[start + 1 : split], self.text[split + (2 if self.text[split] == "|" else 1) : at]
        self._skip_to(at + 1)
        return Apply("KL", (Symbol(identifier(left)), Symbol(identifier(right))))

    def gradient(self, piece: Piece) -> Expr:
        inner = self.powers(self.atom())
        name = (piece.text.removeprefix("∇") or "") + piece.index
        return Apply("grad", (inner, Symbol(identifier(name.strip("_{}") or "x"))))

    def opaque(self, piece: Piece) -> Expr:
        """A call of an unknown function: one symbol; what stands inside may be a formula of its own."""
        start = self.piece.start
        depth, at = 0, start
        for at in range(start, len(self.text)):
            depth += (self.text[at] in "([{") - (self.text[at] in ")]}")
            if depth == 0:
                break
        if depth:
            raise NotMathematics
        for part in _parts(self.text, start + 1, at):
            inner = read_expression(self.text[:at], part, self.sigmoid)
            if inner is not None:
                self.inner.extend((inner.expr, *inner.inner))
        self._skip_to(at + 1)
        return Symbol(identifier(piece.text + piece.index + "_" + self.text[start + 1 : at]))

    def exponential(self, piece: Piece) -> Expr:
        """`e^{-x}` and `e^(-x)`."""
        if not piece.index:
            self.next()
            return Apply("exp", (self._braced() if self.take("{") else self.factor(),))
        inner = read_expression(piece.index[2:-1], 0, self.sigmoid)
        if inner is None:
            raise NotMathematics
        return Apply("exp", (inner.expr,))

    def symbol(self, piece: Piece) -> Expr:
        if not _is_symbol(piece) and len(piece.text) > 3 and self.piece.kind == "name" and not _is_symbol(self.piece):
            raise NotMathematics
        if piece.text == "e" and piece.index[:2] == "^{" or piece.text == "e" and self.piece.text == "^":
            return self.exponential(piece)
        power = re.search(r"\^(\{?)([a-zτ](?:/2)?|\{[a-z](?:[-+]1)?\})(\}?)$", piece.index)
        if power and identifier(piece.text) in _POWERED | {identifier(name) for name in _POWERED}:
            base = identifier(piece.text + piece.index[: power.start()])
            return Apply("**", (Symbol(base), Symbol(identifier(power[2]))))
        inverse = re.search(r"\^\{[-−]1\}$", piece.index)
        if inverse:
            base_symbol = Symbol(identifier(piece.text + piece.index[: inverse.start()]))
            if self.piece.text == "(" and not self.piece.spaced:
                return self.opaque(piece)
            return Apply("inverse", (base_symbol,)) if _is_matrix(base_symbol) else Apply("**", (base_symbol, Number(Fraction(-1))))
        number = re.search(r"\^\{?(-?\d+(?:/\d+)?)\}?$", piece.index)
        if number:
            return Apply("**", (Symbol(identifier(piece.text + piece.index[: number.start()])), Number(Fraction(number[1]))))
        transposed = re.search(r"\^\{?(?:T|⊤|top)\}?$", piece.index)
        if transposed:
            return Apply("transpose", (Symbol(identifier(piece.text + piece.index[: transposed.start()])),))
        return Symbol(identifier(piece.text + piece.index))


def _joined(left: Expr, right: Expr) -> Expr:
    """A product without a sign: of matrices where one shows (`Q K^T`, `softmax(A) V`); input times weight (`X W`) is one projection."""
    if isinstance(left, Symbol) and isinstance(right, Symbol) and right.name.startswith(("W_", "Theta")) or right == Symbol("W"):
        if isinstance(left, Symbol) and left.name[:1].isupper():
            return Symbol(f"{left.name}_{right.name}" if isinstance(right, Symbol) else left.name)
    matrices = any(isinstance(item, Apply) and item.head in ("transpose", "inverse", "softmax", "@") for item in (left, right))
    return Apply("@" if matrices else "*", (left, right))


def _parts(text: str, start: int, stop: int) -> list[int]:
    """Where the arguments of a call begin."""
    found, depth = [start], 0
    for at in range(start, stop):
        depth += (text[at] in "([{") - (text[at] in ")]}")
        if depth == 0 and text[at] in ",|;":
            found.append(at + 1)
    return found


_GREEK_NAMES = frozenset(
    "alpha beta gamma delta epsilon eps zeta eta theta kappa lambda mu nu xi pi rho sigma tau phi chi psi omega hat bar tilde grad nabla".split()
)


def _is_symbol(piece: Piece) -> bool:
    base = piece.text.split("_")[0]
    return bool(piece.index) or len(base) <= 2 and base.lower() not in _SMALL_WORDS or base.lower() in _GREEK_NAMES or "_" in piece.text


_SMALL_WORDS = frozenset("a an in is of on at to or as if by we it be do so no us vs".split())


def _is_matrix(base: Expr) -> bool:
    """Whether an inverse is meant: a capital, or a bracket with a capital in it."""
    if isinstance(base, Symbol):
        return base.name[:1].isupper() and len(base.name.split("_")[0]) == 1
    return isinstance(base, Apply) and base.head in "+-*@" and any(_is_matrix(item) for item in base.args)


def _tidy(expr: Expr) -> Expr:
    """`1/n` times a sum up to n is a mean; bounds are dropped."""
    if not isinstance(expr, Apply):
        return expr
    mean = _as_mean(expr)
    if mean is not None:
        return mean
    return Apply(expr.head, tuple(_tidy(item) for item in expr.args))


def _as_mean(expr: Apply) -> Expr | None:
    if expr.head == "*" and len(expr.args) == 2:
        count, total = expr.args
        if isinstance(count, Apply) and count.head == "/" and count.args[0] == Number(Fraction(1)):
            return _mean_of(total, count.args[1])
    if expr.head == "/" and len(expr.args) == 2:
        return _mean_of(expr.args[0], expr.args[1])
    return None


def _mean_of(total: Expr, count: Expr) -> Expr | None:
    if isinstance(total, Apply) and total.head == "sum" and isinstance(count, Symbol):
        if total.axis in ("", count.name) and len(count.name.split("_")[0]) <= 1:
            return Apply("mean", (_tidy(total.args[0]),))
    return None
