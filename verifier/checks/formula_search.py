"""Where a claimed formula may be computed: the definitions of a repository, ranked by name, and what counts as finding it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from verifier.algebra.align import Binding
from verifier.algebra.code import Code, Shared
from verifier.algebra.difference import Difference, Neighbours, information, similarity
from verifier.algebra.heads import is_known
from verifier.algebra.language import Formula, claimed
from verifier.algebra.matching import Claim, Match, Matcher, lacking, required
from verifier.algebra.terms import Term
from verifier.checks.formula_affinity import Lens, Naming
from verifier.checks.formula_names import closeness, defines, last, names_of, spelled, succeeds
from verifier.lexicon.names import find_window, path_has, words
from verifier.model.expression import Expr, Number, Symbol
from verifier.model.facts import Definition, FactBase

TELLING = 3.5
NAMELESS = 4.0
NEARBY = 12
PROMISING = 0.35
SIMILAR = 0.64


_WORKING = frozenset({"+", "-", "*", "/", "**", "@"})


@dataclass(slots=True)
class Library:
    """The definitions of a repository, ready to be searched by one check after the other."""

    facts: FactBase
    codes: tuple[tuple[Definition, Code], ...]
    matcher: Matcher = field(default_factory=Matcher)


_LAST: list[Library] = []


def library(facts: FactBase) -> Library:
    """The library of a repository; that of the last one asked for is kept."""
    if not _LAST or _LAST[0].facts is not facts:
        shared = Shared()
        _LAST[:] = [Library(facts, tuple((item, Code(item.expr, shared)) for item in facts.definitions))]
    return _LAST[0]


@dataclass(frozen=True, slots=True, eq=False)
class Candidate:
    """A definition that a check may be about.

    Attributes:
        strength: how sure it is by name (see `defines`).
        hints: how many of the symbols with given names have one of them in the code.
        lens: which names of the claim are in the code.
    """

    definition: Definition
    code: Code
    affinity: Callable[[str, Term], int]
    strength: int
    hints: int
    lens: Lens

    @property
    def is_live(self) -> bool:
        """Whether something reaches and reads it."""
        return not self.definition.place.dead and not self.definition.discarded

    @property
    def counts(self) -> bool:
        """Whether it is live and no placeholder."""
        return self.is_live and not self.definition.stub

    @property
    def is_telling(self) -> bool:
        """Whether it computes anything, rather than looking something up or calling something unknown."""
        return _telling(self.code.expr)


def _strength(name: str, defined: Sequence[str], hints: dict[str, tuple[str, ...]]) -> int:
    """How sure it is by name that a definition defines what a formula names; a name that the unit gives for it is sure."""
    if not name:
        return 0
    if any(spelled(hint) == spelled(other) for hint in hints.get(name, ()) for other in defined):
        return 3
    return defines(name, defined)


def _telling(expr: Expr) -> bool:
    if isinstance(expr, Number | Symbol):
        return False
    if expr.head == "named":
        return _telling(expr.args[1])
    if expr.head in ("tuple", "cat"):
        return any(_telling(item) for item in expr.args)
    if expr.head == "index":
        return _telling(expr.args[0])
    return is_known(expr.head) and expr.head != "stopgrad"


@dataclass(frozen=True, slots=True)
class Hit:
    """A candidate that computes the claim."""

    candidate: Candidate
    match: Match
    satisfied: int

    @property
    def rank(self) -> tuple[int, int, int, int]:
        """The larger, the likelier that the claim is about this one."""
        match = self.match
        return self.candidate.strength, self.satisfied, -match.part.context, match.affinity


@dataclass(slots=True)
class Search:
    """One check's search.

    Attributes:
        formula: the claim.
        hints: for a symbol of the claim, the names it may have in code.
        candidates: the definitions in the places that count, those with the claim's name first.
        claim: the claim, ready to be matched.
        narrowed: the places were narrowed by `near`, which speaks for each of them.
        cut_short: the search in an expression much like the claim was cut short.
    """

    formula: Formula
    hints: dict[str, tuple[str, ...]]
    matcher: Matcher
    candidates: list[Candidate]
    claim: Claim
    narrowed: bool
    cut_short: bool = False

    @classmethod
    def of(cls, formula: Formula, hints: dict[str, tuple[str, ...]], near: Sequence[str], facts: FactBase) -> Search:
        """The search for a formula among the definitions whose place has the words of `near`."""
        shelf = library(facts)
        claim = Claim(claimed(formula.rhs, hints))
        spoken = claim.first.symbols | claim.first.heads | {formula.name}
        hints = {f"{name}_" if f"{name}_" in spoken else name: given for name, given in hints.items()}
        hints = {name: given for name, given in hints.items() if name in spoken}
        found: list[Candidate] = []
        affinities: dict[Lens, Callable[[str, Term], int]] = {}
        for definition, code in shelf.codes:
            if near and not path_has((*definition.place.path, *definition.names), near):
                continue
            lens = Lens.of(code, hints, claim.first.symbols)
            strength = _strength(formula.name, definition.names, hints)
            if strength == 1 and lens.shares(claim.first.symbols, alone=len(spelled(formula.name)) == 1):
                strength = 3
            affinity = affinities.get(lens) or affinities.setdefault(lens, Naming(code, hints, lens))
            found.append(Candidate(definition, code, affinity, strength, len(lens.present), lens))
        found.sort(key=lambda item: -item.strength)
        return cls(formula, hints, shelf.matcher, found, claim, bool(near))

    def hits(self, claim: Claim) -> Iterator[Hit]:
        """The candidates that compute a claim beyond chance, in order."""
        speaking = min(2, max((item.hints for item in self.candidates if item.counts), default=0))
        decided = False
        telling = max(information(claim.term(form)) for form in (*claim.plain, *claim.deep)) >= NAMELESS
        for item in self.candidates:
            if decided and item.strength < 3:
                return  # a definition with the claim's own name has decided
            if not telling and self._is_silent(item, claim):
                continue  # whatever matched could not tell enough
            decided |= item.strength == 3 and item.counts and item.is_telling and not self.hints
            match = self.matcher.find(claim, item.code, item.affinity, forms=claim.plain, lens=item.lens)
            if match is None and not lacking(claim.term(claim.deep[0]), item.code.potential) and self.is_promising(item, claim):
                match = self.matcher.find(claim, item.code, item.affinity, forms=claim.deep, lens=item.lens)
            if match is None:
                self.cut_short |= claim.exhausted and self.alike(item, claim) >= SIMILAR
                claim.exhausted = False
                continue
            hit = Hit(item, match, self.satisfied(match.binding, item))
            if self.beyond_chance(claim, hit) and (hit.satisfied >= speaking or item.strength >= 2):
                decided |= item.strength == 3 and item.counts
                yield hit

    def _is_silent(self, item: Candidate, claim: Claim) -> bool:
        """Whether no name of a candidate goes with any name of the claim, however loosely."""
        if item.strength or item.hints or self.narrowed:
            return False
        defined = item.definition.names
        head = words(claim.first.head)
        if any(closeness(self.formula.name, name) or find_window(last(name), head) >= 0 for name in defined):
            return False
        return not any(closeness(symbol, name) for symbol in claim.first.symbols for name in item.code.all_names)

    def satisfied(self, binding: Binding, item: Candidate) -> int:
        """How many of the symbols with given names stand for something of such a name."""
        found = [(name.removesuffix("()"), term) for name, term in binding.values.items()]
        return sum(item.affinity(name, term) >= 3 for name, term in found if name in self.hints)

    def beyond_chance(self, claim: Claim, hit: Hit) -> bool:
        """Whether a match tells enough: by what the claim computes, by name, or by the names of its symbols."""
        if hit.candidate.strength >= 2:
            return not hit.match.part.altered and not (hit.match.partial and hit.candidate.strength == 3)
        names = 0.75 * hit.match.affinity + hit.candidate.strength + self.narrowed
        numbers = sum(term.head == "num" and name not in self.hints for name, term in hit.match.binding.values.items())
        names += 2 * any(find_window(last(name), words(claim.first.head)) >= 0 for name in hit.candidate.definition.names)
        told = information(claim.term(hit.match.form)) - 1.5 * numbers + self._recurrence(hit)
        if told >= 0.5 and self._all_named(claim, hit):
            return True
        if told >= 0.5 and self._defined_alike(hit):
            return True
        return told + names >= (TELLING if names else NAMELESS)

    def _defined_alike(self, hit: Hit) -> bool:
        """Whether what is defined, and everything it is made of, has a name that goes with the claim's."""
        defined = hit.candidate.definition.names
        if not any(closeness(self.formula.name, name) for name in defined) or hit.match.part.altered:
            return False
        values = hit.match.binding.values
        return len(values) > 1 and all(hit.candidate.affinity(name.removesuffix("()"), term) > 0 for name, term in values.items())

    def _all_named(self, claim: Claim, hit: Hit) -> bool:
        """Whether code has the claim's own names, or those that the unit gives, for all that the claim speaks of."""
        values = hit.match.binding.values
        if not claim.first.symbols <= values.keys() or len(values) < 2:
            return False
        item = hit.candidate
        return all(
            item.affinity(name.removesuffix("()"), term) >= 2
            or (not hit.match.part.altered and spelled(name) in map(spelled, names_of(term, item.code)))
            for name, term in values.items()
        )

    def _recurrence(self, hit: Hit) -> float:
        """An update such as `x = a*x + b` must update what it reads."""
        name = self.formula.name
        stands_for = hit.match.binding.values.get(name) if name else None
        if stands_for is None:
            return 0.0
        own = names_of(stands_for, hit.candidate.code)
        return (
            1.0
            if any(closeness(one, other) or succeeds(one, other) for one in own for other in hit.candidate.definition.names)
            else -1.5
        )

    def differences(self, candidates: Sequence[Candidate], *, sure: bool) -> Iterator[tuple[Candidate, Difference]]:
        """The candidates that compute the claim with a single edit.

        Args:
            candidates: where to look.
            sure: they have the claim's name, so that any edit counts; else an edited claim must be found beyond chance.
        """
        told = information(self.claim.first)
        neighbours = Neighbours.of(self.claim.expr)
        for item in candidates:
            found = neighbours.nearest(
                self.matcher, item.code, item.affinity, lens=item.lens, roots=True, least=max(0.5, 0.2 * told)
            )
            if found is None:
                continue
            if sure or self._is_version(item, found):
                yield item, found

    def _is_version(self, item: Candidate, found: Difference) -> bool:
        """Whether an edited claim that was found is another version of the claim, rather than something unrelated."""
        satisfied = self.satisfied(found.match.binding, item)
        hit = Hit(item, found.match, satisfied)
        evidence = found.info + 0.75 * found.match.affinity + item.strength + self._recurrence(hit) + self.narrowed
        return evidence >= TELLING and bool(
            satisfied or self.narrowed or item.strength or found.match.affinity >= 2 or found.info >= 6
        )

    def nearby(self) -> list[Candidate]:
        """Live candidates that may compute another version of the claim, the likeliest first."""
        usable = [item for item in self.candidates if item.is_live and not item.definition.stub]
        usable = [item for item in usable if item.is_telling or (item.hints and item.code.heads & _WORKING)]
        if self.hints and any(item.hints for item in usable):
            usable = [item for item in usable if item.hints]
        needed = required(self.claim.first)
        usable = [item for item in usable if item.strength or item.hints or not needed or needed & item.code.potential]
        if information(self.claim.first) < 6:
            usable = [item for item in usable if self.spoken_for(item)]
        scored = [(self.likeness(item) + 0.2 * item.hints + 0.2 * item.strength, -at, item) for at, item in enumerate(usable)]
        scored.sort(key=lambda entry: entry[:2], reverse=True)
        return [item for score, _, item in scored[:NEARBY] if score > 0.3 or item.hints or self.narrowed]

    def likeness(self, item: Candidate) -> float:
        """How much of the claim's structure the whole of a candidate has."""
        return self.alike(item, self.claim)

    def alike(self, item: Candidate, claim: Claim) -> float:
        """How much of a claim's structure the whole of a candidate has."""
        return similarity(claim.first, item.code.view(claim.plain[0]).root, item.affinity)

    def is_promising(self, item: Candidate, claim: Claim) -> bool:
        """Whether it is worth writing everything out to compare a candidate with a claim."""
        if self.spoken_for(item) or self.alike(item, claim) >= PROMISING:
            return True
        return "erf" in claim.term(claim.deep[0]).heads & item.code.heads

    def lookalike(self, candidates: Sequence[Candidate]) -> Candidate | None:
        """The candidate most like the claim, if it is alike enough and a name speaks for it."""
        if information(self.claim.first) < 2:
            return None
        scored = [(self.likeness(item), item) for item in candidates if self.speaks_of(item)]
        alike = [(score, item) for score, item in scored if score >= (SIMILAR / 2 if self._is_meant(item) else SIMILAR)]
        best = max(alike, key=lambda entry: (entry[1].strength >= 2, entry[0]), default=None)
        return best[1] if best else None

    def _is_meant(self, item: Candidate) -> bool:
        """Whether a candidate has the claim's name, or a name for each of several symbols with given names."""
        return item.strength >= 2 or (len(self.hints) > 1 and item.hints == len(self.hints))

    def speaks_of(self, item: Candidate) -> bool:
        """Whether names of the candidate say that it is about the claim: what it defines, or at least two of the symbols in it."""
        if item.strength or item.hints or self.narrowed:
            return True
        return sum(len(symbol) > 1 for symbol in item.lens.owned) >= 2

    def spoken_for(self, item: Candidate) -> bool:
        """Whether a name of the candidate is one of the claim: what it defines, or a symbol in it."""
        if item.strength or item.hints or self.narrowed:
            return True
        return any(closeness(symbol, name) >= 2 for symbol in self.claim.first.symbols for name in item.code.all_names)
