"""Facts: what the code of a repository does. The only way in is `index`."""

from verifier.facts.index import Facts, index

__all__ = ["Facts", "index"]
