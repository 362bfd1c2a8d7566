# /// jace-repro
# schema = 1
# name = "newton"
# origin = "scripts/libraries/jaxscipy_special_stats.py:19 (newton)"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "0156b97062891bc37f5e550a7e2a856b9a10a4ea4b1e9e4f0d3be096ce6ccddf"
# outputs_sha256 = "2352169834bb9a4574048a640fb75636f7910672ec20fcfe1c282c40987583b9"
# sidecar_sha256 = "844b61eae3a7bb2f52d259815846620c6f43c1f235a6ac768cbe2db380c65360"
# self_check = "exact"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""newton (jaxscipy_special_stats.py:19): written by jace-repro, needs only jax and numpy."""

import hashlib
import io
import pathlib

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax._src import core, dtypes, source_info_util
from jax._src.lax.control_flow.solves import _LinearSolveTuple
from jax._src.mesh import empty_abstract_mesh
from jax.extend.core import primitives
from jax.sharding import PartitionSpec as P

S = jax.ShapeDtypeStruct
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


def raw(primitive, *args, **params):
    """Stage an equation exactly as given, where bind would simplify it away or rewrite it."""
    trace, source = core.trace_ctx.trace, source_info_util.current()
    known = [x if isinstance(x, core.Tracer) else dtypes.canonicalize_value(x) for x in args]
    operands = [trace.to_jaxpr_tracer(x, source) for x in known]
    if "call_jaxpr" in params:
        body = params["call_jaxpr"]
        avals, effects = [v.aval for v in body.outvars], body.effects
    else:
        avals, effects = primitive.abstract_eval(*[x.aval for x in operands], **params)
    results = trace.emit_eqn(
        operands, avals if primitive.multiple_results else [avals], primitive, params, effects
    )
    return results if primitive.multiple_results else results[0]


SIDECAR_SHA256 = "844b61eae3a7bb2f52d259815846620c6f43c1f235a6ac768cbe2db380c65360"


def read_sidecar():
    """The arrays in the .npz file beside this script."""
    path = pathlib.Path(__file__).with_suffix(".npz")
    data = path.read_bytes()
    if hashlib.sha256(data).hexdigest() != SIDECAR_SHA256:
        raise SystemExit(f"{path} is not the file that belongs to this script (sha256 differs)")
    return dict(np.load(io.BytesIO(data)))


ARRAYS = globals().get("ARRAYS") or read_sidecar()  # whoever executes this text may put them there


C0 = jnp.asarray(ARRAYS["c0"])
C1 = jnp.asarray(ARRAYS["c1"])


@jit("_where")
def where(a, b, c):
    d = lax.select_n(a, c, b)  # f32[20]  jaxscipy_special_stats.py:16
    return d


@jax.custom_jvp
def xlogy(a, b):
    c = lax.ne(a, np.float32(0.0))  # bool[20]  jaxscipy_special_stats.py:16
    d = lax.log(b)  # f32[20]  jaxscipy_special_stats.py:16
    e = lax.mul(a, d)  # f32[20]  jaxscipy_special_stats.py:16
    f = lax.broadcast_in_dim(np.float32(0.0), (20,), ())  # f32[20]  jaxscipy_special_stats.py:16
    g = where(c, e, f)  # f32[20]  jaxscipy_special_stats.py:16
    return g


@xlogy.defjvp
def xlogy_jvp(primals, tangents):
    a, b = primals
    c, d = tangents
    e = xlogy(a, b)  # f32[20]
    f = lax.log(b)  # f32[20]
    g = lax.mul(c, f)  # f32[20]
    h = lax.mul(d, a)  # f32[20]
    i = lax.div(h, b)  # f32[20]
    j = lax.add(g, i)  # f32[20]
    return e, j


@jax.jit
def round(a):
    b = lax.round_p.bind(a, rounding_method=lax.RoundingMethod.TO_NEAREST_EVEN)  # f32[20]
    return b


@jit("_where")
def where_2(a, b, c, d):
    e = lax.convert_element_type(b, f32)  # f32[]
    f = lax.broadcast_in_dim(e, (20,), ())  # f32[20]
    g = lax.select_n(a, c, f)  # f32[20]
    h = lax.broadcast_in_dim(np.float32(0.0), (20,), ())  # f32[20]
    i = lax.broadcast_in_dim(a, (2, 20), (1,))  # bool[2,20]
    j = lax.broadcast_in_dim(h, (2, 20), (1,))  # f32[2,20]
    k = lax.select_n(i, d, j)  # f32[2,20]
    l = lax.broadcast_in_dim(np.float32(0.0), (20,), ())  # f32[20]
    return g, l, k


@jax.jit
def log_posterior(a, b):
    c = lax.dot_general(  # f32[20]  jaxscipy_special_stats.py:15
        C0, a, (((1,), (0,)), ((), ())), preferred_element_type=f32
    )
    d = lax.dot_general(  # f32[20,2]  jaxscipy_special_stats.py:15
        C0, b, (((1,), (1,)), ((), ())), preferred_element_type=f32
    )
    e = lax.add(c, np.float32(0.5))  # f32[20]  jaxscipy_special_stats.py:15
    f = lax.exp(e)  # f32[20]  jaxscipy_special_stats.py:15
    g = lax.transpose(d, (1, 0))  # f32[2,20]  jaxscipy_special_stats.py:15
    h = lax.broadcast_in_dim(f, (1, 20), (1,))  # f32[1,20]  jaxscipy_special_stats.py:15
    i = lax.mul(g, h)  # f32[2,20]  jaxscipy_special_stats.py:15
    j = lax.convert_element_type(C1, f32)  # f32[20]  jaxscipy_special_stats.py:16
    k = lax.sub(j, np.float32(0.0))  # f32[20]  jaxscipy_special_stats.py:16
    l = lax.broadcast_in_dim(np.float32(0.0), (20,), ())  # f32[20]  jaxscipy_special_stats.py:16
    m = lax.broadcast_in_dim(np.float32(0.0), (20,), ())  # f32[20]  jaxscipy_special_stats.py:16
    n = xlogy(k, f)  # f32[20]  jaxscipy_special_stats.py:16
    o = lax.log(f)  # f32[20]  jaxscipy_special_stats.py:16
    p = lax.mul(m, o)  # f32[20]  jaxscipy_special_stats.py:16
    q = lax.broadcast_in_dim(k, (1, 20), (1,))  # f32[1,20]  jaxscipy_special_stats.py:16
    r = lax.mul(i, q)  # f32[2,20]  jaxscipy_special_stats.py:16
    s = lax.broadcast_in_dim(f, (1, 20), (1,))  # f32[1,20]  jaxscipy_special_stats.py:16
    t = lax.div(r, s)  # f32[2,20]  jaxscipy_special_stats.py:16
    u = lax.broadcast_in_dim(p, (1, 20), (1,))  # f32[1,20]  jaxscipy_special_stats.py:16
    v = lax.add(u, t)  # f32[2,20]  jaxscipy_special_stats.py:16
    w = lax.log(f)  # f32[20]  jaxscipy_special_stats.py:16
    x = lax.broadcast_in_dim(f, (1, 20), (1,))  # f32[1,20]  jaxscipy_special_stats.py:16
    y = lax.div(i, x)  # f32[2,20]  jaxscipy_special_stats.py:16
    z = lax.mul(l, w)  # f32[20]  jaxscipy_special_stats.py:16
    aa = lax.broadcast_in_dim(l, (1, 20), (1,))  # f32[1,20]  jaxscipy_special_stats.py:16
    ab = lax.mul(aa, y)  # f32[2,20]  jaxscipy_special_stats.py:16
    ac = lax.add(k, np.float32(1.0))  # f32[20]  jaxscipy_special_stats.py:16
    ad = lax.lgamma(ac)  # f32[20]  jaxscipy_special_stats.py:16
    ae = lax.sub(n, ad)  # f32[20]  jaxscipy_special_stats.py:16
    af = lax.sub(ae, f)  # f32[20]  jaxscipy_special_stats.py:16
    ag = lax.sub(v, i)  # f32[2,20]  jaxscipy_special_stats.py:16
    ah = lax.lt(k, np.float32(0.0))  # bool[20]  jaxscipy_special_stats.py:16
    ai = round(j)  # f32[20]  jaxscipy_special_stats.py:16
    aj = lax.ne(ai, j)  # bool[20]  jaxscipy_special_stats.py:16
    ak = lax.bitwise_or(ah, aj)  # bool[20]  jaxscipy_special_stats.py:16
    al, am, an = where_2(ak, -np.inf, af, ag)  # f32[20], f32[20], f32[2,20]  jaxscipy_special_stats.py:16
    ao = lax.reduce_sum(al, axes=(0,))  # f32[]  jaxscipy_special_stats.py:16
    ap = lax.reduce_sum(an, axes=(1,))  # f32[2]  jaxscipy_special_stats.py:16
    aq = lax.square(np.float32(2.0))  # f32[]  jaxscipy_special_stats.py:16
    ar = lax.mul(np.float32(6.2831855), aq)  # f32[]  jaxscipy_special_stats.py:16
    at = lax.log(ar)  # f32[]  jaxscipy_special_stats.py:16
    au = lax.sub(a, np.float32(0.0))  # f32[2]  jaxscipy_special_stats.py:16
    av = lax.square(au)  # f32[2]  jaxscipy_special_stats.py:16
    aw = lax.mul(np.float32(2.0), au)  # f32[2]  jaxscipy_special_stats.py:16
    ax = lax.broadcast_in_dim(aw, (1, 2), (1,))  # f32[1,2]  jaxscipy_special_stats.py:16
    ay = lax.mul(b, ax)  # f32[2,2]  jaxscipy_special_stats.py:16
    az = lax.mul(np.float32(2.0), au)  # f32[2]  jaxscipy_special_stats.py:16
    ba = lax.mul(np.float32(2.0), b)  # f32[2,2]  jaxscipy_special_stats.py:16
    bb = lax.div(av, aq)  # f32[2]  jaxscipy_special_stats.py:16
    bc = lax.div(ay, aq)  # f32[2,2]  jaxscipy_special_stats.py:16
    bd = lax.add(at, bb)  # f32[2]  jaxscipy_special_stats.py:16
    be = lax.div(bd, np.float32(-2.0))  # f32[2]  jaxscipy_special_stats.py:16
    bf = lax.div(bc, np.float32(-2.0))  # f32[2,2]  jaxscipy_special_stats.py:16
    bg = lax.reduce_sum(be, axes=(0,))  # f32[]  jaxscipy_special_stats.py:16
    bh = lax.reduce_sum(bf, axes=(1,))  # f32[2]  jaxscipy_special_stats.py:16
    bi = lax.add(ao, bg)  # f32[]  jaxscipy_special_stats.py:16
    bj = lax.add(ap, bh)  # f32[2]  jaxscipy_special_stats.py:16
    return bi, f, k, z, ak, am, az, aq, bj, i, ab, ba


@jit("_where")
def where_3(a, b, c):
    d = lax.broadcast_in_dim(np.float32(0.0), (20,), ())  # f32[20]
    e = lax.broadcast_in_dim(a, (1, 20), (1,))  # bool[1,20]
    f = lax.broadcast_in_dim(d, (1, 20), (1,))  # f32[1,20]
    g = lax.select_n(e, c, f)  # f32[1,20]
    return g


@jax.jit
def log_posterior_2(a, b, c, d, e, f, g, h, i, j, k, l):
    m = lax.broadcast_in_dim(i, (1, 2), (0,))  # f32[1,2]  jaxscipy_special_stats.py:16
    n = lax.div(m, np.float32(-2.0))  # f32[1,2]  jaxscipy_special_stats.py:16
    o = lax.div(n, h)  # f32[1,2]  jaxscipy_special_stats.py:16
    p = lax.broadcast_in_dim(g, (1, 2), (1,))  # f32[1,2]  jaxscipy_special_stats.py:16
    q = lax.broadcast_in_dim(l, (2, 1, 2), (0, 2))  # f32[2,1,2]  jaxscipy_special_stats.py:16
    r = lax.mul(o, p)  # f32[1,2]  jaxscipy_special_stats.py:16
    s = lax.broadcast_in_dim(o, (1, 1, 2), (1, 2))  # f32[1,1,2]  jaxscipy_special_stats.py:16
    t = lax.mul(s, q)  # f32[2,1,2]  jaxscipy_special_stats.py:16
    u = lax.broadcast_in_dim(i, (1, 20), (0,))  # f32[1,20]  jaxscipy_special_stats.py:16
    v = where_3(e, f, u)  # f32[1,20]  jaxscipy_special_stats.py:16
    w = lax.neg(v)  # f32[1,20]  jaxscipy_special_stats.py:16
    x = lax.broadcast_in_dim(b, (1, 20), (1,))  # f32[1,20]  jaxscipy_special_stats.py:16
    y = lax.broadcast_in_dim(j, (2, 1, 20), (0, 2))  # f32[2,1,20]  jaxscipy_special_stats.py:16
    z = lax.div(v, x)  # f32[1,20]  jaxscipy_special_stats.py:16
    aa = lax.neg(y)  # f32[2,1,20]  jaxscipy_special_stats.py:16
    ab = lax.broadcast_in_dim(v, (1, 1, 20), (1, 2))  # f32[1,1,20]  jaxscipy_special_stats.py:16
    ac = lax.mul(aa, ab)  # f32[2,1,20]  jaxscipy_special_stats.py:16
    ad = lax.integer_pow(x, -2)  # f32[1,20]  jaxscipy_special_stats.py:16
    ae = lax.broadcast_in_dim(ad, (1, 1, 20), (1, 2))  # f32[1,1,20]  jaxscipy_special_stats.py:16
    af = lax.mul(ac, ae)  # f32[2,1,20]  jaxscipy_special_stats.py:16
    ag = lax.broadcast_in_dim(c, (1, 20), (1,))  # f32[1,20]  jaxscipy_special_stats.py:16
    ah = lax.mul(z, ag)  # f32[1,20]  jaxscipy_special_stats.py:16
    ai = lax.broadcast_in_dim(ag, (1, 1, 20), (1, 2))  # f32[1,1,20]  jaxscipy_special_stats.py:16
    aj = lax.mul(af, ai)  # f32[2,1,20]  jaxscipy_special_stats.py:16
    ak = primitives.add_jaxvals_p.bind(w, ah)  # f32[1,20]  jaxscipy_special_stats.py:16
    al = lax.broadcast_in_dim(np.float32(0.0), (1, 20), ())  # f32[1,20]  jaxscipy_special_stats.py:16
    am = lax.broadcast_in_dim(al, (2, 1, 20), (1, 2))  # f32[2,1,20]  jaxscipy_special_stats.py:16
    an = primitives.add_jaxvals_p.bind(am, aj)  # f32[2,1,20]  jaxscipy_special_stats.py:16
    ao = lax.broadcast_in_dim(b, (1, 20), (1,))  # f32[1,20]  jaxscipy_special_stats.py:15
    ap = lax.broadcast_in_dim(j, (2, 1, 20), (0, 2))  # f32[2,1,20]  jaxscipy_special_stats.py:15
    aq = lax.mul(ak, ao)  # f32[1,20]  jaxscipy_special_stats.py:15
    ar = lax.broadcast_in_dim(ao, (1, 1, 20), (1, 2))  # f32[1,1,20]  jaxscipy_special_stats.py:15
    at = lax.mul(an, ar)  # f32[2,1,20]  jaxscipy_special_stats.py:15
    au = lax.broadcast_in_dim(ak, (1, 1, 20), (1, 2))  # f32[1,1,20]  jaxscipy_special_stats.py:15
    av = lax.mul(au, ap)  # f32[2,1,20]  jaxscipy_special_stats.py:15
    aw = primitives.add_jaxvals_p.bind(at, av)  # f32[2,1,20]  jaxscipy_special_stats.py:15
    ax = lax.dot_general(  # f32[1,2]  jaxscipy_special_stats.py:15
        aq, a, (((1,), (0,)), ((), ())), preferred_element_type=f32
    )
    ay = lax.dot_general(  # f32[2,1,2]  jaxscipy_special_stats.py:15
        aw, a, (((2,), (0,)), ((), ())), preferred_element_type=f32
    )
    az = primitives.add_jaxvals_p.bind(r, ax)  # f32[1,2]  jaxscipy_special_stats.py:15
    ba = primitives.add_jaxvals_p.bind(t, ay)  # f32[2,1,2]  jaxscipy_special_stats.py:15
    return az, ba


@jit("_where")
def where_4(a, b, c):
    d = lax.convert_element_type(b, f32)  # f32[]
    e = lax.broadcast_in_dim(d, (20,), ())  # f32[20]
    f = lax.select_n(a, c, e)  # f32[20]
    g = lax.broadcast_in_dim(np.float32(0.0), (20,), ())  # f32[20]
    return f, g


@jax.jit
def log_posterior_3(a):
    b = lax.dot_general(  # f32[20]  jaxscipy_special_stats.py:15
        C0, a, (((1,), (0,)), ((), ())), preferred_element_type=f32
    )
    c = lax.add(b, np.float32(0.5))  # f32[20]  jaxscipy_special_stats.py:15
    d = lax.exp(c)  # f32[20]  jaxscipy_special_stats.py:15
    e = lax.convert_element_type(C1, f32)  # f32[20]  jaxscipy_special_stats.py:16
    f = lax.sub(e, np.float32(0.0))  # f32[20]  jaxscipy_special_stats.py:16
    g = lax.broadcast_in_dim(np.float32(0.0), (20,), ())  # f32[20]  jaxscipy_special_stats.py:16
    h = xlogy(f, d)  # f32[20]  jaxscipy_special_stats.py:16
    i = lax.log(d)  # f32[20]  jaxscipy_special_stats.py:16
    j = lax.mul(g, i)  # f32[20]  jaxscipy_special_stats.py:16
    k = lax.add(f, np.float32(1.0))  # f32[20]  jaxscipy_special_stats.py:16
    l = lax.lgamma(k)  # f32[20]  jaxscipy_special_stats.py:16
    m = lax.sub(h, l)  # f32[20]  jaxscipy_special_stats.py:16
    n = lax.sub(m, d)  # f32[20]  jaxscipy_special_stats.py:16
    o = lax.lt(f, np.float32(0.0))  # bool[20]  jaxscipy_special_stats.py:16
    p = round(e)  # f32[20]  jaxscipy_special_stats.py:16
    q = lax.ne(p, e)  # bool[20]  jaxscipy_special_stats.py:16
    r = lax.bitwise_or(o, q)  # bool[20]  jaxscipy_special_stats.py:16
    s, t = where_4(r, -np.inf, n)  # f32[20], f32[20]  jaxscipy_special_stats.py:16
    u = lax.reduce_sum(s, axes=(0,))  # f32[]  jaxscipy_special_stats.py:16
    v = lax.square(np.float32(2.0))  # f32[]  jaxscipy_special_stats.py:16
    w = lax.mul(np.float32(6.2831855), v)  # f32[]  jaxscipy_special_stats.py:16
    x = lax.log(w)  # f32[]  jaxscipy_special_stats.py:16
    y = lax.sub(a, np.float32(0.0))  # f32[2]  jaxscipy_special_stats.py:16
    z = lax.square(y)  # f32[2]  jaxscipy_special_stats.py:16
    aa = lax.mul(np.float32(2.0), y)  # f32[2]  jaxscipy_special_stats.py:16
    ab = lax.div(z, v)  # f32[2]  jaxscipy_special_stats.py:16
    ac = lax.add(x, ab)  # f32[2]  jaxscipy_special_stats.py:16
    ad = lax.div(ac, np.float32(-2.0))  # f32[2]  jaxscipy_special_stats.py:16
    ae = lax.reduce_sum(ad, axes=(0,))  # f32[]  jaxscipy_special_stats.py:16
    af = lax.add(u, ae)  # f32[]  jaxscipy_special_stats.py:16
    return af, d, f, j, r, t, aa, v


@jit("_where")
def where_5(a, b, c):
    d = lax.broadcast_in_dim(np.float32(0.0), (20,), ())  # f32[20]
    e = lax.select_n(a, c, d)  # f32[20]
    return e


@jax.jit
def log_posterior_4(a, b, c, d, e, f, g, h, i):
    j = lax.broadcast_in_dim(i, (2,), ())  # f32[2]  jaxscipy_special_stats.py:16
    k = lax.div(j, np.float32(-2.0))  # f32[2]  jaxscipy_special_stats.py:16
    l = lax.div(k, h)  # f32[2]  jaxscipy_special_stats.py:16
    m = lax.mul(l, g)  # f32[2]  jaxscipy_special_stats.py:16
    n = lax.broadcast_in_dim(i, (20,), ())  # f32[20]  jaxscipy_special_stats.py:16
    o = where_5(e, f, n)  # f32[20]  jaxscipy_special_stats.py:16
    p = lax.neg(o)  # f32[20]  jaxscipy_special_stats.py:16
    q = lax.div(o, b)  # f32[20]  jaxscipy_special_stats.py:16
    r = lax.mul(q, c)  # f32[20]  jaxscipy_special_stats.py:16
    s = primitives.add_jaxvals_p.bind(p, r)  # f32[20]  jaxscipy_special_stats.py:16
    t = lax.mul(s, b)  # f32[20]  jaxscipy_special_stats.py:15
    u = lax.dot_general(  # f32[2]  jaxscipy_special_stats.py:15
        t, a, (((0,), (0,)), ((), ())), preferred_element_type=f32
    )
    v = primitives.add_jaxvals_p.bind(m, u)  # f32[2]  jaxscipy_special_stats.py:15
    return v


def solve(a, b):
    c = lax.dot_general(a, b, (((1,), (0,)), ((), ())), precision=lax.Precision.HIGHEST)  # f32[2]
    return c


def solve_2(a, b):
    c = lax.dot_general(b, a, (((0,), (0,)), ((), ())), precision=lax.Precision.HIGHEST)  # f32[2]
    d = lax.reduce_sum_p.bind(c, axes=(), out_sharding=None)  # f32[2]
    return d


@jit("_lu_solve")
def lu_solve(a, b, c):
    d = lax.broadcast_in_dim(c, (2, 1), (0,))  # f32[2,1]
    e = lax.lt(b, np.int32(0))  # bool[2]
    f = lax.add(b, np.int32(2))  # i32[2]
    g = lax.select_n(e, b, f)  # i32[2]
    h = lax.broadcast_in_dim(g, (2, 1), (0,))  # i32[2,1]
    i = lax.gather_p.bind(  # f32[2,1]
        d,
        h,
        dimension_numbers=lax.GatherDimensionNumbers(
            offset_dims=(1,),
            collapsed_slice_dims=(0,),
            start_index_map=(0,),
            operand_batching_dims=(),
            start_indices_batching_dims=(),
        ),
        fill_value=None,
        indices_are_sorted=False,
        mode=lax.GatherScatterMode.PROMISE_IN_BOUNDS,
        slice_sizes=(1, 1),
        unique_indices=False,
    )
    j = primitives.triangular_solve_p.bind(  # f32[2,1]
        a, i, conjugate_a=False, left_side=True, lower=True, transpose_a=False, unit_diagonal=True
    )
    k = primitives.triangular_solve_p.bind(  # f32[2,1]
        a, j, conjugate_a=False, left_side=True, lower=False, transpose_a=False, unit_diagonal=False
    )
    l = lax.squeeze(k, (1,))  # f32[2]
    return l


def solve_3(a, b, c):
    d = lu_solve(a, b, c)  # f32[2]
    return d


@jit("_lu_solve")
def lu_solve_2(a, b, c):
    d = lax.broadcast_in_dim(c, (2, 1), (0,))  # f32[2,1]
    e = primitives.triangular_solve_p.bind(  # f32[2,1]
        a, d, conjugate_a=False, left_side=True, lower=False, transpose_a=True, unit_diagonal=False
    )
    f = primitives.triangular_solve_p.bind(  # f32[2,1]
        a, e, conjugate_a=False, left_side=True, lower=True, transpose_a=True, unit_diagonal=True
    )
    g = lax.broadcasted_iota(i32, (2,), 0)  # i32[2]
    _, h = lax.sort_p.bind(b, g, dimension=0, is_stable=True, num_keys=1)  # i32[2], i32[2]
    i = lax.lt(h, np.int32(0))  # bool[2]
    j = lax.add(h, np.int32(2))  # i32[2]
    k = lax.select_n(i, h, j)  # i32[2]
    l = lax.broadcast_in_dim(k, (2, 1), (0,))  # i32[2,1]
    m = lax.gather_p.bind(  # f32[2,1]
        f,
        l,
        dimension_numbers=lax.GatherDimensionNumbers(
            offset_dims=(1,),
            collapsed_slice_dims=(0,),
            start_index_map=(0,),
            operand_batching_dims=(),
            start_indices_batching_dims=(),
        ),
        fill_value=None,
        indices_are_sorted=False,
        mode=lax.GatherScatterMode.PROMISE_IN_BOUNDS,
        slice_sizes=(1, 1),
        unique_indices=False,
    )
    n = lax.squeeze(m, (1,))  # f32[2]
    return n


def solve_4(a, b, c):
    d = lu_solve_2(a, b, c)  # f32[2]
    return d


@jax.jit
def solve_5(a, b):
    c = lax.stop_gradient_p.bind(a)  # f32[2,2]
    d, _, e = primitives.lu_p.bind(c)  # f32[2,2], i32[2], i32[2]
    (f,) = lax.linear_solve_p.bind(  # f32[2]
        a,
        a,
        d,
        e,
        d,
        e,
        b,
        const_lengths=_LinearSolveTuple(matvec=1, vecmat=1, solve=2, transpose_solve=2),
        jaxprs=_LinearSolveTuple(
            matvec=J(solve, S((2, 2), f32), S((2,), f32)),
            vecmat=J(solve_2, S((2, 2), f32), S((2,), f32)),
            solve=J(solve_3, S((2, 2), f32), S((2,), i32), S((2,), f32)),
            transpose_solve=J(solve_4, S((2, 2), f32), S((2,), i32), S((2,), f32)),
        ),
    )
    return f


def inputs():
    return [
        np.array([0.0, 0.0], np.float32),  # a = w: f32[2]
    ]


def repro(a):
    b = lax.broadcasted_iota(i32, (2, 2), 0)  # i32[2,2]  jaxscipy_special_stats.py:21
    c = lax.broadcasted_iota(i32, (2, 2), 1)  # i32[2,2]  jaxscipy_special_stats.py:21
    d = lax.add(b, np.int32(0))  # i32[2,2]  jaxscipy_special_stats.py:21
    e = lax.eq(d, c)  # bool[2,2]  jaxscipy_special_stats.py:21
    f = lax.convert_element_type(e, f32)  # f32[2,2]  jaxscipy_special_stats.py:21
    (g,) = lax.split_p.bind(f, axis=1, sizes=(2,))  # f32[2,2]  jaxscipy_special_stats.py:21
    h = raw(  # f32[2,2]  jaxscipy_special_stats.py:21
        lax.convert_element_type_p,
        g,
        new_dtype=f32,
        sharding=jax.sharding.NamedSharding(empty_abstract_mesh, P(None, None, None)),
        weak_type=False,
    )
    # f32[], f32[20], f32[20], f32[20], bool[20], f32[20], f32[2], f32[], f32[2], f32[2,20], f32[2,20], f32[2,2]  jaxscipy_special_stats.py:21
    _, i, j, k, l, m, n, o, _, p, q, r = log_posterior(
        a, h
    )
    s = lax.broadcasted_iota(i32, (1, 1), 0)  # i32[1,1]  jaxscipy_special_stats.py:21
    t = lax.broadcasted_iota(i32, (1, 1), 1)  # i32[1,1]  jaxscipy_special_stats.py:21
    u = lax.add(s, np.int32(0))  # i32[1,1]  jaxscipy_special_stats.py:21
    v = lax.eq(u, t)  # bool[1,1]  jaxscipy_special_stats.py:21
    w = lax.convert_element_type(v, f32)  # f32[1,1]  jaxscipy_special_stats.py:21
    (x,) = lax.split_p.bind(w, axis=1, sizes=(1,))  # f32[1,1]  jaxscipy_special_stats.py:21
    y = lax.reshape(x, (1,))  # f32[1]  fromnumeric.py:54
    z = raw(  # f32[1]  jaxscipy_special_stats.py:21
        lax.convert_element_type_p,
        y,
        new_dtype=f32,
        sharding=jax.sharding.NamedSharding(empty_abstract_mesh, P(None, None)),
        weak_type=False,
    )
    aa, ab = log_posterior_2(  # f32[1,2], f32[2,1,2]  jaxscipy_special_stats.py:21
        C0, i, j, k, l, m, n, o, z, p, q, r
    )
    (ac,) = lax.split_p.bind(aa, axis=0, sizes=(1,))  # f32[1,2]  jaxscipy_special_stats.py:21
    (ad,) = lax.split_p.bind(ab, axis=1, sizes=(1,))  # f32[2,1,2]  jaxscipy_special_stats.py:21
    _ = lax.reshape(ac, (2,))  # f32[2]  fromnumeric.py:54
    ae = lax.reshape(ad, (2, 2))  # f32[2,2]  fromnumeric.py:54
    af = lax.transpose(ae, (1, 0))  # f32[2,2]  jaxscipy_special_stats.py:21
    (ag,) = lax.split_p.bind(af, axis=1, sizes=(2,))  # f32[2,2]  jaxscipy_special_stats.py:21
    # f32[], f32[20], f32[20], f32[20], bool[20], f32[20], f32[2], f32[]  jaxscipy_special_stats.py:21
    _, ah, ai, aj, ak, al, am, an = log_posterior_3(
        a
    )
    ao = log_posterior_4(  # f32[2]  jaxscipy_special_stats.py:21
        C0, ah, ai, aj, ak, al, am, an, np.float32(1.0)
    )
    ap = solve_5(ag, ao)  # f32[2]  jaxscipy_special_stats.py:21
    aq = lax.sub(a, ap)  # f32[2]  jaxscipy_special_stats.py:21
    return aq


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
