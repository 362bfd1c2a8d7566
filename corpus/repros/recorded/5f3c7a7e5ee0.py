# /// jace-repro
# schema = 1
# name = "step"
# origin = "_jit.py:43 (step)"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "5f3c7a7e5ee04d5b85701e9102fee0dc5c0a9eb31596d1b48d71c5891e12b08a"
# outputs_sha256 = "c7a1d751311a374f7900c818fc321338198b5bbf85cd007c2fe9ca1078a547df"
# sidecar_sha256 = "c2a808bf7bd46cf81ae81ae151f1c9524814bcd1012111e9fe136541001034e1"
# self_check = "exact"
#
# [static]
# static = "(((<function step>,), PyTreeDef(*)), ((None, None, None, None, 'batch', False, -inf, <function max>, 0.3, False, None, None), PyTreeDef(CustomNode(CNN[(Missing,)], [CustomNode(Conv2d[(Missing, 2, 1, 3..."
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


def jit(name=None, **options):
    """jax.jit as a decorator, for a function whose name is not the one in the program."""

    def decorate(fun):
        fun.__name__ = fun.__qualname__ = name or fun.__name__
        return jax.jit(fun, **options)

    return decorate


def weak(value, dtype):
    """A value of a weak type that no Python scalar has by itself."""
    return lax.convert_element_type_p.bind(value, new_dtype=dtype, weak_type=True, sharding=None)


SIDECAR_SHA256 = "c2a808bf7bd46cf81ae81ae151f1c9524814bcd1012111e9fe136541001034e1"


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
    d = lax.convert_element_type(b, f32)  # f32[]
    e = lax.convert_element_type(c, f32)  # f32[]
    f = lax.broadcast_in_dim(d, (1,), ())  # f32[1]
    g = lax.broadcast_in_dim(e, (1,), ())  # f32[1]
    h = primitives.random_bits_p.bind(a, bit_width=32, shape=(48,))  # u32[4,48]
    i = lax.shift_right_logical(h, np.uint32(9))  # u32[4,48]
    j = lax.bitwise_or(i, np.uint32(1065353216))  # u32[4,48]
    k = lax.bitcast_convert_type_p.bind(j, new_dtype=f32)  # f32[4,48]
    l = lax.sub(k, np.float32(1.0))  # f32[4,48]
    m = lax.sub(g, f)  # f32[1]
    n = lax.broadcast_in_dim(m, (1, 1), (1,))  # f32[1,1]
    o = lax.mul(l, n)  # f32[4,48]
    p = lax.broadcast_in_dim(f, (1, 1), (1,))  # f32[1,1]
    q = lax.add(o, p)  # f32[4,48]
    r = lax.broadcast_in_dim(f, (1, 1), (1,))  # f32[1,1]
    s = lax.max(r, q)  # f32[4,48]
    return s


@jit("_bernoulli")
def bernoulli(a, b):
    c = uniform(a, 0.0, 1.0)  # f32[4,48]
    d = lax.lt(c, b)  # bool[4,48]
    return d


@jit("_where")
def where(a, b, c):
    d = lax.convert_element_type(c, f32)  # f32[]
    e = lax.broadcast_in_dim(d, (48,), ())  # f32[48]
    f = lax.broadcast_in_dim(e, (4, 48), (1,))  # f32[4,48]
    g = lax.select_n(a, f, b)  # f32[4,48]
    h = lax.broadcast_in_dim(np.float32(0.0), (4, 48), ())  # f32[4,48]
    return g, h


@jit("_where")
def where_2(a, b, c):
    d = lax.broadcast_in_dim(np.float32(0.0), (4, 48), ())  # f32[4,48]
    e = lax.select_n(a, d, c)  # f32[4,48]
    return e


def inputs():
    return [
        ARRAYS["x0"],  # a = dynamic_nodonate['first'][0]: f32[3,1,3,3]
        # b = dynamic_nodonate['first'][1]: f32[3,1,1]
        np.array([[[-0.26380643]], [[-0.10400828]], [[-0.24595515]]], np.float32),
        np.array([1.0, 1.0, 1.0], np.float32),  # c = dynamic_nodonate['first'][2]: f32[3]
        np.array([0.0, 0.0, 0.0], np.float32),  # d = dynamic_nodonate['first'][3]: f32[3]
        ARRAYS["x4"],  # e = dynamic_nodonate['first'][10]: f32[2,48]
        np.array([-0.11811549, -0.039777122], np.float32),  # f = dynamic_nodonate['first'][11]: f32[2]
        0,  # g = dynamic_nodonate['rest'][0]: i32[] weak
        np.array([0.0, 0.0, 0.0], np.float32),  # h = dynamic_nodonate['rest'][1]: f32[3]
        np.array([1.0, 1.0, 1.0], np.float32),  # i = dynamic_nodonate['rest'][2]: f32[3]
        ARRAYS["x9"],  # j = dynamic_nodonate['rest'][3]: f32[4,1,8,8]
        # k = dynamic_nodonate['rest'][4]: f32[4,2]
        np.array(
            [
                [1.8594736, 0.8521408],
                [-0.7618005, -0.7660172],
                [-0.057196856, -1.4420539],
                [0.43582717, -1.2942388],
            ],
            np.float32,
        ),
        # l = dynamic_nodonate['rest'][5]: key<fry>[]
        jax.random.wrap_key_data(np.array([0, 0], np.uint32), impl="threefry2x32"),
    ]


def repro(a, b, c, d, e, f, g, h, i, j, k, l):
    # static: static = (((<function step>,), PyTreeDef(*)), ((None, None, None, None, 'batch', False, -inf, <function max>, 0.3, False, None, None), PyTreeDef(CustomNode(CNN[(Missing,)], [CustomNode(Conv2d[(Missing, 2, 1, 3...
    m = primitives.random_split_p.bind(l, shape=(4,))  # key<fry>[4]  equinox_cnn_stateful.py:34
    n = lax.broadcast_in_dim(j, (4, 1, 1, 8, 8), (0, 2, 3, 4))  # f32[4,1,1,8,8]  _conv.py:238
    o = lax.reshape(n, (4, 1, 8, 8))  # f32[4,1,8,8]  _conv.py:239
    p = lax.conv_general_dilated_p.bind(  # f32[4,3,8,8]  _conv.py:239
        o,
        a,
        batch_group_count=1,
        dimension_numbers=lax.ConvDimensionNumbers(
            lhs_spec=(0, 1, 2, 3), rhs_spec=(0, 1, 2, 3), out_spec=(0, 1, 2, 3)
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
    q = lax.reshape(p, (4, 1, 3, 8, 8))  # f32[4,1,3,8,8]  _conv.py:239
    r = lax.squeeze(q, (1,))  # f32[4,3,8,8]  _conv.py:247
    s = lax.broadcast_in_dim(b, (1, 3, 1, 1), (1, 2, 3))  # f32[1,3,1,1]  _conv.py:250
    t = lax.add(r, s)  # f32[4,3,8,8]  _conv.py:250
    u = lax.reduce_sum(t, axes=(2, 3))  # f32[4,3]  _batch_norm.py:211
    v = lax.div(u, np.float32(64.0))  # f32[4,3]  _batch_norm.py:211
    w = lax.psum_p.bind(v, axes=(0,), axis_index_groups=None)  # f32[3]  _batch_norm.py:212
    x = lax.div(w, np.float32(4.0))  # f32[3]  _batch_norm.py:212
    y = lax.broadcast_in_dim(x, (3, 1, 1), (0,))  # f32[3,1,1]  _batch_norm.py:213
    z = lax.broadcast_in_dim(y, (1, 3, 1, 1), (1, 2, 3))  # f32[1,3,1,1]  _batch_norm.py:213
    aa = lax.sub(t, z)  # f32[4,3,8,8]  _batch_norm.py:213
    ab = lax.broadcast_in_dim(x, (3, 1, 1), (0,))  # f32[3,1,1]  _batch_norm.py:213
    ac = lax.broadcast_in_dim(ab, (1, 3, 1, 1), (1, 2, 3))  # f32[1,3,1,1]  _batch_norm.py:213
    ad = lax.sub(t, ac)  # f32[4,3,8,8]  _batch_norm.py:213
    ae = lax.mul(aa, ad)  # f32[4,3,8,8]  _batch_norm.py:213
    af = lax.reduce_sum(ae, axes=(2, 3))  # f32[4,3]  _batch_norm.py:213
    ag = lax.div(af, np.float32(64.0))  # f32[4,3]  _batch_norm.py:213
    ah = lax.psum_p.bind(ag, axes=(0,), axis_index_groups=None)  # f32[3]  _batch_norm.py:214
    ai = lax.div(ah, np.float32(4.0))  # f32[3]  _batch_norm.py:214
    aj = lax.max(np.float32(0.0), ai)  # f32[3]  _batch_norm.py:215
    ak = lax.eq(ai, aj)  # bool[3]  _batch_norm.py:215
    al = lax.broadcast_in_dim(np.float32(1.0), (3,), ())  # f32[3]  _batch_norm.py:215
    am = lax.broadcast_in_dim(np.float32(0.0), (3,), ())  # f32[3]  _batch_norm.py:215
    an = lax.select_n(ak, am, al)  # f32[3]  _batch_norm.py:215
    ao = lax.eq(np.float32(0.0), aj)  # bool[3]  _batch_norm.py:215
    ap = lax.broadcast_in_dim(np.float32(2.0), (3,), ())  # f32[3]  _batch_norm.py:215
    aq = lax.broadcast_in_dim(np.float32(1.0), (3,), ())  # f32[3]  _batch_norm.py:215
    ar = lax.select_n(ao, aq, ap)  # f32[3]  _batch_norm.py:215
    at = lax.div(an, ar)  # f32[3]  _batch_norm.py:215
    au = lax.add(g, 1)  # i32[] weak  _batch_norm.py:254
    av = lax.mul(h, np.float32(0.99))  # f32[3]  _batch_norm.py:255
    aw = lax.mul(x, np.float32(0.01))  # f32[3]  _batch_norm.py:255
    ax = lax.add(av, aw)  # f32[3]  _batch_norm.py:255
    ay = lax.mul(i, np.float32(0.99))  # f32[3]  _batch_norm.py:258
    az = lax.mul(aj, np.float32(0.01))  # f32[3]  _batch_norm.py:258
    ba = lax.add(ay, az)  # f32[3]  _batch_norm.py:258
    bb = lax.broadcast_in_dim(x, (3, 1, 1), (0,))  # f32[3,1,1]  _batch_norm.py:219
    bc = lax.broadcast_in_dim(bb, (1, 3, 1, 1), (1, 2, 3))  # f32[1,3,1,1]  _batch_norm.py:219
    bd = lax.sub(t, bc)  # f32[4,3,8,8]  _batch_norm.py:219
    be = lax.add(aj, np.float32(1e-05))  # f32[3]  _batch_norm.py:219
    bf = lax.sqrt(be)  # f32[3]  _batch_norm.py:219
    bg = lax.div(np.float32(0.5), bf)  # f32[3]  _batch_norm.py:219
    bh = lax.broadcast_in_dim(bf, (3, 1, 1), (0,))  # f32[3,1,1]  _batch_norm.py:219
    bi = lax.broadcast_in_dim(bh, (1, 3, 1, 1), (1, 2, 3))  # f32[1,3,1,1]  _batch_norm.py:219
    bj = lax.div(bd, bi)  # f32[4,3,8,8]  _batch_norm.py:219
    bk = lax.integer_pow(bi, -2)  # f32[1,3,1,1]  _batch_norm.py:219
    bl = lax.broadcast_in_dim(c, (3, 1, 1), (0,))  # f32[3,1,1]  _batch_norm.py:221
    bm = lax.broadcast_in_dim(bl, (1, 3, 1, 1), (1, 2, 3))  # f32[1,3,1,1]  _batch_norm.py:221
    bn = lax.mul(bj, bm)  # f32[4,3,8,8]  _batch_norm.py:221
    bo = lax.broadcast_in_dim(d, (3, 1, 1), (0,))  # f32[3,1,1]  _batch_norm.py:221
    bp = lax.broadcast_in_dim(bo, (1, 3, 1, 1), (1, 2, 3))  # f32[1,3,1,1]  _batch_norm.py:221
    bq = lax.add(bn, bp)  # f32[4,3,8,8]  _batch_norm.py:221
    br = jax.nn.relu(bq)  # f32[4,3,8,8]  equinox_cnn_stateful.py:26
    bs = lax.gt(bq, np.float32(0.0))  # bool[4,3,8,8]  equinox_cnn_stateful.py:26
    bt = lax.broadcast_in_dim(np.float32(0.0), (3, 8, 8), ())  # f32[3,8,8]  equinox_cnn_stateful.py:26
    _ = lax.broadcast_in_dim(bt, (4, 3, 8, 8), (1, 2, 3))  # f32[4,3,8,8]  equinox_cnn_stateful.py:26
    bu = lax.transpose(br, (0, 2, 3, 1))  # f32[4,8,8,3]  _pool.py:141
    bv = lax.broadcast_in_dim(bu, (4, 1, 8, 8, 3), (0, 2, 3, 4))  # f32[4,1,8,8,3]  _pool.py:142
    bw = lax.reduce_window_max_p.bind(  # f32[4,1,4,4,3]  _pool.py:143
        bv,
        base_dilation=(1,) * 5,
        padding=((0, 0),) * 5,
        window_dilation=(1,) * 5,
        window_dimensions=(1, 1, 2, 2, 1),
        window_strides=(1, 1, 2, 2, 1),
    )
    bx = lax.squeeze(bw, (1,))  # f32[4,4,4,3]  _pool.py:152
    by = lax.transpose(bx, (0, 3, 1, 2))  # f32[4,3,4,4]  _pool.py:153
    bz = lax.reshape(by, (4, 48))  # f32[4,48]  equinox_cnn_stateful.py:26
    ca = lax.stop_gradient_p.bind(0.3)  # f32[] weak  _dropout.py:94
    cb = lax.sub(weak(1.0, f32), ca)  # f32[] weak  _dropout.py:94
    cc = lax.convert_element_type(cb, f32)  # f32[]  _dropout.py:95
    cd = bernoulli(m, cc)  # bool[4,48]  _dropout.py:95
    ce = lax.convert_element_type(cb, f32)  # f32[]  _dropout.py:96
    cf = lax.div(bz, ce)  # f32[4,48]  _dropout.py:96
    cg, ch = where(cd, cf, 0)  # f32[4,48], f32[4,48]  _dropout.py:96
    ci = lax.dot_general(  # f32[2,4]  _linear.py:97
        e, cg, (((1,), (1,)), ((), ())), preferred_element_type=f32
    )
    cj = lax.transpose(ci, (1, 0))  # f32[4,2]  _linear.py:99
    ck = lax.broadcast_in_dim(f, (1, 2), (1,))  # f32[1,2]  _linear.py:99
    cl = lax.add(cj, ck)  # f32[4,2]  _linear.py:99
    cm = lax.sub(cl, k)  # f32[4,2]  equinox_cnn_stateful.py:37
    cn = lax.integer_pow(cm, 2)  # f32[4,2]  equinox_cnn_stateful.py:37
    co = lax.mul(np.float32(2.0), cm)  # f32[4,2]  equinox_cnn_stateful.py:37
    cp = lax.reduce_sum(cn, axes=(0, 1))  # f32[]  equinox_cnn_stateful.py:37
    cq = lax.div(cp, np.float32(8.0))  # f32[]  equinox_cnn_stateful.py:37
    cr = lax.div(np.float32(1.0), np.float32(8.0))  # f32[]  equinox_cnn_stateful.py:37
    cs = lax.broadcast_in_dim(cr, (4, 2), ())  # f32[4,2]  equinox_cnn_stateful.py:37
    ct = lax.mul(cs, co)  # f32[4,2]  equinox_cnn_stateful.py:37
    cu = lax.reduce_sum(ct, axes=(0,))  # f32[2]  _linear.py:99
    cv = lax.reshape(cu, (1, 2))  # f32[1,2]  _linear.py:99
    cw = lax.reduce_sum(cv, axes=(0,))  # f32[2]  _linear.py:99
    cx = lax.transpose(ct, (1, 0))  # f32[2,4]  _linear.py:99
    cy = lax.dot_general(  # f32[4,48]  _linear.py:97
        cx, e, (((0,), (0,)), ((), ())), preferred_element_type=f32
    )
    cz = lax.dot_general(  # f32[2,48]  _linear.py:97
        cx, cg, (((1,), (0,)), ((), ())), preferred_element_type=f32
    )
    da = where_2(cd, ch, cy)  # f32[4,48]  _dropout.py:96
    db = lax.div(da, ce)  # f32[4,48]  _dropout.py:96
    dc = lax.reshape(db, (4, 3, 4, 4))  # f32[4,3,4,4]  equinox_cnn_stateful.py:26
    dd = lax.transpose(dc, (0, 2, 3, 1))  # f32[4,4,4,3]  _pool.py:153
    de = lax.broadcast_in_dim(dd, (4, 1, 4, 4, 3), (0, 2, 3, 4))  # f32[4,1,4,4,3]  _pool.py:152
    df = lax.select_and_scatter_add_p.bind(  # f32[4,1,8,8,3]  _pool.py:143
        de,
        bv,
        padding=((0, 0),) * 5,
        select_prim=lax.ge_p,
        window_dimensions=(1, 1, 2, 2, 1),
        window_strides=(1, 1, 2, 2, 1),
    )
    dg = lax.reduce_sum(df, axes=(1,))  # f32[4,8,8,3]  _pool.py:142
    dh = lax.transpose(dg, (0, 3, 1, 2))  # f32[4,3,8,8]  _pool.py:141
    di = lax.broadcast_in_dim(np.float32(0.0), (4, 3, 8, 8), ())  # f32[4,3,8,8]  equinox_cnn_stateful.py:26
    dj = lax.select_n(bs, di, dh)  # f32[4,3,8,8]  equinox_cnn_stateful.py:26
    dk = lax.reduce_sum(dj, axes=(0, 2, 3))  # f32[3]  _batch_norm.py:221
    dl = lax.reshape(dk, (1, 3, 1, 1))  # f32[1,3,1,1]  _batch_norm.py:221
    dm = lax.reduce_sum(dl, axes=(0, 2, 3))  # f32[3]  _batch_norm.py:221
    dn = lax.broadcast_in_dim(dm, (3, 1, 1), (0,))  # f32[3,1,1]  _batch_norm.py:221
    do = lax.reduce_sum(dn, axes=(1, 2))  # f32[3]  _batch_norm.py:221
    dp = lax.mul(bj, dj)  # f32[4,3,8,8]  _batch_norm.py:221
    dq = lax.reduce_sum(dp, axes=(0, 2, 3))  # f32[3]  _batch_norm.py:221
    dr = lax.reshape(dq, (1, 3, 1, 1))  # f32[1,3,1,1]  _batch_norm.py:221
    ds = lax.mul(dj, bm)  # f32[4,3,8,8]  _batch_norm.py:221
    dt = lax.reduce_sum(dr, axes=(0, 2, 3))  # f32[3]  _batch_norm.py:221
    du = lax.broadcast_in_dim(dt, (3, 1, 1), (0,))  # f32[3,1,1]  _batch_norm.py:221
    dv = lax.reduce_sum(du, axes=(1, 2))  # f32[3]  _batch_norm.py:221
    dw = lax.mul(ds, bk)  # f32[4,3,8,8]  _batch_norm.py:219
    dx = lax.mul(dw, bd)  # f32[4,3,8,8]  _batch_norm.py:219
    dy = lax.reduce_sum(dx, axes=(0, 2, 3))  # f32[3]  _batch_norm.py:219
    dz = lax.reshape(dy, (1, 3, 1, 1))  # f32[1,3,1,1]  _batch_norm.py:219
    ea = lax.neg(dz)  # f32[1,3,1,1]  _batch_norm.py:219
    eb = lax.div(ds, bi)  # f32[4,3,8,8]  _batch_norm.py:219
    ec = lax.reduce_sum(ea, axes=(0, 2, 3))  # f32[3]  _batch_norm.py:219
    ed = lax.broadcast_in_dim(ec, (3, 1, 1), (0,))  # f32[3,1,1]  _batch_norm.py:219
    ee = lax.reduce_sum(ed, axes=(1, 2))  # f32[3]  _batch_norm.py:219
    ef = lax.mul(ee, bg)  # f32[3]  _batch_norm.py:219
    eg = lax.neg(eb)  # f32[4,3,8,8]  _batch_norm.py:219
    eh = lax.reduce_sum(eg, axes=(0, 2, 3))  # f32[3]  _batch_norm.py:219
    ei = lax.reshape(eh, (1, 3, 1, 1))  # f32[1,3,1,1]  _batch_norm.py:219
    ej = lax.reduce_sum(ei, axes=(0, 2, 3))  # f32[3]  _batch_norm.py:219
    ek = lax.broadcast_in_dim(ej, (3, 1, 1), (0,))  # f32[3,1,1]  _batch_norm.py:219
    el = lax.reduce_sum(ek, axes=(1, 2))  # f32[3]  _batch_norm.py:219
    em = lax.mul(ef, at)  # f32[3]  _batch_norm.py:215
    en = lax.div(em, np.float32(4.0))  # f32[3]  _batch_norm.py:214
    eo = lax.broadcast_in_dim(en, (4, 3), (1,))  # f32[4,3]  _batch_norm.py:214
    ep = lax.psum_p.bind(eo, axes=(), axis_index_groups=None)  # f32[4,3]  _batch_norm.py:214
    eq = lax.div(ep, np.float32(64.0))  # f32[4,3]  _batch_norm.py:213
    er = lax.broadcast_in_dim(eq, (4, 3, 8, 8), (0, 1))  # f32[4,3,8,8]  _batch_norm.py:213
    es = lax.mul(aa, er)  # f32[4,3,8,8]  _batch_norm.py:213
    et = lax.mul(er, ad)  # f32[4,3,8,8]  _batch_norm.py:213
    eu = lax.neg(es)  # f32[4,3,8,8]  _batch_norm.py:213
    ev = lax.reduce_sum(eu, axes=(0, 2, 3))  # f32[3]  _batch_norm.py:213
    ew = lax.reshape(ev, (1, 3, 1, 1))  # f32[1,3,1,1]  _batch_norm.py:213
    ex = primitives.add_jaxvals_p.bind(eb, es)  # f32[4,3,8,8]  _batch_norm.py:213
    ey = lax.reduce_sum(ew, axes=(0, 2, 3))  # f32[3]  _batch_norm.py:213
    ez = lax.broadcast_in_dim(ey, (3, 1, 1), (0,))  # f32[3,1,1]  _batch_norm.py:213
    fa = lax.reduce_sum(ez, axes=(1, 2))  # f32[3]  _batch_norm.py:213
    fb = primitives.add_jaxvals_p.bind(el, fa)  # f32[3]  _batch_norm.py:213
    fc = lax.neg(et)  # f32[4,3,8,8]  _batch_norm.py:213
    fd = lax.reduce_sum(fc, axes=(0, 2, 3))  # f32[3]  _batch_norm.py:213
    fe = lax.reshape(fd, (1, 3, 1, 1))  # f32[1,3,1,1]  _batch_norm.py:213
    ff = primitives.add_jaxvals_p.bind(ex, et)  # f32[4,3,8,8]  _batch_norm.py:213
    fg = lax.reduce_sum(fe, axes=(0, 2, 3))  # f32[3]  _batch_norm.py:213
    fh = lax.broadcast_in_dim(fg, (3, 1, 1), (0,))  # f32[3,1,1]  _batch_norm.py:213
    fi = lax.reduce_sum(fh, axes=(1, 2))  # f32[3]  _batch_norm.py:213
    fj = primitives.add_jaxvals_p.bind(fb, fi)  # f32[3]  _batch_norm.py:213
    fk = lax.div(fj, np.float32(4.0))  # f32[3]  _batch_norm.py:212
    fl = lax.broadcast_in_dim(fk, (4, 3), (1,))  # f32[4,3]  _batch_norm.py:212
    fm = lax.psum_p.bind(fl, axes=(), axis_index_groups=None)  # f32[4,3]  _batch_norm.py:212
    fn = lax.div(fm, np.float32(64.0))  # f32[4,3]  _batch_norm.py:211
    fo = lax.broadcast_in_dim(fn, (4, 3, 8, 8), (0, 1))  # f32[4,3,8,8]  _batch_norm.py:211
    fp = primitives.add_jaxvals_p.bind(ff, fo)  # f32[4,3,8,8]  _batch_norm.py:211
    fq = lax.reduce_sum(fp, axes=(0, 2, 3))  # f32[3]  _conv.py:250
    fr = lax.reshape(fq, (1, 3, 1, 1))  # f32[1,3,1,1]  _conv.py:250
    fs = lax.reduce_sum(fr, axes=(0, 2, 3))  # f32[3]  _conv.py:250
    ft = lax.broadcast_in_dim(fs, (3, 1, 1), (0,))  # f32[3,1,1]  _conv.py:250
    fu = lax.broadcast_in_dim(fp, (4, 1, 3, 8, 8), (0, 2, 3, 4))  # f32[4,1,3,8,8]  _conv.py:247
    fv = lax.reshape(fu, (4, 3, 8, 8))  # f32[4,3,8,8]  _conv.py:239
    fw = lax.conv_general_dilated_p.bind(  # f32[3,1,3,3]  _conv.py:239
        o,
        fv,
        batch_group_count=1,
        dimension_numbers=lax.ConvDimensionNumbers(
            lhs_spec=(1, 0, 2, 3), rhs_spec=(1, 0, 2, 3), out_spec=(1, 0, 2, 3)
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
    fx = lax.mul(np.float32(-0.1), fw)  # f32[3,1,3,3]  equinox_cnn_stateful.py:40
    fy = lax.mul(np.float32(-0.1), ft)  # f32[3,1,1]  equinox_cnn_stateful.py:40
    fz = lax.mul(np.float32(-0.1), dv)  # f32[3]  equinox_cnn_stateful.py:40
    ga = lax.mul(np.float32(-0.1), do)  # f32[3]  equinox_cnn_stateful.py:40
    gb = lax.mul(np.float32(-0.1), cz)  # f32[2,48]  equinox_cnn_stateful.py:40
    gc = lax.mul(np.float32(-0.1), cw)  # f32[2]  equinox_cnn_stateful.py:40
    gd = lax.add(a, fx)  # f32[3,1,3,3]  _update.py:9
    ge = lax.add(b, fy)  # f32[3,1,1]  _update.py:9
    gf = lax.add(c, fz)  # f32[3]  _update.py:9
    gg = lax.add(d, ga)  # f32[3]  _update.py:9
    gh = lax.add(e, gb)  # f32[2,48]  _update.py:9
    gi = lax.add(f, gc)  # f32[2]  _update.py:9
    # result[0], result[1][0].conv.weight, result[1][0].conv.bias, result[1][0].norm.weight, result[1][0].norm.bias,
    # result[1][0].head.weight, result[1][0].head.bias, result[1][1][0], result[1][1][1][0], result[1][1][1][1],
    # result[1][2]
    return 0, gd, ge, gf, gg, gh, gi, au, ax, ba, cq


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
