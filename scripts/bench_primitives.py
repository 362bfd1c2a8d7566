"""Times single primitives and common layers, jace.jit against jax.jit in one interleaved run, as a table.

    python scripts/bench_primitives.py [--only PATTERN,...] [--repeats N] [--pipeline P] [--json FILE]

Each figure is the minimum of N calls in which the two candidates take turns; the sizes are those at which a program
begins to feel the primitive, a tenth of a millisecond to some ten. Results are compared before they are timed.
"""

import argparse
import fnmatch
import json
import os
import statistics
from functools import partial
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
from interleaving import interleaved
from jax import lax

import jace

RNG = np.random.default_rng(0)


def array(*shape):
    return jax.device_put(RNG.standard_normal(shape, np.float32))


def integers(high, *shape):
    return jax.device_put(RNG.integers(0, high, shape, np.int32))


def definite(n):
    a = RNG.standard_normal((n, n), np.float32)
    return jax.device_put(a @ a.T + n * np.eye(n, dtype=np.float32))


def convolution(x, w):
    return lax.conv_general_dilated(x, w, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))


def pool(function, start, window, strides, padding):
    return lambda x: lax.reduce_window(x, start, function, window, strides, padding)


def normalize(axis):
    return lambda x: (x - x.mean(axis, keepdims=True)) / jnp.sqrt(x.var(axis, keepdims=True) + 1e-6)


def attention(q, k, v):
    return jnp.einsum("bhqk,bkhd->bqhd", jax.nn.softmax(jnp.einsum("bqhd,bkhd->bhqk", q, k)), v)


def recurrent(w, h, xs):
    return lax.scan(lambda h, x: (jnp.tanh(h @ w + x), h.sum()), h, xs)


def cross_entropy(x, labels):
    return -jnp.take_along_axis(jax.nn.log_softmax(x), labels[:, None], 1).mean()


#: name -> (function, function that makes its arguments)
CASES = {
    "dot 64": (jnp.dot, lambda: (array(64, 64), array(64, 64))),
    "dot 512": (jnp.dot, lambda: (array(512, 512), array(512, 512))),
    "dot 1024": (jnp.dot, lambda: (array(1024, 1024), array(1024, 1024))),
    "matrix times vector": (jnp.dot, lambda: (array(1024, 1024), array(1024))),
    "batched dot 64 x 64": (jnp.matmul, lambda: (array(64, 64, 64), array(64, 64, 64))),
    "attention": (attention, lambda: tuple(array(4, 128, 8, 64) for _ in range(3))),
    "convolution 3x3": (convolution, lambda: (array(8, 32, 32, 32), array(3, 3, 32, 32))),
    "convolution 7x7": (convolution, lambda: (array(4, 64, 64, 3), array(7, 7, 3, 32))),
    "convolution 3x3, gradient": (
        jax.grad(lambda x, w: jnp.sum(convolution(x, w) ** 2), (0, 1)),
        lambda: (array(8, 32, 32, 32), array(3, 3, 32, 32)),
    ),
    "max pooling 2x2": (
        pool(lax.max, -jnp.inf, (1, 2, 2, 1), (1, 2, 2, 1), "VALID"),
        lambda: (array(8, 64, 64, 32),),
    ),
    "max pooling 3x3, padded": (
        pool(lax.max, -jnp.inf, (1, 3, 3, 1), (1, 2, 2, 1), "SAME"),
        lambda: (array(8, 64, 64, 32),),
    ),
    "average pooling 3x3, channels first": (
        pool(lax.add, 0.0, (1, 1, 3, 3), (1, 1, 1, 1), "SAME"),
        lambda: (array(8, 32, 64, 64),),
    ),
    "max pooling, gradient": (
        jax.grad(lambda x: jnp.sum(pool(lax.max, -jnp.inf, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")(x) ** 2)),
        lambda: (array(8, 64, 64, 32),),
    ),
    "sum along rows": (lambda x: x.sum(1), lambda: (array(2048, 1024),)),
    "sum along columns": (lambda x: x.sum(0), lambda: (array(2048, 1024),)),
    "sum of the outer axes": (lambda x: x.sum((0, 1, 2)), lambda: (array(8, 64, 64, 32),)),
    "sum of all": (jnp.sum, lambda: (array(2048, 1024),)),
    "max along rows": (lambda x: x.max(1), lambda: (array(2048, 1024),)),
    "max along columns": (lambda x: x.max(0), lambda: (array(2048, 1024),)),
    "argmax along rows": (lambda x: x.argmax(1), lambda: (array(2048, 1024),)),
    "argmax along columns": (lambda x: x.argmax(0), lambda: (array(2048, 1024),)),
    "any along rows": (lambda x: (x > 5).any(1), lambda: (array(2048, 1024),)),
    "cumsum along rows": (lambda x: jnp.cumsum(x, 1), lambda: (array(512, 1024),)),
    "cumsum along columns": (lambda x: jnp.cumsum(x, 0), lambda: (array(512, 1024),)),
    "softmax": (jax.nn.softmax, lambda: (array(2048, 1024),)),
    "cross entropy": (cross_entropy, lambda: (array(2048, 1000), integers(1000, 2048))),
    "layer normalization": (normalize(1), lambda: (array(2048, 1024),)),
    "batch normalization": (normalize(0), lambda: (array(2048, 1024),)),
    "transpose": (lambda x: x.T * 2, lambda: (array(2048, 1024),)),
    "concatenate": (lambda x, y: jnp.concatenate([x, y], 1), lambda: (array(1024, 512), array(1024, 512))),
    "pad": (lambda x: jnp.pad(x, 3), lambda: (array(1024, 1024),)),
    "gather rows": (lambda x, i: x[i], lambda: (array(10_000, 64), integers(10_000, 8192))),
    "gather elements": (lambda x, i: x[i], lambda: (array(1_000_000), integers(1_000_000, 200_000))),
    "scatter-add rows": (
        lambda x, i, u: x.at[i].add(u),
        lambda: (array(10_000, 64), integers(10_000, 8192), array(8192, 64)),
    ),
    "scatter-add elements": (
        lambda x, i, u: x.at[i].add(u),
        lambda: (array(100_000), integers(100_000, 200_000), array(200_000)),
    ),
    "segment sum": (
        lambda x, i: jax.ops.segment_sum(x, i, 1000),
        lambda: (array(100_000, 8), integers(1000, 100_000)),
    ),
    "sort": (jnp.sort, lambda: (array(100_000),)),
    "sort rows": (jnp.sort, lambda: (array(2000, 64),)),
    "argsort": (jnp.argsort, lambda: (array(100_000),)),
    "top 10": (lambda x: lax.top_k(x, 10), lambda: (array(256, 1000),)),
    "searchsorted": (jnp.searchsorted, lambda: (jnp.sort(array(10_000)), array(10_000))),
    "fft": (jnp.fft.fft, lambda: (array(64, 4096),)),
    "fft in two dimensions": (jnp.fft.fft2, lambda: (array(16, 256, 256),)),
    "rfft": (jnp.fft.rfft, lambda: (array(256, 4096),)),
    "normal": (lambda k: jax.random.normal(k, (1_000_000,)), lambda: (jax.random.key(0),)),
    "permutation": (lambda k: jax.random.permutation(k, 100_000), lambda: (jax.random.key(0),)),
    "exp, sin, log": (
        lambda x: jnp.exp(-x * x) * jnp.sin(x) + jnp.log1p(jnp.abs(x)),
        lambda: (array(1_000_000),),
    ),
    "erf, lgamma": (
        lambda x: jax.scipy.special.erf(x) + lax.lgamma(jnp.abs(x) + 1),
        lambda: (array(200_000),),
    ),
    "igamma": (lambda x: lax.igamma(jnp.abs(x) * 5, jnp.abs(x[::-1]) * 5), lambda: (array(10_000),)),
    "matrix scan": (recurrent, lambda: (array(64, 64) / 8, array(32, 64), array(100, 32, 64))),
    "while": (
        lambda x: lax.while_loop(lambda s: s[0] < 1000, lambda s: (s[0] + 1, jnp.cos(s[1])), (0, x)),
        lambda: (array(128),),
    ),
    "cholesky 512": (jnp.linalg.cholesky, lambda: (definite(512),)),
    "solve 512": (jnp.linalg.solve, lambda: (definite(512), array(512, 8))),
    "solve 3x3, batched": (jnp.linalg.solve, lambda: (array(5000, 3, 3), array(5000, 3, 1))),
    "qr 256": (jnp.linalg.qr, lambda: (array(256, 256),)),
    "svd 256": (jnp.linalg.svd, lambda: (array(256, 256),)),
    "eigh 256": (jnp.linalg.eigh, lambda: (definite(256),)),
    "eig 128": (jnp.linalg.eig, lambda: (array(128, 128),)),
}


def measure(name, pipeline, repeats):
    """The row of a case; of its results only what does not depend on signs and order is compared, the sum of sizes."""
    fun, make = CASES[name]
    arguments = make()
    candidates = {"jax": jax.jit(fun), "jace": jace.jit(fun, pipeline=pipeline)}
    sizes = [
        [float(jnp.sum(jnp.abs(x).astype(np.float32))) for x in jax.tree.leaves(call(*arguments))]
        for call in candidates.values()
    ]
    np.testing.assert_allclose(sizes[1], sizes[0], rtol=2e-3, err_msg=name)
    times = interleaved({which: partial(call, *arguments) for which, call in candidates.items()}, repeats)
    return {"what": name, **times, "ratio": times["jace"] / times["jax"]}


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--only", default="*", help="shell patterns, comma separated")
    parser.add_argument("--repeats", type=int, default=30)
    parser.add_argument("--pipeline", default="fused")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    names = [n for n in CASES if any(fnmatch.fnmatch(n, p.strip()) for p in options.only.split(","))]
    if not names:
        parser.error(f"no case is called {options.only!r}; there are: {', '.join(CASES)}")
    print(f"jax {jax.__version__}, {options.pipeline}, {os.cpu_count()} cores, min of {options.repeats}")
    rows = []
    for name in names:
        row = measure(name, options.pipeline, options.repeats)
        rows.append(row)
        times = "   ".join(f"{which} {row[which] * 1e3:9.3f} ms" for which in ("jax", "jace"))
        print(f"{name:36} {times}   ratio {row['ratio']:6.2f}", flush=True)
    print(f"geometric mean of all ratios {statistics.geometric_mean(r['ratio'] for r in rows):.2f}")
    if options.json:
        options.json.write_text(json.dumps(rows, indent=1) + "\n")


if __name__ == "__main__":
    main()
