"""Whether what a statement computes is read at all."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from verifier.facts.lifting.binding import Raw
    from verifier.facts.program import Program
    from verifier.facts.scopes import Scope


class Reads:
    """Which writes are seen by some read.

    Args:
        program: the program.
    """

    def __init__(self, program: Program) -> None:
        self.program = program
        self._seen: dict[int, set[int]] = {}
        self._inner: dict[int, set[str]] = {}

    def discarded(self, raw: Raw, scope: Scope) -> str:
        """Why the result of a statement does not count; empty when it may."""
        if raw.kind == "lost":
            return "its result is thrown away"
        if raw.kind not in {"assign", "loop"} or not raw.names or "." in raw.names[0]:
            return ""
        name = raw.names[0]
        writes = [write for write in scope.writes.get(name, ()) if write.node is raw.tree]
        if not writes or name in scope.globals or (scope.is_function and name in self._read_inside(scope)):
            return ""
        seen = self._seen_in(scope)
        together = [write for others in scope.writes.values() for write in others if write.node is raw.tree and write.unpack]
        if any(id(write) in seen for write in (*writes, *together)):
            return ""
        if not scope.is_function:
            last = self.program.flow(scope).exit.get(name, ())
            if any(write in last for write in writes):
                return ""
            return f"{name} is overwritten before it is read"
        others = [write for write in scope.writes[name] if id(write) in seen]
        return f"{name} is overwritten before it is read" if others else f"{name} is never read"

    def is_bound(self, scope: Scope) -> bool:
        """Whether a lambda is assigned to a name, which then stands for its definition."""
        return scope.parent is not None and any(
            write.value is scope.node for writes in scope.parent.writes.values() for write in writes
        )

    def _seen_in(self, scope: Scope) -> set[int]:
        known = self._seen.get(id(scope))
        if known is None:
            flow = self.program.flow(scope)
            known = {id(write) for writes in flow.reaching.values() for write in writes}
            self._seen[id(scope)] = known
        return known

    def _read_inside(self, scope: Scope) -> set[str]:
        """Names that functions and lambdas inside a scope read."""
        known = self._inner.get(id(scope))
        if known is None:
            known = {load.id for child in scope.children for inner in child.walk() for load in inner.loads}
            self._inner[id(scope)] = known
        return known
