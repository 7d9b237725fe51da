import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from verifier.source import Limits
from verifier.source.shell import read_shell


def run(text: str) -> list[str]:
    script, problems = read_shell("run.sh", text.encode())
    assert problems == []
    return [" ".join(command.words) for command in script.commands]


def test_words_quotes_and_continued_lines() -> None:
    script, _ = read_shell("run.sh", b"# start\nCUDA=0 python -m a.b --x 'a b' \\\n  --y=\"c d\" e\\ f > log 2>&1 &\n")
    (command,) = script.commands
    assert command.words == ("CUDA=0", "python", "-m", "a.b", "--x", "a b", "--y=c d", "e f")
    assert command.lines == (2, 2, 2, 2, 2, 2, 3, 3)
    assert command.columns[:3] == (1, 8, 15)


@pytest.mark.parametrize(
    ("text", "commands"),
    [
        ("LR=1e-4\npython t.py --lr $LR --k=${LR}x", ["python t.py --lr 1e-4 --k=1e-4x"]),
        ("export LR=1e-4\npython t.py ${LR:-3} ${BS:-32} $OTHER", ["python t.py 1e-4 32 $OTHER"]),
        ("LR=${1:-0.1}\npython t.py $LR", ["python t.py 0.1"]),
        ('A="--lr 1 --bs 2"\npython t.py $A "$A"', ["python t.py --lr 1 --bs 2 --lr 1 --bs 2"]),
        ('A=(--lr "1 2")\nA+=(--bs 3)\npython t.py "${A[@]}" ${A[1]}', ["python t.py --lr 1 2 --bs 3 1 2"]),
        ("for s in 1 2 {3..4}; do python t.py $s; done", [f"python t.py {seed}" for seed in (1, 2, 3, 4)]),
        ("for s in $(seq 3); do python t.py $s; done", ["python t.py $s"]),
        ('run() { python t.py --lr $1 "$@"; }\nrun 1 a\nrun 2', ["python t.py --lr 1 1 a", "python t.py --lr 2 2"]),
        ("if [ $X ]; then python a.py; else python b.py; fi", ["python a.py", "python b.py"]),
        ("cd a && python b.py | tee log; (python c.py)", ["cd a", "python b.py", "tee log", "python c.py"]),
        ("CMD='python t.py --k 3'\n$CMD\neval \"$CMD --z\"", ["python t.py --k 3", "python t.py --k 3 --z"]),
        ("python x.py <<EOF\nimport os\nEOF\n", ["python x.py"]),
    ],
)
def test_what_runs(text: str, commands: list[str]) -> None:
    assert run(text) == commands


def test_a_value_put_in_stands_where_it_was_written() -> None:
    script, _ = read_shell("run.sh", b"LR=1e-4\n\npython t.py --lr $LR\n")
    assert script.commands[0].lines == (3, 3, 3, 1)
    assert script.commands[0].columns == (1, 8, 13, 4)


def test_branches_keep_the_default_unless_it_is_uncertain() -> None:
    parse = "while [[ $# -gt 0 ]]; do case $1 in --lr) LR=$2; shift 2;; esac; done\n"
    assert run(f"LR=1\n{parse}python t.py $LR")[-1] == "python t.py 1"
    assert run('if [ -z "$LR" ]; then LR=2; fi\npython t.py $LR') == ["python t.py 2"]
    assert run("if a; then LR=1; else LR=2; fi\npython t.py $LR")[-1] == "python t.py $LR"
    assert run("LR=1\nif a; then LR=2; fi\npython t.py $LR")[-1] == "python t.py $LR"
    assert run("LR=1\n(LR=2)\npython t.py $LR") == ["python t.py 1"]


def test_functions_name_their_commands_and_end() -> None:
    script, _ = read_shell("run.sh", b"f() { python t.py; f; }\nf\n")
    assert [(command.words[0], command.target) for command in script.commands] == [("python", "f"), ("f", "f")]


@pytest.mark.parametrize(
    "text",
    [
        "for a in {1..90}; do for b in {1..90}; do python t.py $a $b; done; done",
        "A=(1 1)\n" + 'A=("${A[@]}" "${A[@]}")\n' * 40 + 'echo "${A[@]}"\n',
        "A=aaaaaaaaaa\n" + 'A="$A$A$A$A"\n' * 30 + "echo $A\n",
        "(" * 5_000,
        "if true; then\n" * 3_000,
        "f() { g; g; }\ng() { f; f; }\nf\n",
    ],
)
def test_expansion_is_bounded(text: str) -> None:
    script, _ = read_shell("run.sh", text.encode())
    assert len(script.commands) <= Limits().commands
    assert sum(len(word) for command in script.commands for word in command.words) < 10_000_000


def test_a_broken_script_keeps_what_is_understood() -> None:
    script, problems = read_shell("run.sh", b"python a.py\nif then fi )\npython b.py\n")
    assert script.commands[0].words == ("python", "a.py")
    assert len(problems) == 1


@settings(max_examples=150, deadline=None)
@given(
    st.lists(
        st.sampled_from(
            ["A=1", "$A", "${A", "}", "(", ")", "for", "in", "do", "done", ";", "\n", '"', "'", "x", "\\", "|", "if", "é"]
        ),
        max_size=25,
    )
)
def test_any_text_is_read_without_failing(pieces: list[str]) -> None:
    script, _ = read_shell("run.sh", " ".join(pieces).encode())
    assert all(len(command.words) == len(command.lines) == len(command.columns) for command in script.commands)
