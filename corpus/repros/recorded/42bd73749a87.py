# /// jace-repro
# schema = 1
# name = "energy"
# origin = "scripts/libraries/jax_custom_jvp.py:29 (energy)"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "42bd73749a874720b66052aba8922c32d5e8629424d682964596dfa53c232a4d"
# outputs_sha256 = "55213aaffec2da0a759ccfd819db50c4318531d6691895c65fe4cf8722325b1e"
# self_check = "exact"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""energy (jax_custom_jvp.py:29): written by jace-repro, needs only jax and numpy."""

import jax
import numpy as np
from jax import lax

f32 = np.dtype("float32")


@jax.custom_jvp
def hypotenuse(a, b):
    c = lax.mul(a, a)  # f32[]  jax_custom_jvp.py:19
    d = lax.mul(b, b)  # f32[]  jax_custom_jvp.py:19
    e = lax.add(c, d)  # f32[]  jax_custom_jvp.py:19
    f = lax.add(e, np.float32(1e-06))  # f32[]  jax_custom_jvp.py:19
    g = lax.sqrt(f)  # f32[]  jax_custom_jvp.py:19
    return g


@hypotenuse.defjvp
def hypotenuse_jvp(primals, tangents):
    a, b = primals
    c, d = tangents
    e = hypotenuse(a, b)  # f32[]  jax_custom_jvp.py:25
    f = lax.mul(a, c)  # f32[]  jax_custom_jvp.py:26
    g = lax.mul(b, d)  # f32[]  jax_custom_jvp.py:26
    h = lax.add(f, g)  # f32[]  jax_custom_jvp.py:26
    i = lax.div(h, e)  # f32[]  jax_custom_jvp.py:26
    return e, i


@jax.custom_jvp
def log1pexp(a):
    b = lax.exp(a)  # f32[]  jax_custom_jvp.py:11
    c = lax.add(np.float32(1.0), b)  # f32[]  jax_custom_jvp.py:11
    d = lax.log(c)  # f32[]  jax_custom_jvp.py:11
    return d


@log1pexp.defjvp
def log1pexp_jvp(primals, tangents):
    (a,) = primals
    (b,) = tangents
    c = log1pexp(a)  # f32[]
    d = lax.exp(a)  # f32[]  jax_custom_jvp.py:14
    e = lax.add(np.float32(1.0), d)  # f32[]  jax_custom_jvp.py:14
    f = lax.div(np.float32(1.0), e)  # f32[]  jax_custom_jvp.py:14
    g = lax.sub(np.float32(1.0), f)  # f32[]  jax_custom_jvp.py:14
    h = lax.mul(g, b)  # f32[]  jax_custom_jvp.py:14
    return c, h


def body(a, b):
    c = lax.slice(b, (0,), (1,))  # f32[1]  jax_custom_jvp.py:32
    d = lax.squeeze(c, (0,))  # f32[]  jax_custom_jvp.py:32
    e = lax.slice(b, (1,), (2,))  # f32[1]  jax_custom_jvp.py:32
    f = lax.squeeze(e, (0,))  # f32[]  jax_custom_jvp.py:32
    g = hypotenuse(d, f)  # f32[]  jax_custom_jvp.py:32
    h = lax.convert_element_type(a, f32)  # f32[]  jax_custom_jvp.py:32
    i = lax.add(h, g)  # f32[]  jax_custom_jvp.py:32
    j = lax.slice(b, (0,), (1,))  # f32[1]  jax_custom_jvp.py:32
    k = lax.squeeze(j, (0,))  # f32[]  jax_custom_jvp.py:32
    l = log1pexp(k)  # f32[]  jax_custom_jvp.py:32
    m = lax.add(i, l)  # f32[]  jax_custom_jvp.py:32
    return m, a


def inputs():
    return [
        # a = path: f32[4,2]
        np.array(
            [
                [-0.8374345, -0.543362],
                [-0.26342508, -0.057514653],
                [-0.055943046, 0.13527063],
                [0.36004615, 0.74734885],
            ],
            np.float32,
        ),
    ]


def repro(a):
    b, _ = lax.scan(body, 0.0, a)  # f32[], f32[4] weak  jax_custom_jvp.py:34
    return b


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
