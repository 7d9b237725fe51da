"""Mentions: every name or string that may show that an entity is used, judged when a check asks for its text.

Collecting costs one pass over the scopes. Whether a place is live, what a name resolves to and whether a placeholder stands under it
is found out only for the texts that are asked for.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cached_property

from verifier.facts.bindings import Bindings
from verifier.facts.idioms import idiom
from verifier.facts.mentions_sightings import LONGEST, Entry, Sighting, Sightings, entries
from verifier.facts.mentions_strings import Purposes
from verifier.facts.mentions_stubs import Grounds
from verifier.facts.mentions_undefined import Undefined
from verifier.facts.nodes import walk
from verifier.facts.program import External
from verifier.facts.scopes import Scope, Write, tail
from verifier.facts.values import Known
from verifier.model.facts import Form, Mention, Place, Placeholder, Remark
from verifier.model.location import Location
from verifier.model.repository import Repository
from verifier.model.repository import Role as FileRole

_DATA = re.compile(r"data|(?:^|[-_])(?:path|dir|root|folder)")
_RATES = frozenset({"p", "rate", "drop_prob", "drop_rate", "prob"})
_EFFECTS = frozenset(
    "step backward save write append update info log print dump savefig to_csv add_scalar fit train extend put".split()
)


class Mentions:
    """All mentions of a repository, by text.

    Args:
        bindings: names and their values; brings the evaluator, liveness, reads and placeholders.
        repository: configuration files, scripts and comments.
    """

    def __init__(self, bindings: Bindings, repository: Repository) -> None:
        self.bindings, self.repository = bindings, repository
        self.ev, self.program = bindings.ev, bindings.program
        self.liveness, self.reads = bindings.liveness, bindings.reads
        self.purposes = Purposes(self.program)
        self.sightings = Sightings(self.program)
        self.grounds = Grounds(self.ev, bindings.placeholders, self.sightings)
        self.undefined = Undefined(self.program)
        self._known: dict[str, tuple[Mention, ...]] = {}
        self._owners: dict[int, dict[int, Write]] = {}

    @cached_property
    def _by_text(self) -> dict[str, list[Sighting | Entry]]:
        found: dict[str, list[Sighting | Entry]] = {}
        seen: list[Sighting | Entry] = [*self.sightings.all(), *entries(self.repository)]
        for one in seen:
            if one.text:
                found.setdefault(one.text, []).append(one)
        return found

    @cached_property
    def texts(self) -> tuple[str, ...]:
        """Every text that is mentioned anywhere, sorted."""
        return tuple(sorted(self._by_text))

    def of(self, text: str) -> tuple[Mention, ...]:
        """The mentions of a text, sorted by place."""
        if text not in self._known:
            made = [self._entry(one) if isinstance(one, Entry) else self._mention(one) for one in self._by_text.get(text, ())]
            kept = [mention for mention in made if mention is not None]
            self._known[text] = tuple(sorted(kept, key=lambda mention: (mention.place.location, mention.form)))
        return self._known[text]

    @cached_property
    def remarks(self) -> tuple[Remark, ...]:
        """Comments, docstrings, messages and other long strings of code files, in order."""
        found = []
        for file in self.repository.python:
            if file.role is FileRole.CODE:
                found += [Remark(text, Location(file.path, line)) for line, text in file.comments if text]
        for scope in self.program.scopes:
            found += [
                Remark(str(string.value), scope.location(string))
                for string in scope.strings
                if len(str(string.value)) > LONGEST or "\n" in str(string.value) or " " in str(string.value).strip()
            ]
        return tuple(found)

    # --- making mentions ------------------------------------------------------------------------------------------------

    def _mention(self, seen: Sighting) -> Mention | None:
        if self.undefined.of(seen):
            return None
        match seen.form:
            case Form.CALL:
                return self._call(seen)
            case Form.CLASS | Form.FUNCTION:
                return self._definition(seen)
            case Form.STRING:
                return self._string(seen)
            case Form.NAME:
                return self._argument(seen) if seen.call is not None else self._written(seen)
            case Form.REFERENCE:
                return self._reference(seen)
            case Form.IMPORT:
                return self._import(seen)
        return None

    def _call(self, seen: Sighting) -> Mention:
        node, scope = seen.node, seen.scope
        write = self._owner(node, scope)
        bound = _bound(write)
        dead = self.liveness.reason(node, scope)
        if not isinstance(node, ast.Call):
            return self._made(seen, seen.text, dead, bound)
        targets = self.grounds.targets(node, scope)
        dead = dead or self._turned_off(seen.text, node, scope)
        if not dead and write is not None and self._only_makes(node, targets):
            dead = self._unread(write)
        target = targets[0] if targets else None
        name = target.name if isinstance(target, External) else target.qualified if target is not None else ""
        uses = self.grounds.uses(target) if isinstance(target, Scope) else ()
        return Mention(
            seen.text,
            name,
            Form.CALL,
            self._place(seen, dead, (*bound, *seen.text.split("."))),
            self.grounds.call_stub(node, scope),
            uses=uses,
            idiom=idiom(target) if isinstance(target, Scope) else None,
        )

    def _turned_off(self, text: str, node: ast.Call, scope: Scope) -> str:
        """Why a layer that drops things drops none: its rate is zero."""
        if "drop" not in text.lower():
            return ""
        rates = [keyword.value for keyword in node.keywords if keyword.arg in _RATES]
        functional = tail(node.func)[:1].islower()
        rates += node.args[1:2] if functional else node.args[:1]
        return self._off(tail(node.func), rates[0], scope) if rates else ""

    def _only_makes(self, node: ast.Call, targets: tuple[Scope | External, ...]) -> bool:
        """Whether a call does nothing but give back what it makes, so that it is no use unless that is read."""
        for target in targets:
            if isinstance(target, Scope) and target.is_function:
                return not any(tail(call.func) in _EFFECTS for call in target.calls)
            if isinstance(target, External):
                return tail(node.func)[:1].isupper() or tail(node.func).startswith("load")
        return tail(node.func)[:1].isupper()

    def _definition(self, seen: Sighting) -> Mention:
        scope = seen.scope
        place = Place(scope.location(scope.node), scope.names, self.liveness.scope_reason(scope))
        stub, uses = self.grounds.definition_stub(scope), self.grounds.uses(scope)
        return Mention(seen.text, scope.qualified, seen.form, place, stub, uses=uses, idiom=idiom(scope))

    def _argument(self, seen: Sighting) -> Mention | None:
        assert isinstance(seen.node, ast.keyword)
        assert seen.call is not None
        scope, value = seen.scope, seen.node.value
        if _passes_on(value):
            return None
        dead = self.liveness.reason(seen.call, scope) or self._ignored(seen) or self._off(seen.text, value, scope)
        bound = (*_bound(self._owner(seen.call, scope)), *self.sightings.expanded(seen.call.func, scope).split(".")[-2:])
        return self._made(seen, "", dead, (*bound, seen.text), value)

    def _ignored(self, seen: Sighting) -> str:
        assert seen.call is not None
        for target in self.grounds.targets(seen.call, seen.scope):
            function = self.program.method(target, "__init__") if isinstance(target, Scope) and target.is_class else target
            if isinstance(function, Scope):
                return self.reads.parameter_unread(function, seen.text)
        return ""

    def _off(self, name: str, value: ast.expr | None, scope: Scope) -> str:
        """Why a name switches nothing on: every worth it may have is false, zero or none."""
        if value is None:
            return ""
        values = self.ev.evaluate(value, scope)
        if all(isinstance(known, Known) and not known.value and known.value != "" for known in values):
            return f"{name} is switched off ({', '.join(str(known.value) for known in values if isinstance(known, Known))})"
        return ""

    def _written(self, seen: Sighting) -> Mention | None:
        write, scope = seen.write, seen.scope
        assert write is not None
        if write.kind != "import" and _passes_on(write.value):
            return None
        dead = self.liveness.reason(write.node, scope)
        if write.kind == "param":
            dead = dead or self.liveness.scope_reason(scope) or self.reads.parameter_unread(scope, write.name)
            return self._made(seen, "", dead, (seen.text,), write.value)
        if write.kind == "import":
            target = self.program.written(write)
            uses = (target.name,) if isinstance(target, External) else ()
            return Mention(
                seen.text,
                uses[0] if uses else "",
                Form.NAME,
                self._place(seen, dead or self.reads.unread(write) or self._made_in_vain(write), ()),
                None,
                False,
                uses,
            )
        dead = dead or (self.reads.unread(write) if isinstance(write.value, ast.Constant) else self._unread(write))
        return self._made(seen, "", dead, tuple(seen.text.split(".")), write.value)

    def _made_in_vain(self, write: Write) -> str:
        """Why nothing reads what an imported name makes, wherever it is called; empty when something may."""
        owners = [self._owner(node, reader) for reader, node in self.reads.readers(write)]
        reasons = [self._unread(owner) if owner is not None else "" for owner in owners]
        return reasons[0] if reasons and all(reasons) else ""

    def _made(self, seen: Sighting, target: str, dead: str, tail_path: tuple[str, ...], value: ast.expr | None = None) -> Mention:
        """A mention of a name with the value that it is given."""
        named = seen.form is Form.NAME
        setting = named and (value is None or isinstance(value, ast.Constant | ast.UnaryOp))
        stub = None
        if named and value is not None:
            stub = self._statement_stub(seen) or self._value_stub(seen, value, setting)
        uses = self.grounds.value_uses(value, seen.scope) if value is not None else ()
        off = setting and self.bindings.off_by_default(seen.text.rpartition(".")[2], seen.scope.location(seen.node))
        return Mention(seen.text, target, seen.form, self._place(seen, dead, tail_path), stub, setting, uses, off=off)

    def _value_stub(self, seen: Sighting, value: ast.expr, setting: bool) -> Placeholder | None:
        if not setting:
            return self.grounds.value_stub(seen.text, value, seen.scope)
        write = seen.write
        if write is None or write.kind != "assign" or not write.scope.is_function:
            return None
        alone = len(write.scope.writes.get(write.name, (write,))) == 1
        return self.grounds.placeholders.made_up(seen.text, value, seen.scope) if alone else None

    def _statement_stub(self, seen: Sighting) -> Placeholder | None:
        node = seen.node
        return self.grounds.placeholders.statement(node, seen.scope) if isinstance(node, ast.stmt) else None

    def _reference(self, seen: Sighting) -> Mention:
        assert isinstance(seen.node, ast.expr)
        scope, write = seen.scope, self._owner(seen.node, seen.scope)
        target = self.program.resolve(seen.node, scope)
        stub = self.grounds.definition_stub(target) if isinstance(target, Scope) and not target.is_module else None
        name = target.name if isinstance(target, External) else target.qualified if target is not None else ""
        dead = self.liveness.reason(seen.node, scope) or (self.reads.unread(write) if write is not None else "")
        uses = self.grounds.uses(target) if isinstance(target, Scope) and not target.is_module else ()
        return Mention(
            seen.text, name, Form.REFERENCE, self._place(seen, dead, (*_bound(write), *seen.text.split("."))), stub, uses=uses
        )

    def _import(self, seen: Sighting) -> Mention | None:
        """An import that nothing uses; a used one shows by its uses."""
        assert seen.write is not None
        if seen.scope.file.path.endswith("__init__.py"):
            return None
        dead = self.liveness.reason(seen.node, seen.scope) or self._unread(seen.write)
        return Mention(seen.text, seen.text, Form.IMPORT, self._place(seen, dead, (seen.text,))) if dead else None

    # --- strings --------------------------------------------------------------------------------------------------------

    def _string(self, seen: Sighting) -> Mention | None:
        assert isinstance(seen.node, ast.expr)
        use = self.purposes.of(seen.node, seen.scope)
        if use.purpose in {"message", "read", "choice"}:
            return None
        scope = seen.scope
        write = self._owner(seen.node, scope)
        unread = self._unread if use.call is not None else self.reads.unread
        dead = self.liveness.reason(seen.node, scope) or (unread(write) if write is not None else "")
        if use.refused:
            dead = dead or f"code refuses {seen.text!r} with an error"
        if use.purpose == "option":
            return self._option(seen, dead)
        if use.purpose == "help":
            return self._help(seen, use.call, dead)
        called = self.sightings.expanded(use.call.func, scope).split(".")[-2:] if use.call is not None else []
        place = self._place(seen, dead, (*_bound(write), *called, *([use.keyword] if use.keyword else []), seen.text))
        if use.purpose == "key" and use.value is not None:
            setting = isinstance(use.value, ast.Constant | ast.UnaryOp)
            reported = isinstance(use.statement, ast.Return) or use.call is not None
            stub = self._key_stub(seen.text, use.value, scope, setting and not reported)
            return Mention(seen.text, "", Form.KEY, place, stub, setting, self.grounds.value_uses(use.value, scope))
        values = [
            part.value for part in use.branch if isinstance(part, ast.Return | ast.Assign | ast.Expr) and part.value is not None
        ]
        uses = tuple(name for value in values for name in self.grounds.value_uses(value, scope))
        below = next((found for value in values if (found := self.grounds.value_stub(seen.text, value, scope)) is not None), None)
        return Mention(seen.text, called[-1] if called else "", Form.STRING, place, self._scope_stub(scope) or below, uses=uses)

    def _key_stub(self, name: str, value: ast.expr, scope: Scope, setting: bool) -> Placeholder | None:
        own = self._scope_stub(scope)
        return own or (None if setting else self.grounds.value_stub(name, value, scope))

    def _scope_stub(self, scope: Scope) -> Placeholder | None:
        return None if scope.is_module else self.grounds.placeholders.of(scope)

    def _option(self, seen: Sighting, dead: str) -> Mention | None:
        if not seen.text.startswith("-"):
            return None
        dest = seen.text.lstrip("-").replace("-", "_")
        options = [binding for binding in self.bindings.of(dest) if binding.place.location.file == seen.scope.file.path]
        reason = next((binding.place.dead for binding in options), "")
        off = bool(options) and all(not worth.value and not worth.symbolic for binding in options for worth in binding.worths)
        if off and any(binding.worths for binding in options):
            reason = reason or f"{dest} is off by default"
        return Mention(dest, "", Form.NAME, self._place(seen, dead or reason, (dest,)), setting=True)

    def _help(self, seen: Sighting, call: ast.Call | None, dead: str) -> Mention | None:
        """What an option for a path says that lies there: `--data_path`, "path to ImageNet"."""
        flags = [str(argument.value) for argument in call.args if isinstance(argument, ast.Constant)] if call is not None else []
        path = next((flag for flag in flags if _DATA.search(flag)), None)
        if path is None:
            return None
        dest = path.lstrip("-").replace("-", "_")
        reason = next((binding.place.dead for binding in self.bindings.of(dest)), "")
        return Mention(seen.text, "add_argument", Form.STRING, self._place(seen, dead or reason, (dest,)), setting=True)

    def _entry(self, entry: Entry) -> Mention:
        location = Location(entry.file, entry.line, entry.column)
        dead = ""
        if entry.file.endswith((".yaml", ".yml", ".json", ".toml", ".ini", ".cfg", ".conf")) and len(entry.path) > 0:
            dead = self._key_dead(entry)
        off = entry.form is Form.KEY and entry.setting and self.bindings.off_by_default(entry.text, location)
        return Mention(entry.text, "", entry.form, Place(location, entry.path, dead), setting=entry.setting, off=off)

    def _key_dead(self, entry: Entry) -> str:
        found = [binding for binding in self.bindings.of(entry.path[-1]) if binding.place.location.file == entry.file]
        if entry.path[-1] == "_target_":
            return "" if entry.file in self.ev.configs.loads else f"no code loads {entry.file}"
        exact = [binding for binding in found if binding.place.path == entry.path] or found
        if exact:
            return exact[0].place.dead
        if entry.file not in self.ev.configs.loads:
            return f"no code loads {entry.file}"
        return self._section_dead(entry) if entry.form is Form.KEY and not entry.setting else ""

    def _section_dead(self, section: Entry) -> str:
        """Why nothing reads a section of a configuration file: neither its name nor any key in it."""
        reason = self.reads.member_unread(section.path[-1], None)
        depth = len(section.path)
        inside = [leaf for leaf in self._leaves.get(section.file, ()) if leaf.path[:depth] == section.path] if reason else []
        return reason if inside and all(self._key_dead(leaf) for leaf in inside) else ""

    @cached_property
    def _leaves(self) -> dict[str, list[Entry]]:
        """Configuration file -> its keys that hold plain values."""
        found: dict[str, list[Entry]] = {}
        for group in self._by_text.values():
            for one in group:
                if isinstance(one, Entry) and one.form is Form.KEY and one.setting:
                    found.setdefault(one.file, []).append(one)
        return found

    def _unread(self, write: Write) -> str:
        """Why nothing reads what is computed or made; to be printed or logged is a use of a result, if of no setting."""
        reason = self.reads.unread(write)
        name = write.name.rpartition(".")[2]
        for scope in write.scope.module.walk() if reason else ():
            told: list[ast.expr] = [load for load in scope.loads if load.id == name]
            told += [one for one in scope.attributes if one.attr == name]
            if any(not self.liveness.reason(node, scope) for node in told):
                return ""
        return reason

    # --- places ---------------------------------------------------------------------------------------------------------

    def _place(self, seen: Sighting, dead: str, tail_path: tuple[str, ...]) -> Place:
        return Place(seen.scope.location(seen.node), (*seen.scope.names, *tail_path), dead)

    def _owner(self, node: ast.AST, scope: Scope) -> Write | None:
        """The assignment whose value a node stands in."""
        if id(scope) not in self._owners:
            table: dict[int, Write] = {}
            for write in _assignments(scope):
                assert write.value is not None
                for part in walk(write.value):
                    table.setdefault(id(part), write)
            self._owners[id(scope)] = table
        return self._owners[id(scope)].get(id(node))


def _assignments(scope: Scope) -> Iterator[Write]:
    for write in [*(write for writes in scope.writes.values() for write in writes), *scope.stores]:
        if write.kind == "assign" and write.value is not None and not write.unpack:
            yield write


def _passes_on(value: ast.expr | None) -> bool:
    """Whether a name only gets what another one has, or nothing yet, so that it shows nothing by itself."""
    empty = isinstance(value, ast.Constant) and value.value is None
    return value is None or empty or isinstance(value, ast.Name | ast.Attribute | ast.Subscript)


def _bound(write: Write | None) -> tuple[str, ...]:
    return tuple(part for part in write.name.split(".") if part not in {"self", "cls"}) if write is not None else ()
