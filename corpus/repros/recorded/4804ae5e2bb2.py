# /// jace-repro
# schema = 1
# name = "<lambda>"
# origin = "scripts/libraries/haiku_convnet.py:36 (<lambda>)"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "4804ae5e2bb24584a99a0c89ae7232c8da480cb8948ceb1d29b4a5c3b3ff6396"
# outputs_sha256 = "5750d7879104331c4fa5ad5f48798c5e29ae7d739977248ede089aa181cd08c0"
# sidecar_sha256 = "a3f58d596e81fc4e892ac0b60f1e8f20dbfd85f9b3e803b3352b7203a4f34d1a"
# self_check = "exact"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""<lambda> (haiku_convnet.py:36): written by jace-repro, needs only jax and numpy."""

import hashlib
import io
import pathlib

import jax
import numpy as np
from jax import lax

f32 = np.dtype("float32")


SIDECAR_SHA256 = "a3f58d596e81fc4e892ac0b60f1e8f20dbfd85f9b3e803b3352b7203a4f34d1a"


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
        # a = params['batch_norm']['offset']: f32[1,1,1,4]
        np.array([[[[-0.0037565976, 0.0013977679, -0.00025605338, 0.0010992548]]]], np.float32),
        # b = params['batch_norm']['scale']: f32[1,1,1,4]
        np.array([[[[0.9973298, 1.0010046, 1.0048288, 1.0045345]]]], np.float32),
        # c = params['conv2_d']['b']: f32[4]
        np.array([-7.2759576e-11, 1.7753336e-10, 2.4519978e-10, 2.2700988e-10], np.float32),
        ARRAYS["x3"],  # d = params['conv2_d']['w']: f32[3,3,3,4]
        # e = params['conv2_d_transpose']['b']: f32[3]
        np.array([0.005068455, -0.026729014, -0.017056406], np.float32),
        ARRAYS["x5"],  # f = params['conv2_d_transpose']['w']: f32[3,3,3,8]
        # g = params['depthwise_conv2_d']['b']: f32[8]
        np.array(
            [
                -0.003038441,
                -0.0020918604,
                0.00026908133,
                -0.00042070882,
                -0.001736367,
                -0.00037909127,
                0.0035638534,
                0.0030038746,
            ],
            np.float32,
        ),
        ARRAYS["x7"],  # h = params['depthwise_conv2_d']['w']: f32[3,3,1,8]
        np.array([0.007997872, 0.08902], np.float32),  # i = params['linear']['b']: f32[2]
        ARRAYS["x9"],  # j = params['linear']['w']: f32[27,2]
        # k = state['batch_norm/~/mean_ema']['average']: f32[1,1,1,4]
        np.array([[[[0.21007545, 0.056598943, 0.07247134, -0.31373397]]]], np.float32),
        np.int32(2),  # l = state['batch_norm/~/mean_ema']['counter']: i32[]
        # m = state['batch_norm/~/mean_ema']['hidden']: f32[1,1,1,4]
        np.array([[[[0.039914347, 0.010753802, 0.01376956, -0.059609473]]]], np.float32),
        # n = state['batch_norm/~/var_ema']['average']: f32[1,1,1,4]
        np.array([[[[0.7268847, 0.591378, 0.64645886, 0.8794353]]]], np.float32),
        np.int32(2),  # o = state['batch_norm/~/var_ema']['counter']: i32[]
        # p = state['batch_norm/~/var_ema']['hidden']: f32[1,1,1,4]
        np.array([[[[0.13810813, 0.11236185, 0.12282722, 0.16709276]]]], np.float32),
        ARRAYS["x16"],  # q = x: f32[2,12,12,3]
    ]


def repro(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q):
    r = lax.conv_general_dilated_p.bind(  # f32[2,6,6,4]  conv.py:213
        q,
        d,
        batch_group_count=1,
        dimension_numbers=lax.ConvDimensionNumbers(
            lhs_spec=(0, 3, 1, 2), rhs_spec=(3, 2, 0, 1), out_spec=(0, 3, 1, 2)
        ),
        feature_group_count=1,
        lhs_dilation=(1, 1),
        out_sharding=None,
        padding=((0, 1), (0, 1)),
        precision=None,
        preferred_element_type=None,
        rhs_dilation=(1, 1),
        window_strides=(2, 2),
    )
    s = lax.broadcast_in_dim(c, (2, 6, 6, 4), (3,))  # f32[2,6,6,4]  conv.py:229
    t = lax.add(r, s)  # f32[2,6,6,4]  conv.py:230
    u = lax.add(n, np.float32(1e-05))  # f32[1,1,1,4]  batch_norm.py:204
    v = lax.rsqrt(u)  # f32[1,1,1,4]  batch_norm.py:204
    w = lax.mul(b, v)  # f32[1,1,1,4]  batch_norm.py:204
    x = lax.sub(t, k)  # f32[2,6,6,4]  batch_norm.py:205
    y = lax.mul(x, w)  # f32[2,6,6,4]  batch_norm.py:205
    z = lax.add(y, a)  # f32[2,6,6,4]  batch_norm.py:205
    aa = jax.nn.relu(z)  # f32[2,6,6,4]  haiku_convnet.py:12
    ab = lax.conv_general_dilated_p.bind(  # f32[2,6,6,8]  depthwise_conv.py:124
        aa,
        h,
        batch_group_count=1,
        dimension_numbers=lax.ConvDimensionNumbers(
            lhs_spec=(0, 3, 1, 2), rhs_spec=(3, 2, 0, 1), out_spec=(0, 3, 1, 2)
        ),
        feature_group_count=4,
        lhs_dilation=(1, 1),
        out_sharding=None,
        padding=((1, 1), (1, 1)),
        precision=None,
        preferred_element_type=None,
        rhs_dilation=(1, 1),
        window_strides=(1, 1),
    )
    ac = lax.broadcast_in_dim(g, (2, 6, 6, 8), (3,))  # f32[2,6,6,8]  depthwise_conv.py:140
    ad = lax.add(ab, ac)  # f32[2,6,6,8]  depthwise_conv.py:141
    ae = lax.reduce_window_max_p.bind(  # f32[2,3,3,8]  pool.py:102
        ad,
        base_dilation=(1,) * 4,
        padding=((0, 0),) * 4,
        window_dilation=(1,) * 4,
        window_dimensions=(1, 2, 2, 1),
        window_strides=(1, 2, 2, 1),
    )
    af = lax.conv_general_dilated_p.bind(  # f32[2,6,6,3]  conv.py:614
        ae,
        f,
        batch_group_count=1,
        dimension_numbers=lax.ConvDimensionNumbers(
            lhs_spec=(0, 3, 1, 2), rhs_spec=(2, 3, 0, 1), out_spec=(0, 3, 1, 2)
        ),
        feature_group_count=1,
        lhs_dilation=(2, 2),
        out_sharding=None,
        padding=((2, 1), (2, 1)),
        precision=None,
        preferred_element_type=None,
        rhs_dilation=(1, 1),
        window_strides=(1, 1),
    )
    ag = lax.broadcast_in_dim(e, (2, 6, 6, 3), (3,))  # f32[2,6,6,3]  conv.py:627
    ah = lax.add(af, ag)  # f32[2,6,6,3]  conv.py:628
    ai = lax.reduce_window_sum_p.bind(  # f32[2,3,3,3]  pool.py:137
        ah,
        base_dilation=(1,) * 4,
        padding=((0, 0),) * 4,
        window_dilation=(1,) * 4,
        window_dimensions=(1, 2, 2, 1),
        window_strides=(1, 2, 2, 1),
    )
    aj = lax.broadcast_in_dim(np.float32(1.0), (1, 6, 6, 1), ())  # f32[1,6,6,1]  pool.py:147
    ak = lax.reduce_window_sum_p.bind(  # f32[1,3,3,1]  pool.py:146
        aj,
        base_dilation=(1,) * 4,
        padding=((0, 0),) * 4,
        window_dilation=(1,) * 4,
        window_dimensions=(1, 2, 2, 1),
        window_strides=(1, 2, 2, 1),
    )
    al = lax.div(ai, ak)  # f32[2,3,3,3]  pool.py:148
    am = lax.reshape(al, (2, 27))  # f32[2,27]  reshape.py:134
    an = lax.dot_general(  # f32[2,2]  basic.py:180
        am, j, (((1,), (0,)), ((), ())), preferred_element_type=f32
    )
    ao = lax.broadcast_in_dim(i, (2, 2), (1,))  # f32[2,2]  basic.py:184
    ap = lax.add(an, ao)  # f32[2,2]  basic.py:185
    return ap


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
