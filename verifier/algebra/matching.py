"""Matching: does an expression of code compute a claimed formula, whatever its symbols are called?

The claim is aligned with each part of the code's expression in several variants of the normal form; a proposed alignment counts when
the claim, with its symbols replaced, equals the part. What a claim leaves out is left out on both sides: `stopgrad`, and the averages
over a batch.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field

from verifier.algebra.align import Affinity, Aligner, Binding, is_known_term
from verifier.algebra.code import Code, Context, Part, View
from verifier.algebra.evaluate import Evaluator
from verifier.algebra.guards import has_epsilon
from verifier.algebra.heads import CONSTANTS, REDUCTIONS
from verifier.algebra.kept import kept
from verifier.algebra.normal import Form, Normalizer, substituted
from verifier.algebra.terms import Term, factors_of, split, sym
from verifier.model.expression import Apply, Expr

PROPOSALS = 160
BUDGET = 2000
_AROUND = frozenset({"+", "*", "**", "@", "index"})
_MEANS = frozenset({"mean", "sum", "E"})
_FAMILIES = (frozenset({"log", "exp"}), frozenset({"min", "max", "where", "<", "abs"}))
_REPLACEABLE = frozenset().union(*_FAMILIES)


@dataclass(frozen=True, slots=True)
class Match:
    """Where and how code computes a claim.

    Attributes:
        part: the part of the code's expression that is equal to it.
        binding: what its symbols stand for.
        form: the variant of the normal form in which they are equal.
        affinity: how well the names of its symbols fit.
        partial: other factors stand beside it in the same product.
    """

    part: Part
    binding: Binding
    form: Form
    affinity: int
    partial: bool = False


@dataclass(slots=True)
class Claim:
    """A claimed expression, ready to be matched.

    Attributes:
        expr: the expression.
        exhausted: set when a search was cut short, so that no match is no proof that there is none.
        failed: keys of a form of the claim and of a part of code that is not it, with what tells the affinity from others.
        plain: the forms to try on any code.
        deep: the forms in which everything is written out, to try on code that is somewhat alike.
    """

    expr: Expr
    terms: dict[Form, Term] = field(default_factory=dict)
    exhausted: bool = False
    failed: set[tuple[int, int, Hashable]] = field(default_factory=set)
    plain: tuple[Form, ...] = ()
    deep: tuple[Form, ...] = ()

    @property
    def forms(self) -> tuple[Form, ...]:
        """All variants of the normal form to try."""
        return self.plain + self.deep

    @property
    def first(self) -> Term:
        """The claim in the first form."""
        return self.term(self.plain[0])

    def __post_init__(self) -> None:
        heads = heads_of(self.expr)
        gradients = "stopgrad" in heads
        reductions = (True,) if heads & (REDUCTIONS - {"min", "max"}) else (True, False)
        plain = [Form(constants=c, gradients=gradients, reductions=r) for r in reductions for c in (False, True)]
        loose = [] if has_epsilon(self.expr) else [Form(gradients=gradients, reductions=r, guards=False) for r in reductions]
        deep = [
            Form(constants=c, gradients=gradients, reductions=r, elementary=True, expanded=True)
            for r in reductions
            for c in (False, True)
        ]
        inward = (
            [Form(constants=c, gradients=gradients, inward=True) for c in (False, True)]
            if heads & _MEANS and "*" in heads
            else []
        )
        self.plain, self.deep = tuple(plain + inward + loose), tuple(deep)

    def term(self, form: Form) -> Term:
        """The claim in a form, with its own guards and without names of constants, for it has none."""
        found = self.terms.get(form)
        if found is None:
            own = form._replace(guards=True, constants=True, shallow=False, kept=frozenset())
            found = self.terms[own] = self.terms.get(own) or Normalizer(own)(self.expr)
            self.terms[form] = found
        return found


def heads_of(expr: Expr) -> frozenset[str]:
    """The heads in an expression."""
    if not isinstance(expr, Apply):
        return frozenset()
    return frozenset({expr.head}).union(*(heads_of(item) for item in expr.args))


@dataclass(slots=True)
class Matcher:
    """Finds claims in code; keeps the values it has computed.

    Attributes:
        evaluator: decides equality.
    """

    evaluator: Evaluator = field(default_factory=Evaluator)

    def find(
        self,
        claim: Claim,
        code: Code,
        affinity: Affinity,
        *,
        roots: bool = False,
        forms: tuple[Form, ...] | None = None,
        lens: Hashable = None,
    ) -> Match | None:
        """The best match of the claim in the code; None when there is none.

        Args:
            claim: what is looked for.
            code: where.
            affinity: how well a symbol of the claim goes with a term of this code; negative when it must not stand for it.
            roots: only matches of the whole expression count, means around it aside.
            forms: the variants to try; all when left out.
            lens: what tells this affinity from others that are asked with the same claim, if anything does.
        """
        best: Match | None = None
        tried: set[tuple[int, int]] = set()
        kept: dict[frozenset[str], frozenset[str]] = {}
        for form in claim.forms if forms is None else forms:
            pattern = claim.term(form)
            needed = required(pattern)
            if _lacks(needed, code.potential) or (form.elementary and not self._worth(claim, code, form)):
                continue
            if pattern.symbols not in kept:
                kept[pattern.symbols] = _kept(pattern, code, affinity)
            for variant in _variants(form, kept[pattern.symbols], code, roots):
                view = code.view(variant)
                if _lacks(needed, view.root.heads) or (pattern.key, view.root.key) in tried:
                    continue
                tried.add((pattern.key, view.root.key))
                for match in self._in_view(claim, pattern, view, affinity, variant, roots, lens):
                    if best is None or _quality(match) > _quality(best):
                        best = match
            if best is not None:
                return best
        return best

    def _worth(self, claim: Claim, code: Code, form: Form) -> bool:
        """Whether the expanded form can tell more than the plain one."""
        plain = Form(constants=form.constants, gradients=form.gradients, reductions=form.reductions)
        return claim.term(form).key != claim.term(plain).key or code.view(form).root.key != code.view(plain).root.key

    def _in_view(
        self, claim: Claim, pattern: Term, view: View, affinity: Affinity, form: Form, roots: bool, lens: Hashable
    ) -> Iterator[Match]:
        needed, least = required(pattern), 2 * pattern.size
        for part in view.parts:
            if 3 * part.term.size < least or part.context is Context.VARIED or (roots and part.context > Context.AVERAGED):
                continue
            if _lacks(needed, part.term.heads) or (pattern.key, part.term.key, lens) in claim.failed:
                continue
            if _comparable(pattern, part.term):
                match = self._at(claim, pattern, part, view, affinity, form)
            else:
                match = self._by_names(pattern, part, view, affinity, form)
            if match is not None:
                yield match
            else:
                claim.failed.add((pattern.key, part.term.key, lens))

    def _at(self, claim: Claim, pattern: Term, part: Part, view: View, affinity: Affinity, form: Form) -> Match | None:
        aligner = Aligner(affinity, _once(pattern), self._same, view.whole, view.normalizer.names, BUDGET)
        best: Match | None = None
        tried: set[int] = set()
        count = 0
        for count, binding in enumerate(aligner.align(pattern, part.term, Binding())):
            if count >= PROPOSALS:
                break
            if not binding.covers(pattern):
                continue
            score = sum(affinity(name.removesuffix("()"), term) for name, term in binding.values.items())
            if (best is not None and score <= best.affinity) or self._refuted(pattern, binding, part.term):
                continue
            found = substituted(pattern, dict(binding.values), view.normalizer.build, dict(binding.opaque))
            if found.key in tried:
                continue
            if self._equal(found, part.term):
                best = Match(part, binding, form, score)
            elif part.term.head == "*" and _inside(found, part.term):
                best = Match(part, binding, form, score, partial=True)
            else:
                tried.add(found.key)
        if best is None:
            best = self._by_names(pattern, part, view, affinity, form)
        if best is None and (aligner.budget < 0 or count >= PROPOSALS) and part.context <= Context.AVERAGED:
            claim.exhausted = True
        return best

    def _by_names(self, pattern: Term, part: Part, view: View, affinity: Affinity, form: Form) -> Match | None:
        """The match in which every symbol stands for what has its name, whatever the structures are."""
        values: dict[str, Term] = {}
        score = 0
        if not pattern.symbols or part.context > Context.AVERAGED or any(not is_known_term(head) for head in pattern.heads):
            return None
        for symbol in sorted(pattern.symbols - CONSTANTS):
            fits = sorted([(affinity(symbol, term), term.key, term) for term in view.labelled], key=lambda fit: fit[:2])
            if not fits or fits[-1][0] < 1 or (len(fits) > 1 and fits[-2][0] == fits[-1][0]):
                return None
            values[symbol] = fits[-1][2]
            score += fits[-1][0]
        if len({term.key for term in values.values()}) < len(values):
            return None
        binding = Binding(values)
        if self.evaluator.refuted(pattern, values, {}, part.term, frozenset()) and not outside(pattern):
            return None
        found = substituted(pattern, values, view.normalizer.build, {})
        return Match(part, binding, form, score) if self._equal(found, part.term) else None

    def _same(self, left: Term, right: Term) -> bool:
        return left.key == right.key or (left.symbols == right.symbols and self.evaluator.equal(left, right) is True)

    def _refuted(self, pattern: Term, binding: Binding, term: Term) -> bool:
        """Whether a proposal is surely wrong, told at one point before the replaced claim is made."""
        if not self.evaluator.refuted(pattern, binding.values, binding.opaque, term, frozenset()):
            return False
        if term.head == "*" and len(term.args) > (len(pattern.args) if pattern.head == "*" else 1):
            return False
        around = outside(pattern)
        if not around:
            return not outside(term) or self.evaluator.refuted(pattern, binding.values, binding.opaque, term, outside(term))
        bound = frozenset().union(*(binding.values[name].symbols for name in around if name in binding.values))
        return self.evaluator.refuted(pattern, binding.values, binding.opaque, term, bound | outside(term))

    def _equal(self, left: Term, right: Term) -> bool:
        if left.symbols != right.symbols and not left.symbols & right.symbols:
            return left.key == right.key
        if self.evaluator.equal(left, right):
            return True
        scalars = outside(left) | outside(right)
        return bool(scalars) and self.evaluator.equal(left, right, scalars) is True


def _kept(pattern: Term, code: Code, affinity: Affinity) -> frozenset[str]:
    """The names in code that the claim speaks of."""
    return frozenset([name for name in code.labels if any(affinity(symbol, sym(name)) > 0 for symbol in pattern.symbols)])


def _variants(form: Form, kept: frozenset[str], code: Code, roots: bool) -> Iterator[Form]:
    """The form with everything substituted, with the names that the claim speaks of kept, and as the statement is written."""
    if form.constants and kept:
        form = form._replace(kept=kept & (code.constants if form.guards else code.sizable))
    yield form
    if not code.inner or form.elementary or not form.guards:
        return
    if kept & code.inner:
        yield form._replace(kept=form.kept | kept & code.inner)
    if not roots:
        yield form._replace(shallow=True)


@kept(16384)
def required(pattern: Term) -> frozenset[str]:
    """The functions that code must hold to compute the pattern."""
    return frozenset(head for head in pattern.heads if is_known_term(head) and head not in _AROUND)


def lacking(pattern: Term, heads: frozenset[str]) -> bool:
    """Whether code with these functions cannot compute the pattern: a logarithm may meet an exponential, a condition choose a maximum."""
    return _lacks(required(pattern), heads)


def _lacks(needed: frozenset[str], heads: frozenset[str]) -> bool:
    if needed <= heads:
        return False
    missing = needed - heads
    return any(missing & family and not heads & family for family in _FAMILIES) or not missing <= _REPLACEABLE


@kept(4096)
def _once(pattern: Term) -> frozenset[str]:
    """The symbols that stand in the pattern once only."""
    counts = Counter(item.name for item in pattern.walk() if item.head == "sym")
    return frozenset(name for name, count in counts.items() if count == 1 and name not in CONSTANTS)


@kept(16384)
def outside(term: Term) -> frozenset[str]:
    """The symbols that stand only outside of the reductions of a term: they are single numbers."""
    inside: set[str] = set()
    around: set[str] = set()

    def visit(item: Term, reduced: bool) -> None:
        if item.head == "sym":
            (inside if reduced else around).add(item.name)
        for inner in item.args:
            visit(inner, reduced or item.head in _MEANS)

    if not term.heads & _MEANS:
        return frozenset()
    visit(term, reduced=False)
    return frozenset(around - inside)


def _comparable(pattern: Term, term: Term) -> bool:
    if pattern.head == term.head or not is_known_term(pattern.head):
        return True
    if pattern.head == "**":
        return term.head in ("*", "exp")
    if pattern.head == "@":
        return not is_known_term(term.head) or term.head == "*"
    return term.head == "*" and pattern.head not in ("+", "*")


def _inside(found: Term, term: Term) -> bool:
    """Whether all factors of `found` are among those of `term`, with the same number in front."""
    own, rest = split(found)
    theirs, other = split(term)
    factors = list(factors_of(other))
    inner = factors_of(rest)
    left = [item for item in factors if item not in inner]
    return (
        own == theirs
        and len(inner) + len(left) == len(factors)
        and bool(left)
        and all(item.symbols and not item.symbols & found.symbols and not _below(item) for item in left)
    )


def _below(item: Term) -> bool:
    return item.head == "**" and item.args[1].head == "num" and item.args[1].value < 0


def _quality(match: Match) -> tuple[bool, int, int]:
    return (not match.partial, match.affinity, -match.part.context)
