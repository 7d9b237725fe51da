"""The `present` check: live code really uses the entity.

Mentions whose text fits a name of the entity compete: what is called, defined or loaded beats a string, key or named value, which beats a
setting or a part of a longer name. Of the best kind, one live and real mention is enough. Else a placeholder under the name defers the
entity, another entity under the name is drift, and mentions that nothing reaches or reads leave it unused.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from verifier.checks.present_names import Fit, Wanted, segments
from verifier.checks.present_texts import indexed
from verifier.checks.present_words import Words, squeezed
from verifier.lexicon.names import path_has, same, same_word
from verifier.model.check import Origin, PresentCheck
from verifier.model.facts import FactBase, Form, Mention, Place, Placeholder, Remark
from verifier.model.finding import Finding, Step
from verifier.model.location import Location
from verifier.model.verdict import Cause, Verdict

if TYPE_CHECKING:
    from verifier.lexicon import Lexicon

_FORMS = (Form.CALL, Form.STRING, Form.REFERENCE, Form.CLASS, Form.FUNCTION, Form.KEY, Form.NAME, Form.IMPORT)
"""Which form shows a use best."""
_WEAK = 3
_JUDGED = frozenset(
    (
        "image quality,video quality,audio quality,image text,image similarity,text generation,speech,detection,correlation,distribution,"
        "information,ranking,3d"
    ).split(",")
)
"""Families of metrics that are more than a mean of errors or hits."""
_FIRST_WORDS = 12
"""Words of a comment or docstring that say what the code beside it is."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A mention that may be of the entity.

    Attributes:
        other: the other entity that really stands there; empty when there is none.
    """

    mention: Mention
    fit: Fit
    other: str = ""

    @property
    def order(self) -> tuple[int, int, int]:
        """Sorts the best candidate first."""
        return self.fit.tier, _FORMS.index(self.mention.form), self.fit.extra


def check_present(check: PresentCheck, facts: FactBase, lexicon: Lexicon) -> Finding:
    """Judges a presence check.

    Args:
        check: the check.
        facts: what the repository does.
        lexicon: what names mean.
    """
    wanted = Wanted(check.entity, check.role, lexicon, bool(check.near) or check.source.origin is Origin.COMPILED)
    candidates = _calls(check, facts) if check.role == "call" else _candidates(wanted, facts)
    near = [candidate for candidate in candidates if path_has(candidate.mention.place.path, check.near)]
    near.sort(key=lambda candidate: (candidate.order, candidate.mention.place.location))
    return _judged(check, near, facts, wanted)


def _candidates(wanted: Wanted, facts: FactBase) -> list[Candidate]:
    found = []
    for text in wanted.candidates(indexed(tuple(facts.mentioned))):
        for mention in facts.mentions(text):
            fit = wanted.fit(mention)
            if fit is not None:
                found.append(Candidate(mention, fit, _impostor(wanted, mention, fit)))
    return found


def _calls(check: PresentCheck, facts: FactBase) -> list[Candidate]:
    """Calls whose dotted name, as written or resolved, ends in the wanted one."""
    parts = tuple(segments(check.entity))
    found: list[Candidate] = []
    for text in facts.mentioned:
        if same(text.rpartition(".")[2], check.entity.rpartition(".")[2]):
            calls = [mention for mention in facts.mentions(text) if mention.form is Form.CALL]
            found += [Candidate(mention, Fit(0, 0)) for mention in calls if _ends_in(mention, parts)]
    return found


def _ends_in(mention: Mention, parts: tuple[Words, ...]) -> bool:
    names = (mention.text, mention.target.replace(":", "."), ".".join(mention.place.path[-2:]))
    return any(_same_path(tuple(segments(name))[-len(parts) :], parts) for name in names)


def _same_path(own: tuple[Words, ...], parts: tuple[Words, ...]) -> bool:
    """Whether two dotted names are the same, usual short forms of what comes before the last name counted: `opt.step`."""
    return own[-1:] == parts[-1:] and len(own) == len(parts) and all(_same_words(*pair) for pair in zip(own, parts, strict=True))


def _same_words(own: Words, wanted: Words) -> bool:
    return "".join(own) == "".join(wanted) or (
        len(own) == len(wanted) and all(same_word(*pair) for pair in zip(own, wanted, strict=True))
    )


def _impostor(wanted: Wanted, mention: Mention, fit: Fit) -> str:
    """The other entity of the same kind that stands under the name, when nothing under it is the wanted one."""
    if wanted.role != "metric" and wanted.is_other_variant(mention.text):
        return mention.text
    if mention.idiom is not None and fit.tier == 0 and _is_more_than(wanted, mention.idiom.name):
        return mention.idiom.name
    if not wanted.siblings or not mention.uses or fit.tier > 1:
        return ""
    if mention.form is Form.CALL and ":" not in mention.target:
        return ""
    if wanted.built_of_siblings and len(mention.uses) > 1:
        return ""
    found = ""
    for use in mention.uses:
        if wanted.known(use):
            return ""
        names = [entity.name for entity in wanted.lexicon.identify(use, use) if entity.name in wanted.siblings]
        found = found or (names[0] if names else "")
    return found


def _is_more_than(wanted: Wanted, idiom: str) -> bool:
    """Whether what is wanted cannot be the plain measure that stands under its name."""
    metrics = [entity for entity in wanted.entities if entity.kind == "metric"]
    return bool(metrics) and all(
        entity.family in _JUDGED or (entity.name in {"MSE", "RMSE", "MAE"} and entity.name != idiom) for entity in metrics
    )


# --- the verdict ------------------------------------------------------------------------------------------------------------


def _judged(check: PresentCheck, candidates: Sequence[Candidate], facts: FactBase, wanted: Wanted) -> Finding:
    live = [candidate for candidate in candidates if not candidate.mention.place.dead and not _only_set(check, candidate)]
    dead = [candidate for candidate in candidates if candidate.mention.place.dead]
    best = min((candidate.fit.tier for candidate in live), default=_WEAK + 1)
    sure = min((candidate.fit.tier for candidate in dead), default=_WEAK + 1)
    if live and not (sure == 0 and best > 1):
        return _of_live(check, [candidate for candidate in live if candidate.fit.tier == best], facts, wanted)
    if dead:
        instead = _instead(dead[0].mention, facts, wanted)
        return _replaced(check, dead[0], *instead) if instead is not None else _unused(check, dead[0])
    return _missing(check, facts, wanted)


def _only_set(check: PresentCheck, candidate: Candidate) -> bool:
    """A metric is computed; a constant under its name shows nothing."""
    return check.role == "metric" and candidate.mention.setting and candidate.mention.stub is None


def _of_live(check: PresentCheck, best: Sequence[Candidate], facts: FactBase, wanted: Wanted) -> Finding:
    real = _first(candidate for candidate in best if candidate.mention.stub is None and not candidate.other)
    own = [candidate for candidate in best if candidate.fit.extra == 0 and candidate.mention.form is not Form.STRING]
    if real is not None and own and all(candidate.mention.stub is not None for candidate in own):
        return _deferred(check, own[0])
    if real is not None:
        off = all(candidate.mention.off for candidate in best)
        message = f"{check.entity}: {real.mention.text}" + (", switched off by default" if off else "")
        return replace(_finding(check, Verdict.ALIGNED, None, real, message), off=off)
    stub = _first(candidate for candidate in best if candidate.mention.stub is not None)
    if stub is not None:
        return _deferred(check, stub)
    other = best[0]
    message = f"{other.mention.text} is {other.other}, not {check.entity}"
    found = _finding(check, Verdict.DRIFTED, Cause.WRONG_ENTITY, other, message, found=other.other)
    return replace(found, location=_standing(other, facts, wanted) or found.location)


def _standing(candidate: Candidate, facts: FactBase, wanted: Wanted) -> Location | None:
    """Where the other entity stands, inside of what bears the name."""
    mention = candidate.mention
    if mention.idiom is not None:
        return mention.idiom.location
    inside = mention.target.rpartition(":")[2].split(".")[0]
    found = [
        other.place.location
        for text in (facts.mentioned if ":" in mention.target else ())
        if any(entity.name == candidate.other for entity in wanted.lexicon.identify(text, text))
        for other in facts.mentions(text)
        if not other.place.dead and other.form in {Form.CALL, Form.STRING, Form.REFERENCE} and inside in other.place.path
    ]
    return min(found, default=None)


def _first(candidates: Iterable[Candidate]) -> Candidate | None:
    return next(iter(candidates), None)


def _deferred(check: PresentCheck, candidate: Candidate) -> Finding:
    stub = candidate.mention.stub
    assert stub is not None
    return Finding(
        kind="present",
        subject=check.entity,
        status=Verdict.DEFERRED,
        cause=Cause.PLACEHOLDER,
        expected=check.entity,
        found=candidate.mention.text,
        location=stub.location,
        message=f"{candidate.mention.text}: {stub.reason}",
        trail=(Step(f"{candidate.mention.text} rests on it", candidate.mention.place.location),),
    )


def _unused(check: PresentCheck, candidate: Candidate) -> Finding:
    message = f"{candidate.mention.text} is there, but {candidate.mention.place.dead}"
    return _finding(check, Verdict.UNUSED, Cause.DEAD_CODE, candidate, message)


def _instead(dead: Mention, facts: FactBase, wanted: Wanted) -> tuple[Mention, str] | None:
    """What live code of the same function calls in the place of the dead thing: another of its kind, with that one's name."""
    if wanted.built_of_siblings or dead.form is not Form.CALL:
        return None
    home = _home(dead)
    for text in facts.mentioned:
        names = [entity.name for entity in wanted.lexicon.identify(text, text) if entity.name in wanted.siblings]
        for mention in facts.mentions(text) if names else ():
            if mention.form is Form.CALL and not mention.place.dead and _home(mention) == home:
                return mention, names[0]
    return None


def _home(mention: Mention) -> tuple[str, ...]:
    """The file and the class or function that a mention stands in."""
    place = mention.place
    return (place.location.file, *place.path[: place.location.file.count("/") + 2])


def _replaced(check: PresentCheck, dead: Candidate, live: Mention, name: str) -> Finding:
    message = f"{live.text} stands in its place; {dead.mention.text} is there, but {dead.mention.place.dead}"
    return _finding(check, Verdict.DRIFTED, Cause.WRONG_ENTITY, Candidate(live, dead.fit), message, found=name)


def _missing(check: PresentCheck, facts: FactBase, wanted: Wanted) -> Finding:
    said = _said(wanted, facts.remarks)
    stub = (
        _beside([remark for remark in said if wanted.spelled_in(_start(remark))], facts)
        if check.role in {"dataset", "metric", "model"}
        else None
    )
    if stub is not None:
        return _stands_in(check, stub)
    remark = said[0] if said else None
    if remark is not None and check.source.origin is Origin.COMPILED and wanted.is_description:
        message = f"no name in the code shows {check.entity}, but text for people speaks of it ({remark.location})"
        return Finding(kind="present", subject=check.entity, status=Verdict.UNDECIDED, expected=check.entity, message=message)
    message = f"no code uses {check.entity}"
    if remark is not None:
        message += f"; only text for people mentions it ({remark.location})"
    return Finding(
        kind="present",
        subject=check.entity,
        status=Verdict.MISSING,
        cause=Cause.MISSING,
        expected=check.entity,
        message=message,
    )


def _said(wanted: Wanted, remarks: Sequence[Remark]) -> list[Remark]:
    """The remarks that name the entity."""
    runs = [run for _, run in wanted.spellings]
    likely = (remark for remark in remarks if any(run in squeezed(remark.text) for run in runs))
    return [remark for remark in likely if wanted.spelled_in(remark.text)]


def _start(remark: Remark) -> str:
    return " ".join(remark.text.split()[:_FIRST_WORDS])


def _beside(said: Sequence[Remark], facts: FactBase) -> Placeholder | None:
    """The live placeholder that a comment on its line, on the line above, or in its function names as the entity."""
    for place, stub in facts.placeholders if said else ():
        if not place.dead and any(_speaks_of(remark, place, stub) for remark in said):
            return stub
    return None


def _speaks_of(remark: Remark, place: Place, stub: Placeholder) -> bool:
    line = remark.location.line
    close = 0 <= stub.location.line - line <= 1 or place.location.line <= line <= stub.location.line
    return close and remark.location.file == stub.location.file


def _stands_in(check: PresentCheck, stub: Placeholder) -> Finding:
    return Finding(
        kind="present",
        subject=check.entity,
        status=Verdict.DEFERRED,
        cause=Cause.PLACEHOLDER,
        expected=check.entity,
        location=stub.location,
        message=f"a placeholder stands in for {check.entity}: {stub.reason}",
    )


def _finding(
    check: PresentCheck, status: Verdict, cause: Cause | None, candidate: Candidate, message: str, found: str = ""
) -> Finding:
    mention = candidate.mention
    return Finding(
        kind="present",
        subject=check.entity,
        status=status,
        cause=cause,
        expected=check.entity,
        found=found or mention.text,
        location=mention.place.location,
        message=message,
        trail=(Step(f"{mention.form}: {mention.text}", mention.place.location),),
    )
