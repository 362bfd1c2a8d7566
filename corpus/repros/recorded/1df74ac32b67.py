# /// jace-repro
# schema = 1
# name = "while"
# origin = "loop.py:60 (while)"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "1df74ac32b674e811067207b663000d6bc9f1a1da45c5a02197665fd5df73e4f"
# outputs_sha256 = "7a1e8bf5b24bdf3f35ded5ca0ba4dcfeb7ce844e377af5163ae05ae47a89967c"
# sidecar_sha256 = "2cbe090560d0a6c8a83173989a4d26c18fe046c4855ca769a0700bfe18b641f1"
# self_check = "exact"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""while (loop.py:60): written by jace-repro, needs only jax and numpy."""

import functools
import hashlib
import io
import pathlib

import jax
import numpy as np
from jax import lax

bool_ = np.dtype("bool")
f32 = np.dtype("float32")
i32 = np.dtype("int32")


def jit(name=None, **options):
    """jax.jit as a decorator, for a function whose name is not the one in the program."""

    def decorate(fun):
        fun.__name__ = fun.__qualname__ = name or fun.__name__
        return jax.jit(fun, **options)

    return decorate


def weak(value, dtype):
    """A value of a weak type that no Python scalar has by itself."""
    return lax.convert_element_type_p.bind(value, new_dtype=dtype, weak_type=True, sharding=None)


SIDECAR_SHA256 = "2cbe090560d0a6c8a83173989a4d26c18fe046c4855ca769a0700bfe18b641f1"


def read_sidecar():
    """The arrays in the .npz file beside this script."""
    path = pathlib.Path(__file__).with_suffix(".npz")
    data = path.read_bytes()
    if hashlib.sha256(data).hexdigest() != SIDECAR_SHA256:
        raise SystemExit(f"{path} is not the file that belongs to this script (sha256 differs)")
    return dict(np.load(io.BytesIO(data)))


ARRAYS = globals().get("ARRAYS") or read_sidecar()  # whoever executes this text may put them there


def cond(carry):
    a, b, c, d, e, f, g = carry
    h = lax.gt(e, np.float32(0.001))  # bool[]  base.py:266
    i = lax.le(a, 6)  # bool[] weak  loop.py:53
    j = lax.convert_element_type(i, bool_)  # bool[]  loop.py:53
    k = lax.bitwise_and(h, j)  # bool[]  loop.py:53
    return k


@jax.jit
def sort(a):
    (b,) = lax.sort_p.bind(a, dimension=0, is_stable=True, num_keys=1)  # f32[4]
    return b


@jax.jit
def cumsum(a):
    b = lax.cumsum(a, axis=0)  # f32[4]
    return b


@jax.jit
def count_nonzero(a):
    b = lax.ne(a, np.bool_(False))  # bool[4]
    c = lax.convert_element_type(b, i32)  # i32[4]
    d = lax.reduce_sum(c, axes=(0,))  # i32[]
    return d


@jax.custom_jvp
def projection_unit_simplex(a):
    b = sort(a)  # f32[4]  projection.py:100
    c = lax.rev(b, (0,))  # f32[4]  projection.py:100
    d = cumsum(c)  # f32[4]  projection.py:101
    e = lax.broadcasted_iota(i32, (4,), 0)  # i32[4]  projection.py:102
    f = lax.add(e, np.int32(1))  # i32[4]  projection.py:102
    g = lax.convert_element_type_p.bind(  # f32[4] weak  projection.py:103
        f, new_dtype=f32, sharding=None, weak_type=True
    )
    h = lax.div(1.0, g)  # f32[4] weak  projection.py:103
    i = lax.convert_element_type(f, f32)  # f32[4]  projection.py:103
    j = lax.div(d, i)  # f32[4]  projection.py:103
    k = lax.sub(c, j)  # f32[4]  projection.py:103
    l = lax.convert_element_type(h, f32)  # f32[4]  projection.py:103
    m = lax.add(l, k)  # f32[4]  projection.py:103
    n = lax.gt(m, np.float32(0.0))  # bool[4]  projection.py:103
    o = count_nonzero(n)  # i32[]  projection.py:104
    p = lax.convert_element_type_p.bind(  # f32[] weak  projection.py:105
        o, new_dtype=f32, sharding=None, weak_type=True
    )
    q = lax.div(1.0, p)  # f32[] weak  projection.py:105
    r = lax.sub(o, np.int32(1))  # i32[]  projection.py:105
    s = lax.lt(r, np.int32(0))  # bool[]  projection.py:105
    t = lax.add(r, np.int32(4))  # i32[]  projection.py:105
    u = lax.select_n(s, r, t)  # i32[]  projection.py:105
    v = lax.dynamic_slice_p.bind(d, u, slice_sizes=(1,))  # f32[1]  projection.py:105
    w = lax.squeeze(v, (0,))  # f32[]  projection.py:105
    x = lax.convert_element_type(o, f32)  # f32[]  projection.py:105
    y = lax.div(w, x)  # f32[]  projection.py:105
    z = lax.sub(a, y)  # f32[4]  projection.py:105
    aa = lax.convert_element_type(q, f32)  # f32[]  projection.py:105
    ab = lax.add(aa, z)  # f32[4]  projection.py:105
    ac = jax.nn.relu(ab)  # f32[4]  projection.py:105
    return ac


@projection_unit_simplex.defjvp
def projection_unit_simplex_jvp(primals, tangents):
    (a,) = primals
    (b,) = tangents
    c = projection_unit_simplex(a)  # f32[4]  projection.py:112
    d = lax.gt(c, np.float32(0.0))  # bool[4]  projection.py:113
    e = count_nonzero(d)  # i32[]  projection.py:114
    f = lax.convert_element_type(d, f32)  # f32[4]  projection.py:115
    g = lax.mul(f, b)  # f32[4]  projection.py:115
    h = lax.dot_general(  # f32[]  projection.py:115
        d, b, (((0,), (0,)), ((), ())), preferred_element_type=f32
    )
    i = lax.convert_element_type(e, f32)  # f32[]  projection.py:115
    j = lax.div(h, i)  # f32[]  projection.py:115
    k = lax.convert_element_type(d, f32)  # f32[4]  projection.py:115
    l = lax.mul(j, k)  # f32[4]  projection.py:115
    m = lax.sub(g, l)  # f32[4]  projection.py:115
    return c, m


def cond_2(a, b, c, d, e, carry):
    f, g, h = carry
    i = lax.sub(g, a)  # f32[4]  proximal_gradient.py:61
    j = lax.square(i)  # f32[4]  tree_util.py:140
    k = lax.broadcast_in_dim(np.float32(0.0), (4,), ())  # f32[4]  tree_util.py:140
    l = lax.square(k)  # f32[4]  tree_util.py:140
    m = lax.add(j, l)  # f32[4]  tree_util.py:140
    n = lax.reduce_sum(m, axes=(0,))  # f32[]  tree_util.py:134
    o = lax.dot_general(  # f32[15]  jaxopt_constrained.py:15
        b, g, (((1,), (0,)), ((), ())), preferred_element_type=f32
    )
    p = lax.sub(o, c)  # f32[15]  jaxopt_constrained.py:15
    q = lax.integer_pow(p, 2)  # f32[15]  jaxopt_constrained.py:15
    r = lax.reduce_sum(q, axes=(0,))  # f32[]  jaxopt_constrained.py:15
    s = lax.div(r, np.float32(15.0))  # f32[]  jaxopt_constrained.py:15
    t = lax.sub(s, d)  # f32[]  proximal_gradient.py:66
    u = lax.mul(h, t)  # f32[]  proximal_gradient.py:66
    v = lax.dot_general(  # f32[]  tree_util.py:98
        i, e, (((0,), (0,)), ((), ())), precision=lax.Precision.HIGHEST, preferred_element_type=f32
    )
    w = lax.mul(h, v)  # f32[]  proximal_gradient.py:67
    x = lax.mul(np.float32(0.5), n)  # f32[]  proximal_gradient.py:67
    y = lax.add(w, x)  # f32[]  proximal_gradient.py:67
    z = lax.add(y, np.float32(1.1920929e-07))  # f32[]  proximal_gradient.py:68
    aa = lax.gt(u, z)  # bool[]  proximal_gradient.py:68
    ab = lax.le(f, 14)  # bool[] weak  loop.py:53
    ac = lax.convert_element_type(ab, bool_)  # bool[]  loop.py:53
    ad = lax.bitwise_and(aa, ac)  # bool[]  loop.py:53
    return ad


def body(a, b, c, carry):
    d, e, f = carry
    g = lax.convert_element_type(a, f32)  # f32[]  proximal_gradient.py:72
    h = lax.mul(f, g)  # f32[]  proximal_gradient.py:72
    i = lax.neg(h)  # f32[]  proximal_gradient.py:209
    j = lax.mul(i, b)  # f32[4]  tree_util.py:91
    k = lax.add(c, j)  # f32[4]  tree_util.py:91
    l = lax.div(k, np.float32(1.0))  # f32[4]  projection.py:137
    m = projection_unit_simplex(l)  # f32[4]  projection.py:137
    n = lax.mul(np.float32(1.0), m)  # f32[4]  projection.py:137
    o = lax.add(d, 1)  # i32[] weak  loop.py:58
    return o, n, h


@jax.jit
def call(a, b, c, d, e, f, g):
    h = lax.neg(d)  # f32[]  proximal_gradient.py:209
    i = lax.mul(h, c)  # f32[4]  tree_util.py:91
    j = lax.add(a, i)  # f32[4]  tree_util.py:91
    k = lax.div(j, np.float32(1.0))  # f32[4]  projection.py:137
    l = projection_unit_simplex(k)  # f32[4]  projection.py:137
    m = lax.mul(np.float32(1.0), l)  # f32[4]  projection.py:137
    _, n, o = lax.while_loop(  # i32[] weak, f32[4], f32[]  loop.py:60
        functools.partial(cond_2, a, f, g, b, c), functools.partial(body, e, c, a), (0, m, d)
    )
    return n, o


@jit("_where")
def where(a, b, c):
    d = lax.convert_element_type(b, f32)  # f32[]
    e = lax.select_n(a, c, d)  # f32[]
    return e


@jax.jit
def update(a, b, c, d, e, f, g, h):
    i = lax.dot_general(  # f32[15]  jaxopt_constrained.py:15
        g, e, (((1,), (0,)), ((), ())), preferred_element_type=f32
    )
    j = lax.sub(i, h)  # f32[15]  jaxopt_constrained.py:15
    k = lax.integer_pow(j, 2)  # f32[15]  jaxopt_constrained.py:15
    l = lax.mul(np.float32(2.0), j)  # f32[15]  jaxopt_constrained.py:15
    m = lax.reduce_sum(k, axes=(0,))  # f32[]  jaxopt_constrained.py:15
    n = lax.div(m, np.float32(15.0))  # f32[]  jaxopt_constrained.py:15
    o = lax.div(np.float32(1.0), np.float32(15.0))  # f32[]  jaxopt_constrained.py:15
    p = lax.broadcast_in_dim(o, (15,), ())  # f32[15]  jaxopt_constrained.py:15
    q = lax.mul(p, l)  # f32[15]  jaxopt_constrained.py:15
    r = lax.dot_general(  # f32[4]  jaxopt_constrained.py:15
        q, g, (((0,), (0,)), ((), ())), preferred_element_type=f32
    )
    s, t = call(e, n, r, c, 0.5, g, h)  # f32[4], f32[]  proximal_gradient.py:224
    u = lax.le(t, np.float32(1e-06))  # bool[]  proximal_gradient.py:231
    v = lax.div(t, np.float32(0.5))  # f32[]  proximal_gradient.py:232
    w = where(u, 1.0, v)  # f32[]  proximal_gradient.py:231
    x = lax.integer_pow(f, 2)  # f32[] weak  proximal_gradient.py:268
    y = lax.mul(weak(4.0, f32), x)  # f32[] weak  proximal_gradient.py:268
    z = lax.add(weak(1.0, f32), y)  # f32[] weak  proximal_gradient.py:268
    aa = lax.sqrt(z)  # f32[] weak  proximal_gradient.py:268
    ab = lax.add(weak(1.0, f32), aa)  # f32[] weak  proximal_gradient.py:268
    ac = lax.mul(0.5, ab)  # f32[] weak  proximal_gradient.py:268
    ad = lax.sub(s, a)  # f32[4]  proximal_gradient.py:269
    ae = lax.sub(f, weak(1.0, f32))  # f32[] weak  proximal_gradient.py:270
    af = lax.div(ae, ac)  # f32[] weak  proximal_gradient.py:270
    ag = lax.convert_element_type(af, f32)  # f32[]  tree_util.py:91
    ah = lax.mul(ag, ad)  # f32[4]  tree_util.py:91
    ai = lax.add(s, ah)  # f32[4]  tree_util.py:91
    aj = lax.square(ad)  # f32[4]  tree_util.py:140
    ak = lax.broadcast_in_dim(np.float32(0.0), (4,), ())  # f32[4]  tree_util.py:140
    al = lax.square(ak)  # f32[4]  tree_util.py:140
    am = lax.add(aj, al)  # f32[4]  tree_util.py:140
    an = lax.reduce_sum(am, axes=(0,))  # f32[]  tree_util.py:134
    ao = lax.sqrt(an)  # f32[]  tree_util.py:145
    ap = lax.div(ao, w)  # f32[]  proximal_gradient.py:206
    aq = lax.add(b, 1)  # i32[] weak  proximal_gradient.py:272
    return s, aq, w, ap, ai, ac


def body_2(a, b, carry):
    c, d, e, f, g, h, i = carry
    j, k, l, m, n, o = update(  # f32[4], i32[] weak, f32[], f32[], f32[4], f32[] weak  base.py:285
        d, e, f, g, h, i, a, b
    )
    p = lax.add(c, 1)  # i32[] weak  loop.py:58
    return p, j, k, l, m, n, o


def inputs():
    return [
        ARRAYS["x0"],  # a: f32[15,4]
        # b: f32[15]
        np.array(
            [
                0.6480646,
                -0.19673006,
                -0.17874637,
                -0.105259776,
                0.6498697,
                -1.0663396,
                -1.5298765,
                -2.4338768,
                1.1986709,
                0.07379336,
                1.5101194,
                -0.008956298,
                -0.74215543,
                0.4779293,
                -0.076588415,
            ],
            np.float32,
        ),
        0,  # c: i32[] weak
        np.array([0.41919824, 0.34704503, 0.06974587, 0.16401085], np.float32),  # d: f32[4]
        1,  # e: i32[] weak
        np.float32(0.5),  # f: f32[]
        np.float32(0.55832416),  # g: f32[]
        np.array([0.41919824, 0.34704503, 0.06974587, 0.16401085], np.float32),  # h: f32[4]
        1.618034,  # i: f32[] weak
    ]


def repro(a, b, c, d, e, f, g, h, i):
    j, k, l, m, n, o, p = lax.while_loop(  # i32[] weak, f32[4], i32[] weak, f32[], f32[], f32[4], f32[] weak
        cond, functools.partial(body_2, a, b), (c, d, e, f, g, h, i)
    )
    # result[0], result[1], result[2], result[3], result[4], result[5], result[6]
    return j, k, l, m, n, o, p


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
