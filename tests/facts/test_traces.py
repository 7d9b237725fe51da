"""Traces: entries, events, bounds."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

from verifier.facts.liveness import Liveness
from verifier.facts.placeholders import Placeholders
from verifier.facts.program import Program
from verifier.facts.traces import traces
from verifier.facts.tracing.graph import TraceGraph
from verifier.lexicon import load_lexicon
from verifier.model.facts import EntryKind, Trace
from verifier.source.reader import read


def trace_all(folder: Path, files: dict[str, str] | str) -> tuple[Trace, ...]:
    for name, text in ({"main.py": files} if isinstance(files, str) else files).items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(dedent(text), encoding="utf-8")
    program = Program(read(folder))
    return tuple(traces(program, Liveness(program), Placeholders(program), load_lexicon().frameworks))


def names(trace: Trace) -> list[str]:
    return [event.names[0] for event in trace.events if event.names]


def test_programs_come_before_public_names_before_dead_ones(tmp_path: Path) -> None:
    found = trace_all(
        tmp_path,
        {
            "a.py": "def used():\n    return 1\n\ndef public():\n    return 2\n\ndef _private():\n    return public()\n",
            "z.py": "from a import used\n\nif __name__ == '__main__':\n    used()\n",
        },
    )
    assert [(trace.entry, trace.kind) for trace in found] == [
        ("z.py", EntryKind.PROGRAM),
        ("a:public", EntryKind.PUBLIC),
        ("a:_private", EntryKind.DEAD),
    ]
    assert found[2].place.dead == "nothing calls _private"
    assert names(found[0]) == ["z", "used"]


def test_arguments_are_evaluated_before_the_call(tmp_path: Path) -> None:
    (trace,) = trace_all(tmp_path, "def main():\n    outer(inner(first()), key=second())\n\nmain()\n")
    assert names(trace)[2:] == ["first", "inner", "second", "outer"]


def test_calls_nest(tmp_path: Path) -> None:
    code = """
        def a(): return b()
        def b(): return leaf()
        def leaf(): return 1
        a()
        leaf()
    """
    (trace,) = trace_all(tmp_path, code)
    assert [(event.names[0], event.depth, event.end) for event in trace.events] == [
        ("main", 0, 5),
        ("a", 0, 4),
        ("b", 1, 4),
        ("leaf", 2, 4),
        ("leaf", 0, 5),
    ]


def test_branches_are_alternatives_and_loops_are_numbered(tmp_path: Path) -> None:
    code = """
        def main(flag, xs):
            for x in xs:
                if flag:
                    left(x)
                else:
                    right(x)
            after()
    """
    (trace,) = trace_all(tmp_path, code)
    by_name = {event.names[0]: event for event in trace.events}
    ((branch, arm),) = by_name["left"].alternatives
    assert by_name["right"].alternatives == ((branch, 1 - arm),)
    assert by_name["left"].loops == by_name["right"].loops != ()
    assert by_name["after"].alternatives == ()
    assert by_name["after"].loops == ()


def test_early_return_excludes_what_follows(tmp_path: Path) -> None:
    (trace,) = trace_all(tmp_path, "def main(x):\n    if x:\n        return early()\n    late()\n")
    early, late = trace.events[1:]
    assert early.alternatives[0][0] == late.alternatives[0][0]
    assert early.alternatives[0][1] != late.alternatives[0][1]


def test_recursion_and_mutual_recursion_end(tmp_path: Path) -> None:
    code = """
        def a(n): return b(n) + a(n - 1)
        def b(n): return a(n)
        a(3)
    """
    (trace,) = trace_all(tmp_path, code)
    assert len(trace.events) < 20


def test_doubling_calls_stay_linear(tmp_path: Path) -> None:
    code = (
        "def f0():\n    leaf()\n\n\n"
        + "".join(f"def f{i}():\n    f{i - 1}()\n    f{i - 1}()\n\n\n" for i in range(1, 40))
        + "f39()\n"
    )
    found = trace_all(tmp_path, code)
    assert sum(len(trace.events) for trace in found) < 2_000
    assert any(trace.truncated for trace in found)


def test_decorated_property_and_super(tmp_path: Path) -> None:
    code = """
        class Base:
            def run(self): self.begin()
            def begin(self): pass

        class Child(Base):
            @property
            def size(self): return measure(self)
            def run(self):
                super().run()
                return finish(self.size)

        Child().run()
    """
    (trace, *_) = trace_all(tmp_path, code)
    assert names(trace)[2:] == ["run", "run", "begin", "size", "measure", "finish"]


def test_optimizer_kind_is_known_through_an_attribute_and_an_argument(tmp_path: Path) -> None:
    code = """
        import torch

        class Trainer:
            def __init__(self, net):
                self.thing = torch.optim.AdamW(net.parameters())
            def fit(self):
                update(self.thing)

        def update(o):
            o.step()

        Trainer(None).fit()
    """
    (trace, *_) = trace_all(tmp_path, code)
    step = next(event for event in trace.events if "step" in event.names)
    assert step.target == "torch.optim.AdamW.step"
    assert "optimizer" in step.receiver


def test_script_flags_choose_the_branch(tmp_path: Path) -> None:
    files = {
        "main.py": """
            import argparse

            def main():
                parser = argparse.ArgumentParser()
                parser.add_argument("--mode", default="train")
                args = parser.parse_args()
                if args.mode == "train":
                    fit()
                else:
                    score()

            if __name__ == "__main__":
                main()
        """,
        "run.sh": "python main.py --mode test\n",
    }
    program, script = trace_all(tmp_path, files)
    assert {"fit", "score"} <= set(names(program))
    assert [event.names[0] for event in script.events if not event.place.dead][-1] == "score"


def test_graph(tmp_path: Path) -> None:
    (trace,) = trace_all(tmp_path, "def main(x):\n    y = first(x)\n    z = second(y)\n    other(x)\n    return third(z)\n")
    graph = TraceGraph(trace)
    (first,), (third,) = graph.find("first"), graph.find("third")
    assert [trace.events[number].names[0] for number in graph.flow(first, third)] == ["first", "second", "third"]
    assert graph.flow(third, first) == []
    assert graph.around([first], 0) == [first]
    assert len(graph.around([first], 1)) == 3


def test_nothing_depends_on_what_was_traced_before(tmp_path: Path) -> None:
    code = "CACHE = []\n\ndef main(x):\n    CACHE.append(load(x))\n    return use(CACHE)\n\n\nif __name__ == '__main__':\n    main(1)\n"
    assert trace_all(tmp_path, code) == trace_all(tmp_path, code)
