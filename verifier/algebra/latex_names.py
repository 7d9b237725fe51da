"""Names in LaTeX: a letter with its accents, subscripts, primes and marks is one name; which names are functions."""

from __future__ import annotations

from dataclasses import dataclass

from verifier.algebra.heads import ALIASES, ARITY
from verifier.algebra.latex_tokens import ACCENTS, FONTS, GREEK_COMMANDS, WORDS, Token, refuse, subscript

COMMAND_FUNCTIONS = {
    "exp": "exp",
    "ln": "log",
    "log": "log",
    "sin": "sin",
    "cos": "cos",
    "tan": "tan",
    "sinh": "sinh",
    "cosh": "cosh",
    "tanh": "tanh",
    "arcsin": "asin",
    "arccos": "acos",
    "arctan": "atan",
    "det": "det",
    "min": "min",
    "max": "max",
    "argmin": "argmin",
    "argmax": "argmax",
    "sup": "max",
    "inf": "min",
}
WORD_FUNCTIONS = {
    "KL": "KL",
    "Tr": "trace",
    "tr": "trace",
    "arg_min": "argmin",
    "arg_max": "argmax",
    "diag": "diag",
    "erf": "erf",
    "logit": "logit",
    "LogSumExp": "logsumexp",
    "LSE": "logsumexp",
    "Mean": "mean",
    "Std": "std",
    "Clip": "clip",
    "stop_grad": "stopgrad",
    "stop_gradient": "stopgrad",
    "StopGrad": "stopgrad",
    "stopgrad": "stopgrad",
    "sigm": "sigmoid",
    "Sigmoid": "sigmoid",
    "log_softmax": "log_softmax",
    "Norm": "norm",
}
_CALLED = frozenset("f g h F G p q P Q V D s u v phi psi sigma pi epsilon mu".split())
_PARAMETERS = frozenset({"theta", "phi", "psi", "omega", "vartheta", "xi", "w", "theta_bar", "theta_m"})


@dataclass(frozen=True, slots=True)
class Name:
    """A name as read: its spelling, the letter it is made from, and its subscript."""

    text: str
    base: str
    lower: str = ""
    upper: bool = False

    @property
    def is_called(self) -> bool:
        """Whether a bracket after it holds arguments even if these could be a factor: `f(x + y)`, `\\epsilon_\\theta(x)`."""
        return (
            self.base in _CALLED
            and (not self.base.isascii() or self.base in ("f", "g", "F", "G", "sigma", "phi", "psi"))
            or (self.lower in _PARAMETERS)
        )


def function_of(word: str) -> str:
    """The head that an upright word stands for when it is a function of the language; empty when it is none."""
    head = WORD_FUNCTIONS.get(word) or ALIASES.get(word, word)
    return head if head in ARITY or head in WORD_FUNCTIONS.values() else ""


def letter(token: Token) -> str:
    """The bare letter a token stands for; empty when it is none."""
    if token.kind == "sign" and (token.text.isalpha()):
        return token.text
    if token.kind == "command":
        return GREEK_COMMANDS.get(token.text, "ell" if token.text == "ell" else "")
    return token.text if token.kind == "word" else ""


def accented(command: str, inner: tuple[Token, ...]) -> Name:
    """The name of an accented letter: `\\bar{\\alpha}` is `alpha_bar`; a subscript inside the accent comes after it.

    Raises:
        FormulaError: the accent is over more than a letter.
    """
    base, rest = bare(inner)
    tail = ""
    if rest and rest[0].text == "_" and len(rest) > 1:
        tail, rest = subscript(rest[1:2]), rest[2:]
    if rest:
        raise refuse(f"`\\{command}` over more than one letter is not understood,", rest[0])
    text = f"{base}_{ACCENTS[command]}"
    return Name(f"{text}_{tail}" if tail else text, base, tail)


def bare(inner: tuple[Token, ...]) -> tuple[str, tuple[Token, ...]]:
    """The letter or word at the start of some tokens, fonts and accents unpacked, and what follows it."""
    tokens = tuple(token for token in inner if token.kind != "end")
    if not tokens:
        raise refuse("an empty group is not understood,", inner[-1])
    first = tokens[0]
    if first.kind == "group":
        name, rest = bare(first.inside)
        return name, rest + tokens[1:]
    if first.kind == "command" and first.text in FONTS and len(tokens) > 1:
        name, rest = bare(tokens[1:])
        return name, rest
    if first.kind == "command" and first.text in ACCENTS and len(tokens) > 1:
        return accented(first.text, tokens[1:2]).text, tokens[2:]
    if first.kind == "command" and first.text in WORDS and len(tokens) > 1:
        return subscript(tokens[1:2]), tokens[2:]
    if name := letter(first):
        letters = [name]
        for token in tokens[1:]:  # \mathcal{KL}, \mathbf{Attn}: a run of letters is one word
            if not (token.kind == "sign" and token.text.isalpha() and first.kind == "sign"):
                break
            letters.append(token.text)
        return "".join(letters), tokens[len(letters) :]
    raise refuse(f"`{first.text}` is not understood as a name,", first)
