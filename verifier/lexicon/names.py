"""Names as words: the one way in which identifiers, file names, config keys and phrases are compared.

`maxGradNorm`, `max_grad_norm` and `max grad norm` are the same words; `CIFAR10`, `CIFAR-10` and `cifar_10` the same name.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache

_WORD = re.compile(
    r"(?<=[\w+])\+(?!\w)"  # UNet++, LoRA+
    r"|\d+(?:[kmbdx](?![a-z])|[KMBDX](?![a-z]))?"  # 10, 50k, 2d
    r"|[A-Z]{2,}s(?![^\W\d_])"  # GANs, MLPs
    r"|[A-Z]+(?=[A-Z][a-z])"  # the GAE of GAELambda
    r"|[A-Z]?[^\W\d_A-Z]+[A-Z](?![^\W\d_])"  # AdamW, CelebA: a last capital belongs to its word
    r"|[A-Z]?[^\W\d_A-Z]+"
    r"|[A-Z]+"
)
_LETTERS = (
    "alpha beta gamma delta epsilon epsilon zeta eta theta kappa lambda mu nu xi pi rho sigma tau phi phi chi psi omega".split()
)
_GREEK = str.maketrans(
    dict(zip("αβγδεϵζηθκλμνξπρστφϕχψω", _LETTERS, strict=True))
    | dict(zip("ΓΔΘΛΞΠΣΦΨΩ", ["gamma", "delta", "theta", "lambda", "xi", "pi", "sigma", "phi", "psi", "omega"], strict=True))
)
_UNTOUCHED = frozenset(
    "axis basis bias bus canvas chaos class corpus eps focus gas has less loss lens locus minus news gauss nms pass plus pos radius "
    "series species status stress this torus virus was access process address success progress dress press mass compass cross "
    "moses transformers ens abs cos kms rms ros ddos mips".split()
)
_IRREGULAR = {
    "axes": "axis",
    "indices": "index",
    "matrices": "matrix",
    "vertices": "vertex",
    "caches": "cache",
    "analyses": "analysis",
    "biases": "bias",
    "colour": "color",
    "behaviour": "behavior",
    "neighbour": "neighbor",
    "centre": "center",
    "grey": "gray",
    "catalogue": "catalog",
}
_BRITISH = re.compile(r"(?<=[a-z]{3})(?:is(?=e$|er$|ed$|ing$|ation$|able$)|ys(?=e$|ed$|er$))")
_SHORT = (
    ("disc", "discrim", "discriminator"),
    ("gen", "generator"),
    ("opt", "optim", "optimizer"),
    ("cfg", "config", "configuration"),
    ("val", "valid", "validation"),
    ("eval", "evaluation", "evaluate"),
    ("train", "training", "trainer"),
    ("pretrain", "pretraining", "pretrained"),
    ("finetune", "finetuning", "finetuned"),
    ("test", "testing"),
    ("enc", "encoder"),
    ("dec", "decoder"),
    ("emb", "embed", "embedding"),
    ("attn", "attention"),
    ("env", "environment"),
    ("param", "parameter"),
    ("sched", "scheduler", "schedule"),
    ("aug", "augment", "augmentation"),
    ("init", "initial", "initialization"),
    ("reg", "regularizer", "regularization"),
    ("temp", "temperature"),
    ("cls", "classifier", "classification"),
    ("src", "source"),
    ("tgt", "target"),
    ("img", "image"),
    ("txt", "text"),
    ("vis", "vision", "visual"),
    ("ref", "reference"),
    ("diff", "diffusion"),
    ("recon", "reconstruction"),
)


def stem(word: str) -> str:
    """The form in which a lower-case word is compared: singular, American spelling."""
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if len(word) > 3 and word.endswith("s") and word not in _UNTOUCHED and not word.endswith(("ss", "us", "is")):
        if word.endswith("ies") and len(word) > 4:
            word = word[:-3] + "y"
        elif word.endswith(("sses", "shes", "ches", "xes")):
            word = word[:-2]
        else:
            word = word[:-1]
    word = _IRREGULAR.get(word, word)
    return _BRITISH.sub(lambda found: found.group()[0] + "z", word) if len(word) > 6 else word


@lru_cache(maxsize=65536)
def raw_words(name: str) -> tuple[str, ...]:
    """The words of a name in lower case, as written: `numLayers` is `("num", "layers")`."""
    found = tuple("plus" if word == "+" else word.lower() for word in _WORD.findall(name.translate(_GREEK)))
    return found if name.isascii() else tuple(plain for plain in map(unaccented, found) if plain)


def unaccented(word: str) -> str:
    """The word without accents: `fréchet` is `frechet`."""
    return "".join(letter for letter in unicodedata.normalize("NFKD", word) if not unicodedata.combining(letter)).lower()


def spans(text: str) -> list[tuple[int, int, str]]:
    """The stemmed words of a text, each with where it stands: (start, end, word)."""
    return [(found.start(), found.end(), _plain(found.group())) for found in _WORD.finditer(text)]


def _plain(word: str) -> str:
    return "plus" if word == "+" else stem(unaccented(word.translate(_GREEK)))


@lru_cache(maxsize=65536)
def words(name: str) -> tuple[str, ...]:
    """The words of a name or phrase, stemmed for comparison.

    Splits at case changes, underscores, hyphens, dots, blanks and before digits.

    Args:
        name: an identifier, file name, config key or phrase.

    Returns:
        Lower-case singular words: `("max", "grad", "norm")`, `("cifar", "10")`, `("num", "layer")`.
    """
    return tuple(stem(word) for word in raw_words(name))


def key(name: str) -> str:
    """One string for all spellings of a name: `ResNet-18`, `resnet18` and `RESNET_18` are `resnet18`."""
    return "".join(words(name))


def same(a: str, b: str) -> bool:
    """Whether two names are the same words, however they are spelled."""
    return bool(words(a)) and key(a) == key(b)


def find_window(haystack: Sequence[str], needle: Sequence[str]) -> int:
    """Where consecutive words of `haystack`, run together, spell those of `needle`, run together; -1 when nowhere.

    Both are results of `words`. `("wide", "res", "net", "28")` has `("resnet",)` at 1.
    """
    target = "".join(needle)
    if target not in "".join(haystack):
        return -1
    for start in range(len(haystack)):
        joined = ""
        for word in haystack[start:]:
            joined += word
            if joined == target:
                return start
            if not target.startswith(joined):
                break
    return -1


def has_words(name: str, phrase: str) -> bool:
    """Whether a name has the phrase's words next to one another: `clip_grad_norm_` has `grad norm`."""
    return bool(words(phrase)) and find_window(words(name), words(phrase)) >= 0


def same_word(a: str, b: str) -> bool:
    """Whether two stemmed words are one, a usual short form counted: `disc` and `discriminator`."""
    return a == b or (a in _ALIKE and b in _ALIKE[a])


def short_forms(word: str) -> frozenset[str]:
    """The stemmed words that are the same as a stemmed word (see `same_word`), itself among them."""
    return _ALIKE.get(word, frozenset()) | {word}


def path_has(path: Sequence[str], near: Sequence[str]) -> bool:
    """Whether the names of a path have all the words of `near`, anywhere among them.

    A number belongs to the word before it: `stage 2` is not met by `stage1/block2`.

    Args:
        path: raw names from outermost to innermost: file path parts, class, function, call, ...
        near: words or phrases of a check; empty is always met.
    """
    return not near or _has(tuple(path), tuple(near))


@lru_cache(maxsize=32768)
def _has(path: tuple[str, ...], near: tuple[str, ...]) -> bool:
    split = tuple(words(name) for name in path)
    return all(_met(split, group) for phrase in near for group in _groups(phrase))


def _met(path: tuple[tuple[str, ...], ...], group: tuple[str, ...]) -> bool:
    if any(find_window(name, group) >= 0 for name in path):
        return True
    if group[-1].isdigit():
        return any(
            same_word(word, group[0]) and name[at + 1 : at + 2] == group[-1:]
            for name in path
            for at, word in enumerate(name)
            if len(group) == 2
        )
    return all(any(same_word(word, wanted) for name in path for word in name) for wanted in group)


@lru_cache(maxsize=4096)
def _groups(phrase: str) -> tuple[tuple[str, ...], ...]:
    groups: list[tuple[str, ...]] = []
    for token in re.split(r"[\s_./]+", phrase):
        found = words(token)
        if found and groups and all(word.isdigit() for word in found):
            groups[-1] += found
        elif found:
            groups.append(found)
    return tuple(groups)


_ALIKE = {stem(word): frozenset(stem(other) for other in group) for group in _SHORT for word in group}
