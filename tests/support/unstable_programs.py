"""Programs of bad conditioning, made at random: right answers of theirs may be far apart, and nobody is to be accused.

A program is the text of ``def program(x, y)`` of two vectors of numbers in (0, 1). The families: chaotic maps, systems
of equations that are nearly singular, long recurrences, cancellation, gradients that are mathematically zero, near
ties, and loops that end when a value says so.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

#: Lengths of the two vectors.
SIZES = (1, 2, 3, 4, 6, 9, 16, 33)

Lines = list[str]


class Maker:
    """Draws the constants and parts of one program."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(f"unstable {seed}")
        self.size = self.random.choice(SIZES)

    def number(self, low: float, high: float) -> float:
        """A constant of three digits behind the point."""
        return round(self.random.uniform(low, high), 3)

    def whole(self, low: int, high: int) -> int:
        """A whole number, both ends included."""
        return self.random.randint(low, high)

    def pick(self, *texts: str) -> str:
        """One of several texts; in it, {a}, {b}, {c} are constants of a unit or so, {e} is a tiny one, {n} a count."""
        return self.random.choice(texts).format(
            a=self.number(0.2, 1.9), b=self.number(0.2, 1.9), c=self.number(2, 9), e=self.pick_tiny(),
            n=self.whole(2, 5), v="{v}", w="{w}",
        )  # fmt: skip

    def pick_tiny(self) -> str:
        """A constant that is small beside one."""
        return self.random.choice(["1e-2", "1e-3", "1e-4", "1e-5", "1e-6", "1e-7", "0.0"])


def unstable_program(seed: int) -> str:
    """The text of a program; the same for the same seed."""
    maker = Maker(seed)
    family = maker.random.choice(FAMILIES)
    body = [*_scaled(maker), *family(maker)]
    lines = ["def program(x, y):", *(f"    {line}" for line in body)]
    return "\n".join([*lines, f"    return {_returned(maker)}", ""])


def unstable_inputs(seed: int) -> Sequence[np.ndarray[Any, Any]]:
    """The two vectors of a program; one program in three is in float64."""
    rng, dtype = np.random.default_rng(seed), np.float64 if seed % 3 == 2 else np.float32
    return [rng.uniform(0.05, 0.95, Maker(seed).size).astype(dtype) for _ in range(2)]


def _scaled(maker: Maker) -> Lines:
    """Some programs compute in another type than their inputs have."""
    to = maker.random.choice(["", "", "", "", "", "jnp.bfloat16", "jnp.float16"])
    return [f"x, y = x.astype({to}), y.astype({to})"] if to else []


def _returned(maker: Maker) -> str:
    return maker.pick("out", "out", "out", "out * {c}", "out.sum()", "jnp.sin(out)", "(out, x + out.mean())")


SMOOTH = (
    "{v} * {v}",
    "{v} * {b}",
    "jnp.exp(-{v} * {v})",
    "jnp.log(jnp.abs({v}) + {a})",
    "jnp.sqrt(jnp.abs({v}) + {e})",
    "1 / ({v} * {v} + {a})",
    "jnp.abs({v}) ** {a}",
    "jnp.sin({v})",
    "{v} - {w}",
    "{v} * {w}",
    "{v} + {b} * {w}",
    "jnp.arctan2({v}, {w} + {c})",
    "jnp.cbrt({v})",
    "jnp.tanh({v}) - {w}",
    "jnp.expm1({v} * 0.3)",
    "jnp.log1p({v} * {v})",
)
BOUNDED = (
    "jnp.sin({c} * ({v}))",
    "jnp.cos({c} * ({v}))",
    "{v} * {c} - jnp.floor({v} * {c})",
    "1 - 2 * jnp.abs(jnp.sin({c} * {v}))",
    "jnp.tanh(4 * jnp.sin({c} * {v}))",
    "jnp.mod({c} * {v}, 1.0)",
    "jnp.clip({c} * jnp.sin({v} * 3), -1.0, {a})",
    "jnp.where(jnp.sin({c} * {v}) > 0, jnp.sin({v}), jnp.cos({c} * {v}))",
)


def _step(maker: Maker, v: str, w: str) -> str:
    """An expression of two values that grows differences and stays small."""
    inner = maker.pick(*SMOOTH).format(v=v, w=w)
    return maker.pick(*BOUNDED).format(v=f"({inner})", w=w)


def _chaos(maker: Maker) -> Lines:
    """What a chaotic map goes through."""
    length = maker.whole(40, 400)
    told = maker.pick(
        "path",
        "path[-1]",
        "path[-{n}:].mean(0)",
        "path.sum(0)",
        "jnp.sort(path, axis=0)[::{n}]",
        "jnp.argmax(path, axis=0).astype(x.dtype)",
        "(path > 0.1).sum(0).astype(x.dtype)",
        "jnp.cumsum(path, 0)[-1]",
        "path.var(0)",
    )
    return [
        "def body(s, _):",
        "    v, w = s",
        f"    v, w = {_step(maker, 'v', 'w')}, {maker.random.choice(['v', 'w * 0.9', _step(maker, 'w', 'v')])}",
        "    return (v.astype(x.dtype), w.astype(x.dtype)), v",
        f"path = lax.scan(body, (x, y), None, length={length})[1]",
        f"out = {told}",
    ]


MATRICES = (
    "1 / (i + j + 1 + {a} * x)",
    "x[:, None] ** j",
    "x[:, None] * y + {e} * jnp.eye(n, dtype=x.dtype)",
    "jnp.exp(-((i - j) * {a}) ** 2) + {e} * jnp.eye(n, dtype=x.dtype)",
    "jnp.cos({c} * i * j + x) * 10.0 ** (-j)",
    "jnp.diag(x) - jnp.roll(jnp.diag(x), 1, 0) * {a} + {e}",
    "jnp.where(i >= j, 1.0, -{a}) + x[:, None] * {e}",
    "jnp.minimum(i, j) + 1 + {e} * x",
)
SOLVED = (
    "jnp.linalg.solve(m, y)",
    "jnp.linalg.inv(m)",
    "jnp.linalg.inv(m) @ (m @ y)",
    "jnp.linalg.det(m)",
    "jnp.linalg.slogdet(m)[1]",
    "jnp.linalg.cholesky(m @ m.T + {e} * jnp.eye(n, dtype=x.dtype))",
    "jnp.linalg.eigvalsh(m @ m.T)",
    "jnp.linalg.svd(m, compute_uv=False)",
    "jnp.linalg.qr(m)[1]",
    "jnp.linalg.lstsq(m, y)[0]",
    "jax.scipy.linalg.solve_triangular(jnp.tril(m), y, lower=True)",
    "jnp.linalg.pinv(m)",
    "jax.scipy.linalg.expm(m)",
    "jnp.linalg.matrix_power(m, {n})",
    "jnp.linalg.cond(m)",
    "jax.scipy.linalg.cho_solve((jnp.linalg.cholesky(m @ m.T + {e} * jnp.eye(n, dtype=x.dtype)), True), y)",
    "jnp.linalg.eigh(m + m.T)[1]",
    "jnp.linalg.svd(m)[0]",
    "jax.grad(lambda z: jnp.linalg.solve(m + jnp.diag(z), y).sum())(x)",
    "jax.grad(lambda z: jnp.linalg.slogdet(m + jnp.diag(z))[1])(x)",
)


def _solve(maker: Maker) -> Lines:
    """Systems of equations that are nearly singular."""
    return [
        "x, y = x.astype(jnp.float32)[:9], y.astype(jnp.float32)[:9]",
        "n = x.shape[0]",
        "i, j = jnp.arange(n, dtype=x.dtype)[:, None], jnp.arange(n, dtype=x.dtype)",
        f"m = {maker.pick(*MATRICES)}",
        f"out = {maker.pick(*SOLVED)}",
    ]


RECURRENCES = (
    "({a} * v - {b} * w + x * {e}, v)",
    "(2 * {a} / (k + 1) * v - w, v)",
    "(2 * k * v / (x + {a}) - w, v)",
    "((2 * k + 1) / (k + 1) * x * v - k / (k + 1) * w, v)",
    "(v + (x - {a}) / (k + 1), w * {a})",
    "(v * ({a} + x * {e}), v - w)",
    "(v * 0.999 + x * w, -w * 1.001)",
    "(v + w, w * -x / (k + 1))",
    "(v * x + (-1.0) ** k, w)",
    "(v + (x + {e}) - x, w + v - v)",
    "(0.5 * (v + {c} / (v + {e})), w)",
    "(jnp.log(jnp.exp(v) + x), w + jnp.exp(-v))",
    "(v + jnp.sin(k * x) / (k + 1), w - v * {e})",
    "(jnp.sqrt(v * v + w * w) * {a}, w - v * {e})",
)


def _recurrence(maker: Maker) -> Lines:
    """Sums, products and recurrences of many terms."""
    told = maker.pick(
        "end[0]",
        "end[0] - end[1]",
        "path",
        "path[-1] / path[0]",
        "jnp.cumsum(path, 0)[-1]",
        "path.sum(0)",
        "jnp.cumprod(path, 0)[-1]",
        "jnp.diff(path, axis=0)",
        "path.std(0)",
    )
    return [
        "def body(s, k):",
        "    v, w = s",
        f"    v, w = {maker.pick(*RECURRENCES)}",
        "    return (v.astype(x.dtype), w.astype(x.dtype)), v.astype(x.dtype)",
        f"end, path = lax.scan(body, (x, y), jnp.arange({maker.whole(20, 900)}, dtype=jnp.float32))",
        f"out = {told}",
    ]


CANCELLED = (
    "(x * {a} + {c}e{n}) - x * {a} - {c}e{n}",
    "jnp.exp(x * {e}) - 1",
    "1 - jnp.cos(x * {e})",
    "jnp.sqrt(1 + x * {e}) - 1",
    "jnp.log(1 + x * {e})",
    "(x * x).mean() - x.mean() ** 2",
    "x.var() - ((x - x.mean()) ** 2).mean()",
    "((x + {c}e{n}) ** 2).mean() - (x + {c}e{n}).mean() ** 2",
    "-{c}e{n} + jnp.sqrt({c}e{n} * {c}e{n} - x)",
    "(x - {a}) ** 3 - (x**3 - 3 * {a} * x**2 + 3 * {a} * {a} * x - {a} * {a} * {a})",
    "(jnp.sin(x + {e}) - jnp.sin(x)) / ({e} + 1e-8)",
    "x[:, None] ** 2 + y**2 - 2 * x[:, None] * y - (x[:, None] - y) ** 2",
    "jnp.sqrt(x[:, None] ** 2 + x**2 - 2 * x[:, None] * x)",
    "(x + y) * (x - y) - (x * x - y * y)",
    "jax.nn.softmax(x * {c}e{n}).sum() - 1",
    "jnp.log(jnp.exp(x * {c}).sum()) - jax.nn.logsumexp(x * {c})",
    "jnp.fft.ifft(jnp.fft.fft(x)).real - x",
    "jnp.linalg.norm(x - x * (1 + {e}))",
    "jnp.dot(x, y) - jnp.dot(y, x + {e})",
    "(jnp.outer(x, y) @ y - x * (y @ y))",
    "jnp.tan({c} * x) - jnp.sin({c} * x) / jnp.cos({c} * x)",
    "jax.nn.standardize(x * {e} + {c})",
    "(x - x.mean()) / jnp.sqrt(x.var() + {e})",
    "jnp.cumsum(x - x.mean())",
    "jnp.log(jax.nn.sigmoid(x * {c})) - jax.nn.log_sigmoid(x * {c})",
    "x / (x + y - y) - 1",
    "jnp.concatenate([x * {c}e{n}, y, -x * {c}e{n}]).sum()",
    "jnp.polyval(jnp.array([1, -{a}, {b}, -{a}, {e}]), x)",
    "jnp.arccosh(1 + x * {e})",
    "jnp.arccos(1 - x * {e})",
    "jnp.interp(x, jnp.sort(y), jnp.cumsum(y)) - x",
    "jax.scipy.special.erf(x + {c}) - jax.scipy.special.erf(y + {c})",
    "jnp.sinc(x * {c}) - 1 / ({c} * x + {e})",
    "jax.scipy.special.gammaln(x + {c}) - jax.scipy.special.gammaln(y + {c})",
    "jnp.convolve(x, y) - jnp.convolve(y, x)",
)


def _cancellation(maker: Maker) -> Lines:
    """Differences of things that are nearly equal."""
    first, second = maker.pick(*CANCELLED), maker.pick(*CANCELLED)
    scaled = maker.pick("u", "u", "u * {c}e{n}", "jnp.sign(u)", "jnp.exp(jnp.clip(u * {c}e{n}, -3, 3))")
    u = f"({first}).sum() + ({second})" if maker.random.random() < 0.4 else first
    return [f"u = {u}", f"out = {scaled}"]


LOSSES = (
    "jax.nn.softmax(z * {c}).sum()",
    "jnp.linalg.norm(z - z)",
    "jnp.linalg.norm(z * 0)",
    "(z / jnp.linalg.norm(z)) @ (z / jnp.linalg.norm(z))",
    "((z - z.mean()) / (z.std() + {e})).sum()",
    "jax.nn.standardize(z).sum()",
    "jnp.sum(jnp.sin(z) ** 2 + jnp.cos(z) ** 2)",
    "jnp.exp(z - jax.nn.logsumexp(z)).sum()",
    "jnp.where(z > {a}, jnp.sqrt(jnp.abs(z - {a})), 0.0).sum()",
    "jnp.sum(jnp.log(jnp.exp(z)) - z)",
    "jnp.sqrt(((z[:, None] - z) ** 2)).sum()",
    "jnp.max(z) - jnp.sort(z)[-1]",
    "jnp.cumsum(z)[-1] - z.sum()",
    "jnp.prod(z / z)",
    "jax.nn.relu(z - z * (1 + {e})).sum()",
    "jnp.sum((z @ jnp.outer(z, y)) - z @ z * y)",
    "optimum(z)",
    "jnp.sum(jnp.arctan2(z, {a}) + jnp.arctan2({a}, z))",
)


def _gradient(maker: Maker) -> Lines:
    """Derivatives that are mathematically zero, or nearly so."""
    loss = maker.pick(*LOSSES).replace("optimum(z)", "((z - x) ** 2).sum() * (z - x).sum()")
    derived = maker.pick(
        "jax.grad(f)(x)",
        "jax.grad(f)(x) + jax.grad(f)(y)",
        "jax.hessian(f)(x)",
        "jax.jvp(f, (x,), (y,))[1]",
        "jax.grad(lambda z: jax.grad(f)(z) @ y)(x)",
        "jax.vmap(jax.grad(f))(jnp.stack([x, y]))",
    )
    return [f"f = lambda z: {loss} * {maker.number(0.5, 3)}", f"out = {derived}"]


TIES = (
    "jnp.argmax(jnp.stack([x * {a}, x * {a} + y * {e}, x * {b} * {a} / {b}]), axis=0)",
    "jnp.argsort(jnp.concatenate([x, x + y * {e}, x * {a} / {a}]))",
    "lax.top_k(jnp.concatenate([x * {a}, x + y * {e} - x * (1 - {a})]), 1)[1]",
    "jnp.floor((x * {c} / {c}) / x)",
    "jnp.round(x * {c} - x * {c} + {n} + 0.5 + y * {e})",
    "jnp.where(x * {a} / {a} >= x, x, -y)",
    "jnp.unique_counts(jnp.concatenate([x, x * {a} / {a}]), size=3).counts",
    "jnp.searchsorted(jnp.cumsum(x), jnp.cumsum(x[::-1])[::-1])",
    "jnp.mod(x * {c} * {a}, x * {a})",
    "jnp.sign(x.sum() - x[::-1].sum()) + x",
    "(x.sum() == x[::-1].sum()).astype(x.dtype) + x",
    "jnp.histogram(x, bins={n})[0]",
    "jnp.median(jnp.concatenate([x, y + {e}]))",
    "jnp.remainder(x + {c}, y * {e} + {a})",
    "jnp.digitize(x, jnp.sort(x * {a} / {a}))",
    "jnp.trunc(jnp.exp(jnp.log(x * {n})) * {c} / ({c} * x))",
    "(x * {c}e{n}).astype(jnp.int32)",
    "jnp.nextafter(x * {a}, y) - x * {a}",
    "jnp.ceil(jnp.sqrt((x * x)) / x)",
    "jnp.cross(jnp.stack([x, y, x * {a}], -1), jnp.stack([x * {b}, y * {b}, x * {a} * {b} + {e}], -1))",
)


def _tie(maker: Maker) -> Lines:
    """Decisions about numbers that are nearly equal."""
    used = maker.pick(
        "u",
        "u",
        "jnp.where(u > {n}, x.sum(), -y.sum())",
        "jnp.take(x, u.astype(int), mode='clip')",
        "u + x.sum()",
    )
    return [f"u = {maker.pick(*TIES)}", f"out = ({used}) * 1.0"]


#: A predicate and a step of a loop over (v, w, k), with " | " between them.
LOOPS = (
    "jnp.any(jnp.abs(v - w) > {e}) | 0.5 * (v + {c} / (v + 0.1)), v",
    "jnp.sum(v) < {c}e{n} | v * {a} + jnp.sin(w * {c}) ** 2 * {a} + 0.01, w + v",
    "jnp.max(v) > 0.1 | jnp.mod(v * {c} * 3.7, 1.0), w + v",
    "jnp.sin(v.sum() * {c}) < 0.98 | jnp.mod(v + {a} * w, 1.0), jnp.mod(w * {c}, 1.0)",
    "jnp.linalg.norm(v - jnp.cos(v)) > {e} | jnp.cos(v), v",
    "jnp.any(v * v + w * w > 1) | jax.random.uniform(jax.random.fold_in(jax.random.key(7), k), x.shape), v",
    "(w - v).max() > {e} | jnp.where((v + w) ** 2 < {a}, v / 2 + w / 2, v), jnp.where((v + w) ** 2 < {a}, w, v)",
    "jnp.abs(v[0] - {a}) > {e} | v - (jnp.exp(v) - {c}) / jnp.exp(v) * 0.9, w",
    "jnp.any(v > 1 / ({c} * {c})) | 4 * {a} / 2 * v * (1 - v) * 0.97, v",
    "jnp.linalg.norm(w) > {e} | v - 0.1 * w, jnp.sin(v * {c}) - {a} * 0.1",
)


def _loop(maker: Maker) -> Lines:
    """Loops that go on until a value says so."""
    most = maker.whole(20, 300)
    goes_on, step = maker.pick(*LOOPS).split(" | ")
    told = maker.pick("v", "v", "w - v", "k * 1.0 + v", "v.sum() * {c}", "jnp.where(k > {n}, v, w)")
    return [
        "def go_on(s):",
        "    v, w, k = s",
        f"    return (k < {most}) & ({goes_on})",
        "def body(s):",
        "    v, w, k = s",
        f"    v, w = {step}",
        "    return v.astype(x.dtype), w.astype(x.dtype), k + 1",
        "v, w, k = lax.while_loop(go_on, body, (x, y, 0))",
        f"out = {told}",
    ]


FAMILIES: tuple[Callable[[Maker], Lines], ...] = (
    _chaos,
    _chaos,
    _solve,
    _recurrence,
    _recurrence,
    _cancellation,
    _cancellation,
    _gradient,
    _tie,
    _loop,
    _loop,
)
