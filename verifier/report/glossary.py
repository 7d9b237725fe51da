"""What each verdict and cause means, and what to do about it: one text for `explain`, SARIF and the documentation."""

from __future__ import annotations

from dataclasses import dataclass

from verifier.model.verdict import Cause, Verdict


@dataclass(frozen=True, slots=True)
class Entry:
    """A word of the report, explained.

    Attributes:
        word: the verdict or cause.
        meaning: what it says about the code, in one sentence.
        example: a claim and code for which it is given.
        remedy: how to mend it, or what to look at.
    """

    word: Verdict | Cause
    meaning: str
    example: str
    remedy: str


_ENTRIES = (
    Entry(
        Verdict.ALIGNED,
        "Live code, or a config that code loads, does exactly what the check asks for.",
        "Claim: learning rate 3e-4. Code: AdamW(model.parameters(), lr=0.0003), in a function that runs.",
        "Nothing to do. The place shown is the one that decides, so that you can confirm it.",
    ),
    Entry(
        Verdict.DRIFTED,
        "It is there but differs: another value, formula, order or entity, or a cited method in the place of the paper's own.",
        "Claim: learning rate 3e-4. Code: lr=1e-3.",
        "Compare `expected` with `found` and follow the trail: the first line is where the deciding value is written.",
    ),
    Entry(
        Verdict.DEFERRED,
        "A placeholder stands where the computation should be: pass, ..., NotImplementedError, a constant marked TODO, random "
        "numbers, dummy data.",
        "Claim: report FID. Code: def compute_fid(...): return 0.0  # TODO",
        "Write the real computation at the place shown.",
    ),
    Entry(
        Verdict.UNUSED,
        "It is right, or there, but nothing can reach or read it: after a return, under `if False`, in a private helper that "
        "nobody calls, in a variable, parameter or config key that nobody reads.",
        "Claim: weight decay 0.1. Config: weight_decay: 0.1, and no code reads that key.",
        "Connect it: pass the value on, call the function, or remove what is dead.",
    ),
    Entry(
        Verdict.MISSING,
        "It is not there. A mention in a comment, docstring, README or log message is not an implementation.",
        "Claim: gradient clipping at 1.0. Code: no clipping anywhere.",
        "Implement it. If it is there under a name that the rules do not know, give the check that name.",
    ),
    Entry(
        Verdict.UNDECIDED,
        "The rule cannot tell, and the message says why. It counts neither for nor against the score, but lowers the coverage.",
        "Claim: an expression that reaches the code through a call that cannot be followed.",
        "Read the message; a check with a dotted path or `near` often settles it. --strict counts undecided as a failure.",
    ),
    Entry(
        Cause.WRONG_VALUE,
        "The subject has another value than the claim gives.",
        "Expected 0.0003, found 0.001.",
        "Change the value at the place shown, or the override that wins over it: the trail lists both.",
    ),
    Entry(
        Cause.WRONG_FORMULA,
        "The expression that stands under this name differs from the claim's: a sign, factor, exponent, norm, term or reduction.",
        "Expected mean((x - y)**2), found mean(abs(x - y)).",
        "The message says the difference in words; `sa-verify show REPO FILE:FUNCTION` prints what the code computes.",
    ),
    Entry(
        Cause.WRONG_ORDER,
        "The steps are done in another order, or the result of one does not reach the next.",
        "Claim: clip the gradients, then step. Code: optimizer.step() before clip_grad_norm_().",
        "Move the step; `sa-verify trace REPO ENTRY` prints the order that the code has.",
    ),
    Entry(
        Cause.WRONG_ENTITY,
        "Another data set, metric, baseline or model stands under the claimed name.",
        "Claim: evaluate on CIFAR-10. Code: load_cifar10() reads MNIST.",
        "Load or build the claimed one.",
    ),
    Entry(
        Cause.FORBIDDEN,
        "What a `not` check rules out is there.",
        "Claim: no weight decay. Code: weight_decay=0.01.",
        "Remove it, or set it to the neutral value.",
    ),
    Entry(
        Cause.CITED_METHOD,
        "A known method from earlier work, given as `instead_of`, stands in the place of the paper's own.",
        "Claim: the paper's new objective. Code: the plain cross-entropy that the paper departs from.",
        "Implement the paper's own formula.",
    ),
    Entry(
        Cause.PLACEHOLDER,
        "The check rests on a placeholder; its verdict is `deferred`.",
        "def sample(self, n): raise NotImplementedError",
        "Write the real computation at the place shown.",
    ),
    Entry(
        Cause.DEAD_CODE,
        "The check is met only where nothing can reach or read it; its verdict is `unused`.",
        "WARMUP_STEPS = 1000, and nothing reads it.",
        "Connect it or remove it.",
    ),
    Entry(
        Cause.MISSING,
        "Nothing in live code or loaded config shows it.",
        "Claim: report FID. Code: only the loss is logged.",
        "Implement it.",
    ),
)

GLOSSARY: dict[str, tuple[Entry, ...]] = {}
for _entry in _ENTRIES:
    GLOSSARY[_entry.word.value] = (*GLOSSARY.get(_entry.word.value, ()), _entry)


def cause_entry(cause: Cause) -> Entry:
    """The explanation of a cause."""
    return next(entry for entry in _ENTRIES if entry.word is cause)
