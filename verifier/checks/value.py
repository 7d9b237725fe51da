"""The `value` check: live code or loaded configuration gives the subject this value.

The names under which code may keep the subject come from the lexicon. Bindings in live code compete; those whose name fits best win,
and one equal value among them is enough. Only when nothing live bears the name do dead places count, as `unused`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from verifier.lexicon.names import path_has, words
from verifier.lexicon.spellings import Spelling, Tier
from verifier.model import worth
from verifier.model.check import Between, Equals, OneOf, Test, ValueCheck
from verifier.model.constant import Constant
from verifier.model.facts import Binding, FactBase, Role, Worth
from verifier.model.finding import Finding, Step
from verifier.model.verdict import Cause, Verdict

if TYPE_CHECKING:
    from verifier.lexicon import Lexicon

PRECEDENCE = (Role.FLAG, Role.ARGUMENT, Role.OPTION, Role.KEY, Role.DEFAULT, Role.ASSIGNMENT, Role.LOOP, Role.LIBRARY)
"""Which writing is named first when several differ from the claim."""

ABBREVIATED = 5
"""The rank of a name that only shortens some words of the subject."""

COMPARABLE = {
    "number": {"number"},
    "boolean": {"boolean", "null", "text", "number"},
    "null": {"null", "boolean", "text", "number", "list", "size"},
    "text": {"text", "boolean", "null"},
    "size": {"size", "list", "number"},
    "list": {"list", "size", "number"},
    "table": {"table"},
}
"""For the kind of value that a test asks for, the kinds that can meet or fail it; a value of any other kind says nothing."""

AXES = frozenset({"dim", "dims", "axis", "axes"})
"""Parameters of tensor functions that say along which axis they work; layers and models call their width so."""

GRIDS = frozenset({"linspace", "logspace", "geomspace", "arange"})
"""Functions that make grids: their parameters say nothing about the settings that are called alike (`steps`, `stop`)."""

TRAINERS = frozenset({"optax", "transformers", "trl", "stable_baselines3", "sb3_contrib"})
"""Libraries whose calls describe a whole training run, so that their defaults are the run's."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A binding that may be the subject.

    Attributes:
        rank: how well its name fits; 0 is the name itself, 1 a synonym, 2 a related name, 3 a name that says more.
        sure: whether another value under this name speaks against the claim; looser names can only speak for it.
    """

    binding: Binding
    rank: int
    sure: bool = True

    @property
    def order(self) -> tuple[int, int]:
        """Sorts the best candidate first."""
        return self.rank, PRECEDENCE.index(self.binding.role)


def check_value(check: ValueCheck, facts: FactBase, lexicon: Lexicon) -> Finding:
    """Judges a value check.

    Args:
        check: the check.
        facts: what the repository does.
        lexicon: what names mean.
    """
    candidates = [
        candidate for candidate in _candidates(check, facts, lexicon) if path_has(candidate.binding.place.path, check.near)
    ]
    live = _unchanged(_best([candidate for candidate in candidates if not candidate.binding.place.dead]))
    usable = [candidate for candidate in live if _worths(candidate.binding, check.test)]
    met = _first_meeting(check, usable)
    if met is not None:
        return _aligned(check, *met)
    sure = [candidate for candidate in usable if candidate.sure]
    if sure:
        return _drifted(check, sure[0])
    dead = [candidate for candidate in candidates if candidate.binding.place.dead and _worths(candidate.binding, check.test)]
    unknown = [
        candidate for candidate in live if candidate.sure and not candidate.binding.worths and _is_setting(candidate, check)
    ]
    if unknown:
        return _undecided(check, unknown[0])
    if dead and (dead[0].sure or _first_meeting(check, dead)):
        met = _first_meeting(check, dead)
        return _unused(check, *(met or (dead[0], _worths(dead[0].binding, check.test)[0])))
    return Finding(
        kind="value",
        subject=_subject(check),
        status=Verdict.MISSING,
        cause=Cause.MISSING,
        expected=expected(check.test),
        message=f"no code gives {_subject(check)} a value",
    )


# --- which bindings mean the subject --------------------------------------------------------------------------------------


def _candidates(check: ValueCheck, facts: FactBase, lexicon: Lexicon) -> list[Candidate]:
    best: dict[int, Candidate] = {}
    kept: list[Candidate] = []
    for subject in check.subjects:
        for candidate in _of_subject(subject, facts, lexicon):
            if "." not in subject and _is_axis(candidate.binding):
                continue
            key = id(candidate.binding)
            if key not in best:
                best[key] = candidate
                kept.append(candidate)
            elif candidate.rank < best[key].rank:
                kept[kept.index(best[key])] = candidate
                best[key] = candidate
    return sorted(kept, key=lambda candidate: (candidate.order, candidate.binding.place.location))


def _of_subject(subject: str, facts: FactBase, lexicon: Lexicon) -> Iterator[Candidate]:
    *owner, name = subject.split(".") if "." in subject and " " not in subject else ["", subject]
    owner = [part for part in owner if part]
    spellings = lexicon.spellings(name)
    known = any(spelling.tier is Tier.EXACT and len(spelling.words) > 1 for spelling in spellings)
    for raw, fits in _fitting(spellings, facts).items():
        for binding in facts.bindings(raw):
            if owner and not _owned(binding, owner):
                continue
            around = (*binding.owner, *binding.place.path)
            ranks = [rank for spelling, rank in fits if owner or spelling.allowed(around)]
            if binding.role is Role.LIBRARY and not owner and not _library_counts(binding):
                continue
            if ranks:
                rank = min(ranks)
                sure = rank <= 1 or (known and 3 in ranks)
                yield Candidate(binding, rank + (4 if binding.role is Role.LIBRARY else 0), sure)
            elif words(raw) == words(name):  # the very name of the subject, outside of the places that it usually means
                yield Candidate(binding, 2)
    if not owner:
        yield from _narrowed(name, facts, lexicon)
        yield from _abbreviated(name, facts)


def _is_axis(binding: Binding) -> bool:
    """Whether a value is the axis of a library function or of a tensor's method, or the layout of a grid."""
    if binding.role not in {Role.ARGUMENT, Role.LIBRARY} or len(binding.owner) < 2:
        return False
    return binding.owner[-1] in GRIDS or (binding.name in AXES and binding.owner[-1][:1].islower())


def _is_setting(candidate: Candidate, check: ValueCheck) -> bool:
    """Whether a value that is not known is one that somebody sets: what code merely computes under a related name is data."""
    own = {words(subject.rsplit(".", 1)[-1]) for subject in check.subjects}
    set_up = candidate.binding.role in {Role.OPTION, Role.KEY, Role.DEFAULT, Role.FLAG}
    to_library = candidate.binding.role is Role.ARGUMENT and len(candidate.binding.owner) > 1
    return set_up or (candidate.rank == 0 and (to_library or words(candidate.binding.name) in own))


def _fitting(spellings: Sequence[Spelling], facts: FactBase) -> dict[str, list[tuple[Spelling, int]]]:
    """Raw name -> the spellings it fits and how well: 0 to 2 by the spelling's tier, 3 when the name says more."""
    found: dict[str, list[tuple[Spelling, int]]] = {}
    for spelling in spellings:
        for raw in facts.names.exact(spelling.words):
            found.setdefault(raw, []).append((spelling, int(spelling.tier)))
        if spelling.tier is Tier.EXACT and len("".join(spelling.words)) > 1:
            for raw in facts.names.longer(spelling.words):
                found.setdefault(raw, []).append((spelling, 3))
    return found


def _narrowed(name: str, facts: FactBase, lexicon: Lexicon) -> Iterator[Candidate]:
    """`critic learning rate`: the name of the core, in a place whose path has the other words."""
    rest, core = lexicon.split(name)
    own = words(name)
    splits = [(rest, lexicon.spellings(core))] if rest else []
    splits += [(own[:i], (Spelling(own[i:], Tier.EXACT),)) for i in range(1, len(own))]
    for others, spellings in splits:
        for spelling in spellings:
            if spelling.tier is Tier.RELATED:
                continue
            for raw in facts.names.exact(spelling.words):
                for binding in facts.bindings(raw):
                    around = (*binding.owner, *binding.place.path[:-1])
                    if path_has(around, others) and spelling.allowed(around):
                        yield Candidate(binding, 1)


def _abbreviated(name: str, facts: FactBase) -> Iterator[Candidate]:
    """`n_cal` for the number of calibration examples: such a name can speak for a claim, not against it."""
    own = words(name)
    if len(own) < 2:
        return
    for raw in facts.names.covered(own):
        for binding in facts.bindings(raw):
            if binding.role is not Role.LIBRARY:
                yield Candidate(binding, ABBREVIATED, sure=False)


def _owned(binding: Binding, owner: Sequence[str]) -> bool:
    """Whether the binding's owner ends in the owner that the subject names."""
    around = [part for part in (*binding.owner, *binding.place.path) if part]
    return all(
        any(words(part) == words(wanted) or "".join(words(part)) == "".join(words(wanted)) for part in around) for wanted in owner
    )


def _library_counts(binding: Binding) -> bool:
    """A library's default stands for an undotted subject where the call sets up training: other calls share too many names."""
    return any("optim" in part.lower() or part in TRAINERS for part in binding.owner[:-1])


def _best(live: list[Candidate]) -> list[Candidate]:
    """The candidates that compete: looser names count only where nothing fits better."""
    close = [candidate for candidate in live if candidate.rank <= 2]
    loose = [candidate for candidate in live if candidate.rank == ABBREVIATED]
    tier = min((candidate.rank for candidate in close), default=None)
    if tier is None:
        return live
    if tier == 2:
        return [*close, *loose]
    sure = [candidate for candidate in close if candidate.rank <= 1]
    known = [candidate for candidate in sure if candidate.binding.worths]
    return sure if known else [*close, *loose]


def _unchanged(live: list[Candidate]) -> list[Candidate]:
    """Without the values that never arrive as they are: what is handed on is computed from them."""
    arriving = [found for candidate in live if candidate.binding.role is Role.ARGUMENT for found in candidate.binding.worths]
    ends = {found.location for found in arriving}
    passed = {step.location for found in arriving for step in found.trail if step.operand}
    consumed = passed - ends

    def kept(candidate: Candidate) -> bool:
        origins = {found.location for found in candidate.binding.worths}
        return candidate.binding.role is Role.ARGUMENT or not origins or not origins <= consumed

    return [candidate for candidate in live if kept(candidate)]


# --- whether a value meets the test -----------------------------------------------------------------------------------------


def _worths(binding: Binding, test: Test) -> tuple[Worth, ...]:
    """The values of a binding that the test can speak about: those of the kind that it asks for."""
    kinds = {_kind(value) for value in _wanted(test)} or {"number"}
    return tuple(found for found in binding.worths if _speaks(found, kinds))


def _kind(value: Constant) -> str:
    value = worth.parse(value)
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, int | float):
        return "number"
    if value is None:
        return "null"
    if isinstance(value, str):
        return "text" if worth.sides(value) is None else "size"
    return "list" if isinstance(value, tuple) else "table"


def _speaks(found: Worth, kinds: set[str]) -> bool:
    if found.symbolic:
        return "text" in kinds
    kind = _kind(found.value)
    return any(kind in COMPARABLE[wanted] for wanted in kinds)


def _wanted(test: Test) -> tuple[Constant, ...]:
    match test:
        case Equals():
            return (test.value,)
        case OneOf():
            return test.values
    return ()


def meets(test: Test, value: Constant, tolerance: float | None) -> bool:
    """Whether a value passes a test.

    Args:
        test: what is asked for.
        value: what the code has.
        tolerance: relative tolerance for numbers; None for the usual one.
    """
    if isinstance(test, Between):
        number = worth.parse(value)
        if isinstance(number, bool) or not isinstance(number, int | float):
            return False
        slack = tolerance or 1e-9
        low_ok = test.low is None or number >= test.low or worth.equal(number, test.low, slack)
        high_ok = test.high is None or number <= test.high or worth.equal(number, test.high, slack)
        return low_ok and high_ok
    return any(worth.equal(value, wanted, tolerance) for wanted in _wanted(test))


def _first_meeting(check: ValueCheck, candidates: Sequence[Candidate]) -> tuple[Candidate, Worth] | None:
    for candidate in candidates:
        for found in _worths(candidate.binding, check.test):
            if meets(check.test, found.value, check.tolerance):
                return candidate, found
    return None


# --- findings -------------------------------------------------------------------------------------------------------------


def _subject(check: ValueCheck) -> str:
    return check.subjects[0]


def expected(test: Test) -> str:
    """What a test asks for, in words of the unit file."""
    match test:
        case Equals():
            return worth.format(test.value)
        case OneOf():
            return " or ".join(worth.format(value) for value in test.values)
        case Between(low=None):
            return f"at most {worth.format(test.high)}"
        case Between(high=None):
            return f"at least {worth.format(test.low)}"
        case Between():
            return f"between {worth.format(test.low)} and {worth.format(test.high)}"


def _trail(candidate: Candidate, found: Worth) -> tuple[Step, ...]:
    place = candidate.binding.place
    use = Step(f"{_name(candidate.binding)} ({candidate.binding.role})", place.location)
    return (*found.trail, use) if not found.trail or found.trail[-1].location != place.location else found.trail


def _name(binding: Binding) -> str:
    owner = binding.owner[-1] if binding.owner else ""
    return f"{owner}.{binding.name}" if owner and owner != binding.name else binding.name


def _aligned(check: ValueCheck, candidate: Candidate, found: Worth) -> Finding:
    return _finding(check, Verdict.ALIGNED, None, candidate, found, f"{_name(candidate.binding)} is {worth.format(found.value)}")


def _drifted(check: ValueCheck, candidate: Candidate) -> Finding:
    if candidate.binding.stub is not None:
        return _deferred(check, candidate)
    found = _worths(candidate.binding, check.test)[0]
    message = f"{_name(candidate.binding)} is {worth.format(found.value)}, not {expected(check.test)}"
    return _finding(check, Verdict.DRIFTED, Cause.WRONG_VALUE, candidate, found, message)


def _deferred(check: ValueCheck, candidate: Candidate) -> Finding:
    stub = candidate.binding.stub
    assert stub is not None
    return Finding(
        kind="value",
        subject=_subject(check),
        status=Verdict.DEFERRED,
        cause=Cause.PLACEHOLDER,
        expected=expected(check.test),
        location=stub.location,
        message=f"{_name(candidate.binding)}: {stub.reason}",
    )


def _unused(check: ValueCheck, candidate: Candidate, found: Worth) -> Finding:
    message = f"{_name(candidate.binding)} is {worth.format(found.value)}, but {candidate.binding.place.dead}"
    return _finding(check, Verdict.UNUSED, Cause.DEAD_CODE, candidate, found, message)


def _undecided(check: ValueCheck, candidate: Candidate) -> Finding:
    return Finding(
        kind="value",
        subject=_subject(check),
        status=Verdict.UNDECIDED,
        expected=expected(check.test),
        message=f"{candidate.binding.place.location} gives {_name(candidate.binding)} a value that only running the code would show",
    )


def _finding(
    check: ValueCheck, status: Verdict, cause: Cause | None, candidate: Candidate, found: Worth, message: str
) -> Finding:
    return Finding(
        kind="value",
        subject=_subject(check),
        status=status,
        cause=cause,
        expected=expected(check.test),
        found=worth.format(found.value),
        location=found.location,
        message=message,
        trail=_trail(candidate, found),
    )
