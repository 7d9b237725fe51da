"""The tokens of one group, read from left to right."""

from __future__ import annotations

from typing import Self

from verifier.algebra.language import MAX_DEPTH
from verifier.algebra.latex_tokens import Token, refuse


class Cursor:
    """Reads the tokens of one group from left to right.

    Args:
        tokens: closed by an `end`.
        depth: how many groups it stands in.
    """

    def __init__(self, tokens: tuple[Token, ...], depth: int = 0) -> None:
        self.tokens, self.at, self.depth = tokens, 0, depth
        self.bars: list[str] = []
        self.given = 0
        if depth > MAX_DEPTH:
            raise refuse(f"groups nested deeper than {MAX_DEPTH} are not read,", tokens[0])

    @property
    def token(self) -> Token:
        """The next token."""
        return self.tokens[min(self.at, len(self.tokens) - 1)]

    def peek(self, ahead: int = 1) -> Token:
        """A token further on."""
        return self.tokens[min(self.at + ahead, len(self.tokens) - 1)]

    def take(self, kind: str, *texts: str) -> Token | None:
        """Consume the next token if it is one of these."""
        token = self.token
        if token.kind == kind and (not texts or token.text in texts):
            self.at += 1
            return token
        return None

    def inner(self, token: Token) -> Self:
        """A reader of a group, or of a single token in its place."""
        tokens = token.inside if token.kind == "group" else (token, Token("end", "", token.column))
        return type(self)(tokens, self.depth + 1)

    def ended(self) -> None:
        """Refuse whatever is left."""
        token = self.token
        if token.kind != "end":
            raise refuse(f"`{shown(token)}` is not understood there,", token)

    def ranged(self) -> tuple[Token | None, Token | None]:
        """The limits under and over a large operator."""
        lower = upper = None
        while self.token.kind == "sign" and self.token.text in ("_", "^"):
            sign, mark = self.token, self.peek()
            self.at += 2
            if sign.text == "_":
                lower = mark
            else:
                upper = mark
        return lower, upper


def shown(token: Token) -> str:
    """A token as written, for messages."""
    prefix = "\\" if token.kind == "command" else ""
    return f"{prefix}{token.text}" if token.text else "{...}" if token.kind == "group" else "the end"
