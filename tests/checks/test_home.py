from __future__ import annotations

from pathlib import Path

import pytest

from verifier.checks import check_rule
from verifier.checks.home import find_home
from verifier.facts import index
from verifier.lexicon import Lexicon, load_lexicon
from verifier.model.check import AnyCheck, Check, Equals, OrderCheck, Origin, PresentCheck, Source, ValueCheck
from verifier.model.facts import FactBase
from verifier.model.finding import UnitResult
from verifier.model.unit import Dimension, Rule, Unit
from verifier.model.verdict import Verdict
from verifier.source import read

CODE = '''
import torch


def compute_dormant_ratio(policy, states, threshold=0.1):
    """Fraction of inactive neurons of the policy network below the activation threshold."""
    activity = torch.relu(policy(states))
    return (activity < threshold).float().mean()


def main():
    policy = torch.nn.Linear(4, 2)
    optimizer = torch.optim.Adam(policy.parameters(), lr=1e-3)
    print(compute_dormant_ratio(policy, torch.zeros(1, 4)), optimizer)


main()
'''
ABOUT = ("dormant", "ratio", "inactive", "neurons", "policy", "threshold")
ELSEWHERE = ("spectrogram", "vocoder", "speech", "mel", "phoneme", "policy")
COMPILED = Source(origin=Origin.COMPILED)


@pytest.fixture(scope="module")
def lexicon() -> Lexicon:
    return load_lexicon()


@pytest.fixture(scope="module")
def facts(tmp_path_factory: pytest.TempPathFactory, lexicon: Lexicon) -> FactBase:
    folder = Path(tmp_path_factory.mktemp("repo"))
    (folder / "train.py").write_text(CODE, encoding="utf-8")
    return index(read(folder), lexicon)


def judged(
    facts: FactBase, lexicon: Lexicon, context: tuple[str, ...], *checks: Check, dimension: Dimension = "D3"
) -> UnitResult:
    unit = Unit(f"p-{dimension}-001", dimension, "a claim")
    return check_rule(Rule(unit=unit, checks=checks, context=context), facts, lexicon)


def test_home_is_found_by_names_and_docstrings(facts: FactBase) -> None:
    home = find_home(ABOUT, facts)
    assert home.label.startswith("train.py:compute_dormant_ratio")
    assert home.share > 0.8
    assert find_home(ELSEWHERE, facts).share < 0.4
    assert find_home((), facts).label == ""


def test_what_a_claim_only_names_counts_where_the_code_is_about_it(facts: FactBase, lexicon: Lexicon) -> None:
    adam = PresentCheck(entity="Adam", source=COMPILED)
    assert judged(facts, lexicon, ABOUT, adam).verdict is Verdict.ALIGNED
    away = judged(facts, lexicon, ELSEWHERE, adam)
    assert away.verdict is Verdict.MISSING
    assert "train.py" in away.findings[0].message
    assert away.findings[0].location is None


@pytest.mark.parametrize(
    "check",
    [PresentCheck(entity="Adam"), ValueCheck(subjects=("lr",), test=Equals(1e-3), source=COMPILED)],
    ids=["written", "value"],
)
def test_written_checks_and_values_hold_anywhere(check: Check, facts: FactBase, lexicon: Lexicon) -> None:
    assert judged(facts, lexicon, ELSEWHERE, check).verdict is Verdict.ALIGNED


def test_alternatives_that_only_name_something_are_named_too(facts: FactBase, lexicon: Lexicon) -> None:
    either = AnyCheck(checks=(PresentCheck(entity="Adam"), PresentCheck(entity="AdamW")), source=COMPILED)
    assert judged(facts, lexicon, ELSEWHERE, either).verdict is Verdict.MISSING


def test_of_the_text_around_a_formula_the_heading_tells(facts: FactBase, lexicon: Lexicon) -> None:
    adam = PresentCheck(entity="Adam", source=COMPILED)
    headed = (*ABOUT, "spectrogram", "vocoder", "speech", "mel", "phase")
    assert judged(facts, lexicon, headed, adam, dimension="D2").verdict is Verdict.ALIGNED
    assert judged(facts, lexicon, ELSEWHERE, adam, dimension="D2").verdict is Verdict.MISSING


@pytest.mark.parametrize(
    "check",
    [
        ValueCheck(subjects=("sliding interval",), test=Equals(3), source=COMPILED),
        OrderCheck(steps=(("reset the mask",), ("prune the units",)), source=COMPILED),
    ],
    ids=["value", "order"],
)
def test_at_home_what_no_name_shows_is_undecided(check: Check, facts: FactBase, lexicon: Lexicon) -> None:
    assert judged(facts, lexicon, ABOUT, check).verdict is Verdict.UNDECIDED
    assert judged(facts, lexicon, ELSEWHERE, check).verdict is Verdict.MISSING


def test_another_value_of_a_bare_word_shows_nothing(facts: FactBase, lexicon: Lexicon) -> None:
    named = ValueCheck(subjects=("noise schedule threshold",), test=Equals(0.5))
    bare = ValueCheck(subjects=("threshold",), test=Equals(0.5))
    assert judged(facts, lexicon, ABOUT, AnyCheck(checks=(named, bare), source=COMPILED)).verdict is Verdict.UNDECIDED
    assert judged(facts, lexicon, ABOUT, AnyCheck(checks=(named, bare))).verdict is Verdict.DRIFTED


def test_most_of_many_names_tell_that_the_repository_is_about_a_claim(facts: FactBase, lexicon: Lexicon) -> None:
    there = tuple(PresentCheck(entity=name, source=COMPILED) for name in ("Adam", "ReLU", "dormant ratio", "policy", "Linear"))
    gone = tuple(PresentCheck(entity=name, source=COMPILED) for name in ("CIFAR-10", "ResNet-50", "PPO"))
    assert judged(facts, lexicon, ELSEWHERE, *there).verdict is Verdict.ALIGNED
    assert judged(facts, lexicon, ELSEWHERE, *there, *gone).score == 0


def test_a_few_words_do_not_tell_that_no_place_is_about_a_claim(facts: FactBase, lexicon: Lexicon) -> None:
    adam = PresentCheck(entity="Adam", source=COMPILED)
    assert judged(facts, lexicon, ELSEWHERE[:3], adam).verdict is Verdict.ALIGNED
