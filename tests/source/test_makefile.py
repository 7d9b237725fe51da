from hypothesis import given, settings
from hypothesis import strategies as st

from verifier.model.repository import ScriptFile
from verifier.source.makefile import read_makefile

MAKEFILE = """\
LR ?= 1e-4
OPTIONS = --lr $(LR) \\
  --bs 32
.PHONY: all
all: train eval
eval: train
\t@python eval.py --out $@ \\
\t  --from $< && echo $$HOME $(UNSET)
train: data.csv
\t-python train.py $(OPTIONS)
data.csv: ; python get.py
"""


def read(text: str) -> ScriptFile:
    script, problems = read_makefile("Makefile", text.encode())
    assert problems == []
    return script


def test_targets_run_after_what_they_need() -> None:
    commands = [(command.target, " ".join(command.words)) for command in read(MAKEFILE).commands]
    assert commands == [
        ("data.csv", "python get.py"),
        ("train", "python train.py --lr 1e-4 --bs 32"),
        ("eval", "python eval.py --out eval --from train"),
        ("eval", "echo $HOME ${UNSET}"),
    ]


def test_lines_are_those_of_the_file() -> None:
    assert [command.line for command in read(MAKEFILE).commands] == [11, 10, 7, 8]


def test_circles_end() -> None:
    doubling = "".join(f"A{number} = $(A{number + 1})$(A{number + 1})\n" for number in range(200))
    script = read(f"A = $(B)\nB = $(A)\n{doubling}a: b\n\techo $(A) $(A0)\nb: a\n\techo b\n")
    assert [command.target for command in script.commands] == ["b", "a"]


@settings(max_examples=100, deadline=None)
@given(st.lists(st.sampled_from(["a", ":", "=", "\t", "\n", "$(a)", "$", "\\", "#", "ifdef", " "]), max_size=30))
def test_any_text_is_read_without_failing(pieces: list[str]) -> None:
    read_makefile("Makefile", "".join(pieces).encode())
