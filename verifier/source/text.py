"""From bytes to text."""

from __future__ import annotations

import re

from verifier.errors import SourceError

_COOKIE = re.compile(rb"^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)", re.MULTILINE)
_TEXT_CODEC = re.compile(
    r"utf-?8(-sig)?|(us-)?ascii|latin-?\d*|iso-?8859-?\d*|cp\d+|windows-\d+|gb\w+|big5\w*|euc-\w+|shift-jis|koi8-\w"
)
_BOMS = ((b"\xef\xbb\xbf", "utf-8"), (b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be"))


def decode(data: bytes, *, cookie: bool = False) -> tuple[str, str]:
    r"""Decode a file's bytes; line ends become `\\n`.

    Args:
        data: the file's bytes.
        cookie: whether a coding comment in the first two lines counts, as PEP 263 says for Python.

    Returns:
        The text, and what was unusual about its encoding (empty when nothing was). Bytes that are not UTF-8 are read as Latin-1.

    Raises:
        SourceError: the bytes are binary.
    """
    text, remark = _decode(data, cookie)
    if "\0" in text:
        raise SourceError("not read: binary, not text")
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return text, remark


def _decode(data: bytes, cookie: bool) -> tuple[str, str]:
    for bom, codec in _BOMS:
        if data.startswith(bom):
            remark = "" if codec == "utf-8" else f"read as {codec}"
            return data[len(bom) :].decode(codec, "replace"), remark
    codec = _declared(data) if cookie else "utf-8"
    try:
        return data.decode(codec), ""
    except (UnicodeDecodeError, LookupError):
        return data.decode("latin-1"), f"not valid {codec}: read as latin-1"


def _declared(data: bytes) -> str:
    match = _COOKIE.search(b"\n".join(data.split(b"\n", 2)[:2]))
    name = match[1].decode("ascii", "replace").lower().replace("_", "-") if match else "utf-8"
    return name if _TEXT_CODEC.fullmatch(name) else "utf-8"
