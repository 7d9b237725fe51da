"""The lexicon: what names mean in machine learning code, read from the packs in rules/."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path

from verifier.lexicon.entities import Entities, Entity
from verifier.lexicon.frameworks import Frameworks, load_frameworks
from verifier.lexicon.marks import PlaceholderMarks
from verifier.lexicon.packs import rules_folder
from verifier.lexicon.signatures import Signature, Signatures
from verifier.lexicon.spellings import Spelling, Spellings


@dataclass(frozen=True)
class Lexicon:
    """All packs of a rules folder; each folder of packs is read when first asked for.

    Attributes:
        rules: the rules folder.
    """

    rules: Path

    @cached_property
    def subjects(self) -> Spellings:
        """Names of hyperparameters."""
        return Spellings(self.rules)

    @cached_property
    def signatures(self) -> Signatures:
        """Signatures of library callables."""
        return Signatures(self.rules)

    @cached_property
    def entities(self) -> Entities:
        """Data sets, metrics, models, baselines, optimisers, losses, modules and environments."""
        return Entities(self.rules)

    @cached_property
    def placeholder_marks(self) -> PlaceholderMarks:
        """Words and names that show placeholders."""
        return PlaceholderMarks(self.rules)

    @cached_property
    def frameworks(self) -> Frameworks:
        """What frameworks do by themselves, and what libraries call the steps of a training loop."""
        return load_frameworks(self.rules)

    def spellings(self, phrase: str) -> tuple[Spelling, ...]:
        """How code may spell the subject of a value check, the surest first, with the places where each spelling holds."""
        return _spellings(self.subjects, phrase)

    def names(self, phrase: str) -> tuple[tuple[str, ...], ...]:
        """The stemmed words of those spellings."""
        return tuple(spelling.words for spelling in self.spellings(phrase))

    def split(self, phrase: str) -> tuple[tuple[str, ...], str]:
        """The words that narrow a subject, and the known subject: `critic momentum` is `(("critic",), "momentum")`."""
        return self.subjects.split(phrase)

    def signature(self, qualified: str) -> Signature | None:
        """The parameters and defaults of a library callable, under whatever spelling an import gives it; None when not known."""
        return self.signatures.find(qualified)

    def named_entities(self, phrase: str, role: str = "") -> tuple[Entity, ...]:
        """The entities that a phrase names, those whose kind fits the `as` of a presence check."""
        return self.entities.named(phrase, role)

    def find_entities(self, text: str) -> list[tuple[int, int, Entity]]:
        """The entities that a text names, as (start, end, entity); a name of several entities gives each."""
        return self.entities.find(text)

    def identify(self, text: str, target: str = "") -> tuple[Entity, ...]:
        """The entities that an identifier or string of code stands for; `target` is the qualified name it resolves to."""
        return self.entities.identify(text, target)

    def entity_spellings(self, phrase: str, role: str = "") -> list[tuple[str, ...]]:
        """The stemmed words of the names under which code may use what the phrase names, listed or derived."""
        return self.entities.spellings(phrase, role)


@lru_cache(maxsize=4096)
def _spellings(subjects: Spellings, phrase: str) -> tuple[Spelling, ...]:
    return subjects.of(phrase)


@lru_cache(maxsize=4)
def load_lexicon(rules_dir: Path | None = None) -> Lexicon:
    """The lexicon of a rules folder, of the shipped one by default.

    Raises:
        RuleError: the shipped packs are not installed. A malformed pack raises when it is first used.
    """
    return Lexicon(rules_dir or rules_folder())
