"""How well a text of code fits the entity that a `present` check wants."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from verifier.checks.present_texts import Texts
from verifier.checks.present_words import (
    ABOUT,
    BESIDE,
    EVERYDAY,
    KIN,
    KINDS,
    NOT_THE_DATA,
    SCALES,
    SMALL,
    VAGUE,
    Words,
    alike,
    split,
)
from verifier.lexicon.derive import telling
from verifier.lexicon.names import find_window, key, words
from verifier.model.facts import Form, Mention

if TYPE_CHECKING:
    from verifier.lexicon import Lexicon
    from verifier.lexicon.entities import Entity

_PROSE = 7
_SHORT = 4
_SIZE = re.compile(r"(?<![a-z0-9.])\d+(?:\.\d+)?[bm](?![a-z0-9])")
_VERSION = re.compile(r"(?<=[a-zA-Z0-9])[-_]?v(\d+)(?![\d.]*[a-z])", re.IGNORECASE)
_LOADS = frozenset({"load", "load_metric", "get_metric", "create_metric", "get_scorer", "make_scorer", "Metric"})
_PLAIN = re.compile(r"[\w-]+")
_HUB_NAME = re.compile(r"[\w.-]*[A-Za-z][\w.-]+")
_PROPER = re.compile(r"[a-z][A-Z]|[A-Z]{2}|\d")


@dataclass(frozen=True, slots=True, order=True)
class Fit:
    """How well a mention fits; less is better.

    Attributes:
        tier: 0 the thing itself is called or defined, 1 its name in a string, key or value, 2 a part of a longer name, or a setting, 3 only
            words of a phrase, or an import.
        extra: how many words the text has besides.
    """

    tier: int
    extra: int


@dataclass(frozen=True)
class Wanted:
    """What a check wants, under all its names.

    Attributes:
        phrase: as the unit names it.
        role: the check's `as`.
        placed: whether a phrase may be met by a name and what is around it: a check says where to look, or is read from running text.
    """

    phrase: str
    role: str
    lexicon: Lexicon
    placed: bool = False

    @cached_property
    def entities(self) -> tuple[Entity, ...]:
        """What the lexicon knows under the phrase, or under its core: `DDIM` of `DDIM sampling`."""
        found = self.lexicon.named_entities(self.phrase, self.role)
        if found:
            return found
        inside = {entity.name: (start, end) for start, end, entity in self.lexicon.find_entities(self.phrase)}
        for name, (start, end) in inside.items():
            if set(words(self.phrase[:start] + " " + self.phrase[end:])) <= KINDS:
                return self.lexicon.named_entities(name, self.role)
        return ()

    @cached_property
    def names(self) -> frozenset[str]:
        """The usual names of these."""
        return frozenset(entity.name for entity in self.entities)

    @cached_property
    def siblings(self) -> frozenset[str]:
        """Names of what may stand in its place by mistake; layers and losses are made of one another and have none."""
        mistakable = [entity for entity in self.entities if entity.kind not in {"module", "loss"}]
        return frozenset(other.name for entity in mistakable for other in self.lexicon.entities.siblings(entity))

    @cached_property
    def hub_id(self) -> str:
        """The last part of a model's identifier on a hub, when the phrase is one: `dino-vits16` of `facebook/dino-vits16`."""
        owner, slash, name = self.phrase.partition("/")
        listed = any(self.phrase.lower() in (one.lower() for one in entity.ids) for entity in self.entities)
        likely = (
            slash and _HUB_NAME.fullmatch(owner) and _HUB_NAME.fullmatch(name) and any(mark in name for mark in "-_0123456789")
        )
        kinds = {entity.kind for entity in self.entities}
        return name if slash and (listed or likely) and self.role != "dataset" and kinds <= {"model"} else ""

    @property
    def built_of_siblings(self) -> bool:
        """Whether things of its kind are made of one another, as a metric of other metrics: then only a bare call is a mistake."""
        return any(entity.kind not in {"dataset", "env"} for entity in self.entities)

    @cached_property
    def spellings(self) -> tuple[tuple[Words, str], ...]:
        """Its spellings, each with its words run together."""
        if self.hub_id:
            return tuple((spelled, "".join(spelled)) for spelled in (words(self.phrase), words(self.hub_id)))
        listed, own = self._listed, words(self.phrase)
        found = []
        core = [name for name in sorted(self.names) if name != self.phrase]
        for spelled in [one for phrase in (self.phrase, *core) for one in self.lexicon.entity_spellings(phrase, self.role)]:
            run = "".join(spelled)
            if len(run) > 1 and (run in listed or run == "".join(own) or self._shortens(spelled, own)):
                found.append((spelled, run))
        return tuple(found)

    @cached_property
    def _listed(self) -> frozenset[str]:
        """The spellings that the lexicon lists, run together."""
        return frozenset(key(name) for entity in self.entities for name in (*entity.names, *entity.ids, *entity.calls))

    def _shortens(self, spelled: Words, own: Words) -> bool:
        """Whether a spelling that is only derived still names the thing: no letter or number may be lost, no common word be left."""
        lost = [word for word in own if word not in spelled]
        if any(len(word) == 1 or word[0].isdigit() for word in lost) and any(word in own for word in spelled):
            return False
        if len(spelled) > 1 or spelled[0] not in own:
            return True
        parts = [part for part in re.split(r"[\s_/-]+", self.phrase) if words(part) == spelled]
        return spelled[0] not in EVERYDAY and bool(parts) and (bool(self.entities) or any(_PROPER.search(part) for part in parts))

    @cached_property
    def content(self) -> Words:
        """The telling words of the phrase."""
        own = telling(self.phrase, SMALL)
        plain = tuple(word for word in own if word not in VAGUE)
        return plain or own

    @property
    def is_description(self) -> bool:
        """Whether it is described rather than named: several words, none of them a proper name, that the lexicon does not know."""
        return not self.entities and len(self.content) > 1 and not _PROPER.search(self.phrase)

    def is_other_variant(self, text: str) -> bool:
        """Whether a text names another size, scale or version of the thing than the phrase does: `gemma-7b` for `Gemma-2B`."""
        wanted = self._variant
        return bool(wanted) and any(key in wanted and wanted[key] != value for key, value in variant(text).items())

    @cached_property
    def _variant(self) -> dict[str, str]:
        """What the phrase says of size, scale and version beyond the usual name."""
        usual = [variant(name) for name in self.names]
        return {key: value for key, value in variant(self.phrase).items() if not any(key in one for one in usual)}

    def known(self, text: str, target: str = "") -> bool:
        """Whether the lexicon takes a text for the entity itself, or for a special case of it."""
        return any(found.name in self.names or self.names & set(found.broader) for found in self.lexicon.identify(text, target))

    def spelled_in(self, text: str) -> bool:
        """Whether a running text has one of the spellings; a short name must be spelled as the unit does."""
        if len(self.phrase) <= _SHORT and not re.search(rf"(?<![A-Za-z]){re.escape(self.phrase)}(?![A-Za-z])", text):
            return False
        own, joined = split(text)
        return any(run in joined and find_window(own, spelled) >= 0 for spelled, run in self.spellings)

    # --- fitting --------------------------------------------------------------------------------------------------------

    def candidates(self, texts: Texts) -> list[str]:
        """The texts of which a mention could fit, in order."""
        found = texts.having(run for _, run in self.spellings)
        if len(self.content) > 1:
            met: dict[int, set[str]] = {}
            for word, numbers in texts.by_word.items():
                wanted = self._meets(word)
                for number in numbers if wanted else ():
                    met.setdefault(number, set()).update(wanted)
            least = max(1, len(self.content) - 1)
            found |= {number for number, words_met in met.items() if len(words_met) >= least}
        return [texts.texts[number] for number in sorted(found)]

    def fit(self, mention: Mention) -> Fit | None:
        """How well a mention fits; None when it is something else."""
        if mention.text.endswith(("Error", "Exception", "Warning")):
            return None
        window = self._window(mention.text)
        if window is None:
            return self._loose(mention)
        spelled, own, start = window
        if mention.form is Form.STRING and not self._may_be_text(mention, len(own) - len(spelled)):
            return None
        if self.role == "dataset" and mention.form is Form.STRING and _loads_metric(mention):
            return None
        if self.role == "dataset" and mention.form in {Form.NAME, Form.REFERENCE, Form.IMPORT} and NOT_THE_DATA & set(own):
            return None
        if self._lacks_kind(mention, spelled, own):
            return self._loose(mention)
        if self._is_everyday(mention, own, "".join(spelled)) or self._only_named(mention) or self._is_beside(mention, spelled):
            return None
        if self._is_about(mention, own[start:], spelled):
            return Fit(3, len(own) - len(spelled)) if self.role in {"", "module"} and mention.form is Form.NAME else None
        return Fit(self._tier(mention, start, len(own)), len(own) - len(spelled))

    def _may_be_text(self, mention: Mention, extra: int) -> bool:
        """Whether a string names the thing and does not only speak of it; two names that stand together must be its whole name."""
        if mention.target == "add_argument":
            return self.role == "dataset"
        if "+" in mention.text:
            return extra == 0
        if not self.entities and extra > 0 and SMALL & set(mention.text.lower().split()):
            return False
        return " " not in mention.text or (self.role != "metric" and extra <= _PROSE)

    def _lacks_kind(self, mention: Mention, spelled: Words, own: Words) -> bool:
        """Whether a spelling without the loss or block that the phrase speaks of is met by what is none: `"dpo"` for `DPO loss`."""
        lost = [KIN[word] for word in words(self.phrase) if word in KIN and word not in spelled]
        if not lost or "".join(spelled) in self._listed or not set(spelled) & set(words(self.phrase)):
            return False
        if not self.entities:
            return any(not group & set(own) for group in lost)
        around = {word for name in mention.place.path for word in words(name)}
        return mention.form is Form.STRING and not mention.target and any(not group & around for group in lost)

    def _is_beside(self, mention: Mention, spelled: Words) -> bool:
        """Whether a name goes on after that of a pretrained model to say that it is something else: `DinoDiscriminator`."""
        pretrained = bool(self.entities) and all(entity.ids and entity.kind == "model" for entity in self.entities)
        library = mention.form in {Form.CALL, Form.REFERENCE} and bool(mention.target) and ":" not in mention.target
        if not pretrained or library or self.role not in {"", "model"} or mention.form is Form.STRING:
            return False
        other = BESIDE - {"encoder"} if mention.form in {Form.NAME, Form.KEY} else BESIDE
        found = [own for part in mention.text.split(".") if find_window(own := words(part), spelled) >= 0]
        return bool(found) and bool(other & set(found[-1][_last_window(found[-1], spelled) :]) - set(spelled))

    def _tier(self, mention: Mention, start: int, length: int) -> int:
        last = len(words(mention.text.rpartition(".")[2]))
        match mention.form:
            case Form.CALL | Form.CLASS | Form.FUNCTION | Form.REFERENCE:
                return 0 if start >= length - last else 2
            case Form.STRING:
                if mention.setting:
                    return 3
                if self.role == "metric" and mention.target not in _LOADS:
                    return 2
                return 0 if self.role in {"dataset", "model", "metric"} and start == 0 else 1
            case Form.KEY | Form.NAME:
                return 2 if mention.setting else 1
        return 3

    def _is_about(self, mention: Mention, rest: Words, spelled: Words) -> bool:
        """Whether the name goes on after the spelling to name a property of the thing: `ddpm_timesteps`, `get_srm_input_channels`."""
        after = rest[len(spelled) :]
        return mention.form is not Form.CLASS and bool(after) and after[-1] in ABOUT and spelled[-1] not in ABOUT

    def _is_everyday(self, mention: Mention, own: Words, run: str) -> bool:
        """Whether an acronym meets a word of the language inside a name: `PER` is not in `per_token_loss`, `MAX` is no `max`."""
        if run not in EVERYDAY or (self.phrase.islower() and key(self.phrase) == run):
            return False
        if "".join(own) == run and mention.form not in {Form.CALL, Form.REFERENCE, Form.NAME}:
            return False
        name = mention.text.rpartition(".")[2]
        if name.isupper() and key(name) != run:
            return True
        return not re.search(rf"(?<![A-Z]){run.upper()}(?![A-Z](?![a-z]))|(?<![A-Za-z]){re.escape(self.phrase)}", name)

    def _only_named(self, mention: Mention) -> bool:
        """A model or baseline is made or run somewhere; a key or name with plain data under it does not show it."""
        return self.role in {"model", "baseline"} and mention.form in {Form.NAME, Form.KEY} and not mention.uses

    def _window(self, text: str) -> tuple[Words, Words, int] | None:
        """The spelling that a text has, its words, and where the spelling starts in them; one in its last name rather than before."""
        own, joined = split(text)
        found: tuple[Words, Words, int] | None = None
        for spelled, run in self.spellings:
            if run in joined:
                start = _last_window(own, spelled)
                if start >= 0 and not _goes_on(text, spelled) and not self._other(text, run):
                    if found is None or start + len(spelled) > found[2] + len(found[0]):
                        found = spelled, own, start
        return found

    def _other(self, text: str, run: str) -> bool:
        """Whether a longer name around the spelling is that of something else."""
        for start, end, entity in self.lexicon.find_entities(text):
            spanned = key(text[start:end])
            if run in spanned and run != spanned and entity.name not in self.names and not self.names & set(entity.broader):
                return True
        return False

    # --- phrases --------------------------------------------------------------------------------------------------------

    @cached_property
    def _met(self) -> dict[str, frozenset[str]]:
        return {}

    def _meets(self, word: str) -> frozenset[str]:
        """The telling words of the phrase that a word is a form of."""
        known = self._met.get(word)
        if known is None:
            known = self._met[word] = frozenset(wanted for wanted in self.content if alike(word, wanted))
        return known

    def _covers(self, own: Sequence[str]) -> bool:
        return frozenset[str]().union(*(self._meets(word) for word in own)) >= set(self.content)

    def _loose(self, mention: Mention) -> Fit | None:
        """All telling words of a phrase, in one name; in a place that the check names, in the class and function around it as well."""
        own = words(mention.text)
        if (
            len(self.content) < 2
            or mention.form is Form.IMPORT
            or "+" in mention.text
            or not any(self._meets(word) for word in own)
        ):
            return None
        if self._only_named(mention) or (mention.form is Form.STRING and not _PLAIN.fullmatch(mention.text)):
            return None
        if self._covers(own):
            return Fit(2, len(own) - len(self.content))
        if mention.form is Form.STRING and not all(self._meets(word) for word in own):
            return None
        if self.placed and (len(self.content) > 2 or mention.form in {Form.CALL, Form.FUNCTION, Form.CLASS, Form.STRING}):
            place = mention.place
            inner = place.path[place.location.file.count("/") + 1 :]
            around = (*own, *(word for name in inner[-4:] for word in words(name)))
            if self._covers(around):
                return Fit(3, len(own))
        return None


def _loads_metric(mention: Mention) -> bool:
    """Whether a string names a metric to load: `evaluate.load("squad_v2")`."""
    return mention.target == "load_metric" or mention.place.path[-3:-1] == ("evaluate", "load")


def _last_window(own: Words, spelled: Words) -> int:
    """Where the last occurrence of a spelling starts; -1 when there is none."""
    start = found = find_window(own, spelled)
    while start >= 0:
        start = find_window(own[found + 1 :], spelled)
        found += start + 1 if start >= 0 else 0
    return found


def _goes_on(text: str, spelled: Words) -> bool:
    """Whether a version number is followed by a letter that makes it another one: `gpt-4o`."""
    last = spelled[-1]
    return last[-1].isdigit() and "_" not in text and re.search(rf"{re.escape(last)}[a-z](?![a-zA-Z])", text) is not None


def variant(name: str) -> dict[str, str]:
    """The size, scale and version that a name of a model or environment gives."""
    found: dict[str, str] = {}
    size, version = _SIZE.search(name.lower()), _VERSION.search(name)
    if size is not None:
        found["size"] = size.group()
    if version is not None:
        found["version"] = version.group(1)
    scale = next((SCALES[word] for word in words(name)[1:] if word in SCALES), None)
    if scale is not None:
        found["scale"] = scale
    return found


def segments(dotted: str) -> Iterator[Words]:
    """The words of each part of a dotted name."""
    return (words(part) for part in dotted.split("."))
