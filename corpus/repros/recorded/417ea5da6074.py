# /// jace-repro
# schema = 1
# name = "scan"
# origin = "util.py:504 (scan)"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "417ea5da60748622192123758d84671ed9bcbb3bd9c73ef9d8364c06966a0f80"
# outputs_sha256 = "6b9ce69ee18bd4f2533b5d133e424f093393cee81903bce9db3bfc9e39adeb64"
# self_check = "exact"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""scan (util.py:504): written by jace-repro, needs only jax and numpy."""

import functools

import jax
import numpy as np
from jax import lax
from jax._src.prng import random_unwrap_p
from jax._src.prng import random_wrap_p
from jax.extend.core import primitives
from jax.extend.random import threefry_prng_impl

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


@jit("_uniform")
def uniform(a, b, c):
    d = primitives.random_bits_p.bind(a, bit_width=32, shape=())  # u32[]
    e = lax.shift_right_logical(d, np.uint32(9))  # u32[]
    f = lax.bitwise_or(e, np.uint32(1065353216))  # u32[]
    g = lax.bitcast_convert_type_p.bind(f, new_dtype=f32)  # f32[]
    h = lax.sub(g, np.float32(1.0))  # f32[]
    i = lax.sub(c, b)  # f32[]
    j = lax.mul(h, i)  # f32[]
    k = lax.add(j, b)  # f32[]
    l = lax.reshape_p.bind(k, dimensions=None, new_sizes=(), sharding=None)  # f32[]
    m = lax.max(b, l)  # f32[]
    return m


@jit("_normal_real")
def normal_real(a):
    b = uniform(a, np.float32(-0.99999994), np.float32(1.0))  # f32[]
    c = lax.erf_inv(b)  # f32[]
    d = lax.mul(np.float32(1.4142135), c)  # f32[]
    return d


@jit("_normal")
def normal(a):
    b = normal_real(a)  # f32[]
    return b


@jit("_gamma")
def gamma(a, b):
    c = lax.convert_element_type(b, f32)  # f32[]
    d = primitives.random_gamma_p.bind(a, c, log_space=False)  # f32[]
    return d


def body(a, carry, rows):
    b, c, d = carry
    e = random_wrap_p.bind(c, impl=threefry_prng_impl)  # key<fry>[]  scan.py:313
    f = primitives.random_split_p.bind(e, shape=(2,))  # key<fry>[2]  scan.py:313
    g = random_unwrap_p.bind(f)  # u32[2,2]  scan.py:313
    h = lax.slice(g, (0, 0), (1, 2), (1, 1))  # u32[1,2]  scan.py:313
    i = lax.squeeze(h, (0,))  # u32[2]  scan.py:313
    j = lax.slice(g, (1, 0), (2, 2), (1, 1))  # u32[1,2]  scan.py:313
    k = lax.squeeze(j, (0,))  # u32[2]  scan.py:313
    l = lax.mul(np.float32(0.9), d)  # f32[]  numpyro_hmm.py:19
    m = lax.eq(l, l)  # bool[]  constraints.py:888
    n = lax.ne(l, np.float32(np.inf))  # bool[]  constraints.py:888
    o = lax.bitwise_and(m, n)  # bool[]  constraints.py:888
    p = lax.ne(l, np.float32(-np.inf))  # bool[]  constraints.py:888
    _ = lax.bitwise_and(o, p)  # bool[]  constraints.py:888
    _ = lax.gt(a, np.float32(0.0))  # bool[]  constraints.py:308
    q = random_wrap_p.bind(k, impl=threefry_prng_impl)  # key<fry>[]  handlers.py:896
    r = primitives.random_split_p.bind(q, shape=(2,))  # key<fry>[2]  handlers.py:896
    s = random_unwrap_p.bind(r)  # u32[2,2]  handlers.py:896
    t = lax.slice(s, (0, 0), (1, 2), (1, 1))  # u32[1,2]  handlers.py:896
    u = lax.squeeze(t, (0,))  # u32[2]  handlers.py:896
    v = lax.slice(s, (1, 0), (2, 2), (1, 1))  # u32[1,2]  handlers.py:896
    w = lax.squeeze(v, (0,))  # u32[2]  handlers.py:896
    x = random_wrap_p.bind(w, impl=threefry_prng_impl)  # key<fry>[]  continuous.py:3536
    y = normal(x)  # f32[]  continuous.py:3536
    z = lax.mul(y, a)  # f32[]  continuous.py:3539
    aa = lax.add(l, z)  # f32[]  continuous.py:3539
    ab = lax.mul(0.5, weak(4.0, f32))  # f32[] weak  continuous.py:1035
    _ = lax.gt(weak(4.0, f32), 0.0)  # bool[] weak  constraints.py:308
    ac = lax.eq(aa, aa)  # bool[]  constraints.py:888
    ad = lax.ne(aa, np.float32(np.inf))  # bool[]  constraints.py:888
    ae = lax.bitwise_and(ac, ad)  # bool[]  constraints.py:888
    af = lax.ne(aa, np.float32(-np.inf))  # bool[]  constraints.py:888
    _ = lax.bitwise_and(ae, af)  # bool[]  constraints.py:888
    ag = random_wrap_p.bind(u, impl=threefry_prng_impl)  # key<fry>[]  handlers.py:896
    ah = primitives.random_split_p.bind(ag, shape=(2,))  # key<fry>[2]  handlers.py:896
    ai = random_unwrap_p.bind(ah)  # u32[2,2]  handlers.py:896
    aj = lax.slice(ai, (0, 0), (1, 2), (1, 1))  # u32[1,2]  handlers.py:896
    _ = lax.squeeze(aj, (0,))  # u32[2]  handlers.py:896
    ak = lax.slice(ai, (1, 0), (2, 2), (1, 1))  # u32[1,2]  handlers.py:896
    al = lax.squeeze(ak, (0,))  # u32[2]  handlers.py:896
    am = random_wrap_p.bind(al, impl=threefry_prng_impl)  # key<fry>[]  continuous.py:3868
    an = primitives.random_split_p.bind(am, shape=(2,))  # key<fry>[2]  continuous.py:3868
    ao = random_unwrap_p.bind(an)  # u32[2,2]  continuous.py:3868
    ap = lax.slice(ao, (0, 0), (1, 2), (1, 1))  # u32[1,2]  continuous.py:3868
    aq = lax.squeeze(ap, (0,))  # u32[2]  continuous.py:3868
    ar = lax.slice(ao, (1, 0), (2, 2), (1, 1))  # u32[1,2]  continuous.py:3868
    at = lax.squeeze(ar, (0,))  # u32[2]  continuous.py:3868
    au = random_wrap_p.bind(aq, impl=threefry_prng_impl)  # key<fry>[]  continuous.py:3869
    av = normal(au)  # f32[]  continuous.py:3869
    aw = random_wrap_p.bind(at, impl=threefry_prng_impl)  # key<fry>[]  continuous.py:916
    ax = gamma(aw, ab)  # f32[]  continuous.py:916
    ay = lax.div(ax, np.float32(0.5))  # f32[]  continuous.py:916
    az = lax.div(np.float32(4.0), ay)  # f32[]  continuous.py:3871
    ba = lax.sqrt(az)  # f32[]  continuous.py:3871
    bb = lax.mul(av, ba)  # f32[]  continuous.py:3871
    bc = lax.mul(np.float32(0.5), bb)  # f32[]  continuous.py:3872
    bd = lax.add(aa, bc)  # f32[]  continuous.py:3872
    be = lax.add(b, 1)  # i32[] weak  scan.py:336
    return (be, i, aa), (l, a, aa, aa, 0.5, 4.0, weak(4.0, f32), ab, 0.5, bd, bd)


def body_2(carry, a):
    b = random_wrap_p.bind(a, impl=threefry_prng_impl)  # key<fry>[]  handlers.py:896
    c = primitives.random_split_p.bind(b, shape=(2,))  # key<fry>[2]  handlers.py:896
    d = random_unwrap_p.bind(c)  # u32[2,2]  handlers.py:896
    e = lax.slice(d, (0, 0), (1, 2), (1, 1))  # u32[1,2]  handlers.py:896
    f = lax.squeeze(e, (0,))  # u32[2]  handlers.py:896
    g = lax.slice(d, (1, 0), (2, 2), (1, 1))  # u32[1,2]  handlers.py:896
    h = lax.squeeze(g, (0,))  # u32[2]  handlers.py:896
    i = random_wrap_p.bind(h, impl=threefry_prng_impl)  # key<fry>[]  continuous.py:3536
    j = normal(i)  # f32[]  continuous.py:3536
    k = lax.mul(j, np.float32(1.0))  # f32[]  continuous.py:3539
    l = lax.add(np.float32(0.0), k)  # f32[]  continuous.py:3539
    m = lax.abs(l)  # f32[]  continuous.py:1480
    n = random_wrap_p.bind(f, impl=threefry_prng_impl)  # key<fry>[]  handlers.py:896
    o = primitives.random_split_p.bind(n, shape=(2,))  # key<fry>[2]  handlers.py:896
    p = random_unwrap_p.bind(o)  # u32[2,2]  handlers.py:896
    q = lax.slice(p, (0, 0), (1, 2), (1, 1))  # u32[1,2]  handlers.py:896
    r = lax.squeeze(q, (0,))  # u32[2]  handlers.py:896
    s = lax.slice(p, (1, 0), (2, 2), (1, 1))  # u32[1,2]  handlers.py:896
    t = lax.squeeze(s, (0,))  # u32[2]  handlers.py:896
    u = random_wrap_p.bind(t, impl=threefry_prng_impl)  # key<fry>[]  continuous.py:3536
    v = normal(u)  # f32[]  continuous.py:3536
    w = lax.mul(v, np.float32(1.0))  # f32[]  continuous.py:3539
    x = lax.add(np.float32(0.0), w)  # f32[]  continuous.py:3539
    y = random_wrap_p.bind(r, impl=threefry_prng_impl)  # key<fry>[]  handlers.py:896
    z = primitives.random_split_p.bind(y, shape=(2,))  # key<fry>[2]  handlers.py:896
    aa = random_unwrap_p.bind(z)  # u32[2,2]  handlers.py:896
    ab = lax.slice(aa, (0, 0), (1, 2), (1, 1))  # u32[1,2]  handlers.py:896
    _ = lax.squeeze(ab, (0,))  # u32[2]  handlers.py:896
    ac = lax.slice(aa, (1, 0), (2, 2), (1, 1))  # u32[1,2]  handlers.py:896
    ad = lax.squeeze(ac, (0,))  # u32[2]  handlers.py:896
    # i32[] weak, u32[2], f32[], f32[6], f32[6], f32[6], f32[6], f32[6] weak, f32[6] weak, f32[6] weak, f32[6] weak, f32[6] weak, f32[6], f32[6]  scan.py:339
    (_, _, _), (_, _, ae, _, _, _, _, _, _, af, _) = lax.scan(
        functools.partial(body, m), (0, ad, x), None, length=6
    )
    return None, (m, x, ae, af)


def inputs():
    return [
        # a: u32[3,2]
        np.array([[507451445, 1853169794], [1948878966, 4237131848], [2441914641, 3819641963]], np.uint32),
    ]


def repro(a):
    _, (b, c, d, e) = lax.scan(body_2, None, a)  # f32[3], f32[3], f32[3,6], f32[3,6]
    # result[0], result[1], result[2], result[3]
    return b, c, d, e


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
