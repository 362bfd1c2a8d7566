# /// jace-repro
# schema = 1
# name = "field"
# origin = "scripts/libraries/jax_derivatives.py:8 (field)"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "ea42ed1ef5e1055a81a38b0b196c418c5330b1da13bbbf273c77cd7a3d7d4e3c"
# outputs_sha256 = "0eb3cfda5d5656de572223516b5ac610558cc2601a185e90af4851991f68f348"
# self_check = "exact"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""field (jax_derivatives.py:8): written by jace-repro, needs only jax and numpy."""

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
    v = lax.slice(a, (0,), (1,))  # f32[1]  jax_derivatives.py:10
    w = lax.slice(b, (0, 0), (3, 1))  # f32[3,1]  jax_derivatives.py:10
    x = lax.squeeze(v, (0,))  # f32[]  jax_derivatives.py:10
    y = lax.squeeze(w, (1,))  # f32[3]  jax_derivatives.py:10
    z = lax.mul(s, x)  # f32[]  jax_derivatives.py:10
    aa = lax.mul(u, x)  # f32[3]  jax_derivatives.py:10
    ab = lax.mul(s, y)  # f32[3]  jax_derivatives.py:10
    ac = primitives.add_jaxvals_p.bind(aa, ab)  # f32[3]  jax_derivatives.py:10
    ad = lax.slice(a, (1,), (2,))  # f32[1]  jax_derivatives.py:10
    ae = lax.slice(b, (0, 1), (3, 2))  # f32[3,1]  jax_derivatives.py:10
    af = lax.squeeze(ad, (0,))  # f32[]  jax_derivatives.py:10
    ag = lax.squeeze(ae, (1,))  # f32[3]  jax_derivatives.py:10
    ah = lax.integer_pow(af, 2)  # f32[]  jax_derivatives.py:10
    ai = lax.mul(np.float32(2.0), af)  # f32[]  jax_derivatives.py:10
    aj = lax.mul(ag, ai)  # f32[3]  jax_derivatives.py:10
    ak = lax.slice(a, (2,), (3,))  # f32[1]  jax_derivatives.py:10
    al = lax.slice(b, (0, 2), (3, 3))  # f32[3,1]  jax_derivatives.py:10
    am = lax.squeeze(ak, (0,))  # f32[]  jax_derivatives.py:10
    an = lax.squeeze(al, (1,))  # f32[3]  jax_derivatives.py:10
    ao = lax.add(ah, am)  # f32[]  jax_derivatives.py:10
    ap = lax.add(aj, an)  # f32[3]  jax_derivatives.py:10
    aq = lax.stack_p.bind(k, z, ao, axis=0)  # f32[3]  jax_derivatives.py:10
    ar = lax.stack_p.bind(n, ac, ap, axis=0)  # f32[3,3]  jax_derivatives.py:10
    return aq, ar


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
    _, i = field(a, h)  # f32[3], f32[3,3]
    (j,) = lax.split_p.bind(i, axis=1, sizes=(3,))  # f32[3,3]
    return j


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
