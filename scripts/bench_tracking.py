"""What recording costs: tracing, a cached call, and nothing when it is off.

Each figure is a ratio, or a difference in microseconds, of the same work with a recording open and without, in
turns in one process. Tracing is `jax.jit(f).trace(...)` of a new function object each time, the first trace of a new
recording: what the tape adds. Times are CPU times of the thread, system calls included: what else
a busy machine runs is not in them.
"""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import jax
import jax.numpy as jnp
import numpy as np

from jace_repro.tracker.api import record


def mlp_step(params: Any, x: Any, y: Any) -> Any:
    """A training step of a small network, with a gradient."""

    def loss(params: Any) -> Any:
        h = x
        for layer in params:
            h = jax.nn.gelu(h @ layer["w"] + layer["b"])
        return jnp.mean((h - y) ** 2)

    value, grads = jax.value_and_grad(loss)(params)
    return value, jax.tree.map(lambda p, g: p - 0.1 * g, params, grads)


def leapfrog(x: Any, v: Any) -> Any:
    """A scan whose body has a gradient."""

    def body(state: Any, _: Any) -> Any:
        x, v = state
        v = v - 0.01 * jax.grad(lambda q: jnp.sum(jnp.cos(q) ** 2))(x)
        return (x + 0.01 * v, v), jnp.sum(v**2)

    return jax.lax.scan(body, (x, v), None, length=10)


def pointwise(x: Any) -> Any:
    """Two hundred operators of an array, unrolled."""
    for i in range(50):
        x = jnp.where(x > i, x * 0.5, x + 1.0)
    return x


PROGRAMS: dict[str, tuple[Callable[..., Any], tuple[Any, ...]]] = {
    "mlp step": (
        mlp_step,
        (
            [{"w": np.ones((8, 8), np.float32), "b": np.ones(8, np.float32)}] * 4,
            np.ones((4, 8)),
            np.ones((4, 8)),
        ),
    ),
    "leapfrog": (leapfrog, (np.ones(6, np.float32), np.ones(6, np.float32))),
    "pointwise": (pointwise, (np.ones(6, np.float32),)),
}


def trace_seconds(fun: Callable[..., Any], args: tuple[Any, ...]) -> float:
    """CPU seconds to trace a function that JAX has never seen."""
    jax.clear_caches()  # both sides start from nothing
    fresh = jax.jit(lambda *a: fun(*a))
    start = time.thread_time()
    fresh.trace(*args)
    return time.thread_time() - start


def call_seconds(fun: Any, args: tuple[Any, ...], calls: int) -> float:
    """CPU seconds of one cached call."""
    fun(*args)
    start = time.thread_time()
    for _ in range(calls):
        fun(*args)
    return (time.thread_time() - start) / calls


@click.command()
@click.option("--repeats", default=9, show_default=True)
@click.option("--calls", default=2000, show_default=True)
def main(repeats: int, calls: int) -> None:
    """Print the table; exit 1 when tracing is over 1.5 times or a cached call over 100 microseconds slower."""
    worst = 0.0
    print(f"{'program':12} {'trace':>9} {'recorded':>9} {'ratio':>6}")
    for name, (fun, args) in PROGRAMS.items():
        plain, recorded = [], []
        for _ in range(repeats):
            plain.append(trace_seconds(fun, args))
            with tempfile.TemporaryDirectory() as out, record(Path(out) / "r"):
                recorded.append(trace_seconds(fun, args))
        ratio = statistics.median(r / p for r, p in zip(recorded, plain, strict=True))
        worst = max(worst, ratio)
        print(f"{name:12} {min(plain) * 1e3:7.1f}ms {min(recorded) * 1e3:7.1f}ms {ratio:6.2f}", flush=True)
    cached = jax.jit(lambda x: x + 1)
    x = jnp.ones(3)
    off, on, after = [], [], []
    for _ in range(repeats):
        off.append(call_seconds(cached, (x,), calls))
        with tempfile.TemporaryDirectory() as out, record(Path(out) / "r"):
            on.append(call_seconds(cached, (x,), calls))
        after.append(call_seconds(cached, (x,), calls))
    slower = statistics.median(b - a for a, b in zip(off, on, strict=True)) * 1e6
    print(f"cached call: {min(off) * 1e6:.1f} us, recorded {slower:+.1f} us, ", end="")
    print(
        f"afterwards {statistics.median(b / a for a, b in zip(off, after, strict=True)):.2f} of the time before"
    )
    raise SystemExit(worst > 1.5 or slower > 100)


if __name__ == "__main__":
    main()
