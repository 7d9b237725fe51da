"""A place in a formula that is being read."""

from __future__ import annotations

import re
from itertools import islice

from verifier.units.readers.mathlex import Piece, lex

_LONGEST = 400


class NotMathematics(Exception):
    """The text at this place is not a formula, or says what the formula language cannot."""


class Cursor:
    """Goes over the pieces of a text from a place on.

    Attributes:
        last: the place after the last piece taken.
    """

    def __init__(self, text: str, start: int) -> None:
        self.text = text
        self.pieces = self._lexed(start)
        self.at = 0
        self.last = start

    def _lexed(self, place: int) -> list[Piece]:
        """The next pieces, closed by an end: no formula of a claim is longer."""
        pieces = list(islice(lex(self.text, place), _LONGEST))
        return (
            pieces if pieces[-1].kind == "end" else [*pieces[:-1], Piece("end", "", pieces[-1].start, pieces[-1].start, "", True)]
        )

    @property
    def piece(self) -> Piece:
        """The next piece."""
        return self.pieces[self.at]

    @property
    def before(self) -> Piece:
        """The piece taken last."""
        return self.pieces[self.at - 1]

    @property
    def after(self) -> Piece:
        """The piece after the next one; the end when there is none."""
        return self.pieces[min(self.at + 1, len(self.pieces) - 1)]

    def next(self) -> Piece:
        """Take the next piece."""
        piece = self.piece
        self.last = piece.stop
        self.at += 1
        return piece

    def sees(self, *texts: str) -> bool:
        """Whether the next piece is one of these signs."""
        return self.piece.kind == "op" and self.piece.text in texts

    def take(self, *texts: str) -> bool:
        """Take the next piece if it is one of these signs."""
        if self.sees(*texts):
            self.next()
            return True
        return False

    def need(self, *texts: str) -> None:
        """Take one of these signs; NotMathematics when another stands there."""
        if not self.take(*texts):
            raise NotMathematics

    def take_word(self, *names: str) -> bool:
        """Take an operator that is spelled out, when an operand follows."""
        if self.piece.kind != "name" or self.piece.text not in names or self.after.kind == "end":
            return False
        self.next()
        return True

    def skip_to(self, place: int) -> None:
        """Go on reading at a place of the text."""
        self.pieces = [*self.pieces[: self.at], *self._lexed(place)]
        self.last = place

    def drop_index(self) -> None:
        """`softmax(x)_i` is a softmax."""
        match = re.match(r"_(?:\{[^{}]*\}|\w+)", self.text[self.last :])
        if match:
            self.skip_to(self.last + match.end())

    def matching(self, start: int) -> int:
        """The place of the bracket that closes the one at a place; NotMathematics when none does."""
        depth = 0
        for at in range(start, len(self.text)):
            depth += (self.text[at] in "([{") - (self.text[at] in ")]}")
            if depth == 0:
                return at
        raise NotMathematics
