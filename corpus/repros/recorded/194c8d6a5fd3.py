# /// jace-repro
# schema = 1
# name = "move"
# origin = "scripts/libraries/jax_nested_jit.py:34 (move)"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "194c8d6a5fd35bede9611aae3530f62448d20a0b0049c4d215fda52450185263"
# outputs_sha256 = "4f8dffad54eb5dce87a2852e53dcdab62c3c57144a25da8e7824c50e1e77038a"
# self_check = "exact"
# donated = [
#     1,
# ]
#
# [static]
# self = "<__main__.Tracer object>"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""move (jax_nested_jit.py:34): written by jace-repro, needs only jax and numpy."""

import functools

import jax
import numpy as np
from jax import lax

f32 = np.dtype("float32")


def jit(name=None, **options):
    """jax.jit as a decorator, for a function whose name is not the one in the program."""

    def decorate(fun):
        fun.__name__ = fun.__qualname__ = name or fun.__name__
        return jax.jit(fun, **options)

    return decorate


def weak(value, dtype):
    """A value of a weak type that no Python scalar has by itself."""
    return lax.convert_element_type_p.bind(value, new_dtype=dtype, weak_type=True, sharding=None)


@jit("_pad")
def pad_fn(a, b):
    c = lax.slice(a, (15,), (16,), (1,))  # f32[1]
    d = lax.slice(a, (0,), (1,), (1,))  # f32[1]
    e = lax.concatenate([c, a, d], 0)  # f32[18]
    return e


@jax.jit
def derivative(a, b):
    c = pad_fn(a, 0)  # f32[18]  jax_nested_jit.py:17
    d = lax.slice(c, (2,), (18,))  # f32[16]  jax_nested_jit.py:18
    e = lax.slice(c, (0,), (16,))  # f32[16]  jax_nested_jit.py:18
    f = lax.sub(d, e)  # f32[16]  jax_nested_jit.py:18
    g = lax.mul(weak(2.0, f32), b)  # f32[] weak  jax_nested_jit.py:18
    h = lax.convert_element_type(g, f32)  # f32[]  jax_nested_jit.py:18
    i = lax.div(f, h)  # f32[16]  jax_nested_jit.py:18
    j = pad_fn(i, 0)  # f32[18]  jax_nested_jit.py:17
    k = lax.slice(j, (2,), (18,))  # f32[16]  jax_nested_jit.py:18
    l = lax.slice(j, (0,), (16,))  # f32[16]  jax_nested_jit.py:18
    m = lax.sub(k, l)  # f32[16]  jax_nested_jit.py:18
    n = lax.mul(weak(2.0, f32), b)  # f32[] weak  jax_nested_jit.py:18
    o = lax.convert_element_type(n, f32)  # f32[]  jax_nested_jit.py:18
    p = lax.div(m, o)  # f32[16]  jax_nested_jit.py:18
    return p


@jax.jit
def derivative_2(a, b):
    c = pad_fn(a, 0)  # f32[18]  jax_nested_jit.py:17
    d = lax.slice(c, (2,), (18,))  # f32[16]  jax_nested_jit.py:18
    e = lax.slice(c, (0,), (16,))  # f32[16]  jax_nested_jit.py:18
    f = lax.sub(d, e)  # f32[16]  jax_nested_jit.py:18
    g = lax.mul(weak(2.0, f32), b)  # f32[] weak  jax_nested_jit.py:18
    h = lax.convert_element_type(g, f32)  # f32[]  jax_nested_jit.py:18
    i = lax.div(f, h)  # f32[16]  jax_nested_jit.py:18
    return i


def body(a, b, rows):
    c = derivative(b, 0.2)  # f32[16]  jax_nested_jit.py:25
    d = derivative_2(b, 0.2)  # f32[16]  jax_nested_jit.py:25
    e = lax.mul(b, d)  # f32[16]  jax_nested_jit.py:25
    f = lax.sub(c, e)  # f32[16]  jax_nested_jit.py:25
    g = lax.convert_element_type(a, f32)  # f32[]  jax_nested_jit.py:25
    h = lax.mul(g, f)  # f32[16]  jax_nested_jit.py:25
    i = lax.add(b, h)  # f32[16]  jax_nested_jit.py:25
    return i, None


@jit(donate_argnums=(0,))
def advance(a, b):
    c, _ = lax.scan(functools.partial(body, b), a, None, length=2)  # f32[16]  jax_nested_jit.py:27
    return c


@jax.jit
def gauss(a, b):
    c = lax.convert_element_type(b, f32)  # f32[]  jax_nested_jit.py:11
    d = lax.div(a, c)  # f32[16]  jax_nested_jit.py:11
    e = lax.integer_pow(d, 2)  # f32[16]  jax_nested_jit.py:11
    f = lax.neg(e)  # f32[16]  jax_nested_jit.py:11
    g = lax.exp(f)  # f32[16]  jax_nested_jit.py:11
    return g


def inputs():
    return [
        0.01,  # a = dt: f32[] weak
        # b = u: f32[16]
        np.array(
            [
                0.01831564,
                0.049566276,
                0.1163548,
                0.2369278,
                0.4184863,
                0.6411805,
                0.8521439,
                0.9823793,
                0.98237926,
                0.85214376,
                0.64118034,
                0.4184862,
                0.2369276,
                0.11635472,
                0.04956624,
                0.01831564,
            ],
            np.float32,
        ),
    ]


def repro(a, b):
    # static: self = <__main__.Tracer object>
    c = advance(b, a)  # f32[16]  jax_nested_jit.py:36
    d = lax.mul(a, 0.5)  # f32[] weak  jax_nested_jit.py:36
    e = gauss(b, 0.5)  # f32[16]  jax_nested_jit.py:36
    f = lax.convert_element_type(d, f32)  # f32[]  jax_nested_jit.py:36
    g = lax.mul(f, e)  # f32[16]  jax_nested_jit.py:36
    h = lax.add(c, g)  # f32[16]  jax_nested_jit.py:36
    return h


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro, donate_argnums=(1,))(*inputs())):
        print(output)
