# /// jace-repro
# schema = 1
# name = "init"
# origin = "module.py:2315 (init)"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "278951335dd862a6b202b4b364f7cbc9497f89bc6592b18cb4252000f0ce96e9"
# outputs_sha256 = "a33496e4d2c3f7a6e475cc33bd2cfc7bfedae9dd0e2e34fd5f6f02e69835dd20"
# sidecar_sha256 = "48e9f9ee4b030ac3e550e95b8156aa5c501526e8c4e3a29552aab9beec5702ce"
# self_check = "exact"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""init (module.py:2315): written by jace-repro, needs only jax and numpy."""

import hashlib
import io
import pathlib

import jax
import numpy as np
from jax import lax
from jax.extend.core import primitives

f32 = np.dtype("float32")


def jit(name=None, **options):
    """jax.jit as a decorator, for a function whose name is not the one in the program."""

    def decorate(fun):
        fun.__name__ = fun.__qualname__ = name or fun.__name__
        return jax.jit(fun, **options)

    return decorate


SIDECAR_SHA256 = "48e9f9ee4b030ac3e550e95b8156aa5c501526e8c4e3a29552aab9beec5702ce"


def read_sidecar():
    """The arrays in the .npz file beside this script."""
    path = pathlib.Path(__file__).with_suffix(".npz")
    data = path.read_bytes()
    if hashlib.sha256(data).hexdigest() != SIDECAR_SHA256:
        raise SystemExit(f"{path} is not the file that belongs to this script (sha256 differs)")
    return dict(np.load(io.BytesIO(data)))


ARRAYS = globals().get("ARRAYS") or read_sidecar()  # whoever executes this text may put them there


@jit("_uniform")
def uniform(a, b, c):
    d = lax.broadcast_in_dim(b, (1, 1, 1, 1), ())  # f32[1,1,1,1]
    e = lax.broadcast_in_dim(c, (1, 1, 1, 1), ())  # f32[1,1,1,1]
    f = primitives.random_bits_p.bind(a, bit_width=32, shape=(3, 3, 1, 8))  # u32[3,3,1,8]
    g = lax.shift_right_logical(f, np.uint32(9))  # u32[3,3,1,8]
    h = lax.bitwise_or(g, np.uint32(1065353216))  # u32[3,3,1,8]
    i = lax.bitcast_convert_type_p.bind(h, new_dtype=f32)  # f32[3,3,1,8]
    j = lax.sub(i, np.float32(1.0))  # f32[3,3,1,8]
    k = lax.sub(e, d)  # f32[1,1,1,1]
    l = lax.mul(j, k)  # f32[3,3,1,8]
    m = lax.add(l, d)  # f32[3,3,1,8]
    n = lax.max(d, m)  # f32[3,3,1,8]
    return n


@jax.jit
def clip(a, b, c):
    d = lax.max(b, a)  # f32[3,3,1,8]
    e = lax.min(c, d)  # f32[3,3,1,8]
    return e


@jit("_truncated_normal")
def truncated_normal(a, b, c):
    d = lax.convert_element_type(b, f32)  # f32[]
    e = lax.convert_element_type(c, f32)  # f32[]
    f = lax.div(d, np.float32(1.4142135))  # f32[]
    g = lax.erf(f)  # f32[]
    h = lax.div(e, np.float32(1.4142135))  # f32[]
    i = lax.erf(h)  # f32[]
    j = uniform(a, g, i)  # f32[3,3,1,8]
    k = lax.erf_inv(j)  # f32[3,3,1,8]
    l = lax.mul(np.float32(1.4142135), k)  # f32[3,3,1,8]
    m = lax.stop_gradient_p.bind(d)  # f32[]
    n = lax.nextafter(m, np.float32(np.inf))  # f32[]
    o = lax.stop_gradient_p.bind(e)  # f32[]
    p = lax.nextafter(o, np.float32(-np.inf))  # f32[]
    q = clip(l, n, p)  # f32[3,3,1,8]
    return q


@jit("_uniform")
def uniform_2(a, b, c):
    d = lax.broadcast_in_dim(b, (1, 1, 1, 1), ())  # f32[1,1,1,1]
    e = lax.broadcast_in_dim(c, (1, 1, 1, 1), ())  # f32[1,1,1,1]
    f = primitives.random_bits_p.bind(a, bit_width=32, shape=(3, 3, 8, 16))  # u32[3,3,8,16]
    g = lax.shift_right_logical(f, np.uint32(9))  # u32[3,3,8,16]
    h = lax.bitwise_or(g, np.uint32(1065353216))  # u32[3,3,8,16]
    i = lax.bitcast_convert_type_p.bind(h, new_dtype=f32)  # f32[3,3,8,16]
    j = lax.sub(i, np.float32(1.0))  # f32[3,3,8,16]
    k = lax.sub(e, d)  # f32[1,1,1,1]
    l = lax.mul(j, k)  # f32[3,3,8,16]
    m = lax.add(l, d)  # f32[3,3,8,16]
    n = lax.max(d, m)  # f32[3,3,8,16]
    return n


@jax.jit
def clip_2(a, b, c):
    d = lax.max(b, a)  # f32[3,3,8,16]
    e = lax.min(c, d)  # f32[3,3,8,16]
    return e


@jit("_truncated_normal")
def truncated_normal_2(a, b, c):
    d = lax.convert_element_type(b, f32)  # f32[]
    e = lax.convert_element_type(c, f32)  # f32[]
    f = lax.div(d, np.float32(1.4142135))  # f32[]
    g = lax.erf(f)  # f32[]
    h = lax.div(e, np.float32(1.4142135))  # f32[]
    i = lax.erf(h)  # f32[]
    j = uniform_2(a, g, i)  # f32[3,3,8,16]
    k = lax.erf_inv(j)  # f32[3,3,8,16]
    l = lax.mul(np.float32(1.4142135), k)  # f32[3,3,8,16]
    m = lax.stop_gradient_p.bind(d)  # f32[]
    n = lax.nextafter(m, np.float32(np.inf))  # f32[]
    o = lax.stop_gradient_p.bind(e)  # f32[]
    p = lax.nextafter(o, np.float32(-np.inf))  # f32[]
    q = clip_2(l, n, p)  # f32[3,3,8,16]
    return q


@jit("_uniform")
def uniform_3(a, b, c):
    d = lax.broadcast_in_dim(b, (1, 1), ())  # f32[1,1]
    e = lax.broadcast_in_dim(c, (1, 1), ())  # f32[1,1]
    f = primitives.random_bits_p.bind(a, bit_width=32, shape=(64, 10))  # u32[64,10]
    g = lax.shift_right_logical(f, np.uint32(9))  # u32[64,10]
    h = lax.bitwise_or(g, np.uint32(1065353216))  # u32[64,10]
    i = lax.bitcast_convert_type_p.bind(h, new_dtype=f32)  # f32[64,10]
    j = lax.sub(i, np.float32(1.0))  # f32[64,10]
    k = lax.sub(e, d)  # f32[1,1]
    l = lax.mul(j, k)  # f32[64,10]
    m = lax.add(l, d)  # f32[64,10]
    n = lax.max(d, m)  # f32[64,10]
    return n


@jax.jit
def clip_3(a, b, c):
    d = lax.max(b, a)  # f32[64,10]
    e = lax.min(c, d)  # f32[64,10]
    return e


@jit("_truncated_normal")
def truncated_normal_3(a, b, c):
    d = lax.convert_element_type(b, f32)  # f32[]
    e = lax.convert_element_type(c, f32)  # f32[]
    f = lax.div(d, np.float32(1.4142135))  # f32[]
    g = lax.erf(f)  # f32[]
    h = lax.div(e, np.float32(1.4142135))  # f32[]
    i = lax.erf(h)  # f32[]
    j = uniform_3(a, g, i)  # f32[64,10]
    k = lax.erf_inv(j)  # f32[64,10]
    l = lax.mul(np.float32(1.4142135), k)  # f32[64,10]
    m = lax.stop_gradient_p.bind(d)  # f32[]
    n = lax.nextafter(m, np.float32(np.inf))  # f32[]
    o = lax.stop_gradient_p.bind(e)  # f32[]
    p = lax.nextafter(o, np.float32(-np.inf))  # f32[]
    q = clip_3(l, n, p)  # f32[64,10]
    return q


def inputs():
    return [
        jax.random.wrap_key_data(np.array([0, 1998], np.uint32), impl="threefry2x32"),  # a = rngs: key<fry>[]
        ARRAYS["x1"],  # b: f32[1,16,16,1]
    ]


def repro(a, b):
    c = primitives.random_fold_in_p.bind(a, np.uint32(1559354485))  # key<fry>[]  linear.py:668
    d = lax.sqrt(np.float32(0.11111111))  # f32[]  linear.py:668
    e = lax.div(d, np.float32(0.8796257))  # f32[]  linear.py:668
    f = truncated_normal(c, -2, 2)  # f32[3,3,1,8]  linear.py:668
    g = lax.mul(f, e)  # f32[3,3,1,8]  linear.py:668
    _ = primitives.random_fold_in_p.bind(a, np.uint32(2439491574))  # key<fry>[]  linear.py:683
    h = lax.broadcast_in_dim(np.float32(0.0), (8,), ())  # f32[8]  linear.py:683
    i = lax.conv_general_dilated_p.bind(  # f32[1,16,16,8]  linear.py:700
        b,
        g,
        batch_group_count=1,
        dimension_numbers=lax.ConvDimensionNumbers(
            lhs_spec=(0, 3, 1, 2), rhs_spec=(3, 2, 0, 1), out_spec=(0, 3, 1, 2)
        ),
        feature_group_count=1,
        lhs_dilation=(1, 1),
        out_sharding=None,
        padding=((1, 1), (1, 1)),
        precision=None,
        preferred_element_type=None,
        rhs_dilation=(1, 1),
        window_strides=(1, 1),
    )
    j = lax.reshape(h, (1, 1, 1, 8))  # f32[1,1,1,8]  linear.py:725
    k = lax.add(i, j)  # f32[1,16,16,8]  linear.py:726
    l = lax.reshape(k, (1, 16, 16, 2, 4))  # f32[1,16,16,2,4]  normalization.py:792
    m = lax.square(l)  # f32[1,16,16,2,4]  normalization.py:57
    n = lax.reduce_sum(l, axes=(1, 2, 4))  # f32[1,2]  normalization.py:122
    o = lax.div(n, np.float32(1024.0))  # f32[1,2]  normalization.py:122
    p = lax.reduce_sum(m, axes=(1, 2, 4))  # f32[1,2]  normalization.py:122
    q = lax.div(p, np.float32(1024.0))  # f32[1,2]  normalization.py:122
    r = lax.square(o)  # f32[1,2]  normalization.py:57
    s = lax.sub(q, r)  # f32[1,2]  normalization.py:142
    t = lax.max(np.float32(0.0), s)  # f32[1,2]  normalization.py:142
    u = lax.broadcast_in_dim(o, (1, 2, 4), (0, 1))  # f32[1,2,4]  normalization.py:801
    v = lax.reshape(u, (1, 8))  # f32[1,8]  normalization.py:801
    w = lax.broadcast_in_dim(t, (1, 2, 4), (0, 1))  # f32[1,2,4]  normalization.py:802
    x = lax.reshape(w, (1, 8))  # f32[1,8]  normalization.py:802
    y = lax.broadcast_in_dim(v, (1, 1, 1, 8), (0, 3))  # f32[1,1,1,8]  normalization.py:203
    z = lax.broadcast_in_dim(x, (1, 1, 1, 8), (0, 3))  # f32[1,1,1,8]  normalization.py:204
    aa = lax.sub(k, y)  # f32[1,16,16,8]  normalization.py:205
    ab = lax.add(z, np.float32(1e-06))  # f32[1,1,1,8]  normalization.py:206
    ac = lax.rsqrt(ab)  # f32[1,1,1,8]  normalization.py:206
    _ = primitives.random_fold_in_p.bind(a, np.uint32(2151154565))  # key<fry>[]  normalization.py:209
    ad = lax.broadcast_in_dim(np.float32(1.0), (8,), ())  # f32[8]  normalization.py:209
    ae = lax.reshape(ad, (1, 1, 1, 8))  # f32[1,1,1,8]  normalization.py:211
    af = lax.mul(ac, ae)  # f32[1,1,1,8]  normalization.py:214
    ag = lax.mul(aa, af)  # f32[1,16,16,8]  normalization.py:216
    _ = primitives.random_fold_in_p.bind(a, np.uint32(1583310866))  # key<fry>[]  normalization.py:218
    ah = lax.broadcast_in_dim(np.float32(0.0), (8,), ())  # f32[8]  normalization.py:218
    ai = lax.reshape(ah, (1, 1, 1, 8))  # f32[1,1,1,8]  normalization.py:220
    aj = lax.add(ag, ai)  # f32[1,16,16,8]  normalization.py:223
    ak = jax.nn.relu(aj)  # f32[1,16,16,8]  linen_cnn.py:20
    al = lax.reduce_window_sum_p.bind(  # f32[1,8,8,8]  pooling.py:73
        ak,
        base_dilation=(1,) * 4,
        padding=((0, 0),) * 4,
        window_dilation=(1,) * 4,
        window_dimensions=(1, 2, 2, 1),
        window_strides=(1, 2, 2, 1),
    )
    am = lax.div(al, np.float32(4.0))  # f32[1,8,8,8]  pooling.py:99
    an = primitives.random_fold_in_p.bind(a, np.uint32(1643651158))  # key<fry>[]  linear.py:668
    ao = lax.sqrt(np.float32(0.013888889))  # f32[]  linear.py:668
    ap = lax.div(ao, np.float32(0.8796257))  # f32[]  linear.py:668
    aq = truncated_normal_2(an, -2, 2)  # f32[3,3,8,16]  linear.py:668
    ar = lax.mul(aq, ap)  # f32[3,3,8,16]  linear.py:668
    _ = primitives.random_fold_in_p.bind(a, np.uint32(1124571826))  # key<fry>[]  linear.py:683
    at = lax.broadcast_in_dim(np.float32(0.0), (16,), ())  # f32[16]  linear.py:683
    au = lax.conv_general_dilated_p.bind(  # f32[1,4,4,16]  linear.py:700
        am,
        ar,
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
    av = lax.reshape(at, (1, 1, 1, 16))  # f32[1,1,1,16]  linear.py:725
    aw = lax.add(au, av)  # f32[1,4,4,16]  linear.py:726
    ax = jax.nn.relu(aw)  # f32[1,4,4,16]  linen_cnn.py:22
    ay = lax.reduce_window_max_p.bind(  # f32[1,2,2,16]  pooling.py:73
        ax,
        base_dilation=(1,) * 4,
        padding=((0, 0),) * 4,
        window_dilation=(1,) * 4,
        window_dimensions=(1, 2, 2, 1),
        window_strides=(1, 2, 2, 1),
    )
    az = lax.reshape(ay, (1, 64))  # f32[1,64]  linen_cnn.py:24
    ba = primitives.random_fold_in_p.bind(a, np.uint32(2998342421))  # key<fry>[]  linear.py:263
    bb = lax.sqrt(np.float32(0.015625))  # f32[]  linear.py:263
    bc = lax.div(bb, np.float32(0.8796257))  # f32[]  linear.py:263
    bd = truncated_normal_3(ba, -2, 2)  # f32[64,10]  linear.py:263
    be = lax.mul(bd, bc)  # f32[64,10]  linear.py:263
    _ = primitives.random_fold_in_p.bind(a, np.uint32(2299943050))  # key<fry>[]  linear.py:270
    bf = lax.broadcast_in_dim(np.float32(0.0), (10,), ())  # f32[10]  linear.py:270
    bg = lax.dot_general(az, be, (((1,), (0,)), ((), ())))  # f32[1,10]  linear.py:287
    bh = lax.reshape(bf, (1, 10))  # f32[1,10]  linear.py:294
    _ = lax.add(bg, bh)  # f32[1,10]  linear.py:294
    # result['params']['Conv_0']['bias'], result['params']['Conv_0']['kernel'], result['params']['Conv_1']['bias'],
    # result['params']['Conv_1']['kernel'], result['params']['Dense_0']['bias'],
    # result['params']['Dense_0']['kernel'], result['params']['GroupNorm_0']['bias'],
    # result['params']['GroupNorm_0']['scale']
    return h, g, at, ar, bf, be, ah, ad


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
