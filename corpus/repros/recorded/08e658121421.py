# /// jace-repro
# schema = 1
# name = "energy"
# origin = "scripts/libraries/jax_derivatives.py:13 (energy)"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "08e65812142163dafe554b91a48305911dd8d78aee6865d702116edca573144d"
# outputs_sha256 = "1dcb0cc7201eb0d717bc9dad05e2b203b294659057e4594d068dde9acbf4da70"
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
from jax.extend.core import primitives


@jax.jit
def field(a, b, c, d, e, f, g):
    h, i, j = lax.unstack_p.bind(g, axis=0)  # f32[], f32[], f32[]  jax_derivatives.py:10
    k = lax.broadcast_in_dim(j, (1,), ())  # f32[1]  jax_derivatives.py:10
    l = lax.pad(k, np.float32(0.0), ((2, 0, 0),))  # f32[3]  jax_derivatives.py:10
    m = lax.mul(j, f)  # f32[]  jax_derivatives.py:10
    n = lax.broadcast_in_dim(m, (1,), ())  # f32[1]  jax_derivatives.py:10
    o = lax.pad(n, np.float32(0.0), ((1, 1, 0),))  # f32[3]  jax_derivatives.py:10
    p = primitives.add_jaxvals_p.bind(l, o)  # f32[3]  jax_derivatives.py:10
    q = lax.mul(e, i)  # f32[]  jax_derivatives.py:10
    r = lax.mul(i, d)  # f32[]  jax_derivatives.py:10
    s = lax.broadcast_in_dim(q, (1,), ())  # f32[1]  jax_derivatives.py:10
    t = lax.pad(s, np.float32(0.0), ((0, 2, 0),))  # f32[3]  jax_derivatives.py:10
    u = primitives.add_jaxvals_p.bind(p, t)  # f32[3]  jax_derivatives.py:10
    v = lax.mul(r, c)  # f32[]  jax_derivatives.py:10
    w = lax.broadcast_in_dim(v, (1,), ())  # f32[1]  jax_derivatives.py:10
    x = lax.pad(w, np.float32(0.0), ((2, 0, 0),))  # f32[3]  jax_derivatives.py:10
    y = primitives.add_jaxvals_p.bind(u, x)  # f32[3]  jax_derivatives.py:10
    z = lax.mul(b, h)  # f32[]  jax_derivatives.py:10
    aa = lax.mul(h, a)  # f32[]  jax_derivatives.py:10
    ab = lax.broadcast_in_dim(z, (1,), ())  # f32[1]  jax_derivatives.py:10
    ac = lax.pad(ab, np.float32(0.0), ((1, 1, 0),))  # f32[3]  jax_derivatives.py:10
    ad = primitives.add_jaxvals_p.bind(y, ac)  # f32[3]  jax_derivatives.py:10
    ae = lax.broadcast_in_dim(aa, (1,), ())  # f32[1]  jax_derivatives.py:10
    af = lax.pad(ae, np.float32(0.0), ((0, 2, 0),))  # f32[3]  jax_derivatives.py:10
    ag = primitives.add_jaxvals_p.bind(ad, af)  # f32[3]  jax_derivatives.py:10
    return ag


def inputs():
    return [
        np.float32(-0.17471729),  # a: f32[]
        np.float32(-0.65179116),  # b: f32[]
        np.float32(-0.09279393),  # c: f32[]
        np.float32(-0.65179116),  # d: f32[]
        np.float32(0.99568534),  # e: f32[]
        np.float32(-0.34943458),  # f: f32[]
        np.array([0.22775838, -1.2979578, 3.3885002], np.float32),  # g: f32[3]
        np.float32(1.0),  # h: f32[]
    ]


def repro(a, b, c, d, e, f, g, h):
    i = lax.broadcast_in_dim(h, (3,), ())  # f32[3]  jax_derivatives.py:15
    j = lax.mul(i, g)  # f32[3]  jax_derivatives.py:15
    k = field(a, b, c, d, e, f, j)  # f32[3]  jax_derivatives.py:15
    return k


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
