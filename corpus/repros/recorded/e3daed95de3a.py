# /// jace-repro
# schema = 1
# name = "<lambda>"
# origin = "scripts/libraries/equinox_custom_module.py:39 (<lambda>)"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "e3daed95de3a1d0e5b66bb44ec2b91d07ae1b0977493d012f2e128097c82a060"
# outputs_sha256 = "f5c9a0c68d668a6387f9a9d42b379b8ee062102c6e0c22d2c56426b9f7ab102f"
# self_check = "exact"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""<lambda> (equinox_custom_module.py:39): written by jace-repro, needs only jax and numpy."""

import jax
import numpy as np
from jax import lax
from jax._src.mesh import empty_abstract_mesh
from jax.extend.core import primitives
from jax.sharding import PartitionSpec as P

S = jax.ShapeDtypeStruct
f32 = np.dtype("float32")


def J(fun, *avals):
    """The jaxpr of fun on operands of these types: the body of a control flow equation."""
    return jax.make_jaxpr(fun)(*avals)


def weak(value, dtype):
    """A value of a weak type that no Python scalar has by itself."""
    return lax.convert_element_type_p.bind(value, new_dtype=dtype, weak_type=True, sharding=None)


def body(a, b, c, d):
    e = lax.mul(a, c)  # f32[] weak  equinox_custom_module.py:18
    f = lax.mul(b, d)  # f32[] weak  equinox_custom_module.py:18
    g = lax.sub(e, f)  # f32[] weak  equinox_custom_module.py:18
    h = lax.mul(0.1, d)  # f32[] weak  equinox_custom_module.py:19
    i = lax.add(c, h)  # f32[] weak  equinox_custom_module.py:19
    j = lax.mul(0.1, g)  # f32[] weak  equinox_custom_module.py:19
    k = lax.add(d, j)  # f32[] weak  equinox_custom_module.py:19
    return i, k, c, c, d


def body_2(a, b, c, d, e, f, g, h, i, j):
    k = lax.mul(0.1, g)  # f32[] weak  equinox_custom_module.py:19
    l = primitives.add_jaxvals_p.bind(h, f)  # f32[] weak  equinox_custom_module.py:19
    m = lax.mul(0.1, f)  # f32[] weak  equinox_custom_module.py:19
    n = primitives.add_jaxvals_p.bind(g, m)  # f32[] weak  equinox_custom_module.py:19
    o = lax.neg(k)  # f32[] weak  equinox_custom_module.py:18
    p = lax.mul(c, o)  # f32[] weak  equinox_custom_module.py:18
    q = primitives.add_jaxvals_p.bind(n, p)  # f32[] weak  equinox_custom_module.py:18
    r = lax.mul(o, j)  # f32[] weak  equinox_custom_module.py:18
    s = primitives.add_jaxvals_p.bind(e, r)  # f32[] weak  equinox_custom_module.py:18
    t = lax.mul(b, k)  # f32[] weak  equinox_custom_module.py:18
    u = primitives.add_jaxvals_p.bind(l, t)  # f32[] weak  equinox_custom_module.py:18
    v = lax.mul(k, i)  # f32[] weak  equinox_custom_module.py:18
    w = lax.neg(v)  # f32[] weak  equinox_custom_module.py:18
    x = lax.mul(w, a)  # f32[] weak  equinox_custom_module.py:18
    y = primitives.add_jaxvals_p.bind(d, x)  # f32[] weak  equinox_custom_module.py:18
    return y, s, u, q


def inputs():
    return [
        1.5,  # a = d.frequency: f32[] weak
        0.3,  # b = d.damping: f32[] weak
    ]


def repro(a, b):
    c = lax.integer_pow(a, 2)  # f32[] weak  equinox_custom_module.py:18
    d = lax.mul(2.0, a)  # f32[] weak  equinox_custom_module.py:18
    e = lax.neg(c)  # f32[] weak  equinox_custom_module.py:18
    # f32[] weak, f32[] weak, f32[12] weak, f32[12] weak, f32[12] weak  equinox_custom_module.py:21
    _, _, f, g, h = lax.scan_p.bind(
        e,
        b,
        weak(1.0, f32),
        weak(0.0, f32),
        jaxpr=J(
            body,
            S((), f32, weak_type=True),
            S((), f32, weak_type=True),
            S((), f32, weak_type=True),
            S((), f32, weak_type=True),
        ),
        length=12,
        num_carry=2,
        num_consts=2,
        reverse=False,
        unroll=1,
    )
    i = lax.convert_element_type(f, f32)  # f32[12]  equinox_custom_module.py:39
    _ = lax.reduce_sum(i, axes=(0,))  # f32[]  equinox_custom_module.py:39
    j = lax.broadcast_in_dim(np.float32(1.0), (12,), ())  # f32[12]  equinox_custom_module.py:39
    k = lax.convert_element_type_p.bind(  # f32[12] weak  equinox_custom_module.py:39
        j, new_dtype=f32, sharding=jax.sharding.NamedSharding(empty_abstract_mesh, P(None)), weak_type=True
    )
    # f32[] weak, f32[] weak, f32[] weak, f32[] weak  equinox_custom_module.py:21
    l, m, _, _ = lax.scan_p.bind(
        d,
        e,
        b,
        weak(0.0, f32),
        weak(0.0, f32),
        weak(0.0, f32),
        weak(0.0, f32),
        k,
        g,
        h,
        jaxpr=J(
            body_2,
            S((), f32, weak_type=True),
            S((), f32, weak_type=True),
            S((), f32, weak_type=True),
            S((), f32, weak_type=True),
            S((), f32, weak_type=True),
            S((), f32, weak_type=True),
            S((), f32, weak_type=True),
            S((), f32, weak_type=True),
            S((), f32, weak_type=True),
            S((), f32, weak_type=True),
        ),
        length=12,
        num_carry=4,
        num_consts=3,
        reverse=True,
        unroll=1,
    )
    # result.frequency, result.damping
    return l, m


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
