# /// jace-repro
# schema = 1
# name = "<lambda>"
# origin = "scripts/libraries/jaxopt_implicit.py:34 (<lambda>)"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "22c00068667d3ebde00367fde43d9f495ff00aa27b3d06bd5330fb70e4961159"
# outputs_sha256 = "e9e4602afd415c5b20cd99ce8383b55d33698c0718d6f2b81a010ceffc293682"
# self_check = "exact"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""<lambda> (jaxopt_implicit.py:34): written by jace-repro, needs only jax and numpy."""

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


@jax.jit
def update(a, b, c, d, e):
    f = lax.cos(a)  # f32[] weak  jaxopt_implicit.py:30
    g = lax.mul(0.5, f)  # f32[] weak  jaxopt_implicit.py:30
    h = lax.mul(g, e)  # f32[] weak  jaxopt_implicit.py:30
    i = lax.sub(h, a)  # f32[] weak  fixed_point_iteration.py:114
    j = lax.square(i)  # f32[] weak  tree_util.py:140
    k = lax.square(weak(0.0, f32))  # f32[] weak  tree_util.py:140
    l = lax.add(j, k)  # f32[] weak  tree_util.py:140
    m = lax.convert_element_type(l, f32)  # f32[]  tree_util.py:134
    n = lax.reduce_sum_p.bind(m, axes=(), out_sharding=None)  # f32[]  tree_util.py:134
    o = lax.sqrt(n)  # f32[]  tree_util.py:145
    p = lax.add(b, 1)  # i32[] weak  fixed_point_iteration.py:115
    q = lax.add(d, np.int32(1))  # i32[]  fixed_point_iteration.py:118
    return h, p, o, q


def cond(carry):
    a, b, c, d, e = carry
    f = lax.gt(d, np.float32(1e-05))  # bool[]  base.py:266
    g = lax.le(a, 18)  # bool[] weak  loop.py:53
    h = lax.convert_element_type(g, bool_)  # bool[]  loop.py:53
    i = lax.bitwise_and(f, h)  # bool[]  loop.py:53
    return i


def body(a, carry):
    b, c, d, e, f = carry
    g, h, i, j = update(c, d, e, f, a)  # f32[] weak, i32[] weak, f32[], i32[]  base.py:285
    k = lax.add(b, 1)  # i32[] weak  loop.py:58
    return k, g, h, i, j


@jit("_where")
def where(a, b, c):
    d = lax.select_n(a, c, b)  # f32[] weak
    return d


@jit("_where")
def where_2(a, b, c):
    d = lax.select_n(a, c, b)  # i32[] weak
    return d


@jit("_where")
def where_3(a, b, c):
    d = lax.convert_element_type(b, f32)  # f32[]
    e = lax.select_n(a, c, d)  # f32[]
    return e


@jit("_where")
def where_4(a, b, c):
    d = lax.select_n(a, c, b)  # i32[]
    return d


def solve(a, b, c):
    d = lax.neg(c)  # f32[] weak  fixed_point_iteration.py:130
    e = lax.mul(c, a)  # f32[] weak  jaxopt_implicit.py:30
    f = lax.mul(0.5, e)  # f32[] weak  jaxopt_implicit.py:30
    g = lax.neg(f)  # f32[] weak  jaxopt_implicit.py:30
    h = lax.mul(g, b)  # f32[] weak  jaxopt_implicit.py:30
    i = primitives.add_jaxvals_p.bind(d, h)  # f32[] weak  jaxopt_implicit.py:30
    j = lax.mul(i, b)  # f32[] weak  jaxopt_implicit.py:30
    k = lax.neg(j)  # f32[] weak  jaxopt_implicit.py:30
    l = lax.mul(0.5, k)  # f32[] weak  jaxopt_implicit.py:30
    m = lax.mul(l, a)  # f32[] weak  jaxopt_implicit.py:30
    n = lax.neg(i)  # f32[] weak  fixed_point_iteration.py:130
    o = primitives.add_jaxvals_p.bind(m, n)  # f32[] weak  fixed_point_iteration.py:130
    return o


def cond_2(a, carry):
    b, c, d, e, f = carry
    g = lax.convert_element_type(a, f32)  # f32[]
    h = lax.gt(d, g)  # bool[]
    i = lax.lt(f, 10)  # bool[] weak
    j = lax.convert_element_type(i, bool_)  # bool[]
    k = lax.bitwise_and(h, j)  # bool[]
    return k


def body_2(a, b, carry):
    c, d, e, f, g = carry
    h = lax.neg(f)  # f32[] weak  fixed_point_iteration.py:130
    i = lax.mul(f, a)  # f32[] weak  jaxopt_implicit.py:30
    j = lax.mul(0.5, i)  # f32[] weak  jaxopt_implicit.py:30
    k = lax.neg(j)  # f32[] weak  jaxopt_implicit.py:30
    l = lax.mul(k, b)  # f32[] weak  jaxopt_implicit.py:30
    m = primitives.add_jaxvals_p.bind(h, l)  # f32[] weak  jaxopt_implicit.py:30
    n = lax.mul(m, b)  # f32[] weak  jaxopt_implicit.py:30
    o = lax.neg(n)  # f32[] weak  jaxopt_implicit.py:30
    p = lax.mul(0.5, o)  # f32[] weak  jaxopt_implicit.py:30
    q = lax.mul(p, a)  # f32[] weak  jaxopt_implicit.py:30
    r = lax.neg(m)  # f32[] weak  fixed_point_iteration.py:130
    s = primitives.add_jaxvals_p.bind(q, r)  # f32[] weak  fixed_point_iteration.py:130
    t = lax.reshape(f, (1,))  # f32[1] weak
    u = lax.reshape(s, (1,))  # f32[1] weak
    v = lax.dot_general(  # f32[] weak
        t, u, (((0,), (0,)), ((), ())), precision=lax.Precision.HIGHEST, preferred_element_type=f32
    )
    w = lax.add(weak(0.0, f32), v)  # f32[] weak
    x = lax.convert_element_type(w, f32)  # f32[]
    y = lax.div(e, x)  # f32[]
    z = lax.convert_element_type(f, f32)  # f32[]
    aa = lax.mul(y, z)  # f32[]
    ab = lax.convert_element_type(c, f32)  # f32[]
    ac = lax.add(ab, aa)  # f32[]
    ad = lax.convert_element_type(s, f32)  # f32[]
    ae = lax.mul(y, ad)  # f32[]
    af = lax.convert_element_type(d, f32)  # f32[]
    ag = lax.sub(af, ae)  # f32[]
    ah = lax.reshape(ag, (1,))  # f32[1]
    ai = lax.reshape(ag, (1,))  # f32[1]
    aj = lax.dot_general(  # f32[]
        ah, ai, (((0,), (0,)), ((), ())), precision=lax.Precision.HIGHEST, preferred_element_type=f32
    )
    ak = lax.add(np.float32(0.0), aj)  # f32[]
    al = lax.div(ak, e)  # f32[]
    am = lax.convert_element_type(f, f32)  # f32[]
    an = lax.mul(al, am)  # f32[]
    ao = lax.add(ag, an)  # f32[]
    ap = lax.add(g, 1)  # i32[] weak
    return ac, ag, ak, ao, ap


def solve_2(a, b, c, d):
    e = lax.reshape(d, (1,))  # f32[1] weak
    f = lax.reshape(d, (1,))  # f32[1] weak
    g = lax.dot_general(  # f32[] weak
        e, f, (((0,), (0,)), ((), ())), precision=lax.Precision.HIGHEST, preferred_element_type=f32
    )
    h = lax.add(weak(0.0, f32), g)  # f32[] weak
    i = lax.square(1e-05)  # f32[] weak
    j = lax.mul(i, h)  # f32[] weak
    k = lax.square(0.0)  # f32[] weak
    l = lax.max(j, k)  # f32[] weak
    m = lax.neg(a)  # f32[] weak  fixed_point_iteration.py:130
    n = lax.mul(a, b)  # f32[] weak  jaxopt_implicit.py:30
    o = lax.mul(0.5, n)  # f32[] weak  jaxopt_implicit.py:30
    p = lax.neg(o)  # f32[] weak  jaxopt_implicit.py:30
    q = lax.mul(p, c)  # f32[] weak  jaxopt_implicit.py:30
    r = primitives.add_jaxvals_p.bind(m, q)  # f32[] weak  jaxopt_implicit.py:30
    s = lax.mul(r, c)  # f32[] weak  jaxopt_implicit.py:30
    t = lax.neg(s)  # f32[] weak  jaxopt_implicit.py:30
    u = lax.mul(0.5, t)  # f32[] weak  jaxopt_implicit.py:30
    v = lax.mul(u, b)  # f32[] weak  jaxopt_implicit.py:30
    w = lax.neg(r)  # f32[] weak  fixed_point_iteration.py:130
    x = primitives.add_jaxvals_p.bind(v, w)  # f32[] weak  fixed_point_iteration.py:130
    y = lax.sub(d, x)  # f32[] weak
    z = lax.reshape(y, (1,))  # f32[1] weak
    aa = lax.reshape(y, (1,))  # f32[1] weak
    ab = lax.dot_general(  # f32[] weak
        z, aa, (((0,), (0,)), ((), ())), precision=lax.Precision.HIGHEST, preferred_element_type=f32
    )
    ac = lax.add(weak(0.0, f32), ab)  # f32[] weak
    ad = lax.convert_element_type(ac, f32)  # f32[]
    ae, _, _, _, _ = lax.while_loop(  # f32[], f32[], f32[], f32[], i32[] weak
        functools.partial(cond_2, l), functools.partial(body_2, b, c), (a, y, ad, y, 0)
    )
    return ae


@jax.custom_vjp
def solver_fun_flat(a, b):
    c, d, e, f = update(a, 0, np.inf, np.int32(0), b)  # f32[] weak, i32[] weak, f32[], i32[]  base.py:320
    _, g, h, i, j = lax.while_loop(  # i32[] weak, f32[] weak, i32[] weak, f32[], i32[]  loop.py:60
        cond, functools.partial(body, b), (0, c, d, e, f)
    )
    k = where(False, a, g)  # f32[] weak  base.py:368
    l = where_2(False, 0, h)  # i32[] weak  base.py:368
    m = where_3(False, np.inf, i)  # f32[]  base.py:368
    n = where_4(False, np.int32(0), j)  # i32[]  base.py:368
    return k, l, m, n


def solver_fun_flat_fwd(a, b):
    c, d, e, f = solver_fun_flat(a, b)  # f32[] weak, i32[] weak, f32[], i32[]  implicit_diff.py:210
    return (c, d, e, f), (c, d, e, f, a, b)


def solver_fun_flat_bwd(residuals, cotangents):
    a, b, c, d, e, f = residuals
    g, h, i, j = cotangents
    k = lax.cos(a)  # f32[] weak  jaxopt_implicit.py:30
    l = lax.sin(a)  # f32[] weak  jaxopt_implicit.py:30
    m = lax.mul(0.5, k)  # f32[] weak  jaxopt_implicit.py:30
    n = lax.mul(m, f)  # f32[] weak  jaxopt_implicit.py:30
    _ = lax.sub(n, a)  # f32[] weak  fixed_point_iteration.py:130
    o = lax.mul(weak(-1.0, f32), g)  # f32[] weak  tree_util.py:86
    p = lax.mul(o, l)  # f32[] weak  jaxopt_implicit.py:30
    q = lax.neg(p)  # f32[] weak  jaxopt_implicit.py:30
    r = lax.mul(0.5, q)  # f32[] weak  jaxopt_implicit.py:30
    s = lax.mul(r, f)  # f32[] weak  jaxopt_implicit.py:30
    t = lax.neg(o)  # f32[] weak  fixed_point_iteration.py:130
    u = primitives.add_jaxvals_p.bind(s, t)  # f32[] weak  fixed_point_iteration.py:130
    v, w = lax.device_put_p.bind(  # f32[] weak, f32[] weak  linear_solve.py:238
        u,
        weak(0.0, f32),
        copy_semantics=(ArrayCopySemantics.REUSE_INPUT, ArrayCopySemantics.REUSE_INPUT),
        devices=(None, None),
        srcs=(None, None),
    )
    (x,) = lax.linear_solve_p.bind(  # f32[] weak  linear_solve.py:238
        f,
        l,
        f,
        l,
        w,
        f,
        l,
        w,
        f,
        l,
        v,
        const_lengths=_LinearSolveTuple(matvec=2, vecmat=2, solve=3, transpose_solve=3),
        jaxprs=_LinearSolveTuple(
            matvec=J(
                solve, S((), f32, weak_type=True), S((), f32, weak_type=True), S((), f32, weak_type=True)
            ),
            vecmat=J(
                solve, S((), f32, weak_type=True), S((), f32, weak_type=True), S((), f32, weak_type=True)
            ),
            solve=J(
                solve_2,
                S((), f32, weak_type=True),
                S((), f32, weak_type=True),
                S((), f32, weak_type=True),
                S((), f32, weak_type=True),
            ),
            transpose_solve=J(
                solve_2,
                S((), f32, weak_type=True),
                S((), f32, weak_type=True),
                S((), f32, weak_type=True),
                S((), f32, weak_type=True),
            ),
        ),
    )
    y = lax.cos(a)  # f32[] weak  jaxopt_implicit.py:30
    z = lax.mul(0.5, y)  # f32[] weak  jaxopt_implicit.py:30
    aa = lax.mul(z, f)  # f32[] weak  jaxopt_implicit.py:30
    _ = lax.sub(aa, a)  # f32[] weak  fixed_point_iteration.py:130
    ab = lax.mul(z, x)  # f32[] weak  jaxopt_implicit.py:30
    return (None, ab)


solver_fun_flat.defvjp(solver_fun_flat_fwd, solver_fun_flat_bwd)


def solve_3(a, b, c):
    d = lax.neg(c)  # f32[] weak  implicit_diff.py:251
    e = lax.mul(c, a)  # f32[] weak  implicit_diff.py:251
    f = lax.mul(0.5, e)  # f32[] weak  implicit_diff.py:251
    g = lax.neg(f)  # f32[] weak  implicit_diff.py:251
    h = lax.mul(g, b)  # f32[] weak  implicit_diff.py:251
    i = primitives.add_jaxvals_p.bind(d, h)  # f32[] weak  implicit_diff.py:251
    j = lax.mul(i, b)  # f32[] weak  implicit_diff.py:251
    k = lax.neg(j)  # f32[] weak  implicit_diff.py:251
    l = lax.mul(0.5, k)  # f32[] weak  implicit_diff.py:251
    m = lax.mul(l, a)  # f32[] weak  implicit_diff.py:251
    n = lax.neg(i)  # f32[] weak  implicit_diff.py:251
    o = primitives.add_jaxvals_p.bind(m, n)  # f32[] weak  implicit_diff.py:251
    return o


def cond_3(a, carry):
    b, c, d, e, f = carry
    g = lax.convert_element_type(a, f32)  # f32[]  implicit_diff.py:251
    h = lax.gt(d, g)  # bool[]  implicit_diff.py:251
    i = lax.lt(f, 10)  # bool[] weak  implicit_diff.py:251
    j = lax.convert_element_type(i, bool_)  # bool[]  implicit_diff.py:251
    k = lax.bitwise_and(h, j)  # bool[]  implicit_diff.py:251
    return k


def body_3(a, b, carry):
    c, d, e, f, g = carry
    h = lax.neg(f)  # f32[] weak  implicit_diff.py:251
    i = lax.mul(f, a)  # f32[] weak  implicit_diff.py:251
    j = lax.mul(0.5, i)  # f32[] weak  implicit_diff.py:251
    k = lax.neg(j)  # f32[] weak  implicit_diff.py:251
    l = lax.mul(k, b)  # f32[] weak  implicit_diff.py:251
    m = primitives.add_jaxvals_p.bind(h, l)  # f32[] weak  implicit_diff.py:251
    n = lax.mul(m, b)  # f32[] weak  implicit_diff.py:251
    o = lax.neg(n)  # f32[] weak  implicit_diff.py:251
    p = lax.mul(0.5, o)  # f32[] weak  implicit_diff.py:251
    q = lax.mul(p, a)  # f32[] weak  implicit_diff.py:251
    r = lax.neg(m)  # f32[] weak  implicit_diff.py:251
    s = primitives.add_jaxvals_p.bind(q, r)  # f32[] weak  implicit_diff.py:251
    t = lax.reshape(f, (1,))  # f32[1] weak  implicit_diff.py:251
    u = lax.reshape(s, (1,))  # f32[1] weak  implicit_diff.py:251
    v = lax.dot_general(  # f32[] weak  implicit_diff.py:251
        t, u, (((0,), (0,)), ((), ())), precision=lax.Precision.HIGHEST, preferred_element_type=f32
    )
    w = lax.add(weak(0.0, f32), v)  # f32[] weak  implicit_diff.py:251
    x = lax.convert_element_type(w, f32)  # f32[]  implicit_diff.py:251
    y = lax.div(e, x)  # f32[]  implicit_diff.py:251
    z = lax.convert_element_type(f, f32)  # f32[]  implicit_diff.py:251
    aa = lax.mul(y, z)  # f32[]  implicit_diff.py:251
    ab = lax.convert_element_type(c, f32)  # f32[]  implicit_diff.py:251
    ac = lax.add(ab, aa)  # f32[]  implicit_diff.py:251
    ad = lax.convert_element_type(s, f32)  # f32[]  implicit_diff.py:251
    ae = lax.mul(y, ad)  # f32[]  implicit_diff.py:251
    af = lax.convert_element_type(d, f32)  # f32[]  implicit_diff.py:251
    ag = lax.sub(af, ae)  # f32[]  implicit_diff.py:251
    ah = lax.reshape(ag, (1,))  # f32[1]  implicit_diff.py:251
    ai = lax.reshape(ag, (1,))  # f32[1]  implicit_diff.py:251
    aj = lax.dot_general(  # f32[]  implicit_diff.py:251
        ah, ai, (((0,), (0,)), ((), ())), precision=lax.Precision.HIGHEST, preferred_element_type=f32
    )
    ak = lax.add(np.float32(0.0), aj)  # f32[]  implicit_diff.py:251
    al = lax.div(ak, e)  # f32[]  implicit_diff.py:251
    am = lax.convert_element_type(f, f32)  # f32[]  implicit_diff.py:251
    an = lax.mul(al, am)  # f32[]  implicit_diff.py:251
    ao = lax.add(ag, an)  # f32[]  implicit_diff.py:251
    ap = lax.add(g, 1)  # i32[] weak  implicit_diff.py:251
    return ac, ag, ak, ao, ap


def solve_4(a, b, c, d):
    e = lax.reshape(d, (1,))  # f32[1] weak  implicit_diff.py:251
    f = lax.reshape(d, (1,))  # f32[1] weak  implicit_diff.py:251
    g = lax.dot_general(  # f32[] weak  implicit_diff.py:251
        e, f, (((0,), (0,)), ((), ())), precision=lax.Precision.HIGHEST, preferred_element_type=f32
    )
    h = lax.add(weak(0.0, f32), g)  # f32[] weak  implicit_diff.py:251
    i = lax.square(1e-05)  # f32[] weak  implicit_diff.py:251
    j = lax.mul(i, h)  # f32[] weak  implicit_diff.py:251
    k = lax.square(0.0)  # f32[] weak  implicit_diff.py:251
    l = lax.max(j, k)  # f32[] weak  implicit_diff.py:251
    m = lax.neg(a)  # f32[] weak  implicit_diff.py:251
    n = lax.mul(a, b)  # f32[] weak  implicit_diff.py:251
    o = lax.mul(0.5, n)  # f32[] weak  implicit_diff.py:251
    p = lax.neg(o)  # f32[] weak  implicit_diff.py:251
    q = lax.mul(p, c)  # f32[] weak  implicit_diff.py:251
    r = primitives.add_jaxvals_p.bind(m, q)  # f32[] weak  implicit_diff.py:251
    s = lax.mul(r, c)  # f32[] weak  implicit_diff.py:251
    t = lax.neg(s)  # f32[] weak  implicit_diff.py:251
    u = lax.mul(0.5, t)  # f32[] weak  implicit_diff.py:251
    v = lax.mul(u, b)  # f32[] weak  implicit_diff.py:251
    w = lax.neg(r)  # f32[] weak  implicit_diff.py:251
    x = primitives.add_jaxvals_p.bind(v, w)  # f32[] weak  implicit_diff.py:251
    y = lax.sub(d, x)  # f32[] weak  implicit_diff.py:251
    z = lax.reshape(y, (1,))  # f32[1] weak  implicit_diff.py:251
    aa = lax.reshape(y, (1,))  # f32[1] weak  implicit_diff.py:251
    ab = lax.dot_general(  # f32[] weak  implicit_diff.py:251
        z, aa, (((0,), (0,)), ((), ())), precision=lax.Precision.HIGHEST, preferred_element_type=f32
    )
    ac = lax.add(weak(0.0, f32), ab)  # f32[] weak  implicit_diff.py:251
    ad = lax.convert_element_type(ac, f32)  # f32[]  implicit_diff.py:251
    ae, _, _, _, _ = lax.while_loop(  # f32[], f32[], f32[], f32[], i32[] weak  implicit_diff.py:251
        functools.partial(cond_3, l), functools.partial(body_3, b, c), (a, y, ad, y, 0)
    )
    return ae


def inputs():
    return [
        0.8,  # a = a: f32[] weak
    ]


def repro(a):
    b, _, _, _ = solver_fun_flat(0.2, a)  # f32[] weak, i32[] weak, f32[], i32[]  implicit_diff.py:210
    c = lax.cos(b)  # f32[] weak  implicit_diff.py:251
    d = lax.sin(b)  # f32[] weak  implicit_diff.py:251
    e = lax.mul(0.5, c)  # f32[] weak  implicit_diff.py:251
    f = lax.mul(e, a)  # f32[] weak  implicit_diff.py:251
    _ = lax.sub(f, b)  # f32[] weak  implicit_diff.py:251
    g = lax.mul(weak(-1.0, f32), weak(1.0, f32))  # f32[] weak  implicit_diff.py:251
    h = lax.mul(g, d)  # f32[] weak  implicit_diff.py:251
    i = lax.neg(h)  # f32[] weak  implicit_diff.py:251
    j = lax.mul(0.5, i)  # f32[] weak  implicit_diff.py:251
    k = lax.mul(j, a)  # f32[] weak  implicit_diff.py:251
    l = lax.neg(g)  # f32[] weak  implicit_diff.py:251
    m = primitives.add_jaxvals_p.bind(k, l)  # f32[] weak  implicit_diff.py:251
    n, o = lax.device_put_p.bind(  # f32[] weak, f32[] weak  implicit_diff.py:251
        m,
        weak(0.0, f32),
        copy_semantics=(ArrayCopySemantics.REUSE_INPUT, ArrayCopySemantics.REUSE_INPUT),
        devices=(None, None),
        srcs=(None, None),
    )
    (p,) = lax.linear_solve_p.bind(  # f32[] weak  implicit_diff.py:251
        a,
        d,
        a,
        d,
        o,
        a,
        d,
        o,
        a,
        d,
        n,
        const_lengths=_LinearSolveTuple(matvec=2, vecmat=2, solve=3, transpose_solve=3),
        jaxprs=_LinearSolveTuple(
            matvec=J(
                solve_3, S((), f32, weak_type=True), S((), f32, weak_type=True), S((), f32, weak_type=True)
            ),
            vecmat=J(
                solve_3, S((), f32, weak_type=True), S((), f32, weak_type=True), S((), f32, weak_type=True)
            ),
            solve=J(
                solve_4,
                S((), f32, weak_type=True),
                S((), f32, weak_type=True),
                S((), f32, weak_type=True),
                S((), f32, weak_type=True),
            ),
            transpose_solve=J(
                solve_4,
                S((), f32, weak_type=True),
                S((), f32, weak_type=True),
                S((), f32, weak_type=True),
                S((), f32, weak_type=True),
            ),
        ),
    )
    q = lax.cos(b)  # f32[] weak  implicit_diff.py:251
    r = lax.mul(0.5, q)  # f32[] weak  implicit_diff.py:251
    s = lax.mul(r, a)  # f32[] weak  implicit_diff.py:251
    _ = lax.sub(s, b)  # f32[] weak  implicit_diff.py:251
    t = lax.mul(r, p)  # f32[] weak  implicit_diff.py:251
    return t


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
