"""Verdicts of presence checks on small repositories."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest

from verifier.checks.present import check_present
from verifier.facts import index
from verifier.lexicon import load_lexicon
from verifier.model.check import Origin, PresentCheck, Source
from verifier.model.finding import Finding
from verifier.model.verdict import Cause
from verifier.source.reader import read


def judge(folder: Path, files: dict[str, str] | str, entity: str, role: str = "", near: tuple[str, ...] = ()) -> Finding:
    for name, text in ({"main.py": files} if isinstance(files, str) else files).items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(dedent(text), encoding="utf-8")
    lexicon = load_lexicon()
    check = PresentCheck(entity=entity, role=role, near=near)  # type: ignore[arg-type]
    return check_present(check, index(read(folder), lexicon), lexicon)


DATASETS = {
    "hub id": (
        'from datasets import load_dataset\nrows = load_dataset("stanfordnlp/imdb")\nprint(len(rows))\n',
        "IMDB",
        "aligned",
    ),
    "two strings": (
        'from datasets import load_dataset\nrows = load_dataset("glue", "sst2")\nprint(len(rows))\n',
        "SST-2",
        "aligned",
    ),
    "domain and task": (
        'from dm_control import suite\nenv = suite.load("walker", "walk")\nenv.reset()\n',
        "walker-walk",
        "aligned",
    ),
    "aliased module": ('import torchvision.datasets as ds\ndata = ds.CIFAR10(".")\nprint(len(data))\n', "CIFAR-10", "aligned"),
    "renamed import": (
        'from torchvision.datasets import CIFAR10 as Data\ndata = Data(".")\nprint(len(data))\n',
        "CIFAR-10",
        "aligned",
    ),
    "getattr": (
        'import torchvision\ndata = getattr(torchvision.datasets, "CIFAR10")(".")\nprint(len(data))\n',
        "CIFAR-10",
        "aligned",
    ),
    "longer number": ('import torchvision\ndata = torchvision.datasets.CIFAR100(".")\nprint(len(data))\n', "CIFAR-10", "missing"),
    "other variant": (
        'from datasets import load_dataset\nd = load_dataset("imagenet_a")\nprint(len(d))\n',
        "ImageNet",
        "missing",
    ),
    "looped table": (
        'NAMES = ["imdb", "yelp"]\n\ndef run(load):\n    return [load(name) for name in NAMES]\n',
        "IMDB",
        "aligned",
    ),
    "unread table": ('NAMES = ["imdb", "yelp"]\n\ndef run(load):\n    return load("sst2")\n', "IMDB", "unused"),
    "comment": ('# IMDB would go here\n"""Trains on IMDB."""\nprint("IMDB")\n', "IMDB", "missing"),
    "option": (
        'import argparse\np = argparse.ArgumentParser()\np.add_argument("--data", default="imdb")\na = p.parse_args()\nopen(a.data)\n',
        "IMDB",
        "aligned",
    ),
    "statistics": ("IMAGENET_MEAN = (0.4, 0.4, 0.4)\n\ndef norm(x):\n    return x - IMAGENET_MEAN\n", "ImageNet", "missing"),
    "refused": (
        'def load(name):\n    if name == "imdb":\n        raise ValueError(name)\n    return open(name)\n',
        "IMDB",
        "unused",
    ),
    "dummy data": (
        """
        import torch
        from torch.utils.data import TensorDataset

        def load_imagenet(root):
            return TensorDataset(torch.randn(64, 3, 224, 224), torch.randint(0, 1000, (64,)))
        """,
        "ImageNet",
        "deferred",
    ),
    "dummy under the comment": (
        """
        import torch

        def train(step):
            # placeholder for LibriSpeech
            waves = torch.randn(8, 16000)
            return step(waves)
        """,
        "LibriSpeech",
        "deferred",
    ),
    "other data set under the name": (
        """
        from torchvision.datasets import CIFAR10

        def load_cifar100(root):
            return CIFAR10(root, download=True)
        """,
        "CIFAR-100",
        "drifted",
    ),
    "other data set in its branch": (
        """
        from torchvision.datasets import CIFAR10

        def load(name, root):
            if name == "cifar100":
                return CIFAR10(root)
            return open(root)
        """,
        "CIFAR-100",
        "drifted",
    ),
    "stub in its branch": (
        """
        def _fetch(root):
            raise NotImplementedError

        def load(name, root):
            if name == "imdb":
                return _fetch(root)
            return open(root)
        """,
        "IMDB",
        "deferred",
    ),
    "dead beside another": (
        """
        from torchvision.datasets import CIFAR10, CIFAR100

        def make(root):
            if False:
                return CIFAR10(root)
            return CIFAR100(root)
        """,
        "CIFAR-10",
        "drifted",
    ),
    "dead alone": (
        """
        from torchvision.datasets import CIFAR10

        def make(root):
            if False:
                return CIFAR10(root)
            return open(root)
        """,
        "CIFAR-10",
        "unused",
    ),
    "other data set under the variable": (
        'from torchvision.datasets import CIFAR10\ncifar100 = CIFAR10(".")\nprint(len(cifar100))\n',
        "CIFAR-100",
        "drifted",
    ),
}


@pytest.mark.parametrize("name", DATASETS)
def test_data_sets(name: str, tmp_path: Path) -> None:
    code, entity, verdict = DATASETS[name]
    assert judge(tmp_path, code, entity, "dataset").status == verdict


METRICS = {
    "computed": ("def accuracy(p, y):\n    return (p == y).mean()\n", "accuracy", "aligned"),
    "in a longer name": ("def compute_top1_accuracy(p, y):\n    return (p == y).mean()\n", "accuracy", "aligned"),
    "key of a result": ('def test(p, y):\n    return {"accuracy": (p == y).mean()}\n', "accuracy", "aligned"),
    "library": (
        'import evaluate\nm = evaluate.load("rouge")\nprint(m.compute(predictions=[], references=[]))\n',
        "ROUGE",
        "aligned",
    ),
    "written number": ('def evaluate(model, loader):\n    return {"fid": 3.17}\n', "FID", "deferred"),
    "random number": ("import random\n\ndef compute_fid(a, b):\n    return random.uniform(2, 4)\n", "FID", "deferred"),
    "written under a name": ("def main(log):\n    fid = 3.17\n    log(fid)\n", "FID", "deferred"),
    "only imported": ("from torchmetrics.image.fid import FrechetInceptionDistance\n", "FID", "unused"),
    "made, never read": (
        "from torchmetrics.image.fid import FrechetInceptionDistance\n\ndef main():\n    fid = FrechetInceptionDistance()\n",
        "FID",
        "unused",
    ),
    "axis label": ('def draw(ax, y):\n    ax.plot(y)\n    ax.set_ylabel("FID score")\n', "FID", "missing"),
    "target": (
        "class C:\n    target_accuracy = 0.9\n\ndef stop(c, x):\n    return x > c.target_accuracy\n",
        "accuracy",
        "missing",
    ),
    "another under the name": (
        "from sklearn.metrics import mean_absolute_error\n\ndef rmse(a, b):\n    return mean_absolute_error(a, b)\n",
        "RMSE",
        "drifted",
    ),
    "built of another": (
        "from sklearn.metrics import mean_squared_error\n\ndef rmse(a, b):\n    return sqrt(mean_squared_error(a, b))\n",
        "RMSE",
        "aligned",
    ),
    "word of the language": ("def scale(per_token_loss, label_map):\n    m = dict(label_map)\n    return m\n", "mAP", "missing"),
}


@pytest.mark.parametrize("name", METRICS)
def test_metrics(name: str, tmp_path: Path) -> None:
    code, entity, verdict = METRICS[name]
    assert judge(tmp_path, code, entity, "metric").status == verdict


MECHANISMS = {
    "switched on": ("def go(fit):\n    fit(use_ema=True)\n", "EMA", "aligned"),
    "switched off": ("def go(fit):\n    fit(use_ema=False)\n", "EMA", "unused"),
    "rate zero": ("from torch import nn\n\nnet = nn.Sequential(nn.Dropout(0.0))\nprint(net)\n", "dropout", "unused"),
    "rate": ("from torch import nn\n\nnet = nn.Sequential(nn.Dropout(0.1))\nnet.train()\n", "dropout", "aligned"),
    "ignored parameter": ("def build(width, use_ema=True):\n    return width\n", "EMA", "unused"),
    "words of a phrase": ("def block_wise_causal_attention(q, k):\n    return q @ k\n", "block-wise causal attention", "aligned"),
    "class and method": (
        "class CausalAttention:\n    def block_wise(self, q, k):\n        return q @ k\n",
        "block-wise causal attention",
        "aligned",
    ),
    "private and uncalled": ("def _warmup(step):\n    return step / 100\n", "warmup", "unused"),
    "after return": (
        "def f(model):\n    return model\n    model.gradient_checkpointing_enable()\n",
        "gradient checkpointing",
        "unused",
    ),
    "never applied": (
        """
        from torch import nn

        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.drop = nn.Dropout(0.1)
                self.fc = nn.Linear(2, 2)

            def forward(self, x):
                return self.fc(x)
        """,
        "dropout",
        "unused",
    ),
    "part of another word": ("class StochasticDepth:\n    def forward(self, x):\n        return x * 2\n", "dropout", "missing"),
    "decorator": ("import torch\n\n@torch.no_grad\ndef f(x):\n    return x * 2\n", "no_grad", "aligned"),
}


@pytest.mark.parametrize("name", MECHANISMS)
def test_mechanisms(name: str, tmp_path: Path) -> None:
    code, entity, verdict = MECHANISMS[name]
    assert judge(tmp_path, code, entity).status == verdict


def test_models_and_baselines_are_made_or_run(tmp_path: Path) -> None:
    code = 'def table(sizes):\n    ddpm_timesteps = 1000\n    rows = {"fno": [], "wno": []}\n    return rows, ddpm_timesteps\n'
    assert judge(tmp_path, code, "FNO", "baseline").status == "missing"
    assert judge(tmp_path, code, "DDPM", "baseline").status == "missing"


def test_a_stub_defers_its_callers(tmp_path: Path) -> None:
    code = "def compute_gae(r, v):\n    raise NotImplementedError\n\ndef update(r, v):\n    adv = compute_gae(r, v)\n    return adv * 2\n"
    found = judge(tmp_path, code, "compute_gae")
    assert (found.status, found.cause, found.location and found.location.line) == ("deferred", Cause.PLACEHOLDER, 2)


def test_calls_by_their_resolved_name(tmp_path: Path) -> None:
    code = "from torch.nn.utils import clip_grad_norm_ as clip\n\ndef step(m, o):\n    clip(m.parameters(), 1.0)\n    o.step()\n"
    assert judge(tmp_path, code, "torch.nn.utils.clip_grad_norm_", "call").status == "aligned"
    assert judge(tmp_path, code, "clip_grad_norm_", "call").status == "aligned"
    assert judge(tmp_path, code, "clip_grad_value_", "call").status == "missing"


def test_short_forms_of_the_receiver_of_a_call(tmp_path: Path) -> None:
    code = "def step(model, opt):\n    opt.step()\n    model.eval()\n"
    assert judge(tmp_path, code, "optimizer.step", "call").status == "aligned"
    assert judge(tmp_path, code, "scheduler.step", "call").status == "missing"
    assert judge(tmp_path, code, "optimizer.eval", "call").status == "missing"


def test_near_narrows_to_a_place(tmp_path: Path) -> None:
    code = (
        "from torch import nn\n\nclass Critic:\n    def make(self):\n        return nn.LayerNorm(4)\n\nclass Actor:\n    pass\n"
    )
    assert judge(tmp_path, code, "LayerNorm", near=("critic",)).status == "aligned"
    assert judge(tmp_path, code, "LayerNorm", near=("actor",)).status == "missing"


def test_configuration_counts_when_loaded_and_read(tmp_path: Path) -> None:
    code = 'import yaml\n\ncfg = yaml.safe_load(open("c.yaml"))\nbuild = cfg["model"]\nrun(build)\n'
    files = {"main.py": code, "c.yaml": "model: resnet50\nbackup: vit\n"}
    assert judge(tmp_path, files, "ResNet-50", "model").status == "aligned"
    assert judge(tmp_path, files, "ViT", "model").status == "unused"


def test_flags_of_scripts_count(tmp_path: Path) -> None:
    files = {"main.py": "import sys\nprint(sys.argv)\n", "run.sh": "python main.py --dataset imdb\n"}
    assert judge(tmp_path, files, "IMDB", "dataset").status == "aligned"


def test_tests_are_no_evidence(tmp_path: Path) -> None:
    files = {"main.py": "def f(x):\n    return x\n", "tests/test_f.py": "def focal_loss(p):\n    return p * p\n"}
    assert judge(tmp_path, files, "focal loss").status == "missing"


def test_a_missing_entity_tells_where_text_mentions_it(tmp_path: Path) -> None:
    found = judge(tmp_path, "def f(x):\n    # YaRN would go here\n    return x * 2\n", "YaRN")
    assert found.location is None
    assert "main.py:2" in found.message


def test_a_description_that_only_text_speaks_of_is_undecided_when_compiled(tmp_path: Path) -> None:
    (tmp_path / "main.py").write_text(
        'class Net:\n    """Learned feature encoder."""\n\n    def f(self, x):\n        return x * 2\n'
    )
    lexicon = load_lexicon()
    facts = index(read(tmp_path), lexicon)
    verdicts = {
        origin: check_present(PresentCheck(entity="feature encoder", source=Source(origin=origin)), facts, lexicon).status
        for origin in Origin
    }
    assert verdicts == {Origin.WRITTEN: "missing", Origin.COMPILED: "undecided"}


VARIANTS = [
    ('AutoModel.from_pretrained("google/gemma-7b")', "Gemma-7B", "model", "aligned"),
    ('AutoModel.from_pretrained("google/gemma-7b")', "Gemma-2B", "model", "drifted"),
    ('timm.create_model("vit_large_patch16_224")', "ViT-B/16", "model", "drifted"),
    ('timm.create_model("vit_base_patch16_224")', "ViT-B/16", "model", "aligned"),
    ('timm.create_model("vit_base_patch16_224")', "ViT", "model", "aligned"),
    ('gym.make("Hopper-v2")', "Hopper-v4", "dataset", "drifted"),
    ('gym.make("Hopper-v2")', "Hopper", "dataset", "aligned"),
    ('gym.make("Hopper-v2")', "Hopper-v2", "dataset", "aligned"),
]


@pytest.mark.parametrize(("call", "entity", "role", "verdict"), VARIANTS)
def test_sizes_and_versions(call: str, entity: str, role: str, verdict: str, tmp_path: Path) -> None:
    assert judge(tmp_path, f"made = {call}\nmade.run()\n", entity, role).status == verdict
