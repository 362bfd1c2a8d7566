# /// jace-repro
# schema = 1
# name = "update"
# origin = "levenberg_marquardt.py:351 (update)"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "9e9442d9506c2a05145b21639e2bb4a4dc617c5a744e0b1fca929cb0ffb7d54c"
# outputs_sha256 = "94644a8ed2b8652e0d6ca7f121c7f35fd376b9c27b265bf0917be4153b1ae4ba"
# self_check = "exact"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""update (levenberg_marquardt.py:351): written by jace-repro, needs only jax and numpy."""

import functools

import jax
import numpy as np
from jax import lax
from jax._src.lax.control_flow.solves import _LinearSolveTuple
from jax.extend.core import primitives
from jaxlib._jax import ArrayCopySemantics

S = jax.ShapeDtypeStruct
bool_ = np.dtype("bool")
f32 = np.dtype("float32")
i32 = np.dtype("int32")


def J(fun, *avals):
    """The jaxpr of fun on operands of these types: the body of a control flow equation."""
    return jax.make_jaxpr(fun)(*avals)


def solve(a, b, c, d, e):
    f = lax.slice(a, (0,), (1,))  # f32[1]  jaxopt_stochastic.py:35
    g = lax.squeeze(f, (0,))  # f32[]  jaxopt_stochastic.py:35
    h = lax.slice(a, (1,), (2,))  # f32[1]  jaxopt_stochastic.py:35
    i = lax.squeeze(h, (0,))  # f32[]  jaxopt_stochastic.py:35
    j = lax.neg(i)  # f32[]  jaxopt_stochastic.py:35
    k = lax.mul(j, b)  # f32[10]  jaxopt_stochastic.py:35
    l = lax.exp(k)  # f32[10]  jaxopt_stochastic.py:35
    m = lax.mul(g, l)  # f32[10]  jaxopt_stochastic.py:35
    _ = lax.sub(m, c)  # f32[10]  jaxopt_stochastic.py:35
    n = lax.slice(a, (0,), (1,))  # f32[1]  jaxopt_stochastic.py:35
    o = lax.slice(e, (0,), (1,))  # f32[1]  jaxopt_stochastic.py:35
    p = lax.squeeze(n, (0,))  # f32[]  jaxopt_stochastic.py:35
    q = lax.squeeze(o, (0,))  # f32[]  jaxopt_stochastic.py:35
    r = lax.slice(a, (1,), (2,))  # f32[1]  jaxopt_stochastic.py:35
    s = lax.slice(e, (1,), (2,))  # f32[1]  jaxopt_stochastic.py:35
    t = lax.squeeze(r, (0,))  # f32[]  jaxopt_stochastic.py:35
    u = lax.squeeze(s, (0,))  # f32[]  jaxopt_stochastic.py:35
    v = lax.neg(t)  # f32[]  jaxopt_stochastic.py:35
    w = lax.neg(u)  # f32[]  jaxopt_stochastic.py:35
    x = lax.mul(v, b)  # f32[10]  jaxopt_stochastic.py:35
    y = lax.mul(w, b)  # f32[10]  jaxopt_stochastic.py:35
    z = lax.exp(x)  # f32[10]  jaxopt_stochastic.py:35
    aa = lax.mul(y, z)  # f32[10]  jaxopt_stochastic.py:35
    ab = lax.mul(p, z)  # f32[10]  jaxopt_stochastic.py:35
    ac = lax.mul(q, z)  # f32[10]  jaxopt_stochastic.py:35
    ad = lax.mul(p, aa)  # f32[10]  jaxopt_stochastic.py:35
    ae = primitives.add_jaxvals_p.bind(ac, ad)  # f32[10]  jaxopt_stochastic.py:35
    _ = lax.sub(ab, c)  # f32[10]  jaxopt_stochastic.py:35
    af = lax.mul(g, ae)  # f32[10]  jaxopt_stochastic.py:35
    ag = lax.mul(ae, l)  # f32[10]  jaxopt_stochastic.py:35
    ah = lax.reduce_sum(ag, axes=(0,))  # f32[]  jaxopt_stochastic.py:35
    ai = lax.mul(af, l)  # f32[10]  jaxopt_stochastic.py:35
    aj = lax.mul(ai, b)  # f32[10]  jaxopt_stochastic.py:35
    ak = lax.reduce_sum(aj, axes=(0,))  # f32[]  jaxopt_stochastic.py:35
    al = lax.neg(ak)  # f32[]  jaxopt_stochastic.py:35
    am = lax.broadcast_in_dim(al, (1,), ())  # f32[1]  jaxopt_stochastic.py:35
    an = lax.pad(am, np.float32(0.0), ((1, 0, 0),))  # f32[2]  jaxopt_stochastic.py:35
    ao = lax.broadcast_in_dim(ah, (1,), ())  # f32[1]  jaxopt_stochastic.py:35
    ap = lax.pad(ao, np.float32(0.0), ((0, 1, 0),))  # f32[2]  jaxopt_stochastic.py:35
    aq = primitives.add_jaxvals_p.bind(an, ap)  # f32[2]  jaxopt_stochastic.py:35
    ar = lax.mul(d, e)  # f32[2]  tree_util.py:91
    at = lax.add(aq, ar)  # f32[2]  tree_util.py:91
    return at


def cond(a, carry):
    b, c, d, e, f = carry
    g = lax.gt(d, a)  # bool[]
    h = lax.lt(f, 20)  # bool[] weak
    i = lax.convert_element_type(h, bool_)  # bool[]
    j = lax.bitwise_and(g, i)  # bool[]
    return j


def body(a, b, c, d, carry):
    e, f, g, h, i = carry
    j = lax.slice(a, (0,), (1,))  # f32[1]  jaxopt_stochastic.py:35
    k = lax.squeeze(j, (0,))  # f32[]  jaxopt_stochastic.py:35
    l = lax.slice(a, (1,), (2,))  # f32[1]  jaxopt_stochastic.py:35
    m = lax.squeeze(l, (0,))  # f32[]  jaxopt_stochastic.py:35
    n = lax.neg(m)  # f32[]  jaxopt_stochastic.py:35
    o = lax.mul(n, b)  # f32[10]  jaxopt_stochastic.py:35
    p = lax.exp(o)  # f32[10]  jaxopt_stochastic.py:35
    q = lax.mul(k, p)  # f32[10]  jaxopt_stochastic.py:35
    _ = lax.sub(q, c)  # f32[10]  jaxopt_stochastic.py:35
    r = lax.slice(a, (0,), (1,))  # f32[1]  jaxopt_stochastic.py:35
    s = lax.slice(h, (0,), (1,))  # f32[1]  jaxopt_stochastic.py:35
    t = lax.squeeze(r, (0,))  # f32[]  jaxopt_stochastic.py:35
    u = lax.squeeze(s, (0,))  # f32[]  jaxopt_stochastic.py:35
    v = lax.slice(a, (1,), (2,))  # f32[1]  jaxopt_stochastic.py:35
    w = lax.slice(h, (1,), (2,))  # f32[1]  jaxopt_stochastic.py:35
    x = lax.squeeze(v, (0,))  # f32[]  jaxopt_stochastic.py:35
    y = lax.squeeze(w, (0,))  # f32[]  jaxopt_stochastic.py:35
    z = lax.neg(x)  # f32[]  jaxopt_stochastic.py:35
    aa = lax.neg(y)  # f32[]  jaxopt_stochastic.py:35
    ab = lax.mul(z, b)  # f32[10]  jaxopt_stochastic.py:35
    ac = lax.mul(aa, b)  # f32[10]  jaxopt_stochastic.py:35
    ad = lax.exp(ab)  # f32[10]  jaxopt_stochastic.py:35
    ae = lax.mul(ac, ad)  # f32[10]  jaxopt_stochastic.py:35
    af = lax.mul(t, ad)  # f32[10]  jaxopt_stochastic.py:35
    ag = lax.mul(u, ad)  # f32[10]  jaxopt_stochastic.py:35
    ah = lax.mul(t, ae)  # f32[10]  jaxopt_stochastic.py:35
    ai = primitives.add_jaxvals_p.bind(ag, ah)  # f32[10]  jaxopt_stochastic.py:35
    _ = lax.sub(af, c)  # f32[10]  jaxopt_stochastic.py:35
    aj = lax.mul(k, ai)  # f32[10]  jaxopt_stochastic.py:35
    ak = lax.mul(ai, p)  # f32[10]  jaxopt_stochastic.py:35
    al = lax.reduce_sum(ak, axes=(0,))  # f32[]  jaxopt_stochastic.py:35
    am = lax.mul(aj, p)  # f32[10]  jaxopt_stochastic.py:35
    an = lax.mul(am, b)  # f32[10]  jaxopt_stochastic.py:35
    ao = lax.reduce_sum(an, axes=(0,))  # f32[]  jaxopt_stochastic.py:35
    ap = lax.neg(ao)  # f32[]  jaxopt_stochastic.py:35
    aq = lax.broadcast_in_dim(ap, (1,), ())  # f32[1]  jaxopt_stochastic.py:35
    ar = lax.pad(aq, np.float32(0.0), ((1, 0, 0),))  # f32[2]  jaxopt_stochastic.py:35
    at = lax.broadcast_in_dim(al, (1,), ())  # f32[1]  jaxopt_stochastic.py:35
    au = lax.pad(at, np.float32(0.0), ((0, 1, 0),))  # f32[2]  jaxopt_stochastic.py:35
    av = primitives.add_jaxvals_p.bind(ar, au)  # f32[2]  jaxopt_stochastic.py:35
    aw = lax.mul(d, h)  # f32[2]  tree_util.py:91
    ax = lax.add(av, aw)  # f32[2]  tree_util.py:91
    ay = lax.dot_general(  # f32[]
        h, ax, (((0,), (0,)), ((), ())), precision=lax.Precision.HIGHEST, preferred_element_type=f32
    )
    az = lax.add(np.float32(0.0), ay)  # f32[]
    ba = lax.div(g, az)  # f32[]
    bb = lax.mul(ba, h)  # f32[2]
    bc = lax.add(e, bb)  # f32[2]
    bd = lax.mul(ba, ax)  # f32[2]
    be = lax.sub(f, bd)  # f32[2]
    bf = lax.dot_general(  # f32[]
        be, be, (((0,), (0,)), ((), ())), precision=lax.Precision.HIGHEST, preferred_element_type=f32
    )
    bg = lax.add(np.float32(0.0), bf)  # f32[]
    bh = lax.div(bg, g)  # f32[]
    bi = lax.mul(bh, h)  # f32[2]
    bj = lax.add(be, bi)  # f32[2]
    bk = lax.add(i, 1)  # i32[] weak
    return bc, be, bg, bj, bk


def solve_2(a, b, c, d, e, f):
    g = lax.dot_general(  # f32[]
        f, f, (((0,), (0,)), ((), ())), precision=lax.Precision.HIGHEST, preferred_element_type=f32
    )
    h = lax.add(np.float32(0.0), g)  # f32[]
    i = lax.square(1e-05)  # f32[] weak
    j = lax.convert_element_type(i, f32)  # f32[]
    k = lax.mul(j, h)  # f32[]
    l = lax.square(0.0)  # f32[] weak
    m = lax.convert_element_type(l, f32)  # f32[]
    n = lax.max(k, m)  # f32[]
    o = lax.slice(a, (0,), (1,))  # f32[1]  jaxopt_stochastic.py:35
    p = lax.squeeze(o, (0,))  # f32[]  jaxopt_stochastic.py:35
    q = lax.slice(a, (1,), (2,))  # f32[1]  jaxopt_stochastic.py:35
    r = lax.squeeze(q, (0,))  # f32[]  jaxopt_stochastic.py:35
    s = lax.neg(r)  # f32[]  jaxopt_stochastic.py:35
    t = lax.mul(s, b)  # f32[10]  jaxopt_stochastic.py:35
    u = lax.exp(t)  # f32[10]  jaxopt_stochastic.py:35
    v = lax.mul(p, u)  # f32[10]  jaxopt_stochastic.py:35
    _ = lax.sub(v, c)  # f32[10]  jaxopt_stochastic.py:35
    w = lax.slice(a, (0,), (1,))  # f32[1]  jaxopt_stochastic.py:35
    x = lax.slice(d, (0,), (1,))  # f32[1]  jaxopt_stochastic.py:35
    y = lax.squeeze(w, (0,))  # f32[]  jaxopt_stochastic.py:35
    z = lax.squeeze(x, (0,))  # f32[]  jaxopt_stochastic.py:35
    aa = lax.slice(a, (1,), (2,))  # f32[1]  jaxopt_stochastic.py:35
    ab = lax.slice(d, (1,), (2,))  # f32[1]  jaxopt_stochastic.py:35
    ac = lax.squeeze(aa, (0,))  # f32[]  jaxopt_stochastic.py:35
    ad = lax.squeeze(ab, (0,))  # f32[]  jaxopt_stochastic.py:35
    ae = lax.neg(ac)  # f32[]  jaxopt_stochastic.py:35
    af = lax.neg(ad)  # f32[]  jaxopt_stochastic.py:35
    ag = lax.mul(ae, b)  # f32[10]  jaxopt_stochastic.py:35
    ah = lax.mul(af, b)  # f32[10]  jaxopt_stochastic.py:35
    ai = lax.exp(ag)  # f32[10]  jaxopt_stochastic.py:35
    aj = lax.mul(ah, ai)  # f32[10]  jaxopt_stochastic.py:35
    ak = lax.mul(y, ai)  # f32[10]  jaxopt_stochastic.py:35
    al = lax.mul(z, ai)  # f32[10]  jaxopt_stochastic.py:35
    am = lax.mul(y, aj)  # f32[10]  jaxopt_stochastic.py:35
    an = primitives.add_jaxvals_p.bind(al, am)  # f32[10]  jaxopt_stochastic.py:35
    _ = lax.sub(ak, c)  # f32[10]  jaxopt_stochastic.py:35
    ao = lax.mul(p, an)  # f32[10]  jaxopt_stochastic.py:35
    ap = lax.mul(an, u)  # f32[10]  jaxopt_stochastic.py:35
    aq = lax.reduce_sum(ap, axes=(0,))  # f32[]  jaxopt_stochastic.py:35
    ar = lax.mul(ao, u)  # f32[10]  jaxopt_stochastic.py:35
    at = lax.mul(ar, b)  # f32[10]  jaxopt_stochastic.py:35
    au = lax.reduce_sum(at, axes=(0,))  # f32[]  jaxopt_stochastic.py:35
    av = lax.neg(au)  # f32[]  jaxopt_stochastic.py:35
    aw = lax.broadcast_in_dim(av, (1,), ())  # f32[1]  jaxopt_stochastic.py:35
    ax = lax.pad(aw, np.float32(0.0), ((1, 0, 0),))  # f32[2]  jaxopt_stochastic.py:35
    ay = lax.broadcast_in_dim(aq, (1,), ())  # f32[1]  jaxopt_stochastic.py:35
    az = lax.pad(ay, np.float32(0.0), ((0, 1, 0),))  # f32[2]  jaxopt_stochastic.py:35
    ba = primitives.add_jaxvals_p.bind(ax, az)  # f32[2]  jaxopt_stochastic.py:35
    bb = lax.mul(e, d)  # f32[2]  tree_util.py:91
    bc = lax.add(ba, bb)  # f32[2]  tree_util.py:91
    bd = lax.sub(f, bc)  # f32[2]
    be = lax.dot_general(  # f32[]
        bd, bd, (((0,), (0,)), ((), ())), precision=lax.Precision.HIGHEST, preferred_element_type=f32
    )
    bf = lax.add(np.float32(0.0), be)  # f32[]
    bg, _, _, _, _ = lax.while_loop(  # f32[2], f32[2], f32[], f32[2], i32[] weak
        functools.partial(cond, n), functools.partial(body, a, b, c, e), (d, bd, bf, bd, 0)
    )
    return bg


def inputs():
    return [
        np.array([1.0, 1.0], np.float32),  # a = params: f32[2]
        0,  # b = state.iter_num: i32[] weak
        np.float32(2.7541869e-06),  # c = state.damping_factor: f32[]
        2,  # d = state.increase_factor: i32[] weak
        # e = state.residual: f32[10]
        np.array(
            [
                -1.0,
                -0.9889412,
                -0.96029437,
                -0.9196454,
                -0.8712485,
                -0.81831384,
                -0.7632371,
                -0.7077795,
                -0.65321124,
                -0.60042363,
            ],
            np.float32,
        ),
        np.float32(3.5226526),  # f = state.value: f32[]
        np.array([0.0, 0.0], np.float32),  # g = state.delta: f32[2]
        np.float32(4.6285467),  # h = state.error: f32[]
        np.array([-4.0495696, 2.2415242], np.float32),  # i = state.gradient: f32[2]
        # j: f32[10]
        np.array(
            [
                0.0,
                0.22222222,
                0.44444445,
                0.6666667,
                0.8888889,
                1.1111112,
                1.3333334,
                1.5555556,
                1.7777778,
                2.0,
            ],
            np.float32,
        ),
        # k: f32[10]
        np.array(
            [
                2.0,
                1.7896786,
                1.6014748,
                1.4330626,
                1.2823608,
                1.1475068,
                1.0268342,
                0.9188516,
                0.82222456,
                0.7357589,
            ],
            np.float32,
        ),
    ]


def repro(a, b, c, d, e, f, g, h, i, j, k):
    l, m = lax.device_put_p.bind(  # f32[2], f32[2]  linear_solve.py:183
        i,
        g,
        copy_semantics=(ArrayCopySemantics.REUSE_INPUT, ArrayCopySemantics.REUSE_INPUT),
        devices=(None, None),
        srcs=(None, None),
    )
    (n,) = lax.linear_solve_p.bind(  # f32[2]  linear_solve.py:183
        a,
        j,
        k,
        c,
        a,
        j,
        k,
        c,
        a,
        j,
        k,
        m,
        c,
        a,
        j,
        k,
        m,
        c,
        l,
        const_lengths=_LinearSolveTuple(matvec=4, vecmat=4, solve=5, transpose_solve=5),
        jaxprs=_LinearSolveTuple(
            matvec=J(solve, S((2,), f32), S((10,), f32), S((10,), f32), S((), f32), S((2,), f32)),
            vecmat=J(solve, S((2,), f32), S((10,), f32), S((10,), f32), S((), f32), S((2,), f32)),
            solve=J(
                solve_2, S((2,), f32), S((10,), f32), S((10,), f32), S((2,), f32), S((), f32), S((2,), f32)
            ),
            transpose_solve=J(
                solve_2, S((2,), f32), S((10,), f32), S((10,), f32), S((2,), f32), S((), f32), S((2,), f32)
            ),
        ),
    )
    _ = lax.broadcast_in_dim(np.float32(0.0), (2,), ())  # f32[2]  levenberg_marquardt.py:556
    o = lax.neg(n)  # f32[2]  levenberg_marquardt.py:423
    p = lax.add(a, o)  # f32[2]  levenberg_marquardt.py:322
    q = lax.slice(p, (0,), (1,))  # f32[1]  jaxopt_stochastic.py:35
    r = lax.squeeze(q, (0,))  # f32[]  jaxopt_stochastic.py:35
    s = lax.slice(p, (1,), (2,))  # f32[1]  jaxopt_stochastic.py:35
    t = lax.squeeze(s, (0,))  # f32[]  jaxopt_stochastic.py:35
    u = lax.neg(t)  # f32[]  jaxopt_stochastic.py:35
    v = lax.mul(u, j)  # f32[10]  jaxopt_stochastic.py:35
    w = lax.exp(v)  # f32[10]  jaxopt_stochastic.py:35
    x = lax.mul(r, w)  # f32[10]  jaxopt_stochastic.py:35
    y = lax.sub(x, k)  # f32[10]  jaxopt_stochastic.py:35
    z = lax.mul(np.float32(0.5), o)  # f32[2]  levenberg_marquardt.py:328
    aa = lax.mul(c, o)  # f32[2]  levenberg_marquardt.py:329
    ab = lax.sub(aa, i)  # f32[2]  levenberg_marquardt.py:329
    ac = lax.dot_general(  # f32[]  levenberg_marquardt.py:328
        z, ab, (((0,), (0,)), ((), ())), preferred_element_type=f32
    )
    ad = lax.square(y)  # f32[10]  levenberg_marquardt.py:332
    ae = lax.reduce_sum(ad, axes=(0,))  # f32[]  levenberg_marquardt.py:332
    af = lax.mul(np.float32(0.5), ae)  # f32[]  levenberg_marquardt.py:332
    ag = lax.sub(f, af)  # f32[]  levenberg_marquardt.py:334
    ah = lax.div(ag, ac)  # f32[]  levenberg_marquardt.py:334
    ai = lax.gt(ah, np.float32(0.0))  # bool[]  levenberg_marquardt.py:290
    aj = lax.bitwise_and(ai, True)  # bool[]  levenberg_marquardt.py:290
    ak = lax.slice(p, (0,), (1,))  # f32[1]  jaxopt_stochastic.py:35
    al = lax.squeeze(ak, (0,))  # f32[]  jaxopt_stochastic.py:35
    am = lax.slice(p, (1,), (2,))  # f32[1]  jaxopt_stochastic.py:35
    an = lax.squeeze(am, (0,))  # f32[]  jaxopt_stochastic.py:35
    ao = lax.neg(an)  # f32[]  jaxopt_stochastic.py:35
    ap = lax.mul(ao, j)  # f32[10]  jaxopt_stochastic.py:35
    aq = lax.exp(ap)  # f32[10]  jaxopt_stochastic.py:35
    ar = lax.mul(al, aq)  # f32[10]  jaxopt_stochastic.py:35
    at = lax.sub(ar, k)  # f32[10]  jaxopt_stochastic.py:35
    au = lax.slice(p, (0,), (1,))  # f32[1]  jaxopt_stochastic.py:35
    av = lax.squeeze(au, (0,))  # f32[]  jaxopt_stochastic.py:35
    aw = lax.slice(p, (1,), (2,))  # f32[1]  jaxopt_stochastic.py:35
    ax = lax.squeeze(aw, (0,))  # f32[]  jaxopt_stochastic.py:35
    ay = lax.neg(ax)  # f32[]  jaxopt_stochastic.py:35
    az = lax.mul(ay, j)  # f32[10]  jaxopt_stochastic.py:35
    ba = lax.exp(az)  # f32[10]  jaxopt_stochastic.py:35
    bb = lax.mul(av, ba)  # f32[10]  jaxopt_stochastic.py:35
    _ = lax.sub(bb, k)  # f32[10]  jaxopt_stochastic.py:35
    bc = lax.mul(av, at)  # f32[10]  jaxopt_stochastic.py:35
    bd = lax.mul(at, ba)  # f32[10]  jaxopt_stochastic.py:35
    be = lax.reduce_sum(bd, axes=(0,))  # f32[]  jaxopt_stochastic.py:35
    bf = lax.mul(bc, ba)  # f32[10]  jaxopt_stochastic.py:35
    bg = lax.mul(bf, j)  # f32[10]  jaxopt_stochastic.py:35
    bh = lax.reduce_sum(bg, axes=(0,))  # f32[]  jaxopt_stochastic.py:35
    bi = lax.neg(bh)  # f32[]  jaxopt_stochastic.py:35
    bj = lax.broadcast_in_dim(bi, (1,), ())  # f32[1]  jaxopt_stochastic.py:35
    bk = lax.pad(bj, np.float32(0.0), ((1, 0, 0),))  # f32[2]  jaxopt_stochastic.py:35
    bl = lax.broadcast_in_dim(be, (1,), ())  # f32[1]  jaxopt_stochastic.py:35
    bm = lax.pad(bl, np.float32(0.0), ((0, 1, 0),))  # f32[2]  jaxopt_stochastic.py:35
    bn = primitives.add_jaxvals_p.bind(bk, bm)  # f32[2]  jaxopt_stochastic.py:35
    bo = lax.mul(np.float32(2.0), ah)  # f32[]  levenberg_marquardt.py:274
    bp = lax.sub(bo, np.float32(1.0))  # f32[]  levenberg_marquardt.py:274
    bq = lax.integer_pow(bp, 3)  # f32[]  levenberg_marquardt.py:274
    br = lax.sub(np.float32(1.0), bq)  # f32[]  levenberg_marquardt.py:273
    bs = lax.max(0.3333333333333333, br)  # f32[]  levenberg_marquardt.py:273
    bt = lax.mul(c, bs)  # f32[]  levenberg_marquardt.py:273
    bu = lax.convert_element_type(d, f32)  # f32[]  levenberg_marquardt.py:282
    bv = lax.mul(c, bu)  # f32[]  levenberg_marquardt.py:282
    bw = lax.min(bv, np.float32(4294967300.0))  # f32[]  levenberg_marquardt.py:282
    bx = lax.mul(2, d)  # i32[] weak  levenberg_marquardt.py:283
    by = lax.convert_element_type(bx, f32)  # f32[]  levenberg_marquardt.py:283
    bz = lax.min(by, np.float32(4294967300.0))  # f32[]  levenberg_marquardt.py:283
    ca = lax.convert_element_type(aj, f32)  # f32[]  levenberg_marquardt.py:299
    cb = lax.mul(ca, p)  # f32[2]  levenberg_marquardt.py:299
    cc = lax.convert_element_type(aj, f32)  # f32[]  levenberg_marquardt.py:299
    cd = lax.mul(cc, bt)  # f32[]  levenberg_marquardt.py:299
    ce = lax.convert_element_type_p.bind(  # i32[] weak  levenberg_marquardt.py:299
        aj, new_dtype=i32, sharding=None, weak_type=True
    )
    cf = lax.mul(ce, 2)  # i32[] weak  levenberg_marquardt.py:299
    cg = lax.convert_element_type(aj, f32)  # f32[]  levenberg_marquardt.py:299
    ch = lax.mul(cg, at)  # f32[10]  levenberg_marquardt.py:299
    ci = lax.convert_element_type(aj, f32)  # f32[]  levenberg_marquardt.py:299
    cj = lax.mul(ci, bn)  # f32[2]  levenberg_marquardt.py:299
    ck = lax.convert_element_type_p.bind(  # f32[] weak  levenberg_marquardt.py:302
        aj, new_dtype=f32, sharding=None, weak_type=True
    )
    cl = lax.sub(1.0, ck)  # f32[] weak  levenberg_marquardt.py:302
    cm = lax.convert_element_type(cl, f32)  # f32[]  levenberg_marquardt.py:302
    cn = lax.mul(cm, a)  # f32[2]  levenberg_marquardt.py:302
    co = lax.convert_element_type_p.bind(  # f32[] weak  levenberg_marquardt.py:302
        aj, new_dtype=f32, sharding=None, weak_type=True
    )
    cp = lax.sub(1.0, co)  # f32[] weak  levenberg_marquardt.py:302
    cq = lax.convert_element_type(cp, f32)  # f32[]  levenberg_marquardt.py:302
    cr = lax.mul(cq, bw)  # f32[]  levenberg_marquardt.py:302
    cs = lax.convert_element_type_p.bind(  # f32[] weak  levenberg_marquardt.py:302
        aj, new_dtype=f32, sharding=None, weak_type=True
    )
    ct = lax.sub(1.0, cs)  # f32[] weak  levenberg_marquardt.py:302
    cu = lax.convert_element_type(ct, f32)  # f32[]  levenberg_marquardt.py:302
    cv = lax.mul(cu, bz)  # f32[]  levenberg_marquardt.py:302
    cw = lax.convert_element_type_p.bind(  # f32[] weak  levenberg_marquardt.py:302
        aj, new_dtype=f32, sharding=None, weak_type=True
    )
    cx = lax.sub(1.0, cw)  # f32[] weak  levenberg_marquardt.py:302
    cy = lax.convert_element_type(cx, f32)  # f32[]  levenberg_marquardt.py:302
    cz = lax.mul(cy, e)  # f32[10]  levenberg_marquardt.py:302
    da = lax.convert_element_type_p.bind(  # f32[] weak  levenberg_marquardt.py:302
        aj, new_dtype=f32, sharding=None, weak_type=True
    )
    db = lax.sub(1.0, da)  # f32[] weak  levenberg_marquardt.py:302
    dc = lax.convert_element_type(db, f32)  # f32[]  levenberg_marquardt.py:302
    dd = lax.mul(dc, i)  # f32[2]  levenberg_marquardt.py:302
    de = lax.add(cb, cn)  # f32[2]  levenberg_marquardt.py:306
    df = lax.add(cd, cr)  # f32[]  levenberg_marquardt.py:306
    dg = lax.convert_element_type(cf, f32)  # f32[]  levenberg_marquardt.py:306
    dh = lax.add(dg, cv)  # f32[]  levenberg_marquardt.py:306
    di = lax.add(ch, cz)  # f32[10]  levenberg_marquardt.py:306
    dj = lax.add(cj, dd)  # f32[2]  levenberg_marquardt.py:306
    dk = lax.square(di)  # f32[10]  levenberg_marquardt.py:435
    dl = lax.reduce_sum(dk, axes=(0,))  # f32[]  levenberg_marquardt.py:435
    dm = lax.mul(np.float32(0.5), dl)  # f32[]  levenberg_marquardt.py:435
    dn = lax.add(b, 1)  # i32[] weak  levenberg_marquardt.py:437
    do = lax.square(dj)  # f32[2]  tree_util.py:140
    dp = lax.broadcast_in_dim(np.float32(0.0), (2,), ())  # f32[2]  tree_util.py:140
    dq = lax.square(dp)  # f32[2]  tree_util.py:140
    dr = lax.add(do, dq)  # f32[2]  tree_util.py:140
    ds = lax.reduce_sum(dr, axes=(0,))  # f32[]  tree_util.py:134
    dt = lax.sqrt(ds)  # f32[]  tree_util.py:145
    # result.params, result.state.iter_num, result.state.damping_factor, result.state.increase_factor,
    # result.state.residual, result.state.value, result.state.delta, result.state.error, result.state.gradient
    return de, dn, df, dh, di, dm, o, dt, dj


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
