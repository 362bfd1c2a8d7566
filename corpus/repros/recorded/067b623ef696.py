# /// jace-repro
# schema = 1
# name = "step"
# origin = "_jit.py:43 (step)"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "067b623ef6964ed317d650f428fb3879a71916bfd64a3a3cf599e67471d68b75"
# outputs_sha256 = "870390f3d865247364b3d252e1bec570c6ffe3fc86ec1db803900d0f81ebebec"
# sidecar_sha256 = "4de464916a35b9c1fe78549fd8d5a3c84c363ab8c6c9f417b6fe6a701cdfc1a5"
# self_check = "exact"
#
# [static]
# static = "(((<function step>,), PyTreeDef(*)), ((None, None, None, None, None, None, None, None, <jax._src.custom_derivatives.custom_jvp object>, <function <lambda>>), PyTreeDef(CustomNode(MLP[(Missing, True, T..."
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""step (_jit.py:43): written by jace-repro, needs only jax and numpy."""

import hashlib
import io
import pathlib

import jax
import numpy as np
from jax import lax
from jax.extend.core import primitives

f32 = np.dtype("float32")


SIDECAR_SHA256 = "4de464916a35b9c1fe78549fd8d5a3c84c363ab8c6c9f417b6fe6a701cdfc1a5"


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
        ARRAYS["x0"],  # a = dynamic_nodonate['first'][0]: f32[6,3]
        # b = dynamic_nodonate['first'][1]: f32[6,2]
        np.array(
            [
                [-0.0024392002, 0.0012287012],
                [-0.0076331007, -0.009311066],
                [0.011830179, 0.0016625067],
                [-0.012691136, -0.014706578],
                [-0.0020645913, 0.01076323],
                [0.0045480314, 0.024451638],
            ],
            np.float32,
        ),
        # c = dynamic_nodonate['first'][2]: f32[2,3]
        np.array([[0.0, 0.0, 0.0], [0.0, 0.0, 0.0]], np.float32),
        # d = dynamic_nodonate['first'][3]: f32[6]
        np.array([-0.4569261, -0.18014762, -0.4260068, 0.35810795, -0.35286358, 0.15648678], np.float32),
        # e = dynamic_nodonate['first'][4]: f32[1,6]
        np.array([[0.06436638, -0.2281313, -0.3232809, -0.13007742, -0.27982166, 0.09207843]], np.float32),
        np.array([[0.009477515, -0.009447869]], np.float32),  # f = dynamic_nodonate['first'][5]: f32[1,2]
        # g = dynamic_nodonate['first'][6]: f32[2,6]
        np.array([[0.0, 0.0, 0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0]], np.float32),
        np.array([-0.33408108], np.float32),  # h = dynamic_nodonate['first'][7]: f32[1]
        # i = dynamic_nodonate['rest'][0]: f32[4,3]
        np.array(
            [
                [-1.0, -0.81818175, -0.6363636],
                [-0.45454547, -0.27272725, -0.090909034],
                [0.09090912, 0.27272728, 0.4545455],
                [0.63636374, 0.8181819, 1.0],
            ],
            np.float32,
        ),
    ]


def repro(a, b, c, d, e, f, g, h, i):
    # static: static = (((<function step>,), PyTreeDef(*)), ((None, None, None, None, None, None, None, None, <jax._src.custom_derivatives.custom_jvp object>, <function <lambda>>), PyTreeDef(CustomNode(MLP[(Missing, True, T...
    _ = lax.stop_gradient_p.bind(a)  # f32[6,3]  _core.py:73
    _ = lax.stop_gradient_p.bind(a)  # f32[6,3]  _core.py:73
    _ = lax.stop_gradient_p.bind(e)  # f32[1,6]  _core.py:73
    _ = lax.stop_gradient_p.bind(e)  # f32[1,6]  _core.py:73
    _ = lax.stop_gradient_p.bind(a)  # f32[6,3]  _core.py:73
    _ = lax.stop_gradient_p.bind(a)  # f32[6,3]  _core.py:73
    _ = lax.stop_gradient_p.bind(a)  # f32[6,3]
    j = lax.stop_gradient_p.bind(a)  # f32[6,3]
    k = lax.dot_general(j, i, (((1,), (1,)), ((), ())), preferred_element_type=f32)  # f32[6,4]
    l = lax.dot_general(c, i, (((1,), (1,)), ((), ())), preferred_element_type=f32)  # f32[2,4]
    m = lax.dot_general(b, l, (((1,), (0,)), ((), ())), preferred_element_type=f32)  # f32[6,4]
    n = lax.add(k, m)  # f32[6,4]
    o = lax.transpose(n, (1, 0))  # f32[4,6]
    p = lax.broadcast_in_dim(d, (1, 6), (1,))  # f32[1,6]
    q = lax.add(o, p)  # f32[4,6]
    r = jax.nn.relu(q)  # f32[4,6]  _trace.py:229
    s = lax.gt(q, np.float32(0.0))  # bool[4,6]
    t = lax.broadcast_in_dim(np.float32(0.0), (6,), ())  # f32[6]  _core.py:49
    _ = lax.broadcast_in_dim(t, (4, 6), (1,))  # f32[4,6]  _trace.py:137
    _ = lax.stop_gradient_p.bind(e)  # f32[1,6]  _core.py:73
    _ = lax.stop_gradient_p.bind(e)  # f32[1,6]  _core.py:73
    _ = lax.stop_gradient_p.bind(e)  # f32[1,6]
    u = lax.stop_gradient_p.bind(e)  # f32[1,6]
    v = lax.dot_general(u, r, (((1,), (1,)), ((), ())), preferred_element_type=f32)  # f32[1,4]
    w = lax.dot_general(g, r, (((1,), (1,)), ((), ())), preferred_element_type=f32)  # f32[2,4]
    x = lax.dot_general(f, w, (((1,), (0,)), ((), ())), preferred_element_type=f32)  # f32[1,4]
    y = lax.add(v, x)  # f32[1,4]
    z = lax.transpose(y, (1, 0))  # f32[4,1]
    aa = lax.broadcast_in_dim(h, (1, 1), (1,))  # f32[1,1]
    ab = lax.add(z, aa)  # f32[4,1]
    ac = lax.integer_pow(ab, 2)  # f32[4,1]  quax_lora.py:16
    ad = lax.mul(np.float32(2.0), ab)  # f32[4,1]  quax_lora.py:16
    ae = lax.reduce_sum(ac, axes=(0, 1))  # f32[]  quax_lora.py:16
    af = lax.div(ae, np.float32(4.0))  # f32[]  quax_lora.py:16
    ag = lax.div(np.float32(1.0), np.float32(4.0))  # f32[]  quax_lora.py:16
    ah = lax.broadcast_in_dim(ag, (4, 1), ())  # f32[4,1]  quax_lora.py:16
    ai = lax.mul(ah, ad)  # f32[4,1]  quax_lora.py:16
    aj = lax.reduce_sum(ai, axes=(0,))  # f32[1]
    ak = lax.reshape(aj, (1, 1))  # f32[1,1]
    al = lax.reduce_sum(ak, axes=(0, 1))  # f32[]
    am = lax.broadcast_in_dim(al, (1,), ())  # f32[1]
    an = lax.transpose(ai, (1, 0))  # f32[1,4]
    ao = lax.dot_general(an, f, (((0,), (0,)), ((), ())), preferred_element_type=f32)  # f32[4,2]
    ap = lax.transpose(ao, (1, 0))  # f32[2,4]
    aq = lax.dot_general(an, w, (((1,), (1,)), ((), ())), preferred_element_type=f32)  # f32[1,2]
    ar = lax.dot_general(ap, g, (((0,), (0,)), ((), ())), preferred_element_type=f32)  # f32[4,6]
    at = lax.dot_general(ap, r, (((1,), (0,)), ((), ())), preferred_element_type=f32)  # f32[2,6]
    au = lax.dot_general(an, u, (((0,), (0,)), ((), ())), preferred_element_type=f32)  # f32[4,6]
    av = primitives.add_jaxvals_p.bind(ar, au)  # f32[4,6]
    aw = lax.broadcast_in_dim(np.float32(0.0), (4, 6), ())  # f32[4,6]  _trace.py:137
    ax = lax.select_n(s, aw, av)  # f32[4,6]  _trace.py:137
    ay = lax.reduce_sum(ax, axes=(0,))  # f32[6]
    az = lax.reshape(ay, (1, 6))  # f32[1,6]
    ba = lax.reduce_sum(az, axes=(0,))  # f32[6]
    bb = lax.transpose(ax, (1, 0))  # f32[6,4]
    bc = lax.dot_general(bb, b, (((0,), (0,)), ((), ())), preferred_element_type=f32)  # f32[4,2]
    bd = lax.transpose(bc, (1, 0))  # f32[2,4]
    be = lax.dot_general(bb, l, (((1,), (1,)), ((), ())), preferred_element_type=f32)  # f32[6,2]
    bf = lax.dot_general(bd, i, (((1,), (0,)), ((), ())), preferred_element_type=f32)  # f32[2,3]
    bg = lax.broadcast_in_dim(np.float32(0.0), (6, 3), ())  # f32[6,3]  _ad.py:71
    bh = lax.broadcast_in_dim(np.float32(0.0), (1, 6), ())  # f32[1,6]  _ad.py:71
    # result[0], result[1][0], result[1][1].layers[0].weight._w, result[1][1].layers[0].weight.a,
    # result[1][1].layers[0].weight.b, result[1][1].layers[0].bias, result[1][1].layers[1].weight._w,
    # result[1][1].layers[1].weight.a, result[1][1].layers[1].weight.b, result[1][1].layers[1].bias
    return 0, af, bg, be, bf, ba, bh, aq, at, am


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
