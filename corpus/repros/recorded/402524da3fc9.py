# /// jace-repro
# schema = 1
# name = "step"
# origin = "scripts/libraries/jax_mixed_precision.py:15 (step)"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "402524da3fc9a036f483684ae45d51a66475e084830b3437c8198ff2c4659869"
# outputs_sha256 = "1714583e3ba671b53d2fb8d628afba6600c05483082449519aa8df407d7dc294"
# sidecar_sha256 = "faa2c549ff136be00ec49a0dc3e52aebc34de12659336d88ad47b9b736aa5491"
# self_check = "exact"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""step (jax_mixed_precision.py:15): written by jace-repro, needs only jax and numpy."""

import hashlib
import io
import pathlib

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax._src.mesh import empty_abstract_mesh
from jax.extend.core import primitives
from jax.sharding import PartitionSpec as P

bf16 = np.dtype(jnp.bfloat16)
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


SIDECAR_SHA256 = "faa2c549ff136be00ec49a0dc3e52aebc34de12659336d88ad47b9b736aa5491"


def read_sidecar():
    """The arrays in the .npz file beside this script."""
    path = pathlib.Path(__file__).with_suffix(".npz")
    data = path.read_bytes()
    if hashlib.sha256(data).hexdigest() != SIDECAR_SHA256:
        raise SystemExit(f"{path} is not the file that belongs to this script (sha256 differs)")
    return dict(np.load(io.BytesIO(data)))


ARRAYS = globals().get("ARRAYS") or read_sidecar()  # whoever executes this text may put them there


@jax.jit
def tril(a):
    b = lax.broadcasted_iota(i32, (5, 5), 0)  # i32[5,5]
    c = lax.add(b, np.int32(0))  # i32[5,5]
    d = lax.broadcasted_iota(i32, (5, 5), 1)  # i32[5,5]
    e = lax.ge(c, d)  # bool[5,5]
    f = lax.broadcast_in_dim(np.bool_(False), (5, 5), ())  # bool[5,5]
    g = lax.select_n(e, f, a)  # bool[5,5]
    return g


@jit("_where")
def where(a, b, c):
    d = lax.convert_element_type(c, f32)  # f32[]
    e = lax.broadcast_in_dim(d, (5, 5), ())  # f32[5,5]
    f = lax.select_n(a, e, b)  # f32[5,5]
    g = lax.broadcast_in_dim(np.float32(0.0), (5, 5), ())  # f32[5,5]
    return f, g


@jit("_where")
def where_2(a, b, c):
    d = lax.broadcast_in_dim(np.float32(0.0), (5, 5), ())  # f32[5,5]
    e = lax.select_n(a, d, c)  # f32[5,5]
    return e


@jit("_where")
def where_3(a, b, c):
    d = lax.select_n(a, c, b)  # f32[] weak
    return d


@jit("_where")
def where_4(a, b, c):
    d = lax.select_n(a, c, b)  # f32[4,12]
    return d


def inputs():
    return [
        ARRAYS["x0"],  # a = weights: f32[4,12]
        1024.0,  # b = scale: f32[] weak
        ARRAYS["x2"],  # c = x: f32[5,4]
    ]


def repro(a, b, c):
    d = lax.convert_element_type(c, bf16)  # bf16[5,4]  jax_mixed_precision.py:9
    e = lax.convert_element_type(a, bf16)  # bf16[4,12]  jax_mixed_precision.py:9
    f = lax.dot_general(  # bf16[5,12]  jax_mixed_precision.py:9
        d, e, (((1,), (0,)), ((), ())), preferred_element_type=bf16
    )
    g, h, i = lax.split_p.bind(  # bf16[5,4], bf16[5,4], bf16[5,4]  jax_mixed_precision.py:9
        f, axis=1, sizes=(4, 4, 4)
    )
    j = lax.dot_general(  # f32[5,5]  jax_mixed_precision.py:10
        g, h, (((1,), (1,)), ((), ())), preferred_element_type=f32
    )
    k = lax.div(j, np.float32(2.0))  # f32[5,5]  jax_mixed_precision.py:10
    l = lax.broadcast_in_dim(np.bool_(True), (5, 5), ())  # bool[5,5]  jax_mixed_precision.py:11
    m = tril(l)  # bool[5,5]  jax_mixed_precision.py:11
    n, o = where(m, k, -np.inf)  # f32[5,5], f32[5,5]  jax_mixed_precision.py:12
    p = lax.reduce_max(n, axes=(1,))  # f32[5]  jax_mixed_precision.py:12
    q = lax.reshape(p, (5, 1))  # f32[5,1]  jax_mixed_precision.py:12
    r = lax.eq(n, q)  # bool[5,5]  jax_mixed_precision.py:12
    s = lax.convert_element_type(r, f32)  # f32[5,5]  jax_mixed_precision.py:12
    _ = lax.reduce_sum(s, axes=(1,))  # f32[5]  jax_mixed_precision.py:12
    t = lax.max(np.float32(-np.inf), p)  # f32[5]  jax_mixed_precision.py:12
    u = lax.eq(p, t)  # bool[5]  jax_mixed_precision.py:12
    v = lax.broadcast_in_dim(np.float32(1.0), (5,), ())  # f32[5]  jax_mixed_precision.py:12
    w = lax.broadcast_in_dim(np.float32(0.0), (5,), ())  # f32[5]  jax_mixed_precision.py:12
    x = lax.select_n(u, w, v)  # f32[5]  jax_mixed_precision.py:12
    y = lax.eq(np.float32(-np.inf), t)  # bool[5]  jax_mixed_precision.py:12
    z = lax.broadcast_in_dim(np.float32(2.0), (5,), ())  # f32[5]  jax_mixed_precision.py:12
    aa = lax.broadcast_in_dim(np.float32(1.0), (5,), ())  # f32[5]  jax_mixed_precision.py:12
    ab = lax.select_n(y, aa, z)  # f32[5]  jax_mixed_precision.py:12
    _ = lax.div(x, ab)  # f32[5]  jax_mixed_precision.py:12
    ac = lax.broadcast_in_dim(t, (5, 1), (0,))  # f32[5,1]  jax_mixed_precision.py:12
    ad = lax.stop_gradient_p.bind(ac)  # f32[5,1]  jax_mixed_precision.py:12
    ae = lax.sub(n, ad)  # f32[5,5]  jax_mixed_precision.py:12
    af = lax.exp(ae)  # f32[5,5]  jax_mixed_precision.py:12
    ag = lax.reduce_sum(af, axes=(1,))  # f32[5]  jax_mixed_precision.py:12
    ah = lax.broadcast_in_dim(ag, (5, 1), (0,))  # f32[5,1]  jax_mixed_precision.py:12
    ai = lax.div(af, ah)  # f32[5,5]  jax_mixed_precision.py:12
    aj = lax.integer_pow(ah, -2)  # f32[5,1]  jax_mixed_precision.py:12
    ak = lax.convert_element_type(ai, bf16)  # bf16[5,5]  jax_mixed_precision.py:12
    al = lax.dot_general(  # bf16[5,4]  jax_mixed_precision.py:12
        ak, i, (((1,), (0,)), ((), ())), preferred_element_type=bf16
    )
    am = lax.convert_element_type(al, f32)  # f32[5,4]  jax_mixed_precision.py:18
    an = lax.integer_pow(am, 2)  # f32[5,4]  jax_mixed_precision.py:18
    ao = lax.mul(np.float32(2.0), am)  # f32[5,4]  jax_mixed_precision.py:18
    ap = lax.reduce_sum(an, axes=(0, 1))  # f32[]  jax_mixed_precision.py:18
    aq = lax.div(ap, np.float32(20.0))  # f32[]  jax_mixed_precision.py:18
    ar = lax.convert_element_type(b, f32)  # f32[]  jax_mixed_precision.py:18
    _ = lax.mul(aq, ar)  # f32[]  jax_mixed_precision.py:18
    at = lax.mul(np.float32(1.0), ar)  # f32[]  jax_mixed_precision.py:18
    au = lax.div(at, np.float32(20.0))  # f32[]  jax_mixed_precision.py:18
    av = lax.broadcast_in_dim(au, (5, 4), ())  # f32[5,4]  jax_mixed_precision.py:18
    aw = lax.mul(av, ao)  # f32[5,4]  jax_mixed_precision.py:18
    ax = lax.convert_element_type_p.bind(  # bf16[5,4]  jax_mixed_precision.py:18
        aw,
        new_dtype=bf16,
        sharding=jax.sharding.NamedSharding(empty_abstract_mesh, P(None, None)),
        weak_type=False,
    )
    ay = lax.dot_general(  # bf16[4,5]  jax_mixed_precision.py:12
        ax, ak, (((0,), (0,)), ((), ())), preferred_element_type=bf16
    )
    az = lax.transpose(ay, (1, 0))  # bf16[5,4]  jax_mixed_precision.py:12
    ba = lax.dot_general(  # bf16[5,5]  jax_mixed_precision.py:12
        ax, i, (((1,), (1,)), ((), ())), preferred_element_type=bf16
    )
    bb = lax.convert_element_type_p.bind(  # f32[5,5]  jax_mixed_precision.py:12
        ba,
        new_dtype=f32,
        sharding=jax.sharding.NamedSharding(empty_abstract_mesh, P(None, None)),
        weak_type=False,
    )
    bc = lax.mul(bb, aj)  # f32[5,5]  jax_mixed_precision.py:12
    bd = lax.mul(bc, af)  # f32[5,5]  jax_mixed_precision.py:12
    be = lax.reduce_sum(bd, axes=(1,))  # f32[5]  jax_mixed_precision.py:12
    bf = lax.reshape(be, (5, 1))  # f32[5,1]  jax_mixed_precision.py:12
    bg = lax.neg(bf)  # f32[5,1]  jax_mixed_precision.py:12
    bh = lax.div(bb, ah)  # f32[5,5]  jax_mixed_precision.py:12
    bi = lax.reduce_sum(bg, axes=(1,))  # f32[5]  jax_mixed_precision.py:12
    bj = lax.broadcast_in_dim(bi, (5, 5), (0,))  # f32[5,5]  jax_mixed_precision.py:12
    bk = primitives.add_jaxvals_p.bind(bh, bj)  # f32[5,5]  jax_mixed_precision.py:12
    bl = lax.mul(bk, af)  # f32[5,5]  jax_mixed_precision.py:12
    bm = where_2(m, o, bl)  # f32[5,5]  jax_mixed_precision.py:12
    bn = lax.div(bm, np.float32(2.0))  # f32[5,5]  jax_mixed_precision.py:10
    bo = lax.dot_general(  # f32[5,4]  jax_mixed_precision.py:10
        bn, g, (((0,), (0,)), ((), ())), preferred_element_type=f32
    )
    bp = lax.convert_element_type(bo, bf16)  # bf16[5,4]  jax_mixed_precision.py:10
    bq = lax.dot_general(  # f32[5,4]  jax_mixed_precision.py:10
        bn, h, (((1,), (0,)), ((), ())), preferred_element_type=f32
    )
    br = lax.convert_element_type(bq, bf16)  # bf16[5,4]  jax_mixed_precision.py:10
    bs = lax.concatenate([br, bp, az], 1)  # bf16[5,12]  jax_mixed_precision.py:9
    bt = lax.dot_general(  # bf16[12,4]  jax_mixed_precision.py:9
        bs, d, (((0,), (0,)), ((), ())), preferred_element_type=bf16
    )
    bu = lax.transpose(bt, (1, 0))  # bf16[4,12]  jax_mixed_precision.py:9
    bv = lax.convert_element_type_p.bind(  # f32[4,12]  jax_mixed_precision.py:9
        bu,
        new_dtype=f32,
        sharding=jax.sharding.NamedSharding(empty_abstract_mesh, P(None, None)),
        weak_type=False,
    )
    bw = lax.convert_element_type(b, f32)  # f32[]  jax_mixed_precision.py:20
    bx = lax.div(bv, bw)  # f32[4,12]  jax_mixed_precision.py:20
    by = lax.is_finite(bx)  # bool[4,12]  jax_mixed_precision.py:21
    bz = lax.reduce_and(by, axes=(0, 1))  # bool[]  jax_mixed_precision.py:21
    ca = lax.mul(b, weak(2.0, f32))  # f32[] weak  jax_mixed_precision.py:22
    cb = lax.min(ca, 32768.0)  # f32[] weak  jax_mixed_precision.py:22
    cc = lax.div(b, weak(2.0, f32))  # f32[] weak  jax_mixed_precision.py:22
    cd = where_3(bz, cb, cc)  # f32[] weak  jax_mixed_precision.py:22
    ce = lax.mul(np.float32(0.1), bx)  # f32[4,12]  jax_mixed_precision.py:23
    cf = lax.sub(a, ce)  # f32[4,12]  jax_mixed_precision.py:23
    cg = where_4(bz, cf, a)  # f32[4,12]  jax_mixed_precision.py:23
    # result[0], result[1]
    return cg, cd


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
