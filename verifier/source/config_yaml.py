"""YAML with positions, from the events of libyaml.

Scalars are worth what PyYAML makes of them (YAML 1.1: `1e-4` is a string, `yes` is true, `0o17` a string, `017` fifteen). A
malformed file keeps the entries before the fault, and its top-level entries after it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import yaml
from yaml.constructor import ConstructorError, SafeConstructor
from yaml.nodes import ScalarNode
from yaml.resolver import Resolver

from verifier.model.constant import Scalar
from verifier.model.repository import ConfigNode
from verifier.source.config_tree import Builder, Fault, Roots
from verifier.source.limits import Limits

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_RESOLVERS = Resolver.yaml_implicit_resolvers
_PREFIX = "tag:yaml.org,2002:"
_MAX_NUMBER = 400
_TOP_KEY = re.compile(r"[^\s#\-}\]][^\n]*:(?:\s|$)", re.MULTILINE)


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
    construct = {"int": constructor.construct_yaml_int, "float": constructor.construct_yaml_float, "bool": constructor.construct_yaml_bool}
    try:
        value: Scalar = construct[tag](ScalarNode(_PREFIX + tag, text))
    except (ValueError, KeyError, ConstructorError, IndexError, OverflowError):
        return text
    return value


def _implicit_tag(text: str) -> str:
    for tag, pattern in _RESOLVERS.get(text[:1], []) + _RESOLVERS.get(None, []):
        if pattern.match(text):
            return str(tag)
    return "str"


class _Composer:
    """Builds nodes from one event stream, without recursion; after a fault the open containers are closed."""

    def __init__(self, builder: Builder, first_line: int) -> None:
        self.builder = builder
        self.offset = first_line
        self.roots: list[ConfigNode] = []
        self.faults: list[Fault] = []
        self.open: list[_Open] = []
        self.anchors: dict[str, tuple[ConfigNode, int]] = {}

    def compose(self, text: str) -> None:
        try:
            for event in yaml.parse(text, Loader=_LOADER):
                self._take(event)
        except yaml.YAMLError as error:
            mark = getattr(error, "problem_mark", None)
            problem = getattr(error, "problem", None) or str(error).splitlines()[0]
            self.faults.append((self.offset + (mark.line + 1 if mark else 1), f"malformed YAML: {problem}"))
        while self.open:
            self._close()

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
        return self.offset + event.start_mark.line + 1, event.start_mark.column + 1

    def _start(self, event: yaml.Event) -> None:
        if len(self.open) >= self.builder.limits.config_depth:
            raise yaml.MarkedYAMLError(problem=f"nested deeper than {self.builder.limits.config_depth}", problem_mark=event.start_mark)
        self.builder.add()
        self.open.append(_Open(isinstance(event, yaml.MappingStartEvent), *self._place(event), event.anchor))

    def _close(self) -> None:
        top = self.open.pop()
        if top.is_mapping:
            node = self.builder.mapping(top.merged(), top.line, top.column)
        else:
            node = self.builder.sequence(top.items, top.line, top.column)
        self._put(node, top.anchor, top.size, "")

    def _alias(self, event: yaml.Event) -> None:
        node, size = self.anchors.get(event.anchor, (None, 0))
        line, column = self._place(event)
        if node is None:
            self.faults.append((line, f"alias *{event.anchor} has no finished anchor"))
            node = ConfigNode(None, line, column)
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
        TooLarge: it has more values than a configuration would, aliases counted as often as they stand.
    """
    composer = _Composer(Builder(limits), 0)
    composer.compose(text)
    if not composer.faults or not composer.open and composer.roots and not _cut(composer.faults):
        return tuple(composer.roots), composer.faults
    return _resume(text, composer, limits)


def _cut(faults: list[Fault]) -> bool:
    return any(message.startswith("malformed") for _, message in faults)


def _resume(text: str, composer: _Composer, limits: Limits) -> Roots:
    """Read the top-level entries after a fault one by one, and put them into the last root."""
    *roots, last = composer.roots or [ConfigNode(None, 1, 1, fields=())]
    if last.fields is None:
        return (*roots, last), composer.faults
    pairs = list(last.fields)
    for first_line, chunk in _chunks(text, composer.faults[-1][0]):
        part = _Composer(composer.builder, first_line)
        part.compose(chunk)
        pairs += [pair for root in part.roots for pair in root.fields or ()]
        composer.faults += part.faults[:1]
    return (*roots, composer.builder.mapping(pairs, last.line, last.column)), composer.faults


def _chunks(text: str, after_line: int) -> Iterator[tuple[int, str]]:
    """Yield (lines before it, text) of each top-level entry that starts after the line."""
    lines = text.split("\n")
    starts = [number for number in range(after_line, len(lines)) if _TOP_KEY.match(lines[number])]
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        yield start, "\n".join(lines[start:end])


