"""The fact base of a repository: each kind of fact computed when first asked for, then kept."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from verifier.facts.bindings import Bindings
from verifier.facts.configs import Configs
from verifier.facts.evaluate import Evaluator
from verifier.facts.liveness import Liveness
from verifier.facts.mentions import Mentions
from verifier.facts.placeholders import Placeholders
from verifier.facts.program import Program
from verifier.facts.reads import Reads
from verifier.lexicon import Lexicon
from verifier.lexicon.name_index import NameIndex
from verifier.model.facts import Binding, Definition, Mention, Place, Placeholder, Remark, Trace
from verifier.model.location import Location
from verifier.model.repository import Repository, Role


def index(repository: Repository, lexicon: Lexicon) -> Facts:
    """Make the fact base of a repository.

    Args:
        repository: the repository as read.
        lexicon: what names, signatures and operators mean.
    """
    return Facts(repository, lexicon)


class Facts:
    """All facts of one repository.

    Args:
        repository: the repository as read.
        lexicon: what names, signatures and operators mean.
    """

    def __init__(self, repository: Repository, lexicon: Lexicon) -> None:
        self.repository = repository
        self.lexicon = lexicon

    @property
    def start(self) -> Location | None:
        """The first line of its first code file."""
        first = next((file.path for file in self.repository.python if file.role is Role.CODE), None)
        return Location(first, 1) if first is not None else None

    @cached_property
    def program(self) -> Program:
        """Its modules, scopes and how names resolve."""
        return Program(self.repository)

    @cached_property
    def liveness(self) -> Liveness:
        """Which of its code is live."""
        return Liveness(self.program)

    @cached_property
    def stubs(self) -> Placeholders:
        """Which of its functions, classes and statements are placeholders."""
        return Placeholders(self.program, self.lexicon.placeholder_marks)

    @cached_property
    def reads(self) -> Reads:
        """What live code reads."""
        return Reads(self.program, self.liveness)

    @cached_property
    def evaluator(self) -> Evaluator:
        """What its expressions are worth."""
        return Evaluator(self.program, Configs(self.repository), lambda node, scope: not self.liveness.reason(node, scope))

    @cached_property
    def _bindings(self) -> Bindings:
        return Bindings(self.evaluator, self.liveness, self.reads, self.stubs, self.lexicon)

    @cached_property
    def names(self) -> NameIndex:
        """Every raw name that is given a value anywhere, by its words."""
        return NameIndex(self._bindings.names)

    def bindings(self, name: str) -> Sequence[Binding]:
        """Where a raw name is given a value, and which."""
        return self._bindings.of(name)

    @cached_property
    def _mentions(self) -> Mentions:
        return Mentions(self._bindings, self.repository)

    @property
    def mentioned(self) -> Sequence[str]:
        """Every text that is mentioned anywhere."""
        return self._mentions.texts

    def mentions(self, text: str) -> Sequence[Mention]:
        """Where a text is mentioned, and how."""
        return self._mentions.of(text)

    @property
    def remarks(self) -> Sequence[Remark]:
        """Comments, docstrings and messages."""
        return self._mentions.remarks

    @cached_property
    def definitions(self) -> Sequence[Definition]:
        """Every expression computed."""
        from verifier.facts.lifting import definitions

        return definitions(self.program, self.liveness, self.stubs)

    @cached_property
    def traces(self) -> Sequence[Trace]:
        """What happens in order, one trace an entry."""
        from verifier.facts.traces import traces

        return traces(self.program, self.liveness, self.stubs, self.lexicon.frameworks)

    @cached_property
    def placeholders(self) -> Sequence[tuple[Place, Placeholder]]:
        """Every placeholder, with the function or class that it stands for."""
        return tuple(
            (Place(scope.location(scope.node), scope.names, self.liveness.scope_reason(scope)), stub)
            for scope, stub in self.stubs.all
        )
