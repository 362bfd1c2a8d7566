# /// jace-repro
# schema = 1
# name = "<lambda>"
# origin = "scripts/libraries/haiku_lstm.py:30 (<lambda>)"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "2f68831056a809bf60c9093f7387ed8537cb3743525c38680b46ac6bbd5056a0"
# outputs_sha256 = "cb72a043fde9d37953f00721c1e0a3cddf71203007964c8c70b3b2a73c203179"
# sidecar_sha256 = "baefc6e22931d31106707d4a874c9e7e92bf19c3c32745ee2a70e31b3fd223e5"
# self_check = "exact"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""<lambda> (haiku_lstm.py:30): written by jace-repro, needs only jax and numpy."""

import functools
import hashlib
import io
import pathlib

import jax
import numpy as np
from jax import lax
from jax._src import core, dtypes, source_info_util
from jax.extend.core import primitives

S = jax.ShapeDtypeStruct
f32 = np.dtype("float32")


def J(fun, *avals):
    """The jaxpr of fun on operands of these types: the body of a control flow equation."""
    return jax.make_jaxpr(fun)(*avals)


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


SIDECAR_SHA256 = "baefc6e22931d31106707d4a874c9e7e92bf19c3c32745ee2a70e31b3fd223e5"


def read_sidecar():
    """The arrays in the .npz file beside this script."""
    path = pathlib.Path(__file__).with_suffix(".npz")
    data = path.read_bytes()
    if hashlib.sha256(data).hexdigest() != SIDECAR_SHA256:
        raise SystemExit(f"{path} is not the file that belongs to this script (sha256 differs)")
    return dict(np.load(io.BytesIO(data)))


ARRAYS = globals().get("ARRAYS") or read_sidecar()  # whoever executes this text may put them there


def body(a, b, carry, e):
    c, d = carry
    f = lax.concatenate([e, c], 1)  # f32[2,10]  recurrent.py:338
    g = lax.dot_general(f, a, (((1,), (0,)), ((), ())), preferred_element_type=f32)  # f32[2,24]  basic.py:180
    h = lax.add(g, b)  # f32[2,24]  basic.py:185
    i, j, k, l = lax.split_p.bind(  # f32[2,6], f32[2,6], f32[2,6], f32[2,6]  recurrent.py:342
        h, axis=1, sizes=(6,) * 4
    )
    m = lax.add(k, np.float32(1.0))  # f32[2,6]  recurrent.py:343
    n = lax.logistic(m)  # f32[2,6]  recurrent.py:343
    o = lax.sub(np.float32(1.0), n)  # f32[2,6]  recurrent.py:343
    p = lax.mul(n, o)  # f32[2,6]  recurrent.py:343
    q = lax.mul(n, d)  # f32[2,6]  recurrent.py:344
    r = lax.logistic(i)  # f32[2,6]  recurrent.py:344
    s = lax.sub(np.float32(1.0), r)  # f32[2,6]  recurrent.py:344
    t = lax.mul(r, s)  # f32[2,6]  recurrent.py:344
    u = lax.tanh(j)  # f32[2,6]  recurrent.py:344
    v = lax.sub(np.float32(1.0), u)  # f32[2,6]  recurrent.py:344
    w = lax.mul(r, u)  # f32[2,6]  recurrent.py:344
    x = lax.add(q, w)  # f32[2,6]  recurrent.py:344
    y = lax.logistic(l)  # f32[2,6]  recurrent.py:345
    z = lax.sub(np.float32(1.0), y)  # f32[2,6]  recurrent.py:345
    aa = lax.mul(y, z)  # f32[2,6]  recurrent.py:345
    ab = lax.tanh(x)  # f32[2,6]  recurrent.py:345
    ac = lax.sub(np.float32(1.0), ab)  # f32[2,6]  recurrent.py:345
    ad = lax.mul(y, ab)  # f32[2,6]  recurrent.py:345
    return (ad, x), (ad, f, p, d, n, t, u, v, r, aa, ab, ac, y)


def body_2(a, b, c, d):
    e = lax.mul(a, c)  # f32[2,6]  haiku_lstm.py:14
    f = lax.mul(b, d)  # f32[2,6]  haiku_lstm.py:14
    g = lax.add(e, f)  # f32[2,6]  haiku_lstm.py:14
    return g, g


def call(a, b, c):
    d = lax.logistic(a)  # f32[6]  haiku_lstm.py:14
    e = lax.broadcast_in_dim(d, (1, 6), (1,))  # f32[1,6]  haiku_lstm.py:14
    f = lax.logistic(a)  # f32[6]  haiku_lstm.py:14
    g = lax.sub(np.float32(1.0), f)  # f32[6]  haiku_lstm.py:14
    h = lax.broadcast_in_dim(g, (1, 6), (1,))  # f32[1,6]  haiku_lstm.py:14
    _, i = lax.scan(functools.partial(body_2, e, h), b, c)  # f32[2,6], f32[5,2,6]
    return i


def body_3(a, b, c, d):
    e = lax.mul(a, c)  # f32[2,6]  haiku_lstm.py:14
    f = lax.mul(b, d)  # f32[2,6]  haiku_lstm.py:14
    g = lax.add(e, f)  # f32[2,6]  haiku_lstm.py:14
    return g, c


def body_4(a, b, c, d, e, f, g, h, i):
    j = primitives.add_jaxvals_p.bind(f, g)  # f32[2,6]  stateful.py:644
    k = lax.mul(d, j)  # f32[2,6]  haiku_lstm.py:14
    l = lax.mul(j, i)  # f32[2,6]  haiku_lstm.py:14
    m = lax.reduce_sum(l, axes=(0,))  # f32[6]  haiku_lstm.py:14
    n = lax.reshape(m, (1, 6))  # f32[1,6]  haiku_lstm.py:14
    o = lax.reduce_sum(n, axes=(0,))  # f32[6]  haiku_lstm.py:14
    p = lax.neg(o)  # f32[6]  haiku_lstm.py:14
    q = lax.mul(p, c)  # f32[6]  haiku_lstm.py:14
    r = primitives.add_jaxvals_p.bind(e, q)  # f32[6]  haiku_lstm.py:14
    s = lax.mul(b, j)  # f32[2,6]  haiku_lstm.py:14
    t = lax.mul(j, h)  # f32[2,6]  haiku_lstm.py:14
    u = lax.reduce_sum(t, axes=(0,))  # f32[6]  haiku_lstm.py:14
    v = lax.reshape(u, (1, 6))  # f32[1,6]  haiku_lstm.py:14
    w = lax.reduce_sum(v, axes=(0,))  # f32[6]  haiku_lstm.py:14
    x = lax.mul(w, a)  # f32[6]  haiku_lstm.py:14
    y = primitives.add_jaxvals_p.bind(r, x)  # f32[6]  haiku_lstm.py:14
    return y, s, k


def body_5(a, b, c):
    d = lax.broadcast_in_dim(np.float32(0.0), (2, 6), ())  # f32[2,6]  haiku_lstm.py:17
    _ = lax.broadcast_in_dim(np.float32(0.0), (2, 6), ())  # f32[2,6]  stateful.py:644
    e = lax.logistic(b)  # f32[6]  haiku_lstm.py:14
    f = lax.sub(np.float32(1.0), e)  # f32[6]  haiku_lstm.py:14
    g = lax.mul(e, f)  # f32[6]  haiku_lstm.py:14
    h = lax.broadcast_in_dim(e, (1, 6), (1,))  # f32[1,6]  haiku_lstm.py:14
    i = lax.logistic(b)  # f32[6]  haiku_lstm.py:14
    j = lax.sub(np.float32(1.0), i)  # f32[6]  haiku_lstm.py:14
    k = lax.mul(i, j)  # f32[6]  haiku_lstm.py:14
    l = lax.sub(np.float32(1.0), i)  # f32[6]  haiku_lstm.py:14
    m = lax.broadcast_in_dim(l, (1, 6), (1,))  # f32[1,6]  haiku_lstm.py:14
    _, n = lax.scan(functools.partial(body_3, h, m), d, a)  # f32[2,6], f32[5,2,6]  stateful.py:644
    o = lax.broadcast_in_dim(np.float32(0.0), (2, 6), ())  # f32[2,6]  stateful.py:644
    p = lax.broadcast_in_dim(np.float32(0.0), (6,), ())  # f32[6]  stateful.py:644
    q, _, r = lax.scan_p.bind(  # f32[6], f32[2,6], f32[5,2,6]  stateful.py:644
        g,
        h,
        k,
        m,
        p,
        o,
        c,
        n,
        a,
        jaxpr=J(
            body_4,
            S((6,), f32),
            S((1, 6), f32),
            S((6,), f32),
            S((1, 6), f32),
            S((6,), f32),
            S((2, 6), f32),
            S((2, 6), f32),
            S((2, 6), f32),
            S((2, 6), f32),
        ),
        length=5,
        num_carry=2,
        num_consts=4,
        reverse=True,
        unroll=1,
    )
    return r, q


def body_6(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s):
    t = primitives.add_jaxvals_p.bind(e, g)  # f32[2,6]  stateful.py:644
    u = lax.mul(s, t)  # f32[2,6]  recurrent.py:345
    v = lax.mul(t, q)  # f32[2,6]  recurrent.py:345
    w = lax.mul(u, r)  # f32[2,6]  recurrent.py:345
    x = primitives.add_jaxvals_p.bind(f, w)  # f32[2,6]  recurrent.py:345
    y = lax.mul(w, q)  # f32[2,6]  recurrent.py:345
    z = primitives.add_jaxvals_p.bind(x, y)  # f32[2,6]  recurrent.py:345
    aa = lax.mul(v, p)  # f32[2,6]  recurrent.py:345
    ab = lax.mul(o, z)  # f32[2,6]  recurrent.py:344
    ac = lax.mul(z, m)  # f32[2,6]  recurrent.py:344
    ad = lax.mul(ab, n)  # f32[2,6]  recurrent.py:344
    ae = lax.mul(ad, m)  # f32[2,6]  recurrent.py:344
    af = primitives.add_jaxvals_p.bind(ad, ae)  # f32[2,6]  recurrent.py:344
    ag = lax.mul(ac, l)  # f32[2,6]  recurrent.py:344
    ah = lax.mul(k, z)  # f32[2,6]  recurrent.py:344
    ai = lax.mul(z, j)  # f32[2,6]  recurrent.py:344
    aj = lax.mul(ai, i)  # f32[2,6]  recurrent.py:343
    ak = lax.concatenate([ag, af, aj, aa], 1)  # f32[2,24]  recurrent.py:342
    al = lax.reduce_sum(ak, axes=(0,))  # f32[24]  basic.py:184
    am = primitives.add_jaxvals_p.bind(d, al)  # f32[24]  basic.py:184
    an = lax.dot_general(  # f32[24,10]  basic.py:180
        ak, h, (((0,), (0,)), ((), ())), preferred_element_type=f32
    )
    ao = lax.transpose(an, (1, 0))  # f32[10,24]  basic.py:180
    ap = primitives.add_jaxvals_p.bind(c, ao)  # f32[10,24]  basic.py:180
    aq = lax.dot_general(  # f32[2,10]  basic.py:180
        ak, b, (((1,), (1,)), ((), ())), preferred_element_type=f32
    )
    _, ar = lax.split_p.bind(aq, axis=1, sizes=(4, 6))  # f32[2,4], f32[2,6]  recurrent.py:338
    return ap, am, ar, ah


def inputs():
    return [
        np.array([0.0], np.float32),  # a = params['linear']['b']: f32[1]
        # b = params['linear']['w']: f32[6,1]
        np.array(
            [[-0.47503334], [-0.15610993], [-0.4268981], [0.3378203], [-0.33161187], [0.13478166]], np.float32
        ),
        np.zeros((24,), np.float32),  # c = params['lstm/linear']['b']: f32[24]
        ARRAYS["x3"],  # d = params['lstm/linear']['w']: f32[10,24]
        np.array([0.0, 0.0, 0.0, 0.0, 0.0, 0.0], np.float32),  # e = params['smoother']['decay']: f32[6]
        ARRAYS["x5"],  # f = x: f32[5,2,4]
    ]


def repro(a, b, c, d, e, f):
    g = lax.broadcast_in_dim(np.float32(0.0), (6,), ())  # f32[6]  recurrent.py:349
    h = lax.broadcast_in_dim(np.float32(0.0), (6,), ())  # f32[6]  recurrent.py:350
    i = lax.broadcast_in_dim(g, (2, 6), (1,))  # f32[2,6]  recurrent.py:226
    j = lax.broadcast_in_dim(h, (2, 6), (1,))  # f32[2,6]  recurrent.py:226
    k = lax.broadcast_in_dim(np.float32(0.0), (2, 4), ())  # f32[2,4]  recurrent.py:338
    l = lax.broadcast_in_dim(c, (2, 24), (1,))  # f32[2,24]  basic.py:184
    # f32[2,6], f32[2,6], f32[5,2,6], f32[5,2,10], f32[5,2,6], f32[5,2,6], f32[5,2,6], f32[5,2,6], f32[5,2,6], f32[5,2,6], f32[5,2,6], f32[5,2,6], f32[5,2,6], f32[5,2,6], f32[5,2,6]  stateful.py:644
    (_, _), (m, n, o, p, q, r, s, t, u, v, w, x, y) = lax.scan(
        functools.partial(body, d, l), (i, j), f
    )
    z = lax.broadcast_in_dim(np.float32(0.0), (2, 6), ())  # f32[2,6]  haiku_lstm.py:17
    (aa,) = raw(  # f32[5,2,6]  stateful.py:644
        primitives.closed_call_p, e, z, m, call_jaxpr=J(call, S((6,), f32), S((2, 6), f32), S((5, 2, 6), f32))
    )
    ab = lax.slice(aa, (4, 0, 0), (5, 2, 6))  # f32[1,2,6]  haiku_lstm.py:24
    ac = lax.squeeze(ab, (0,))  # f32[2,6]  haiku_lstm.py:24
    ad = lax.dot_general(  # f32[2,1]  basic.py:180
        ac, b, (((1,), (0,)), ((), ())), preferred_element_type=f32
    )
    ae = lax.broadcast_in_dim(a, (2, 1), (1,))  # f32[2,1]  basic.py:184
    af = lax.add(ad, ae)  # f32[2,1]  basic.py:185
    ag = lax.sub(af, np.float32(1.0))  # f32[2,1]  haiku_lstm.py:30
    ah = lax.integer_pow(ag, 2)  # f32[2,1]  haiku_lstm.py:30
    ai = lax.mul(np.float32(2.0), ag)  # f32[2,1]  haiku_lstm.py:30
    aj = lax.reduce_sum(ah, axes=(0, 1))  # f32[]  haiku_lstm.py:30
    ak = lax.div(aj, np.float32(2.0))  # f32[]  haiku_lstm.py:30
    _ = lax.broadcast_in_dim(np.float32(0.0), (2, 6), ())  # f32[2,6]  stateful.py:644
    _ = lax.broadcast_in_dim(np.float32(0.0), (2, 6), ())  # f32[2,6]  stateful.py:644
    al = lax.div(np.float32(1.0), np.float32(2.0))  # f32[]  haiku_lstm.py:30
    am = lax.broadcast_in_dim(al, (2, 1), ())  # f32[2,1]  haiku_lstm.py:30
    an = lax.mul(am, ai)  # f32[2,1]  haiku_lstm.py:30
    ao = lax.reduce_sum(an, axes=(0, 1))  # f32[]  basic.py:184
    ap = lax.broadcast_in_dim(ao, (1,), ())  # f32[1]  basic.py:184
    aq = lax.dot_general(  # f32[1,6]  basic.py:180
        an, ac, (((0,), (0,)), ((), ())), preferred_element_type=f32
    )
    ar = lax.transpose(aq, (1, 0))  # f32[6,1]  basic.py:180
    at = lax.dot_general(  # f32[2,6]  basic.py:180
        an, b, (((1,), (1,)), ((), ())), preferred_element_type=f32
    )
    au = lax.broadcast_in_dim(at, (1, 2, 6), (1, 2))  # f32[1,2,6]  haiku_lstm.py:24
    av = lax.pad(au, np.float32(0.0), ((4, 0, 0), (0, 0, 0), (0, 0, 0)))  # f32[5,2,6]  haiku_lstm.py:24
    aw, ax = primitives.remat_p.bind(  # f32[5,2,6], f32[6]  stateful.py:383
        m,
        e,
        av,
        differentiated=True,
        jaxpr=J(body_5, S((5, 2, 6), f32), S((6,), f32), S((5, 2, 6), f32)).jaxpr,
        policy=None,
        prevent_cse=True,
    )
    ay = lax.broadcast_in_dim(np.float32(0.0), (2, 6), ())  # f32[2,6]  stateful.py:644
    az = lax.broadcast_in_dim(np.float32(0.0), (2, 6), ())  # f32[2,6]  stateful.py:644
    ba = lax.broadcast_in_dim(np.float32(0.0), (10, 24), ())  # f32[10,24]  stateful.py:644
    bb = lax.broadcast_in_dim(np.float32(0.0), (24,), ())  # f32[24]  stateful.py:644
    bc, bd, _, _ = lax.scan_p.bind(  # f32[10,24], f32[24], f32[2,6], f32[2,6]  stateful.py:644
        k,
        d,
        ba,
        bb,
        ay,
        az,
        aw,
        n,
        o,
        p,
        q,
        r,
        s,
        t,
        u,
        v,
        w,
        x,
        y,
        jaxpr=J(
            body_6,
            S((2, 4), f32),
            S((10, 24), f32),
            S((10, 24), f32),
            S((24,), f32),
            S((2, 6), f32),
            S((2, 6), f32),
            S((2, 6), f32),
            S((2, 10), f32),
            S((2, 6), f32),
            S((2, 6), f32),
            S((2, 6), f32),
            S((2, 6), f32),
            S((2, 6), f32),
            S((2, 6), f32),
            S((2, 6), f32),
            S((2, 6), f32),
            S((2, 6), f32),
            S((2, 6), f32),
            S((2, 6), f32),
        ),
        length=5,
        num_carry=4,
        num_consts=2,
        reverse=True,
        unroll=1,
    )
    # result[0], result[1]['linear']['b'], result[1]['linear']['w'], result[1]['lstm/linear']['b'],
    # result[1]['lstm/linear']['w'], result[1]['smoother']['decay']
    return ak, ap, ar, bd, bc, ax


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
