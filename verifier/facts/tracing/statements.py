"""Statements: control flow, branches as alternatives, bindings."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from verifier.facts.flow import ENDS_PROGRAM
from verifier.facts.scopes import Scope, dotted
from verifier.facts.tracing.branches import Branches
from verifier.facts.tracing.recorder import Draft
from verifier.facts.tracing.targets import as_load, mentioned, target_names, target_owner
from verifier.facts.tracing.values import UNKNOWN, Const, Frame, Function, Object, Value, join, unsure
from verifier.model.facts import EventForm

if TYPE_CHECKING:
    from verifier.facts.tracing.machine import Machine

_QUIET = (ast.Name, ast.Constant, ast.Attribute, ast.Lambda, ast.Call, ast.Await, ast.Tuple, ast.List, ast.Dict, ast.JoinedStr)


class Statements:
    """Runs statements one after another; each handler tells whether the next statement is reached."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        branches = Branches(machine)
        self._table: dict[type, Callable[[Any, Frame], bool]] = {
            ast.Expr: self._expression,
            ast.Assign: self._assign,
            ast.AnnAssign: self._annotated,
            ast.AugAssign: self._augmented,
            ast.Return: self._return,
            ast.Raise: self._raise,
            ast.Break: lambda _, frame: self._leave_turn(frame),
            ast.Continue: lambda _, frame: self._leave_turn(frame),
            ast.If: branches.if_,
            ast.For: machine.loops.run_for,
            ast.AsyncFor: machine.loops.run_for,
            ast.While: machine.loops.run_while,
            ast.With: self._with,
            ast.AsyncWith: self._with,
            ast.Try: branches.try_,
            ast.Match: branches.match_,
            ast.FunctionDef: self._definition,
            ast.AsyncFunctionDef: self._definition,
            ast.ClassDef: self._definition,
            ast.Assert: self._assert,
            ast.Nonlocal: self._nonlocal,
            ast.Import: machine.imports.run,
            ast.ImportFrom: machine.imports.run,
        }

    def block(self, statements: list[ast.stmt], frame: Frame) -> bool:
        """Run a block.

        Returns:
            Whether its end is reached.
        """
        table = self._table
        for position, statement in enumerate(statements):
            handler = table.get(type(statement))
            if handler is not None and not handler(statement, frame):
                self.dead(statements[position + 1 :], frame, f"after line {statement.lineno}, which always leaves")
                return False
        return True

    def dead(self, statements: list[ast.stmt], frame: Frame, reason: str) -> None:
        """Record what stands where nothing gets to."""
        record = self.machine.record
        if not statements or record.dead:
            return
        kept = frame.env, record.alternatives, len(frame.returns)
        frame.env, record.dead = dict(frame.env), reason
        frame.exits.append([])
        self.block(statements, frame)
        frame.exits.pop()
        frame.env, record.alternatives = kept[0], kept[1]
        del frame.returns[kept[2] :]
        record.dead = ""

    # --- simple statements ----------------------------------------------------------------------------------------------

    def _expression(self, node: ast.Expr, frame: Frame) -> bool:
        if isinstance(node.value, ast.Call):
            self.machine.calls.discarded = id(node.value)
            name = dotted(node.value.func)
            if name is not None and (name in ENDS_PROGRAM or name in {"sys.exit", "os._exit"}):
                for argument in node.value.args:
                    self.machine.expressions.eval(argument, frame)
                return False
        elif isinstance(node.value, ast.Constant):
            return True
        self.machine.expressions.eval(node.value, frame)
        return True

    def _assign(self, node: ast.Assign, frame: Frame) -> bool:
        before = len(self.machine.record.listed)
        value = self._named(node, node.targets, node.value, self.machine.expressions.eval(node.value, frame), frame)
        if len(self.machine.record.listed) > before:
            self.machine.record.name_listed(before, tuple(name for target in node.targets for name in target_names(target)))
        for target in node.targets:
            self.bind(target, value, frame, node)
        return True

    def _annotated(self, node: ast.AnnAssign, frame: Frame) -> bool:
        if node.value is not None:
            value = self._named(node, [node.target], node.value, self.machine.expressions.eval(node.value, frame), frame)
            self.bind(node.target, value, frame, node)
        return True

    def _named(self, node: ast.stmt, targets: list[ast.expr], expression: ast.expr, value: Value, frame: Frame) -> Value:
        """Record that a result gets a name; for a call, among the call's own names."""
        names = [name for target in targets for name in target_names(target)]
        inner = expression.value if isinstance(expression, ast.Await) else expression
        if isinstance(inner, ast.Call):
            index = -1 if self.machine.record.muted else self.machine.calls.last.get(id(inner), -1)
            if index >= 0:
                draft = self.machine.record.drafts[index]
                draft.bound = tuple(name for name in names if name not in draft.names)
                draft.names += names
                return value
        stored = any(not isinstance(target, ast.Name) for target in targets) and not isinstance(inner, ast.Tuple)
        kept = stored and (isinstance(inner, ast.Constant) or frame.scope.name != "__init__")
        if isinstance(inner, _QUIET) and not kept and not isinstance(inner, ast.Call):
            return value
        inputs = value.reach()
        index = self.machine.record.emit(
            Draft(
                names,
                frame.scope.location(node),
                frame.path,
                EventForm.ASSIGN,
                inputs=inputs,
                receiver=target_owner(targets),
                context=mentioned(inner),
            )
        )
        return Value(value.things, frozenset({index})) if index >= 0 and not isinstance(inner, ast.Constant) else value

    def _augmented(self, node: ast.AugAssign, frame: Frame) -> bool:
        value = self.machine.expressions.eval(node.value, frame)
        reading = ast.copy_location(as_load(node.target), node.target)
        before = self.machine.expressions.eval(reading, frame)
        listed = self.machine.loops.elements(before), self.machine.loops.elements(value)
        index = self.machine.record.emit(Draft(
            target_names(node.target), frame.scope.location(node), frame.path, EventForm.ASSIGN, inputs=value.reach() | before.reach(),
            context=mentioned(node.value),
        ))  # fmt: skip
        if listed[0] is not None and listed[1] is not None and before.objects():
            before.objects()[0].items += listed[1]
            return True
        sources = frozenset({index}) if index >= 0 else value.sources | before.sources
        for thing in before.objects() if index >= 0 else ():
            thing.touched.add(index)
        self.bind(node.target, Value(tuple(t for t in before.things if isinstance(t, Object)), sources), frame, node)
        return True

    def bind(self, target: ast.expr, value: Value, frame: Frame, node: ast.AST) -> None:
        """Bind a target to a value."""
        if isinstance(target, ast.Name):
            for thing in value.objects():
                thing.label(target.id)
            if target.id in frame.scope.globals:
                self.machine.names.module_frame(frame.scope.module).env[target.id] = value
            else:
                self._owner_frame(target.id, frame).env[target.id] = value
        elif isinstance(target, ast.Tuple | ast.List):
            starred = any(isinstance(element, ast.Starred) for element in target.elts)
            for position, element in enumerate(target.elts):
                self.bind(
                    element,
                    Value((), value.reach()) if starred else self.machine.expressions.element(value, position),
                    frame,
                    node,
                )
        elif isinstance(target, ast.Starred):
            self.bind(target.value, value, frame, node)
        elif isinstance(target, ast.Attribute | ast.Subscript):
            self._store(target, value, frame)

    def _nonlocal(self, node: ast.Nonlocal, frame: Frame) -> bool:
        frame.shared |= set(node.names)
        return True

    def _owner_frame(self, name: str, frame: Frame) -> Frame:
        shared = name in frame.shared
        if (name in frame.scope.writes and not shared) or frame.parent is None:
            return frame
        current = frame.parent
        while current.parent is not None and name not in current.env:
            current = current.parent
        return current if name in current.env and (shared or name not in frame.scope.writes) else frame

    def _store(self, target: ast.Attribute | ast.Subscript, value: Value, frame: Frame) -> None:
        base = self.machine.expressions.eval(target.value, frame)
        key = target.attr if isinstance(target, ast.Attribute) else ""
        if isinstance(target, ast.Subscript):
            const = self.machine.expressions.eval(target.slice, frame).const()
            key = str(const.value) if const is not None else ""
        if key and value.const() == Const(None):
            value = Value((Object(labels=[key]),))  # an attribute that starts as None waits for a value from elsewhere
        for thing in value.objects():
            if key:
                thing.label(key)
        for thing in base.objects():
            certain = len(base.things) == 1 and thing.level >= len(self.machine.record.alternatives)
            if key and certain and not (thing.items and isinstance(target, ast.Subscript)):
                thing.fields[key] = value if not self._varies(thing, key) else unsure(value)
            elif key:
                thing.fields[key] = unsure(join([thing.fields[key], value])) if key in thing.fields else unsure(value)
            else:
                thing.touched |= value.reach()
                thing.holds += value.objects()

    def _varies(self, thing: Object, key: str) -> bool:
        """Whether an attribute is written in several places, so that a constant in it is no constant."""
        if not isinstance(thing.cls, Scope):
            return False
        table = self.machine.program.attribute_stores.get(id(thing.cls), {})
        return len(table.get(key, ())) > 1

    def _return(self, node: ast.Return, frame: Frame) -> bool:
        if node.value is not None:
            frame.returns.append(self.machine.expressions.eval(node.value, frame))
        return False

    def _raise(self, node: ast.Raise, frame: Frame) -> bool:
        if node.exc is not None:
            self.machine.record.muted += 1
            self.machine.expressions.eval(node.exc, frame)
            self.machine.record.muted -= 1
        return False

    def _leave_turn(self, frame: Frame) -> bool:
        if frame.exits:
            frame.exits[-1].append(dict(frame.env))
        return False

    def _assert(self, node: ast.Assert, frame: Frame) -> bool:
        self.machine.expressions.eval(node.test, frame)
        return True

    def _definition(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef, frame: Frame) -> bool:
        scope = self.machine.program.scope_of.get(id(node))
        if scope is None:
            return True
        if frame.scope.is_module:
            if node.decorator_list and scope.is_function:
                self.machine.implicit.decorated(Value((Function(scope),)))
            return True
        value = Value((scope,)) if scope.is_class else Value((Function(scope, frame=frame),))
        frame.env[node.name] = self.machine.implicit.decorated(value)
        return True

    def _with(self, node: ast.With | ast.AsyncWith, frame: Frame) -> bool:
        return self._entered(node, 0, frame)

    def _entered(self, node: ast.With | ast.AsyncWith, position: int, frame: Frame) -> bool:
        """Enter the managers from `position` on, run the body inside them, leave them."""
        if position == len(node.items):
            return self.block(node.body, frame)
        item = node.items[position]
        outcome = [True]
        entered = [False]

        def body(value: Value) -> None:
            if entered[0]:
                return
            entered[0] = True
            if item.optional_vars is not None:
                self.bind(item.optional_vars, value, frame, node)
            outcome[0] = self._entered(node, position + 1, frame)

        self.machine.implicit.managed(item.context_expr, frame, body)
        if not entered[0]:
            body(UNKNOWN)
        return outcome[0]
