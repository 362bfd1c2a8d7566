# /// jace-repro
# schema = 1
# name = "step"
# origin = "scripts/libraries/nnx_split_merge.py:19 (step)"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "a2bcddf8792de7e6a5439cb520e10279ca22f14fe459309239d85fa86a78153e"
# outputs_sha256 = "6063a1022b61aca001c69c0fcb0cf1964e8d588670fc1e7d37bb4cebde0fff38"
# sidecar_sha256 = "1de4f880f79ca0a2590441df4c8feb0b75a0157e1396fdf23875a340d6681525"
# self_check = "exact"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""step (nnx_split_merge.py:19): written by jace-repro, needs only jax and numpy."""

import hashlib
import io
import pathlib

import jax
import numpy as np
from jax import lax
from jax.extend.core import primitives


SIDECAR_SHA256 = "1de4f880f79ca0a2590441df4c8feb0b75a0157e1396fdf23875a340d6681525"


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
        np.array([0.0, 0.0, 0.0, 0.0], np.float32),  # a = params['layers'][0]['bias'].value: f32[4]
        ARRAYS["x1"],  # b = params['layers'][0]['kernel'].value: f32[3,3,1,4]
        np.zeros((64,), np.float32),  # c = params['layers'][4]['bias'].value: f32[64]
        np.full((64,), 1.0, np.float32),  # d = params['layers'][4]['scale'].value: f32[64]
        np.array([0.0, 0.0, 0.0], np.float32),  # e = params['layers'][5]['bias'].value: f32[3]
        ARRAYS["x5"],  # f = params['layers'][5]['kernel'].value: f32[64,3]
        ARRAYS["x6"],  # g = x: f32[2,8,8,1]
        # h = y: f32[2,3]
        np.array([[-0.8407216, -0.5060255, -0.34811747], [0.5320021, -0.40530238, 0.27788284]], np.float32),
    ]


def repro(a, b, c, d, e, f, g, h):
    i = lax.conv_general_dilated_p.bind(  # f32[2,8,8,4]  linear.py:889
        g,
        b,
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
    j = lax.reshape(a, (1, 1, 1, 4))  # f32[1,1,1,4]  linear.py:903
    k = lax.add(i, j)  # f32[2,8,8,4]  linear.py:904
    l = jax.nn.relu(k)  # f32[2,8,8,4]  helpers.py:289
    m = lax.gt(k, np.float32(0.0))  # bool[2,8,8,4]  helpers.py:289
    _ = lax.broadcast_in_dim(np.float32(0.0), (2, 8, 8, 4), ())  # f32[2,8,8,4]  helpers.py:289
    n = lax.reduce_window_max_p.bind(  # f32[2,4,4,4]  pooling.py:73
        l,
        base_dilation=(1,) * 4,
        padding=((0, 0),) * 4,
        window_dilation=(1,) * 4,
        window_dimensions=(1, 2, 2, 1),
        window_strides=(1, 2, 2, 1),
    )
    o = lax.reshape(n, (2, 64))  # f32[2,64]  nnx_split_merge.py:12
    p = lax.square(o)  # f32[2,64]  normalization.py:47
    q = lax.mul(np.float32(2.0), o)  # f32[2,64]  normalization.py:47
    r = lax.reduce_sum(o, axes=(1,))  # f32[2]  normalization.py:102
    s = lax.div(r, np.float32(64.0))  # f32[2]  normalization.py:102
    t = lax.reduce_sum(p, axes=(1,))  # f32[2]  normalization.py:102
    u = lax.div(t, np.float32(64.0))  # f32[2]  normalization.py:102
    v = lax.square(s)  # f32[2]  normalization.py:47
    w = lax.mul(np.float32(2.0), s)  # f32[2]  normalization.py:47
    x = lax.sub(u, v)  # f32[2]  normalization.py:122
    y = lax.max(np.float32(0.0), x)  # f32[2]  normalization.py:122
    z = lax.eq(x, y)  # bool[2]  normalization.py:122
    aa = lax.broadcast_in_dim(np.float32(1.0), (2,), ())  # f32[2]  normalization.py:122
    ab = lax.broadcast_in_dim(np.float32(0.0), (2,), ())  # f32[2]  normalization.py:122
    ac = lax.select_n(z, ab, aa)  # f32[2]  normalization.py:122
    ad = lax.eq(np.float32(0.0), y)  # bool[2]  normalization.py:122
    ae = lax.broadcast_in_dim(np.float32(2.0), (2,), ())  # f32[2]  normalization.py:122
    af = lax.broadcast_in_dim(np.float32(1.0), (2,), ())  # f32[2]  normalization.py:122
    ag = lax.select_n(ad, af, ae)  # f32[2]  normalization.py:122
    ah = lax.div(ac, ag)  # f32[2]  normalization.py:122
    ai = lax.reshape(s, (2, 1))  # f32[2,1]  normalization.py:165
    aj = lax.reshape(y, (2, 1))  # f32[2,1]  normalization.py:166
    ak = lax.sub(o, ai)  # f32[2,64]  normalization.py:170
    al = lax.add(aj, np.float32(1e-06))  # f32[2,1]  normalization.py:171
    am = lax.rsqrt(al)  # f32[2,1]  normalization.py:171
    an = lax.div(am, al)  # f32[2,1]  normalization.py:171
    ao = lax.mul(np.float32(-0.5), an)  # f32[2,1]  normalization.py:171
    ap = lax.reshape(d, (1, 64))  # f32[1,64]  normalization.py:174
    aq = lax.mul(am, ap)  # f32[2,64]  normalization.py:175
    ar = lax.mul(ak, aq)  # f32[2,64]  normalization.py:177
    at = lax.reshape(c, (1, 64))  # f32[1,64]  normalization.py:179
    au = lax.add(ar, at)  # f32[2,64]  normalization.py:180
    av = lax.dot_general(au, f, (((1,), (0,)), ((), ())))  # f32[2,3]  linear.py:422
    aw = lax.reshape(e, (1, 3))  # f32[1,3]  linear.py:431
    ax = lax.add(av, aw)  # f32[2,3]  linear.py:431
    ay = lax.sub(ax, h)  # f32[2,3]  nnx_split_merge.py:22
    az = lax.integer_pow(ay, 2)  # f32[2,3]  nnx_split_merge.py:22
    ba = lax.mul(np.float32(2.0), ay)  # f32[2,3]  nnx_split_merge.py:22
    bb = lax.reduce_sum(az, axes=(0, 1))  # f32[]  nnx_split_merge.py:22
    bc = lax.div(bb, np.float32(6.0))  # f32[]  nnx_split_merge.py:22
    bd = lax.div(np.float32(1.0), np.float32(6.0))  # f32[]  nnx_split_merge.py:22
    be = lax.broadcast_in_dim(bd, (2, 3), ())  # f32[2,3]  nnx_split_merge.py:22
    bf = lax.mul(be, ba)  # f32[2,3]  nnx_split_merge.py:22
    bg = lax.reduce_sum(bf, axes=(0,))  # f32[3]  linear.py:431
    bh = lax.reshape(bg, (1, 3))  # f32[1,3]  linear.py:431
    bi = lax.reshape(bh, (3,))  # f32[3]  linear.py:431
    bj = lax.dot_general(bf, au, (((0,), (0,)), ((), ())))  # f32[3,64]  linear.py:422
    bk = lax.transpose(bj, (1, 0))  # f32[64,3]  linear.py:422
    bl = lax.dot_general(bf, f, (((1,), (1,)), ((), ())))  # f32[2,64]  linear.py:422
    bm = lax.reduce_sum(bl, axes=(0,))  # f32[64]  normalization.py:180
    bn = lax.reshape(bm, (1, 64))  # f32[1,64]  normalization.py:180
    bo = lax.reshape(bn, (64,))  # f32[64]  normalization.py:179
    bp = lax.mul(ak, bl)  # f32[2,64]  normalization.py:177
    bq = lax.mul(bl, aq)  # f32[2,64]  normalization.py:177
    br = lax.mul(am, bp)  # f32[2,64]  normalization.py:175
    bs = lax.reduce_sum(br, axes=(0,))  # f32[64]  normalization.py:175
    bt = lax.reshape(bs, (1, 64))  # f32[1,64]  normalization.py:175
    bu = lax.mul(bp, ap)  # f32[2,64]  normalization.py:175
    bv = lax.reduce_sum(bu, axes=(1,))  # f32[2]  normalization.py:175
    bw = lax.reshape(bv, (2, 1))  # f32[2,1]  normalization.py:175
    bx = lax.reshape(bt, (64,))  # f32[64]  normalization.py:174
    by = lax.mul(bw, ao)  # f32[2,1]  normalization.py:171
    bz = lax.neg(bq)  # f32[2,64]  normalization.py:170
    ca = lax.reduce_sum(bz, axes=(1,))  # f32[2]  normalization.py:170
    cb = lax.reshape(ca, (2, 1))  # f32[2,1]  normalization.py:170
    cc = lax.reshape(by, (2,))  # f32[2]  normalization.py:166
    cd = lax.reshape(cb, (2,))  # f32[2]  normalization.py:165
    ce = lax.mul(cc, ah)  # f32[2]  normalization.py:122
    cf = lax.neg(ce)  # f32[2]  normalization.py:122
    cg = lax.mul(cf, w)  # f32[2]  normalization.py:47
    ch = primitives.add_jaxvals_p.bind(cd, cg)  # f32[2]  normalization.py:47
    ci = lax.div(ce, np.float32(64.0))  # f32[2]  normalization.py:102
    cj = lax.broadcast_in_dim(ci, (2, 64), (0,))  # f32[2,64]  normalization.py:102
    ck = lax.div(ch, np.float32(64.0))  # f32[2]  normalization.py:102
    cl = lax.broadcast_in_dim(ck, (2, 64), (0,))  # f32[2,64]  normalization.py:102
    cm = primitives.add_jaxvals_p.bind(bq, cl)  # f32[2,64]  normalization.py:102
    cn = lax.mul(cj, q)  # f32[2,64]  normalization.py:47
    co = primitives.add_jaxvals_p.bind(cm, cn)  # f32[2,64]  normalization.py:47
    cp = lax.reshape(co, (2, 4, 4, 4))  # f32[2,4,4,4]  nnx_split_merge.py:12
    cq = lax.select_and_scatter_add_p.bind(  # f32[2,8,8,4]  pooling.py:73
        cp,
        l,
        padding=((0, 0),) * 4,
        select_prim=lax.ge_p,
        window_dimensions=(1, 2, 2, 1),
        window_strides=(1, 2, 2, 1),
    )
    cr = lax.broadcast_in_dim(np.float32(0.0), (2, 8, 8, 4), ())  # f32[2,8,8,4]  helpers.py:289
    cs = lax.select_n(m, cr, cq)  # f32[2,8,8,4]  helpers.py:289
    ct = lax.reduce_sum(cs, axes=(0, 1, 2))  # f32[4]  linear.py:904
    cu = lax.reshape(ct, (1, 1, 1, 4))  # f32[1,1,1,4]  linear.py:904
    cv = lax.reshape(cu, (4,))  # f32[4]  linear.py:903
    cw = lax.conv_general_dilated_p.bind(  # f32[3,3,1,4]  linear.py:889
        g,
        cs,
        batch_group_count=1,
        dimension_numbers=lax.ConvDimensionNumbers(
            lhs_spec=(3, 0, 1, 2), rhs_spec=(3, 0, 1, 2), out_spec=(2, 3, 0, 1)
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
    cx = lax.mul(np.float32(0.01), cv)  # f32[4]  nnx_split_merge.py:25
    cy = lax.sub(a, cx)  # f32[4]  nnx_split_merge.py:25
    cz = lax.mul(np.float32(0.01), cw)  # f32[3,3,1,4]  nnx_split_merge.py:25
    da = lax.sub(b, cz)  # f32[3,3,1,4]  nnx_split_merge.py:25
    db = lax.mul(np.float32(0.01), bo)  # f32[64]  nnx_split_merge.py:25
    dc = lax.sub(c, db)  # f32[64]  nnx_split_merge.py:25
    dd = lax.mul(np.float32(0.01), bx)  # f32[64]  nnx_split_merge.py:25
    de = lax.sub(d, dd)  # f32[64]  nnx_split_merge.py:25
    df = lax.mul(np.float32(0.01), bi)  # f32[3]  nnx_split_merge.py:25
    dg = lax.sub(e, df)  # f32[3]  nnx_split_merge.py:25
    dh = lax.mul(np.float32(0.01), bk)  # f32[64,3]  nnx_split_merge.py:25
    di = lax.sub(f, dh)  # f32[64,3]  nnx_split_merge.py:25
    # result[0]['layers'][0]['bias'].value, result[0]['layers'][0]['kernel'].value,
    # result[0]['layers'][4]['bias'].value, result[0]['layers'][4]['scale'].value,
    # result[0]['layers'][5]['bias'].value, result[0]['layers'][5]['kernel'].value, result[1]
    return cy, da, dc, de, dg, di, bc


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
