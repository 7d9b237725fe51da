"""YAML with positions, from the events of libyaml.

Scalars are worth what PyYAML makes of them (YAML 1.1: `1e-4` is a string, `yes` is true, `0o17` a string, `017` fifteen). Of
a malformed file the lines that are at fault are left out, one by one, and the rest is read.
"""

from __future__ import annotations

import re

import yaml
from yaml.constructor import ConstructorError, SafeConstructor
from yaml.nodes import ScalarNode
from yaml.resolver import Resolver

from verifier.model.constant import Scalar
from verifier.model.repository import ConfigNode
from verifier.source.config_tree import Builder, Fault, Roots
from verifier.source.limits import Limits
from verifier.source.markdown import code_only

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_RESOLVERS = Resolver.yaml_implicit_resolvers
_PREFIX = "tag:yaml.org,2002:"
_MAX_NUMBER = 400
_MAX_LOST = 30
_MAX_MENDED = 100_000
_FENCED = frozenset({"", "yaml", "yml"})
_KEY_LINE = re.compile(r"[\w\-]+:(?:\s|$)")


def scalar(text: str, tag: str | None, plain: bool) -> Scalar:
    """Return what PyYAML's safe loader makes of a scalar; dates and unknown tags stay strings."""
    if tag is None:
        tag = _implicit_tag(text) if plain else "str"
    tag = tag.removeprefix(_PREFIX)
    if tag == "null":
        return None
    if tag not in ("int", "float", "bool") or len(text) > _MAX_NUMBER:
        return text
    constructor = SafeConstructor()
    construct = getattr(constructor, f"construct_yaml_{tag}")
    try:
        value: Scalar = construct(ScalarNode(_PREFIX + tag, text))
    except (ValueError, KeyError, ConstructorError, IndexError, OverflowError):
        return text
    return value


def _implicit_tag(text: str) -> str:
    if len(text) > _MAX_NUMBER:
        return "str"
    for tag, pattern in _RESOLVERS.get(text[:1], []) + _RESOLVERS.get(None, []):
        if pattern.match(text):
            return str(tag)
    return "str"


class _TooDeepError(Exception):
    """Containers nest deeper than a configuration's would."""


class _Composer:
    """Builds nodes from one event stream, without recursion; after a fault the open containers are closed."""

    def __init__(self, builder: Builder) -> None:
        self.builder = builder
        self.roots: list[ConfigNode] = []
        self.faults: list[Fault] = []
        self.open: list[_Open] = []
        self.anchors: dict[str, tuple[ConfigNode, int]] = {}

    def compose(self, text: str) -> bool:
        """Read the stream; False when it is malformed."""
        faults = len(self.faults)
        try:
            for event in yaml.parse(text, Loader=_LOADER):
                self._take(event)
        except yaml.YAMLError as error:
            mark = getattr(error, "problem_mark", None)
            self.faults.append((mark.line + 1 if mark else 1, "malformed YAML: the rest is not read"))
        except _TooDeepError as error:
            self.faults.append((self.open[-1].line, str(error)))
        while self.open:
            self._close()
        return len(self.faults) == faults

    def _take(self, event: yaml.Event) -> None:
        if isinstance(event, yaml.ScalarEvent):
            plain = event.implicit[0] or event.tag is not None
            tag = None if event.tag in (None, "!") else event.tag
            line, column = self._place(event)
            self.builder.add()
            self._put(ConfigNode(scalar(event.value, tag, plain), line, column), event.anchor, 1, event.value)
        elif isinstance(event, (yaml.MappingStartEvent, yaml.SequenceStartEvent)):
            self._start(event)
        elif isinstance(event, (yaml.MappingEndEvent, yaml.SequenceEndEvent)):
            self._close()
        elif isinstance(event, yaml.AliasEvent):
            self._alias(event)
        elif isinstance(event, yaml.DocumentStartEvent):
            self.anchors = {}

    def _place(self, event: yaml.Event) -> tuple[int, int]:
        mark = event.start_mark
        return (mark.line + 1, mark.column + 1) if mark else (1, 1)

    def _start(self, event: yaml.MappingStartEvent | yaml.SequenceStartEvent) -> None:
        if len(self.open) >= self.builder.limits.config_depth:
            raise _TooDeepError(f"nested deeper than {self.builder.limits.config_depth}")
        self.builder.add()
        self.open.append(_Open(isinstance(event, yaml.MappingStartEvent), *self._place(event), event.anchor))

    def _close(self) -> None:
        top = self.open.pop()
        if top.is_mapping:
            node = self.builder.mapping(top.merged(), top.line, top.column)
        else:
            node = self.builder.sequence(top.items, top.line, top.column)
        self._put(node, top.anchor, top.size, "")

    def _alias(self, event: yaml.AliasEvent) -> None:
        line, column = self._place(event)
        node, size = self.anchors.get(str(event.anchor), (ConfigNode(None, line, column), 0))
        if not size:
            self.faults.append((line, f"alias *{event.anchor} has no finished anchor"))
        self.builder.add(size)
        self._put(node, None, size, "" if node.value is None else str(node.value))

    def _put(self, node: ConfigNode, anchor: str | None, size: int, text: str) -> None:
        if anchor is not None:
            self.anchors[anchor] = (node, size)
        if not self.open:
            self.roots.append(node)
        else:
            self.open[-1].put(node, text)
            self.open[-1].size += size


class _Open:
    """A container that is not finished yet."""

    def __init__(self, is_mapping: bool, line: int, column: int, anchor: str | None) -> None:
        self.is_mapping = is_mapping
        self.line = line
        self.column = column
        self.anchor = anchor
        self.size = 1
        self.key: str | None = None
        self.items: list[ConfigNode] = []
        self.pairs: list[tuple[str, ConfigNode]] = []
        self.inherited: list[tuple[str, ConfigNode]] = []

    def put(self, node: ConfigNode, text: str) -> None:
        """Take the next key, value or item."""
        if not self.is_mapping:
            self.items.append(node)
        elif self.key is None:
            self.key = text
        elif self.key == "<<" and (node.fields is not None or node.items is not None):
            self._merge(node)
            self.key = None
        else:
            self.pairs.append((self.key, node))
            self.key = None

    def _merge(self, node: ConfigNode) -> None:
        sources = node.items if node.items is not None else (node,)
        for source in reversed(sources):
            self.inherited += source.fields or ()

    def merged(self) -> list[tuple[str, ConfigNode]]:
        """Return the pairs, those of merge keys first so that the mapping's own ones win."""
        return self.inherited + self.pairs


def read_yaml(text: str, limits: Limits) -> Roots:
    """Read a YAML stream.

    Returns:
        One root a document, and the faults as (line, message).

    Raises:
        TooLargeError: it has more values than a configuration would, aliases counted as often as they stand.
    """
    composer = _Composer(Builder(limits))
    lost: list[Fault] = []
    if not composer.compose(text) and len(text) <= _MAX_MENDED:
        text, lost = _mended(text)
        composer = _Composer(Builder(limits))
        composer.compose(text)
    return tuple(composer.roots), lost + composer.faults


def _mended(text: str) -> tuple[str, list[Fault]]:
    """Empty what is Markdown and then, one by one, the lines at fault."""
    fault = _fault(text)
    lost: list[Fault] = []
    if fault is not None and "```" in text:
        text = code_only(text, _FENCED, _is_yaml)
        lost, fault = [(fault[0], f"lines left out: {fault[2]}")], _fault(text)
    while fault is not None and len(lost) < _MAX_LOST:
        text, lost_line, after = _without_a_line(text, fault)
        lost.append((lost_line, f"line left out: {fault[2]}"))
        fault = after
    return text, lost


def _fault(text: str) -> tuple[int, int, str] | None:
    """Return (line, line where the construct around it starts, message) of the first fault."""
    try:
        for _ in yaml.parse(text, Loader=_LOADER):
            pass
    except yaml.YAMLError as error:
        mark, context = getattr(error, "problem_mark", None), getattr(error, "context_mark", None)
        line = mark.line + 1 if mark else 1
        message = getattr(error, "problem", None) or "not YAML"
        return line, context.line + 1 if context else line, f"malformed YAML: {message}"
    return None


def _without_a_line(text: str, fault: tuple[int, int, str]) -> tuple[str, int, tuple[int, int, str] | None]:
    """Empty the line of the fault, or the one where the construct around it starts: after which more can be read."""
    tries = []
    for line in dict.fromkeys((fault[0], fault[0] - 1, fault[1])):
        lines = text.split("\n")
        if not 0 < line <= len(lines) or not lines[line - 1].strip():
            continue
        lines[line - 1] = ""
        mended = "\n".join(lines)
        after = _fault(mended)
        tries.append((len(lines) + 1 if after is None else after[0], mended, line, after))
    if not tries:
        head = "\n".join(text.split("\n")[: max(fault[0] - 1, 0)])
        return head, fault[0], _fault(head)
    _, mended, line, after = max(tries, key=lambda one: one[0])
    return mended, line, after


def _is_yaml(lines: list[str]) -> bool:
    return any(_KEY_LINE.match(line) for line in lines)
