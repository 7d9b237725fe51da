"""Text from a repository or a claim made safe to print: nothing in it can steer a terminal, a page or a build."""

from __future__ import annotations

import re
from functools import partial

_CONTROL = re.compile(
    "[\x00-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb\ud800-\udfff\U000e0000-\U000e007f]"
)
_MARKDOWN = re.compile(r"([\\`*_{}\[\]()<>#+!|~$&])")
_SHORT = {"\n": "\\n", "\r": "\\r", "\t": " "}


def _visible(found: re.Match[str]) -> str:
    character = found.group()
    if character in _SHORT:
        return _SHORT[character]
    code = ord(character)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def plain(text: str) -> str:
    """One printable line: control characters, escape sequences, invisible and direction-changing signs are written out."""
    return _CONTROL.sub(_visible, text)


def shortened(text: str, width: int) -> str:
    """The text as one printable line of at most `width` characters; what is cut off is shown by an ellipsis."""
    line = plain(" ".join(text.split()))
    return line if len(line) <= width else line[: width - 1].rstrip() + "…"


def markdown(text: str) -> str:
    """The text as one line of literal Markdown, also inside a table."""
    return _MARKDOWN.sub(r"\\\1", plain(text)).replace("@", "@\u200b").replace("://", ":\u200b//")


def _percent(text: str, characters: str) -> str:
    return "".join(f"%{ord(character):02X}" if character in characters else character for character in text)


workflow_message = partial(_percent, characters="%\r\n")
workflow_property = partial(_percent, characters="%\r\n:,")
