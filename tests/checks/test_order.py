"""The check `order`, from source text to finding."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from textwrap import dedent

import pytest

from verifier.checks.order import check_order
from verifier.facts.liveness import Liveness
from verifier.facts.placeholders import Placeholders
from verifier.facts.program import Program
from verifier.facts.traces import traces
from verifier.lexicon import load_lexicon
from verifier.model.check import OrderCheck
from verifier.model.facts import Trace
from verifier.model.finding import Finding
from verifier.source.reader import read


class Facts:
    """The one fact that the check asks for."""

    def __init__(self, folder: Path) -> None:
        program = Program(read(folder))
        self.traces: Sequence[Trace] = traces(program, Liveness(program), Placeholders(program), load_lexicon().frameworks)


def judge(folder: Path, files: dict[str, str] | str, *steps: str, link: str = "control", near: tuple[str, ...] = ()) -> Finding:
    for name, text in ({"main.py": files} if isinstance(files, str) else files).items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(dedent(text), encoding="utf-8")
    check = OrderCheck(steps=tuple((step,) for step in steps), link=link, near=near)  # type: ignore[arg-type]
    return check_order(check, Facts(folder), load_lexicon())  # type: ignore[arg-type]


UPDATE = ("zero_grad", "backward", "optimizer.step")


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ("opt.zero_grad(); loss.backward(); opt.step()", "aligned"),
        ("loss.backward(); opt.step(); opt.zero_grad()", "aligned"),
        ("loss.backward(); opt.zero_grad(); opt.step()", "drifted"),
        ("opt.zero_grad(); opt.step(); loss.backward()", "drifted"),
        ("opt.step(); opt.zero_grad(); loss.backward()", "drifted"),
        ("loss.backward(); opt.step()", "missing"),
    ],
)
def test_update_in_a_loop(tmp_path: Path, body: str, status: str) -> None:
    code = f"""
        import torch

        def train(model, data):
            opt = torch.optim.Adam(model.parameters())
            for x in data:
                loss = model(x).mean()
                {body}
    """
    assert judge(tmp_path, code, *UPDATE).status == status


@pytest.mark.parametrize(
    ("order", "status"), [("optimizer.step(); scheduler.step()", "aligned"), ("scheduler.step(); optimizer.step()", "drifted")]
)
def test_the_receiver_tells_steps_apart(tmp_path: Path, order: str, status: str) -> None:
    order = order.replace("optimizer", "a").replace("scheduler", "b")
    code = f"""
        from torch.optim import SGD
        from torch.optim.lr_scheduler import MultiStepLR

        def train(model, data):
            a = SGD(model.parameters(), lr=0.1)
            b = MultiStepLR(a, [1])
            for x in data:
                model(x).backward()
                {order}
    """
    assert judge(tmp_path, code, "optimizer.step", "scheduler.step").status == status


def test_reset_between_backward_and_step_is_wrong_for_two_steps(tmp_path: Path) -> None:
    code = """
        def train(model, data, optimizer):
            for x in data:
                model(x).backward()
                optimizer.zero_grad()
                optimizer.step()
    """
    assert judge(tmp_path, code, "zero_grad", "backward").status == "drifted"


def test_list_of_callables(tmp_path: Path) -> None:
    code = """
        def clean(x): return x.strip()
        def tokenize(x): return x.split()
        def filter_short(x): return [w for w in x if len(w) > 2]

        STAGES = [clean, filter_short, tokenize]

        def run(text):
            for stage in STAGES:
                text = stage(text)
            return text

        if __name__ == "__main__":
            print(run(input()))
    """
    assert judge(tmp_path, code, "clean", "tokenize", "filter_short").status == "drifted"
    assert judge(tmp_path, code, "clean", "filter short", "tokenize").status == "aligned"
    assert judge(tmp_path, code, "clean", "filter short", "tokenize", link="data").status == "aligned"


def test_reduce_over_callables(tmp_path: Path) -> None:
    code = """
        from functools import reduce

        def lower(x): return x.lower()
        def stem(x): return x.rstrip("s")

        def main(docs):
            return [reduce(lambda acc, f: f(acc), (stem, lower), doc) for doc in docs]

        main(["Docs"])
    """
    assert judge(tmp_path, code, "lower", "stem").status == "drifted"
    assert judge(tmp_path, code, "stem", "lower").status == "aligned"


@pytest.mark.parametrize(
    ("stages", "status"), [('["pretrain", "distill", "evaluate"]', "aligned"), ('["distill", "pretrain", "evaluate"]', "drifted")]
)
def test_stage_names(tmp_path: Path, stages: str, status: str) -> None:
    dispatch = f"""
        class Pipeline:
            def run(self):
                for stage in {stages}:
                    getattr(self, f"run_{{stage}}")()

            def run_pretrain(self): self.w = 1
            def run_distill(self): self.w = 2
            def run_evaluate(self): return self.w

        Pipeline().run()
    """
    branches = f"""
        def main():
            for stage in {stages}:
                if stage == "pretrain":
                    w = sum(range(3))
                elif stage == "distill":
                    w = w + 1
                elif stage == "evaluate":
                    print(w)

        if __name__ == "__main__":
            main()
    """
    table = f"""
        def first(): return 1
        def second(): return 2
        def third(): return 3

        TABLE = {{"pretrain": first, "distill": second, "evaluate": third}}

        def main():
            for name in {stages}:
                TABLE[name]()

        main()
    """
    assert judge(tmp_path, dispatch, "pretrain", "distill", "evaluate").status == status
    assert judge(tmp_path, branches, "pretrain", "distill", "evaluate").status == status
    assert judge(tmp_path, table, "first", "second", "third").status == status


def test_dictionary_of_callables(tmp_path: Path) -> None:
    code = """
        def collect(s): return s
        def fit(s): return s
        def plan(s): return s

        STEPS = {"collect": collect, "plan": plan, "fit": fit}

        def main(state=0):
            for name, step in STEPS.items():
                state = step(state)
            return state

        main()
    """
    assert judge(tmp_path, code, "collect", "fit", "plan").status == "drifted"
    assert judge(tmp_path, code, "collect", "plan", "fit").status == "aligned"


def test_methods_of_a_class_pipeline(tmp_path: Path) -> None:
    code = """
        class Base:
            def run(self, docs):
                docs = self.prepare(docs)
                return self.finish(docs)

        class Cleaner(Base):
            def prepare(self, docs):
                return self.dedup(self.normalize(docs))
            def finish(self, docs):
                return self.pack(docs)
            def normalize(self, docs): return [d.lower() for d in docs]
            def dedup(self, docs): return list(dict.fromkeys(docs))
            def pack(self, docs): return " ".join(docs)

        def main():
            Cleaner().run(["a"])

        if __name__ == "__main__":
            main()
    """
    assert judge(tmp_path, code, "normalize", "dedup", "pack", link="data").status == "aligned"
    assert judge(tmp_path, code, "dedup", "normalize").status == "drifted"


def test_sequential_in_forward(tmp_path: Path) -> None:
    code = """
        import torch
        from torch import nn

        class Attention(nn.Module):
            def forward(self, x): return x * 2

        class Mlp(nn.Module):
            def forward(self, x): return x + 1

        class Block(nn.Module):
            def __init__(self, dim):
                super().__init__()
                self.mlp = Mlp()
                self.norm1 = nn.LayerNorm(dim)
                self.attn = Attention()

            def forward(self, x):
                x = x + self.attn(self.norm1(x))
                return x + self.mlp(x)
    """
    assert judge(tmp_path, code, "LayerNorm", "Attention", "Mlp").status == "aligned"
    assert judge(tmp_path, code, "LayerNorm", "Attention", "Mlp", link="data").status == "aligned"
    assert judge(tmp_path, code, "Attention", "LayerNorm").status == "drifted"


def test_sequence_of_modules(tmp_path: Path) -> None:
    code = """
        from torch import nn

        def build(dim):
            return nn.Sequential(nn.Conv2d(3, dim, 3), nn.ReLU(), nn.BatchNorm2d(dim))
    """
    assert judge(tmp_path, code, "Conv2d", "BatchNorm2d", "ReLU").status == "drifted"
    assert judge(tmp_path, code, "Conv2d", "ReLU", "BatchNorm2d", link="data").status == "aligned"


def test_pipeline_of_named_steps(tmp_path: Path) -> None:
    code = """
        from sklearn.pipeline import Pipeline
        from sklearn.decomposition import PCA
        from sklearn.preprocessing import StandardScaler
        from sklearn.svm import SVC

        def model():
            return Pipeline([("pca", PCA(8)), ("scale", StandardScaler()), ("clf", SVC())])
    """
    assert judge(tmp_path, code, "StandardScaler", "PCA", "SVC").status == "drifted"
    assert judge(tmp_path, code, "pca", "scale", "clf").status == "aligned"


def test_transforms_made_before_they_are_listed(tmp_path: Path) -> None:
    code = """
        from torchvision import transforms

        def train_transform():
            norm = transforms.Normalize((0.5,), (0.5,))
            flip = transforms.RandomHorizontalFlip()
            return transforms.Compose([flip, transforms.ToTensor(), norm])
    """
    assert judge(tmp_path, code, "RandomHorizontalFlip", "ToTensor", "Normalize").status == "aligned"


LIGHTNING = """
    import pytorch_lightning as pl
    import torch

    class Lit(pl.LightningModule):
        def training_step(self, batch, index):
            return self.compute_loss(batch)
        def compute_loss(self, batch):
            return batch.mean()
        def on_train_batch_end(self, *args):
            self.update_ema()
        def update_ema(self):
            self.ema.mul_(0.9)
        def configure_optimizers(self):
            return torch.optim.Adam(self.parameters())

    def main():
        pl.Trainer(max_epochs=2).fit(Lit(), [1])

    main()
"""


def test_framework_calls_the_hooks(tmp_path: Path) -> None:
    assert judge(tmp_path, LIGHTNING, "compute_loss", "backward", "optimizer.step", "update_ema").status == "aligned"
    assert judge(tmp_path, LIGHTNING, "update_ema", "optimizer.step").status == "drifted"


def test_trainer_subclass(tmp_path: Path) -> None:
    code = """
        from transformers import Trainer

        class Mine(Trainer):
            def compute_loss(self, model, inputs):
                return contrastive(model(**inputs))

        def contrastive(out): return out.sum()

        def main(model, data):
            Mine(model=model, train_dataset=data).train()
    """
    assert judge(tmp_path, code, "contrastive", "backward", "optimizer.step").status == "aligned"
    assert judge(tmp_path, code, "optimizer.step", "contrastive").status == "drifted"


def test_decorator_and_context_manager(tmp_path: Path) -> None:
    code = """
        from contextlib import contextmanager
        from functools import wraps

        def setup(): return 1
        def teardown(): return 2
        def work(): return 3
        def audit(): return 4

        @contextmanager
        def session():
            setup()
            yield
            teardown()

        def audited(fn):
            @wraps(fn)
            def inner(*args, **kwargs):
                result = fn(*args, **kwargs)
                audit()
                return result
            return inner

        @audited
        def main():
            with session():
                work()

        main()
    """
    assert judge(tmp_path, code, "setup", "work", "teardown", "audit").status == "aligned"
    assert judge(tmp_path, code, "audit", "work").status == "drifted"


def test_generator_of_batches(tmp_path: Path) -> None:
    code = """
        def augment(x): return x
        def batches(items):
            for item in items:
                yield augment(item)

        def train(items):
            for batch in batches(items):
                update(batch)

        def update(batch): return batch.sum()

        train([1])
    """
    assert judge(tmp_path, code, "augment", "update", link="data").status == "aligned"
    assert judge(tmp_path, code, "update", "augment").status == "drifted"


def test_data_set_items_are_made_by_the_loader(tmp_path: Path) -> None:
    code = """
        from torch.utils.data import DataLoader, Dataset

        class Images(Dataset):
            def __getitem__(self, i):
                return self.normalize(self.decode(i))
            def decode(self, i): return i
            def normalize(self, x): return x / 255

        def main(model):
            for batch in DataLoader(Images(), batch_size=8):
                model(batch).backward()

        if __name__ == "__main__":
            main(None)
    """
    assert judge(tmp_path, code, "decode", "normalize", "backward").status == "aligned"


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ("x = denoise(x)\n    x = project(x)\n    return decode(x)", "aligned"),
        ("y = denoise(x)\n    z = project(x)\n    return decode(z)", "drifted"),
        ("denoise(x)\n    x = project(x)\n    return decode(x)", "drifted"),
        ("x = denoise(x)\n    x = load()\n    x = project(x)\n    return decode(x)", "drifted"),
        ("box = {}\n    box['a'] = denoise(x)\n    box['b'] = project(box['a'])\n    return decode(box['b'])", "aligned"),
        ("parts = []\n    parts.append(denoise(x))\n    y = project(parts)\n    return decode(y)", "aligned"),
        ("state = State()\n    state.x = denoise(x)\n    advance(state)\n    return decode(state.x)", "aligned"),
    ],
)
def test_data_links(tmp_path: Path, body: str, status: str) -> None:
    code = (
        "def denoise(x):\n    return x * 0.5\n\n\ndef project(x):\n    return x + 1\n\n\ndef decode(x):\n    return x.sum()\n\n\n"
        "def load():\n    return open('f').read()\n\n\nclass State:\n    pass\n\n\n"
        "def advance(state):\n    state.x = project(state.x)\n\n\n"
        f"def sample(x):\n    {body}\n"
    )
    assert judge(tmp_path, code, "denoise", "project", "decode", link="data").status == status
    assert judge(tmp_path, code, "denoise", "project", "decode").status == "aligned"


def test_function_that_ignores_its_argument_breaks_the_link(tmp_path: Path) -> None:
    code = """
        def features(x): return x.mean()
        def cluster(f): return fresh().argmax()
        def fresh(): return open("cache").read()

        def main(x):
            return cluster(features(x))
    """
    assert judge(tmp_path, code, "features", "cluster", link="data").status == "drifted"


def test_optimizer_links_gradients_and_parameters(tmp_path: Path) -> None:
    code = """
        import torch

        def pretrain(net, data):
            opt = torch.optim.Adam(net.parameters())
            for x in data:
                opt.zero_grad()
                net(x).mean().backward()
                opt.step()

        def finetune(net, data):
            return net(data)

        def main(net, other, data):
            pretrain(net, data)
            return finetune({}, data)
    """
    assert judge(tmp_path, code.format("net"), "pretrain", "finetune", link="data").status == "aligned"
    assert judge(tmp_path, code.format("other"), "pretrain", "finetune", link="data").status == "drifted"
    assert judge(tmp_path, code.format("net"), "backward", "optimizer.step", link="data").status == "aligned"


def test_what_runs_beats_what_nobody_calls(tmp_path: Path) -> None:
    code = """
        import torch

        def train_clipped(model, data, optimizer):
            for x in data:
                model(x).backward()
                torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
                optimizer.step()

        def train(model, data, optimizer):
            for x in data:
                model(x).backward()
                optimizer.step()
                torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)

        def main():
            model = torch.nn.Linear(2, 2)
            train(model, [], torch.optim.SGD(model.parameters(), lr=1))

        if __name__ == "__main__":
            main()
    """
    wrong = judge(tmp_path, code, "backward", "clip_grad_norm_", "optimizer.step")
    assert wrong.status == "drifted"
    assert wrong.location is not None
    assert wrong.location.line <= 14 <= wrong.location.end_line
    swapped = code.replace("            train(model, []", "            train_clipped(model, []")
    assert judge(tmp_path, swapped, "backward", "clip_grad_norm_", "optimizer.step").status == "aligned"
    bare = code.replace(
        "                torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)\n\n        def main", "\n        def main"
    )
    assert judge(tmp_path, bare, "backward", "clip_grad_norm_", "optimizer.step").status == "unused"


def test_private_helper_nobody_calls(tmp_path: Path) -> None:
    code = """
        def encode(x): return x
        def quantize(x): return x

        def _pipeline(x):
            return quantize(encode(x))
    """
    assert judge(tmp_path, code, "encode", "quantize").status == "unused"


def test_dead_branch(tmp_path: Path) -> None:
    code = """
        def encode(x): return x
        def quantize(x): return x

        def pipeline(x):
            x = encode(x)
            if False:
                x = quantize(x)
            return x
    """
    assert judge(tmp_path, code, "encode", "quantize").status == "unused"
    after = code.replace(
        "            if False:\n                x = quantize(x)\n            return x",
        "            return x\n            x = quantize(x)",
    )
    assert judge(tmp_path, after, "encode", "quantize").status == "unused"


def test_early_return_and_exclusive_branches(tmp_path: Path) -> None:
    code = """
        def warm(x): return x
        def cool(x): return x

        def main(x):
            if x.big:
                return warm(x)
            return cool(x)
    """
    assert judge(tmp_path, code, "warm", "cool").status == "drifted"


def test_optional_branch_keeps_the_order(tmp_path: Path) -> None:
    code = """
        def train(model, data, optimizer, scaler=None, every=4):
            for i, x in enumerate(data):
                loss = model(x)
                if scaler is not None:
                    scaler.scale(loss).backward()
                else:
                    loss.backward()
                if i % every == 0:
                    if scaler is not None:
                        scaler.step(optimizer)
                    else:
                        optimizer.step()
                    optimizer.zero_grad()
    """
    assert judge(tmp_path, code, *UPDATE).status == "aligned"


def test_try_finally(tmp_path: Path) -> None:
    code = """
        def acquire(): return 1
        def release(): return 2
        def use(): return 3

        def main():
            acquire()
            try:
                use()
            finally:
                release()
    """
    assert judge(tmp_path, code, "acquire", "use", "release").status == "aligned"
    assert judge(tmp_path, code, "release", "use").status == "drifted"


def test_missing_step_is_named(tmp_path: Path) -> None:
    code = """
        def encode(x): return x

        def main(x):
            # quantize(x) comes next
            return encode(x)
    """
    finding = judge(tmp_path, code, "encode", "quantize")
    assert finding.status == "missing"
    assert "quantize" in finding.message
    assert finding.location is None


def test_separate_programs_leave_the_order_open(tmp_path: Path) -> None:
    files = {
        "a.py": "def encode(x):\n    return x\n\nif __name__ == '__main__':\n    encode(1)\n",
        "b.py": "def decode(x):\n    return x\n\nif __name__ == '__main__':\n    decode(1)\n",
    }
    assert judge(tmp_path, files, "encode", "decode").status == "undecided"


def test_shell_script_runs_programs(tmp_path: Path) -> None:
    files = {
        "a.py": "def encode(x):\n    return x\n\nif __name__ == '__main__':\n    encode(1)\n",
        "b.py": "def decode(x):\n    return x\n\nif __name__ == '__main__':\n    decode(1)\n",
        "run.sh": "#!/bin/bash\nset -e\npython b.py --x 1\npython a.py\n",
    }
    assert judge(tmp_path, files, "encode", "decode").status == "drifted"
    assert judge(tmp_path, files, "decode", "encode").status == "aligned"
    assert judge(tmp_path, files, "b", "a").status == "aligned"


def test_shell_script_chooses_stages(tmp_path: Path) -> None:
    files = {
        "main.py": """
            import argparse

            def pretrain(): return 1
            def finetune(): return 2

            def main():
                parser = argparse.ArgumentParser()
                parser.add_argument("--stage")
                args = parser.parse_args()
                if args.stage == "pretrain":
                    pretrain()
                elif args.stage == "finetune":
                    finetune()

            if __name__ == "__main__":
                main()
        """,
        "run.sh": "python main.py --stage pretrain\npython main.py --stage finetune\n",
    }
    assert judge(tmp_path, files, "pretrain", "finetune").status == "aligned"
    assert judge(tmp_path, files, "finetune", "pretrain").status == "drifted"


def test_phrases(tmp_path: Path) -> None:
    code = """
        def update(agent, batch):
            loss = agent.critic_loss(batch)
            agent.optim.zero_grad()
            loss.backward()
            agent.optim.step()
            for p, t in zip(agent.net, agent.target_net):
                t.data.mul_(0.99).add_(p.data)

        def train(agent, buffer, env):
            env.reset()
            batch = buffer.sample(32)
            update(agent, batch)
            soft_update_target(agent)

        def soft_update_target(agent):
            agent.target.load_state_dict(agent.net)
    """
    assert (
        judge(
            tmp_path,
            code,
            "sample batch",
            "compute loss",
            "clear gradients",
            "backpropagate",
            "update parameters",
            "update target network",
        ).status
        == "aligned"
    )
    assert judge(tmp_path, code, "update target network", "sample batch").status == "drifted"


def test_near_tells_two_loops_apart(tmp_path: Path) -> None:
    code = """
        def train_critic(opt, loss):
            opt.zero_grad()
            loss.backward()
            opt.step()

        def train_actor(opt, loss):
            opt.zero_grad()
            opt.step()
            loss.backward()
    """
    assert judge(tmp_path, code, *UPDATE, near=("critic",)).status == "aligned"
    assert judge(tmp_path, code, *UPDATE, near=("actor",)).status == "drifted"
    assert judge(tmp_path, code, *UPDATE).status == "aligned"


def test_two_optimizers_in_one_loop(tmp_path: Path) -> None:
    code = """
        import torch

        def train(g, d, data, opt_g, opt_d):
            for x in data:
                opt_d.zero_grad()
                d(x).backward()
                opt_d.step()
                opt_g.zero_grad()
                opt_g.step()
                g(x).backward()
    """
    assert judge(tmp_path, code, "opt_d.zero_grad", "opt_d.step").status == "aligned"
    assert judge(tmp_path, code, "opt_g.step", "opt_d.step").status == "drifted"
    assert judge(tmp_path, code, *UPDATE).status == "drifted"


def test_attribute_that_starts_as_none_is_set_from_elsewhere(tmp_path: Path) -> None:
    code = """
        class Trainer:
            def __init__(self):
                self.optimizer = None
            def fit(self, loss):
                loss.backward()
                if self.optimizer is not None:
                    self.optimizer.step()

        def main(optimizer, loss):
            trainer = Trainer()
            trainer.optimizer = optimizer
            trainer.fit(loss)
    """
    assert judge(tmp_path, code, "backward", "optimizer.step").status == "aligned"
    assert (
        judge(tmp_path, code.replace("trainer.optimizer = optimizer", "attach(trainer)"), "backward", "optimizer.step").status
        == "aligned"
    )


def test_reset_at_the_end_of_a_function_that_others_call_in_a_loop(tmp_path: Path) -> None:
    code = """
        def train_step(self, batch, optimizer):
            self.model(batch).backward()
            optimizer.step()
            optimizer.zero_grad()
    """
    assert judge(tmp_path, code, *UPDATE).status == "aligned"
    assert judge(tmp_path, code, "optimizer.step", "backward").status == "drifted"


def test_messages_say_which_and_where(tmp_path: Path) -> None:
    code = """
        def clean(x): return x.strip()
        def split(x): return x.split()
        def count(x): return len(x)
        def show(x): return str(x)

        def main(x, mode):
            words = split(x)
            tidy = clean(x)
            n = count(words)
            if n > 3:
                return show(n)
            else:
                return render(n)

        def render(x): return repr(x)

        if __name__ == "__main__":
            main(input(), 1)
    """
    swapped = judge(tmp_path, code, "clean", "split")
    assert swapped.message == "split (main.py:8) comes before clean (main.py:9)"
    unlinked = judge(tmp_path, code, "clean", "count", link="data")
    assert unlinked.message == "in order but not linked: the result of clean (main.py:9) does not reach count (main.py:10)"
    skipped = judge(tmp_path, code, "show", "render")
    assert skipped.message == "either show (main.py:12) or render (main.py:14), never one after another"
    missing = judge(tmp_path, code, "clean", "stem", "count")
    assert missing.message == "no live code does stem"
