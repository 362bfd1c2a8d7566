# /// jace-repro
# schema = 1
# name = "statistics"
# origin = "scripts/libraries/jraph_attention.py:38 (statistics)"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "2677c72e08ddc9d3bcd684b0b78c8a3fb3c8518bd8770f6815301f5674153d9f"
# outputs_sha256 = "88c2de08653e1a809d5d469a3ba6ef80b9a5d665c25de9290098ba5e25384be3"
# sidecar_sha256 = "6400798ec55bca68f202d1b1fcd916b1eeaff8f7853ef1719deb3f8c23c0e25a"
# self_check = "exact"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""statistics (jraph_attention.py:38): written by jace-repro, needs only jax and numpy."""

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


SIDECAR_SHA256 = "6400798ec55bca68f202d1b1fcd916b1eeaff8f7853ef1719deb3f8c23c0e25a"


def read_sidecar():
    """The arrays in the .npz file beside this script."""
    path = pathlib.Path(__file__).with_suffix(".npz")
    data = path.read_bytes()
    if hashlib.sha256(data).hexdigest() != SIDECAR_SHA256:
        raise SystemExit(f"{path} is not the file that belongs to this script (sha256 differs)")
    return dict(np.load(io.BytesIO(data)))


ARRAYS = globals().get("ARRAYS") or read_sidecar()  # whoever executes this text may put them there


C0 = jnp.asarray(np.array([0, 1, 2, 3, 4, 5, 0, 3], np.int32))
C1 = jnp.asarray(np.array([1, 2, 3, 4, 5, 0, 2, 5], np.int32))


def update(a, b):
    c = lax.max(a, b)  # f32[]
    return c


def update_2(a, b):
    c = lax.add(a, b)  # f32[]
    return c


def update_3(a, b):
    c = lax.add(a, b)  # i32[]
    return c


@jit("_where")
def where(a, b, c):
    d = lax.broadcast_in_dim(c, (6, 4), ())  # f32[6,4]
    e = lax.select_n(a, d, b)  # f32[6,4]
    return e


def inputs():
    return [
        ARRAYS["x0"],  # a = nodes: f32[6,4]
    ]


def repro(a):
    b = lax.lt(C0, np.int32(0))  # bool[8]  jraph_attention.py:40
    c = lax.add(C0, np.int32(6))  # i32[8]  jraph_attention.py:40
    d = lax.select_n(b, C0, c)  # i32[8]  jraph_attention.py:40
    e = lax.broadcast_in_dim(0, (8,), ())  # i32[8] weak  jraph_attention.py:40
    f = lax.convert_element_type(e, i32)  # i32[8]  jraph_attention.py:40
    g = lax.broadcast_in_dim(d, (8, 1), (0,))  # i32[8,1]  jraph_attention.py:40
    h = lax.broadcast_in_dim(f, (8, 1), (0,))  # i32[8,1]  jraph_attention.py:40
    i = lax.concatenate([g, h], 1)  # i32[8,2]  jraph_attention.py:40
    j = lax.gather_p.bind(  # f32[8]  jraph_attention.py:40
        a,
        i,
        dimension_numbers=lax.GatherDimensionNumbers(
            offset_dims=(),
            collapsed_slice_dims=(0, 1),
            start_index_map=(0, 1),
            operand_batching_dims=(),
            start_indices_batching_dims=(),
        ),
        fill_value=None,
        indices_are_sorted=False,
        mode=lax.GatherScatterMode.PROMISE_IN_BOUNDS,
        slice_sizes=(1, 1),
        unique_indices=False,
    )
    k = lax.broadcast_in_dim(np.float32(-np.inf), (6,), ())  # f32[6]  utils.py:217
    l = lax.broadcast_in_dim(C1, (8, 1), (0,))  # i32[8,1]  utils.py:217
    m = lax.scatter_max_p.bind(  # f32[6]  utils.py:217
        k,
        l,
        j,
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
        update_jaxpr=J(update, S((), f32), S((), f32)).jaxpr,
    )
    n = lax.lt(C1, np.int32(0))  # bool[8]  utils.py:379
    o = lax.add(C1, np.int32(6))  # i32[8]  utils.py:379
    p = lax.select_n(n, C1, o)  # i32[8]  utils.py:379
    q = lax.broadcast_in_dim(p, (8, 1), (0,))  # i32[8,1]  utils.py:379
    r = lax.gather_p.bind(  # f32[8]  utils.py:379
        m,
        q,
        dimension_numbers=lax.GatherDimensionNumbers(
            offset_dims=(),
            collapsed_slice_dims=(0,),
            start_index_map=(0,),
            operand_batching_dims=(),
            start_indices_batching_dims=(),
        ),
        fill_value=None,
        indices_are_sorted=False,
        mode=lax.GatherScatterMode.PROMISE_IN_BOUNDS,
        slice_sizes=(1,),
        unique_indices=False,
    )
    s = lax.sub(j, r)  # f32[8]  utils.py:379
    t = lax.exp(s)  # f32[8]  utils.py:381
    u = lax.broadcast_in_dim(np.float32(0.0), (6,), ())  # f32[6]  utils.py:77
    v = lax.broadcast_in_dim(C1, (8, 1), (0,))  # i32[8,1]  utils.py:77
    w = lax.scatter_add_p.bind(  # f32[6]  utils.py:77
        u,
        v,
        t,
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
        update_jaxpr=J(update_2, S((), f32), S((), f32)).jaxpr,
    )
    x = lax.lt(C1, np.int32(0))  # bool[8]  utils.py:385
    y = lax.add(C1, np.int32(6))  # i32[8]  utils.py:385
    z = lax.select_n(x, C1, y)  # i32[8]  utils.py:385
    aa = lax.broadcast_in_dim(z, (8, 1), (0,))  # i32[8,1]  utils.py:385
    ab = lax.gather_p.bind(  # f32[8]  utils.py:385
        w,
        aa,
        dimension_numbers=lax.GatherDimensionNumbers(
            offset_dims=(),
            collapsed_slice_dims=(0,),
            start_index_map=(0,),
            operand_batching_dims=(),
            start_indices_batching_dims=(),
        ),
        fill_value=None,
        indices_are_sorted=False,
        mode=lax.GatherScatterMode.PROMISE_IN_BOUNDS,
        slice_sizes=(1,),
        unique_indices=False,
    )
    ac = lax.div(t, ab)  # f32[8]  utils.py:386
    ad = lax.lt(C0, np.int32(0))  # bool[8]  jraph_attention.py:41
    ae = lax.add(C0, np.int32(6))  # i32[8]  jraph_attention.py:41
    af = lax.select_n(ad, C0, ae)  # i32[8]  jraph_attention.py:41
    ag = lax.broadcast_in_dim(af, (8, 1), (0,))  # i32[8,1]  jraph_attention.py:41
    ah = lax.gather_p.bind(  # f32[8,4]  jraph_attention.py:41
        a,
        ag,
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
    ai = lax.broadcast_in_dim(np.float32(0.0), (6, 4), ())  # f32[6,4]  utils.py:77
    aj = lax.broadcast_in_dim(C1, (8, 1), (0,))  # i32[8,1]  utils.py:77
    ak = lax.scatter_add_p.bind(  # f32[6,4]  utils.py:77
        ai,
        aj,
        ah,
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
    al = lax.broadcast_in_dim(np.float32(1.0), (8, 4), ())  # f32[8,4]  utils.py:106
    am = lax.broadcast_in_dim(np.float32(0.0), (6, 4), ())  # f32[6,4]  utils.py:77
    an = lax.broadcast_in_dim(C1, (8, 1), (0,))  # i32[8,1]  utils.py:77
    ao = lax.scatter_add_p.bind(  # f32[6,4]  utils.py:77
        am,
        an,
        al,
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
    ap = lax.max(ao, np.float32(1.0))  # f32[6,4]  utils.py:111
    aq = lax.div(ak, ap)  # f32[6,4]  utils.py:111
    ar = lax.lt(C1, np.int32(0))  # bool[8]  utils.py:132
    at = lax.add(C1, np.int32(6))  # i32[8]  utils.py:132
    au = lax.select_n(ar, C1, at)  # i32[8]  utils.py:132
    av = lax.broadcast_in_dim(au, (8, 1), (0,))  # i32[8,1]  utils.py:132
    aw = lax.gather_p.bind(  # f32[8,4]  utils.py:132
        aq,
        av,
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
    ax = lax.broadcast_in_dim(np.float32(1.0), (8, 4), ())  # f32[8,4]  utils.py:139
    ay = lax.broadcast_in_dim(np.float32(0.0), (6, 4), ())  # f32[6,4]  utils.py:77
    az = lax.broadcast_in_dim(C1, (8, 1), (0,))  # i32[8,1]  utils.py:77
    ba = lax.scatter_add_p.bind(  # f32[6,4]  utils.py:77
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
        update_jaxpr=J(update_2, S((), f32), S((), f32)).jaxpr,
    )
    bb = lax.broadcast_in_dim(np.float32(1.0), (6, 4), ())  # f32[6,4]  utils.py:144
    bc = lax.max(ba, bb)  # f32[6,4]  utils.py:144
    bd = lax.sub(ah, aw)  # f32[8,4]  utils.py:146
    be = lax.integer_pow(bd, 2)  # f32[8,4]  utils.py:146
    bf = lax.broadcast_in_dim(np.float32(0.0), (6, 4), ())  # f32[6,4]  utils.py:77
    bg = lax.broadcast_in_dim(C1, (8, 1), (0,))  # i32[8,1]  utils.py:77
    bh = lax.scatter_add_p.bind(  # f32[6,4]  utils.py:77
        bf,
        bg,
        be,
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
    bi = lax.div(bh, bc)  # f32[6,4]  utils.py:145
    bj = lax.reduce_sum(ac, axes=(0,))  # f32[]  jraph_attention.py:42
    bk = lax.lt(C0, np.int32(0))  # bool[8]  jraph_attention.py:43
    bl = lax.add(C0, np.int32(6))  # i32[8]  jraph_attention.py:43
    bm = lax.select_n(bk, C0, bl)  # i32[8]  jraph_attention.py:43
    bn = lax.broadcast_in_dim(bm, (8, 1), (0,))  # i32[8,1]  jraph_attention.py:43
    bo = lax.gather_p.bind(  # f32[8,4]  jraph_attention.py:43
        a,
        bn,
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
    bp = lax.broadcast_in_dim(np.float32(-np.inf), (6, 4), ())  # f32[6,4]  utils.py:217
    bq = lax.broadcast_in_dim(C1, (8, 1), (0,))  # i32[8,1]  utils.py:217
    br = lax.scatter_max_p.bind(  # f32[6,4]  utils.py:217
        bp,
        bq,
        bo,
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
        update_jaxpr=J(update, S((), f32), S((), f32)).jaxpr,
    )
    bs = lax.broadcast_in_dim(np.int32(1), (8, 4), ())  # i32[8,4]  utils.py:228
    bt = lax.broadcast_in_dim(np.int32(0), (6, 4), ())  # i32[6,4]  utils.py:77
    bu = lax.broadcast_in_dim(C1, (8, 1), (0,))  # i32[8,1]  utils.py:77
    bv = lax.scatter_add_p.bind(  # i32[6,4]  utils.py:77
        bt,
        bu,
        bs,
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
        update_jaxpr=J(update_3, S((), i32), S((), i32)).jaxpr,
    )
    bw = lax.gt(bv, np.int32(0))  # bool[6,4]  utils.py:231
    bx = where(bw, br, np.float32(0.0))  # f32[6,4]  utils.py:231
    by = lax.reduce_sum(bx, axes=(0, 1))  # f32[]  jraph_attention.py:44
    bz = lax.reduce_sum(bi, axes=(0, 1))  # f32[]  jraph_attention.py:44
    ca = lax.add(by, bz)  # f32[]  jraph_attention.py:42
    # result[0], result[1]
    return bj, ca


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
