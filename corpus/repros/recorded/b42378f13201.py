# /// jace-repro
# schema = 1
# name = "update"
# origin = "osqp.py:665 (update)"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "b42378f132013fb5c5deae82a609f9205b3cd553cdcc19eda30534e390fc794a"
# outputs_sha256 = "6c4a53ff437437d6f6b5e33166a860dc00173b4e990ade42cf198bf6c9e971f7"
# self_check = "exact"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""update (osqp.py:665): written by jace-repro, needs only jax and numpy."""

import functools

import jax
import numpy as np
from jax import lax
from jax._src.lax.control_flow.solves import _LinearSolveTuple
from jaxlib._jax import ArrayCopySemantics

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


def weak(value, dtype):
    """A value of a weak type that no Python scalar has by itself."""
    return lax.convert_element_type_p.bind(value, new_dtype=dtype, weak_type=True, sharding=None)


def solve(a, b, c, d, e):
    f = lax.dot_general(  # f32[4]  linear_operator.py:39
        a, e, (((1,), (0,)), ((), ())), preferred_element_type=f32
    )
    g = lax.convert_element_type(b, f32)  # f32[]  tree_util.py:91
    h = lax.mul(g, e)  # f32[4]  tree_util.py:91
    i = lax.add(f, h)  # f32[4]  tree_util.py:91
    j = lax.dot_general(  # f32[4]  linear_operator.py:39
        c, e, (((1,), (0,)), ((), ())), preferred_element_type=f32
    )
    k = lax.transpose(c, (1, 0))  # f32[4,4]  linear_operator.py:42
    l = lax.dot_general(  # f32[4]  linear_operator.py:42
        k, j, (((1,), (0,)), ((), ())), preferred_element_type=f32
    )
    m = lax.convert_element_type(d, f32)  # f32[]  tree_util.py:91
    n = lax.mul(m, l)  # f32[4]  tree_util.py:91
    o = lax.add(i, n)  # f32[4]  tree_util.py:91
    return o


def cond(a, carry):
    b, c, d, e, f = carry
    g = lax.dot_general(  # f32[]
        c, c, (((0,), (0,)), ((), ())), precision=lax.Precision.HIGHEST, preferred_element_type=f32
    )
    h = lax.add(np.float32(0.0), g)  # f32[]
    i = lax.gt(h, a)  # bool[]
    j = lax.lt(f, 40)  # bool[] weak
    k = lax.convert_element_type(j, bool_)  # bool[]
    l = lax.bitwise_and(i, k)  # bool[]
    return l


def body(a, b, c, d, carry):
    e, f, g, h, i = carry
    j = lax.dot_general(  # f32[4]  linear_operator.py:39
        a, h, (((1,), (0,)), ((), ())), preferred_element_type=f32
    )
    k = lax.convert_element_type(b, f32)  # f32[]  tree_util.py:91
    l = lax.mul(k, h)  # f32[4]  tree_util.py:91
    m = lax.add(j, l)  # f32[4]  tree_util.py:91
    n = lax.dot_general(  # f32[4]  linear_operator.py:39
        c, h, (((1,), (0,)), ((), ())), preferred_element_type=f32
    )
    o = lax.transpose(c, (1, 0))  # f32[4,4]  linear_operator.py:42
    p = lax.dot_general(  # f32[4]  linear_operator.py:42
        o, n, (((1,), (0,)), ((), ())), preferred_element_type=f32
    )
    q = lax.convert_element_type(d, f32)  # f32[]  tree_util.py:91
    r = lax.mul(q, p)  # f32[4]  tree_util.py:91
    s = lax.add(m, r)  # f32[4]  tree_util.py:91
    t = lax.dot_general(  # f32[]
        h, s, (((0,), (0,)), ((), ())), precision=lax.Precision.HIGHEST, preferred_element_type=f32
    )
    u = lax.add(np.float32(0.0), t)  # f32[]
    v = lax.div(g, u)  # f32[]
    w = lax.mul(v, h)  # f32[4]
    x = lax.add(e, w)  # f32[4]
    y = lax.mul(v, s)  # f32[4]
    z = lax.sub(f, y)  # f32[4]
    aa = lax.dot_general(  # f32[]
        z, z, (((0,), (0,)), ((), ())), precision=lax.Precision.HIGHEST, preferred_element_type=f32
    )
    ab = lax.add(np.float32(0.0), aa)  # f32[]
    ac = lax.div(ab, g)  # f32[]
    ad = lax.mul(ac, h)  # f32[4]
    ae = lax.add(z, ad)  # f32[4]
    af = lax.add(i, 1)  # i32[] weak
    return x, z, ab, ae, af


def solve_2(a, b, c, d, e, f, g):
    h = lax.dot_general(  # f32[]
        g, g, (((0,), (0,)), ((), ())), precision=lax.Precision.HIGHEST, preferred_element_type=f32
    )
    i = lax.add(np.float32(0.0), h)  # f32[]
    j = lax.square(1e-10)  # f32[] weak
    k = lax.convert_element_type(j, f32)  # f32[]
    l = lax.mul(k, i)  # f32[]
    m = lax.square(a)  # f32[]
    n = lax.max(l, m)  # f32[]
    o = lax.dot_general(  # f32[4]  linear_operator.py:39
        b, c, (((1,), (0,)), ((), ())), preferred_element_type=f32
    )
    p = lax.convert_element_type(d, f32)  # f32[]  tree_util.py:91
    q = lax.mul(p, c)  # f32[4]  tree_util.py:91
    r = lax.add(o, q)  # f32[4]  tree_util.py:91
    s = lax.dot_general(  # f32[4]  linear_operator.py:39
        e, c, (((1,), (0,)), ((), ())), preferred_element_type=f32
    )
    t = lax.transpose(e, (1, 0))  # f32[4,4]  linear_operator.py:42
    u = lax.dot_general(  # f32[4]  linear_operator.py:42
        t, s, (((1,), (0,)), ((), ())), preferred_element_type=f32
    )
    v = lax.convert_element_type(f, f32)  # f32[]  tree_util.py:91
    w = lax.mul(v, u)  # f32[4]  tree_util.py:91
    x = lax.add(r, w)  # f32[4]  tree_util.py:91
    y = lax.sub(g, x)  # f32[4]
    z = lax.dot_general(  # f32[]
        y, y, (((0,), (0,)), ((), ())), precision=lax.Precision.HIGHEST, preferred_element_type=f32
    )
    aa = lax.add(np.float32(0.0), z)  # f32[]
    ab, _, _, _, _ = lax.while_loop(  # f32[4], f32[4], f32[], f32[4], i32[] weak
        functools.partial(cond, n), functools.partial(body, b, d, e, f), (c, y, aa, y, 0)
    )
    return ab


@jax.jit
def clip(a, b, c):
    d = lax.max(b, a)  # f32[4]
    e = lax.min(c, d)  # f32[4]
    return e


@jit("_where")
def where(a, b, c):
    d = lax.select_n(a, c, b)  # i32[] weak
    return d


@jax.jit
def remainder(a, b):
    c = lax.eq(b, 0)  # bool[] weak
    d = where(c, weak(1, i32), b)  # i32[] weak
    e = lax.rem(a, d)  # i32[] weak
    f = lax.ne(e, np.int32(0))  # bool[]
    g = lax.lt(e, np.int32(0))  # bool[]
    h = lax.lt(d, np.int32(0))  # bool[]
    i = lax.ne(g, h)  # bool[]
    j = lax.bitwise_and(i, f)  # bool[]
    k = lax.add(e, d)  # i32[] weak
    l = lax.select_n(j, e, k)  # i32[] weak
    return l


def branch(a, b, c, d, e, f, g, h, i, j, k, l, m):
    return h, m


@jax.jit
def clip_2(a, b, c):
    d = lax.convert_element_type(b, f32)  # f32[]
    e = lax.max(d, a)  # f32[]
    f = lax.convert_element_type(c, f32)  # f32[]
    g = lax.min(f, e)  # f32[]
    return g


def branch_2(a, b, c, d, e, f, g, h, i, j, k, l, m):
    n = lax.dot_general(  # f32[4]  linear_operator.py:39
        a, b, (((1,), (0,)), ((), ())), preferred_element_type=f32
    )
    o = lax.transpose(a, (1, 0))  # f32[4,4]  linear_operator.py:42
    p = lax.dot_general(  # f32[4]  linear_operator.py:42
        o, c, (((1,), (0,)), ((), ())), preferred_element_type=f32
    )
    q = lax.abs(d)  # f32[4]  tree_util.py:188
    r = lax.reduce_max(q, axes=(0,))  # f32[]  tree_util.py:188
    s = lax.abs(n)  # f32[4]  tree_util.py:188
    t = lax.reduce_max(s, axes=(0,))  # f32[]  tree_util.py:188
    u = lax.div(r, t)  # f32[]  osqp.py:520
    v = lax.dot_general(  # f32[4]  linear_operator.py:39
        e, b, (((1,), (0,)), ((), ())), preferred_element_type=f32
    )
    w = lax.abs(v)  # f32[4]  tree_util.py:188
    x = lax.reduce_max(w, axes=(0,))  # f32[]  tree_util.py:188
    y = lax.abs(p)  # f32[4]  tree_util.py:188
    z = lax.reduce_max(y, axes=(0,))  # f32[]  tree_util.py:188
    aa = lax.abs(f)  # f32[4]  tree_util.py:188
    ab = lax.reduce_max(aa, axes=(0,))  # f32[]  tree_util.py:188
    ac = lax.max(z, ab)  # f32[]  osqp.py:521
    ad = lax.max(x, ac)  # f32[]  osqp.py:521
    ae = lax.abs(g)  # f32[4]  tree_util.py:188
    af = lax.reduce_max(ae, axes=(0,))  # f32[]  tree_util.py:188
    ag = lax.div(af, ad)  # f32[]  osqp.py:522
    ah = lax.add(ag, np.float32(1.1920929e-07))  # f32[]  osqp.py:524
    ai = lax.div(u, ah)  # f32[]  osqp.py:524
    aj = lax.sqrt(ai)  # f32[]  osqp.py:524
    ak = lax.convert_element_type(h, f32)  # f32[]  osqp.py:525
    al = lax.mul(ak, aj)  # f32[]  osqp.py:525
    am = clip_2(al, 1e-06, 1000000.0)  # f32[]  osqp.py:525
    return am, am


@jit("_where")
def where_2(a, b, c):
    d = lax.convert_element_type(c, f32)  # f32[]
    e = lax.broadcast_in_dim(d, (4,), ())  # f32[4]
    f = lax.select_n(a, e, b)  # f32[4]
    return f


def branch_3(a, b, c, d):
    return c, d


def branch_4(a, b, c, d):
    e = lax.abs(a)  # f32[4]  tree_util.py:188
    f = lax.reduce_max(e, axes=(0,))  # f32[]  tree_util.py:188
    g = lax.abs(b)  # f32[4]  tree_util.py:188
    h = lax.reduce_max(g, axes=(0,))  # f32[]  tree_util.py:188
    i = lax.max(f, h)  # f32[]  osqp.py:540
    j = lax.le(i, np.float32(0.001))  # bool[]  osqp.py:541
    k = where(j, 1, 0)  # i32[] weak  osqp.py:541
    return i, k


def inputs():
    return [
        np.array([0.0, 0.0, 0.0, 0.0], np.float32),  # a = params.primal[0]: f32[4]
        np.array([0.0, 0.0, 0.0, 0.0], np.float32),  # b = params.primal[1]: f32[4]
        np.array([0.0, 0.0, 0.0, 0.0], np.float32),  # c = params.dual_eq: f32[4]
        np.array([0.0, 0.0, 0.0, 0.0], np.float32),  # d = params.dual_ineq[0]: f32[4]
        np.array([0.0, 0.0, 0.0, 0.0], np.float32),  # e = params.dual_ineq[1]: f32[4]
        0,  # f = state.iter_num: i32[] weak
        np.inf,  # g = state.error: f32[] weak
        0,  # h = state.status: i32[] weak
        np.array([0.0, 0.0, 0.0, 0.0], np.float32),  # i = state.primal_residuals: f32[4]
        # j = state.dual_residuals: f32[4]
        np.array([-7.8985786, -4.852061, 7.57871, 0.23509178], np.float32),
        0.1,  # k = state.rho_bar: f32[] weak
        np.array([0.0, 0.0, 0.0, 0.0], np.float32),  # l = state.solver_state[0]: f32[4]
        # m = state.solver_state[1][0]: f32[4,4]
        np.array(
            [
                [19.217785, 2.9504106, -5.9498744, 2.5173275],
                [2.9504106, 14.085924, -1.9644771, 0.1361047],
                [-5.9498744, -1.9644771, 9.620112, -2.944981],
                [2.5173275, 0.1361047, -2.944981, 17.114998],
            ],
            np.float32,
        ),
        # n = state.solver_state[1][1]: f32[4,4]
        np.array(
            [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]],
            np.float32,
        ),
        1e-06,  # o = state.solver_state[1][2]: f32[] weak
        0.1,  # p = state.solver_state[1][3]: f32[] weak
        # q = params_obj[0]: f32[4,4]
        np.array(
            [
                [19.217785, 2.9504106, -5.9498744, 2.5173275],
                [2.9504106, 14.085924, -1.9644771, 0.1361047],
                [-5.9498744, -1.9644771, 9.620112, -2.944981],
                [2.5173275, 0.1361047, -2.944981, 17.114998],
            ],
            np.float32,
        ),
        np.array([-7.8985786, -4.852061, 7.57871, 0.23509178], np.float32),  # r = params_obj[1]: f32[4]
        # s = params_eq: f32[4,4]
        np.array(
            [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]],
            np.float32,
        ),
        np.array([-0.1, -0.1, -0.1, -0.1], np.float32),  # t = params_ineq[0]: f32[4]
        np.array([0.1, 0.1, 0.1, 0.1], np.float32),  # u = params_ineq[1]: f32[4]
    ]


def repro(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u):
    v = lax.mul(np.float32(1e-06), a)  # f32[4]  tree_util.py:86
    w = lax.sub(v, r)  # f32[4]  osqp.py:626
    x = lax.neg(k)  # f32[] weak  osqp.py:627
    y = lax.convert_element_type(x, f32)  # f32[]  tree_util.py:91
    z = lax.mul(y, b)  # f32[4]  tree_util.py:91
    aa = lax.add(c, z)  # f32[4]  tree_util.py:91
    ab = lax.transpose(s, (1, 0))  # f32[4,4]  linear_operator.py:42
    ac = lax.dot_general(  # f32[4]  linear_operator.py:42
        ab, aa, (((1,), (0,)), ((), ())), preferred_element_type=f32
    )
    ad = lax.sub(w, ac)  # f32[4]  osqp.py:628
    ae = lax.abs(i)  # f32[4]  tree_util.py:188
    af = lax.reduce_max(ae, axes=(0,))  # f32[]  tree_util.py:188
    ag = lax.abs(j)  # f32[4]  tree_util.py:188
    ah = lax.reduce_max(ag, axes=(0,))  # f32[]  tree_util.py:188
    ai = lax.mul(af, ah)  # f32[]  osqp.py:242
    aj = lax.sqrt(ai)  # f32[]  osqp.py:242
    ak = lax.mul(np.float32(0.15), aj)  # f32[]  osqp.py:242
    al, am = lax.device_put_p.bind(  # f32[4], f32[4]  linear_solve.py:183
        ad,
        l,
        copy_semantics=(ArrayCopySemantics.REUSE_INPUT, ArrayCopySemantics.REUSE_INPUT),
        devices=(None, None),
        srcs=(None, None),
    )
    (an,) = lax.linear_solve_p.bind(  # f32[4]  linear_solve.py:183
        m,
        o,
        n,
        p,
        m,
        o,
        n,
        p,
        ak,
        m,
        am,
        o,
        n,
        p,
        ak,
        m,
        am,
        o,
        n,
        p,
        al,
        const_lengths=_LinearSolveTuple(matvec=4, vecmat=4, solve=6, transpose_solve=6),
        jaxprs=_LinearSolveTuple(
            matvec=J(
                solve,
                S((4, 4), f32),
                S((), f32, weak_type=True),
                S((4, 4), f32),
                S((), f32, weak_type=True),
                S((4,), f32),
            ),
            vecmat=J(
                solve,
                S((4, 4), f32),
                S((), f32, weak_type=True),
                S((4, 4), f32),
                S((), f32, weak_type=True),
                S((4,), f32),
            ),
            solve=J(
                solve_2,
                S((), f32),
                S((4, 4), f32),
                S((4,), f32),
                S((), f32, weak_type=True),
                S((4, 4), f32),
                S((), f32, weak_type=True),
                S((4,), f32),
            ),
            transpose_solve=J(
                solve_2,
                S((), f32),
                S((4, 4), f32),
                S((4,), f32),
                S((), f32, weak_type=True),
                S((4, 4), f32),
                S((), f32, weak_type=True),
                S((4,), f32),
            ),
        ),
    )
    ao = lax.dot_general(  # f32[4]  linear_operator.py:39
        s, an, (((1,), (0,)), ((), ())), preferred_element_type=f32
    )
    ap = lax.sub(an, a)  # f32[4]  osqp.py:649
    aq = lax.mul(np.float32(1.6), ap)  # f32[4]  tree_util.py:86
    ar = lax.add(a, aq)  # f32[4]  osqp.py:649
    at = lax.sub(ao, b)  # f32[4]  osqp.py:654
    au = lax.mul(np.float32(1.6), at)  # f32[4]  tree_util.py:86
    av = lax.add(b, au)  # f32[4]  osqp.py:654
    aw = lax.div(weak(1.0, f32), k)  # f32[] weak  osqp.py:655
    ax = lax.convert_element_type(aw, f32)  # f32[]  tree_util.py:86
    ay = lax.mul(ax, c)  # f32[4]  tree_util.py:86
    az = lax.add(av, ay)  # f32[4]  osqp.py:656
    ba = clip(az, t, u)  # f32[4]  osqp.py:44
    bb = lax.sub(av, ba)  # f32[4]  osqp.py:660
    bc = lax.convert_element_type(k, f32)  # f32[]  tree_util.py:86
    bd = lax.mul(bc, bb)  # f32[4]  tree_util.py:86
    be = lax.add(c, bd)  # f32[4]  osqp.py:661
    bf = lax.dot_general(  # f32[4]  linear_operator.py:39
        s, ar, (((1,), (0,)), ((), ())), preferred_element_type=f32
    )
    bg = lax.transpose(s, (1, 0))  # f32[4,4]  linear_operator.py:42
    bh = lax.dot_general(  # f32[4]  linear_operator.py:42
        bg, be, (((1,), (0,)), ((), ())), preferred_element_type=f32
    )
    bi = lax.sub(bf, ba)  # f32[4]  osqp.py:532
    bj = lax.dot_general(  # f32[4]  linear_operator.py:39
        q, ar, (((1,), (0,)), ((), ())), preferred_element_type=f32
    )
    bk = lax.add(bj, r)  # f32[4]  osqp.py:533
    bl = lax.add(bk, bh)  # f32[4]  osqp.py:533
    bm = remainder(f, 10)  # i32[] weak  osqp.py:707
    bn = lax.eq(bm, 0)  # bool[] weak  osqp.py:707
    bo = lax.convert_element_type(bn, i32)  # i32[]  cond.py:24
    bp, bq = lax.cond_p.bind(  # f32[] weak, f32[] weak  cond.py:24
        bo,
        s,
        ar,
        be,
        bi,
        q,
        r,
        bl,
        k,
        an,
        m,
        n,
        o,
        p,
        branches=(
            J(
                branch,
                S((4, 4), f32),
                S((4,), f32),
                S((4,), f32),
                S((4,), f32),
                S((4, 4), f32),
                S((4,), f32),
                S((4,), f32),
                S((), f32, weak_type=True),
                S((4,), f32),
                S((4, 4), f32),
                S((4, 4), f32),
                S((), f32, weak_type=True),
                S((), f32, weak_type=True),
            ),
            J(
                branch_2,
                S((4, 4), f32),
                S((4,), f32),
                S((4,), f32),
                S((4,), f32),
                S((4, 4), f32),
                S((4,), f32),
                S((4,), f32),
                S((), f32, weak_type=True),
                S((4,), f32),
                S((4, 4), f32),
                S((4, 4), f32),
                S((), f32, weak_type=True),
                S((), f32, weak_type=True),
            ),
        ),
    )
    br = lax.ge(be, np.float32(0.0))  # bool[4]  osqp.py:510
    bs = where_2(br, be, 0)  # f32[4]  tree_util.py:210
    bt = lax.neg(be)  # f32[4]  osqp.py:512
    bu = jax.nn.relu(bt)  # f32[4]  osqp.py:512
    bv = remainder(f, 5)  # i32[] weak  osqp.py:718
    bw = lax.eq(bv, 0)  # bool[] weak  osqp.py:718
    bx = lax.convert_element_type(bw, i32)  # i32[]  cond.py:24
    by, bz = lax.cond_p.bind(  # f32[] weak, i32[] weak  cond.py:24
        bx,
        bi,
        bl,
        g,
        h,
        branches=(
            J(branch_3, S((4,), f32), S((4,), f32), S((), f32, weak_type=True), S((), i32, weak_type=True)),
            J(branch_4, S((4,), f32), S((4,), f32), S((), f32, weak_type=True), S((), i32, weak_type=True)),
        ),
    )
    ca = lax.add(f, 1)  # i32[] weak  osqp.py:732
    # result.params.primal[0], result.params.primal[1], result.params.dual_eq, result.params.dual_ineq[0],
    # result.params.dual_ineq[1], result.state.iter_num, result.state.error, result.state.status,
    # result.state.primal_residuals, result.state.dual_residuals, result.state.rho_bar,
    # result.state.solver_state[0], result.state.solver_state[1][0], result.state.solver_state[1][1],
    # result.state.solver_state[1][2], result.state.solver_state[1][3]
    return ar, ba, be, bs, bu, ca, by, bz, bi, bl, bp, an, m, n, o, bq


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
