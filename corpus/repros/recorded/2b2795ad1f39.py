# /// jace-repro
# schema = 1
# name = "densities"
# origin = "scripts/libraries/numpyro_hmc_mixture.py:37 (densities)"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "2b2795ad1f395804b44a6164288139947f0c745cf6aca976cd60a60846a1baf8"
# outputs_sha256 = "dcacaf3f3f52bda35d88f01bdf2d53799513ac6a056174be43aaea96fd242236"
# sidecar_sha256 = "95bcecddeb535ac8849f808e9b02c04e2a10bdf8bf02887f1d765938c821a4cc"
# self_check = "exact"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""densities (numpyro_hmc_mixture.py:37): written by jace-repro, needs only jax and numpy."""

import hashlib
import io
import pathlib

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

f32 = np.dtype("float32")
i32 = np.dtype("int32")


def jit(name=None, **options):
    """jax.jit as a decorator, for a function whose name is not the one in the program."""

    def decorate(fun):
        fun.__name__ = fun.__qualname__ = name or fun.__name__
        return jax.jit(fun, **options)

    return decorate


SIDECAR_SHA256 = "95bcecddeb535ac8849f808e9b02c04e2a10bdf8bf02887f1d765938c821a4cc"


def read_sidecar():
    """The arrays in the .npz file beside this script."""
    path = pathlib.Path(__file__).with_suffix(".npz")
    data = path.read_bytes()
    if hashlib.sha256(data).hexdigest() != SIDECAR_SHA256:
        raise SystemExit(f"{path} is not the file that belongs to this script (sha256 differs)")
    return dict(np.load(io.BytesIO(data)))


ARRAYS = globals().get("ARRAYS") or read_sidecar()  # whoever executes this text may put them there


C0 = jnp.asarray(ARRAYS["c0"])


@jit("_where")
def where(a, b, c):
    d = lax.convert_element_type(c, f32)  # f32[]
    e = lax.broadcast_in_dim(d, (10,), ())  # f32[10]
    f = lax.select_n(a, e, b)  # f32[10]
    return f


@jit("_where")
def where_2(a, b, c):
    d = lax.convert_element_type(c, f32)  # f32[]
    e = lax.broadcast_in_dim(d, (2,), ())  # f32[2]
    f = lax.broadcast_in_dim(e, (10, 2), (1,))  # f32[10,2]
    g = lax.select_n(a, f, b)  # f32[10,2]
    return g


@jit("_where")
def where_3(a, b, c):
    d = lax.convert_element_type(c, f32)  # f32[]
    e = lax.broadcast_in_dim_p.bind(  # bool[20,2]
        a, broadcast_dimensions=(0, 1), shape=(20, 2), sharding=None
    )
    f = lax.broadcast_in_dim(d, (20, 2), ())  # f32[20,2]
    g = lax.broadcast_in_dim(e, (10, 20, 2), (1, 2))  # bool[10,20,2]
    h = lax.broadcast_in_dim(f, (10, 20, 2), (1, 2))  # f32[10,20,2]
    i = lax.select_n(g, h, b)  # f32[10,20,2]
    return i


@jax.jit
def log_softmax(a):
    b = lax.reduce_max(a, axes=(1,))  # f32[10]
    c = lax.max(np.float32(-np.inf), b)  # f32[10]
    d = lax.broadcast_in_dim(c, (10, 1), (0,))  # f32[10,1]
    e = lax.stop_gradient_p.bind(d)  # f32[10,1]
    f = lax.sub(a, e)  # f32[10,2]
    g = lax.exp(f)  # f32[10,2]
    h = lax.reduce_sum(g, axes=(1,))  # f32[10]
    i = lax.broadcast_in_dim(h, (10, 1), (0,))  # f32[10,1]
    j = lax.log(i)  # f32[10,1]
    k = lax.sub(f, j)  # f32[10,2]
    return k


@jit("_where")
def where_4(a, b, c):
    d = lax.convert_element_type(b, f32)  # f32[]
    e = lax.broadcast_in_dim(d, (20, 2), ())  # f32[20,2]
    f = lax.broadcast_in_dim(e, (10, 20, 2), (1, 2))  # f32[10,20,2]
    g = lax.select_n(a, c, f)  # f32[10,20,2]
    return g


@jit("_where")
def where_5(a, b, c):
    d = lax.convert_element_type(c, f32)  # f32[]
    e = lax.broadcast_in_dim(d, (20,), ())  # f32[20]
    f = lax.broadcast_in_dim(a, (10, 20), (1,))  # bool[10,20]
    g = lax.broadcast_in_dim(e, (10, 20), (1,))  # f32[10,20]
    h = lax.select_n(f, g, b)  # f32[10,20]
    return h


def inputs():
    return [
        ARRAYS["x0"],  # a = draws['locations']: f32[10,2]
        ARRAYS["x1"],  # b = draws['scales']: f32[10,2]
        ARRAYS["x2"],  # c = draws['weights']: f32[10,2]
    ]


def repro(a, b, c):
    d = lax.broadcast_in_dim(np.float32(1.0), (2,), ())  # f32[2]  numpyro_hmc_mixture.py:16
    e = lax.gt(d, np.float32(0.0))  # bool[2]  constraints.py:308
    _ = lax.reduce_and(e, axes=(0,))  # bool[]  constraints.py:404
    _ = lax.broadcasted_iota(i32, (2,), 0)  # i32[2]  primitives.py:529
    f = lax.eq(a, a)  # bool[10,2]  constraints.py:888
    g = lax.ne(a, np.float32(np.inf))  # bool[10,2]  constraints.py:888
    h = lax.bitwise_and(f, g)  # bool[10,2]  constraints.py:888
    i = lax.ne(a, np.float32(-np.inf))  # bool[10,2]  constraints.py:888
    _ = lax.bitwise_and(h, i)  # bool[10,2]  constraints.py:888
    _ = lax.gt(b, np.float32(0.0))  # bool[10,2]  constraints.py:308
    _ = lax.broadcasted_iota(i32, (20,), 0)  # i32[20]  primitives.py:529
    j = lax.reduce_sum(c, axes=(1,))  # f32[10]  constraints.py:898
    k = lax.ge(c, np.float32(0.0))  # bool[10,2]  constraints.py:899
    l = lax.reduce_and(k, axes=(1,))  # bool[10]  constraints.py:899
    m = lax.lt(j, np.float32(1.000001))  # bool[10]  constraints.py:899
    n = lax.bitwise_and(l, m)  # bool[10]  constraints.py:899
    o = lax.gt(j, np.float32(0.999999))  # bool[10]  constraints.py:899
    _ = lax.bitwise_and(n, o)  # bool[10]  constraints.py:899
    p = lax.lgamma(d)  # f32[2]  continuous.py:563
    q = lax.reduce_sum(p, axes=(0,))  # f32[]  continuous.py:563
    r = lax.reduce_sum(d, axes=(0,))  # f32[]  continuous.py:564
    s = lax.lgamma(r)  # f32[]  continuous.py:563
    t = lax.sub(q, s)  # f32[]  continuous.py:563
    u = lax.log(c)  # f32[10,2]  continuous.py:567
    v = lax.sub(d, np.float32(1.0))  # f32[2]  continuous.py:567
    w = lax.broadcast_in_dim(v, (1, 2), (1,))  # f32[1,2]  continuous.py:567
    x = lax.mul(u, w)  # f32[10,2]  continuous.py:567
    y = lax.reduce_sum(x, axes=(1,))  # f32[10]  continuous.py:567
    z = lax.sub(y, t)  # f32[10]  continuous.py:567
    aa = lax.reduce_sum(c, axes=(1,))  # f32[10]  constraints.py:898
    ab = lax.ge(c, np.float32(0.0))  # bool[10,2]  constraints.py:899
    ac = lax.reduce_and(ab, axes=(1,))  # bool[10]  constraints.py:899
    ad = lax.lt(aa, np.float32(1.000001))  # bool[10]  constraints.py:899
    ae = lax.bitwise_and(ac, ad)  # bool[10]  constraints.py:899
    af = lax.gt(aa, np.float32(0.999999))  # bool[10]  constraints.py:899
    ag = lax.bitwise_and(ae, af)  # bool[10]  constraints.py:899
    ah = where(ag, z, -np.inf)  # f32[10]  util.py:825
    ai = lax.reduce_sum_p.bind(ah, axes=(), out_sharding=None)  # f32[10]  util.py:106
    aj = lax.sqrt(6.283185307179586)  # f32[] weak  continuous.py:3554
    ak = lax.mul(aj, 5.0)  # f32[] weak  continuous.py:3554
    al = lax.log(ak)  # f32[] weak  continuous.py:3554
    am = lax.sub(a, np.float32(0.0))  # f32[10,2]  continuous.py:3555
    an = lax.div(am, np.float32(5.0))  # f32[10,2]  continuous.py:3555
    ao = lax.integer_pow(an, 2)  # f32[10,2]  continuous.py:3556
    ap = lax.mul(np.float32(-0.5), ao)  # f32[10,2]  continuous.py:3556
    aq = lax.convert_element_type(al, f32)  # f32[]  continuous.py:3556
    ar = lax.sub(ap, aq)  # f32[10,2]  continuous.py:3556
    at = lax.eq(a, a)  # bool[10,2]  constraints.py:888
    au = lax.ne(a, np.float32(np.inf))  # bool[10,2]  constraints.py:888
    av = lax.bitwise_and(at, au)  # bool[10,2]  constraints.py:888
    aw = lax.ne(a, np.float32(-np.inf))  # bool[10,2]  constraints.py:888
    ax = lax.bitwise_and(av, aw)  # bool[10,2]  constraints.py:888
    ay = where_2(ax, ar, -np.inf)  # f32[10,2]  util.py:825
    az = lax.reduce_sum(ay, axes=(1,))  # f32[10]  util.py:106
    ba = lax.log(b)  # f32[10,2]  transforms.py:797
    bb = lax.broadcast_in_dim(ba, (10, 2, 1), (0, 1))  # f32[10,2,1]  util.py:379
    bc = lax.reduce_sum(bb, axes=(2,))  # f32[10,2]  util.py:380
    bd = lax.sub(np.float32(0.0), bc)  # f32[10,2]  distribution.py:1303
    be = lax.sqrt(6.283185307179586)  # f32[] weak  continuous.py:3554
    bf = lax.mul(be, 1.0)  # f32[] weak  continuous.py:3554
    bg = lax.log(bf)  # f32[] weak  continuous.py:3554
    bh = lax.sub(ba, np.float32(0.0))  # f32[10,2]  continuous.py:3555
    bi = lax.div(bh, np.float32(1.0))  # f32[10,2]  continuous.py:3555
    bj = lax.integer_pow(bi, 2)  # f32[10,2]  continuous.py:3556
    bk = lax.mul(np.float32(-0.5), bj)  # f32[10,2]  continuous.py:3556
    bl = lax.convert_element_type(bg, f32)  # f32[]  continuous.py:3556
    bm = lax.sub(bk, bl)  # f32[10,2]  continuous.py:3556
    bn = lax.eq(ba, ba)  # bool[10,2]  constraints.py:888
    bo = lax.ne(ba, np.float32(np.inf))  # bool[10,2]  constraints.py:888
    bp = lax.bitwise_and(bn, bo)  # bool[10,2]  constraints.py:888
    bq = lax.ne(ba, np.float32(-np.inf))  # bool[10,2]  constraints.py:888
    br = lax.bitwise_and(bp, bq)  # bool[10,2]  constraints.py:888
    bs = where_2(br, bm, -np.inf)  # f32[10,2]  util.py:825
    bt = lax.broadcast_in_dim(bs, (10, 2, 1), (0, 1))  # f32[10,2,1]  util.py:379
    bu = lax.reduce_sum(bt, axes=(2,))  # f32[10,2]  util.py:380
    bv = lax.add(bd, bu)  # f32[10,2]  distribution.py:1307
    bw = lax.gt(b, np.float32(0.0))  # bool[10,2]  constraints.py:308
    bx = where_2(bw, bv, -np.inf)  # f32[10,2]  util.py:825
    by = lax.reduce_sum(bx, axes=(1,))  # f32[10]  util.py:106
    bz = lax.broadcast_in_dim(C0, (20, 1), (0,))  # f32[20,1]  mixtures.py:305
    ca = lax.sqrt(6.283185307179586)  # f32[] weak  continuous.py:3554
    cb = lax.convert_element_type(ca, f32)  # f32[]  continuous.py:3554
    cc = lax.mul(cb, b)  # f32[10,2]  continuous.py:3554
    cd = lax.log(cc)  # f32[10,2]  continuous.py:3554
    ce = lax.broadcast_in_dim(a, (10, 1, 2), (0, 2))  # f32[10,1,2]  continuous.py:3555
    cf = lax.broadcast_in_dim(bz, (1, 20, 1), (1, 2))  # f32[1,20,1]  continuous.py:3555
    cg = lax.sub(cf, ce)  # f32[10,20,2]  continuous.py:3555
    ch = lax.broadcast_in_dim(b, (10, 1, 2), (0, 2))  # f32[10,1,2]  continuous.py:3555
    ci = lax.div(cg, ch)  # f32[10,20,2]  continuous.py:3555
    cj = lax.integer_pow(ci, 2)  # f32[10,20,2]  continuous.py:3556
    ck = lax.mul(np.float32(-0.5), cj)  # f32[10,20,2]  continuous.py:3556
    cl = lax.broadcast_in_dim(cd, (10, 1, 2), (0, 2))  # f32[10,1,2]  continuous.py:3556
    cm = lax.sub(ck, cl)  # f32[10,20,2]  continuous.py:3556
    cn = lax.eq(bz, bz)  # bool[20,1]  constraints.py:888
    co = lax.ne(bz, np.float32(np.inf))  # bool[20,1]  constraints.py:888
    cp = lax.bitwise_and(cn, co)  # bool[20,1]  constraints.py:888
    cq = lax.ne(bz, np.float32(-np.inf))  # bool[20,1]  constraints.py:888
    cr = lax.bitwise_and(cp, cq)  # bool[20,1]  constraints.py:888
    cs = where_3(cr, cm, -np.inf)  # f32[10,20,2]  util.py:825
    ct = lax.gt(c, np.float32(0.0))  # bool[10,2]  discrete.py:73
    cu = where_2(ct, c, 1.0)  # f32[10,2]  discrete.py:73
    cv = lax.gt(c, np.float32(0.0))  # bool[10,2]  discrete.py:74
    cw = lax.log(cu)  # f32[10,2]  discrete.py:74
    cx = where_2(cv, cw, -np.inf)  # f32[10,2]  discrete.py:74
    cy = log_softmax(cx)  # f32[10,2]  mixtures.py:307
    cz = lax.broadcast_in_dim(cy, (10, 1, 2), (0, 2))  # f32[10,1,2]  mixtures.py:307
    da = lax.add(cz, cs)  # f32[10,20,2]  mixtures.py:307
    db = lax.eq(da, np.float32(-np.inf))  # bool[10,20,2]  mixtures.py:182
    dc = where_4(db, -np.inf, da)  # f32[10,20,2]  mixtures.py:181
    dd = lax.reduce_max(dc, axes=(2,))  # f32[10,20]  mixtures.py:184
    de = lax.max(np.float32(-np.inf), dd)  # f32[10,20]  mixtures.py:184
    df = lax.is_finite(de)  # bool[10,20]  mixtures.py:184
    dg = lax.broadcast_in_dim(np.float32(0.0), (20,), ())  # f32[20]  mixtures.py:184
    dh = lax.broadcast_in_dim(dg, (10, 20), (1,))  # f32[10,20]  mixtures.py:184
    di = lax.select_n(df, dh, de)  # f32[10,20]  mixtures.py:184
    dj = lax.stop_gradient_p.bind(di)  # f32[10,20]  mixtures.py:184
    dk = lax.broadcast_in_dim(dj, (10, 20, 1), (0, 1))  # f32[10,20,1]  mixtures.py:184
    dl = lax.sub(dc, dk)  # f32[10,20,2]  mixtures.py:184
    dm = lax.exp(dl)  # f32[10,20,2]  mixtures.py:184
    dn = lax.reduce_sum(dm, axes=(2,))  # f32[10,20]  mixtures.py:184
    _ = lax.sign(dn)  # f32[10,20]  mixtures.py:184
    do = lax.abs(dn)  # f32[10,20]  mixtures.py:184
    dp = lax.log(do)  # f32[10,20]  mixtures.py:184
    dq = lax.add(dp, dj)  # f32[10,20]  mixtures.py:184
    dr = lax.eq(C0, C0)  # bool[20]  constraints.py:888
    ds = lax.ne(C0, np.float32(np.inf))  # bool[20]  constraints.py:888
    dt = lax.bitwise_and(dr, ds)  # bool[20]  constraints.py:888
    du = lax.ne(C0, np.float32(-np.inf))  # bool[20]  constraints.py:888
    dv = lax.bitwise_and(dt, du)  # bool[20]  constraints.py:888
    dw = where_5(dv, dq, -np.inf)  # f32[10,20]  util.py:825
    dx = lax.reduce_sum(dw, axes=(1,))  # f32[10]  util.py:106
    dy = lax.add(np.float32(0.0), ai)  # f32[10]  util.py:125
    dz = lax.add(dy, az)  # f32[10]  util.py:125
    ea = lax.add(dz, by)  # f32[10]  util.py:125
    eb = lax.add(ea, dx)  # f32[10]  util.py:125
    return eb


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
