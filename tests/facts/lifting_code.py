"""Helpers for tests of lifting: code in, printed definitions out."""

from __future__ import annotations

from textwrap import dedent

from verifier.algebra.printing import to_text
from verifier.facts.lifting import definitions
from verifier.facts.liveness import Liveness
from verifier.facts.placeholders import Placeholders
from verifier.facts.program import Program
from verifier.model.facts import Definition
from verifier.model.repository import Repository
from verifier.source.python import read_python


def program_of(**files: str) -> Program:
    """The program of some files, by name without `.py`; `__` in a name stands for `/`."""
    read = [read_python(name.replace("__", "/") + ".py", dedent(text).encode())[0] for name, text in files.items()]
    return Program(Repository("repo", tuple(sorted(read, key=lambda file: file.path))))


def defined(**files: str) -> tuple[Definition, ...]:
    """All definitions of some files."""
    program = program_of(**files)
    return definitions(program, Liveness(program), Placeholders(program))


def texts(code: str, name: str) -> list[str]:
    """What code defines under a name, in the notation of unit files."""
    return [to_text(item.expr) for item in defined(code=code) if name in item.names]
