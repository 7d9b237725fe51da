"""Branches: one arm when the condition is known, else all as alternatives; arms that a name of a stage chooses."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from verifier.facts.scopes import tail
from verifier.facts.tracing.recorder import Draft
from verifier.facts.tracing.values import Frame, Value, merge
from verifier.lexicon.names import words
from verifier.model.facts import EventForm

if TYPE_CHECKING:
    from verifier.facts.tracing.machine import Machine

_PARTS = frozenset({"split", "subset", "partition", "fold"})
_SETTINGS = frozenset({"parse_args", "parse_known_args", "add_argument", "ArgumentParser", "add_subparsers", "add_parser", "safe_load",
                       "load_config", "Config", "get_args", "parse_arguments", "OmegaConf", "full_load"})  # fmt: skip


class Branches:
    """Runs them; each handler tells whether what follows is reached."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine

    def if_(self, node: ast.If, frame: Frame) -> bool:
        """Run the branch that is taken, or both as alternatives."""
        test = self.machine.expressions.eval(node.test, frame)
        truth = self.machine.truth(test)
        self.machine.record.look(test.sources)
        if _is_main_guard(node.test):
            truth = True
        stage = _stage_of(node.test)
        if truth is None:
            return self._arms([(node.body, stage), (node.orelse, ())], frame, node, choice=bool(stage) and self._given(test))
        taken, other = (node.body, node.orelse) if truth else (node.orelse, node.body)
        self.machine.statements.dead(
            other, frame, f"under a condition on line {node.lineno} that is never {'false' if truth else 'true'}"
        )
        return self._staged(taken, stage if truth else (), frame, node)

    def _given(self, value: Value) -> bool:
        """Whether a value is what the caller of the program or its settings say, and nothing that was computed."""
        drafts = [self.machine.record.drafts[source] for source in value.sources]
        return all(draft.form is EventForm.CONSTRUCT or not _SETTINGS.isdisjoint(draft.names) for draft in drafts)

    def _staged(self, body: list[ast.stmt], stage: tuple[str, ...], frame: Frame, node: ast.stmt) -> bool:
        if not stage:
            return self.machine.statements.block(body, frame)
        index = self.machine.record.emit(Draft(list(stage), frame.scope.location(node), frame.path, EventForm.STAGE))
        outer = frame.path
        frame.path = tuple(dict.fromkeys((*outer, *stage)))
        alive = self.machine.statements.block(body, frame)
        frame.path = outer
        self.machine.record.close(index, None)
        return alive

    def _arms(
        self, arms: list[tuple[list[ast.stmt], tuple[str, ...]]], frame: Frame, node: ast.stmt, *, choice: bool = False
    ) -> bool:
        """Run the arms of a branch as alternatives."""
        record = self.machine.record
        branch, outer, before = record.number(), record.alternatives, frame.env
        if choice:
            record.choices.append(branch)
        first = _first_arm(node.test) if isinstance(node, ast.If) and record.loops else None
        if first is not None:
            record.firsts.append((branch, first))
        ends: list[tuple[int, dict[str, Value]]] = []
        for arm, (body, stage) in enumerate(arms):
            frame.env = dict(before)
            record.alternatives = (*outer, (branch, arm))
            if self._staged(body, stage, frame, node):
                ends.append((arm, frame.env))
        record.alternatives = outer
        if not ends:
            frame.env = before
            return False
        frame.env = ends[0][1]
        for _, env in ends[1:]:
            frame.env = merge(frame.env, env)
        if len(ends) == 1 and len(arms) == 2:
            record.alternatives = (*outer, (branch, ends[0][0]))
        return True

    def match_(self, node: ast.Match, frame: Frame) -> bool:
        """Run the case that fits, or all as alternatives."""
        subject = self.machine.expressions.eval(node.subject, frame)
        const = subject.const()
        arms: list[tuple[list[ast.stmt], tuple[str, ...]]] = []
        for case in node.cases:
            parts = [part for part in ast.walk(case.pattern) if isinstance(part, ast.MatchValue)]
            values = [self.machine.expressions.eval(part.value, frame).const() for part in parts]
            stage = tuple(
                str(value.value).rpartition(".")[2] for value in values if value is not None and isinstance(value.value, str)
            )
            always = isinstance(case.pattern, ast.MatchAs) and case.pattern.pattern is None and case.guard is None
            if const is not None and (always or const in values):
                return self._staged(case.body, stage, frame, node)
            arms.append((case.body, stage))
            if always:
                return self._arms(arms, frame, node, choice=self._given(subject))
        if const is not None:
            return True
        return self._arms([*arms, ([], ())], frame, node, choice=self._given(subject))

    def try_(self, node: ast.Try, frame: Frame) -> bool:
        """Run the body, then its handlers and its `else` as alternatives, then `finally`."""
        record = self.machine.record
        branch, outer = record.number(), record.alternatives
        before = dict(frame.env)
        alive = self.machine.statements.block(node.body, frame)
        midway = merge(before, frame.env)
        ends = []
        record.alternatives = (*outer, (branch, 0))
        if alive and self.machine.statements.block(node.orelse, frame):
            ends.append(frame.env)
        for arm, handler in enumerate(node.handlers, start=1):
            frame.env = dict(midway)
            record.alternatives = (*outer, (branch, arm))
            if self.machine.statements.block(handler.body, frame):
                ends.append(frame.env)
        record.alternatives = outer
        frame.env = midway
        for position, env in enumerate(ends):
            frame.env = env if position == 0 else merge(frame.env, env)
        return self.machine.statements.block(node.finalbody, frame) and bool(ends)


def _first_arm(test: ast.expr) -> int | None:
    """The arm that a test of a counter takes in the first turns of a loop: of `i % 2 == 0` and `epoch < warm` the first."""
    if not isinstance(test, ast.Compare) or len(test.ops) != 1:
        return None
    left, operator, right = test.left, test.ops[0], test.comparators[0]
    if isinstance(left, ast.BinOp) and isinstance(left.op, ast.Mod) and isinstance(right, ast.Constant):
        equal = isinstance(operator, ast.Eq)
        return int(equal != (right.value == 0)) if isinstance(operator, ast.Eq | ast.NotEq) else None
    if isinstance(left, ast.Name | ast.Attribute) and isinstance(operator, ast.Lt | ast.LtE | ast.Gt | ast.GtE):
        return int(isinstance(operator, ast.Gt | ast.GtE))
    return None


def _is_main_guard(test: ast.expr) -> bool:
    return (
        isinstance(test, ast.Compare)
        and isinstance(test.left, ast.Name)
        and test.left.id == "__name__"
        and isinstance(test.ops[0], ast.Eq)
    )


def _stage_of(test: ast.expr) -> tuple[str, ...]:
    """The names that a condition compares something with: `"pretrain"` of `stage == "pretrain"` and of `stage in ("pretrain", "all")`."""
    if isinstance(test, ast.BoolOp):
        return tuple(name for part in test.values for name in _stage_of(part))
    if isinstance(test, ast.Compare) and len(test.ops) == 1 and isinstance(test.ops[0], ast.Eq | ast.In):
        sides = [test.left, *test.comparators]
        if any(word in _PARTS for side in sides if isinstance(side, ast.Name | ast.Attribute) for word in words(tail(side))):
            return ()  # which part of the data, not which stage
        found = [side.value for side in sides if isinstance(side, ast.Constant) and isinstance(side.value, str)]
        for side in test.comparators:
            if isinstance(side, ast.Tuple | ast.List | ast.Set):
                found += [part.value for part in side.elts if isinstance(part, ast.Constant) and isinstance(part.value, str)]
        return tuple(found) if not _is_main_guard(test) else ()
    return ()
