"""Names imported from modules of the repository that do not define them show nothing."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

from verifier.facts import index
from verifier.lexicon import load_lexicon
from verifier.source.reader import read


def mentioned(folder: Path, files: dict[str, str]) -> set[str]:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(dedent(text), encoding="utf-8")
    facts = index(read(folder), load_lexicon())
    return {text for text in facts.mentioned if facts.mentions(text)}


def test_calls_and_what_they_make(tmp_path: Path) -> None:
    files = {
        "zoo.py": "class Real:\n    pass\n",
        "main.py": """
            from zoo import Ghost, Real
            import zoo as z

            class Task:
                def __init__(self):
                    self.ghost = Ghost(3)
                    self.real = Real()

                def run(self, x):
                    return self.ghost(x), self.real(x), z.Phantom(x)
            """,
    }
    found = mentioned(tmp_path, files)
    assert {"real", "zoo.Real"} <= found
    assert not found & {"ghost", "zoo.Ghost", "zoo.Phantom"}


def test_libraries_and_open_modules_are_trusted(tmp_path: Path) -> None:
    files = {
        "tools/datasets.py": "x = 1\n",
        "lazy.py": "def __getattr__(name):\n    return name\n",
        "starred.py": "from numpy import *\n",
        "main.py": """
            from datasets import load_dataset
            from lazy import Late
            from starred import Many

            print(load_dataset("imdb"), Late(), Many())
            """,
    }
    assert {"datasets.load_dataset", "lazy.Late", "starred.Many"} <= mentioned(tmp_path, files)
