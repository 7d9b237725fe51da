"""Where names and strings are mentioned, and whether that shows anything."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

from hypothesis import given, settings
from hypothesis import strategies as st

from verifier.facts import Facts, index
from verifier.lexicon import load_lexicon
from verifier.model.facts import Form
from verifier.source.reader import read


def facts(folder: Path, files: dict[str, str] | str) -> Facts:
    for name, text in ({"main.py": files} if isinstance(files, str) else files).items():
        (folder / name).write_text(dedent(text), encoding="utf-8")
    return index(read(folder), load_lexicon())


def test_imports_and_aliases_are_undone(tmp_path: Path) -> None:
    found = facts(tmp_path, "from torchmetrics.image import fid as f\n\nscore = f.Score(7)\nprint(score)\n")
    (call,) = found.mentions("torchmetrics.image.fid.Score")
    assert (call.form, call.target, call.place.dead) == (Form.CALL, "torchmetrics.image.fid.Score", "")
    assert call.place.path == ("main", "score", "torchmetrics", "image", "fid", "Score")


def test_definitions_bear_their_class(tmp_path: Path) -> None:
    found = facts(tmp_path, "class Critic:\n    def update_ema(self):\n        return self.step(1)\n")
    assert [mention.form for mention in found.mentions("Critic.update_ema")] == [Form.FUNCTION]


def test_messages_docstrings_and_read_keys_are_no_mentions(tmp_path: Path) -> None:
    code = (
        '"""FID here."""\nimport logging\n\ndef f(d):\n    logging.info("FID")\n'
        '    print("KID", d["LPIPS"])\n    raise ValueError("PSNR")\n'
    )
    found = facts(tmp_path, code)
    assert not [mention for text in ("FID", "KID", "LPIPS", "PSNR") for mention in found.mentions(text)]
    assert any("FID here" in remark.text for remark in found.remarks)


def test_what_a_string_is_for(tmp_path: Path) -> None:
    code = """
        import argparse

        TABLE = {"imdb": 2}
        UNREAD = ["yelp"]

        def pick(name):
            if name == "sst2":
                return TABLE[name]
            if name == "bad":
                raise ValueError(name)
            return TABLE.get(name)
        """
    found = facts(tmp_path, code)
    forms = {
        text: [(mention.form, bool(mention.place.dead)) for mention in found.mentions(text)]
        for text in ("imdb", "yelp", "sst2", "bad")
    }
    assert forms == {
        "imdb": [(Form.KEY, False)],
        "yelp": [(Form.STRING, True)],
        "sst2": [(Form.STRING, False)],
        "bad": [(Form.STRING, True)],
    }


def test_names_that_only_pass_on_show_nothing(tmp_path: Path) -> None:
    found = facts(tmp_path, "def f(ema, g):\n    x = ema\n    y = g(ema_decay=x)\n    return y\n")
    assert not found.mentions("ema")
    assert not found.mentions("ema_decay")


def test_a_renamed_import_keeps_what_it_stands_for(tmp_path: Path) -> None:
    found = facts(tmp_path, "from torchvision.datasets import CIFAR10 as CIFAR100\n\ndata = CIFAR100('.')\nprint(data)\n")
    (name,) = [mention for mention in found.mentions("CIFAR100") if mention.form is Form.NAME]
    assert name.uses == ("torchvision.datasets.CIFAR10",)


def test_unused_imports_are_dead_and_used_ones_no_mention(tmp_path: Path) -> None:
    found = facts(tmp_path, "from a import Used, Unused\n\nprint(Used())\n")
    assert [mention.place.dead for mention in found.mentions("a.Unused")] == ["nothing reads Unused"]
    assert [mention.form for mention in found.mentions("a.Used")] == [Form.CALL]


def test_configuration_entries_and_shell_words(tmp_path: Path) -> None:
    files = {"main.py": "x = 1\n", "c.yaml": "data: {name: imdb}\n", "run.sh": "python main.py --set sst2\necho yelp\n"}
    found = facts(tmp_path, files)
    (config,) = found.mentions("imdb")
    assert (config.place.path, config.place.dead) == (("c", "data", "name"), "no code loads c.yaml")
    assert [mention.place.dead for mention in found.mentions("sst2")] == [""]
    assert not found.mentions("yelp")


@settings(max_examples=30, deadline=None)
@given(st.text(alphabet="abcdef(){}[]\"'=:,. \n\t#@", max_size=80))
def test_any_text_has_mentions_in_order(tmp_path_factory: object, text: str) -> None:
    folder = tmp_path_factory.mktemp("any")  # type: ignore[attr-defined]
    found = facts(folder, {"main.py": text})
    assert list(found.mentioned) == sorted(found.mentioned)
    for mentioned in found.mentioned:
        places = [mention.place.location for mention in found.mentions(mentioned)]
        assert places == sorted(places)
