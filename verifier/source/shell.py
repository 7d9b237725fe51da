"""Shell scripts to the commands they run, in order.

Nothing is run. Variables that the script sets to constants are put in, a loop over constant words goes through its body for each
of them, functions are gone through where they are called, and so is each branch of `if` and `case`. A variable set in a branch
keeps the value from before when the new one is not known, or else becomes unknown; command substitutions and arithmetic stay as
written.
"""

from __future__ import annotations

from collections.abc import Iterable

import tree_sitter_bash
from tree_sitter import Language, Node, Parser

from verifier.model.location import Problem
from verifier.model.repository import Command, ScriptFile
from verifier.source.limits import DEFAULT_LIMITS, Limits
from verifier.source.role import role_of
from verifier.source.shell_words import Values, Word, expand, is_unknown, split, text_of
from verifier.source.text import decode

_DEPTH = 60
_MAX_WORDS = 1_000
_WORDS = frozenset(
    {"word", "string", "raw_string", "ansi_c_string", "translated_string", "concatenation", "number", "test_operator", "regex"}
    | {
        "simple_expansion",
        "expansion",
        "brace_expression",
        "command_substitution",
        "arithmetic_expansion",
        "process_substitution",
    }
    | {"extglob_pattern"}
)
_BRANCHES = frozenset({"elif_clause", "else_clause", "case_item"})


class _FullError(Exception):
    """The script runs more commands than are kept."""


class ShellReader:
    """Goes through one script.

    Args:
        text: the script, or the lines of a recipe.
        limits: bounds on the number of commands.
        first_line: line of the file at which the text starts.
        target: the Makefile target that the text is the recipe of.

    Attributes:
        commands: what it runs.
        faults: (line, message) of what was not understood.
    """

    def __init__(self, text: str, limits: Limits, first_line: int = 1, target: str = "") -> None:
        self.text = text
        self.limits = limits
        self.first_line = first_line
        self.target = target
        self.commands: list[Command] = []
        self.faults: list[tuple[int, str]] = []
        self.values: dict[str, tuple[Word, ...]] = {}
        self.functions: dict[str, Node] = {}
        self.exported: list[str] = []
        self.steps = 0

    def run(self) -> None:
        """Fill `commands` and `faults`."""
        root = Parser(Language(tree_sitter_bash.language())).parse(self.text.encode()).root_node
        if root.has_error:
            line = self.first_line + _first_error(root).start_point[0]
            self.faults.append((line, "malformed shell: a part is not understood"))
        try:
            self._all(root.children, 0)
        except _FullError:
            self.faults.append(
                (self.first_line, f"the script runs more than {self.limits.commands} commands: the rest is left out")
            )

    def _all(self, nodes: Iterable[Node], depth: int) -> None:
        for node in nodes:
            self._node(node, depth + 1)

    def _node(self, node: Node, depth: int) -> None:
        self.steps += 1
        if self.steps > 20 * self.limits.commands:
            raise _FullError
        if depth > _DEPTH or node.is_missing:
            return
        kind = node.type
        if kind == "command":
            self._command(node, depth)
        elif kind == "variable_assignment":
            self._assign(node)
        elif kind == "function_definition":
            self._define(node)
        elif kind == "for_statement":
            self._loop(node, depth)
        elif kind in ("if_statement", "case_statement", "while_statement"):
            self._branches(node, depth)
        elif kind == "subshell":
            outside = dict(self.values)
            self._all(node.named_children, depth)
            self.values = outside
        elif kind == "unset_command":
            for child in node.named_children:
                self.values.pop(_text(child), None)
        elif kind not in _WORDS and kind not in ("comment", "heredoc_redirect", "file_redirect", "test_command", "variable_name"):
            self._all(node.named_children, depth)
            self._export(node)

    def _words(self, node: Node) -> tuple[Word, ...]:
        """Expand one word; what an unquoted variable holds is split at blanks."""
        words = expand(node, self.values, self.first_line)
        return split(words) if node.type in ("simple_expansion", "expansion") and not is_unknown(words) else words

    def _command(self, node: Node, depth: int) -> None:
        words: list[Word] = []
        for child in node.children:
            if child.type == "variable_assignment":
                name, value = child.children[0], child.child_by_field_name("value")
                text = text_of(value, self.values) if value else ""
                words.append(Word(f"{_text(name)}={text}", self.first_line + child.start_point[0], child.start_point[1] + 1))
            elif child.type == "command_name":
                words += [word for part in child.children for word in self._words(part)]
            elif child.type in _WORDS:
                words += self._words(child)
        if words and words[0].text == "eval":
            words = list(split(tuple(words[1:])))
        if words and words[0].text in self.functions and depth < _DEPTH:
            self._call(words, depth)
        elif words:
            self._emit(words)

    def _emit(self, words: list[Word]) -> None:
        if len(self.commands) >= self.limits.commands:
            raise _FullError
        texts, lines, columns = zip(*words[:_MAX_WORDS], strict=True)
        exported = tuple((name, *self.values[name][0]) for name in self.exported if len(self.values.get(name, ())) == 1)
        self.commands.append(Command(texts, lines, columns, self.target, exported))

    def _export(self, node: Node) -> None:
        """Note what `export` hands on to the programs that are started later."""
        if node.type != "declaration_command" or not _text(node).startswith("export"):
            return
        for child in node.named_children:
            named = child.child_by_field_name("name") if child.type == "variable_assignment" else child
            if named is not None and _text(named) not in self.exported:
                self.exported.append(_text(named))

    def _call(self, words: list[Word], depth: int) -> None:
        """Run the body of a function with its arguments; the call itself is no command."""
        name, *arguments = words
        positional: dict[str, tuple[Word, ...]] = {str(number): (word,) for number, word in enumerate(arguments, 1)}
        positional |= {"@": tuple(arguments), "*": tuple(arguments)}
        outside = {key: self.values.get(key) for key in positional}
        target, body = self.target, self.functions.pop(name.text)
        self.values |= positional
        self.target = name.text
        self._node(body, depth + 1)
        self.target = target
        self.functions[name.text] = body
        for key, value in outside.items():
            self._restore(key, value)

    def _restore(self, name: str, value: tuple[Word, ...] | None) -> None:
        if value is None:
            self.values.pop(name, None)
        else:
            self.values[name] = value

    def _define(self, node: Node) -> None:
        name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
        if name is not None and body is not None:
            self.functions[_text(name)] = body

    def _assign(self, node: Node) -> None:
        name, value = node.child_by_field_name("name"), node.child_by_field_name("value")
        if name is None or name.type != "variable_name":
            return
        place = Word("", self.first_line + node.start_point[0], node.start_point[1] + 1)
        if value is not None and value.type == "array":
            words = tuple(word for child in value.named_children for word in self._words(child))
        else:
            words = expand(value, self.values, self.first_line) if value else (place,)
        before = self.values.get(_text(name), ())
        if any(child.type == "+=" for child in node.children):
            is_array = value is not None and value.type == "array"
            words = before + words if is_array or not before else (before[0]._replace(text=before[0].text + words[0].text),)
        self.values[_text(name)] = words[:_MAX_WORDS]

    def _loop(self, node: Node, depth: int) -> None:
        variable, body = node.child_by_field_name("variable"), node.child_by_field_name("body")
        if variable is None or body is None:
            return
        items = [word for child in node.children_by_field_name("value") for word in self._words(child)]
        if any(is_unknown((word,)) for word in items) or not items:
            self.values.pop(_text(variable), None)
            self._node(body, depth + 1)
            return
        for item in items:
            self.values[_text(variable)] = (item,)
            self._node(body, depth + 1)

    def _branches(self, node: Node, depth: int) -> None:
        """Go through each branch with the variables from before, then join what the branches made of them."""
        before = dict(self.values)
        ends: list[Values] = []
        inline = [child for child in node.named_children if child.type not in _BRANCHES]
        for branch in [inline, *([child] for child in node.named_children if child.type in _BRANCHES)]:
            self.values = dict(before)
            for part in branch:
                self._all(part.named_children, depth) if part.type in _BRANCHES else self._node(part, depth + 1)
            ends.append(self.values)
        self.values = dict(before)
        for name in sorted({name for end in ends for name in end}):
            self._join(name, before.get(name), [end[name] for end in ends if name in end])

    def _join(self, name: str, before: tuple[Word, ...] | None, values: list[tuple[Word, ...]]) -> None:
        changed = [value for value in values if value != before and not is_unknown(value)]
        texts = {tuple(word.text for word in value) for value in changed}
        if len(texts) == 1 and before is None:
            self.values[name] = changed[0]
        elif changed:
            self.values.pop(name, None)


def _first_error(node: Node) -> Node:
    while True:
        inner = next((child for child in node.children if child.has_error or child.is_missing), None)
        if inner is None:
            return node
        node = inner


def _text(node: Node) -> str:
    return (node.text or b"").decode(errors="replace")


def read_shell(path: str, data: bytes, limits: Limits = DEFAULT_LIMITS) -> tuple[ScriptFile, list[Problem]]:
    """Read a shell script.

    Returns:
        The script, and a problem for each thing that was not understood.

    Raises:
        SourceError: the bytes are binary.
    """
    text, remark = decode(data)
    reader = ShellReader(text, limits)
    reader.run()
    problems = [Problem(path, 1, remark)] if remark else []
    problems += [Problem(path, line, message) for line, message in reader.faults]
    return ScriptFile(path, "shell", tuple(reader.commands), role_of(path, "")), problems
