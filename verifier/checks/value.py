"""The `value` check: live code or loaded configuration gives the subject this value.

The names under which code may keep the subject come from the lexicon. Bindings in live code compete; those whose name fits best win,
and one equal value among them is enough. Only when nothing live bears the name do dead places count, as `unused`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from verifier.checks.value_names import ABBREVIATED, Candidate, arriving, bearing, competing, is_setting, usual
from verifier.lexicon.names import path_has
from verifier.lexicon.spellings import Tier
from verifier.model import worth
from verifier.model.check import Between, Equals, OneOf, Test, ValueCheck
from verifier.model.constant import Constant
from verifier.model.facts import Binding, FactBase, Worth
from verifier.model.finding import Finding, Step
from verifier.model.verdict import Cause, Verdict

if TYPE_CHECKING:
    from verifier.lexicon import Lexicon

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


def check_value(check: ValueCheck, facts: FactBase, lexicon: Lexicon) -> Finding:
    """Judges a value check.

    Args:
        check: the check.
        facts: what the repository does.
        lexicon: what names mean.
    """
    candidates = [candidate for candidate in bearing(check, facts, lexicon) if path_has(candidate.binding.place.path, check.near)]
    live = arriving(usual(competing([candidate for candidate in candidates if not candidate.binding.place.dead])))
    usable = [candidate for candidate in live if _usable(candidate, check.test)]
    met = _first_meeting(check, usable)
    if met is not None:
        return _aligned(check, *met)
    sure = [candidate for candidate in usable if candidate.sure]
    if sure:
        return _drifted(check, sure[0])
    dead = [candidate for candidate in candidates if candidate.binding.place.dead and _worths(candidate.binding, check.test)]
    unknown = [
        candidate for candidate in live if candidate.sure and not candidate.binding.worths and is_setting(candidate, check)
    ]
    if unknown:
        return _undecided(check, unknown[0])
    met = _first_meeting(check, [candidate for candidate in dead if candidate.sure or candidate.rank != int(Tier.RELATED)])
    if dead and (dead[0].sure or met):
        return _unused(check, *(met or (dead[0], _worths(dead[0].binding, check.test)[0])))
    return Finding(
        kind="value",
        subject=_subject(check),
        status=Verdict.MISSING,
        cause=Cause.MISSING,
        expected=expected(check.test),
        message=f"no code gives {_subject(check)} a value",
    )


# --- whether a value meets the test -----------------------------------------------------------------------------------------


def _worths(binding: Binding, test: Test) -> tuple[Worth, ...]:
    """The values of a binding that the test can speak about: those of the kind that it asks for."""
    kinds = {_kind(value) for value in _wanted(test)} or {"number"}
    return tuple(found for found in binding.worths if _speaks(found, kinds))


def _usable(candidate: Candidate, test: Test) -> bool:
    """Whether a candidate says something about the test; one that is only like the subject has to be of the very kind asked for."""
    found = _worths(candidate.binding, test)
    if candidate.rank != ABBREVIATED:
        return bool(found)
    kinds = {_kind(value) for value in _wanted(test)}
    return any(kinds != {"boolean"} or _kind(one.value) == "boolean" for one in found)


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


def _shown(found: Worth, test: Test) -> str:
    """A value as reports print it: text that is a number as one, where a number is asked for (YAML reads `1e-4` as text)."""
    numeric = isinstance(test, Between) or any(_kind(value) == "number" for value in _wanted(test))
    return worth.format(worth.parse(found.value) if numeric and not found.symbolic else found.value)


def _trail(candidate: Candidate, found: Worth) -> tuple[Step, ...]:
    place = candidate.binding.place
    use = Step(f"{_name(candidate.binding)} ({candidate.binding.role})", place.location)
    return (*found.trail, use) if not found.trail or found.trail[-1].location != place.location else found.trail


def _name(binding: Binding) -> str:
    owner = binding.owner[-1] if binding.owner else ""
    return f"{owner}.{binding.name}" if owner and owner != binding.name else binding.name


def _aligned(check: ValueCheck, candidate: Candidate, found: Worth) -> Finding:
    return _finding(check, Verdict.ALIGNED, None, candidate, found, f"{_name(candidate.binding)} is {_shown(found, check.test)}")


def _drifted(check: ValueCheck, candidate: Candidate) -> Finding:
    if candidate.binding.stub is not None:
        return _deferred(check, candidate)
    found = _worths(candidate.binding, check.test)[0]
    message = f"{_name(candidate.binding)} is {_shown(found, check.test)}, not {expected(check.test)}"
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
    message = f"{_name(candidate.binding)} is {_shown(found, check.test)}, but {candidate.binding.place.dead}"
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
        found=_shown(found, check.test),
        location=found.location,
        message=message,
        trail=_trail(candidate, found),
    )
