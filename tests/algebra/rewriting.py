"""Random rewrites and mutations of expressions, for tests that no fixed list of examples would cover."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from random import Random

from verifier.model.expression import Apply, Expr, Number, Symbol

FORMULAS = (
    "-mean(min(r*A, clip(r, 1 - eps, 1 + eps)*A))",
    "mean((R - V)**2)/2",
    "tau*xi + (1 - tau)*theta",
    "-0.5*sum(1 + lv - mu**2 - exp(lv))",
    "sqrt(abar)*x0 + sqrt(1 - abar)*noise",
    "softmax(Q @ transpose(K)/sqrt(d)) @ V",
    "g*x/sqrt(mean(x**2) + eps)",
    "-mean((1 - p)**gamma*log(p))",
    "1 - (2*sum(p*q) + eps)/(sum(p) + sum(q) + eps)",
    "exp(-sum((x - y)**2)/(2*sigma**2))",
    "norm(u - v)/norm(v)",
    "-log(sigmoid(beta*(w - l)))",
    "r + gamma*(1 - done)*(min(q1, q2) - alpha*logp)",
    "eta_min + 0.5*(eta_max - eta_min)*(1 + cos(pi*t/T))",
    "10*log10(peak**2/mse)",
    "d**(-0.5)*min(s**(-0.5), s*w**(-1.5))",
    "alpha*N*sum(f*P)",
    "mean(logsumexp(x)**2)",
    "mean(relu(dp - dn + m))",
    "beta1*m + (1 - beta1)*grad_",
    "theta - lr*mhat/(sqrt(vhat) + eps)",
    "log(exp(a/tau)/sum(exp(b/tau)))",
    "2*h/(k**2 + h)",
    "where(abs(x) < delta, 0.5*x**2, delta*(abs(x) - 0.5*delta))",
    "cos((t + 0.008)/1.008*pi/2)**2",
    "0.5*x*(1 + tanh(sqrt(2/pi)*(x + 0.044715*x**3)))",
    "(x - mean(x))/sqrt(var(x) + eps)*g + b",
    "sum(p*log(p/q))",
    "logp - log(1 - tanh(u)**2 + eps)",
    "a*mean(abs(x - y)) + (1 - a)*(1 - ssim)",
    "min(snr, k)/snr",
    "mean(stopgrad(z) - e)**2 + beta*mean(z - stopgrad(e))**2",
)


def nodes(expr: Expr, path: tuple[int, ...] = ()) -> Iterator[tuple[tuple[int, ...], Expr]]:
    yield path, expr
    if isinstance(expr, Apply):
        for at, item in enumerate(expr.args):
            yield from nodes(item, (*path, at))


def put(expr: Expr, path: tuple[int, ...], new: Expr) -> Expr:
    if not path:
        return new
    assert isinstance(expr, Apply)
    at = path[0]
    return Apply(expr.head, (*expr.args[:at], put(expr.args[at], path[1:], new), *expr.args[at + 1 :]))


def num(value: int | str) -> Number:
    return Number(Fraction(value))


def neg(expr: Expr) -> Expr:
    return Apply("neg", (expr,))


def rewritings(expr: Expr) -> list[Expr]:  # noqa: C901 - a table of spellings
    """Other spellings of one operation, equal to it."""
    if not isinstance(expr, Apply):
        return []
    head, args = expr.head, expr.args
    match expr:
        case Apply("+" | "*" | "min" | "max", (a, b)):
            out: list[Expr] = [Apply(head, (b, a))]
            if head == "*":
                out += [Apply("/", (a, Apply("/", (num(1), b))))]
                for left, right in ((a, b), (b, a)):
                    if isinstance(right, Apply) and right.head in ("+", "-"):
                        out.append(Apply(right.head, tuple(Apply("*", (left, item)) for item in right.args)))
            return out
        case Apply("-", (a, b)):
            return [Apply("+", (a, neg(b))), neg(Apply("-", (b, a))), Apply("+", (neg(b), a))]
        case Apply("/", (a, b)):
            return [Apply("*", (a, Apply("**", (b, num(-1))))), Apply("*", (Apply("reciprocal", (b,)), a))]
        case Apply("neg", (a,)):
            return [Apply("*", (num(-1), a)), Apply("-", (num(0), a))]
        case Apply("**", (a, Number(value))) if value == 2:
            return [Apply("*", (a, a)), Apply("square", (a,))]
        case Apply("sqrt", (a,)):
            return [Apply("**", (a, num("1/2")))]
        case Apply("log", (Apply("sigmoid", (a,)),)):
            return [Apply("logsigmoid", (a,)), neg(Apply("softplus", (neg(a),)))]
        case Apply("sigmoid", (a,)):
            return [Apply("/", (num(1), Apply("+", (num(1), Apply("exp", (neg(a),))))))]
        case Apply("exp", (Apply("neg", (a,)),)):
            return [Apply("/", (num(1), Apply("exp", (a,))))]
        case Apply("relu", (a,)):
            return [Apply("max", (num(0), a))]
        case Apply("norm", (a,)):
            return [Apply("sqrt", (Apply("sum", (Apply("square", (a,)),)),)), Apply("**", (Apply("dot", (a, a)), num("1/2")))]
        case Apply("mean" | "sum", (Apply("neg", (a,)),)):
            return [neg(Apply(head, (a,)))]
        case Apply("logsumexp", (a,)):
            return [Apply("log", (Apply("sum", (Apply("exp", (a,)),)),))]
        case Apply("log10", (a,)):
            return [Apply("/", (Apply("log", (a,)), Apply("log", (num(10),))))]
        case Apply("log", (Apply("/", (a, b)),)):
            return [Apply("-", (Apply("log", (a,)), Apply("log", (b,))))]
        case Apply("var", (a,)):
            return [Apply("mean", (Apply("**", (Apply("-", (a, Apply("mean", (a,)))), num(2))),))]
        case Apply("clip", (a, low, high)):
            return [Apply("min", (high, Apply("max", (low, a))))]
        case Apply("<", (a, b)):
            return [Apply(">", (b, a))]
        case Apply("where", (Apply("<", (a, b)), x, y)):
            return [Apply("where", (Apply("<", (b, a)), y, x))]
    del args
    return []


def rewritten(expr: Expr, random: Random, steps: int) -> Expr:
    for _ in range(steps):
        options = [(path, other) for path, item in nodes(expr) for other in rewritings(item)]
        options += [
            (path, Apply("named", (Symbol(f"part{random.randrange(9)}"), item)))
            for path, item in nodes(expr)
            if isinstance(item, Apply)
        ][:2]
        if not options:
            return expr
        path, other = random.choice(options)
        expr = put(expr, path, other)
    return expr


def renamed(expr: Expr, names: dict[str, str]) -> Expr:
    match expr:
        case Symbol(name):
            return Symbol(names.get(name, name))
        case Apply("named", (label, inner)):
            return Apply("named", (label, renamed(inner, names)))
        case Apply(head, args):
            return Apply(head, tuple(renamed(item, names) for item in args))
    return expr


def mutations(expr: Expr) -> list[Expr]:  # noqa: C901 - a table of faults
    """Versions of one operation that differ from it."""
    match expr:
        case Number(value):
            return [Number(value * 2), Number(value + 1), Number(value / 3)]
        case Apply("+", (a, b)):
            return [Apply("-", (a, b)), a, b]
        case Apply("-", (a, b)):
            return [Apply("+", (a, b)), Apply("-", (b, a)), a]
        case Apply("*", (a, b)):
            return [Apply("/", (a, b)), a, b, Apply("+", (a, b))]
        case Apply("/", (a, b)):
            return [Apply("*", (a, b)), Apply("/", (b, a)), a]
        case Apply("neg", (a,)):
            return [a]
        case Apply("**", (a, n)):
            return [a, Apply("**", (a, Apply("*", (n, num(2))))), Apply("**", (a, neg(n)))]
        case Apply("sqrt", (a,)):
            return [a, Apply("abs", (a,))]
        case Apply("mean", args):
            return [Apply("sum", args), args[0]]
        case Apply("sum", args):
            return [Apply("mean", args), args[0]]
        case Apply("min", args):
            return [Apply("max", args)]
        case Apply("log", args):
            return [Apply("log10", args), Apply("log2", args), args[0]]
        case Apply("log10", args):
            return [Apply("log", args)]
        case Apply("exp" | "sigmoid" | "tanh" | "softmax" | "relu" | "abs" | "logsumexp" | "cos", (a,)):
            return [a]
        case Apply("norm", (a,)):
            return [Apply("norm", (a, num(1))), Apply("**", (expr, num(2)))]
        case Apply("clip", (a, low, high)):
            return [Apply("max", (a, low)), Apply("min", (a, high)), a]
        case Apply("stopgrad", (a,)):
            return [a]
    return []


def mutated(expr: Expr, random: Random) -> Expr:
    options = [(path, other) for path, item in nodes(expr) for other in mutations(item)]
    path, other = random.choice(options)
    return put(expr, path, other)
