"""Programs of sums whose terms are alike, and of long recurrences in few digits: rounding goes one way there.

Both implementations may be many units off, each by another order, and nobody is to be accused. A program is the text
of ``def program(x, y)`` of two matrices with few distinct numbers: ones, masks, saturated gradients, repeated samples.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import numpy as np

#: Rows of the two matrices: what is mostly summed over.
ROWS = (8, 20, 33, 64, 100, 128, 200, 500, 1000, 3000)
TYPES = ("float32", "float32", "float32", "bfloat16", "float16", "complex64")
#: Trips of a recurrence.
TRIPS = (200, 2000, 10000)

#: Sums; those that a complex or a narrow type would only make undefined are of float32.
SUMS = (
    *("x.sum()", "x.mean(0)", "x @ y[0]", "x.T @ y", "jnp.einsum('ij,ij->', x, y)", "jnp.vdot(x, y)"),
    *(
        "jnp.einsum('ij,ik->jk', x, y)",
        "jnp.cumsum(x, 0)",
        "jnp.tensordot(x, y, 2)",
        "x @ jnp.ones(x.shape[1], x.dtype)",
    ),
)
OF_FLOATS = (
    "(x * y).var()",
    "jnp.cumsum(x[::-1], 1)",
    "jax.nn.softmax(x, 0).sum(1)",
    "jax.nn.logsumexp(x)",
    "jax.ops.segment_sum(x, jnp.arange(x.shape[0]) % 3, 3)",
    "jnp.zeros(5).at[jnp.arange(x.size) % 5].add(x.ravel())",
    "jnp.convolve(x.ravel(), y.ravel()[:max(1, y.size // 2)], mode='valid')",
    "lax.reduce_window(x, 0.0, lax.add, (min(16, x.shape[0]), 2), (1, 1), 'SAME')",
    "jax.grad(lambda w: jnp.tanh(x @ w).mean())(jnp.full((x.shape[1], 2), 0.1))",
    "jax.grad(lambda w: jax.nn.sigmoid(x @ w).sum())(y[0] * 0.1)",
    "jnp.linalg.norm(x)",
    "jnp.einsum('bij,bjk->bik', jnp.stack([x, y]), jnp.stack([y.T, x.T]))",
    "lax.scan(lambda c, r: (c + r, c.sum()), jnp.zeros(x.shape[1]), x)",
    "lax.fori_loop(0, 5, lambda i, c: c * 0.5 + x.T @ y, jnp.zeros((x.shape[1], y.shape[1])))",
    "jnp.trace(x @ y.T)",
    "jnp.cov(x.T + 0.1 * y.T)",
)
#: Of a vector s, for so many trips, with a rate and a share.
RECURRENCES = (
    "lax.fori_loop(0, {n}, lambda i, c: c + {r} * 0.1, s)",
    "lax.scan(lambda c, t: ({b} * c + (1 - {b}) * jnp.sin(t * {r} + s), c.sum()), s, jnp.arange({n}, dtype=s.dtype))",
    "lax.fori_loop(0, {n}, lambda i, u: u + 0.2 * (jnp.roll(u, 1) - 2 * u + jnp.roll(u, -1)), jnp.tile(s, 8))",
    "lax.fori_loop(0, {n}, lambda _, c: (c[0] + {r} * c[1], c[1] - {r} * jnp.sin(c[0])), (s, s * 0.1))",
    "lax.while_loop(lambda c: c[0] < {n} * 0.01, lambda c: (c[0] + 0.01, c[1] - 0.01 * {r} * c[1]), (s[0] * 0, s))",
    "lax.scan(lambda c, t: (c - {r} * (c - jnp.sign(c)) / (jnp.abs(c) + 1e-3), c), s, jnp.arange({n}))",
)


def alike_program(seed: int) -> str:
    """The text of a program; the same for the same seed."""
    chooser = random.Random(f"alike {seed}")
    if chooser.random() < 0.2:
        recurrence = chooser.choice(RECURRENCES).format(
            n=chooser.choice(TRIPS),
            r=round(10 ** chooser.uniform(-3, -1), 5),
            b=chooser.choice((0.9, 0.99, 0.999)),
        )
        return f"def program(x, y):\n    s = x[:4].ravel()[:4]\n    return {recurrence}\n"
    name = chooser.choice(TYPES)
    told = chooser.choice(SUMS + OF_FLOATS if name == "float32" else SUMS)
    return f"def program(x, y):\n    x, y = x.astype(jnp.{name}), y.astype(jnp.{name})\n    return {told}\n"


def alike_inputs(seed: int) -> Sequence[np.ndarray[Any, Any]]:
    """The two matrices of a program: each of one number to eight, all of a sign or not."""
    rng = np.random.default_rng(seed)
    shape = int(rng.choice(ROWS)), int(rng.integers(1, 6))

    def matrix() -> np.ndarray[Any, Any]:
        pool = rng.uniform(0.5, 2, int(rng.choice([1, 1, 2, 3, 8]))) * 10.0 ** rng.integers(-3, 2)
        signed = pool * rng.choice([-1, 1], pool.size) if rng.random() < 0.3 else pool
        return rng.choice(signed, shape).astype(np.float32)

    return [matrix(), matrix()]
