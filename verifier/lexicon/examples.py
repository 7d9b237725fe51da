"""Runs the examples that stand beside the entries of the rule packs."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from verifier.lexicon.entities import Entity
from verifier.lexicon.lexicon import Lexicon
from verifier.lexicon.marks import SECTIONS
from verifier.lexicon.signatures import Default
from verifier.lexicon.spellings import counts


class Outcome(StrEnum):
    """How an entry did with an example."""

    VALIDATED = "validated"
    NOISY = "noisy"
    MISSING = "missing"


@dataclass(frozen=True, slots=True)
class ExampleResult:
    """One example of one entry.

    Attributes:
        pack: the pack's file, relative to rules/.
        entry: the entry's name.
        example: the example as written.
        wanted: whether the entry must apply to it.
        outcome: validated; noisy when it applies but must not; missing when it does not but must.
    """

    pack: str
    entry: str
    example: str
    wanted: bool
    outcome: Outcome


def run_examples(lexicon: Lexicon) -> list[ExampleResult]:
    """Runs the examples of every pack, in the order of packs and entries.

    Raises:
        RuleError: a pack is malformed.
    """
    return [*_names(lexicon), *_signatures(lexicon), *_entities(lexicon), *_marks(lexicon)]


def _run(
    pack: str, entry: str, good: tuple[str, ...], bad: tuple[str, ...], applies: Callable[[str], bool]
) -> Iterator[ExampleResult]:
    for wanted, listed in ((True, good), (False, bad)):
        for example in listed:
            right = applies(example) is wanted
            outcome = Outcome.VALIDATED if right else Outcome.MISSING if wanted else Outcome.NOISY
            yield ExampleResult(pack, entry, example, wanted, outcome)


def _names(lexicon: Lexicon) -> Iterator[ExampleResult]:
    for pack, entry, good, bad in lexicon.subjects.examples:
        pattern = pack.endswith("patterns.yaml")

        def applies(example: str, entry: str = entry, pattern: bool = pattern) -> bool:
            subject, _, name = example.partition(" = ") if pattern else (entry, "", example)
            return counts(lexicon.spellings(subject), name)

        yield from _run(pack, entry, good, bad, applies)


def _signatures(lexicon: Lexicon) -> Iterator[ExampleResult]:
    def applies(example: str) -> bool:
        asked, arrow, name = example.partition(" -> ")
        if arrow:
            found = lexicon.signature(asked)
            return found is not None and found.name == name
        path, _, value = example.partition(" = ")
        call, _, parameter = path.rpartition(".")
        found = lexicon.signature(call)
        one = found.named(parameter) if found else None
        return one is not None and not isinstance(one.default, Default) and one.default == ast.literal_eval(value)

    for pack, good, bad in lexicon.signatures.examples:
        yield from _run(pack, "signatures", good, bad, applies)


def _entities(lexicon: Lexicon) -> Iterator[ExampleResult]:
    for pack, number, good, bad in lexicon.entities.examples:
        entity = lexicon.entities.at(number)

        def applies(example: str, entity: Entity = entity) -> bool:
            return entity in lexicon.identify(example)

        yield from _run(pack, entity.name, good, bad, applies)
        yield from _run(pack, entity.name, tuple(dict.fromkeys((*entity.names, *entity.ids, *entity.calls))), (), applies)


def _marks(lexicon: Lexicon) -> Iterator[ExampleResult]:
    marks = lexicon.placeholder_marks
    tests: dict[str, Callable[[str], bool]] = {
        "comments": lambda text: marks.in_comment(text) is not None,
        "names": lambda text: marks.in_name(text) is not None,
        "messages": lambda text: marks.in_message(text) is not None,
        "exempt": marks.exempt,
        "random_sources": lambda text: text in marks.random_sources,
        "constant_sources": lambda text: text in marks.constant_sources,
    }
    assert tests.keys() == set(SECTIONS)
    for pack, section, entry, good, bad in marks.examples:
        yield from _run(pack, f"{section}: {entry}", good, bad, tests[section])
