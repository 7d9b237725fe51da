"""The one tree of errors a user can cause or meet.

Each carries what is wrong, where, and how to mend it, as one line; the command line prints that line and leaves with exit code 2.
"""

from __future__ import annotations


class VerifierError(Exception):
    """Anything that sa-verify reports in one clear line instead of a traceback.

    Args:
        message: what is wrong and, where possible, how to mend it.
        where: the file, or `file:line`, that it concerns; empty when there is none.
    """

    def __init__(self, message: str, where: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.where = where

    def __str__(self) -> str:
        return f"{self.where}: {self.message}" if self.where else self.message


class ConfigError(VerifierError):
    """The call itself is wrong: an argument, an option or a setting."""


class SourceError(VerifierError):
    """The repository, or a file in it, cannot be read at all."""


class UnitError(VerifierError):
    """A unit file is wrong."""


class UnitErrors(UnitError):
    """All the faults of the unit files of one call, at once.

    Args:
        errors: the single faults, in the order in which they stand in the files.
    """

    def __init__(self, errors: list[UnitError]) -> None:
        super().__init__("\n".join(str(error) for error in errors))
        self.errors = tuple(errors)


class FormulaError(UnitError):
    """A formula is not in the formula language.

    Args:
        message: what is not understood.
        column: its 1-based place in the formula's text.
    """

    def __init__(self, message: str, column: int = 1, where: str = "") -> None:
        super().__init__(message, where)
        self.column = column


class RuleError(VerifierError):
    """A rule pack in rules/ is malformed."""


class ConfigErrors(ConfigError):
    """All the faults of one call, at once.

    Args:
        errors: the single faults, in the order in which they were found.
    """

    def __init__(self, errors: list[VerifierError]) -> None:
        super().__init__("\n".join(str(error) for error in errors))
        self.errors = tuple(errors)
