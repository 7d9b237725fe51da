"""Verdicts of formula checks, on definitions as the lifter gives them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pytest

from verifier.algebra.language import parse_expression
from verifier.checks.formula import check_formula
from verifier.errors import FormulaError
from verifier.model.check import FormulaCheck
from verifier.model.facts import Binding, Definition, Mention, Place, Placeholder, Trace
from verifier.model.finding import Finding
from verifier.model.location import Location
from verifier.model.verdict import Cause, Verdict


@dataclass(frozen=True)
class Facts:
    """A fact base with nothing but definitions and placeholders."""

    definitions: Sequence[Definition]
    placeholders: Sequence[tuple[Place, Placeholder]] = ()
    bindings: Sequence[Binding] = ()
    mentions: Sequence[Mention] = ()
    traces: Sequence[Trace] = ()
    remarks: Sequence[object] = ()


def code(
    names: str, text: str, line: int = 1, *, dead: str = "", stub: int = 0, discarded: str = "", file: str = "m.py"
) -> Definition:
    found = tuple(names.split())
    placeholder = Placeholder(Location(file, stub), "TODO with a constant") if stub else None
    return Definition(found, parse_expression(text), Place(Location(file, line), (file, found[0]), dead), discarded, placeholder)


def judge(
    text: str, *definitions: Definition, near: tuple[str, ...] = (), instead_of: str | None = None, **symbols: str
) -> Finding:
    notation = "latex" if "\\" in text else "formula"
    names = tuple((symbol, tuple(given.split())) for symbol, given in symbols.items())
    check = FormulaCheck(text=text, notation=notation, symbols=names, near=near, instead_of=instead_of)  # type: ignore[arg-type]
    return check_formula(check, Facts(definitions))  # type: ignore[arg-type]


EMA = code("slow", "slow*self.decay + (1 - self.decay)*fast", 12)
KL = "mean(-0.5*sum(1 + lv - mu**2 - exp(lv)))"


def test_aligned_in_other_words_and_shape() -> None:
    finding = judge(
        r"\xi \leftarrow \tau\xi + (1-\tau)\theta", code("slow", "slow + (1 - self.decay)*(fast - slow)", 7), tau="decay"
    )
    assert (finding.status, finding.cause, finding.kind) == (Verdict.ALIGNED, None, "latex")
    assert finding.location == Location("m.py", 7)
    assert finding.expected == "xi = tau*xi + (1 - tau)*theta"
    assert finding.found == "xi + (1 - tau)*(theta - xi)"


@pytest.mark.parametrize(
    ("claim", "lifted", "words"),
    [
        ("xi = tau*xi + (1 - tau)*theta", "slow*decay + fast", "factor 1 - tau is missing"),
        ("rel = norm(u - v)/norm(v)", "norm(u - ref, 1)/norm(ref, 1)", "L1 norm"),
        ("L = -mean(min(r*A, clip(r, 1 - c, 1 + c)*A))", "-mean(max(ratio*adv, clip(ratio, 1 - c, 1 + c)*adv))", "maximum"),
        ("L = -mean(min(r*A, clip(r, 1 - c, 1 + c)*A))", "mean(min(ratio*adv, clip(ratio, 1 - c, 1 + c)*adv))", "sign"),
        ("aux = a*N*sum(f*P)", "a*num*mean(f*prob)", "a mean stands where the claim has a sum"),
        ("psnr = 10*log10(p**2/mse)", "10*log(peak**2/mse)", "log stands where"),
        ("huber = mean(0.5*min(abs(r), k)**2 + k*abs(r))", "mean(min(abs(res), k)**2 + k*abs(res))", "factor 0.5"),
        ("rms = x/sqrt(mean(x**2) + eps)", "x/(sqrt(mean(x**2)) + eps)", "outside the root"),
        ("vf_loss = 0.5*mean((v - R)**2)", "0.25*mean((v - ret)**2)", "0.25"),
        ("loss_z = mean((stopgrad(z) - e)**2)", "mean((z - e)**2)", "stopgrad is missing"),
        ("kernel = exp(-d/(2*s**2))", "exp(-d/(2*s))", "exponent 2 is missing"),
        ("w = clip(x, lo, hi)*y", "max(x, lo)*y", "upper bound"),
    ],
)
def test_the_difference_is_said(claim: str, lifted: str, words: str) -> None:
    name = {"xi": "slow", "L": "something"}.get(claim.split(" = ")[0], claim.split(" = ")[0])
    hints = (
        {"tau": "decay"}
        if "tau" in claim
        else {"r": "ratio"}
        if "r*A" in claim
        else {"x": "x", "lo": "lo"}
        if "lo" in claim
        else {}
    )
    finding = judge(claim, code(name, lifted, 5), **hints)  # type: ignore[arg-type]
    assert (finding.status, finding.cause) == (Verdict.DRIFTED, Cause.WRONG_FORMULA)
    assert words in finding.message
    assert finding.location == Location("m.py", 5)


def test_the_name_on_the_left_decides() -> None:
    right = code("other", "cos(pi*t/2)**2", 3)
    wrong = code("alpha_bar", "1 - t", 9)
    assert judge("alpha_bar = cos(pi*t/2)**2", right, wrong).location == Location("m.py", 9)
    assert judge("alpha_bar = cos(pi*t/2)**2", right).status is Verdict.ALIGNED


def test_a_live_wrong_one_beats_a_dead_right_one() -> None:
    right = code("alpha_bar", "cos(pi*t/2)**2", 3, dead="overwritten")
    assert judge("alpha_bar = cos(pi*t/2)**2", right).status is Verdict.UNUSED
    finding = judge("alpha_bar = cos(pi*t/2)**2", right, code("alpha_bar", "1 - t", 9))
    assert finding.status is Verdict.DRIFTED


def test_unused_says_why() -> None:
    finding = judge(KL, code("kl", KL, 4, discarded="its result is thrown away"))
    assert (finding.status, finding.cause) == (Verdict.UNUSED, Cause.DEAD_CODE)
    assert "thrown away" in finding.message


def test_deferred_by_name_and_at_the_placeholder() -> None:
    finding = judge(f"kl_loss = {KL}", code("kl_loss", "0", 4, stub=5), code("elbo", "rec + 0", 8, stub=5))
    assert (finding.status, finding.cause, finding.location) == (Verdict.DEFERRED, Cause.PLACEHOLDER, Location("m.py", 5))


def test_a_cited_method_in_its_place() -> None:
    dpo = code("preference_loss", "-mean(logsigmoid(beta*(chosen - rejected)))", 6)
    finding = judge("L = mean((h - 1/(2*tau))**2)", dpo, instead_of="-mean(log(sigmoid(tau*h)))")
    assert (finding.status, finding.cause) == (Verdict.DRIFTED, Cause.CITED_METHOD)
    ipo = code("ipo", "mean((chosen - rejected - 1/(2*beta))**2)", 9)
    assert judge("L = mean((h - 1/(2*tau))**2)", dpo, ipo, instead_of="-mean(log(sigmoid(tau*h)))").status is Verdict.ALIGNED


def test_missing_when_nothing_is_like_it() -> None:
    finding = judge("aux = a*N*sum(f*P)", code("out", "w_out(silu(gate)*value)"), code("x", "x + attn(x)"), EMA)
    assert (finding.status, finding.cause, finding.location) == (Verdict.MISSING, Cause.MISSING, None)


def test_a_bare_product_is_not_found_by_chance() -> None:
    assert judge("y = a*b", code("area", "width*height")).status is Verdict.MISSING
    assert judge("y = a*b", code("area", "width*height"), a="width", b="height").status is Verdict.ALIGNED


def test_near_narrows() -> None:
    actor = code("actor_loss", "mean((q - y)**2)", 3, file="actor.py")
    critic = code("critic_loss", "mean(abs(q - y))", 5, file="critic.py")
    assert judge("L = mean((q - y)**2)", actor, critic).status is Verdict.ALIGNED
    finding = judge("L = mean((q - y)**2)", actor, critic, near=("critic",))
    assert (finding.status, finding.location) == (Verdict.DRIFTED, Location("critic.py", 5))


def test_given_names_choose_the_place() -> None:
    mixup = code("mixed", "lam*x + (1 - lam)*y", 2)
    finding = judge("xi = tau*xi + (1 - tau)*theta", mixup, code("slow", "slow*self.decay + fast", 9), tau="decay")
    assert (finding.status, finding.location) == (Verdict.DRIFTED, Location("m.py", 9))


def test_guards_of_the_code_do_not_count_unless_the_claim_has_an_epsilon() -> None:
    guarded = code("ratio", "sqrt(max(1 - t, 1e-12)/max(1 - s, 1e-12))", 3)
    assert judge("ratio_ = sqrt((1 - a)/(1 - b))", guarded).status is Verdict.ALIGNED
    inside = code("norm_", "x/sqrt(mean(x**2) + eps)", 4)
    assert judge("norm_ = x/(sqrt(mean(x**2)) + eps)", inside).status is Verdict.DRIFTED


def test_what_is_not_understood_is_refused() -> None:
    with pytest.raises(FormulaError):
        judge(r"\int x", EMA)


def test_an_expected_squared_norm_is_a_mean_of_squares() -> None:
    claim = r"L_{\text{simple}} = \mathbb{E}[\|\epsilon - \epsilon_\theta(x_t, t)\|^2]"
    assert judge(claim, code("loss", "mean((noise - model(x_t, t))**2)")).status is Verdict.ALIGNED
    assert judge(claim, code("loss", "mean(abs(noise - model(x_t, t)))")).status is not Verdict.ALIGNED


def test_a_product_with_a_transposed_vector_is_an_inner_product() -> None:
    assert judge(r"s = \exp(q^\top k/\tau)", code("score", "exp(sum(query*key)/tau)")).status is Verdict.ALIGNED
