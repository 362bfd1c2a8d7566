# /// jace-repro
# schema = 1
# name = "log1pexp"
# origin = "scripts/libraries/jax_custom_jvp.py:9 (log1pexp)"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "12e5c423937a2152b3844abed3c314cad6d917484374bd6b63092637b50734e7"
# outputs_sha256 = "3a59960a32f652b8a703fca2d0fb32fc57192602e0c0757921f0fabf6e602ed2"
# self_check = "exact"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""log1pexp (jax_custom_jvp.py:9): written by jace-repro, needs only jax and numpy."""

import jax
import numpy as np
from jax import lax


@jax.custom_jvp
def log1pexp(a):
    b = lax.exp(a)  # f32[5]  jax_custom_jvp.py:11
    c = lax.add(np.float32(1.0), b)  # f32[5]  jax_custom_jvp.py:11
    d = lax.log(c)  # f32[5]  jax_custom_jvp.py:11
    return d


@log1pexp.defjvp
def log1pexp_jvp(primals, tangents):
    (a,) = primals
    (b,) = tangents
    c = log1pexp(a)  # f32[5]
    d = lax.exp(a)  # f32[5]  jax_custom_jvp.py:14
    e = lax.add(np.float32(1.0), d)  # f32[5]  jax_custom_jvp.py:14
    f = lax.div(np.float32(1.0), e)  # f32[5]  jax_custom_jvp.py:14
    g = lax.sub(np.float32(1.0), f)  # f32[5]  jax_custom_jvp.py:14
    h = lax.mul(g, b)  # f32[5]  jax_custom_jvp.py:14
    return c, h


def inputs():
    return [
        np.array([-20.0, -10.0, 0.0, 10.0, 20.0], np.float32),  # a = x: f32[5]
    ]


def repro(a):
    _ = log1pexp(a)  # f32[5]
    b = lax.exp(a)  # f32[5]  jax_custom_jvp.py:14
    c = lax.add(np.float32(1.0), b)  # f32[5]  jax_custom_jvp.py:14
    d = lax.div(np.float32(1.0), c)  # f32[5]  jax_custom_jvp.py:14
    _ = lax.sub(np.float32(1.0), d)  # f32[5]  jax_custom_jvp.py:14
    e = lax.exp(a)  # f32[5]  jax_custom_jvp.py:14
    f = lax.add(np.float32(1.0), e)  # f32[5]  jax_custom_jvp.py:14
    g = lax.div(np.float32(1.0), f)  # f32[5]  jax_custom_jvp.py:14
    h = lax.integer_pow(f, -2)  # f32[5]  jax_custom_jvp.py:14
    i = lax.sub(np.float32(1.0), g)  # f32[5]  jax_custom_jvp.py:14
    _ = lax.mul(i, np.float32(1.0))  # f32[5]  jax_custom_jvp.py:14
    j = lax.mul(np.float32(1.0), np.float32(1.0))  # f32[]  jax_custom_jvp.py:14
    k = lax.neg(j)  # f32[]  jax_custom_jvp.py:14
    l = lax.mul(k, h)  # f32[5]  jax_custom_jvp.py:14
    m = lax.mul(l, np.float32(1.0))  # f32[5]  jax_custom_jvp.py:14
    n = lax.neg(m)  # f32[5]  jax_custom_jvp.py:14
    o = lax.mul(n, e)  # f32[5]  jax_custom_jvp.py:14
    return o


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
