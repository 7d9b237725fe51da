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
_DECAYS = frozenset("gamma lambda beta alpha rho tau eta delta kappa e mu p q r".split())
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
        r"""Whether a bracket after it holds arguments even if these could be a factor: `f(x + y)`, `\epsilon_\theta(x)`."""
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
    r"""The name of an accented letter: `\bar{\alpha}` is `alpha_bar`; a subscript inside the accent comes after it.

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


def is_transposition(token: Token) -> bool:
    """Whether a superscript means the transposed matrix."""
    tokens = [inner for inner in (token.inside if token.kind == "group" else (token,)) if inner.kind != "end"]
    while tokens and tokens[0].kind == "command" and tokens[0].text in FONTS:
        tokens = tokens[1:]
    if len(tokens) == 1 and tokens[0].kind == "group":
        return is_transposition(tokens[0])
    return len(tokens) == 1 and tokens[0].text in ("T", "top", "intercal", "⊤", "ᵀ")


def mark(token: Token, name: Name) -> str | None:
    """A superscript that is part of a name; None when it is a power or a transposition."""
    tokens = [inner for inner in (token.inside if token.kind == "group" else (token,)) if inner.kind != "end"]
    if not tokens or is_transposition(token):
        return None
    texts = [inner.text for inner in tokens]
    if texts[0] in ("(", "[", "<") and texts[-1] in (")", "]", ">"):
        return subscript(tuple(tokens))
    if all(text in ("*", "star", "ast", "prime", "'", "+", "-", "dagger", "circ") for text in texts):
        return subscript(tuple(tokens))
    if len(tokens) <= 2 and all(inner.kind == "word" or inner.text in FONTS for inner in tokens) or "," in texts:
        return subscript(tuple(tokens))
    if texts[0] in ("pi", "theta", "phi") and name.upper:
        return subscript(tuple(tokens))
    if len(texts) == 1 and texts[0] in ("i", "j", "l", "t", "s") and name.base not in _DECAYS:
        return texts[0]
    return None


def logarithm(token: Token) -> str:
    """The head of a logarithm to the base in its subscript. Raises FormulaError for another base than 2, 10 and e."""
    text = "".join(inner.text for inner in (token.inside if token.kind == "group" else (token,)))
    if text not in ("2", "10", "e"):
        raise refuse(f"the logarithm to base `{text}` is not understood: write a quotient of logarithms,", token)
    return "log" if text == "e" else f"log{text}"
