# /// jace-repro
# schema = 1
# name = "forward"
# origin = "scripts/libraries/jraph_attention.py:16 (forward)"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "423b74499983caa5f20fa526f3d98507af7de5beb751cdae693f738035a7832e"
# outputs_sha256 = "e8d27d140e57916c79e08b07b3dbe8b9bfd4cca2d8bb9ada966481346b8daa2f"
# sidecar_sha256 = "32f15043bd2997ad1d29c437a200392ffbe12ce0fb84ea021aaefb838fbb6bf3"
# self_check = "exact"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""forward (jraph_attention.py:16): written by jace-repro, needs only jax and numpy."""

import hashlib
import io
import pathlib

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

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


SIDECAR_SHA256 = "32f15043bd2997ad1d29c437a200392ffbe12ce0fb84ea021aaefb838fbb6bf3"


def read_sidecar():
    """The arrays in the .npz file beside this script."""
    path = pathlib.Path(__file__).with_suffix(".npz")
    data = path.read_bytes()
    if hashlib.sha256(data).hexdigest() != SIDECAR_SHA256:
        raise SystemExit(f"{path} is not the file that belongs to this script (sha256 differs)")
    return dict(np.load(io.BytesIO(data)))


ARRAYS = globals().get("ARRAYS") or read_sidecar()  # whoever executes this text may put them there


C0 = jnp.asarray(np.array([1, 2, 3, 4, 5, 0, 2, 5], np.int32))
C1 = jnp.asarray(np.array([0, 1, 2, 3, 4, 5, 0, 3], np.int32))


def update(a, b):
    c = lax.add(a, b)  # i32[]
    return c


def update_2(a, b):
    c = lax.add(a, b)  # f32[]
    return c


def update_3(a, b):
    c = lax.max(a, b)  # f32[]
    return c


@jit("_where")
def where(a, b, c):
    d = lax.convert_element_type(b, f32)  # f32[]
    e = lax.broadcast_in_dim(d, (6, 4), ())  # f32[6,4]
    f = lax.select_n(a, c, e)  # f32[6,4]
    return f


@jit("_where")
def where_2(a, b, c):
    d = lax.select_n(a, c, b)  # f32[6,4]
    return d


@jit("elu")
def elu_fn(a):
    b = lax.gt(a, np.float32(0.0))  # bool[6,4]
    c = lax.gt(a, np.float32(0.0))  # bool[6,4]
    d = where(c, 0.0, a)  # f32[6,4]
    e = lax.expm1(d)  # f32[6,4]
    f = lax.mul(np.float32(1.0), e)  # f32[6,4]
    g = where_2(b, a, f)  # f32[6,4]
    return g


def inputs():
    return [
        # a = weights: f32[4,4]
        np.array(
            [
                [0.20073695, 0.80300915, 0.3513459, -1.1869363],
                [0.8038726, 0.409599, -0.523088, 0.6843298],
                [0.3997993, 0.3018003, 0.01693621, 0.5085162],
                [-0.7371233, -0.13513553, -0.4500669, 0.55766267],
            ],
            np.float32,
        ),
        # b = attention: f32[8,1]
        np.array(
            [
                [0.039722107],
                [-0.29245675],
                [-0.78190845],
                [-0.25719225],
                [0.008142181],
                [-0.2756029],
                [1.2940638],
                [1.0067244],
            ],
            np.float32,
        ),
        ARRAYS["x2"],  # c = nodes: f32[6,4]
    ]


def repro(a, b, c):
    d = lax.dot_general(  # f32[6,4]  jraph_attention.py:28
        c, a, (((1,), (0,)), ((), ())), preferred_element_type=f32
    )
    e = lax.broadcasted_iota(i32, (6,), 0)  # i32[6]  models.py:556
    f = lax.concatenate([C0, e], 0)  # i32[14]  models.py:556
    g = lax.broadcasted_iota(i32, (6,), 0)  # i32[6]  models.py:558
    h = lax.concatenate([C1, g], 0)  # i32[14]  models.py:558
    i = lax.broadcast_in_dim(np.int32(1), (14,), ())  # i32[14]  models.py:568
    j = lax.broadcast_in_dim(np.int32(0), (6,), ())  # i32[6]  utils.py:77
    k = lax.broadcast_in_dim(h, (14, 1), (0,))  # i32[14,1]  utils.py:77
    l = lax.scatter_add_p.bind(  # i32[6]  utils.py:77
        j,
        k,
        i,
        dimension_numbers=lax.ScatterDimensionNumbers(
            update_window_dims=(),
            inserted_window_dims=(0,),
            scatter_dims_to_operand_dims=(0,),
            operand_batching_dims=(),
            scatter_indices_batching_dims=(),
        ),
        indices_are_sorted=False,
        mode=lax.GatherScatterMode.FILL_OR_DROP,
        unique_indices=False,
        update_consts=(),
        update_jaxpr=J(update, S((), i32), S((), i32)).jaxpr,
    )
    m = lax.broadcast_in_dim(np.int32(1), (14,), ())  # i32[14]  models.py:568
    n = lax.broadcast_in_dim(np.int32(0), (6,), ())  # i32[6]  utils.py:77
    o = lax.broadcast_in_dim(f, (14, 1), (0,))  # i32[14,1]  utils.py:77
    p = lax.scatter_add_p.bind(  # i32[6]  utils.py:77
        n,
        o,
        m,
        dimension_numbers=lax.ScatterDimensionNumbers(
            update_window_dims=(),
            inserted_window_dims=(0,),
            scatter_dims_to_operand_dims=(0,),
            operand_batching_dims=(),
            scatter_indices_batching_dims=(),
        ),
        indices_are_sorted=False,
        mode=lax.GatherScatterMode.FILL_OR_DROP,
        unique_indices=False,
        update_consts=(),
        update_jaxpr=J(update, S((), i32), S((), i32)).jaxpr,
    )
    q = lax.convert_element_type_p.bind(  # f32[6] weak  models.py:575
        l, new_dtype=f32, sharding=None, weak_type=True
    )
    r = lax.max(q, 1.0)  # f32[6] weak  models.py:575
    s = lax.rsqrt(r)  # f32[6] weak  models.py:575
    t = lax.broadcast_in_dim(s, (6, 1), (0,))  # f32[6,1] weak  models.py:575
    u = lax.convert_element_type(t, f32)  # f32[6,1]  models.py:575
    v = lax.mul(d, u)  # f32[6,4]  models.py:575
    w = lax.lt(h, np.int32(0))  # bool[14]  models.py:580
    x = lax.add(h, np.int32(6))  # i32[14]  models.py:580
    y = lax.select_n(w, h, x)  # i32[14]  models.py:580
    z = lax.broadcast_in_dim(y, (14, 1), (0,))  # i32[14,1]  models.py:580
    aa = lax.gather_p.bind(  # f32[14,4]  models.py:580
        v,
        z,
        dimension_numbers=lax.GatherDimensionNumbers(
            offset_dims=(1,),
            collapsed_slice_dims=(0,),
            start_index_map=(0,),
            operand_batching_dims=(),
            start_indices_batching_dims=(),
        ),
        fill_value=None,
        indices_are_sorted=False,
        mode=lax.GatherScatterMode.PROMISE_IN_BOUNDS,
        slice_sizes=(1, 4),
        unique_indices=False,
    )
    ab = lax.broadcast_in_dim(np.float32(0.0), (6, 4), ())  # f32[6,4]  utils.py:77
    ac = lax.broadcast_in_dim(f, (14, 1), (0,))  # i32[14,1]  utils.py:77
    ad = lax.scatter_add_p.bind(  # f32[6,4]  utils.py:77
        ab,
        ac,
        aa,
        dimension_numbers=lax.ScatterDimensionNumbers(
            update_window_dims=(1,),
            inserted_window_dims=(0,),
            scatter_dims_to_operand_dims=(0,),
            operand_batching_dims=(),
            scatter_indices_batching_dims=(),
        ),
        indices_are_sorted=False,
        mode=lax.GatherScatterMode.FILL_OR_DROP,
        unique_indices=False,
        update_consts=(),
        update_jaxpr=J(update_2, S((), f32), S((), f32)).jaxpr,
    )
    ae = lax.convert_element_type_p.bind(  # f32[6] weak  models.py:586
        p, new_dtype=f32, sharding=None, weak_type=True
    )
    af = lax.max(ae, 1.0)  # f32[6] weak  models.py:586
    ag = lax.rsqrt(af)  # f32[6] weak  models.py:586
    ah = lax.broadcast_in_dim(ag, (6, 1), (0,))  # f32[6,1] weak  models.py:586
    ai = lax.convert_element_type(ah, f32)  # f32[6,1]  models.py:586
    aj = lax.mul(ad, ai)  # f32[6,4]  models.py:586
    ak = lax.dot_general(  # f32[6,4]  jraph_attention.py:31
        aj, a, (((1,), (0,)), ((), ())), preferred_element_type=f32
    )
    al = lax.lt(C1, np.int32(0))  # bool[8]  models.py:494
    am = lax.add(C1, np.int32(6))  # i32[8]  models.py:494
    an = lax.select_n(al, C1, am)  # i32[8]  models.py:494
    ao = lax.broadcast_in_dim(an, (8, 1), (0,))  # i32[8,1]  models.py:494
    ap = lax.gather_p.bind(  # f32[8,4]  models.py:494
        ak,
        ao,
        dimension_numbers=lax.GatherDimensionNumbers(
            offset_dims=(1,),
            collapsed_slice_dims=(0,),
            start_index_map=(0,),
            operand_batching_dims=(),
            start_indices_batching_dims=(),
        ),
        fill_value=None,
        indices_are_sorted=False,
        mode=lax.GatherScatterMode.PROMISE_IN_BOUNDS,
        slice_sizes=(1, 4),
        unique_indices=False,
    )
    aq = lax.lt(C0, np.int32(0))  # bool[8]  models.py:495
    ar = lax.add(C0, np.int32(6))  # i32[8]  models.py:495
    at = lax.select_n(aq, C0, ar)  # i32[8]  models.py:495
    au = lax.broadcast_in_dim(at, (8, 1), (0,))  # i32[8,1]  models.py:495
    av = lax.gather_p.bind(  # f32[8,4]  models.py:495
        ak,
        au,
        dimension_numbers=lax.GatherDimensionNumbers(
            offset_dims=(1,),
            collapsed_slice_dims=(0,),
            start_index_map=(0,),
            operand_batching_dims=(),
            start_indices_batching_dims=(),
        ),
        fill_value=None,
        indices_are_sorted=False,
        mode=lax.GatherScatterMode.PROMISE_IN_BOUNDS,
        slice_sizes=(1, 4),
        unique_indices=False,
    )
    aw = lax.concatenate([ap, av], 1)  # f32[8,8]  jraph_attention.py:32
    ax = lax.dot_general(  # f32[8,1]  jraph_attention.py:32
        aw, b, (((1,), (0,)), ((), ())), preferred_element_type=f32
    )
    ay = lax.broadcast_in_dim(np.float32(-np.inf), (6, 1), ())  # f32[6,1]  utils.py:217
    az = lax.broadcast_in_dim(C0, (8, 1), (0,))  # i32[8,1]  utils.py:217
    ba = lax.scatter_max_p.bind(  # f32[6,1]  utils.py:217
        ay,
        az,
        ax,
        dimension_numbers=lax.ScatterDimensionNumbers(
            update_window_dims=(1,),
            inserted_window_dims=(0,),
            scatter_dims_to_operand_dims=(0,),
            operand_batching_dims=(),
            scatter_indices_batching_dims=(),
        ),
        indices_are_sorted=False,
        mode=lax.GatherScatterMode.FILL_OR_DROP,
        unique_indices=False,
        update_consts=(),
        update_jaxpr=J(update_3, S((), f32), S((), f32)).jaxpr,
    )
    bb = lax.lt(C0, np.int32(0))  # bool[8]  utils.py:379
    bc = lax.add(C0, np.int32(6))  # i32[8]  utils.py:379
    bd = lax.select_n(bb, C0, bc)  # i32[8]  utils.py:379
    be = lax.broadcast_in_dim(bd, (8, 1), (0,))  # i32[8,1]  utils.py:379
    bf = lax.gather_p.bind(  # f32[8,1]  utils.py:379
        ba,
        be,
        dimension_numbers=lax.GatherDimensionNumbers(
            offset_dims=(1,),
            collapsed_slice_dims=(0,),
            start_index_map=(0,),
            operand_batching_dims=(),
            start_indices_batching_dims=(),
        ),
        fill_value=None,
        indices_are_sorted=False,
        mode=lax.GatherScatterMode.PROMISE_IN_BOUNDS,
        slice_sizes=(1, 1),
        unique_indices=False,
    )
    bg = lax.sub(ax, bf)  # f32[8,1]  utils.py:379
    bh = lax.exp(bg)  # f32[8,1]  utils.py:381
    bi = lax.broadcast_in_dim(np.float32(0.0), (6, 1), ())  # f32[6,1]  utils.py:77
    bj = lax.broadcast_in_dim(C0, (8, 1), (0,))  # i32[8,1]  utils.py:77
    bk = lax.scatter_add_p.bind(  # f32[6,1]  utils.py:77
        bi,
        bj,
        bh,
        dimension_numbers=lax.ScatterDimensionNumbers(
            update_window_dims=(1,),
            inserted_window_dims=(0,),
            scatter_dims_to_operand_dims=(0,),
            operand_batching_dims=(),
            scatter_indices_batching_dims=(),
        ),
        indices_are_sorted=False,
        mode=lax.GatherScatterMode.FILL_OR_DROP,
        unique_indices=False,
        update_consts=(),
        update_jaxpr=J(update_2, S((), f32), S((), f32)).jaxpr,
    )
    bl = lax.lt(C0, np.int32(0))  # bool[8]  utils.py:385
    bm = lax.add(C0, np.int32(6))  # i32[8]  utils.py:385
    bn = lax.select_n(bl, C0, bm)  # i32[8]  utils.py:385
    bo = lax.broadcast_in_dim(bn, (8, 1), (0,))  # i32[8,1]  utils.py:385
    bp = lax.gather_p.bind(  # f32[8,1]  utils.py:385
        bk,
        bo,
        dimension_numbers=lax.GatherDimensionNumbers(
            offset_dims=(1,),
            collapsed_slice_dims=(0,),
            start_index_map=(0,),
            operand_batching_dims=(),
            start_indices_batching_dims=(),
        ),
        fill_value=None,
        indices_are_sorted=False,
        mode=lax.GatherScatterMode.PROMISE_IN_BOUNDS,
        slice_sizes=(1, 1),
        unique_indices=False,
    )
    bq = lax.div(bh, bp)  # f32[8,1]  utils.py:386
    br = lax.mul(ap, bq)  # f32[8,4]  models.py:503
    bs = lax.broadcast_in_dim(np.float32(0.0), (6, 4), ())  # f32[6,4]  utils.py:77
    bt = lax.broadcast_in_dim(C0, (8, 1), (0,))  # i32[8,1]  utils.py:77
    bu = lax.scatter_add_p.bind(  # f32[6,4]  utils.py:77
        bs,
        bt,
        br,
        dimension_numbers=lax.ScatterDimensionNumbers(
            update_window_dims=(1,),
            inserted_window_dims=(0,),
            scatter_dims_to_operand_dims=(0,),
            operand_batching_dims=(),
            scatter_indices_batching_dims=(),
        ),
        indices_are_sorted=False,
        mode=lax.GatherScatterMode.FILL_OR_DROP,
        unique_indices=False,
        update_consts=(),
        update_jaxpr=J(update_2, S((), f32), S((), f32)).jaxpr,
    )
    bv = elu_fn(bu)  # f32[6,4]  models.py:508
    return bv


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
