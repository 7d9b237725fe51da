from __future__ import annotations

import tempfile
from dataclasses import replace
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from verifier.model import worth
from verifier.model.check import (
    AnyCheck,
    Between,
    Check,
    Equals,
    FormulaCheck,
    NotCheck,
    OneOf,
    OrderCheck,
    Origin,
    PresentCheck,
    Source,
    ValueCheck,
)
from verifier.model.unit import Rule, Unit, Unread
from verifier.units import dump_rules, load_units

texts = st.one_of(
    st.sampled_from(["learning rate", "AdamW.betas", "yes", "null", "~", "1e-3", "- x", "a: b", "x #y", "it's"]),
    st.sampled_from(['say "no"', "α·β", "[a", "*x", "&x", "!x", "|", ">", "%x", "@x", "`x`", "? x", "=", "<<", "1:30"]),
    st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=12).map(str.strip).filter(bool),
)  # fmt: skip
names = st.lists(texts, min_size=1, max_size=3).map(tuple)
near = st.lists(texts, max_size=2).map(tuple)
numbers = st.one_of(st.integers(-(2**70), 2**70), st.floats(allow_nan=False))
scalars = st.one_of(st.none(), st.booleans(), numbers, texts.map(worth.parse))
values = st.one_of(scalars, st.lists(st.one_of(scalars, st.lists(scalars, max_size=2).map(tuple)), max_size=3).map(tuple))
bounds = st.tuples(numbers, numbers).map(sorted).map(lambda pair: Between(*pair))
tests = st.one_of(
    values.map(Equals),
    st.lists(values, min_size=1, max_size=3).map(tuple).map(OneOf),
    bounds,
    numbers.map(lambda low: Between(low, None)),
    numbers.map(lambda high: Between(None, high)),
)
tolerances = st.none() | st.floats(0, 1)
formulas = st.sampled_from(["y = a*x + b", "sum(x**2) / n", "-log(sigmoid(z))"])
symbols = st.lists(st.tuples(st.sampled_from(["a", "x", "y"]), names), max_size=2, unique_by=lambda pair: pair[0]).map(tuple)
steps = st.lists(names, min_size=2, max_size=3).map(tuple)
leaves: st.SearchStrategy[Check] = st.one_of(
    st.builds(ValueCheck, subjects=names, test=tests, tolerance=tolerances, near=near),
    st.builds(FormulaCheck, text=formulas, symbols=symbols, instead_of=st.none() | formulas, near=near),
    st.just(FormulaCheck(text=r"y = \frac{a}{b}", notation="latex", near=("x",))),
    st.builds(PresentCheck, entity=texts, role=st.sampled_from(["", "dataset", "call"]), near=near),
    st.builds(OrderCheck, steps=steps, link=st.sampled_from(["control", "data"]), near=near),
)  # fmt: skip
checks = st.recursive(
    leaves,
    lambda inner: st.one_of(
        st.builds(NotCheck, check=inner, near=near),
        st.builds(AnyCheck, checks=st.lists(inner, min_size=1, max_size=3).map(tuple), near=near),
    ),
    max_leaves=4,
)


def bare(check: Check) -> Check:
    """The check without its place in a file."""
    if isinstance(check, NotCheck):
        return replace(check, check=bare(check.check), source=Source())
    if isinstance(check, AnyCheck):
        return replace(check, checks=tuple(bare(part) for part in check.checks), source=Source())
    return replace(check, source=Source())


def reloaded(rules: list[Rule]) -> tuple[Unit, ...]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "units.yaml")
        path.write_text(dump_rules(rules), encoding="utf-8", newline="")
        return load_units([path])


@settings(deadline=None)
@given(st.lists(checks, min_size=1, max_size=3).map(tuple), texts, texts, texts)
def test_what_is_written_loads_as_it_was(written: tuple[Check, ...], identifier: str, claim: str, source: str) -> None:
    (unit,) = reloaded([Rule(Unit(identifier, "D3", claim, source), written)])
    assert (unit.id, unit.dimension, unit.claim, unit.source) == (identifier, "D3", claim, source)
    assert tuple(bare(check) for check in unit.checks) == written


def test_the_words_a_check_came_from_and_what_was_not_read() -> None:
    compiled = Source(origin=Origin.COMPILED, words="learning rate\n3e-4")
    rule = Rule(
        Unit("p-D1-001", "D1", "learning rate 3e-4: found best, in a cosy office", "Section 4"),
        (ValueCheck(subjects=("learning rate", "lr"), test=Equals(3e-4), source=compiled),),
        (
            Unread("in a cosy office", "no code could show it", checkable=False),
            Unread("found best", "not understood", checkable=True),
        ),
    )
    empty = Rule(Unit("p-D1-002", "D1", "motives"), ())
    assert dump_rules([rule, empty]) == (
        "units:\n"
        "  - id: p-D1-001\n"
        "    dimension: D1\n"
        '    claim: "learning rate 3e-4: found best, in a cosy office"\n'
        "    source: Section 4\n"
        "    checks:\n"
        "      # from: learning rate 3e-4\n"
        "      - value: [learning rate, lr]\n"
        "        equals: 0.0003\n"
        "    # left out: in a cosy office (no code could show it)\n"
        "    # not read: found best (not understood)\n"
        "  - id: p-D1-002\n"
        "    dimension: D1\n"
        "    claim: motives\n"
    )
    assert [unit.id for unit in reloaded([rule, empty])] == ["p-D1-001", "p-D1-002"]


def test_checks_inside_checks_are_indented() -> None:
    inner = AnyCheck(checks=(PresentCheck(entity="dropout"), OrderCheck(steps=(("a",), ("b", "c")), link="data")))
    rule = Rule(Unit("u", "D3", ""), (NotCheck(check=inner, near=("critic",)),))
    assert dump_rules([rule]).splitlines()[4:] == [
        "      - not:",
        "          any:",
        "            - present: dropout",
        "            - order: [a, [b, c]]",
        "              link: data",
        "        near: [critic]",
    ]
