# /// jace-repro
# schema = 1
# name = "energy"
# origin = "scripts/libraries/jax_derivatives.py:13 (energy)"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "c74bfe6d56fa5b9a8248831c46352fe64bd530d1143060833551061323a6e7b4"
# outputs_sha256 = "23b5ad283856beed367d5973d27eca159c9cb5939f93c782179d7e9f660793b1"
# self_check = "exact"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""energy (jax_derivatives.py:13): written by jace-repro, needs only jax and numpy."""

import jax
import numpy as np
from jax import lax


@jax.jit
def field(a):
    b = lax.slice(a, (0,), (1,))  # f32[1]  jax_derivatives.py:10
    c = lax.squeeze(b, (0,))  # f32[]  jax_derivatives.py:10
    d = lax.slice(a, (1,), (2,))  # f32[1]  jax_derivatives.py:10
    e = lax.squeeze(d, (0,))  # f32[]  jax_derivatives.py:10
    f = lax.mul(c, e)  # f32[]  jax_derivatives.py:10
    g = lax.slice(a, (2,), (3,))  # f32[1]  jax_derivatives.py:10
    h = lax.squeeze(g, (0,))  # f32[]  jax_derivatives.py:10
    i = lax.sin(h)  # f32[]  jax_derivatives.py:10
    j = lax.cos(h)  # f32[]  jax_derivatives.py:10
    k = lax.slice(a, (0,), (1,))  # f32[1]  jax_derivatives.py:10
    l = lax.squeeze(k, (0,))  # f32[]  jax_derivatives.py:10
    m = lax.mul(i, l)  # f32[]  jax_derivatives.py:10
    n = lax.slice(a, (1,), (2,))  # f32[1]  jax_derivatives.py:10
    o = lax.squeeze(n, (0,))  # f32[]  jax_derivatives.py:10
    p = lax.integer_pow(o, 2)  # f32[]  jax_derivatives.py:10
    q = lax.mul(np.float32(2.0), o)  # f32[]  jax_derivatives.py:10
    r = lax.slice(a, (2,), (3,))  # f32[1]  jax_derivatives.py:10
    s = lax.squeeze(r, (0,))  # f32[]  jax_derivatives.py:10
    t = lax.add(p, s)  # f32[]  jax_derivatives.py:10
    u = lax.stack_p.bind(f, m, t, axis=0)  # f32[3]  jax_derivatives.py:10
    return u, e, c, j, l, i, q


def inputs():
    return [
        np.array([-0.65179116, -0.17471729, 1.663724], np.float32),  # a: f32[3]
    ]


def repro(a):
    b, c, d, e, f, g, h = field(a)  # f32[3], f32[], f32[], f32[], f32[], f32[], f32[]  jax_derivatives.py:15
    i = lax.integer_pow(b, 2)  # f32[3]  jax_derivatives.py:15
    j = lax.mul(np.float32(2.0), b)  # f32[3]  jax_derivatives.py:15
    k = lax.reduce_sum(i, axes=(0,))  # f32[]  jax_derivatives.py:15
    return k, c, d, e, f, g, h, j


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
