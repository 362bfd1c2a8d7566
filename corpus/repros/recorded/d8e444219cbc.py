# /// jace-repro
# schema = 1
# name = "per_example_clipped"
# origin = "scripts/libraries/jax_vmap_axes.py:21 (per_example_clipped)"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "d8e444219cbcb66a5577b3382f41cf26794739622436c826032cb24bafe6367f"
# outputs_sha256 = "e10bb5ecf3869c1efd3567b561c6528009c07fa1f702144438dbf01539427457"
# self_check = "exact"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""per_example_clipped (jax_vmap_axes.py:21): written by jace-repro, needs only jax and numpy."""

import jax
import numpy as np
from jax import lax

f32 = np.dtype("float32")


def inputs():
    return [
        np.array([0.0, 0.0], np.float32),  # a = params['b']: f32[2]
        # b = params['w']: f32[2,3]
        np.array([[-0.80193144, -1.3243589, -0.24836162], [0.42044523, 1.1360465, 0.1097064]], np.float32),
        # c = xs: f32[5,3]
        np.array(
            [
                [-0.5526473, -0.7847804, 0.7487458],
                [1.634783, 0.27276877, -1.2333287],
                [-0.9582652, 1.6000191, 0.20288244],
                [-1.7321348, -0.083696194, -1.163226],
                [-0.6292881, -0.48800582, -0.7133134],
            ],
            np.float32,
        ),
    ]


def repro(a, b, c):
    d = lax.dot_general(  # f32[2,5]  jax_vmap_axes.py:9
        b, c, (((1,), (1,)), ((), ())), preferred_element_type=f32
    )
    e = lax.transpose(d, (1, 0))  # f32[5,2]  jax_vmap_axes.py:9
    f = lax.broadcast_in_dim(a, (1, 2), (1,))  # f32[1,2]  jax_vmap_axes.py:9
    g = lax.add(e, f)  # f32[5,2]  jax_vmap_axes.py:9
    h = lax.mul(np.float32(1.0), g)  # f32[5,2]  jax_vmap_axes.py:9
    i = lax.integer_pow(h, 2)  # f32[5,2]  jax_vmap_axes.py:24
    j = lax.mul(np.float32(2.0), h)  # f32[5,2]  jax_vmap_axes.py:24
    _ = lax.reduce_sum(i, axes=(1,))  # f32[5]  jax_vmap_axes.py:24
    k = lax.broadcast_in_dim(np.float32(1.0), (2,), ())  # f32[2]  jax_vmap_axes.py:24
    l = lax.broadcast_in_dim(k, (1, 2), (1,))  # f32[1,2]  jax_vmap_axes.py:24
    m = lax.mul(l, j)  # f32[5,2]  jax_vmap_axes.py:24
    n = lax.mul(np.float32(1.0), m)  # f32[5,2]  jax_vmap_axes.py:9
    o = lax.dot_general(  # f32[5,2,3]  jax_vmap_axes.py:9
        n, c, (((), ()), ((0,), (0,))), preferred_element_type=f32
    )
    p = lax.integer_pow(n, 2)  # f32[5,2]  jax_vmap_axes.py:27
    q = lax.reduce_sum(p, axes=(1,))  # f32[5]  jax_vmap_axes.py:27
    r = lax.add(np.float32(0.0), q)  # f32[5]  jax_vmap_axes.py:27
    s = lax.integer_pow(o, 2)  # f32[5,2,3]  jax_vmap_axes.py:27
    t = lax.reduce_sum(s, axes=(1, 2))  # f32[5]  jax_vmap_axes.py:27
    u = lax.add(r, t)  # f32[5]  jax_vmap_axes.py:27
    v = lax.sqrt(u)  # f32[5]  jax_vmap_axes.py:27
    w = lax.div(np.float32(1.0), v)  # f32[5]  jax_vmap_axes.py:28
    x = lax.min(np.float32(1.0), w)  # f32[5]  jax_vmap_axes.py:28
    y = lax.dot_general(  # f32[2]  jax_vmap_axes.py:29
        x, n, (((0,), (0,)), ((), ())), preferred_element_type=f32
    )
    z = lax.dot_general(  # f32[2,3]  jax_vmap_axes.py:29
        x, o, (((0,), (0,)), ((), ())), preferred_element_type=f32
    )
    # result['b'], result['w']
    return y, z


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
