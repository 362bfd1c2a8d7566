# /// jace-repro
# schema = 1
# name = "normalised"
# origin = "scripts/libraries/jax_vmap_axes.py:16 (normalised)"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "5fa069d9555bbc93e23dc41ae3a1abd7745ad8df47f2ce57a3e0e4eb807fae18"
# outputs_sha256 = "a387a7c6e967b7f3f0690eebb35be966369cb9883a83df71d095bd0bb64317f6"
# self_check = "exact"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""normalised (jax_vmap_axes.py:16): written by jace-repro, needs only jax and numpy."""

import jax
import numpy as np
from jax import lax

i32 = np.dtype("int32")


def inputs():
    return [
        # a = x: f32[5,3]
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


def repro(a):
    b = lax.psum_p.bind(a, axes=(0,), axis_index_groups=None)  # f32[3]  jax_vmap_axes.py:17
    c = lax.div(b, np.float32(5.0))  # f32[3]  jax_vmap_axes.py:17
    d = lax.broadcast_in_dim(c, (1, 3), (1,))  # f32[1,3]  jax_vmap_axes.py:17
    e = lax.sub(a, d)  # f32[5,3]  jax_vmap_axes.py:17
    f = lax.integer_pow(e, 2)  # f32[5,3]  jax_vmap_axes.py:18
    g = lax.psum_p.bind(f, axes=(0,), axis_index_groups=None)  # f32[3]  jax_vmap_axes.py:18
    h = lax.add(g, np.float32(1e-05))  # f32[3]  jax_vmap_axes.py:18
    i = lax.sqrt(h)  # f32[3]  jax_vmap_axes.py:18
    j = lax.broadcast_in_dim(i, (1, 3), (1,))  # f32[1,3]  jax_vmap_axes.py:18
    k = lax.div(e, j)  # f32[5,3]  jax_vmap_axes.py:18
    l = lax.broadcasted_iota(i32, (5,), 0)  # i32[5]  jax_vmap_axes.py:18
    # result[0], result[1]
    return k, l


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
