r"""LaTeX as papers write it, read into expressions. What is not understood is refused by name, never misread.

`\log` is the natural logarithm; accents, subscripts, primes and marks in parentheses are part of a name; `\alpha (1 - x)` is a
product and `f(x)`, `\epsilon_\theta(x_t, t)`, `p(x | z)` are calls.
"""

from __future__ import annotations

from fractions import Fraction

from verifier.algebra.heads import arity_fault, is_known
from verifier.algebra.language import MAX_LENGTH, Formula
from verifier.algebra.latex_cursor import Cursor, shown
from verifier.algebra.latex_names import Name, accented, bare, function_of, is_transposition, letter, logarithm, mark
from verifier.algebra.latex_sums import averaged, unbound
from verifier.algebra.latex_tokens import ACCENTS, FONTS, GREEK_COMMANDS, Token, refuse, subscript, tokenize, unwrapped
from verifier.errors import FormulaError
from verifier.model.expression import Apply, Expr, Number, Symbol

_DEFINES = frozenset({"coloneqq", "triangleq", "equiv", "leftarrow", "gets", "doteq"})
_TIMES = frozenset({"cdot", "times", "odot", "ast"})
_RELATIONS = {
    "<": "<",
    ">": ">",
    "le": "<=",
    "leq": "<=",
    "leqslant": "<=",
    "ge": ">=",
    "geq": ">=",
    "geqslant": ">=",
    "ne": "!=",
    "neq": "!=",
}
_CLOSING = {
    "(": ")",
    "[": "]",
    "{": "}",
    "lfloor": "rfloor",
    "lceil": "rceil",
    "langle": "rangle",
    "lvert": "rvert",
    "lVert": "rVert",
}
_CONJUNCTIONS = frozenset({"if", "where", "otherwise", "for", "with", "else", "s.t", "st", "subject_to"})


def parse_latex(text: str) -> Formula:
    r"""Read a formula in LaTeX.

    Args:
        text: `lhs = rhs` (also `:=`, `\coloneqq`, `\leftarrow`) or an expression alone.

    Raises:
        FormulaError: something is not understood; the error names it, with its column.
    """
    if len(text) > MAX_LENGTH:
        raise FormulaError(f"the formula is longer than {MAX_LENGTH} characters", MAX_LENGTH)
    tokens = unwrapped(tokenize(text))
    reader = Reader(tokens)
    left = reader.sum()
    if not reader.defines():
        reader.ended()
        return Formula(text, left)
    right = reader.sum()
    if reader.token.text == "=":
        raise refuse("a second `=` is not understood: write one equation,", reader.token)
    reader.ended()
    return Formula(text, right, left)


class Reader(Cursor):
    """Reads the tokens of one group from left to right.

    Args:
        tokens: closed by an `end`.
        depth: how many groups it stands in.
    """

    def whole(self, token: Token) -> Expr:
        """The expression in a group."""
        reader = self.inner(token)
        value = reader.condition()
        reader.ended()
        return value

    def defines(self) -> bool:
        """Consume a sign of definition, if there is one."""
        if self.token.text == ":" and self.peek().text == "=":
            self.at += 2
            return True
        return bool(self.take("sign", "=") or self.take("command", *_DEFINES))

    # operators, loosest first

    def condition(self) -> Expr:
        """Comparisons joined by and, or an expression alone."""
        left = self.relation()
        while self.take("command", "wedge", "land") or self.take("word", "and"):
            left = Apply("and", (left, self.relation()))
        while self.take("command", "vee", "lor") or self.take("word", "or"):
            left = Apply("or", (left, self.relation()))
        return left

    def relation(self) -> Expr:
        """Two expressions compared, or one alone."""
        left = self.sum()
        token = self.token
        if token.kind in ("sign", "command") and token.text in _RELATIONS:
            self.at += 1
            return Apply(_RELATIONS[token.text], (left, self.sum()))
        if self.depth and self.take("sign", "="):
            return Apply("==", (left, self.sum()))
        return left

    def sum(self) -> Expr:
        """Terms with their signs."""
        negative = self.take("sign", "+", "-")
        left = self.term()
        if negative and negative.text == "-":
            left = Number(-left.value) if isinstance(left, Number) else Apply("neg", (left,))
        while sign := self.take("sign", "+", "-"):
            left = Apply(sign.text, (left, self.term()))
        return left

    def term(self) -> Expr:
        """Factors side by side or with a sign between them; what is divided by is a single factor."""
        left = self.factor()
        while True:
            token = self.token
            if (token.kind == "command" and token.text in _TIMES) or (token.kind == "sign" and token.text == "*"):
                self.at += 1
                right = self.signed()
                left = averaged(left, right) or Apply("*", (left, right))
            elif self.take("sign", "/"):
                divisor = self.factor()
                if self.starts() and not (isinstance(divisor, Number) and self.token.kind != "number"):
                    raise refuse("what is divided by is not clear: write `\\frac` or parentheses,", self.token)
                left = averaged(divisor, left, quotient=True) or Apply("/", (left, divisor))
            elif self.starts():
                right = self.factor()
                left = averaged(left, right) or _joined(left, right)
            else:
                return left

    def signed(self) -> Expr:
        """A factor after an explicit sign of multiplication: it may carry a minus."""
        return Apply("neg", (self.factor(),)) if self.take("sign", "-") else self.factor()

    def starts(self) -> bool:
        """Whether the next token can start a factor that stands beside the last one."""
        token = self.token
        if token.kind in ("number", "group"):
            return True
        if token.kind == "word":
            return token.text not in _CONJUNCTIONS and token.text not in ("and", "or")
        if token.kind == "sign":
            opens = token.text == "|" and not self.bars and not self.given
            return opens or token.text in ("(", "[") or token.text.isalpha()
        if token.kind != "command":
            return False
        if token.text in ("|", "Vert", "vert"):
            return not self.bars and not self.given
        return token.text not in _TIMES | _DEFINES | set(_RELATIONS) | set(_CLOSING.values()) | {
            *("mid", "parallel", "wedge", "land", "vee", "lor", "\\", "end")
        }

    # factors

    def factor(self) -> Expr:
        """One factor with its powers."""
        token = self.token
        if token.kind == "number":
            self.at += 1
            return self.powers(Number(Fraction(token.text)))
        if token.kind == "group":
            self.at += 1
            return self.powers(self.whole(token))
        if token.kind == "sign" and token.text in ("(", "["):
            return self.bracket()
        if token.kind == "sign" and token.text == "|":
            return self.powers(Apply("abs", (self.barred("sign", "|"),)))
        if token.kind == "command":
            if (value := self.command(token)) is not None:
                return value
        if token.kind == "word":
            return self.word(token)
        if letter(token) or (token.kind == "command" and token.text in ACCENTS | dict.fromkeys(FONTS, "")):
            return self.named(self.name())
        if token.kind == "end":
            raise refuse("the formula ends where a factor is expected,", token)
        raise refuse(f"`{shown(token)}` is not understood,", token)

    def command(self, token: Token) -> Expr | None:
        """A factor that starts with a command other than a letter's; None when it is a letter's."""
        from verifier.algebra import latex_commands

        return latex_commands.read(self, token)

    def bracket(self) -> Expr:
        """What stands in brackets; `[x]_+` is the positive part."""
        opened = self.token
        args = self.arguments()
        value: Expr = args[0] if len(args) == 1 else Apply("tuple", args)
        if self.token.text == "_" and self.peek().text == "+":
            self.at += 2
            return self.powers(Apply("relu", (value,)))
        if self.token.text == "_" or not args:
            raise refuse(f"`{opened.text}...{_CLOSING[opened.text]}` with a subscript is not understood,", self.token)
        return self.powers(value)

    def arguments(self, separators: tuple[str, ...] = (",", "|", ";", "mid")) -> tuple[Expr, ...]:
        """Operands in brackets, split at commas, bars and semicolons."""
        opened = self.token
        self.at += 1
        bars, self.bars = self.bars, []
        self.given += 1
        closing = _CLOSING[opened.text]
        args = [self.condition()]
        while self.token.text in separators and self.token.kind in ("sign", "command"):
            self.at += 1
            if self.token.text == "|":  # || as a divergence is written
                self.at += 1
            args.append(self.condition())
        if self.token.text != closing:
            raise refuse(f"expected `{closing}`, not `{shown(self.token)}`", self.token)
        self.at += 1
        self.given -= 1
        self.bars = bars
        return tuple(args)

    def barred(self, kind: str, closing: str) -> Expr:
        """What stands between two bars; the next token is the first."""
        self.at += 1
        given, self.given = self.given, 0
        self.bars.append(closing)
        value = self.sum()
        if not self.take(kind, closing):
            raise refuse(f"expected the closing `{closing}`, not `{shown(self.token)}`", self.token)
        self.bars.pop()
        self.given = given
        return value

    def powers(self, value: Expr) -> Expr:
        """The value with the powers and transpositions that follow it."""
        while self.take("sign", "^"):
            token = self.token
            self.at += 1
            value = Apply("transpose", (value,)) if is_transposition(token) else Apply("**", (value, self.whole(token)))
        if self.token.text == "!":
            raise refuse("factorials are not understood,", self.token)
        return value

    # names and calls

    def name(self) -> Name:
        """A letter with its accent and font, before its sub- and superscripts."""
        token = self.token
        self.at += 1
        if token.kind == "command" and token.text in ACCENTS:
            inner = self.token
            self.at += 1
            return accented(token.text, (inner,) if inner.kind != "command" else (inner, *self._more(inner)))
        if token.kind == "command" and token.text in FONTS:
            inner = self.token
            self.at += 1
            base, rest = bare((inner,) if inner.kind != "command" else (inner, *self._more(inner)))
            if rest:
                raise refuse(f"`\\{token.text}` over more than a name is not understood,", rest[0])
            return Name(base, base)
        base = letter(token)
        return Name(base, base, upper=base.isupper())

    def _more(self, inner: Token) -> tuple[Token, ...]:
        if inner.text in FONTS or inner.text in ACCENTS:
            self.at += 1
            return (self.tokens[self.at - 1],)
        return ()

    def word(self, token: Token) -> Expr:
        """An upright word: a function of the language, an unknown function, or a name."""
        self.at += 1
        if token.text in _CONJUNCTIONS or not token.text:
            raise refuse(f"the word `{token.text}` is not understood in a formula,", token)
        if head := function_of(token.text):
            return self.function(head, token)
        return self.named(Name(token.text, token.text))

    def named(self, name: Name) -> Expr:
        """A name with its sub- and superscripts, and its operands when it is called."""
        text, lower, power = name.text, name.lower, None
        while self.token.kind == "sign" and self.token.text in ("_", "^", "'"):
            sign, token = self.token, self.peek()
            if sign.text == "'":
                self.at, text = self.at + 1, text + "'"
                continue
            self.at += 2
            if sign.text == "_":
                lower = subscript((token,))
                text = f"{text}_{lower}" if lower else text
            elif (tail := mark(token, name)) is not None:
                text = text + "'" * tail.count("prime") if not tail.replace("prime", "") else f"{text}_{tail}"
            elif power is not None:
                raise refuse("a second superscript is not understood,", token)
            else:
                power = token
        if name.base == "D" and lower.strip("_") == "KL" and self.token.text in ("(", "["):
            return self.function("KL", self.token)
        if text == "e" and power is not None:
            return Apply("exp", (self.whole(power),))
        value = self.called(Name(text, name.base, lower, name.upper)) or Symbol(text)
        if power is not None:
            return Apply("transpose", (value,)) if is_transposition(power) else Apply("**", (value, self.whole(power)))
        return self.powers(value)

    def called(self, name: Name) -> Expr | None:
        """The call of a name, when brackets follow that are operands and not a factor."""
        if self.token.text not in ("(", "[") or self.token.kind != "sign":
            return None
        start, opened = self.at, self.token.text
        args = self.arguments()
        single = args[0]
        applied = isinstance(single, Symbol) or (isinstance(single, Apply) and not is_known(single.head))
        word = len(name.base) > 1 and name.base not in GREEK_COMMANDS.values()
        if opened == "(" and (len(args) > 1 or name.is_called or word or applied):
            return Apply(name.text, args)
        if opened == "[" and (len(args) > 1 or word):
            return Apply(name.text, args)
        self.at = start
        return None

    def function(self, head: str, token: Token) -> Expr:
        """A function of the language with its operands, in brackets or bare."""
        power: Token | None = None
        while self.token.kind == "sign" and self.token.text in ("_", "^"):
            sign, script = self.token, self.peek()
            self.at += 2
            if sign.text == "^":
                power = script
            elif head == "log":
                head = logarithm(script)
        args = self.operands(head)
        if fault := arity_fault(head, len(args)) if is_known(head) else "":
            raise refuse(fault, token)
        value: Expr = Apply(head, args)
        if power is not None:
            value = Apply("**", (value, self.whole(power)))
        return self.powers(value)

    def operands(self, head: str) -> tuple[Expr, ...]:
        """The operands of a function: a bracket's, a group, or the factors that follow."""
        token = self.token
        if token.text in ("(", "[", "{") and token.kind in ("sign", "command"):
            more = (",", "|", ";", "mid", "parallel", "Vert") if head == "KL" else (",",)
            return self.arguments(more)
        if token.kind == "group":
            self.at += 1
            return (self.whole(token),)
        first = self.factor()
        while not isinstance(first, Apply) or first.head == "*":
            if not (self.token.kind == "number" or letter(self.token)):
                break
            following = self.factor()
            first = Apply("*", (first, following))
            if not isinstance(following, (Number, Symbol)):
                break
        return (first,)

    def large(self, head: str) -> Expr:
        """A sum or product over a range: its body is the term that follows."""
        lower, upper = self.ranged()
        return unbound(head, lower, self.whole(upper) if upper else None, self.term())


def _joined(left: Expr, right: Expr) -> Expr:
    """Two factors side by side: a matrix product when one of them is transposed or plainly a matrix."""
    matrix = (
        isinstance(right, Symbol)
        and right.name in ("V", "W", "K", "Q")
        and isinstance(left, Apply)
        and left.head in ("softmax", "@")
    )
    transposed = any(isinstance(side, Apply) and side.head in ("transpose", "@") for side in (left, right))
    weight = isinstance(left, Symbol) and left.name.split("_")[0] == "W"
    return Apply("@" if matrix or transposed or weight else "*", (left, right))
