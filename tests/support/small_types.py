"""Programs of 16-bit types whose results depend on what the processor computes them in, judged in this process.

    XLA_FLAGS=--xla_cpu_max_isa=AVX2 python tests/support/small_types.py [NAME ...]

prints the verdicts as JSON: {name: [outcome, detail]}.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from typing import Any

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
from jax import lax

from jace_repro.emitter import emit_flat
from jace_repro.repro import Header
from jace_repro.tester import Options, Verdict, check_repro

TYPES = (np.float16, ml_dtypes.bfloat16)
_random = np.random.default_rng(16)


def _sum(x: Any) -> Any:
    """Without the conversion to f32 that jnp.sum makes."""
    return lax.reduce(x, np.zeros((), x.dtype), lax.add, (x.ndim - 1,))


def _primitive_sum(x: Any) -> Any:
    return lax.reduce_sum_p.bind(x, axes=(x.ndim - 1,), out_sharding=None)


#: Each on x of shape (8, 200), values up to 4.
PROGRAMS: dict[str, Callable[[Any], Any]] = {
    "sum": _sum,
    "primitive sum": _primitive_sum,
    "jnp.sum": lambda x: jnp.sum(x, 1),
    "cancelling sum": lambda x: _primitive_sum(jnp.concatenate([x * 9000, -x * 9000], 1)),
    "cancelling overflow": lambda x: (
        _primitive_sum(jnp.concatenate([x * 30000, -x * 30000], 1)) - x[:, 0] * 1e4
    ),
    "overflow of both signs": lambda x: _primitive_sum(x * 30000) - _primitive_sum(x[:, ::-1] * 20000),
    "dot": lambda x: x @ x.T,
    "cancelling dot": lambda x: x @ x.T * 16 - (x * 4) @ (x * 4).T,
    "dot that overflows": lambda x: (x * 300) @ (x * 300).T,
    "cumulative sum": lambda x: jnp.cumsum(x, 1),
    "cumulative sum that cancels": lambda x: jnp.cumsum(x * 1000, 1) - jnp.cumsum(x[::-1] * 1000, 1)[::-1],
    "softmax": lambda x: jax.nn.softmax(x * 4),
    "norm": lambda x: (x - x.mean(1, keepdims=True)) / jnp.sqrt(x.var(1, keepdims=True) + 1e-3),
    "chain": lambda x: x * x * 3 + x - x * x * 2.9 - x,
    "powers": lambda x: (x * 1.01) ** 3 - x**3,
    "products that overflow": lambda x: x * 300 * x * 300 / 20000,
    "division": lambda x: x / 3 * 7 / (x + 5) - 7 / 3 * x / (x + 5),
    "functions": lambda x: jnp.exp(jnp.sin(x) * 3) * jnp.tanh(x) - jnp.log1p(jnp.abs(x)),
    "top_k of sums": lambda x: lax.top_k((x[:, :100] * 4).round() + x[:, 100:] * 1e-3, 60),
    "top_k of equal": lambda x: lax.top_k(jnp.round(x) * 0.1 * 3 + 1, 100),
    "argmax of equal": lambda x: jnp.argmax(jnp.round(x) * 0.1 + jnp.round(x) * 0.2, 1),
    "sorted": lambda x: jnp.argsort(jnp.round(x * 2) * 0.3 + 0.1, 1),
    "floor": lambda x: jnp.floor(x * 0.7 + x * 0.3),
    "convolution": lambda x: lax.conv_general_dilated(x[:, None, :], x[:3, None, :9], (1,), "SAME"),
    "windows": lambda x: lax.reduce_window(x, np.zeros((), x.dtype), lax.add, (1, 50), (1, 1), "VALID"),
    "variance": lambda x: jnp.var(x + 100, axis=1),
    "scatter-add": lambda x: jnp.zeros(5, x.dtype).at[jnp.arange(1600) % 5].add(x.reshape(-1)),
    "recurrence": lambda x: lax.scan(lambda c, r: (c * 0.9 + r * c, c), x[0], x)[1],
    "gradient": jax.grad(lambda x: jnp.sum(jax.nn.softmax(x @ x.T) * 0.5)),
    "log-sum-exp": lambda x: jax.nn.logsumexp(x * 8, axis=1),
    "products": lambda x: jnp.prod(x[:, :16], axis=1),
}


def names() -> Iterator[str]:
    """Of all programs, in both types."""
    for dtype in TYPES:
        yield from (f"{name} in {np.dtype(dtype).name}" for name in PROGRAMS)


def verdict(name: str, pipeline: str = "fused") -> Verdict:
    """The verdict on a program."""
    program, _, dtype = name.rpartition(" in ")
    x = np.clip(np.random.default_rng(len(program)).standard_normal((8, 200)), -4, 4).astype(dtype)
    repro = emit_flat(jax.make_jaxpr(PROGRAMS[program])(x), [x], header=Header(name="prog"))
    return check_repro(repro, [pipeline], options=Options(blame=False))[0]


def main() -> None:
    found = {name: verdict(name) for name in sys.argv[1:] or names()}
    json.dump({name: [v.outcome, v.detail] for name, v in found.items()}, sys.stdout)


if __name__ == "__main__":
    main()
