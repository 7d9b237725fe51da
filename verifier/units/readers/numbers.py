"""Values: the grammar of what may stand where a number may stand.

value     = comparator? (quantity | list | quote)
quantity  = size | number ("/" number)* | number ("-" | "to") number | number "%" | number "x" number
list      = ("[" | "{" | "(") value ("," value)* (")" | "}" | "]")
comparator= ">=" | "<=" | "at least" | "at most" | "up to" | "~" | "+/-" | ...
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

from verifier.model.check import Between, Equals, OneOf, Test
from verifier.model.constant import Constant
from verifier.model.worth import parse
from verifier.units.tokens import Kind, Token, closing


@dataclass(frozen=True, slots=True)
class Value:
    """A value that was read.

    Attributes:
        tests: what the claim says about it; several when the paper lists variants (`310M/600M`).
        start: index of its first token. stop: index after its last.
        approximate: it stands behind `~` or "about".
        interval: it is a range `[lo, hi]`, `2-3` or `1 to 13`.
    """

    tests: tuple[Test, ...]
    start: int
    stop: int
    approximate: bool = False
    interval: bool = False


_HUGE = 10**300
_AT_LEAST = frozenset({">=", "≥", ">"})
_AT_MOST = frozenset({"<=", "≤", "<"})
_ABOUT = frozenset({"~", "≈", "∼"})
_PHRASES = {
    ("at", "least"): "≥",
    ("at", "most"): "≤",
    ("up", "to"): "",
    ("more", "than"): ">",
    ("less", "than"): "<",
    ("fewer", "than"): "<",
    ("no", "more"): "≤",
}
_ABOUT_WORDS = frozenset({"about", "approximately", "roughly", "around", "approx."})
_SPECIAL: dict[str, Constant] = {
    "infinity": math.inf,
    "inf": math.inf,
    "∞": math.inf,
    "true": True,
    "false": False,
    "none": None,
    "null": None,
}


def read_value(tokens: Sequence[Token], index: int) -> Value | None:
    """The value that starts at a token, its comparator included; None when none does."""
    sign, at = _comparator(tokens, index)
    found = _bare(tokens, at)
    if found is None:
        return None
    tests = found.tests
    if sign in ("≥", "≤", ">", "<"):
        tests = tuple(_bounded(test, sign) for test in tests)
    return Value(tests, index, found.stop, found.approximate or sign == "~", found.interval)


def _comparator(tokens: Sequence[Token], index: int) -> tuple[str, int]:
    if index >= len(tokens):
        return "", index
    token = tokens[index]
    if token.text in _AT_LEAST or token.text in _AT_MOST:
        return ("≥" if token.text in _AT_LEAST else "≤"), index + 1
    if token.text in _ABOUT or token.low in _ABOUT_WORDS:
        return "~", index + 1
    if token.text in ("±", "+/-"):
        return "", index + 1
    following = tokens[index + 1].low if index + 1 < len(tokens) else ""
    phrase = _PHRASES.get((token.low, following))
    return (phrase, index + 2) if phrase is not None else ("", index)


def _bounded(test: Test, sign: str) -> Test:
    """The test `at least` or `at most` instead of `equals`; a percentage is a fraction."""
    worth = test.value if isinstance(test, Equals) else test.values[0] if isinstance(test, OneOf) else None
    if not isinstance(worth, (int, float)):
        return test
    bound = float(worth) if abs(worth) < _HUGE else math.inf
    return Between(bound, None) if sign in ("≥", ">") else Between(None, bound)


def _bare(tokens: Sequence[Token], index: int) -> Value | None:
    if index >= len(tokens):
        return None
    token = tokens[index]
    if token.kind is Kind.OPEN:
        return _listing(tokens, index)
    if token.kind is Kind.QUOTE:
        return Value((Equals(token.text[1:-1]),), index, index + 1)
    if token.kind is Kind.NUMBER:
        return _quantity(tokens, index)
    return None


def _quantity(tokens: Sequence[Token], index: int) -> Value | None:
    first = constant(tokens[index].text)
    if first is None:
        return None
    chain = _chain(tokens, index)
    if len(chain) > 1:
        return _slashed(tokens, index, chain)
    dashed = _dashed(tokens, index)
    if dashed is not None:
        return dashed
    following = tokens[index + 1] if index + 1 < len(tokens) else None
    if following and (following.text in {"-", "–"} or following.low == "to") and index + 2 < len(tokens):
        other = tokens[index + 2]
        second = constant(other.text) if other.kind is Kind.NUMBER else None
        if second is not None and tokens[index + 2].text[-1:] != "x":
            return Value((Equals((_plain(first), _plain(second))),), index, index + 3, interval=True)
    return Value((_test(first, tokens[index].text),), index, index + 1)


def _chain(tokens: Sequence[Token], index: int) -> list[int]:
    """Indexes of the numbers of `200/250/300/350`, glued by slashes."""
    chain = [index]
    while (
        index + 2 < len(tokens)
        and tokens[index + 1].text == "/"
        and tokens[index + 2].kind is Kind.NUMBER
        and tokens[index + 2].start - tokens[index].end <= 3
    ):
        index += 2
        chain.append(index)
    return chain


def _dashed(tokens: Sequence[Token], index: int) -> Value | None:
    """`5-7-9`, glued by hyphens, is a list."""
    values = [constant(tokens[index].text)]
    at = index + 1
    while (
        at + 1 < len(tokens)
        and tokens[at].text in {"-", "–"}
        and tokens[at + 1].kind is Kind.NUMBER
        and tokens[at].end == tokens[at + 1].start
    ):
        values.append(constant(tokens[at + 1].text))
        at += 2
    return Value((Equals(tuple(_plain(value) for value in values)),), index, at) if len(values) > 2 else None


def _slashed(tokens: Sequence[Token], index: int, chain: list[int]) -> Value | None:
    """`1/3` is a fraction; longer chains, and numbers with a suffix, are variants."""
    texts = [tokens[i].text for i in chain]
    if len(texts) == 2 and all(text.isdigit() and len(text) <= 3 for text in texts) and int(texts[1]) > 1:
        low, high = int(texts[0]), int(texts[1])
        if low < high or (low < 10 and high < 10):
            return Value((Equals(low / high),), index, chain[-1] + 1)
    values = [(constant(text), text) for text in texts]
    if len(values) > 2:
        return Value((Equals(tuple(_plain(value) for value, _ in values)),), index, chain[-1] + 1)
    return Value(tuple(_test(value, text) for value, text in values if value is not None), index, chain[-1] + 1)


def _listing(tokens: Sequence[Token], index: int) -> Value | None:
    """A bracketed list of constants; None when anything else stands inside."""
    stop = closing(tokens, index)
    inner = tokens[index + 1 : stop]
    if not inner or tokens[stop].kind is not Kind.CLOSE:
        return None
    items: list[Constant] = []
    position = index + 1
    while position < stop:
        item = _item(tokens, position)
        if item is None:
            return None
        items.append(item[0])
        position = item[1]
        if position < stop and tokens[position].kind is not Kind.COMMA:
            return None
        position += 1
    if len(items) == 1 and tokens[index].text == "(":
        return None
    pair = len(items) == 2 and tokens[index].text in "[(" and all(isinstance(item, (int, float)) for item in items)
    interval = pair and items[0] < items[1]  # type: ignore[operator]
    return Value((Equals(tuple(items)),), index, stop + 1, interval=interval)


def _item(tokens: Sequence[Token], index: int) -> tuple[Constant, int] | None:
    token = tokens[index]
    if token.low in _SPECIAL:
        return _SPECIAL[token.low], index + 1
    found = _bare(tokens, index)
    if found is None or len(found.tests) != 1:
        return None
    test = found.tests[0]
    worth = test.value if isinstance(test, Equals) else test.values[0] if isinstance(test, OneOf) else None
    return (worth, found.stop) if worth is not None else None


def _test(value: Constant, text: str) -> Test:
    """A percentage may stand in code as a fraction or as a number of hundredths."""
    if text.endswith("%") and isinstance(value, (int, float)):
        return OneOf((_plain(value), _plain(round(value * 100, 12))))
    return Equals(_plain(value))


def _plain(value: Constant) -> Constant:
    """A float that is an integer, as an integer."""
    return int(value) if isinstance(value, float) and value.is_integer() and abs(value) < 1e15 else value


def constant(text: str) -> Constant:
    """What a number token is worth; None when it is no number."""
    worth = parse(re.sub(r"\s+", "", text.replace("−", "-")))
    if isinstance(worth, str):
        return worth if re.fullmatch(r"\d+(x\d+)+", worth) else None
    return worth


def numeral(test: Test) -> float | None:
    """The single number that a test asks for, if it asks for one."""
    worth = test.value if isinstance(test, Equals) else test.values[0] if isinstance(test, OneOf) else None
    if isinstance(worth, bool) or not isinstance(worth, (int, float)):
        return None
    return float(worth) if abs(worth) < _HUGE else math.inf


def distinctive(test: Test) -> bool:
    """Whether the value says by itself what it belongs to: three significant digits, a list or a size; not 16, 0.1 or 1000."""
    worth = numeral(test)
    if worth is None:
        return isinstance(test, Equals) and isinstance(test.value, (str, tuple)) and not isinstance(test.value, bool)
    if worth == 0 or not math.isfinite(worth):
        return False
    digits = f"{abs(worth):.6e}".split("e")[0].replace(".", "").rstrip("0")
    power_of_two = worth.is_integer() and int(worth) & (int(worth) - 1) == 0
    return len(digits) >= 3 and not (power_of_two and worth <= 1024) or (power_of_two and worth > 2048)
