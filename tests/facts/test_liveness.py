"""What nothing reaches or reads, and why."""

import pytest

from tests.facts.programs import facts_of, scope_named


@pytest.mark.parametrize(
    ("code", "qualified", "reason"),
    [
        ("def public():\n    pass\n", "m:public", ""),
        ("def _private():\n    pass\n", "m:_private", "nothing calls _private"),
        ("def _used():\n    pass\n\ndef f():\n    _used()\n", "m:_used", ""),
        ("def _a():\n    _b()\n\ndef _b():\n    _a()\n", "m:_a", "nothing calls _a"),
        ("def _self():\n    _self()\n", "m:_self", "nothing calls _self"),
        ("def f():\n    return 1\n    _late()\n\ndef _late():\n    pass\n", "m:_late", "nothing calls _late"),
        ("def f():\n    def inner():\n        pass\n    return 2\n", "m:f.inner", "nothing calls inner"),
        ("def f():\n    def inner():\n        pass\n    return inner\n", "m:f.inner", ""),
        ("class A:\n    def _m(self):\n        pass\n    def go(self):\n        self._m()\n", "m:A._m", ""),
        ("class _A:\n    def go(self):\n        pass\n", "m:_A.go", "nothing calls _A"),
        ("TABLE = {'x': '_by_name'}\n\ndef _by_name():\n    pass\n", "m:_by_name", ""),
        ("def f():\n    pass\n\ndef f():\n    pass\n", "m:f", "f is defined again on line 4"),
    ],
)
def test_scopes(code: str, qualified: str, reason: str) -> None:
    facts = facts_of(code)
    assert facts.liveness.scope_reason(scope_named(facts.program, qualified)) == reason


def test_a_private_helper_is_live_through_another_module() -> None:
    facts = facts_of({"a.py": "def _h():\n    pass\n", "b.py": "from a import _h as h\n\ndef f():\n    h()\n"})
    assert facts.liveness.scope_reason(scope_named(facts.program, "a:_h")) == ""


@pytest.mark.parametrize(
    ("code", "name", "reason"),
    [
        ("X = 1\n", "X", "nothing reads X"),
        ("X = 1\n\ndef f():\n    return X\n", "X", ""),
        ("X = 1\nassert X == 1\nprint(X)\n", "X", "nothing reads X"),
        ("X = 1\nY = X\n", "X", "nothing reads X"),
        ("X = 1\nY = X\n\ndef f():\n    return Y\n", "X", ""),
        ("X = 1\n\ndef _f():\n    return X\n", "X", "nothing reads X"),
        ("import logging\nX = 1\nlogging.info('x %s', X)\n", "X", "nothing reads X"),
        ("X = 1\nX = 2\n\ndef f():\n    return X\n", "X", "X is overwritten before it is read"),
    ],
)
def test_variables(code: str, name: str, reason: str) -> None:
    facts = facts_of(code)
    write = scope_named(facts.program, "m").writes[name][0]
    assert facts.reads.unread(write) == reason


def test_a_variable_read_through_its_module() -> None:
    facts = facts_of({"c.py": "LR = 1\n", "t.py": "import c\n\ndef f():\n    return c.LR\n"})
    assert facts.reads.unread(scope_named(facts.program, "c").writes["LR"][0]) == ""


def test_an_ignored_parameter() -> None:
    facts = facts_of("def f(lr, wd):\n    return lr\n")
    function = scope_named(facts.program, "m:f")
    assert facts.reads.parameter_unread(function, "wd") == "f ignores its parameter wd"
    assert facts.reads.parameter_unread(function, "lr") == ""


def test_a_parameter_that_is_only_stored() -> None:
    facts = facts_of("class A:\n    def __init__(self, gamma):\n        self.gamma = gamma\n")
    init = scope_named(facts.program, "m:A.__init__")
    assert facts.reads.parameter_unread(init, "gamma") == "A ignores its parameter gamma"
