# /// jace-repro
# schema = 1
# name = "collatz"
# origin = "scripts/libraries/jax_control_flow.py:15 (collatz)"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "7434a143513fafab9fda90c926172166d879a4e05915e07d34329a7a1cefd458"
# outputs_sha256 = "aaa6d46aec19e5786280f73f3f5773d424b3fd5a52e120763c863d13d31c012e"
# self_check = "exact"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""collatz (jax_control_flow.py:15): written by jace-repro, needs only jax and numpy."""

import jax
import numpy as np
from jax import lax

S = jax.ShapeDtypeStruct
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


@jit("_where")
def where(a, b, c):
    d = lax.select_n(a, c, b)  # i32[]
    return d


@jax.jit
def remainder(a, b):
    c = lax.convert_element_type(b, i32)  # i32[]
    d = lax.eq(c, np.int32(0))  # bool[]
    e = where(d, np.int32(1), c)  # i32[]
    f = lax.rem(a, e)  # i32[7]
    g = lax.ne(f, np.int32(0))  # bool[7]
    h = lax.lt(f, np.int32(0))  # bool[7]
    i = lax.lt(e, np.int32(0))  # bool[]
    j = lax.ne(h, i)  # bool[7]
    k = lax.bitwise_and(j, g)  # bool[7]
    l = lax.add(f, e)  # i32[7]
    m = lax.select_n(k, f, l)  # i32[7]
    return m


@jit("_where")
def where_2(a, b, c):
    d = lax.select_n(a, c, b)  # i32[7]
    return d


@jax.jit
def floor_divide(a, b):
    c = lax.convert_element_type(b, i32)  # i32[]
    d = lax.div(a, c)  # i32[7]
    e = lax.sign(a)  # i32[7]
    f = lax.sign(c)  # i32[]
    g = lax.ne(e, f)  # bool[7]
    h = lax.rem(a, c)  # i32[7]
    i = lax.ne(h, np.int32(0))  # bool[7]
    j = lax.bitwise_and(g, i)  # bool[7]
    k = lax.sub(d, np.int32(1))  # i32[7]
    l = where_2(j, k, d)  # i32[7]
    return l


def body(a, b):
    c = remainder(a, 2)  # i32[7]  jax_control_flow.py:19
    d = lax.eq(c, np.int32(0))  # bool[7]  jax_control_flow.py:19
    e = lax.convert_element_type(d, i32)  # i32[7]  jax_control_flow.py:19
    f = lax.eq(e, np.int32(0))  # bool[7]  jax_control_flow.py:19
    g = lax.stop_gradient_p.bind(a)  # i32[7]  jax_control_flow.py:19
    h = lax.select_n(f, g, a)  # i32[7]  jax_control_flow.py:19
    i = lax.mul(np.int32(3), h)  # i32[7]  jax_control_flow.py:19
    j = lax.add(i, np.int32(1))  # i32[7]  jax_control_flow.py:19
    k = lax.eq(e, np.int32(1))  # bool[7]  jax_control_flow.py:19
    l = lax.stop_gradient_p.bind(a)  # i32[7]  jax_control_flow.py:19
    m = lax.select_n(k, l, a)  # i32[7]  jax_control_flow.py:19
    n = floor_divide(m, 2)  # i32[7]  jax_control_flow.py:19
    o = lax.select_n(e, j, n)  # i32[7]  jax_control_flow.py:19
    p = lax.add(b, 1)  # i32[7] weak  jax_control_flow.py:19
    return o, p


def cond(a, b):
    c = lax.ne(a, np.int32(1))  # bool[7]  jax_control_flow.py:21
    return c


@jax.jit
def collatz(a):
    b = lax.broadcast_in_dim(0, (7,), ())  # i32[7] weak  jax_control_flow.py:21
    _, c = lax.while_p.bind(  # i32[7], i32[7] weak  jax_control_flow.py:21
        a,
        b,
        body_jaxpr=J(body, S((7,), i32), S((7,), i32, weak_type=True)),
        body_nconsts=0,
        cond_jaxpr=J(cond, S((7,), i32), S((7,), i32, weak_type=True)),
        cond_nconsts=0,
    )
    return c


def inputs():
    return [
        np.array([1, 2, 3, 4, 5, 6, 7], np.int32),  # a = n: i32[7]
    ]


def repro(a):
    b = collatz(a)  # i32[7] weak
    return b


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
