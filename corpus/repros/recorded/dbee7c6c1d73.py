# /// jace-repro
# schema = 1
# name = "piecewise"
# origin = "scripts/libraries/jax_control_flow.py:29 (piecewise)"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "dbee7c6c1d7323c0f9ec4f72e539e38cac98cdf50c2caf5c48b83acdc3732fd4"
# outputs_sha256 = "05d05a4073f5a4263121de6e4e6910551d3bf02c54821138530cc94a8bdcd3d1"
# self_check = "exact"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""piecewise (jax_control_flow.py:29): written by jace-repro, needs only jax and numpy."""

import jax
import numpy as np
from jax import lax

i32 = np.dtype("int32")


def body(carry, a):
    b = lax.gt(a, np.float32(0.0))  # bool[2]  jax_control_flow.py:32
    c = lax.convert_element_type(b, i32)  # i32[2]  jax_control_flow.py:32
    d = lax.eq(c, np.int32(0))  # bool[2]  jax_control_flow.py:32
    e = lax.stop_gradient_p.bind(a)  # f32[2]  jax_control_flow.py:32
    f = lax.select_n(d, e, a)  # f32[2]  jax_control_flow.py:32
    g = lax.mul(f, np.float32(2.0))  # f32[2]  jax_control_flow.py:32
    h = lax.broadcast_in_dim(np.float32(0.0), (2,), ())  # f32[2]
    i = lax.eq(c, np.int32(1))  # bool[2]  jax_control_flow.py:32
    j = lax.stop_gradient_p.bind(a)  # f32[2]  jax_control_flow.py:32
    k = lax.select_n(i, j, a)  # f32[2]  jax_control_flow.py:32
    l = lax.log1p(k)  # f32[2]  jax_control_flow.py:32
    m = lax.add(k, np.float32(1.0))  # f32[2]  jax_control_flow.py:32
    _ = lax.select_n(c, g, l)  # f32[2]  jax_control_flow.py:32
    n = lax.select_n(c, h, m)  # f32[2]  jax_control_flow.py:32
    o = lax.broadcast_in_dim(np.float32(1.0), (2,), ())  # f32[2]  jax_control_flow.py:32
    p = lax.eq(c, np.int32(0))  # bool[2]  jax_control_flow.py:32
    q = lax.stop_gradient_p.bind(n)  # f32[2]  jax_control_flow.py:32
    _ = lax.select_n(p, q, n)  # f32[2]  jax_control_flow.py:32
    r = lax.stop_gradient_p.bind(o)  # f32[2]  jax_control_flow.py:32
    s = lax.select_n(p, r, o)  # f32[2]  jax_control_flow.py:32
    t = lax.mul(s, np.float32(2.0))  # f32[2]  jax_control_flow.py:32
    u = lax.eq(c, np.int32(1))  # bool[2]  jax_control_flow.py:32
    v = lax.stop_gradient_p.bind(n)  # f32[2]  jax_control_flow.py:32
    w = lax.select_n(u, v, n)  # f32[2]  jax_control_flow.py:32
    x = lax.stop_gradient_p.bind(o)  # f32[2]  jax_control_flow.py:32
    y = lax.select_n(u, x, o)  # f32[2]  jax_control_flow.py:32
    z = lax.div(y, w)  # f32[2]  jax_control_flow.py:32
    aa = lax.select_n(c, t, z)  # f32[2]  jax_control_flow.py:32
    return None, aa


def inputs():
    return [
        np.array([0.20136791, -0.28853896, -0.28853893, 0.20136791], np.float32),  # a = x: f32[4]
    ]


def repro(a):
    b = lax.reshape(a, (2, 2))  # f32[2,2]  jax_control_flow.py:34
    _, c = lax.scan(body, None, b)  # f32[2,2]  jax_control_flow.py:34
    d = lax.reshape(c, (4,))  # f32[4]  jax_control_flow.py:34
    return d


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
