# /// jace-repro
# schema = 1
# name = "spectra"
# origin = "scripts/libraries/jaxscipy_signal_image.py:14 (spectra)"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "0d5ded703c3952febcdd5ea4c6bad34427ad967a834a3e5df2c523c0c2bb26f7"
# outputs_sha256 = "d39fea675242f275838166b9fb941301f6f15fc55556006d198b1acf1222156b"
# sidecar_sha256 = "4b2d250e33d2276b644c104ab494251760b9d0374b69f2c51731df7ecfcd89c5"
# self_check = "exact"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""spectra (jaxscipy_signal_image.py:14): written by jace-repro, needs only jax and numpy."""

import hashlib
import io
import pathlib

import jax
import numpy as np
from jax import lax
from jax.extend.core import primitives

S = jax.ShapeDtypeStruct
c64 = np.dtype("complex64")
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


SIDECAR_SHA256 = "4b2d250e33d2276b644c104ab494251760b9d0374b69f2c51731df7ecfcd89c5"


def read_sidecar():
    """The arrays in the .npz file beside this script."""
    path = pathlib.Path(__file__).with_suffix(".npz")
    data = path.read_bytes()
    if hashlib.sha256(data).hexdigest() != SIDECAR_SHA256:
        raise SystemExit(f"{path} is not the file that belongs to this script (sha256 differs)")
    return dict(np.load(io.BytesIO(data)))


ARRAYS = globals().get("ARRAYS") or read_sidecar()  # whoever executes this text may put them there


C0 = np.zeros((0,), np.int32)


@jit("_linspace")
def linspace(a, b):
    c = lax.convert_element_type(a, f32)  # f32[]
    d = lax.convert_element_type(b, f32)  # f32[]
    e = lax.sub(d, c)  # f32[]
    _ = lax.div(e, np.float32(16.0))  # f32[]
    f = lax.broadcasted_iota(f32, (16,), 0)  # f32[16]
    g = lax.div(f, np.float32(16.0))  # f32[16]
    h = lax.reshape(c, (1,))  # f32[1]
    i = lax.sub(np.float32(1.0), g)  # f32[16]
    j = lax.mul(h, i)  # f32[16]
    k = lax.reshape(d, (1,))  # f32[1]
    l = lax.mul(k, g)  # f32[16]
    m = lax.add(j, l)  # f32[16]
    return m


@jit("_pad")
def pad_fn(a, b):
    c = lax.convert_element_type(b, f32)  # f32[]
    d = lax.pad(a, c, ((0, 0, 0), (0, 0, 0)))  # f32[7,16]
    return d


@jit("fft")
def fft_fn(a):
    b = lax.fft_p.bind(a, fft_lengths=(16,), fft_type=lax.FftType.RFFT)  # c64[7,9]
    return b


def update(a, b):
    c = lax.mul(a, b)  # c64[]
    return c


@jit("_pad")
def pad_fn_2(a, b):
    c = lax.convert_element_type(b, f32)  # f32[]
    d = lax.pad(a, c, ((8, 8, 0),))  # f32[80]
    return d


@jit("_pad")
def pad_fn_3(a, b):
    c = lax.convert_element_type(b, f32)  # f32[]
    d = lax.pad(a, c, ((0, 0, 0), (0, 0, 0)))  # f32[9,16]
    return d


@jit("fft")
def fft_fn_2(a):
    b = lax.fft_p.bind(a, fft_lengths=(16,), fft_type=lax.FftType.RFFT)  # c64[9,9]
    return b


@jax.jit
def atleast_2d(a):
    b = lax.broadcast_in_dim(a, (1, 64), (1,))  # f32[1,64]
    return b


@jit("svd")
def svd_fn(a):
    b, c, d = primitives.svd_p.bind(  # f32[2], f32[64,2], f32[2,2]
        a, algorithm=None, compute_uv=True, full_matrices=False, subset_by_index=None
    )
    return c, b, d


@jit("_where")
def where(a, b, c):
    d = lax.convert_element_type(c, f32)  # f32[]
    e = lax.broadcast_in_dim(d, (2,), ())  # f32[2]
    f = lax.select_n(a, e, b)  # f32[2]
    return f


@jax.jit
def norm(a):
    b = lax.mul(a, a)  # f32[64,1]
    c = lax.reduce_sum(b, axes=(0,))  # f32[1]
    d = lax.sqrt(c)  # f32[1]
    return d


@jit("_lstsq")
def lstsq(a, b):
    c, d, e = svd_fn(a)  # f32[64,2], f32[2], f32[2,2]
    f = lax.gt(d, np.float32(0.0))  # bool[2]
    g = lax.slice(d, (0,), (1,))  # f32[1]
    h = lax.squeeze(g, (0,))  # f32[]
    i = lax.mul(np.float32(7.6293945e-06), h)  # f32[]
    j = lax.ge(d, i)  # bool[2]
    k = lax.bitwise_and(f, j)  # bool[2]
    l = lax.convert_element_type(k, i32)  # i32[2]
    m = lax.reduce_sum(l, axes=(0,))  # i32[]
    n = where(k, d, 1)  # f32[2]
    o = lax.div(np.float32(1.0), n)  # f32[2]
    p = where(k, o, 0)  # f32[2]
    q = lax.broadcast_in_dim(p, (2, 1), (0,))  # f32[2,1]
    r = lax.transpose(c, (1, 0))  # f32[2,64]
    s = lax.dot_general(  # f32[2,1]
        r, b, (((1,), (0,)), ((), ())), precision=lax.Precision.HIGHEST, preferred_element_type=f32
    )
    t = lax.transpose(e, (1, 0))  # f32[2,2]
    u = lax.mul(q, s)  # f32[2,1]
    v = lax.dot_general(  # f32[2,1]
        t, u, (((1,), (0,)), ((), ())), precision=lax.Precision.HIGHEST, preferred_element_type=f32
    )
    w = lax.dot_general(  # f32[64,1]
        a, v, (((1,), (0,)), ((), ())), precision=lax.Precision.HIGHEST, preferred_element_type=f32
    )
    x = lax.sub(b, w)  # f32[64,1]
    y = norm(x)  # f32[1]
    z = lax.integer_pow(y, 2)  # f32[1]
    return v, z, m, d


def update_2(a, b):
    c = lax.add(a, b)  # f32[]
    return c


@jit("fft")
def fft_fn_3(a):
    b = lax.fft_p.bind(a, fft_lengths=(64,), fft_type=lax.FftType.RFFT)  # c64[33]
    return b


def inputs():
    return [
        ARRAYS["x0"],  # a = wave: f32[64]
    ]


def repro(a):
    b = linspace(0, 3.141592653589793)  # f32[16]  jaxscipy_signal_image.py:16
    c = lax.sin(b)  # f32[16]  jaxscipy_signal_image.py:16
    d = lax.integer_pow(c, 2)  # f32[16]  jaxscipy_signal_image.py:16
    e = lax.copy_p.bind(d)  # f32[16]  jaxscipy_signal_image.py:16
    f = lax.mul(e, e)  # f32[16]  jaxscipy_signal_image.py:16
    g = lax.reduce_sum(f, axes=(0,))  # f32[]  jaxscipy_signal_image.py:16
    h = lax.mul(np.float32(1.0), g)  # f32[]  jaxscipy_signal_image.py:16
    i = lax.div(np.float32(1.0), h)  # f32[]  jaxscipy_signal_image.py:16
    j = lax.convert_element_type(i, c64)  # c64[]  jaxscipy_signal_image.py:16
    k = lax.broadcasted_iota(f32, (9,), 0)  # f32[9]  jaxscipy_signal_image.py:16
    _ = lax.div(k, np.float32(16.0))  # f32[9]  jaxscipy_signal_image.py:16
    l = lax.broadcasted_iota(i32, (7,), 0)  # i32[7]  jaxscipy_signal_image.py:16
    m = lax.mul(np.int32(8), l)  # i32[7]  jaxscipy_signal_image.py:16
    n = lax.add(np.int32(0), m)  # i32[7]  jaxscipy_signal_image.py:16
    o = lax.lt(n, np.int32(0))  # bool[7]  jaxscipy_signal_image.py:16
    p = lax.add(n, np.int32(64))  # i32[7]  jaxscipy_signal_image.py:16
    q = lax.select_n(o, n, p)  # i32[7]  jaxscipy_signal_image.py:16
    r = lax.broadcast_in_dim(q, (7, 1), (0,))  # i32[7,1]  jaxscipy_signal_image.py:16
    s = lax.gather_p.bind(  # f32[7,16]  jaxscipy_signal_image.py:16
        a,
        r,
        dimension_numbers=lax.GatherDimensionNumbers(
            offset_dims=(1,),
            collapsed_slice_dims=(),
            start_index_map=(0,),
            operand_batching_dims=(),
            start_indices_batching_dims=(),
        ),
        fill_value=None,
        indices_are_sorted=False,
        mode=lax.GatherScatterMode.CLIP,
        slice_sizes=(16,),
        unique_indices=False,
    )
    t = lax.reduce_sum(s, axes=(1,))  # f32[7]  jaxscipy_signal_image.py:16
    u = lax.broadcast_in_dim(t, (7, 1), (0,))  # f32[7,1]  jaxscipy_signal_image.py:16
    v = lax.div(u, np.float32(16.0))  # f32[7,1]  jaxscipy_signal_image.py:16
    w = lax.sub(s, v)  # f32[7,16]  jaxscipy_signal_image.py:16
    x = lax.reshape(e, (1, 16))  # f32[1,16]  jaxscipy_signal_image.py:16
    y = lax.mul(x, w)  # f32[7,16]  jaxscipy_signal_image.py:16
    z = pad_fn(y, 0)  # f32[7,16]  jaxscipy_signal_image.py:16
    aa = fft_fn(z)  # c64[7,9]  jaxscipy_signal_image.py:16
    ab = lax.conj(aa)  # c64[7,9]  jaxscipy_signal_image.py:16
    ac = lax.mul(ab, aa)  # c64[7,9]  jaxscipy_signal_image.py:16
    ad = lax.mul(ac, j)  # c64[7,9]  jaxscipy_signal_image.py:16
    ae = lax.broadcast_in_dim(np.int32(1), (1,), ())  # i32[1]  jaxscipy_signal_image.py:16
    af = lax.broadcast_in_dim(  # c64[7,7]  jaxscipy_signal_image.py:16
        np.complex64(complex(2.0, 0.0)), (7, 7), ()
    )
    ag = lax.scatter_mul_p.bind(  # c64[7,9]  jaxscipy_signal_image.py:16
        ad,
        ae,
        af,
        dimension_numbers=lax.ScatterDimensionNumbers(
            update_window_dims=(0, 1),
            inserted_window_dims=(),
            scatter_dims_to_operand_dims=(1,),
            operand_batching_dims=(),
            scatter_indices_batching_dims=(),
        ),
        indices_are_sorted=True,
        mode=lax.GatherScatterMode.FILL_OR_DROP,
        unique_indices=True,
        update_consts=(),
        update_jaxpr=J(update, S((), c64), S((), c64)).jaxpr,
    )
    ah = lax.broadcasted_iota(f32, (7,), 0)  # f32[7]  jaxscipy_signal_image.py:16
    ai = lax.mul(np.float32(8.0), ah)  # f32[7]  jaxscipy_signal_image.py:16
    aj = lax.add(np.float32(8.0), ai)  # f32[7]  jaxscipy_signal_image.py:16
    _ = lax.div(aj, np.float32(1.0))  # f32[7]  jaxscipy_signal_image.py:16
    ak = lax.real(ag)  # f32[7,9]  jaxscipy_signal_image.py:16
    al = lax.transpose(ak, (1, 0))  # f32[9,7]  jaxscipy_signal_image.py:16
    am = lax.reduce_sum(al, axes=(1,))  # f32[9]  jaxscipy_signal_image.py:16
    an = lax.div(am, np.float32(7.0))  # f32[9]  jaxscipy_signal_image.py:16
    ao = linspace(0, 3.141592653589793)  # f32[16]  jaxscipy_signal_image.py:17
    ap = lax.sin(ao)  # f32[16]  jaxscipy_signal_image.py:17
    aq = lax.integer_pow(ap, 2)  # f32[16]  jaxscipy_signal_image.py:17
    ar = lax.copy_p.bind(aq)  # f32[16]  jaxscipy_signal_image.py:17
    at = pad_fn_2(a, 0.0)  # f32[80]  jaxscipy_signal_image.py:17
    au = lax.broadcast_in_dim(np.float32(0.0), (0,), ())  # f32[0]  jaxscipy_signal_image.py:17
    av = lax.concatenate([at, au], 0)  # f32[80]  jaxscipy_signal_image.py:17
    aw = lax.reduce_sum(ar, axes=(0,))  # f32[]  jaxscipy_signal_image.py:17
    ax = lax.integer_pow(aw, 2)  # f32[]  jaxscipy_signal_image.py:17
    ay = lax.div(np.float32(1.0), ax)  # f32[]  jaxscipy_signal_image.py:17
    az = lax.sqrt(ay)  # f32[]  jaxscipy_signal_image.py:17
    ba = lax.convert_element_type(az, c64)  # c64[]  jaxscipy_signal_image.py:17
    bb = lax.broadcasted_iota(f32, (9,), 0)  # f32[9]  jaxscipy_signal_image.py:17
    _ = lax.div(bb, np.float32(16.0))  # f32[9]  jaxscipy_signal_image.py:17
    bc = lax.broadcasted_iota(i32, (9,), 0)  # i32[9]  jaxscipy_signal_image.py:17
    bd = lax.mul(np.int32(8), bc)  # i32[9]  jaxscipy_signal_image.py:17
    be = lax.add(np.int32(0), bd)  # i32[9]  jaxscipy_signal_image.py:17
    bf = lax.lt(be, np.int32(0))  # bool[9]  jaxscipy_signal_image.py:17
    bg = lax.add(be, np.int32(80))  # i32[9]  jaxscipy_signal_image.py:17
    bh = lax.select_n(bf, be, bg)  # i32[9]  jaxscipy_signal_image.py:17
    bi = lax.broadcast_in_dim(bh, (9, 1), (0,))  # i32[9,1]  jaxscipy_signal_image.py:17
    bj = lax.gather_p.bind(  # f32[9,16]  jaxscipy_signal_image.py:17
        av,
        bi,
        dimension_numbers=lax.GatherDimensionNumbers(
            offset_dims=(1,),
            collapsed_slice_dims=(),
            start_index_map=(0,),
            operand_batching_dims=(),
            start_indices_batching_dims=(),
        ),
        fill_value=None,
        indices_are_sorted=False,
        mode=lax.GatherScatterMode.CLIP,
        slice_sizes=(16,),
        unique_indices=False,
    )
    bk = lax.reshape(ar, (1, 16))  # f32[1,16]  jaxscipy_signal_image.py:17
    bl = lax.mul(bk, bj)  # f32[9,16]  jaxscipy_signal_image.py:17
    bm = pad_fn_3(bl, 0)  # f32[9,16]  jaxscipy_signal_image.py:17
    bn = fft_fn_2(bm)  # c64[9,9]  jaxscipy_signal_image.py:17
    bo = lax.mul(bn, ba)  # c64[9,9]  jaxscipy_signal_image.py:17
    bp = lax.broadcasted_iota(f32, (9,), 0)  # f32[9]  jaxscipy_signal_image.py:17
    bq = lax.mul(np.float32(8.0), bp)  # f32[9]  jaxscipy_signal_image.py:17
    br = lax.add(np.float32(8.0), bq)  # f32[9]  jaxscipy_signal_image.py:17
    bs = lax.div(br, np.float32(1.0))  # f32[9]  jaxscipy_signal_image.py:17
    _ = lax.sub(bs, np.float32(8.0))  # f32[9]  jaxscipy_signal_image.py:17
    bt = lax.transpose(bo, (1, 0))  # c64[9,9]  jaxscipy_signal_image.py:17
    bu = lax.reshape(a, (64, 1))  # f32[64,1]  jaxscipy_signal_image.py:18
    bv = lax.broadcast_in_dim(np.float32(1.0), (64,), ())  # f32[64]  jaxscipy_signal_image.py:18
    bw = lax.broadcasted_iota(f32, (64,), 0)  # f32[64]  jaxscipy_signal_image.py:18
    bx = lax.add(np.float32(1.0), bw)  # f32[64]  jaxscipy_signal_image.py:18
    by = lax.div(bx, np.float32(64.0))  # f32[64]  jaxscipy_signal_image.py:18
    bz = atleast_2d(bv)  # f32[1,64]  jaxscipy_signal_image.py:18
    ca = atleast_2d(by)  # f32[1,64]  jaxscipy_signal_image.py:18
    cb = lax.concatenate([bz, ca], 0)  # f32[2,64]  jaxscipy_signal_image.py:18
    cc = lax.transpose(cb, (1, 0))  # f32[64,2]  jaxscipy_signal_image.py:18
    cd, _, _, _ = lstsq(cc, bu)  # f32[2,1], f32[1], i32[], f32[2]  jaxscipy_signal_image.py:18
    ce = lax.dot_general(  # f32[64,1]  jaxscipy_signal_image.py:18
        cc, cd, (((1,), (0,)), ((), ())), precision=lax.Precision.HIGHEST, preferred_element_type=f32
    )
    cf = lax.neg(ce)  # f32[64,1]  jaxscipy_signal_image.py:18
    cg = lax.scatter_add_p.bind(  # f32[64,1]  jaxscipy_signal_image.py:18
        bu,
        C0,
        cf,
        dimension_numbers=lax.ScatterDimensionNumbers(
            update_window_dims=(0, 1),
            inserted_window_dims=(),
            scatter_dims_to_operand_dims=(),
            operand_batching_dims=(),
            scatter_indices_batching_dims=(),
        ),
        indices_are_sorted=True,
        mode=lax.GatherScatterMode.FILL_OR_DROP,
        unique_indices=True,
        update_consts=(),
        update_jaxpr=J(update_2, S((), f32), S((), f32)).jaxpr,
    )
    ch = lax.reshape(cg, (64,))  # f32[64]  jaxscipy_signal_image.py:18
    ci = fft_fn_3(ch)  # c64[33]  jaxscipy_signal_image.py:18
    cj = lax.abs(ci)  # f32[33]  jaxscipy_signal_image.py:18
    ck = lax.integer_pow(cj, 2)  # f32[33]  jaxscipy_signal_image.py:18
    cl = lax.reduce_sum(an, axes=(0,))  # f32[]  jaxscipy_signal_image.py:19
    cm = lax.abs(bt)  # f32[9,9]  jaxscipy_signal_image.py:19
    cn = lax.reduce_sum(cm, axes=(0, 1))  # f32[]  jaxscipy_signal_image.py:19
    co = lax.argmax(ck, 0, i32)  # i32[]  jaxscipy_signal_image.py:19
    # result[0], result[1], result[2]
    return cl, cn, co


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
