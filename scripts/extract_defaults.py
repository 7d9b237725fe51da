r"""Writes rules/defaults/*.yaml from the signatures of the installed libraries.

Nothing in those packs is written by hand: install the libraries into an environment of their own and run

    python -m venv /tmp/libraries && /tmp/libraries/bin/pip install torch torchvision transformers peft trl accelerate datasets jax flax \
        diffusers optax keras scikit-learn scipy numpy stable-baselines3 sb3-contrib lightning torch_geometric xgboost \
        lightgbm timm array-api-compat
    /tmp/libraries/bin/python scripts/extract_defaults.py rules/defaults

A default that is no plain constant (a function, an object) is written as `...`. Functions implemented in C carry their
signature in the first line of their docstring, which is read instead.
"""

from __future__ import annotations

import ast
import dataclasses
import enum
import importlib
import importlib.metadata
import inspect
import json
import math
import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

os.environ.setdefault("KERAS_BACKEND", "jax")
LIMIT = 160  # longest constant that is written out

SAMPLING = (
    "beta|binomial|choice|dirichlet|exponential|gamma|geometric|gumbel|laplace|logistic|lognormal|multinomial|multivariate_normal|normal"
    "|permutation|poisson|standard_normal|uniform|vonmises"
)

# library -> (distribution, [(module, pattern of the names to take), ...])
LIBRARIES: dict[str, tuple[str, list[tuple[str, str]]]] = {
    "torch": (
        "torch",
        [
            ("torch.optim", r"(?!Optimizer$)[A-Z]\w+"),
            ("torch.optim.lr_scheduler", r"(?!LRScheduler$)[A-Z]\w+"),
            ("torch.optim.swa_utils", r"AveragedModel|SWALR|get_ema_\w+"),
            ("torch.nn", r"(?!Module$|Parameter|Buffer|Uninit)[A-Z]\w+"),
            ("torch.nn.functional", r"[a-z]\w+"),
            ("torch.nn.utils", r"clip_grad_\w+|spectral_norm|weight_norm"),
            ("torch.nn.utils.parametrizations", r"spectral_norm|weight_norm|orthogonal"),
            ("torch.nn.init", r"[a-z]\w+_"),
            ("torch.utils.data", r"DataLoader|random_split|\w+Sampler|Subset|TensorDataset"),
            ("torch.utils.checkpoint", r"checkpoint|checkpoint_sequential"),
            ("torch.autograd", r"grad|backward"),
            ("torch.autograd.functional", r"jacobian|hessian|jvp|vjp|hvp"),
            ("torch.func", r"grad|jacrev|jacfwd|vmap|hessian"),
            ("torch.amp", r"autocast|GradScaler"),
            ("torch.distributions", r"[A-Z]\w+"),
            ("torch.fft", r"i?r?fft[2n]?|fftfreq|rfftfreq|fftshift"),
            (
                "torch",
                (
                    r"linspace|logspace|arange|clamp|clip|std|var|mean|sum|norm|topk|randint|randn|rand|normal|bernoulli|multinomial|softmax"
                    r"|logsumexp|cumsum|cumprod|quantile|nan_to_num|histc|bincount|eye|full|zeros|ones|cat|stack|roll|flip|diff|trapezoid|stft"
                    r"|argmax|argmin|sort|median|manual_seed|compile|no_grad|addcmul|addcdiv|lerp|allclose|cdist|std_mean|var_mean"
                ),
            ),
            ("torch.linalg", r"norm|vector_norm|matrix_norm|svd|qr|eigh|eig|inv|pinv|solve|cholesky|lstsq"),
        ],
    ),
    "torchvision": (
        "torchvision",
        [
            ("torchvision.transforms", r"[A-Z]\w+"),
            ("torchvision.datasets", r"[A-Z]\w+"),
            (
                "torchvision.models",
                r"resnet\w+|vgg\w+|vit_\w+|densenet\w+|mobilenet_\w+|efficientnet_\w+|convnext_\w+|swin_\w+|wide_resnet\w+|inception_v3|googlenet|alexnet",
            ),
            ("torchvision.utils", r"make_grid|save_image"),
            (
                "torchvision.ops",
                r"nms|roi_align|sigmoid_focal_loss|generalized_box_iou_loss|StochasticDepth|stochastic_depth|DropBlock2d",
            ),
        ],
    ),
    "transformers": (
        "transformers",
        [
            (
                "transformers",
                r"TrainingArguments|Seq2SeqTrainingArguments|GenerationConfig|get_\w*schedule\w*|Adafactor|EarlyStoppingCallback",
            ),
            ("transformers", r"DataCollatorForLanguageModeling|DataCollatorForSeq2Seq|BitsAndBytesConfig"),
            (
                "transformers",
                (
                    r"(Bert|Roberta|DistilBert|Albert|Electra|DebertaV2|GPT2|GPTNeo|GPTNeoX|GPTJ|OPT|Bloom|Llama|Mistral|Mixtral|Qwen2|Qwen3|Qwen2Moe"
                    r"|Qwen3Moe|Gemma|Gemma2|Phi|Phi3|Olmo|Olmo2|Olmoe|DeepseekV2|DeepseekV3|Mamba|Mamba2|T5|Bart|MBart|Pegasus|ViT|ViTMAE|DeiT|Swin"
                    r"|Beit|ConvNext|CLIP|CLIPText|CLIPVision|Blip|Wav2Vec2|Hubert|Whisper|Detr|Segformer|DecisionTransformer|Longformer|BigBird"
                    r"|XLNet|TimeSeriesTransformer|SwitchTransformers|JetMoe|Falcon|Mpt|Dinov2|VideoMAE|ResNet)Config"
                ),
            ),
        ],
    ),
    "peft": (
        "peft",
        [
            (
                "peft",
                r"LoraConfig|AdaLoraConfig|IA3Config|PrefixTuningConfig|PromptTuningConfig|VeraConfig|OFTConfig|LoHaConfig|LoKrConfig",
            )
        ],
    ),
    "trl": ("trl", [("trl", r"SFTConfig|DPOConfig|RewardConfig|GRPOConfig|KTOConfig|RLOOConfig|ORPOConfig|PPOConfig")]),
    "accelerate": ("accelerate", [("accelerate", r"Accelerator")]),
    "diffusers": (
        "diffusers",
        [
            (
                "diffusers",
                r"\w+Scheduler|UNet2DModel|UNet2DConditionModel|AutoencoderKL|VQModel|Transformer2DModel|DiTTransformer2DModel",
            ),
            ("diffusers.training_utils", r"EMAModel"),
            ("diffusers.optimization", r"get_\w+schedule\w*|get_scheduler"),
        ],
    ),
    "optax": ("optax", [("optax", r"[a-z]\w+")]),
    "jax": (
        "jax",
        [
            ("jax.nn", r"[a-z]\w+"),
            ("jax.random", r"normal|uniform|randint|permutation|choice|bernoulli|categorical|truncated_normal|gumbel"),
            ("jax", r"jit|grad|value_and_grad|vmap"),
            ("jax.lax", r"scan|clamp|stop_gradient"),
        ],
    ),
    "flax": (
        "flax",
        [
            ("flax.linen", r"Dense|Conv|LayerNorm|BatchNorm|GroupNorm|RMSNorm|Dropout|Embed|MultiHead\w+|SelfAttention"),
            ("flax.linen", r"LSTMCell|GRUCell|max_pool|avg_pool"),
            ("flax.nnx", r"Linear|Conv|LayerNorm|BatchNorm|GroupNorm|RMSNorm|Dropout|Embed|MultiHeadAttention"),
        ],
    ),
    "datasets": ("datasets", [("datasets", r"load_dataset")]),
    "keras": (
        "keras",
        [
            ("keras.optimizers", r"[A-Z]\w+"),
            ("keras.optimizers.schedules", r"[A-Z]\w+"),
            ("keras.losses", r"[A-Z]\w+"),
            ("keras.layers", r"[A-Z]\w+"),
            ("keras.callbacks", r"EarlyStopping|ReduceLROnPlateau|ModelCheckpoint|LearningRateScheduler"),
            ("keras.regularizers", r"[A-Z]\w+"),
            ("keras.initializers", r"[A-Z]\w+"),
            ("keras", r"Model\.(fit|compile|evaluate|predict)"),
        ],
    ),
    "sklearn": (
        "scikit-learn",
        [
            ("sklearn.linear_model", r"[A-Z]\w+"),
            ("sklearn.ensemble", r"[A-Z]\w+"),
            ("sklearn.svm", r"[A-Z]\w+"),
            ("sklearn.tree", r"[A-Z]\w+"),
            ("sklearn.neighbors", r"[A-Z]\w+"),
            ("sklearn.cluster", r"[A-Z]\w+"),
            ("sklearn.decomposition", r"[A-Z]\w+"),
            ("sklearn.manifold", r"[A-Z]\w+"),
            ("sklearn.mixture", r"[A-Z]\w+"),
            ("sklearn.naive_bayes", r"[A-Z]\w+"),
            ("sklearn.neural_network", r"[A-Z]\w+"),
            ("sklearn.gaussian_process", r"[A-Z]\w+"),
            ("sklearn.gaussian_process.kernels", r"[A-Z]\w+"),
            ("sklearn.preprocessing", r"[A-Z]\w+"),
            ("sklearn.model_selection", r"[A-Za-z]\w+"),
            ("sklearn.metrics", r"[a-z]\w+"),
            ("sklearn.datasets", r"(make|fetch|load)_\w+"),
            ("sklearn.feature_extraction.text", r"\w+Vectorizer"),
            ("sklearn.calibration", r"\w+"),
            ("sklearn.random_projection", r"[A-Z]\w+"),
        ],
    ),
    "scipy": (
        "scipy",
        [
            ("scipy.integrate", r"solve_ivp|odeint|quad|solve_bvp|simpson|trapezoid"),
            (
                "scipy.optimize",
                r"minimize|minimize_scalar|least_squares|curve_fit|root|root_scalar|brentq|differential_evolution|dual_annealing|linprog",
            ),
            ("scipy.sparse.linalg", r"cg|gmres|bicgstab|spsolve|eigsh|svds"),
            ("scipy.ndimage", r"gaussian_filter\w*|zoom|median_filter|uniform_filter"),
            ("scipy.signal", r"butter|savgol_filter|spectrogram|stft|welch|resample"),
            ("scipy.interpolate", r"interp1d|RegularGridInterpolator|griddata|RBFInterpolator|CubicSpline"),
            (
                "scipy.stats",
                r"wasserstein_distance|ks_2samp|ttest_ind|ttest_rel|wilcoxon|mannwhitneyu|spearmanr|pearsonr|kendalltau|gaussian_kde|bootstrap",
            ),
        ],
    ),
    "numpy": (
        "numpy",
        [
            (
                "numpy",
                r"linspace|logspace|geomspace|std|var|mean|median|percentile|quantile|clip|cumsum|argsort|nanmean|allclose|histogram|pad|cov",
            ),
            ("numpy.linalg", r"norm|lstsq|pinv|svd|matrix_rank"),
            ("numpy.random", rf"default_rng|RandomState|randint|{SAMPLING}"),
            ("numpy.random", rf"Generator\.(integers|{SAMPLING})"),
        ],
    ),
    "stable_baselines3": (
        "stable-baselines3",
        [
            ("stable_baselines3", r"PPO|A2C|DQN|SAC|TD3|DDPG|HerReplayBuffer"),
            ("stable_baselines3.common.noise", r"\w+Noise"),
            ("stable_baselines3.common.buffers", r"\w*Buffer"),
            ("stable_baselines3.common.vec_env", r"VecNormalize|VecFrameStack|VecVideoRecorder"),
            ("stable_baselines3.common.env_util", r"make_vec_env|make_atari_env"),
            ("stable_baselines3.common.evaluation", r"evaluate_policy"),
            ("stable_baselines3.common.callbacks", r"EvalCallback|CheckpointCallback"),
        ],
    ),
    "sb3_contrib": ("sb3-contrib", [("sb3_contrib", r"ARS|QRDQN|TQC|TRPO|MaskablePPO|RecurrentPPO|CrossQ")]),
    "gymnasium": (
        "gymnasium",
        [
            ("gymnasium", r"make|make_vec"),
            ("gymnasium.wrappers", r"[A-Z]\w+"),
            ("gymnasium.vector", r"\w+VectorEnv"),
            ("gymnasium.spaces", r"Box|Discrete|MultiBinary|MultiDiscrete"),
        ],
    ),
    "lightning": (
        "lightning",
        [
            ("lightning.pytorch", r"Trainer|seed_everything"),
            (
                "lightning.pytorch.callbacks",
                r"EarlyStopping|ModelCheckpoint|StochasticWeightAveraging|GradientAccumulationScheduler|LearningRateMonitor",
            ),
        ],
    ),
    "torchmetrics": ("torchmetrics", [("torchmetrics", r"[A-Z]\w+"), ("torchmetrics.image", r"[A-Z]\w+")]),
    "torch_geometric": (
        "torch_geometric",
        [
            (
                "torch_geometric.nn",
                r"(GCN|GAT|GATv2|SAGE|GIN|GINE|Cheb|Graph|APPNP|SG|Transformer|Edge|NN|PNA|RGCN|TAG|ARMA)Conv|APPNP",
            ),
            ("torch_geometric.loader", r"DataLoader|NeighborLoader"),
            ("torch_geometric.datasets", r"Planetoid|TUDataset|QM9|ZINC|Reddit|PPI"),
        ],
    ),
    "xgboost": ("xgboost", [("xgboost", r"XGB(Classifier|Regressor)|train")]),
    "lightgbm": ("lightgbm", [("lightgbm", r"LGBM(Classifier|Regressor)|train|early_stopping")]),
    "timm": (
        "timm",
        [
            ("timm", r"create_model"),
            ("timm.optim", r"create_optimizer_v2"),
            ("timm.scheduler", r"\w+Scheduler"),
            ("timm.data", r"Mixup|create_transform"),
            ("timm.utils", r"ModelEma\w*"),
            ("timm.loss", r"[A-Z]\w+"),
            ("timm.layers", r"DropPath|drop_path|DropBlock2d|PatchEmbed|Mlp|LayerScale"),
        ],
    ),
    "python": (
        "",
        [
            ("collections", r"deque|Counter|OrderedDict"),
            ("random", r"seed|sample|choices|gauss|uniform|randint"),
            ("functools", r"lru_cache"),
        ],
    ),
}


def main(folder: Path) -> None:
    """Writes one pack a library; a library that is not installed is named and left out."""
    import torch.library

    torch.library.register_fake = lambda *_, **__: (
        lambda function: function
    )  # torchvision's CUDA operators have nothing to attach to
    for library, (distribution, modules) in LIBRARIES.items():
        try:
            found = dict(entry for module, pattern in modules for entry in signatures(module, pattern))
        except ImportError as error:
            print(f"{library}: left out, {error}", file=sys.stderr)
            continue
        version = (
            importlib.metadata.version(distribution) if distribution else f"{sys.version_info.major}.{sys.version_info.minor}"
        )
        lines = [f"pack: defaults\nlibrary: {library}\nversion: {json.dumps(version)}\nsignatures:"]
        lines += [f"  {name}: {json.dumps(text, ensure_ascii=False)}" for name, text in sorted(found.items())]
        kept = _examples(folder / f"{library}.yaml")
        (folder / f"{library}.yaml").write_text("\n".join(lines) + "\n" + kept, encoding="utf-8")
        print(f"{library} {version}: {len(found)} signatures")


def _examples(path: Path) -> str:
    if not path.exists():
        return ""
    _, mark, rest = path.read_text(encoding="utf-8").partition("\nexamples:")
    return mark[1:] + rest


def signatures(module: str, pattern: str) -> Iterator[tuple[str, str]]:
    """Qualified names of a module that match the pattern, with their signatures."""
    space = importlib.import_module(module)
    owner, dot, members = pattern.partition(r"\.")
    if dot:
        space, module, pattern = getattr(space, owner), f"{module}.{owner}", members
    for name in sorted(set(dir(space)) | set(getattr(space, "__all__", ()))):
        if not re.fullmatch(pattern, name):
            continue
        try:
            thing = getattr(space, name, None)
        except ImportError:  # an experimental name that must be enabled first
            continue
        text = "" if thing is None or inspect.ismodule(thing) or not callable(thing) else signature(thing)
        if dot:
            text = re.sub(r"^\(self(?:, )?", "(", text)
        if text and not (inspect.isclass(thing) and issubclass(thing, (BaseException, enum.Enum))):
            yield f"{module}.{name}", text


def signature(thing: Any) -> str:
    """`(params, lr=0.001, *, fused=None)`, empty when it is not to be had."""
    if getattr(thing, "__name__", "") == "GenerationConfig":
        return _generation(thing)
    try:
        parameters = list(inspect.signature(thing).parameters.values())
    except (ValueError, TypeError):
        return _from_docstring(thing)
    if [p.kind for p in parameters] == [inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD]:
        return _from_docstring(thing)
    parts: list[str] = []
    keyword_only = False
    for p in parameters:
        if p.kind is p.KEYWORD_ONLY and not keyword_only:
            parts.append("*")
        keyword_only |= p.kind in (p.KEYWORD_ONLY, p.VAR_POSITIONAL)
        stars = {p.VAR_POSITIONAL: "*", p.VAR_KEYWORD: "**"}.get(p.kind, "")
        parts.append(f"{stars}{p.name}" + ("" if p.default is p.empty else f"={_constant(_default(thing, p))}"))
    return f"({', '.join(parts)})"


def _default(thing: Any, parameter: inspect.Parameter) -> Any:
    value = parameter.default
    if dataclasses.is_dataclass(thing):
        for one in dataclasses.fields(thing):
            if (
                one.name == parameter.name
                and one.default_factory is not dataclasses.MISSING
                and one.default_factory in (list, dict, tuple)
            ):
                return one.default_factory()
    return value


def _constant(value: Any) -> str:
    if isinstance(value, enum.Enum):
        value = value.value
    if isinstance(value, float) and not math.isfinite(value):
        return "nan" if math.isnan(value) else "inf" if value > 0 else "-inf"
    text = repr(value)
    try:
        ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return "..."
    return text if len(text) <= LIMIT else "..."


def _from_docstring(thing: Any) -> str:
    name = re.escape(getattr(thing, "__name__", "?"))
    lines = (thing.__doc__ or "").strip().splitlines()[:12]
    for start in range(min(3, len(lines))):
        whole = " ".join(line.strip() for line in lines[start:])
        match = re.match(rf"(?:\w+\.)*{name}(\([^()]*(?:\([^()]*\)[^()]*)*\))(?: -+> |\s|:|$)", whole)
        if not match:
            continue
        if "[" in match.group(1) and "=" not in match.group(1):
            return _optional(thing, match.group(1))
        text = re.sub(r"\b(?:torch\.\w+|default)\b", "...", match.group(1)).replace("\\", "")
        text = re.sub(r"(\*\w+), \*,", r"\1,", text)
        try:
            arguments = ast.parse(f"def f{text}: pass").body[0].args  # type: ignore[attr-defined]
        except SyntaxError:
            continue
        for one in (*arguments.args, *arguments.kwonlyargs):
            one.annotation = None
        arguments.defaults = [_plain(node) for node in arguments.defaults]
        arguments.kw_defaults = [node and _plain(node) for node in arguments.kw_defaults]
        return f"({ast.unparse(arguments)})"
    return ""


def _optional(thing: Any, text: str) -> str:
    """`([iterable[, maxlen]])`: what a default instance holds under the parameter's name is the default."""
    required, _, rest = text.strip("()").partition("[")
    parts = re.findall(r"\w+", required)
    for name in re.findall(r"\w+", rest):
        held = getattr(thing(), name, ...) if inspect.isclass(thing) and not required.strip() else ...
        parts.append(f"{name}={_constant(held)}")
    return f"({', '.join(parts)})"


def _plain(node: ast.expr) -> ast.expr:
    if (
        isinstance(node, ast.BinOp)
        and isinstance(node.op, ast.Div)
        and isinstance(node.left, ast.Constant)
        and isinstance(node.right, ast.Constant)
    ):
        node = ast.Constant(node.left.value / node.right.value)  # type: ignore[operator]
    try:
        ast.literal_eval(node)
    except ValueError:
        return ast.Constant(...)
    return node


def _generation(thing: Any) -> str:
    config = thing()
    values = {name: value for name, value in vars(config).items() if not name.startswith("_")}
    fill = getattr(config, "_get_default_generation_params", dict)()
    values.update({name: value for name, value in fill.items() if values.get(name) is None})
    return "(*, " + ", ".join(f"{name}={_constant(value)}" for name, value in values.items()) + ", **kwargs)"


if __name__ == "__main__":
    main(Path(sys.argv[1]))
