# /// jace-repro
# schema = 1
# name = "accuracy"
# origin = "scripts/libraries/linen_mlp.py:32 (accuracy)"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "b32a40aa50eab2716bc98c4cc13646663d03aff8b17519d93595eada82cd7ba2"
# outputs_sha256 = "4b6f72006b139f5f3a2c838265f46a1ba900df2965a92cec77cfbec00c6d466f"
# sidecar_sha256 = "7be89c602ad21307ae76b8d42c90c39eb736c2e84e87791488a48a1ee05ff731"
# self_check = "exact"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""accuracy (linen_mlp.py:32): written by jace-repro, needs only jax and numpy."""

import hashlib
import io
import pathlib

import jax
import numpy as np
from jax import lax

f32 = np.dtype("float32")
i32 = np.dtype("int32")


SIDECAR_SHA256 = "7be89c602ad21307ae76b8d42c90c39eb736c2e84e87791488a48a1ee05ff731"


def read_sidecar():
    """The arrays in the .npz file beside this script."""
    path = pathlib.Path(__file__).with_suffix(".npz")
    data = path.read_bytes()
    if hashlib.sha256(data).hexdigest() != SIDECAR_SHA256:
        raise SystemExit(f"{path} is not the file that belongs to this script (sha256 differs)")
    return dict(np.load(io.BytesIO(data)))


ARRAYS = globals().get("ARRAYS") or read_sidecar()  # whoever executes this text may put them there


def inputs():
    return [
        3,  # a = state.step: i32[] weak
        # b = state.params['Dense_0']['bias']: f32[16]
        np.array(
            [
                0.018343003,
                0.028529955,
                -0.027058305,
                -0.018207956,
                -0.0279367,
                0.029864438,
                -0.028332774,
                -0.0203295,
                -0.024779238,
                -0.026543487,
                -0.029033428,
                -0.02938895,
                -7.399464e-05,
                -0.0036202802,
                0.028425485,
                -0.028601276,
            ],
            np.float32,
        ),
        ARRAYS["x2"],  # c = state.params['Dense_0']['kernel']: f32[10,16]
        # d = state.params['Dense_1']['bias']: f32[16]
        np.array(
            [
                0.01130019,
                -0.02213365,
                -0.027522003,
                -0.025675472,
                0.018361494,
                -0.027966542,
                0.026415687,
                -0.029731926,
                0.011715308,
                0.027296629,
                0.014767411,
                0.027355924,
                -0.028546229,
                0.029850334,
                -0.027229704,
                0.029588867,
            ],
            np.float32,
        ),
        ARRAYS["x4"],  # e = state.params['Dense_1']['kernel']: f32[16,16]
        np.array([0.027376441, -0.027376441], np.float32),  # f = state.params['Dense_2']['bias']: f32[2]
        ARRAYS["x6"],  # g = state.params['Dense_2']['kernel']: f32[16,2]
        np.int32(3),  # h = state.opt_state[0].count: i32[]
        # i = state.opt_state[0].mu['Dense_0']['bias']: f32[16]
        np.array(
            [
                -0.0014457665,
                -0.002727955,
                0.0029241983,
                0.0009308664,
                0.0027907968,
                -0.0058660707,
                0.005269337,
                0.0010932465,
                0.003831894,
                0.0060738903,
                0.023026112,
                0.010817439,
                0.0008015633,
                0.008629803,
                -0.00334325,
                0.009820673,
            ],
            np.float32,
        ),
        ARRAYS["x9"],  # j = state.opt_state[0].mu['Dense_0']['kernel']: f32[10,16]
        # k = state.opt_state[0].mu['Dense_1']['bias']: f32[16]
        np.array(
            [
                0.0005208354,
                0.0010302005,
                0.024724064,
                0.00048226488,
                -0.0028260867,
                0.0071538724,
                -0.0001405013,
                0.010517399,
                -0.00010685867,
                -0.008675156,
                0.0006612364,
                -0.0040321653,
                0.0024992232,
                -0.004575002,
                0.017907837,
                -0.005687804,
            ],
            np.float32,
        ),
        ARRAYS["x11"],  # l = state.opt_state[0].mu['Dense_1']['kernel']: f32[16,16]
        # m = state.opt_state[0].mu['Dense_2']['bias']: f32[2]
        np.array([-0.019044517, 0.019044515], np.float32),
        ARRAYS["x13"],  # n = state.opt_state[0].mu['Dense_2']['kernel']: f32[16,2]
        # o = state.opt_state[0].nu['Dense_0']['bias']: f32[16]
        np.array(
            [
                1.9952127e-07,
                3.7127074e-07,
                6.7198164e-07,
                1.7043445e-06,
                5.060061e-07,
                1.4464958e-06,
                1.4479828e-06,
                1.0827257e-07,
                1.1884595e-06,
                2.354671e-06,
                2.5978117e-05,
                5.37346e-06,
                7.927019e-08,
                5.864395e-06,
                5.2341875e-07,
                5.2076816e-06,
            ],
            np.float32,
        ),
        ARRAYS["x15"],  # p = state.opt_state[0].nu['Dense_0']['kernel']: f32[10,16]
        # q = state.opt_state[0].nu['Dense_1']['bias']: f32[16]
        np.array(
            [
                3.1211891e-06,
                1.3755003e-07,
                4.2212112e-05,
                2.0319856e-08,
                1.3304401e-06,
                2.8359514e-06,
                1.2558499e-09,
                4.6737555e-06,
                6.071331e-08,
                4.279135e-06,
                1.0667248e-07,
                9.905822e-07,
                3.4487755e-07,
                8.6198094e-07,
                2.0980066e-05,
                1.4147606e-06,
            ],
            np.float32,
        ),
        ARRAYS["x17"],  # r = state.opt_state[0].nu['Dense_1']['kernel']: f32[16,16]
        # s = state.opt_state[0].nu['Dense_2']['bias']: f32[2]
        np.array([2.5315847e-05, 2.5315843e-05], np.float32),
        ARRAYS["x19"],  # t = state.opt_state[0].nu['Dense_2']['kernel']: f32[16,2]
        ARRAYS["x20"],  # u = x: f32[32,10]
        ARRAYS["x21"],  # v = labels: i32[32]
    ]


def repro(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v):
    w = lax.dot_general(u, c, (((1,), (0,)), ((), ())))  # f32[32,16]  linear.py:287
    x = lax.reshape(b, (1, 16))  # f32[1,16]  linear.py:294
    y = lax.add(w, x)  # f32[32,16]  linear.py:294
    z = jax.nn.relu(y)  # f32[32,16]  linen_mlp.py:17
    aa = lax.dot_general(z, e, (((1,), (0,)), ((), ())))  # f32[32,16]  linear.py:287
    ab = lax.reshape(d, (1, 16))  # f32[1,16]  linear.py:294
    ac = lax.add(aa, ab)  # f32[32,16]  linear.py:294
    ad = jax.nn.relu(ac)  # f32[32,16]  linen_mlp.py:17
    ae = lax.dot_general(ad, g, (((1,), (0,)), ((), ())))  # f32[32,2]  linear.py:287
    af = lax.reshape(f, (1, 2))  # f32[1,2]  linear.py:294
    ag = lax.add(ae, af)  # f32[32,2]  linear.py:294
    ah = lax.argmax(ag, 1, i32)  # i32[32]  linen_mlp.py:35
    ai = lax.eq(ah, v)  # bool[32]  linen_mlp.py:35
    aj = lax.convert_element_type(ai, i32)  # i32[32]  linen_mlp.py:35
    ak = lax.convert_element_type(aj, f32)  # f32[32]  linen_mlp.py:35
    al = lax.reduce_sum(ak, axes=(0,))  # f32[]  linen_mlp.py:35
    am = lax.div(al, np.float32(32.0))  # f32[]  linen_mlp.py:35
    return am


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
