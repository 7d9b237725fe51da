"""What a value is worth: equality by worth and printing, for every notation that papers, configs and code use."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING

from verifier.model.arithmetic import number

if TYPE_CHECKING:
    from verifier.model.constant import Constant

_RELATIVE = 1e-9
_SIZE = re.compile(r"[1-9]\d{0,5}(?:\s*[x×]\s*[1-9]\d{0,5}){1,4}", re.IGNORECASE)
_DOTTED = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+")
_DIGITS_KEPT = 20
_DEEPEST_LIST = 8
_TRUE = frozenset({"true", "yes", "on"})
_FALSE = frozenset({"false", "no", "off"})
_NULL = frozenset({"null", "none", "~"})


def parse(value: Constant) -> Constant:
    """The constant that a value of a unit file, a config or a flag stands for.

    Text that is a number in any notation becomes that number (`"2^20"`, `"1/3"`, `"50k"`, `"12.5%"`, `"5×10^-4"`), a list in
    text a tuple (`"(0.9, 0.95)"`, `"0.9, 0.95"`), a size keeps its canonical spelling (`"512 × 512"` is `"512x512"`, see
    `sides`). Any other text, `"true"` and `"none"` included, stays as it is; `equal` knows what it is worth.

    Args:
        value: any constant; sequences and mappings are parsed element by element.
    """
    if isinstance(value, str):
        return _parse_text(value)
    if isinstance(value, (tuple, list)):
        return tuple(parse(item) for item in value)
    if isinstance(value, Mapping):
        return {key: parse(item) for key, item in value.items()}
    return value


@lru_cache(maxsize=4096)
def _parse_text(text: str) -> Constant:
    stripped = text.strip()
    if _SIZE.fullmatch(stripped):
        return re.sub(r"\s*[xX×]\s*", "x", stripped)
    found = number(stripped)
    if found is not None:
        return found
    items = _items(stripped)
    return text if items is None else items


def _items(text: str) -> tuple[Constant, ...] | None:
    """The elements of a list written in text, or None when it is none."""
    bracketed = len(text) > 1 and text[0] + text[-1] in ("()", "[]")
    parts = _split(text[1:-1] if bracketed else text)
    if bracketed:
        parts = parts[:-1] if parts and not parts[-1] else parts
        return tuple(_parse_text(part.strip("'\"")) for part in parts) if parts is not None and all(parts) else None
    values = [number(part) for part in parts or ()]
    if len(values) < 2 or any(value is None for value in values):
        return None
    return tuple(values)


def _split(text: str) -> list[str] | None:
    """Cuts at the commas that stand outside all brackets; None when the brackets do not match or go too deep."""
    parts, depth, start = [], 0, 0
    for index, char in enumerate(text):
        depth += (char in "([{") - (char in ")]}")
        if not 0 <= depth <= _DEEPEST_LIST:
            return None
        if char == "," and depth == 0:
            parts.append(text[start:index].strip())
            start = index + 1
    return [*parts, text[start:].strip()] if depth == 0 else None


def sides(value: Constant) -> tuple[int, ...] | None:
    """The sides of a size: `"512x256"` gives `(512, 256)`; None for anything that is not a size written in text."""
    if isinstance(value, str) and _SIZE.fullmatch(value.strip()):
        return tuple(int(side) for side in re.split(r"\s*[xX×]\s*", value.strip()))
    return None


def equal(a: Constant, b: Constant, tolerance: float | None = None) -> bool:
    """Whether two constants are worth the same.

    Numbers are compared up to a relative tolerance of 1e-9, two integers exactly; text by its worth as a number, else without
    regard to case, blanks, `_` and `-` (of a dotted name only the last part counts when the other has no dots); a list is worth
    a tuple of equal elements; a size such as `512x512` is worth `(512, 512)`, and 512 when its sides are equal. As in Python,
    true is worth the integer 1 and false 0; `"yes"` and `"on"`, `"no"` and `"off"` are booleans too, `"none"` is null.

    Args:
        a: one value.
        b: the other; the order does not matter.
        tolerance: relative tolerance for numbers; against zero it is absolute.
    """
    a, b = parse(a), parse(b)
    if isinstance(a, bool) or isinstance(b, bool):
        return _equal_booleans(a, b)
    if a is None or b is None:
        return _is_null(a) and _is_null(b)
    if isinstance(a, (int, float)) and isinstance(b, (int, float)):
        return _equal_numbers(a, b, tolerance)
    size = sides(a) or sides(b)
    if size is not None:
        return _meets(size, a) and _meets(size, b)
    if isinstance(a, str) and isinstance(b, str):
        return _equal_texts(a, b)
    if isinstance(a, tuple) and isinstance(b, tuple):
        return len(a) == len(b) and all(equal(x, y, tolerance) for x, y in zip(a, b, strict=True))
    if isinstance(a, Mapping) and isinstance(b, Mapping):
        return a.keys() == b.keys() and all(equal(a[key], b[key], tolerance) for key in a)
    return False


def _equal_numbers(a: float, b: float, tolerance: float | None) -> bool:
    if a == b:
        return True
    if tolerance is None and isinstance(a, int) and isinstance(b, int):
        return False
    try:
        x, y = float(a), float(b)
    except OverflowError:
        return False
    if math.isnan(x) and math.isnan(y):
        return True
    if tolerance is not None and 0.0 in (x, y):
        return abs(x - y) <= tolerance
    return math.isclose(x, y, rel_tol=_RELATIVE if tolerance is None else tolerance, abs_tol=0.0)


def _equal_booleans(a: Constant, b: Constant) -> bool:
    return _truth(a) is not None and _truth(a) == _truth(b)


def _truth(value: Constant) -> bool | None:
    if isinstance(value, bool):
        return value
    if isinstance(value, int) and value in (0, 1):
        return bool(value)
    if isinstance(value, str):
        word = value.strip().lower()
        return True if word in _TRUE else False if word in _FALSE else None
    return None


def _is_null(value: Constant) -> bool:
    return value is None or (isinstance(value, str) and value.strip().lower() in _NULL)


def _meets(size: tuple[int, ...], value: Constant) -> bool:
    if isinstance(value, str):
        return sides(value) == size
    if isinstance(value, tuple):
        return len(value) == len(size) and all(equal(side, item) for side, item in zip(size, value, strict=True))
    return len(set(size)) == 1 and isinstance(value, (int, float)) and _equal_numbers(size[0], value, None)


def _equal_texts(a: str, b: str) -> bool:
    if a == b or _fold(a) == _fold(b):
        return True
    if bool(_DOTTED.fullmatch(a)) != bool(_DOTTED.fullmatch(b)):
        return _fold(a.rpartition(".")[2]) == _fold(b.rpartition(".")[2])
    truth = _truth(a)
    return (truth is not None and truth == _truth(b)) or (_is_null(a) and _is_null(b))


def _fold(text: str) -> str:
    folded = re.sub(r"[\s_-]+", "", text).casefold()
    return folded or text


def format(value: Constant) -> str:  # noqa: A001 - read as `worth.format`
    """Prints a constant as reports do: numbers as plain short decimals (`0.001`, `1e-05`, `512`), text as it is, `[0.9, 0.95]`.

    Booleans and null print as in unit files: `true`, `false`, `null`.
    """
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return _format_int(value)
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() and abs(value) < 1e16 else min(f"{value:.12g}", repr(value), key=len)
    if isinstance(value, str):
        return value
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{key}: {format(item)}" for key, item in value.items()) + "}"
    return "[" + ", ".join(format(item) for item in value) + "]"


def _format_int(value: int) -> str:
    if abs(value) < 10**_DIGITS_KEPT:
        return str(value)
    try:
        return f"{float(value):.12g}"
    except OverflowError:
        return f"about 2^{value.bit_length() - 1}"
