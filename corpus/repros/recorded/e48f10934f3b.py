# /// jace-repro
# schema = 1
# name = "_von_mises_centered"
# origin = "util.py:625 (_von_mises_centered)"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "e48f10934f3b09c9b0a197cff70165e1a8ce5c9c66957b88541aa4ea55435206"
# outputs_sha256 = "e65c63dd6b3c2fab5c1758a04ee0c96433d68aef0fb07e6f2cd80f5a16740fb0"
# self_check = "exact"
#
# [static]
# shape = "(4,)"
# dtype = "dtype('float32')"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""_von_mises_centered (util.py:625): written by jace-repro, needs only jax and numpy."""

import functools

import jax
import numpy as np
from jax import lax
from jax._src.prng import random_unwrap_p
from jax._src.prng import random_wrap_p
from jax.extend.core import primitives
from jax.extend.random import threefry_prng_impl

bool_ = np.dtype("bool")
f32 = np.dtype("float32")


def jit(name=None, **options):
    """jax.jit as a decorator, for a function whose name is not the one in the program."""

    def decorate(fun):
        fun.__name__ = fun.__qualname__ = name or fun.__name__
        return jax.jit(fun, **options)

    return decorate


@jit("_where")
def where(a, b, c):
    d = lax.select_n(a, c, b)  # f32[4]
    return d


def cond(carry):
    a, b, c, d, e = carry
    f = lax.lt(a, 100)  # bool[] weak  util.py:647
    g = lax.reduce_and(c, axes=(0,))  # bool[]  util.py:647
    h = lax.bitwise_not(g)  # bool[]  util.py:647
    i = lax.convert_element_type(f, bool_)  # bool[]  util.py:647
    j = lax.bitwise_and(i, h)  # bool[]  util.py:647
    return j


@jit("_uniform")
def uniform(a, b, c):
    d = lax.convert_element_type(b, f32)  # f32[]
    e = lax.convert_element_type(c, f32)  # f32[]
    f = lax.broadcast_in_dim(d, (1,), ())  # f32[1]
    g = lax.broadcast_in_dim(e, (1,), ())  # f32[1]
    h = primitives.random_bits_p.bind(a, bit_width=32, shape=(4,))  # u32[4]
    i = lax.shift_right_logical(h, np.uint32(9))  # u32[4]
    j = lax.bitwise_or(i, np.uint32(1065353216))  # u32[4]
    k = lax.bitcast_convert_type_p.bind(j, new_dtype=f32)  # f32[4]
    l = lax.sub(k, np.float32(1.0))  # f32[4]
    m = lax.sub(g, f)  # f32[1]
    n = lax.mul(l, m)  # f32[4]
    o = lax.add(n, f)  # f32[4]
    p = lax.max(f, o)  # f32[4]
    return p


def body(a, b, carry):
    c, d, e, f, g = carry
    h = random_wrap_p.bind(d, impl=threefry_prng_impl)  # key<fry>[]  util.py:651
    i = primitives.random_split_p.bind(h, shape=(3,))  # key<fry>[3]  util.py:651
    j = random_unwrap_p.bind(i)  # u32[3,2]  util.py:651
    k = lax.slice(j, (0, 0), (1, 2), (1, 1))  # u32[1,2]  util.py:651
    l = lax.squeeze(k, (0,))  # u32[2]  util.py:651
    m = lax.slice(j, (1, 0), (2, 2), (1, 1))  # u32[1,2]  util.py:651
    n = lax.squeeze(m, (0,))  # u32[2]  util.py:651
    o = lax.slice(j, (2, 0), (3, 2), (1, 1))  # u32[1,2]  util.py:651
    p = lax.squeeze(o, (0,))  # u32[2]  util.py:651
    q = random_wrap_p.bind(l, impl=threefry_prng_impl)  # key<fry>[]  util.py:653
    r = uniform(q, -1.0, 1.0)  # f32[4]  util.py:653
    s = lax.mul(np.float32(3.1415927), r)  # f32[4]  util.py:660
    t = lax.cos(s)  # f32[4]  util.py:660
    u = lax.mul(a, t)  # f32[4]  util.py:661
    v = lax.add(np.float32(1.0), u)  # f32[4]  util.py:661
    w = lax.add(a, t)  # f32[4]  util.py:661
    x = lax.div(v, w)  # f32[4]  util.py:661
    y = where(e, g, x)  # f32[4]  util.py:661
    z = lax.sub(a, y)  # f32[4]  util.py:663
    aa = lax.mul(b, z)  # f32[4]  util.py:663
    ab = random_wrap_p.bind(n, impl=threefry_prng_impl)  # key<fry>[]  util.py:664
    ac = uniform(ab, 0.0, 1.0)  # f32[4]  util.py:664
    ad = lax.sub(np.float32(2.0), aa)  # f32[4]  util.py:666
    ae = lax.mul(aa, ad)  # f32[4]  util.py:666
    af = lax.ge(ae, ac)  # bool[4]  util.py:666
    ag = lax.div(aa, ac)  # f32[4]  util.py:666
    ah = lax.log(ag)  # f32[4]  util.py:666
    ai = lax.add(ah, np.float32(1.0))  # f32[4]  util.py:666
    aj = lax.ge(ai, aa)  # bool[4]  util.py:666
    ak = lax.bitwise_or(af, aj)  # bool[4]  util.py:666
    al = lax.add(c, 1)  # i32[] weak  util.py:668
    am = lax.bitwise_or(ak, e)  # bool[4]  util.py:668
    return al, p, am, r, y


def inputs():
    return [
        np.array([1039520245, 1457843688], np.uint32),  # a = key: u32[2]
        np.array([2.0, 2.0, 2.0, 2.0], np.float32),  # b = concentration: f32[4]
    ]


def repro(a, b):
    # static: shape = (4,)
    # static: dtype = dtype('float32')
    c = lax.integer_pow(b, 2)  # f32[4]  util.py:636
    d = lax.mul(np.float32(4.0), c)  # f32[4]  util.py:636
    e = lax.add(np.float32(1.0), d)  # f32[4]  util.py:636
    f = lax.sqrt(e)  # f32[4]  util.py:636
    g = lax.add(np.float32(1.0), f)  # f32[4]  util.py:636
    h = lax.mul(np.float32(2.0), g)  # f32[4]  util.py:637
    i = lax.sqrt(h)  # f32[4]  util.py:637
    j = lax.sub(g, i)  # f32[4]  util.py:637
    k = lax.mul(np.float32(2.0), b)  # f32[4]  util.py:637
    l = lax.div(j, k)  # f32[4]  util.py:637
    m = lax.integer_pow(l, 2)  # f32[4]  util.py:638
    n = lax.add(np.float32(1.0), m)  # f32[4]  util.py:638
    o = lax.mul(np.float32(2.0), l)  # f32[4]  util.py:638
    p = lax.div(n, o)  # f32[4]  util.py:638
    q = lax.div(np.float32(1.0), b)  # f32[4]  util.py:640
    r = lax.gt(b, np.float32(0.02))  # bool[4]  util.py:642
    s = where(r, p, q)  # f32[4]  util.py:642
    t = lax.broadcast_in_dim(np.bool_(False), (4,), ())  # bool[4]  util.py:670
    u = lax.broadcast_in_dim(np.float32(0.0), (4,), ())  # f32[4]  util.py:671
    v = lax.broadcast_in_dim(np.float32(0.0), (4,), ())  # f32[4]  util.py:672
    _, _, _, w, x = lax.while_loop(  # i32[] weak, u32[2], bool[4], f32[4], f32[4]  util.py:674
        cond, functools.partial(body, s, b), (0, a, t, u, v)
    )
    y = lax.sign(w)  # f32[4]  util.py:680
    z = lax.acos(x)  # f32[4]  util.py:680
    aa = lax.mul(y, z)  # f32[4]  util.py:680
    return aa


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
