"""Lifting, function by function: what code computes, in the notation of unit files."""

from __future__ import annotations

import pytest

from tests.facts.lifting_code import defined, texts
from verifier.algebra.printing import to_text

EXAMPLES = {
    "assignments are substituted": ("def f(a, b):\n    s = a + b\n    d = a - b\n    return s / d", "f", "(a + b)/(a - b)"),
    "a rebound name holds what it held before": (
        "def f(x):\n    x = x + 1\n    x = 2 * x\n    return x ** 2",
        "f",
        "(2*(x + 1))**2",
    ),
    "keys are dotted names": ("def f(batch):\n    return batch['r'] + batch.get('q')**2", "f", "batch.r + batch.q**2"),
    "numbers are exact": ("def f(x):\n    return x + 1e-8 + 0.008", "f", "x + 1e-08 + 0.008"),
    "a loop that adds is a sum": (
        "def f(xs):\n    s = 0.0\n    for x in xs:\n        s += x ** 2\n    return s",
        "f",
        "sum(xs**2)",
    ),
    "a loop that multiplies is a product": (
        "def f(xs):\n    p = 1\n    for x in xs:\n        p = p * (1 - x)\n    return p",
        "f",
        "prod(1 - xs)",
    ),
    "a sum over its length is a mean": (
        "def f(xs):\n    s = 0\n    for x in xs:\n        s += x ** 2\n    return s / len(xs)",
        "f",
        "mean(xs**2)",
    ),
    "a list that grows is reduced": (
        "import numpy as np\ndef f(xs):\n    out = []\n    for x in xs:\n        out.append(abs(x))\n    return np.mean(out)",
        "f",
        "mean(abs(xs))",
    ),
    "a generator is summed": ("import math\ndef f(p):\n    return -sum(q * math.log(q) for q in p)", "f", "-sum(p*log(p))"),
    "numeric branches are cases": (
        "def f(s, w):\n    if s < w:\n        return s / w\n    return (w / s) ** 0.5",
        "f",
        "s/w",
    ),
    "in place methods chain": ("def f(m, g, b):\n    m.mul_(b).add_(g, alpha=1 - b)", "m", "m*b + (1 - b)*g"),
    "what is left in place is read later": (
        "def f(m, g, b):\n    m.mul_(b)\n    m.add_(g)\n    return m ** 2",
        "f",
        "(m*b + g)**2",
    ),
    "a copy changed in place leaves the original": (
        "def f(m, g, b):\n    u = m.clone().mul_(b).add_(g).sign_()\n    m.mul_(b)\n    return m - u",
        "f",
        "m*b - sign(m*b + g)",
    ),
    "what an unknown method changes in place is not known": (
        "import torch\ndef f(x, i):\n    m = torch.zeros_like(x)\n    m.scatter_(-1, i, 1.0)\n    return m.mean(0) * x",
        "f",
        "mean(m)*x",
    ),
    "constants of classes and tables": (
        "TABLE = {'beta': 0.5}\nclass A:\n    gamma = 0.9\n    def f(self, x):\n        return self.gamma * x + TABLE['beta']",
        "f",
        "0.9*x + 0.5",
    ),
    "copy_ and data": ("def f(t, s, tau):\n    t.data.copy_(tau * s.data + (1 - tau) * t.data)", "t", "tau*s + (1 - tau)*t"),
    "shapes do not count": (
        "def f(x, y):\n    return (x.view(-1).float()[:, None] * y.unsqueeze(0).to('cuda')).squeeze(1)",
        "f",
        "x*y",
    ),
    "stop of gradients": (
        "import torch\ndef f(q, r):\n    with torch.no_grad():\n        y = r + q(1)\n    return (q(0) - y) ** 2 - r.detach()",
        "f",
        "(q(0) - stopgrad(r + q(1)))**2 - stopgrad(r)",
    ),
    "the smaller of two stacked": (
        "import torch\ndef f(a, b):\n    return torch.stack([a, b], dim=-1).min(dim=-1).values / a",
        "f",
        "min(a, b)/a",
    ),
    "einsum is a matrix product": (
        "import torch\ndef f(q, k):\n    return torch.einsum('bhid,bhjd->bhij', q, k).softmax(-1)",
        "f",
        "softmax(q @ transpose(k))",
    ),
    "a swap of axes in a product is a transpose": (
        "import torch\ndef f(q, k):\n    q, k = q.transpose(1, 2), k.transpose(1, 2)\n    return q @ k.transpose(-2, -1)",
        "f",
        "q @ transpose(k)",
    ),
    "masks of scores do not count": (
        "def f(s, m):\n    return s.masked_fill(m == 0, float('-inf')).softmax(-1)",
        "f",
        "softmax(s)",
    ),
    "pairs differ": ("def f(x):\n    return ((x[:, None] - x[None, :]) ** 2).sum(-1)", "f", "sum((x[i] - x[j])**2)"),
    "pairs are compared": ("def f(y):\n    return (y[:, None] == y[None, :]).float().sum(1)", "f", "sum(y[i] == y[j])"),
    "look-ups of neighbours stay": (
        "def f(r, v, t, g):\n    return r[t] + g * v[t + 1] - v[t]",
        "f",
        "r + g*v[t + 1] - v",
    ),
    "look-ups by two names stay": ("def f(a, t, s):\n    return a[t] / a[s]", "f", "a[t]/a[s]"),
    "gradients": (
        "import torch\ndef f(u, x):\n    g = torch.autograd.grad(u.sum(), x, create_graph=True)[0]\n    return g ** 2",
        "f",
        "grad(u, x)**2",
    ),
    "gradients of functions": (
        "import jax\ndef loss(p, x):\n    return (p * x) ** 2\ndef f(p, x, lr):\n    return p - lr * jax.grad(loss)(p, x)",
        "f",
        "p - lr*grad((p*x)**2, p)",
    ),
    "closures keep their arguments": (
        "def make(b):\n    def inner(r):\n        return b * r + 1\n    return inner\ndef f(x):\n    g = make(0.5)\n    return g(x) ** 2",
        "f",
        "(0.5*x + 1)**2",
    ),
    "partial binds": (
        "from functools import partial as bind\ndef g(a, b):\n    return a * b + 1\nh = bind(g, 0.5)\ndef f(z):\n    return h(z) ** 2",
        "f",
        "(0.5*z + 1)**2",
    ),
    "functions are arguments": (
        "import torch\ndef mc(fn, x):\n    return fn(x).mean()\ndef f(x):\n    return mc(torch.exp, x) + mc(lambda v: v ** 3, x)",
        "f",
        "mean(exp(x)) + mean(x**3)",
    ),
    "scan gives its body": (
        "from jax import lax\ndef f(xs, a):\n    def g(c, x):\n        c = a*c + x\n        return c, c\n    return lax.scan(g, 0, xs)[1]",
        "f",
        "a*carry + xs",
    ),
    "expectations of a library": (
        "import torch.nn.functional as F\ndef f(p, q):\n    return F.kl_div(p, q, reduction='sum') + F.mse_loss(p, q, reduction='none')",
        "f",
        "sum(q*(log(q) - p)) + (p - q)**2",
    ),
}


@pytest.mark.parametrize(("code", "name", "expected"), EXAMPLES.values(), ids=list(EXAMPLES))
def test_computes(code: str, name: str, expected: str) -> None:
    assert expected in texts(code, name)


MODULES = """
    import torch
    from torch import nn

    class RMSNorm(nn.Module):
        def __init__(self, dim, eps=1e-6):
            super().__init__()
            self.eps = eps
            self.scale = nn.Parameter(torch.ones(dim))

        def forward(self, x):
            return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + self.eps) * self.scale

    class Block(nn.Module):
        def __init__(self, dim):
            super().__init__()
            self.norm = RMSNorm(dim)
            self.fc = nn.Linear(dim, dim)
            self.act = nn.SiLU()
            self.drop = nn.Dropout(0.1)
            self.criterion = nn.MSELoss(reduction="sum")
            self.scale = dim ** -0.5

        @property
        def gain(self):
            return 2 * self.scale

        def forward(self, x, y):
            h = self.drop(self.act(self.fc(self.norm(x))))
            return self.criterion(h * self.gain, y)
"""


def test_modules_have_their_meaning_and_others_are_functions() -> None:
    found = texts(MODULES, "Block")
    assert "sum((silu(self.fc(self.norm(x)))*self.gain - y)**2)" in found
    assert "sum((silu(self.fc(x*rsqrt(mean(x**2) + 1e-06)*self.norm.scale))*(2*(1/sqrt(dim))) - y)**2)" in found


def test_layers_are_shown_both_ways() -> None:
    code = """
        from torch import nn

        class Block(nn.Module):
            def __init__(self, d):
                super().__init__()
                self.ln = nn.LayerNorm(d)

            def forward(self, x):
                return x + self.ln(x).tanh()
    """
    assert texts(code, "Block") == ["x + tanh(self.ln(x))", "x + tanh(weight*(x - mean(x))/sqrt(var(x) + 1e-05) + bias)"]


def test_attributes_that_other_methods_change_stay_names() -> None:
    code = """
        class Meter:
            def __init__(self, decay):
                self.decay, self.mean, self.rate = decay, 0.0, 1 - decay

            def update(self, x):
                self.mean = self.decay * self.mean + self.rate * x
                return self.mean
    """
    assert "self.decay*self.mean + (1 - self.decay)*x" in texts(code, "self.mean")


def test_results_cross_modules_as_dictionaries_and_buffers() -> None:
    schedule = """
        import torch

        def tables(betas):
            kept = torch.cumprod(1 - betas, 0)
            return {"signal": kept.sqrt(), "noise": (1 - kept).sqrt()}
    """
    process = """
        from torch import nn
        from pkg.schedule import tables

        class Process(nn.Module):
            def __init__(self, betas):
                super().__init__()
                rows = tables(betas)
                self.register_buffer("signal", rows["signal"])
                self.register_buffer("noise", rows["noise"])

            @staticmethod
            def pick(table, t):
                return table.gather(0, t).view(-1, 1)

            def sample(self, x, t, eps):
                return self.pick(self.signal, t) * x + self.pick(self.noise, t) * eps
    """
    found = [to_text(item.expr) for item in defined(pkg__schedule=schedule, pkg__process=process) if "sample" in item.names]
    assert "sqrt(cumprod(1 - betas))*x + sqrt(1 - cumprod(1 - betas))*eps" in found


def test_configuration_gives_alternatives() -> None:
    code = """
        def loss(h, kind, beta):
            if kind == "hinge":
                out = (1 - beta * h).relu()
            elif kind == "ipo":
                out = (h - 1 / (2 * beta)) ** 2
            else:
                raise ValueError(kind)
            return out.mean()
    """
    assert texts(code, "loss") == ["mean(relu(1 - beta*h))", "mean((h - 1/(2*beta))**2)"]


def test_known_flags_decide_when_a_helper_is_called() -> None:
    code = """
        def reduce(x, squared=True):
            return x ** 2 if squared else abs(x)

        def caller(x):
            return reduce(x, squared=False) + 1
    """
    assert "abs(x) + 1" in texts(code, "caller")
    assert "x**2 + 1" not in texts(code, "caller")


def test_results_of_helpers_are_placed_where_the_helper_computes_them() -> None:
    code = """
        def helper(a, b):
            spread = a ** 2 + b
            return spread

        def caller(x, y):
            out = helper(x, y)
            return out
    """
    places = {(item.names, item.place.location.line) for item in defined(code=code)}
    assert (("out",), 3) in places


def test_what_is_dead_or_discarded_says_so() -> None:
    code = """
        def loss(x, y):
            old = (x - y).abs().mean()
            value = (x - y) ** 3
            value = ((x - y) ** 2).mean()
            return value
            return (x * y).sum()

        schedule = lambda t: t ** 2
        schedule = lambda t: 1 - t
    """
    said = {to_text(item.expr): item.discarded or item.place.dead for item in defined(code=code)}
    assert said["mean(abs(x - y))"] == "old is never read"
    assert said["(x - y)**3"] == "value is overwritten before it is read"
    assert said["mean((x - y)**2)"] == ""
    assert said["sum(x*y)"] == "after the return on line 6"
    assert said["t**2"] == "schedule is overwritten before it is read"
    assert said["1 - t"] == ""


def test_an_expression_that_rests_on_a_placeholder_has_it() -> None:
    code = """
        def overlap(p, g):
            # TODO: per class
            return p.new_zeros(())

        def dice(p, g):
            return 1 - 2 * overlap(p, g) / (p.sum() + g.sum())

        def area(p):
            return p.sum() / 2
    """
    stubs = {item.names[0]: item.stub for item in defined(code=code) if item.names}
    assert stubs["dice"] is not None
    assert stubs["dice"].location.line == 4
    assert stubs["area"] is None


def test_recursion_and_growth_are_bounded() -> None:
    steps = "\n".join(f"    x = (x + y) * (x - {i})" for i in range(60))
    code = f"def grow(x, y):\n{steps}\n    return x\ndef deep(n):\n    return deep(n - 1) + grow(n, n) + 1\n"
    found = [item.expr for item in defined(code=code)]
    assert found
    assert max(len(to_text(expr)) for expr in found) <= 400
    assert "deep(n - 1) + grow(n, n) + 1" in texts(code, "deep")


def test_an_attribute_that_is_made_of_itself_stays_a_name() -> None:
    code = """
        class Node:
            def __init__(self, x):
                self.size = self.size + x if x else self.size

            def area(self):
                return self.size ** 2
    """
    assert "self.size**2" in texts(code, "area") or "(self.size + x)**2" in texts(code, "area")


def test_broken_and_odd_code_is_lifted_as_far_as_it_goes() -> None:
    code = """
        def f(*args, **kw):
            a, *rest = args
            (b, c), d = kw["x"], unknown[0][1:]["k"]
            with open(a) as fh, lock:
                try:
                    z = b * c + undefined
                except (ValueError, TypeError) as err:
                    z = d @ c
                else:
                    z += 1
                finally:
                    del d
            match a:
                case 1:
                    z = z ** 2
                case [p, q]:
                    z = p / q
            while z > 0:
                z -= b if b else c
            return {"z": z, **kw}, [z, *rest], z if (y := z + 1) else -y
    """
    assert texts(code, "z")
