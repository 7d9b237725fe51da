"""The commands of LaTeX that are more than a letter: fractions, roots, norms, expectations, gradients, cases."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import TYPE_CHECKING

from verifier.algebra.latex_names import COMMAND_FUNCTIONS
from verifier.algebra.latex_sums import averaged
from verifier.algebra.latex_tokens import Token, refuse, subscript
from verifier.model.expression import Apply, Expr, Number, Symbol

if TYPE_CHECKING:
    from verifier.algebra.latex import Reader

_CLOSERS = {"lfloor": ("floor", "rfloor"), "lceil": ("ceil", "rceil")}


def read(reader: Reader, token: Token) -> Expr | None:
    """A factor that starts with a command; None when the command is a letter's, an accent's or a font's.

    Raises:
        FormulaError: the command is there but not in a form that is understood.
    """
    if token.text in COMMAND_FUNCTIONS:
        reader.at += 1
        return reader.function(COMMAND_FUNCTIONS[token.text], token)
    if token.text in ("mathbb", "mathds", "mathbbm", "mathbf", "mathop", "bm", "boldsymbol"):
        return _blackboard(reader, token)
    if rule := _RULES.get(token.text):
        reader.at += 1
        return rule(reader, token)
    return None


def _fraction(reader: Reader, _: Token) -> Expr:
    above, below = _halves(reader)
    if (derivative := _derivative(reader, above, below)) is not None:
        return derivative
    top, bottom = reader.whole(above), reader.whole(below)
    mean = averaged(bottom, top, quotient=True)
    return reader.powers(mean if mean is not None else Apply("/", (top, bottom)))


def _halves(reader: Reader) -> tuple[Token, Token]:
    first = reader.token
    reader.at += 1
    if first.kind == "number" and len(first.text) > 1 and reader.token.kind != "group":
        return Token("number", first.text[0], first.column), Token("number", first.text[1:], first.column + 1)
    second = reader.token
    if second.kind == "end":
        raise refuse("a fraction without a denominator is not understood,", second)
    reader.at += 1
    return first, second


def _derivative(reader: Reader, above: Token, below: Token) -> Expr | None:
    r"""`\frac{\partial f}{\partial x}`, `\frac{d}{dt} f`, and second derivatives."""
    top, bottom = reader.inner(above), reader.inner(below)
    first = top.token
    if not (_is_d(first) and _is_d(bottom.token) and bottom.peek().text != "_" and bottom.peek().kind != "end"):
        return None
    top.at, bottom.at = 1, 1
    order = 1
    if top.take("sign", "^"):
        order = int(top.token.text) if top.token.text in ("2", "3") else 0
        top.at += 1
    variable = bottom.named(bottom.name())
    if isinstance(variable, Apply) and variable.head == "**":
        variable = variable.args[0]
    if bottom.token.kind != "end" or not order:
        raise refuse("mixed or higher derivatives are not understood: nest single ones,", bottom.token)
    if top.token.kind == "end":
        value = reader.factor()
    else:
        value = top.term()
        top.ended()
    for _ in range(order):
        value = Apply("grad", (value, variable))
    return reader.powers(value)


def _is_d(token: Token) -> bool:
    return token.text == "partial" or (token.text == "d" and token.kind in ("sign", "word"))


def _root(reader: Reader, _: Token) -> Expr:
    order: Expr | None = None
    if reader.token.text == "[":
        (order,) = reader.arguments()
    inner = reader.token
    reader.at += 1
    value = reader.whole(inner)
    if order is None or order == Number(Fraction(2)):
        return reader.powers(Apply("sqrt", (value,)))
    return reader.powers(Apply("**", (value, Apply("/", (Number(Fraction(1)), order)))))


def _norm(reader: Reader, token: Token) -> Expr:
    reader.at -= 1
    value = reader.barred("command", {"lVert": "rVert"}.get(token.text, token.text))
    order: Expr | None = None
    power: Token | None = None
    while reader.token.kind == "sign" and reader.token.text in ("_", "^"):
        sign, mark = reader.token, reader.peek()
        reader.at += 2
        if sign.text == "^":
            power = mark
        else:
            order = _order(mark)
    norm: Expr = Apply("norm", (value,) if order is None else (value, order))
    return Apply("**", (norm, reader.whole(power))) if power else norm


def _order(mark: Token) -> Expr | None:
    text = subscript((mark,))
    if text in ("2", "F", "HS"):
        return None
    if text.isdigit():
        return Number(Fraction(text))
    if text in ("inf", "p"):
        return Symbol(text)
    raise refuse(f"the norm with subscript `{text}` is not understood,", mark)


def _absolute(reader: Reader, token: Token) -> Expr:
    reader.at -= 1
    return reader.powers(Apply("abs", (reader.barred("command", {"lvert": "rvert"}.get(token.text, token.text)),)))


def _rounded(reader: Reader, token: Token) -> Expr:
    head, closing = _CLOSERS[token.text]
    value = reader.sum()
    if not reader.take("command", closing):
        raise refuse(f"expected `\\{closing}`", reader.token)
    return reader.powers(Apply(head, (value,)))


def _inner_product(reader: Reader, token: Token) -> Expr:
    reader.at -= 1
    args = reader.arguments()
    if len(args) != 2:
        raise refuse("`\\langle` is understood with two operands only,", token)
    return reader.powers(Apply("dot", args))


def _braced(reader: Reader, token: Token) -> Expr:
    reader.at -= 1
    args = reader.arguments()
    if len(args) != 1:
        raise refuse("a set is not understood,", token)
    return reader.powers(args[0])


def _blackboard(reader: Reader, token: Token) -> Expr | None:
    following = reader.peek()
    text = "".join(inner.text for inner in following.inside) if following.kind == "group" else following.text
    if text == "1":
        reader.at += 2
        return _indicator(reader, token)
    if token.text in ("mathbb", "mathop", "mathds") and text == "E":
        reader.at += 2
        return _expectation(reader, token)
    if token.text == "mathop":
        raise refuse("`\\mathop` is not understood,", token)
    if text in ("R", "Z", "N", "C") and token.text == "mathbb":
        raise refuse(f"the set `\\mathbb{{{text}}}` is not understood,", token)
    return None


def _expectation(reader: Reader, _: Token) -> Expr:
    reader.ranged()
    if reader.token.text in ("[", "(", "{") and reader.token.kind in ("sign", "command"):
        args = reader.arguments((",", "mid", "|"))
        return reader.powers(Apply("E", (args[0],)))
    return Apply("E", (reader.term(),))


def _indicator(reader: Reader, token: Token) -> Expr:
    if reader.token.text == "_":
        mark = reader.peek()
        reader.at += 2
        return reader.powers(Apply("indicator", (reader.whole(mark),)))
    if reader.token.text not in ("[", "(", "{"):
        raise refuse("an indicator without its condition is not understood,", token)
    reader.depth += 1
    (condition,) = reader.arguments((",",))
    reader.depth -= 1
    return reader.powers(Apply("indicator", (condition,)))


def _gradient(reader: Reader, token: Token) -> Expr:
    if reader.token.text != "_":
        raise refuse(f"`\\{token.text}` without the variable in its subscript is not understood,", token)
    mark = reader.peek()
    reader.at += 2
    names = [Symbol(subscript((inner,))) for inner in (mark.inside if mark.kind == "group" else (mark,)) if inner.kind != "end"]
    if token.text == "nabla" or any(inner.text in ("_", "^") for inner in mark.inside):
        names = [Symbol(subscript((mark,)))]
    value = reader.factor()
    for name in names:
        value = Apply("grad", (value, name))
    return value


def _step(reader: Reader, _: Token) -> Expr:
    r"""`\Delta t` is a name of its own."""
    following = reader.token
    if following.kind == "sign" and following.text.isalpha():
        reader.at -= 1
        name = reader.name()
        reader.at += 1
        inner = type(name)(f"Delta_{following.text}", "Delta")
        return reader.named(inner)
    reader.at -= 1
    return reader.named(reader.name())


def _cases(reader: Reader, token: Token) -> Expr:
    name = reader.token
    if "".join(inner.text for inner in name.inside) not in ("cases", "dcases"):
        raise refuse("this environment is not understood,", token)
    reader.at += 1
    rows: list[tuple[Expr, Expr | None]] = []
    while True:
        start = reader.at
        while reader.token.text not in ("\\", "end") and reader.token.kind != "end":
            reader.at += 1
        row = reader.tokens[start : reader.at]
        if row:
            rows.append(_row(reader, row))
        closing = reader.token
        reader.at += 1
        if closing.text == "end" and closing.kind == "command":
            reader.at += 1
            return _where(rows, token)
        if closing.kind == "end":
            raise refuse("the cases are not closed by `\\end{cases}`,", closing)


def _row(reader: Reader, row: tuple[Token, ...]) -> tuple[Expr, Expr | None]:
    cut = next((at for at, token in enumerate(row) if token.text == "&"), len(row))
    end = Token("end", "", row[-1].column + 1)
    value, condition = row[:cut], [token for token in row[cut + 1 :] if token.text not in ("if", "for", "when", ",")]
    value = tuple(value[:-1] if value and value[-1].text == "," else value)
    inner = type(reader)((*value, end), reader.depth + 1)
    result = inner.sum()
    inner.ended()
    condition = condition[:-1] if condition and condition[-1].text in (",", ".") else condition
    if not condition or condition[0].text in ("otherwise", "else"):
        return result, None
    test = type(reader)((*condition, end), reader.depth + 1)
    holds = test.condition()
    test.ended()
    return result, holds


def _where(rows: list[tuple[Expr, Expr | None]], token: Token) -> Expr:
    if not rows or any(condition is None for _, condition in rows[:-1]):
        raise refuse("these cases are not understood: each row but the last needs a condition,", token)
    value = rows[-1][0]
    for result, condition in reversed(rows[:-1]):
        assert condition is not None
        value = Apply("where", (condition, result, value))
    return value


def _arg(reader: Reader, token: Token) -> Expr:
    which = reader.take("command", "min", "max")
    if not which:
        raise refuse("`\\arg` is understood before `\\min` and `\\max` only,", token)
    return reader.function(f"arg{which.text}", token)


def _infinity(_reader: Reader, _: Token) -> Expr:
    return Symbol("inf")


_RULES: dict[str, Callable[[Reader, Token], Expr]] = {
    **dict.fromkeys(("frac", "tfrac", "dfrac", "cfrac", "nicefrac"), _fraction),
    "sqrt": _root,
    "sum": lambda reader, _: reader.large("sum"),
    "prod": lambda reader, _: reader.large("prod"),
    **dict.fromkeys(("|", "lVert", "Vert"), _norm),
    **dict.fromkeys(("lvert", "vert"), _absolute),
    **dict.fromkeys(_CLOSERS, _rounded),
    "langle": _inner_product,
    "{": _braced,
    **dict.fromkeys(("nabla", "partial"), _gradient),
    "Delta": _step,
    "begin": _cases,
    "arg": _arg,
    "infty": _infinity,
}
