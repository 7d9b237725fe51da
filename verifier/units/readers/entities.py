"""Entities: data sets, baselines, metrics, models, optimisers, layers that a claim names.

known   = any name that the lexicon lists
cued    = cue (":" | "on" | "against" | ...)? item ("," item)*      metrics: FID, inference time; compared against PID, SAC
proper  = a word that looks like a name: CamelCase, an acronym, a name with digits (ResNet-18, HalfCheetah-v2)
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Literal, Protocol

from verifier.model.check import PresentCheck
from verifier.units.readers.found import Page
from verifier.units.readers.names import is_content, is_symbol
from verifier.units.readers.vocabulary import CITATION_HEADS, GENERIC, HARDWARE, PREPOSITIONS, VERBS
from verifier.units.tokens import Clause, Kind, Token

Role = Literal["", "dataset", "baseline", "metric", "model", "module", "call"]


class Entity(Protocol):
    """An entity of the lexicon."""

    @property
    def name(self) -> str:
        """Its usual name."""

    @property
    def kind(self) -> str:
        """`dataset`, `env`, `metric`, `model`, `baseline`, `optimizer`, `loss` or `module`."""


class Entities(Protocol):
    """What this reader needs of the lexicon."""

    def find_entities(self, text: str) -> Sequence[tuple[int, int, Entity]]:
        """The known entities in a text, in order, each with its start and end."""


_CUES: dict[str, Role] = {
    **dict.fromkeys("baseline baselines against competitors".split(), "baseline"),
    **dict.fromkeys("metric metrics".split(), "metric"),
    **dict.fromkeys("dataset datasets benchmark benchmarks corpora".split(), "dataset"),
    **dict.fromkeys("backbone backbones".split(), "model"),
}
_ROLES: dict[str, Role] = {"dataset": "dataset", "env": "dataset", "metric": "metric"}
_NOT_NAMES = frozenset(
    "d1 d2 d3 d4 eq sec fig tab id ids api cpu gpu pe os ai ml lr bs nn 1d 2d 3d iid pytorch jax tensorflow flax cuda "
    "yes no none true false ours all both main i ii iii iv a b c gt ood n/a ok".split()
)
_MAX_ITEM = 4


def read(page: Page, clause: Clause, lexicon: Entities | None, own: str = "", places: bool = False) -> None:
    """Read the entities of a clause.

    Args:
        page: the claim.
        clause: where to read.
        lexicon: knows names; without it only cues and spelling count.
        own: the name of the paper's method, which is no entity to look for.
        places: leave out data sets that only say where something holds (`for CIFAR-10`, `on ImageNet`).
    """
    if lexicon is not None:
        _known(page, clause, lexicon, places, own)
    role = cue(clause)
    if role:
        _listed(page, clause, role)
    _proper(page, clause, own)


def cue(clause: Clause) -> Role:
    """The role that the head of a clause gives to its items: `Baselines: ...`."""
    for word in reversed(clause.head[-3:]):
        if word.lower() in _CUES:
            return _CUES[word.lower()]
    return ""


def _known(page: Page, clause: Clause, lexicon: Entities, places: bool, own: str) -> None:
    tokens = page.tokens
    begin = tokens[clause.start].start
    text = page.text[begin : tokens[clause.stop - 1].end]
    for first, last, entity in lexicon.find_entities(text):
        inside = [i for i in range(clause.start, clause.stop) if tokens[i].start < begin + last and tokens[i].end > begin + first]
        if not inside or not page.free(inside[0], inside[-1] + 1) or _possessed(tokens, inside[-1]):
            continue
        if is_own(tokens[inside[0]].text, own):
            page.taken.update(inside)
            continue
        word = tokens[inside[0]]
        plain = word.text.islower() and (word.low in PREPOSITIONS or (places and entity.kind == "metric" and len(inside) == 1))
        if plain or not _whole(page.text, begin + first, begin + last):
            continue
        start, stop = inside[0], inside[-1] + 1
        if places and entity.kind in ("dataset", "env") and _is_place(tokens, clause, start):
            page.taken.update(range(start, stop))
            continue
        role = _ROLES.get(entity.kind, "")
        if entity.kind == "loss" and "loss" not in page.words(start, min(stop + 1, clause.stop)).lower():
            role = "metric"
        page.add(start, stop, PresentCheck(entity=entity.name, role=role, source=page.source(start, stop)))


def _whole(text: str, start: int, stop: int) -> bool:
    """Whether a name does not stop inside a word: no `Exchange` in `StackExchange`."""
    return not (start and text[start - 1].isalpha() and text[start].isalpha()) and not text[stop : stop + 2].strip("s").isalpha()


def _is_place(tokens: Sequence[Token], clause: Clause, start: int) -> bool:
    """Whether a preposition of place stands within the two tokens before, or the name opens a bracket."""
    before = tokens[max(clause.start, start - 2) : start]
    return any(token.low in {"for", "on", "in", "of"} for token in before) or bool(before and before[-1].kind is Kind.OPEN)


def _possessed(tokens: Sequence[Token], index: int) -> bool:
    return tokens[index].text.endswith(("'s", "’s"))


def _listed(page: Page, clause: Clause, role: Role) -> None:
    """Every item of a cued list, whatever it looks like; a label before a bracket (`GAN (BigGAN, ...)`) is none."""
    start = clause.start
    for index in range(clause.start, clause.stop + 1):
        token = page.tokens[index] if index < clause.stop else None
        if (
            token is None
            or token.kind in (Kind.COMMA, Kind.OPEN, Kind.CLOSE)
            or token.low in {"and", "or", "/"}
            or token.text in "/+"
        ):
            label = token is not None and token.kind is Kind.OPEN and token.text == "("
            if not label:
                _item(page, start, index, role)
            elif index + 3 < len(page.tokens) and page.tokens[index + 2].kind is not Kind.COMMA:
                _item(page, start, index, role)
            start = index + 1


def _item(page: Page, start: int, stop: int, role: Role) -> None:
    words = [i for i in range(start, stop) if is_content(page.tokens[i]) and page.tokens[i].low not in VERBS]
    if not words or not page.free(start, stop) or len(words) > _MAX_ITEM:
        return
    words = words[:_MAX_ITEM]
    name = " ".join(page.tokens[i].text for i in words)
    if role == "dataset" and len(words) == 1 and (name.islower() or name.lower() in CITATION_HEADS):
        return
    if all(page.tokens[i].low in GENERIC for i in words) or is_symbol(name) or is_symbol(page.tokens[words[-1]].text):
        return
    page.add(start, stop, PresentCheck(entity=name, role=role, source=page.source(start, stop)))


def _proper(page: Page, clause: Clause, own: str) -> None:
    """Items that are a name, alone or before a common word that says what it is; capitalised words in a list of names."""
    spans = list(_items(page, clause))
    names = [span for span in spans if is_proper(page.tokens[span[0]])]
    for start, stop in spans:
        token = page.tokens[start]
        listed = start > clause.start and page.tokens[start - 1].text in {",", "(", "/", "and", "or"}
        among = len(names) > 1 and stop - start == 1 and token.text[:1].isupper() and listed and len(token.text) > 1
        before = page.tokens[start - 1].low if start > clause.start else ""
        if (
            not (is_proper(token) or among)
            or is_own(token.text, own)
            or _possessed(page.tokens, start)
            or before in CITATION_HEADS
        ):
            continue
        if stop - start > 1 and not (stop - start == 2 and page.tokens[start + 1].low in GENERIC):
            continue
        if stop < clause.stop and page.tokens[stop].text in {"=", "^"}:
            continue
        page.add(
            start,
            stop,
            PresentCheck(entity=token.text, role=_role(page.tokens, start + 1, stop), source=page.source(start, stop)),
        )


def _items(page: Page, clause: Clause) -> Iterator[tuple[int, int]]:
    """Runs of unexplained content words."""
    start = clause.start
    for index in range(clause.start, clause.stop + 1):
        free = (
            index < clause.stop
            and index not in page.taken
            and is_content(page.tokens[index])
            and page.tokens[index].low not in VERBS
        )
        if not free:
            if index > start:
                yield start, index
            start = index + 1


def is_proper(token: Token) -> bool:
    """Whether a word looks like the name of something: CamelCase, an acronym, a name with digits."""
    text = token.text
    if (
        token.kind is not Kind.WORD
        or token.low in _NOT_NAMES
        or token.low in HARDWARE
        or token.low in PREPOSITIONS
        or is_symbol(text)
        or text.endswith("'")
    ):
        return False
    letters = re.sub(r"[^A-Za-z]", "", text)
    if len(letters) < 2 or "_" in text or "^" in text or re.fullmatch(r"\d+D.*", text):
        return False
    parts = re.split(r"[-.]", text)
    camel = any(re.search(r"[a-z][A-Z]|[A-Z]{2,}", part) for part in parts)
    digits = bool(re.search(r"[A-Za-z]\d|-v?\d", text)) and text[:1].isupper()
    return camel or digits


def is_own(text: str, own: str) -> bool:
    """Whether a name is the paper's own method, or a size of it (`Name-310M`)."""
    first = re.split(r"[-+]", text.lower())[0]
    initials = "".join(part[:1] for part in own.lower().split("-"))
    return bool(own) and first in {re.sub(r"[^a-z0-9]", "", own.lower()), initials if len(initials) > 2 else ""}


def _role(tokens: Sequence[Token], start: int, stop: int) -> Role:
    """The role that the next words give: `DDPM baseline`, `CIFAR-10 dataset`."""
    for token in tokens[start:stop]:
        if token.low.rstrip("s") in {"baseline", "dataset", "benchmark", "metric"}:
            return _CUES[token.low.rstrip("s")]
    return ""
