"""Where something stands."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, order=True)
class Location:
    """A span of lines in a file of the repository.

    Attributes:
        file: path relative to the repository, with `/`.
        line: first line, counted from 1.
        column: first column, counted from 1.
        end_line: last line of the span; the same as `line` for a single line.
    """

    file: str
    line: int
    column: int = 1
    end_line: int = 0

    def __post_init__(self) -> None:
        if self.end_line < self.line:
            object.__setattr__(self, "end_line", self.line)

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"


@dataclass(frozen=True, slots=True, order=True)
class Problem:
    """A file, or a part of one, that could not be read or parsed in full."""

    file: str
    line: int
    message: str
