# /// jace-repro
# schema = 1
# name = "collatz"
# origin = "scripts/libraries/jax_control_flow.py:15 (collatz)"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "dd16c1dd3a689d5fd4a15be81efc34c693b5540d79f4a28d52cef349efdfb92a"
# outputs_sha256 = "a86641096b82c5eec2ac4a5af127fb7d688f4bedc1ff7080e455062ba4027fc6"
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
bool_ = np.dtype("bool")
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


def cond(carry):
    a, b = carry
    c = lax.ne(a, 1)  # bool[] weak  jax_control_flow.py:21
    return c


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


def branch(a):
    b = lax.mul(3, a)  # i32[] weak  jax_control_flow.py:19
    c = lax.add(b, 1)  # i32[] weak  jax_control_flow.py:19
    return c


@jax.jit
def floor_divide(a, b):
    c = lax.div(a, b)  # i32[] weak
    d = lax.sign(a)  # i32[] weak
    e = lax.sign(b)  # i32[] weak
    f = lax.ne(d, e)  # bool[] weak
    g = lax.rem(a, b)  # i32[] weak
    h = lax.ne(g, 0)  # bool[] weak
    i = lax.convert_element_type(f, bool_)  # bool[]
    j = lax.convert_element_type(h, bool_)  # bool[]
    k = lax.bitwise_and(i, j)  # bool[]
    l = lax.sub(c, 1)  # i32[] weak
    m = where(k, l, c)  # i32[] weak
    return m


def branch_2(a):
    b = floor_divide(a, 2)  # i32[] weak  jax_control_flow.py:19
    return b


def body(carry):
    a, b = carry
    c = remainder(a, 2)  # i32[] weak  jax_control_flow.py:19
    d = lax.eq(c, 0)  # bool[] weak  jax_control_flow.py:19
    e = lax.convert_element_type(d, i32)  # i32[]  jax_control_flow.py:19
    (f,) = lax.cond_p.bind(  # i32[] weak  jax_control_flow.py:19
        e, a, branches=(J(branch, S((), i32, weak_type=True)), J(branch_2, S((), i32, weak_type=True)))
    )
    g = lax.add(b, 1)  # i32[] weak  jax_control_flow.py:19
    return f, g


def inputs():
    return [
        27,  # a = n: i32[] weak
    ]


def repro(a):
    _, b = lax.while_loop(cond, body, (a, 0))  # i32[] weak, i32[] weak  jax_control_flow.py:21
    return b


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
