"""Numbers as papers write them, by a small arithmetic grammar: exact as long as the source is, never evaluated as code.

A sum is products joined by `+` and `-`; a product powers joined by `*` and `/` (none is needed in front of `pi` and `sqrt`); a
power a signed operand with an optional `^` or `**` power; an operand a number with an optional `%`, `k`, `M`, `billion`, ..., a
constant, a function of a sum, or a sum in brackets.
"""

from __future__ import annotations

import math
import re
from fractions import Fraction
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

_LONGEST = 200
_DEEPEST = 40
_MOST_BITS = 20_000
_Value = Fraction | float

_TOKEN = re.compile(
    r"\s*(?:(?P<number>0[xX][0-9a-fA-F]+|\d{1,3}(?:,\d{3})+(?:\.\d+)?(?![\d,])|(?:\d[\d_]*(?:\.[\d_]*)?|\.\d+)(?:[eE][+-]?\d+)?)"
    r"|(?P<name>[A-Za-z]+\d*)|(?P<operator>\*\*|[-+*/^()%]))"
)
_HINT = re.compile(r"\d|pi|π|inf|∞", re.IGNORECASE)
_RANGE = re.compile(r"\s*\d+(?:[-–]\d+)+\s*")
_SUFFIXES = {"k": 10**3, "K": 10**3, "M": 10**6, "B": 10**9, "G": 10**9, "T": 10**12, "Ki": 2**10, "Mi": 2**20, "Gi": 2**30,
             "thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12}  # fmt: skip
_CONSTANTS = {"pi": math.pi, "e": math.e, "inf": math.inf, "infinity": math.inf, "infty": math.inf}
_FUNCTIONS: dict[str, Callable[[float], float]] = {
    "sqrt": math.sqrt, "exp": math.exp, "log": math.log, "ln": math.log, "log2": math.log2, "log10": math.log10,
}  # fmt: skip
_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺", "0123456789-+")
_SPELLINGS = {"−": "-", "–": "-", "·": "*", "π": "pi", "∞": "inf", "√": "sqrt", "\\times": "*", "\\cdot": "*", "\\pi": "pi",
              "\\infty": "inf", "\\sqrt": "sqrt", "\\left": "", "\\right": "", "\\,": "", "\\%": "%",
              "{,}": ",", "$": ""}  # fmt: skip


class _NotANumberError(Exception):
    """The text is not in the grammar, or its worth is out of bounds."""


def number(text: str) -> int | float | None:
    """The number that a text is worth, or None when it is not one.

    Integers come back as `int` and exact, whatever their notation (`2^20`, `50k`, `1e3`); everything else as the nearest `float`.
    Ranges and dates (`3-4`, `2024-01-31`) are no arithmetic, and neither are single letters.
    """
    if len(text) > _LONGEST or not _HINT.search(text) or _RANGE.fullmatch(text):
        return None
    try:
        parser = _Parser(_plain(text))
        value = parser.sum(0)
        if parser.kind:
            return None
        return _worth(value)
    except (_NotANumberError, ValueError, ZeroDivisionError, OverflowError):
        return None


def _plain(text: str) -> str:
    """Spells LaTeX and typography in ASCII."""
    for old, new in _SPELLINGS.items():
        text = text.replace(old, new)
    text = re.sub(r"[⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺]+", lambda power: "^(" + power.group().translate(_SUPERSCRIPTS) + ")", text)
    text = re.sub(r"\\[dt]?frac\s*\{([^{}]*)\}\s*\{([^{}]*)\}", r"((\1)/(\2))", text)
    text = text.replace("{", "(").replace("}", ")")
    text = re.sub(r"sqrt\s*(\d+(?:\.\d+)?)", r"sqrt(\1)", text)
    return re.sub(r"(?<=\d)\s*×\s*(?=[\d.(])|(?<=\d)\s*x\s*(?=10\s*(?:\^|\*\*))", "*", text)


def _worth(value: _Value) -> int | float:
    if isinstance(value, float):
        if math.isnan(value):
            raise _NotANumberError
        return value
    if value.denominator == 1:
        return value.numerator
    rounded = float(value)
    if rounded == 0.0:
        raise _NotANumberError
    return rounded


class _Parser:
    """One left-to-right pass; `kind` and `text` are the current token's, `kind` empty at the end."""

    def __init__(self, text: str) -> None:
        self._rest = text
        self.kind = self.text = ""
        self._advance()

    def _advance(self) -> None:
        self._rest = self._rest.lstrip()
        if not self._rest:
            self.kind = self.text = ""
            return
        match = _TOKEN.match(self._rest)
        if match is None:
            raise _NotANumberError
        self.kind = match.lastgroup or ""
        self.text = match.group(self.kind)
        self._rest = self._rest[match.end() :]

    def _take(self, *texts: str) -> str:
        if self.kind != "operator" or self.text not in texts:
            return ""
        taken = self.text
        self._advance()
        return taken

    def sum(self, depth: int) -> _Value:
        if depth > _DEEPEST:
            raise _NotANumberError
        value = self._product(depth)
        while sign := self._take("+", "-"):
            other = self._product(depth)
            value = value + other if sign == "+" else value - other
        return value

    def _product(self, depth: int) -> _Value:
        value = self._power(depth)
        while True:
            sign = self._take("*", "/")
            if not sign and not (self.kind == "name" and self.text in ("pi", "sqrt")):
                return value
            other = self._power(depth)
            value = value / other if sign == "/" else value * other

    def _power(self, depth: int) -> _Value:
        if depth > _DEEPEST:
            raise _NotANumberError
        sign = self._take("+", "-")
        if sign:
            value = self._power(depth + 1)
            return -value if sign == "-" else value
        base = self._postfix(depth)
        return _raise(base, self._power(depth + 1)) if self._take("^", "**") else base

    def _postfix(self, depth: int) -> _Value:
        plain = self.kind == "number"
        value = self._atom(depth)
        if self._take("%"):
            return value / 100
        if plain and self.kind == "name" and self.text in _SUFFIXES:
            value = value * _SUFFIXES[self.text]
            self._advance()
        return value

    def _atom(self, depth: int) -> _Value:
        kind, text = self.kind, self.text
        if self._take("("):
            return self._closed(depth)
        self._advance()
        if kind == "number":
            return _literal(text)
        if kind == "name" and text in _FUNCTIONS and self._take("("):
            return _call(text, self._closed(depth))
        if kind == "name" and text.lower() in _CONSTANTS:
            return _CONSTANTS[text.lower()]
        raise _NotANumberError

    def _closed(self, depth: int) -> _Value:
        value = self.sum(depth + 1)
        if not self._take(")"):
            raise _NotANumberError
        return value


def _literal(text: str) -> Fraction:
    if text[:2] in ("0x", "0X"):
        return Fraction(int(text, 16))
    mantissa, _, exponent = text.replace(",", "").replace("_", "").lower().partition("e")
    if exponent and abs(int(exponent)) > 330:
        raise _NotANumberError
    return Fraction(mantissa.rstrip(".") if mantissa != "." else "x") * Fraction(10) ** int(exponent or 0)


def _call(name: str, value: _Value) -> _Value:
    if name == "sqrt" and isinstance(value, Fraction) and value >= 0:
        root = Fraction(math.isqrt(value.numerator), math.isqrt(value.denominator))
        if root * root == value:
            return root
    return _FUNCTIONS[name](float(value))


def _raise(base: _Value, exponent: _Value) -> _Value:
    if isinstance(base, Fraction) and isinstance(exponent, Fraction) and exponent.denominator == 1:
        power = exponent.numerator
        bits = max(base.numerator.bit_length(), base.denominator.bit_length())
        if abs(power) * bits > _MOST_BITS:
            raise _NotANumberError
        return Fraction(base**power)
    return math.pow(base, exponent)
