"""Reading the fields of a mapping, with every fault noted where it stands and none hiding another."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from verifier.errors import UnitError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from verifier.units.wire import Node

T = TypeVar("T")


class Faults:
    """Collects the faults of one file.

    Args:
        name: the file as errors call it.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.found: list[UnitError] = []

    def add(self, node: Node, message: str) -> None:
        """Notes a fault at a node."""
        self.found.append(UnitError(message, f"{self.name}:{node.line}"))


def suggestion(word: object, known: Iterable[str]) -> str:
    """`: did you mean ...?` for a word that resembles a known one, else the known words."""
    from difflib import get_close_matches

    known = list(known)
    close = get_close_matches(str(word).lower(), known, n=1, cutoff=0.6)
    return f": did you mean `{close[0]}`?" if close else f": known are {', '.join(known)}"


def mapping(node: Node, what: str, faults: Faults) -> dict[str, Node] | None:
    """The fields of a mapping by key; None, with a fault noted, when the node is none."""
    if node.fields is None:
        faults.add(node, f"{what} must be a mapping, not {node.sort}")
        return None
    fields: dict[str, Node] = {}
    for key, value in node.fields:
        if not isinstance(key.value, str):
            faults.add(key, f"a key of {what} must be text, not {key.sort}")
        elif key.value in fields:
            faults.add(key, f"`{key.value}` stands twice in {what}")
        else:
            fields[key.value] = value
    return fields


def refuse_unknown(node: Node, known: Sequence[str], what: str, faults: Faults) -> None:
    """Notes a fault for each key of a mapping that is not known."""
    for key, _ in node.fields or ():
        if isinstance(key.value, str) and key.value not in known:
            faults.add(key, f"unknown key `{key.value}` in {what}{suggestion(key.value, known)}")


def text(node: Node, what: str, faults: Faults) -> str:
    """A text that says something; empty, with a fault noted, when the node holds none."""
    if not isinstance(node.value, str):
        hint = ": put it in quotes" if node.fields is None and node.items is None and node.value is not None else ""
        faults.add(node, f"{what} must be text, not {node.sort}{hint}")
        return ""
    if not node.value.strip():
        faults.add(node, f"{what} is empty")
        return ""
    return node.value.strip()


def texts(node: Node, what: str, faults: Faults) -> tuple[str, ...]:
    """One text or a list of texts; the elements that are none are noted as faults and left out."""
    if node.items is None:
        read = text(node, what, faults)
        return (read,) if read else ()
    if not node.items:
        faults.add(node, f"{what} is an empty list")
    return tuple(read for item in node.items if (read := text(item, f"each of {what}", faults)))


def choice(node: Node, known: Mapping[str, T], what: str, faults: Faults) -> T | None:
    """What a word of a fixed set stands for; None, with a fault noted, for any other."""
    if isinstance(node.value, str) and node.value in known:
        return known[node.value]
    got = f"`{node.value}`" if isinstance(node.value, str) else node.sort
    faults.add(node, f"{what} cannot be {got}{suggestion(node.value, known)}")
    return None
