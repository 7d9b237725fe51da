"""The check kinds `formula` and `latex`: live code computes the expression, up to algebra and naming.

Definitions that have the name on the formula's left-hand side decide; without such a name every definition counts in which the
expression is found beyond chance. When nothing is found, the nearest computation under the same names gives the difference.
"""

from __future__ import annotations

from collections.abc import Iterable

from verifier.algebra.difference import written
from verifier.algebra.language import Formula, parse
from verifier.algebra.latex import parse_latex
from verifier.algebra.matching import Claim
from verifier.algebra.printing import to_text
from verifier.algebra.readings import readings
from verifier.checks.formula_names import defines
from verifier.checks.formula_search import Candidate, Hit, Search
from verifier.lexicon.names import path_has
from verifier.model.check import FormulaCheck, Origin
from verifier.model.facts import FactBase, Placeholder
from verifier.model.finding import Finding, Step
from verifier.model.location import Location
from verifier.model.verdict import Cause, Verdict


def read_formula(check: FormulaCheck) -> Formula:
    """The claimed formula of a check. Raises FormulaError when it is not understood."""
    return parse_latex(check.text) if check.notation == "latex" else parse(check.text)


def read_cited(check: FormulaCheck) -> Formula | None:
    """The formula of the cited method, if the check gives one; in the check's notation, or in the formula language."""
    if check.instead_of is None:
        return None
    return parse_latex(check.instead_of) if check.notation == "latex" and "\\" in check.instead_of else parse(check.instead_of)


def check_formula(check: FormulaCheck, facts: FactBase, lexicon: object = None) -> Finding:
    """Judge whether live code computes a formula.

    Args:
        check: the formula, the names of its symbols, and where to look.
        facts: what the code does.
        lexicon: not needed: names in formulas have their own table.

    Raises:
        FormulaError: the formula is not understood.
    """
    del lexicon
    formula = read_formula(check)
    search = Search.of(formula, dict(check.symbols), check.near, facts)
    report = _Report(check, formula, search)
    return (
        report.aligned()
        or report.cited(read_cited(check))
        or report.wrong_by_name()
        or report.deferred(facts)
        or report.wrong_by_shape()
        or report.unused()
        or report.nothing()
    )


class _Report:
    """Tries one verdict after the other; each method gives its finding, or None when the verdict does not hold."""

    def __init__(self, check: FormulaCheck, formula: Formula, search: Search) -> None:
        self.check, self.formula, self.search = check, formula, search
        self.claim = search.claim
        self.hits = list(search.hits(self.claim))
        for other in readings(formula.rhs) if not any(hit.candidate.counts for hit in self.hits) else ():
            self.hits += search.hits(Claim(other))
        named = [item for item in search.candidates if item.strength == 3 and item.is_telling]
        self.decisive = [item for item in named if item.counts]

    def aligned(self) -> Finding | None:
        """A live definition computes it: one with the formula's name where there is one."""
        live = [hit for hit in self.hits if hit.candidate.counts]
        if self.decisive:
            live = [hit for hit in live if hit.candidate.strength >= 2 or self._all_hinted(hit)]
        best = max(live, key=lambda hit: hit.rank, default=None)
        if best is None:
            return None
        found = written(best.candidate.code, best.match)
        return self._finding(Verdict.ALIGNED, None, best.candidate, found, f"{_place(best.candidate)} computes it")

    def _all_hinted(self, hit: Hit) -> bool:
        """Whether every symbol stands for something of a name that the unit gives for it."""
        return bool(self.search.hints) and hit.satisfied == len(self.search.claim.first.symbols)

    def cited(self, cited: Formula | None) -> Finding | None:
        """The cited method stands in its place."""
        if cited is None:
            return None
        claim = Claim(cited.rhs)
        live = [hit for hit in self.search.hits(claim) if hit.candidate.counts]
        best = max(live, key=lambda hit: hit.rank, default=None)
        if best is None:
            return None
        found = written(best.candidate.code, best.match)
        message = f"{_place(best.candidate)} computes the cited method {to_text(cited.rhs)} in its place"
        return self._finding(Verdict.DRIFTED, Cause.CITED_METHOD, best.candidate, found, message)

    def wrong_by_name(self) -> Finding | None:
        """A live definition has the formula's name and computes something else."""
        if not self.decisive:
            return None
        for item, difference in self.search.differences(self.decisive, sure=True):
            message = f"{_place(item)} computes it differently: {difference.words}"
            return self._finding(Verdict.DRIFTED, Cause.WRONG_FORMULA, item, difference.found, message)
        best = max(self.decisive, key=self.search.likeness)
        message = f"{_place(best)} computes something else under this name"
        if self.search.cut_short:
            message += " (the search for another reading was cut short)"
        return self._other(best, message)

    def deferred(self, facts: FactBase) -> Finding | None:
        """What has the formula's name, or computes it, rests on a placeholder."""
        stubs = [item for item in self.search.candidates if item.definition.stub and item.strength >= 2]
        stubs += [hit.candidate for hit in self.hits if hit.candidate.definition.stub]
        for item in sorted(stubs, key=lambda item: (not item.is_live, -item.strength)):
            assert item.definition.stub is not None
            return self._deferred(item.definition.stub, _place(item))
        for place, stub in facts.placeholders:
            if self.formula.name and place.path and path_has(place.path, self.check.near):
                if defines(self.formula.name, place.path[-1:]) >= 2:
                    return self._deferred(stub, place.path[-1])
        return None

    def _deferred(self, stub: Placeholder, name: str) -> Finding:
        message = f"{name} is a placeholder: {stub.reason}"
        return self._made(Verdict.DEFERRED, Cause.PLACEHOLDER, stub.location, stub.reason, message)

    def wrong_by_shape(self) -> Finding | None:
        """A live definition without the name computes it but for one thing, or is much alike under the names of its symbols."""
        nearby = self.search.nearby()
        found = list(self.search.differences(nearby, sure=False))
        if found:
            item, difference = max(found, key=lambda one: (one[0].hints, one[1].match.affinity, one[1].info))
            message = f"{_place(item)} computes it differently: {difference.words}"
            return self._finding(Verdict.DRIFTED, Cause.WRONG_FORMULA, item, difference.found, message)
        item_alike = self.search.lookalike(nearby)
        if item_alike is None:
            return None
        return self._other(item_alike, f"{_place(item_alike)} computes something alike, but not it")

    def _other(self, item: Candidate, message: str) -> Finding:
        """Another expression of which no single difference can be told: it may be what a claim's text says in another form."""
        if self.check.source.origin is Origin.COMPILED:
            return self._made(Verdict.UNDECIDED, None, None, None, f"{message}, as far as can be told")
        return self._finding(Verdict.DRIFTED, Cause.WRONG_FORMULA, item, written(item.code, None), message)

    def unused(self) -> Finding | None:
        """It is computed only where nothing reaches or reads it."""
        dead = [hit for hit in self.hits if not hit.candidate.is_live and not hit.candidate.definition.stub]
        best = max(dead, key=lambda hit: hit.rank, default=None)
        if best is not None:
            found = written(best.candidate.code, best.match)
            return self._unused(best.candidate, found, "computes it, but")
        named = [item for item in self.search.candidates if item.strength == 3 and item.is_telling and not item.is_live]
        for item in named:
            return self._unused(item, written(item.code, None), "has this name, but")
        return None

    def _unused(self, item: Candidate, found: str, words: str) -> Finding:
        why = item.definition.place.dead or item.definition.discarded
        return self._finding(Verdict.UNUSED, Cause.DEAD_CODE, item, found, f"{_place(item)} {words} it is dead: {why}")

    def nothing(self) -> Finding:
        """Nothing computes it: missing; undecided when a search was cut short."""
        if self.search.cut_short:
            message = "the expressions of the code are too large to be compared in full, and none was found equal"
            return self._made(Verdict.UNDECIDED, None, None, None, message)
        name = f" and nothing is named {self.formula.name}" if self.formula.name else ""
        return self._made(Verdict.MISSING, Cause.MISSING, None, None, f"no code computes it{name}")

    def _finding(self, verdict: Verdict, cause: Cause | None, item: Candidate, found: str, message: str) -> Finding:
        trail = (Step(_place(item), item.definition.place.location),)
        return self._made(verdict, cause, item.definition.place.location, found, message, trail)

    def _made(
        self,
        verdict: Verdict,
        cause: Cause | None,
        location: Location | None,
        found: str | None,
        message: str,
        trail: Iterable[Step] = (),
    ) -> Finding:
        formula = self.formula
        left = f"{to_text(formula.lhs)} = " if formula.lhs is not None else ""
        return Finding(
            kind=self.check.kind,
            subject=formula.name or self.check.text,
            status=verdict,
            cause=cause,
            expected=f"{left}{to_text(formula.rhs)}",
            found=found,
            location=location,
            message=message,
            origin=self.check.source.origin.value,
            words=self.check.source.words,
            trail=tuple(trail),
        )


def _place(item: Candidate) -> str:
    """What a candidate is called in messages."""
    return item.definition.names[0] if item.definition.names else str(item.definition.place.location)
