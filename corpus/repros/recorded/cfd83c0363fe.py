# /// jace-repro
# schema = 1
# name = "sample"
# origin = "scripts/libraries/tinygp_quasisep.py:20 (sample)"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "cfd83c0363fe319c59db37d665491b40e9a1f1b495fee17d7aefa5403889858c"
# outputs_sha256 = "c835923d594d144478925d4960c1b96c3fecaa7faed66cbe7e37e058e954ace9"
# sidecar_sha256 = "47a83ae6fb5a705d384f3e4f25d00fa123905a69d51f707e4e165125c55360c6"
# self_check = "exact"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""sample (tinygp_quasisep.py:20): written by jace-repro, needs only jax and numpy."""

import hashlib
import io
import pathlib

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.extend.core import primitives

S = jax.ShapeDtypeStruct
f32 = np.dtype("float32")
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


SIDECAR_SHA256 = "47a83ae6fb5a705d384f3e4f25d00fa123905a69d51f707e4e165125c55360c6"


def read_sidecar():
    """The arrays in the .npz file beside this script."""
    path = pathlib.Path(__file__).with_suffix(".npz")
    data = path.read_bytes()
    if hashlib.sha256(data).hexdigest() != SIDECAR_SHA256:
        raise SystemExit(f"{path} is not the file that belongs to this script (sha256 differs)")
    return dict(np.load(io.BytesIO(data)))


ARRAYS = globals().get("ARRAYS") or read_sidecar()  # whoever executes this text may put them there


C0 = jnp.asarray(ARRAYS["c0"])
C1 = jnp.asarray(ARRAYS["c1"])


def update(a, b):
    c = lax.add(a, b)  # f32[]
    return c


@jit("_cholesky")
def cholesky(a):
    b = primitives.cholesky_p.bind(a)  # f32[6,6]
    c = lax.broadcasted_iota(i32, (6, 6), 0)  # i32[6,6]
    d = lax.add(c, np.int32(0))  # i32[6,6]
    e = lax.broadcasted_iota(i32, (6, 6), 1)  # i32[6,6]
    f = lax.ge(d, e)  # bool[6,6]
    g = lax.broadcast_in_dim(np.float32(0.0), (6, 6), ())  # f32[6,6]
    h = lax.select_n(f, g, b)  # f32[6,6]
    return h


@jit("_uniform")
def uniform(a, b, c):
    d = lax.broadcast_in_dim(b, (1, 1), ())  # f32[1,1]
    e = lax.broadcast_in_dim(c, (1, 1), ())  # f32[1,1]
    f = primitives.random_bits_p.bind(a, bit_width=32, shape=(6, 2))  # u32[6,2]
    g = lax.shift_right_logical(f, np.uint32(9))  # u32[6,2]
    h = lax.bitwise_or(g, np.uint32(1065353216))  # u32[6,2]
    i = lax.bitcast_convert_type_p.bind(h, new_dtype=f32)  # f32[6,2]
    j = lax.sub(i, np.float32(1.0))  # f32[6,2]
    k = lax.sub(e, d)  # f32[1,1]
    l = lax.mul(j, k)  # f32[6,2]
    m = lax.add(l, d)  # f32[6,2]
    n = lax.max(d, m)  # f32[6,2]
    return n


@jit("_normal_real")
def normal_real(a):
    b = uniform(a, np.float32(-0.99999994), np.float32(1.0))  # f32[6,2]
    c = lax.erf_inv(b)  # f32[6,2]
    d = lax.mul(np.float32(1.4142135), c)  # f32[6,2]
    return d


@jit("_normal")
def normal(a):
    b = normal_real(a)  # f32[6,2]
    return b


@jit("_sample")
def sample(a, b, c, d, e, f, g, h, i, j, k):
    l = normal(k)  # f32[6,2]  gp.py:308
    m = lax.dot_general(j, l, (((1,), (0,)), ((), ())), preferred_element_type=f32)  # f32[6,2]  direct.py:73
    n = lax.transpose(m, (1, 0))  # f32[2,6]  gp.py:309
    o = lax.broadcast_in_dim(e, (1, 6), (1,))  # f32[1,6]  gp.py:309
    p = lax.add(o, n)  # f32[2,6]  gp.py:309
    return p


def inputs():
    return [
        jax.random.wrap_key_data(np.array([0, 0], np.uint32), impl="threefry2x32"),  # a = key: key<fry>[]
        np.array([0.101925895, 0.20193271], np.float32),  # b = parameters: f32[2]
    ]


def repro(a, b):
    c = lax.slice(C0, (0,), (6,))  # f32[6]  tinygp_quasisep.py:22
    d = lax.slice(C1, (0,), (6,))  # f32[6]  tinygp_quasisep.py:22
    e = lax.stack_p.bind(c, d, axis=1)  # f32[6,2]  tinygp_quasisep.py:22
    f = lax.exp(b)  # f32[2]  tinygp_quasisep.py:23
    g = lax.broadcast_in_dim(np.float32(0.0), (6,), ())  # f32[6]  gp.py:87
    h = lax.broadcast_in_dim(weak(0.009999999776482582, f32), (6,), ())  # f32[6] weak  gp.py:98
    i = lax.broadcast_in_dim(f, (1, 2), (1,))  # f32[1,2]  transforms.py:71
    j = lax.mul(i, e)  # f32[6,2]  transforms.py:71
    k = lax.broadcast_in_dim(f, (1, 2), (1,))  # f32[1,2]  transforms.py:71
    l = lax.mul(k, e)  # f32[6,2]  transforms.py:71
    m = lax.sub(j, l)  # f32[6,2]  distance.py:45
    n = lax.abs(m)  # f32[6,2]  distance.py:45
    o = lax.reduce_sum(n, axes=(1,))  # f32[6]  distance.py:45
    p = lax.div(o, np.float32(1.0))  # f32[6]  stationary.py:151
    q = lax.mul(np.float32(2.236068), p)  # f32[6]  stationary.py:152
    r = lax.add(np.float32(1.0), q)  # f32[6]  stationary.py:153
    s = lax.square(q)  # f32[6]  stationary.py:153
    t = lax.div(s, np.float32(3.0))  # f32[6]  stationary.py:153
    u = lax.add(r, t)  # f32[6]  stationary.py:153
    v = lax.neg(q)  # f32[6]  stationary.py:153
    w = lax.exp(v)  # f32[6]  stationary.py:153
    x = lax.mul(u, w)  # f32[6]  stationary.py:153
    y = lax.convert_element_type(h, f32)  # f32[6]  direct.py:49
    z = lax.add(x, y)  # f32[6]  direct.py:49
    aa = lax.broadcast_in_dim(f, (1, 2), (1,))  # f32[1,2]  transforms.py:71
    ab = lax.mul(aa, e)  # f32[6,2]  transforms.py:71
    ac = lax.broadcast_in_dim(f, (1, 2), (1,))  # f32[1,2]  transforms.py:71
    ad = lax.mul(ac, e)  # f32[6,2]  transforms.py:71
    ae = lax.broadcast_in_dim(ab, (6, 1, 2), (0, 2))  # f32[6,1,2]  distance.py:45
    af = lax.broadcast_in_dim(ad, (1, 6, 2), (1, 2))  # f32[1,6,2]  distance.py:45
    ag = lax.sub(ae, af)  # f32[6,6,2]  distance.py:45
    ah = lax.abs(ag)  # f32[6,6,2]  distance.py:45
    ai = lax.reduce_sum(ah, axes=(2,))  # f32[6,6]  distance.py:45
    aj = lax.div(ai, np.float32(1.0))  # f32[6,6]  stationary.py:151
    ak = lax.mul(np.float32(2.236068), aj)  # f32[6,6]  stationary.py:152
    al = lax.add(np.float32(1.0), ak)  # f32[6,6]  stationary.py:153
    am = lax.square(ak)  # f32[6,6]  stationary.py:153
    an = lax.div(am, np.float32(3.0))  # f32[6,6]  stationary.py:153
    ao = lax.add(al, an)  # f32[6,6]  stationary.py:153
    ap = lax.neg(ak)  # f32[6,6]  stationary.py:153
    aq = lax.exp(ap)  # f32[6,6]  stationary.py:153
    ar = lax.mul(ao, aq)  # f32[6,6]  stationary.py:153
    at = lax.broadcasted_iota(i32, (6,), 0)  # i32[6]  noise.py:78
    au = lax.lt(at, np.int32(0))  # bool[6]  noise.py:78
    av = lax.add(at, np.int32(6))  # i32[6]  noise.py:78
    aw = lax.select_n(au, at, av)  # i32[6]  noise.py:78
    ax = lax.lt(at, np.int32(0))  # bool[6]  noise.py:78
    ay = lax.add(at, np.int32(6))  # i32[6]  noise.py:78
    az = lax.select_n(ax, at, ay)  # i32[6]  noise.py:78
    ba = lax.broadcast_in_dim(aw, (6, 1), (0,))  # i32[6,1]  noise.py:78
    bb = lax.broadcast_in_dim(az, (6, 1), (0,))  # i32[6,1]  noise.py:78
    bc = lax.concatenate([ba, bb], 1)  # i32[6,2]  noise.py:78
    bd = lax.convert_element_type(h, f32)  # f32[6]  noise.py:78
    be = lax.scatter_add_p.bind(  # f32[6,6]  noise.py:78
        ar,
        bc,
        bd,
        dimension_numbers=lax.ScatterDimensionNumbers(
            update_window_dims=(),
            inserted_window_dims=(0, 1),
            scatter_dims_to_operand_dims=(0, 1),
            operand_batching_dims=(),
            scatter_indices_batching_dims=(),
        ),
        indices_are_sorted=False,
        mode=lax.GatherScatterMode.FILL_OR_DROP,
        unique_indices=False,
        update_consts=(),
        update_jaxpr=J(update, S((), f32), S((), f32)).jaxpr,
    )
    bf = cholesky(be)  # f32[6,6]  direct.py:53
    bg = sample(f, np.float32(1.0), e, np.float32(0.0), g, h, e, z, be, bf, a)  # f32[2,6]  _prebuilt.py:46
    return bg


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
