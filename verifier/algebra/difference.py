"""The difference in words: when code does not compute a claim, what it computes in its place, in the claim's own symbols."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

from verifier.algebra.align import Affinity
from verifier.algebra.code import Code
from verifier.algebra.edits import ADDED, ANY_NUMBER, EXTRA, Edit, edits
from verifier.algebra.kept import kept
from verifier.algebra.matching import Claim, Match, Matcher
from verifier.algebra.printing import to_text
from verifier.algebra.terms import Term, split, to_expr
from verifier.model.expression import Apply, Expr, Symbol

UNWRAPPED = 0.8
NAMED = 0.75
CONVINCING = 3.5
WILD = {ANY_NUMBER: 0.5, EXTRA: 2.0, ADDED: 3.0}


@dataclass(frozen=True, slots=True)
class Difference:
    """What code computes in the place of a claim.

    Attributes:
        words: the difference, in words.
        found: what the code computes, with the claim's symbols where they are known.
        match: how the code computes the edited claim.
        info: how much the edited claim tells.
    """

    words: str
    found: str
    match: Match
    info: float


@dataclass(slots=True)
class Neighbours:
    """A claim's single edits, made once and tried on as many expressions as needed."""

    claims: tuple[tuple[Edit, Claim], ...]

    @classmethod
    def of(cls, expr: Expr) -> Neighbours:
        """The single edits of a claimed expression."""
        whole = Claim(expr).first.key
        pairs = [(edit, Claim(edit.expr)) for edit in edits(expr)]
        return cls(tuple([(edit, claim) for edit, claim in pairs if claim.first.key != whole]))

    def nearest(
        self, matcher: Matcher, code: Code, affinity: Affinity, *, roots: bool, least: float, lens: Hashable = None
    ) -> Difference | None:
        """The first edit with which the code computes the claim; None when no single edit will do.

        Args:
            matcher: finds the edited claims.
            code: where.
            affinity: how well a symbol of the claim goes with a term of this code.
            roots: only the whole expression counts.
            least: how much an edited claim must tell.
            lens: what tells this affinity from others, if anything does.
        """

        def guarded(name: str, term: Term) -> int:
            if name == ANY_NUMBER:
                return 0 if term.head == "num" else -1
            if name == ADDED:
                return -1 if term.head == "num" and term.value == 0 else 0
            if name == EXTRA:
                return -1 if term.head == "num" and term.value == 1 else 0
            return affinity(name, term)

        best: Difference | None = None
        score = 0.0
        for edit, claim in self.claims:
            told = information(claim.first)
            if told < least or (score > CONVINCING and WILD.keys() & claim.first.symbols):
                continue
            match = matcher.find(claim, code, guarded, roots=roots, forms=claim.plain, lens=lens)
            if match is None or match.partial:
                continue
            worth = told + NAMED * match.affinity - sum(cost for name, cost in WILD.items() if name in match.binding.values)
            if best is None or worth > score:
                score = worth
                best = Difference(_filled(edit.words, match), written(code, match), match, information(claim.term(match.form)))
        return best


def _filled(words: str, match: Match) -> str:
    for name in WILD:
        if f"{{{name}}}" in words:
            term = match.binding.values.get(name)
            words = words.replace(f"{{{name}}}", to_text(to_expr(term)) if term is not None else "something")
    return words


def written(code: Code, match: Match | None) -> str:
    """What code computes, as lifted, with the claim's symbols in the place of what they stand for."""
    if match is None:
        return to_text(code.expr)
    view = code.view(match.form)
    back: dict[int, str] = {}
    for name, term in match.binding.values.items():
        if name not in WILD and not name.endswith("()") and term.head != "num":
            back.setdefault(term.key, name)
    heads = {term.name: name.removesuffix("()") for name, term in match.binding.values.items() if name.endswith("()")}

    def rename(expr: Expr, depth: int) -> Expr:
        found = back.get(view.normalizer(expr).key)
        if found is not None:
            return Symbol(found)
        if not isinstance(expr, Apply) or depth > 40:
            return expr
        if expr.head == "named":
            return rename(expr.args[1], depth + 1)
        if expr.head == "index":
            return Apply("index", (rename(expr.args[0], depth + 1), *expr.args[1:]))
        return Apply(heads.get(expr.head, expr.head), tuple(rename(item, depth + 1) for item in expr.args))

    return to_text(rename(match.part.expr, 0))


_TELLING = {"+": 0.5, "*": 0.5, "**": 0.5, "@": 1.0, "neg": 0.0, "index": 0.5}


@kept(16384)
def information(term: Term) -> float:
    """How much a claim tells: how unlikely it is that unrelated code computes it by chance.

    A function counts 2, a number or a repeated symbol more than an operator.
    """
    seen: dict[str, int] = {}
    total = 0.0
    for item in term.walk():
        if item.head == "sym":
            seen[item.name] = seen.get(item.name, 0) + 1
        elif item.head == "num":
            total += 0.0 if abs(item.value) == 1 and item is not term else 1.0
        elif item.head == "+" and item.args[0].head == "num":
            total += 1.0
        elif item.head not in _TELLING:
            known = item.head in _FUNCTIONS
            total += 2.0 if known else 0.5
        else:
            total += _TELLING[item.head]
    return total + sum(1.0 for count in seen.values() if count > 1)


_FUNCTIONS = frozenset(
    "exp log abs sign floor ceil round sin cos tan sinh cosh tanh asin acos atan erf sigmoid gelu softmax logsumexp sum mean prod cumsum "
    "cumprod min max amin amax transpose inverse trace det argmax argmin topk grad stopgrad KL where < == != mod".split()
)


_KIN = (frozenset({"min", "max"}), frozenset({"sum", "mean", "amax", "amin", "prod"}))


def similarity(claim: Term, code: Term, affinity: Affinity) -> float:
    """How much of a claim's structure is met by a term of code, from 0 to 1, each symbol standing for anything."""
    claim, code = split(claim)[1], split(code)[1]
    best = _ratio(claim, code, affinity)
    for item in claim.args if claim.head != code.head else ():
        best = max(best, UNWRAPPED * _ratio(item, code, affinity))
    for item in code.args if claim.head != code.head else ():
        best = max(best, UNWRAPPED * _ratio(claim, item, affinity))
    return best


def _ratio(claim: Term, code: Term, affinity: Affinity) -> float:
    met, size = _overlap(claim, code, affinity, 0)
    return 2 * met / (claim.size + size)


def _overlap(p: Term, c: Term, affinity: Affinity, depth: int) -> tuple[float, int]:
    """How many nodes of the claim are met, and how many nodes the code has, what a symbol stands for counted as one."""
    if p.head == "sym":
        fit = affinity(p.name, c)
        return (0.0 if fit < 0 else 1.0 if fit or c.head in ("sym", "index") else 0.8), 1
    if p.head == "num":
        return (1.0 if p.key == c.key else 0.0), c.size
    alike = p.head == c.head or any(p.head in group and c.head in group for group in _KIN)
    if not alike or depth > 12:
        return 0.0, c.size
    met, size = 1.0 if p.head == c.head else 0.5, 1
    left = list(c.args)
    for item in sorted(p.args, key=lambda one: (one.head == "sym", -one.size)):
        best, at, cost = 0.0, -1, 0
        for i, other in enumerate(left):
            value, weight = _overlap(item, other, affinity, depth + 1)
            bonus = value + (0.5 if item.head == "sym" and affinity(item.name, other) > 0 else 0.0)
            if bonus > best:
                best, at, cost = bonus, i, weight
        if at >= 0:
            met += min(best, item.size)
            size += cost
            left.pop(at)
    return met, size + sum(item.size for item in left)
