# /// jace-repro
# schema = 1
# name = "trajectory"
# origin = "scripts/libraries/jaxscipy_optimize_sparse.py:30 (trajectory)"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "53963b9c7331439cc300bb3a2289efddd49b339149ef4a377216e63a3ba50850"
# outputs_sha256 = "62d9dde02f95e9d12758fe1a68fe0b09a893bc6c73bfa08185fd6a2f2128f614"
# sidecar_sha256 = "871afc34f7615cc8dd5fbba4beab29e396b8401705bf574e58cd6d2c37816853"
# self_check = "exact"
# notes = [
#     "the derivative rule of _odeint is not in the script: the forward rule cannot be traced: CustomVJPException: Detected differentiation of a custom_vjp function with respect to a closed-over value. That isn't supported because the custom VJP rule only specifies how to differentiate the custom_vjp function with respect to explicit input parameters. Try passing the closed-over value into the custom_vjp function as an argument, and adapting the custom_vjp fwd and bwd rules.",
# ]
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""trajectory (jaxscipy_optimize_sparse.py:30): written by jace-repro, needs only jax and numpy."""

import functools
import hashlib
import io
import pathlib

import jax
import numpy as np
from jax import lax

S = jax.ShapeDtypeStruct
bool_ = np.dtype("bool")
f32 = np.dtype("float32")
i32 = np.dtype("int32")


def J(fun, *avals):
    """The jaxpr of fun on operands of these types: the body of a control flow equation."""
    return jax.make_jaxpr(fun)(*avals)


def jit(name=None, **options):
    """jax.jit as a decorator, for a function whose name is not the one in the program."""

    def decorate(fun):
        fun.__name__ = fun.__qualname__ = name or fun.__name__
        return jax.jit(fun, **options)

    return decorate


def no_rule(*args):
    raise NotImplementedError("this script lacks the derivative rule; see the notes in its header")


SIDECAR_SHA256 = "871afc34f7615cc8dd5fbba4beab29e396b8401705bf574e58cd6d2c37816853"


def read_sidecar():
    """The arrays in the .npz file beside this script."""
    path = pathlib.Path(__file__).with_suffix(".npz")
    data = path.read_bytes()
    if hashlib.sha256(data).hexdigest() != SIDECAR_SHA256:
        raise SystemExit(f"{path} is not the file that belongs to this script (sha256 differs)")
    return dict(np.load(io.BytesIO(data)))


ARRAYS = globals().get("ARRAYS") or read_sidecar()  # whoever executes this text may put them there


C0 = np.array([1.0, 0.0], np.float32)
C1 = np.array([0.2, 0.3, 0.8, 0.8888889, 1.0, 1.0, 0.0], np.float32)
C2 = ARRAYS["c2"]
C3 = np.array([0.091145836, 0.0, 0.4492363, 0.6510417, -0.3223762, 0.13095239, 0.0], np.float32)
C4 = np.array(
    [0.0008217593, 0.0, -0.0028351801, 0.024652777, -0.033909198, 0.027936507, -0.016666668], np.float32
)
C5 = np.array([0.10013432, 0.0, 0.39183217, -0.029824601, 0.058932684, -0.044978887, 0.023904309], np.float32)


@jit("_linspace")
def linspace(a, b):
    c = lax.convert_element_type(a, f32)  # f32[]
    d = lax.convert_element_type(b, f32)  # f32[]
    e = lax.broadcasted_iota(f32, (4,), 0)  # f32[4]
    f = lax.div(e, np.float32(4.0))  # f32[4]
    g = lax.reshape(c, (1,))  # f32[1]
    h = lax.sub(np.float32(1.0), f)  # f32[4]
    i = lax.mul(g, h)  # f32[4]
    j = lax.reshape(d, (1,))  # f32[1]
    k = lax.mul(j, f)  # f32[4]
    l = lax.add(i, k)  # f32[4]
    m = lax.broadcast_in_dim(d, (1,), ())  # f32[1]
    n = lax.concatenate([l, m], 0)  # f32[5]
    return n


@jax.jit
def norm(a):
    b = lax.mul(a, a)  # f32[2]
    c = lax.reduce_sum(b, axes=(0,))  # f32[]
    d = lax.sqrt(c)  # f32[]
    return d


@jit("_where")
def where(a, b, c):
    d = lax.convert_element_type(b, f32)  # f32[]
    e = lax.select_n(a, c, d)  # f32[]
    return e


@jit("_where")
def where_2(a, b, c):
    d = lax.select_n(a, c, b)  # f32[]
    return d


@jax.jit
def clip(a, b, c):
    d = lax.convert_element_type(c, f32)  # f32[]
    e = lax.max(d, a)  # f32[]
    f = lax.convert_element_type(b, f32)  # f32[]
    g = lax.min(f, e)  # f32[]
    return g


def body(a, b, c, d, e, f, carry, rows):
    g, h = carry
    i = lax.add(g, 1)  # i32[] weak
    j = lax.sub(g, 1)  # i32[] weak
    k = lax.lt(j, 0)  # bool[] weak
    l = lax.convert_element_type(j, i32)  # i32[]
    m = lax.add(l, np.int32(7))  # i32[]
    n = lax.select_n(k, j, m)  # i32[]
    o = lax.dynamic_slice_p.bind(a, n, slice_sizes=(1,))  # f32[1]
    p = lax.squeeze(o, (0,))  # f32[]
    q = lax.mul(b, p)  # f32[]
    _ = lax.add(c, q)  # f32[]
    r = lax.sub(g, 1)  # i32[] weak
    s = lax.convert_element_type(r, i32)  # i32[]
    t = lax.lt(s, np.int32(0))  # bool[]
    u = lax.add(s, np.int32(6))  # i32[]
    v = lax.select_n(t, s, u)  # i32[]
    w = lax.lt(np.int32(0), np.int32(0))  # bool[]
    x = lax.add(np.int32(0), np.int32(7))  # i32[]
    y = lax.select_n(w, np.int32(0), x)  # i32[]
    z = lax.dynamic_slice_p.bind(d, v, y, slice_sizes=(1, 7))  # f32[1,7]
    aa = lax.squeeze(z, (0,))  # f32[7]
    ab = lax.dot_general(aa, h, (((0,), (0,)), ((), ())), preferred_element_type=f32)  # f32[2]
    ac = lax.mul(b, ab)  # f32[2]
    ad = lax.add(e, ac)  # f32[2]
    (ae,) = lax.split_p.bind(ad, axis=0, sizes=(2,))  # f32[2]
    af = lax.slice(ae, (1,), (2,))  # f32[1]  jaxscipy_optimize_sparse.py:27
    ag = lax.squeeze(af, (0,))  # f32[]  jaxscipy_optimize_sparse.py:27
    ah = lax.neg(f)  # f32[]  jaxscipy_optimize_sparse.py:27
    ai = lax.slice(ae, (0,), (1,))  # f32[1]  jaxscipy_optimize_sparse.py:27
    aj = lax.squeeze(ai, (0,))  # f32[]  jaxscipy_optimize_sparse.py:27
    ak = lax.sin(aj)  # f32[]  jaxscipy_optimize_sparse.py:27
    al = lax.mul(ah, ak)  # f32[]  jaxscipy_optimize_sparse.py:27
    am = lax.broadcast_in_dim(ag, (1,), ())  # f32[1]  jaxscipy_optimize_sparse.py:27
    an = lax.broadcast_in_dim(al, (1,), ())  # f32[1]  jaxscipy_optimize_sparse.py:27
    ao = lax.concatenate([am, an], 0)  # f32[2]  jaxscipy_optimize_sparse.py:27
    ap = lax.lt(g, 0)  # bool[] weak
    aq = lax.add(g, 7)  # i32[] weak
    ar = lax.select_n(ap, g, aq)  # i32[] weak
    at = lax.convert_element_type(ar, i32)  # i32[]
    au = lax.broadcast_in_dim(at, (1,), ())  # i32[1]
    av = lax.scatter_p.bind(  # f32[7,2]
        h,
        au,
        ao,
        dimension_numbers=lax.ScatterDimensionNumbers(
            update_window_dims=(0,),
            inserted_window_dims=(0,),
            scatter_dims_to_operand_dims=(0,),
            operand_batching_dims=(),
            scatter_indices_batching_dims=(),
        ),
        indices_are_sorted=True,
        mode=lax.GatherScatterMode.FILL_OR_DROP,
        unique_indices=True,
        update_consts=(),
        update_jaxpr=None,
    )
    return (i, av), None


@jit("_where")
def where_3(a, b, c):
    d = lax.select_n(a, c, b)  # f32[] weak
    return d


@jit("_where")
def where_4(a, b, c):
    d = lax.select_n(a, c, b)  # i32[] weak
    return d


@jit("_where")
def where_5(a, b, c):
    d = lax.select_n(a, c, b)  # f32[2]
    return d


@jit("_where")
def where_6(a, b, c):
    d = lax.select_n(a, c, b)  # f32[5,2]
    return d


def body_2(a, b, c, d, e, f, g, h, i, j, k, l, m):
    n = lax.broadcast_in_dim(np.float32(0.0), (7, 2), ())  # f32[7,2]
    o = lax.broadcast_in_dim(np.int32(0), (1,), ())  # i32[1]
    p = lax.scatter_p.bind(  # f32[7,2]
        n,
        o,
        i,
        dimension_numbers=lax.ScatterDimensionNumbers(
            update_window_dims=(0,),
            inserted_window_dims=(0,),
            scatter_dims_to_operand_dims=(0,),
            operand_batching_dims=(),
            scatter_indices_batching_dims=(),
        ),
        indices_are_sorted=True,
        mode=lax.GatherScatterMode.FILL_OR_DROP,
        unique_indices=True,
        update_consts=(),
        update_jaxpr=None,
    )
    (_, q), _ = lax.scan(  # i32[] weak, f32[7,2]
        functools.partial(body, a, k, j, b, h, e), (1, p), None, length=6
    )
    r = lax.dot_general(c, q, (((0,), (0,)), ((), ())), preferred_element_type=f32)  # f32[2]
    s = lax.mul(k, r)  # f32[2]
    t = lax.add(s, h)  # f32[2]
    u = lax.dot_general(d, q, (((0,), (0,)), ((), ())), preferred_element_type=f32)  # f32[2]
    v = lax.mul(k, u)  # f32[2]
    w = lax.slice(q, (6, 0), (7, 2))  # f32[1,2]
    x = lax.squeeze(w, (0,))  # f32[2]
    y = lax.add(j, k)  # f32[]
    z = lax.abs(h)  # f32[2]
    aa = lax.abs(t)  # f32[2]
    ab = lax.max(z, aa)  # f32[2]
    ac = lax.mul(np.float32(0.0001), ab)  # f32[2]
    ad = lax.add(np.float32(0.0001), ac)  # f32[2]
    ae = lax.div(v, ad)  # f32[2]
    af = lax.integer_pow(ae, 2)  # f32[2]
    ag = lax.reduce_sum(af, axes=(0,))  # f32[]
    ah = lax.div(ag, np.float32(2.0))  # f32[]
    ai = lax.sqrt(ah)  # f32[]
    aj = lax.dot_general(f, q, (((0,), (0,)), ((), ())), preferred_element_type=f32)  # f32[2]
    ak = lax.mul(k, aj)  # f32[2]
    al = lax.add(h, ak)  # f32[2]
    am = lax.slice(q, (0, 0), (1, 2))  # f32[1,2]
    an = lax.squeeze(am, (0,))  # f32[2]
    ao = lax.slice(q, (6, 0), (7, 2))  # f32[1,2]
    ap = lax.squeeze(ao, (0,))  # f32[2]
    aq = lax.mul(np.float32(-2.0), k)  # f32[]
    ar = lax.mul(aq, an)  # f32[2]
    at = lax.mul(np.float32(2.0), k)  # f32[]
    au = lax.mul(at, ap)  # f32[2]
    av = lax.add(ar, au)  # f32[2]
    aw = lax.mul(np.float32(8.0), h)  # f32[2]
    ax = lax.sub(av, aw)  # f32[2]
    ay = lax.mul(np.float32(8.0), t)  # f32[2]
    az = lax.sub(ax, ay)  # f32[2]
    ba = lax.mul(np.float32(16.0), al)  # f32[2]
    bb = lax.add(az, ba)  # f32[2]
    bc = lax.mul(np.float32(5.0), k)  # f32[]
    bd = lax.mul(bc, an)  # f32[2]
    be = lax.mul(np.float32(3.0), k)  # f32[]
    bf = lax.mul(be, ap)  # f32[2]
    bg = lax.sub(bd, bf)  # f32[2]
    bh = lax.mul(np.float32(18.0), h)  # f32[2]
    bi = lax.add(bg, bh)  # f32[2]
    bj = lax.mul(np.float32(14.0), t)  # f32[2]
    bk = lax.add(bi, bj)  # f32[2]
    bl = lax.mul(np.float32(32.0), al)  # f32[2]
    bm = lax.sub(bk, bl)  # f32[2]
    bn = lax.mul(np.float32(-4.0), k)  # f32[]
    bo = lax.mul(bn, an)  # f32[2]
    bp = lax.mul(k, ap)  # f32[2]
    bq = lax.add(bo, bp)  # f32[2]
    br = lax.mul(np.float32(11.0), h)  # f32[2]
    bs = lax.sub(bq, br)  # f32[2]
    bt = lax.mul(np.float32(5.0), t)  # f32[2]
    bu = lax.sub(bs, bt)  # f32[2]
    bv = lax.mul(np.float32(16.0), al)  # f32[2]
    bw = lax.add(bu, bv)  # f32[2]
    bx = lax.mul(k, an)  # f32[2]
    by = lax.broadcast_in_dim(bb, (1, 2), (1,))  # f32[1,2]
    bz = lax.broadcast_in_dim(bm, (1, 2), (1,))  # f32[1,2]
    ca = lax.broadcast_in_dim(bw, (1, 2), (1,))  # f32[1,2]
    cb = lax.broadcast_in_dim(bx, (1, 2), (1,))  # f32[1,2]
    cc = lax.broadcast_in_dim(h, (1, 2), (1,))  # f32[1,2]
    cd = lax.concatenate([by, bz, ca, cb, cc], 0)  # f32[5,2]
    ce = lax.lt(ai, np.float32(1.0))  # bool[]
    cf = where_3(ce, 1.0, 0.2)  # f32[] weak
    cg = lax.pow(ai, np.float32(-0.2))  # f32[]
    ch = lax.mul(cg, np.float32(0.9))  # f32[]
    ci = lax.convert_element_type(cf, f32)  # f32[]
    cj = lax.max(ch, ci)  # f32[]
    ck = lax.min(np.float32(10.0), cj)  # f32[]
    cl = lax.eq(ai, np.float32(0.0))  # bool[]
    cm = lax.mul(k, np.float32(10.0))  # f32[]
    cn = lax.mul(k, ck)  # f32[]
    co = where_2(cl, cm, cn)  # f32[]
    cp = clip(co, np.inf, 0.0)  # f32[]
    cq = lax.add(g, 1)  # i32[] weak
    cr = lax.add(g, 1)  # i32[] weak
    cs = lax.le(ai, np.float32(1.0))  # bool[]
    ct = where_4(cs, cq, cr)  # i32[] weak
    cu = where_5(cs, t, h)  # f32[2]
    cv = where_5(cs, x, i)  # f32[2]
    cw = where_2(cs, y, j)  # f32[]
    cx = where_2(cs, cp, cp)  # f32[]
    cy = where_2(cs, j, l)  # f32[]
    cz = where_6(cs, cd, m)  # f32[5,2]
    return ct, cu, cv, cw, cx, cy, cz


def cond(a, b, c, d, e, f, g, h):
    i = lax.lt(e, a)  # bool[]
    j = lax.convert_element_type_p.bind(b, new_dtype=f32, sharding=None, weak_type=True)  # f32[] weak
    k = lax.lt(j, np.inf)  # bool[] weak
    l = lax.convert_element_type(k, bool_)  # bool[]
    m = lax.bitwise_and(i, l)  # bool[]
    n = lax.gt(f, np.float32(0.0))  # bool[]
    o = lax.bitwise_and(m, n)  # bool[]
    return o


def body_3(a, b, c):
    d = lax.mul(b, a)  # f32[2]
    e = lax.add(d, c)  # f32[2]
    return e, None


@jax.jit
def polyval(a, b):
    c = lax.broadcast_in_dim(np.float32(0.0), (2,), ())  # f32[2]
    d, _ = lax.scan(functools.partial(body_3, b), c, a, unroll=16)  # f32[2]
    return d


def body_4(a, b, c, d, e, f, carry, m):
    g, h, i, j, k, l = carry
    _, n, o, p, q, r, s = lax.while_p.bind(  # i32[] weak, f32[2], f32[2], f32[], f32[], f32[], f32[5,2]
        m,
        a,
        b,
        c,
        d,
        e,
        f,
        0,
        g,
        h,
        i,
        j,
        k,
        l,
        body_jaxpr=J(
            body_2,
            S((7,), f32),
            S((6, 7), f32),
            S((7,), f32),
            S((7,), f32),
            S((), f32),
            S((7,), f32),
            S((), i32, weak_type=True),
            S((2,), f32),
            S((2,), f32),
            S((), f32),
            S((), f32),
            S((), f32),
            S((5, 2), f32),
        ),
        body_nconsts=6,
        cond_jaxpr=J(
            cond,
            S((), f32),
            S((), i32, weak_type=True),
            S((2,), f32),
            S((2,), f32),
            S((), f32),
            S((), f32),
            S((), f32),
            S((5, 2), f32),
        ),
        cond_nconsts=1,
    )
    t = lax.sub(m, r)  # f32[]
    u = lax.sub(p, r)  # f32[]
    v = lax.div(t, u)  # f32[]
    w = polyval(s, v)  # f32[2]
    return (n, o, p, q, r, s), w


@jax.custom_vjp
def odeint(a, b, c, d, e, f, g, h):
    (i,) = lax.split_p.bind(f, axis=0, sizes=(2,))  # f32[2]
    j = lax.slice(i, (1,), (2,))  # f32[1]  jaxscipy_optimize_sparse.py:27
    k = lax.squeeze(j, (0,))  # f32[]  jaxscipy_optimize_sparse.py:27
    l = lax.neg(h)  # f32[]  jaxscipy_optimize_sparse.py:27
    m = lax.slice(i, (0,), (1,))  # f32[1]  jaxscipy_optimize_sparse.py:27
    n = lax.squeeze(m, (0,))  # f32[]  jaxscipy_optimize_sparse.py:27
    o = lax.sin(n)  # f32[]  jaxscipy_optimize_sparse.py:27
    p = lax.mul(l, o)  # f32[]  jaxscipy_optimize_sparse.py:27
    q = lax.broadcast_in_dim(k, (1,), ())  # f32[1]  jaxscipy_optimize_sparse.py:27
    r = lax.broadcast_in_dim(p, (1,), ())  # f32[1]  jaxscipy_optimize_sparse.py:27
    s = lax.concatenate([q, r], 0)  # f32[2]  jaxscipy_optimize_sparse.py:27
    t = lax.abs(f)  # f32[2]
    u = lax.mul(t, np.float32(0.0001))  # f32[2]
    v = lax.add(np.float32(0.0001), u)  # f32[2]
    w = lax.div(f, v)  # f32[2]
    x = norm(w)  # f32[]
    y = lax.div(s, v)  # f32[2]
    z = norm(y)  # f32[]
    aa = lax.lt(x, np.float32(1e-05))  # bool[]
    ab = lax.lt(z, np.float32(1e-05))  # bool[]
    ac = lax.bitwise_or(aa, ab)  # bool[]
    ad = lax.mul(np.float32(0.01), x)  # f32[]
    ae = lax.div(ad, z)  # f32[]
    af = where(ac, 1e-06, ae)  # f32[]
    ag = lax.mul(af, s)  # f32[2]
    ah = lax.add(f, ag)  # f32[2]
    (ai,) = lax.split_p.bind(ah, axis=0, sizes=(2,))  # f32[2]
    aj = lax.slice(ai, (1,), (2,))  # f32[1]  jaxscipy_optimize_sparse.py:27
    ak = lax.squeeze(aj, (0,))  # f32[]  jaxscipy_optimize_sparse.py:27
    al = lax.neg(h)  # f32[]  jaxscipy_optimize_sparse.py:27
    am = lax.slice(ai, (0,), (1,))  # f32[1]  jaxscipy_optimize_sparse.py:27
    an = lax.squeeze(am, (0,))  # f32[]  jaxscipy_optimize_sparse.py:27
    ao = lax.sin(an)  # f32[]  jaxscipy_optimize_sparse.py:27
    ap = lax.mul(al, ao)  # f32[]  jaxscipy_optimize_sparse.py:27
    aq = lax.broadcast_in_dim(ak, (1,), ())  # f32[1]  jaxscipy_optimize_sparse.py:27
    ar = lax.broadcast_in_dim(ap, (1,), ())  # f32[1]  jaxscipy_optimize_sparse.py:27
    at = lax.concatenate([aq, ar], 0)  # f32[2]  jaxscipy_optimize_sparse.py:27
    au = lax.sub(at, s)  # f32[2]
    av = lax.div(au, v)  # f32[2]
    aw = norm(av)  # f32[]
    ax = lax.div(aw, af)  # f32[]
    ay = lax.le(z, np.float32(1e-15))  # bool[]
    az = lax.le(ax, np.float32(1e-15))  # bool[]
    ba = lax.bitwise_and(ay, az)  # bool[]
    bb = lax.mul(af, np.float32(0.001))  # f32[]
    bc = lax.max(np.float32(1e-06), bb)  # f32[]
    bd = lax.max(z, ax)  # f32[]
    be = lax.div(np.float32(0.01), bd)  # f32[]
    bf = lax.pow(be, np.float32(0.2))  # f32[]
    bg = where_2(ba, bc, bf)  # f32[]
    bh = lax.mul(np.float32(100.0), af)  # f32[]
    bi = lax.min(bh, bg)  # f32[]
    bj = clip(bi, np.inf, 0.0)  # f32[]
    bk = lax.broadcast_in_dim(f, (1, 2), (1,))  # f32[1,2]
    bl = lax.broadcast_in_dim(f, (1, 2), (1,))  # f32[1,2]
    bm = lax.broadcast_in_dim(f, (1, 2), (1,))  # f32[1,2]
    bn = lax.broadcast_in_dim(f, (1, 2), (1,))  # f32[1,2]
    bo = lax.broadcast_in_dim(f, (1, 2), (1,))  # f32[1,2]
    bp = lax.concatenate([bk, bl, bm, bn, bo], 0)  # f32[5,2]
    bq = lax.slice(g, (0,), (1,))  # f32[1]
    br = lax.squeeze(bq, (0,))  # f32[]
    bs = lax.slice(g, (0,), (1,))  # f32[1]
    bt = lax.squeeze(bs, (0,))  # f32[]
    bu = lax.slice(g, (1,), (5,))  # f32[4]
    (_, _, _, _, _, _), bv = lax.scan(  # f32[2], f32[2], f32[], f32[], f32[], f32[5,2], f32[4,2]
        functools.partial(body_4, a, b, c, d, h, e), (f, s, br, bj, bt, bp), bu
    )
    bw = lax.broadcast_in_dim(f, (1, 2), (1,))  # f32[1,2]
    bx = lax.concatenate([bw, bv], 0)  # f32[5,2]
    return bx


odeint.defvjp(no_rule, no_rule)


@jit("_odeint_wrapper")
def odeint_wrapper(a, b, c):
    d = odeint(C1, C2, C3, C4, C5, a, b, c)  # f32[5,2]
    (e,) = lax.split_p.bind(d, axis=1, sizes=(2,))  # f32[5,2]
    return e, d


def inputs():
    return [
        np.float32(1.8),  # a: f32[]
    ]


def repro(a):
    b = linspace(0.0, 2.0)  # f32[5]  jaxscipy_optimize_sparse.py:32
    c, d = odeint_wrapper(C0, b, a)  # f32[5,2], f32[5,2]  jaxscipy_optimize_sparse.py:32
    e = lax.slice(c, (0, 0), (5, 1))  # f32[5,1]  jaxscipy_optimize_sparse.py:32
    f = lax.squeeze(e, (1,))  # f32[5]  jaxscipy_optimize_sparse.py:32
    return f, d, b


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
