# /// jace-repro
# schema = 1
# name = "energy"
# origin = "scripts/libraries/jax_derivatives.py:13 (energy)"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "718a71b7d15f2929039a43ee1fe61495440dff94d1ca642de25282d13cdb360b"
# outputs_sha256 = "e0beb62220858e152e1e1a65ccf8d17ebfe3a4dce12e8b117a3bf42cbaf71a88"
# self_check = "exact"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""energy (jax_derivatives.py:13): written by jace-repro, needs only jax and numpy."""

import jax
import numpy as np
from jax import lax
from jax._src import core, dtypes, source_info_util
from jax._src.mesh import empty_abstract_mesh
from jax.extend.core import primitives
from jax.sharding import PartitionSpec as P

f32 = np.dtype("float32")
i32 = np.dtype("int32")


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


@jax.jit
def field(a, b):
    c = lax.slice(a, (0,), (1,))  # f32[1]  jax_derivatives.py:10
    d = lax.slice(b, (0, 0), (3, 1))  # f32[3,1]  jax_derivatives.py:10
    e = lax.squeeze(c, (0,))  # f32[]  jax_derivatives.py:10
    f = lax.squeeze(d, (1,))  # f32[3]  jax_derivatives.py:10
    g = lax.slice(a, (1,), (2,))  # f32[1]  jax_derivatives.py:10
    h = lax.slice(b, (0, 1), (3, 2))  # f32[3,1]  jax_derivatives.py:10
    i = lax.squeeze(g, (0,))  # f32[]  jax_derivatives.py:10
    j = lax.squeeze(h, (1,))  # f32[3]  jax_derivatives.py:10
    k = lax.mul(e, i)  # f32[]  jax_derivatives.py:10
    l = lax.mul(f, i)  # f32[3]  jax_derivatives.py:10
    m = lax.mul(e, j)  # f32[3]  jax_derivatives.py:10
    n = primitives.add_jaxvals_p.bind(l, m)  # f32[3]  jax_derivatives.py:10
    o = lax.slice(a, (2,), (3,))  # f32[1]  jax_derivatives.py:10
    p = lax.slice(b, (0, 2), (3, 3))  # f32[3,1]  jax_derivatives.py:10
    q = lax.squeeze(o, (0,))  # f32[]  jax_derivatives.py:10
    r = lax.squeeze(p, (1,))  # f32[3]  jax_derivatives.py:10
    s = lax.sin(q)  # f32[]  jax_derivatives.py:10
    t = lax.cos(q)  # f32[]  jax_derivatives.py:10
    u = lax.mul(r, t)  # f32[3]  jax_derivatives.py:10
    v = lax.cos(q)  # f32[]  jax_derivatives.py:10
    w = lax.sin(q)  # f32[]  jax_derivatives.py:10
    x = lax.mul(r, w)  # f32[3]  jax_derivatives.py:10
    y = lax.neg(x)  # f32[3]  jax_derivatives.py:10
    z = lax.slice(a, (0,), (1,))  # f32[1]  jax_derivatives.py:10
    aa = lax.slice(b, (0, 0), (3, 1))  # f32[3,1]  jax_derivatives.py:10
    ab = lax.squeeze(z, (0,))  # f32[]  jax_derivatives.py:10
    ac = lax.squeeze(aa, (1,))  # f32[3]  jax_derivatives.py:10
    ad = lax.mul(s, ab)  # f32[]  jax_derivatives.py:10
    ae = lax.mul(u, ab)  # f32[3]  jax_derivatives.py:10
    af = lax.mul(s, ac)  # f32[3]  jax_derivatives.py:10
    ag = primitives.add_jaxvals_p.bind(ae, af)  # f32[3]  jax_derivatives.py:10
    ah = lax.slice(a, (1,), (2,))  # f32[1]  jax_derivatives.py:10
    ai = lax.slice(b, (0, 1), (3, 2))  # f32[3,1]  jax_derivatives.py:10
    aj = lax.squeeze(ah, (0,))  # f32[]  jax_derivatives.py:10
    ak = lax.squeeze(ai, (1,))  # f32[3]  jax_derivatives.py:10
    al = lax.integer_pow(aj, 2)  # f32[]  jax_derivatives.py:10
    am = lax.mul(np.float32(2.0), aj)  # f32[]  jax_derivatives.py:10
    an = lax.mul(ak, am)  # f32[3]  jax_derivatives.py:10
    ao = lax.mul(np.float32(2.0), aj)  # f32[]  jax_derivatives.py:10
    ap = lax.mul(np.float32(2.0), ak)  # f32[3]  jax_derivatives.py:10
    aq = lax.slice(a, (2,), (3,))  # f32[1]  jax_derivatives.py:10
    ar = lax.slice(b, (0, 2), (3, 3))  # f32[3,1]  jax_derivatives.py:10
    at = lax.squeeze(aq, (0,))  # f32[]  jax_derivatives.py:10
    au = lax.squeeze(ar, (1,))  # f32[3]  jax_derivatives.py:10
    av = lax.add(al, at)  # f32[]  jax_derivatives.py:10
    aw = lax.add(an, au)  # f32[3]  jax_derivatives.py:10
    ax = lax.stack_p.bind(k, ad, av, axis=0)  # f32[3]  jax_derivatives.py:10
    ay = lax.stack_p.bind(n, ag, aw, axis=0)  # f32[3,3]  jax_derivatives.py:10
    return ax, i, e, v, ab, s, ao, ay, j, f, y, ac, u, ap


@jax.jit
def energy(a, b):
    # f32[3], f32[], f32[], f32[], f32[], f32[], f32[], f32[3,3], f32[3], f32[3], f32[3], f32[3], f32[3], f32[3]  jax_derivatives.py:15
    c, d, e, f, g, h, i, j, k, l, m, n, o, p = field(
        a, b
    )
    q = lax.integer_pow(c, 2)  # f32[3]  jax_derivatives.py:15
    r = lax.mul(np.float32(2.0), c)  # f32[3]  jax_derivatives.py:15
    s = lax.transpose(j, (1, 0))  # f32[3,3]  jax_derivatives.py:15
    t = lax.broadcast_in_dim(r, (1, 3), (1,))  # f32[1,3]  jax_derivatives.py:15
    u = lax.mul(s, t)  # f32[3,3]  jax_derivatives.py:15
    v = lax.mul(np.float32(2.0), c)  # f32[3]  jax_derivatives.py:15
    w = lax.mul(np.float32(2.0), j)  # f32[3,3]  jax_derivatives.py:15
    x = lax.reduce_sum(q, axes=(0,))  # f32[]  jax_derivatives.py:15
    y = lax.reduce_sum(u, axes=(1,))  # f32[3]  jax_derivatives.py:15
    return x, d, e, f, g, h, i, v, y, k, l, m, n, o, p, w


@jax.jit
def field_2(a, b, c, d, e, f, g, h, i, j, k, l, m, n):
    o, p, q = lax.unstack_p.bind(g, axis=1)  # f32[1], f32[1], f32[1]  jax_derivatives.py:10
    r, s, t = lax.unstack_p.bind(n, axis=2)  # f32[3,1], f32[3,1], f32[3,1]  jax_derivatives.py:10
    u = lax.broadcast_in_dim(q, (1, 1), (0,))  # f32[1,1]  jax_derivatives.py:10
    v = lax.broadcast_in_dim(t, (3, 1, 1), (0, 1))  # f32[3,1,1]  jax_derivatives.py:10
    w = lax.pad(u, np.float32(0.0), ((0, 0, 0), (2, 0, 0)))  # f32[1,3]  jax_derivatives.py:10
    x = lax.pad(v, np.float32(0.0), ((0, 0, 0), (0, 0, 0), (2, 0, 0)))  # f32[3,1,3]  jax_derivatives.py:10
    y = lax.mul(q, f)  # f32[1]  jax_derivatives.py:10
    z = lax.mul(t, f)  # f32[3,1]  jax_derivatives.py:10
    aa = lax.broadcast_in_dim(q, (1, 1), (1,))  # f32[1,1]  jax_derivatives.py:10
    ab = lax.broadcast_in_dim(m, (3, 1), (0,))  # f32[3,1]  jax_derivatives.py:10
    ac = lax.mul(aa, ab)  # f32[3,1]  jax_derivatives.py:10
    ad = primitives.add_jaxvals_p.bind(z, ac)  # f32[3,1]  jax_derivatives.py:10
    ae = lax.broadcast_in_dim(y, (1, 1), (0,))  # f32[1,1]  jax_derivatives.py:10
    af = lax.broadcast_in_dim(ad, (3, 1, 1), (0, 1))  # f32[3,1,1]  jax_derivatives.py:10
    ag = lax.pad(ae, np.float32(0.0), ((0, 0, 0), (1, 1, 0)))  # f32[1,3]  jax_derivatives.py:10
    ah = lax.pad(af, np.float32(0.0), ((0, 0, 0), (0, 0, 0), (1, 1, 0)))  # f32[3,1,3]  jax_derivatives.py:10
    ai = primitives.add_jaxvals_p.bind(w, ag)  # f32[1,3]  jax_derivatives.py:10
    aj = primitives.add_jaxvals_p.bind(x, ah)  # f32[3,1,3]  jax_derivatives.py:10
    ak = lax.mul(e, p)  # f32[1]  jax_derivatives.py:10
    al = lax.broadcast_in_dim(p, (1, 1), (1,))  # f32[1,1]  jax_derivatives.py:10
    am = lax.broadcast_in_dim(l, (3, 1), (0,))  # f32[3,1]  jax_derivatives.py:10
    an = lax.mul(am, al)  # f32[3,1]  jax_derivatives.py:10
    ao = lax.mul(e, s)  # f32[3,1]  jax_derivatives.py:10
    ap = primitives.add_jaxvals_p.bind(an, ao)  # f32[3,1]  jax_derivatives.py:10
    aq = lax.mul(p, d)  # f32[1]  jax_derivatives.py:10
    ar = lax.mul(s, d)  # f32[3,1]  jax_derivatives.py:10
    at = lax.broadcast_in_dim(p, (1, 1), (1,))  # f32[1,1]  jax_derivatives.py:10
    au = lax.broadcast_in_dim(k, (3, 1), (0,))  # f32[3,1]  jax_derivatives.py:10
    av = lax.mul(at, au)  # f32[3,1]  jax_derivatives.py:10
    aw = primitives.add_jaxvals_p.bind(ar, av)  # f32[3,1]  jax_derivatives.py:10
    ax = lax.broadcast_in_dim(ak, (1, 1), (0,))  # f32[1,1]  jax_derivatives.py:10
    ay = lax.broadcast_in_dim(ap, (3, 1, 1), (0, 1))  # f32[3,1,1]  jax_derivatives.py:10
    az = lax.pad(ax, np.float32(0.0), ((0, 0, 0), (0, 2, 0)))  # f32[1,3]  jax_derivatives.py:10
    ba = lax.pad(ay, np.float32(0.0), ((0, 0, 0), (0, 0, 0), (0, 2, 0)))  # f32[3,1,3]  jax_derivatives.py:10
    bb = primitives.add_jaxvals_p.bind(ai, az)  # f32[1,3]  jax_derivatives.py:10
    bc = primitives.add_jaxvals_p.bind(aj, ba)  # f32[3,1,3]  jax_derivatives.py:10
    bd = lax.mul(aq, c)  # f32[1]  jax_derivatives.py:10
    be = lax.mul(aw, c)  # f32[3,1]  jax_derivatives.py:10
    bf = lax.broadcast_in_dim(aq, (1, 1), (1,))  # f32[1,1]  jax_derivatives.py:10
    bg = lax.broadcast_in_dim(j, (3, 1), (0,))  # f32[3,1]  jax_derivatives.py:10
    bh = lax.mul(bf, bg)  # f32[3,1]  jax_derivatives.py:10
    bi = primitives.add_jaxvals_p.bind(be, bh)  # f32[3,1]  jax_derivatives.py:10
    bj = lax.broadcast_in_dim(bd, (1, 1), (0,))  # f32[1,1]  jax_derivatives.py:10
    bk = lax.broadcast_in_dim(bi, (3, 1, 1), (0, 1))  # f32[3,1,1]  jax_derivatives.py:10
    bl = lax.pad(bj, np.float32(0.0), ((0, 0, 0), (2, 0, 0)))  # f32[1,3]  jax_derivatives.py:10
    bm = lax.pad(bk, np.float32(0.0), ((0, 0, 0), (0, 0, 0), (2, 0, 0)))  # f32[3,1,3]  jax_derivatives.py:10
    bn = primitives.add_jaxvals_p.bind(bb, bl)  # f32[1,3]  jax_derivatives.py:10
    bo = primitives.add_jaxvals_p.bind(bc, bm)  # f32[3,1,3]  jax_derivatives.py:10
    bp = lax.mul(b, o)  # f32[1]  jax_derivatives.py:10
    bq = lax.broadcast_in_dim(o, (1, 1), (1,))  # f32[1,1]  jax_derivatives.py:10
    br = lax.broadcast_in_dim(i, (3, 1), (0,))  # f32[3,1]  jax_derivatives.py:10
    bs = lax.mul(br, bq)  # f32[3,1]  jax_derivatives.py:10
    bt = lax.mul(b, r)  # f32[3,1]  jax_derivatives.py:10
    bu = primitives.add_jaxvals_p.bind(bs, bt)  # f32[3,1]  jax_derivatives.py:10
    bv = lax.mul(o, a)  # f32[1]  jax_derivatives.py:10
    bw = lax.mul(r, a)  # f32[3,1]  jax_derivatives.py:10
    bx = lax.broadcast_in_dim(o, (1, 1), (1,))  # f32[1,1]  jax_derivatives.py:10
    by = lax.broadcast_in_dim(h, (3, 1), (0,))  # f32[3,1]  jax_derivatives.py:10
    bz = lax.mul(bx, by)  # f32[3,1]  jax_derivatives.py:10
    ca = primitives.add_jaxvals_p.bind(bw, bz)  # f32[3,1]  jax_derivatives.py:10
    cb = lax.broadcast_in_dim(bp, (1, 1), (0,))  # f32[1,1]  jax_derivatives.py:10
    cc = lax.broadcast_in_dim(bu, (3, 1, 1), (0, 1))  # f32[3,1,1]  jax_derivatives.py:10
    cd = lax.pad(cb, np.float32(0.0), ((0, 0, 0), (1, 1, 0)))  # f32[1,3]  jax_derivatives.py:10
    ce = lax.pad(cc, np.float32(0.0), ((0, 0, 0), (0, 0, 0), (1, 1, 0)))  # f32[3,1,3]  jax_derivatives.py:10
    cf = primitives.add_jaxvals_p.bind(bn, cd)  # f32[1,3]  jax_derivatives.py:10
    cg = primitives.add_jaxvals_p.bind(bo, ce)  # f32[3,1,3]  jax_derivatives.py:10
    ch = lax.broadcast_in_dim(bv, (1, 1), (0,))  # f32[1,1]  jax_derivatives.py:10
    ci = lax.broadcast_in_dim(ca, (3, 1, 1), (0, 1))  # f32[3,1,1]  jax_derivatives.py:10
    cj = lax.pad(ch, np.float32(0.0), ((0, 0, 0), (0, 2, 0)))  # f32[1,3]  jax_derivatives.py:10
    ck = lax.pad(ci, np.float32(0.0), ((0, 0, 0), (0, 0, 0), (0, 2, 0)))  # f32[3,1,3]  jax_derivatives.py:10
    cl = primitives.add_jaxvals_p.bind(cf, cj)  # f32[1,3]  jax_derivatives.py:10
    cm = primitives.add_jaxvals_p.bind(cg, ck)  # f32[3,1,3]  jax_derivatives.py:10
    return cl, cm


@jax.jit
def energy_2(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o):
    p = lax.broadcast_in_dim(h, (1, 3), (0,))  # f32[1,3]  jax_derivatives.py:15
    q = lax.broadcast_in_dim(g, (1, 3), (1,))  # f32[1,3]  jax_derivatives.py:15
    r = lax.transpose(o, (1, 0))  # f32[3,3]  jax_derivatives.py:15
    s = lax.broadcast_in_dim(r, (3, 1, 3), (0, 2))  # f32[3,1,3]  jax_derivatives.py:15
    t = lax.mul(p, q)  # f32[1,3]  jax_derivatives.py:15
    u = lax.broadcast_in_dim(p, (1, 1, 3), (1, 2))  # f32[1,1,3]  jax_derivatives.py:15
    v = lax.mul(u, s)  # f32[3,1,3]  jax_derivatives.py:15
    w, x = field_2(a, b, c, d, e, f, t, i, j, k, l, m, n, v)  # f32[1,3], f32[3,1,3]  jax_derivatives.py:15
    return w, x


def inputs():
    return [
        np.array([-0.65179116, -0.17471729, 1.663724], np.float32),  # a = x: f32[3]
    ]


def repro(a):
    b = lax.broadcasted_iota(i32, (3, 3), 0)  # i32[3,3]
    c = lax.broadcasted_iota(i32, (3, 3), 1)  # i32[3,3]
    d = lax.add(b, np.int32(0))  # i32[3,3]
    e = lax.eq(d, c)  # bool[3,3]
    f = lax.convert_element_type(e, f32)  # f32[3,3]
    (g,) = lax.split_p.bind(f, axis=1, sizes=(3,))  # f32[3,3]
    h = raw(  # f32[3,3]
        lax.convert_element_type_p,
        g,
        new_dtype=f32,
        sharding=jax.sharding.NamedSharding(empty_abstract_mesh, P(None, None, None)),
        weak_type=False,
    )
    # f32[], f32[], f32[], f32[], f32[], f32[], f32[], f32[3], f32[3], f32[3], f32[3], f32[3], f32[3], f32[3], f32[3], f32[3,3]
    _, i, j, k, l, m, n, o, _, p, q, r, s, t, u, v = energy(
        a, h
    )
    w = lax.broadcasted_iota(i32, (1, 1), 0)  # i32[1,1]
    x = lax.broadcasted_iota(i32, (1, 1), 1)  # i32[1,1]
    y = lax.add(w, np.int32(0))  # i32[1,1]
    z = lax.eq(y, x)  # bool[1,1]
    aa = lax.convert_element_type(z, f32)  # f32[1,1]
    (ab,) = lax.split_p.bind(aa, axis=1, sizes=(1,))  # f32[1,1]
    ac = lax.reshape(ab, (1,))  # f32[1]  fromnumeric.py:54
    ad = raw(  # f32[1]
        lax.convert_element_type_p,
        ac,
        new_dtype=f32,
        sharding=jax.sharding.NamedSharding(empty_abstract_mesh, P(None, None)),
        weak_type=False,
    )
    ae, af = energy_2(i, j, k, l, m, n, o, ad, p, q, r, s, t, u, v)  # f32[1,3], f32[3,1,3]
    (ag,) = lax.split_p.bind(ae, axis=0, sizes=(1,))  # f32[1,3]
    (ah,) = lax.split_p.bind(af, axis=1, sizes=(1,))  # f32[3,1,3]
    _ = lax.reshape(ag, (3,))  # f32[3]  fromnumeric.py:54
    ai = lax.reshape(ah, (3, 3))  # f32[3,3]  fromnumeric.py:54
    aj = lax.transpose(ai, (1, 0))  # f32[3,3]
    (ak,) = lax.split_p.bind(aj, axis=1, sizes=(3,))  # f32[3,3]
    return ak


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
