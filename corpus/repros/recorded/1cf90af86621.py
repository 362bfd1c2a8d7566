# /// jace-repro
# schema = 1
# name = "prune_neighbor_list_sparse"
# origin = "partition.py:956 (prune_neighbor_list_sparse)"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "1cf90af86621c91487a47556ca70bcbc0f3e1549f91e1b475d95618a86b4c0bb"
# outputs_sha256 = "7684bd2f1f50aebdd4a350c5d45a76a111cb66c780ada2db30876e56b43466ba"
# sidecar_sha256 = "29f1d22b0bd3a0d24d3728ba9c46615481e6815598bf405f8bdd7614004ae0df"
# self_check = "exact"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""prune_neighbor_list_sparse (partition.py:956): written by jace-repro, needs only jax and numpy."""

import hashlib
import io
import pathlib

import jax
import numpy as np
from jax import lax

f32 = np.dtype("float32")
i32 = np.dtype("int32")


def jit(name=None, **options):
    """jax.jit as a decorator, for a function whose name is not the one in the program."""

    def decorate(fun):
        fun.__name__ = fun.__qualname__ = name or fun.__name__
        return jax.jit(fun, **options)

    return decorate


SIDECAR_SHA256 = "29f1d22b0bd3a0d24d3728ba9c46615481e6815598bf405f8bdd7614004ae0df"


def read_sidecar():
    """The arrays in the .npz file beside this script."""
    path = pathlib.Path(__file__).with_suffix(".npz")
    data = path.read_bytes()
    if hashlib.sha256(data).hexdigest() != SIDECAR_SHA256:
        raise SystemExit(f"{path} is not the file that belongs to this script (sha256 differs)")
    return dict(np.load(io.BytesIO(data)))


ARRAYS = globals().get("ARRAYS") or read_sidecar()  # whoever executes this text may put them there


@jax.jit
def remainder(a, b):
    c = lax.convert_element_type(b, f32)  # f32[]
    d = lax.rem(a, c)  # f32[625,2]
    e = lax.ne(d, np.float32(0.0))  # bool[625,2]
    f = lax.lt(d, np.float32(0.0))  # bool[625,2]
    g = lax.lt(c, np.float32(0.0))  # bool[]
    h = lax.ne(f, g)  # bool[625,2]
    i = lax.bitwise_and(h, e)  # bool[625,2]
    j = lax.add(d, c)  # f32[625,2]
    k = lax.select_n(i, d, j)  # f32[625,2]
    return k


@jax.jit
def cumsum(a):
    b = lax.convert_element_type(a, i32)  # i32[625]
    c = lax.cumsum(b, axis=0)  # i32[625]
    return c


@jit("_where")
def where(a, b, c):
    d = lax.convert_element_type(c, i32)  # i32[]
    e = lax.broadcast_in_dim(d, (625,), ())  # i32[625]
    f = lax.select_n(a, e, b)  # i32[625]
    return f


def inputs():
    return [
        ARRAYS["x0"],  # a = position: f32[25,2]
        ARRAYS["x1"],  # b = idx: i32[25,25]
    ]


def repro(a, b):
    c = lax.broadcasted_iota(i32, (25,), 0)  # i32[25]  partition.py:964
    d = lax.broadcast_in_dim(c, (25, 1), (0,))  # i32[25,1]  partition.py:964
    e = lax.broadcast_in_dim_p.bind(  # i32[25,25]  partition.py:964
        d, broadcast_dimensions=(0, 1), shape=(25, 25), sharding=None
    )
    f = lax.reshape(e, (625,))  # i32[625]  partition.py:966
    g = lax.reshape(b, (625,))  # i32[625]  partition.py:967
    h = lax.lt(f, np.int32(0))  # bool[625]  partition.py:968
    i = lax.add(f, np.int32(25))  # i32[625]  partition.py:968
    j = lax.select_n(h, f, i)  # i32[625]  partition.py:968
    k = lax.broadcast_in_dim(j, (625, 1), (0,))  # i32[625,1]  partition.py:968
    l = lax.gather_p.bind(  # f32[625,2]  partition.py:968
        a,
        k,
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
        slice_sizes=(1, 2),
        unique_indices=False,
    )
    m = lax.lt(g, np.int32(0))  # bool[625]  partition.py:968
    n = lax.add(g, np.int32(25))  # i32[625]  partition.py:968
    o = lax.select_n(m, g, n)  # i32[625]  partition.py:968
    p = lax.broadcast_in_dim(o, (625, 1), (0,))  # i32[625,1]  partition.py:968
    q = lax.gather_p.bind(  # f32[625,2]  partition.py:968
        a,
        p,
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
        slice_sizes=(1, 2),
        unique_indices=False,
    )
    r = lax.sub(l, q)  # f32[625,2]  space.py:193
    s = lax.mul(np.float32(6.0), np.float32(0.5))  # f32[]  space.py:207
    t = lax.add(r, s)  # f32[625,2]  space.py:207
    u = remainder(t, 6.0)  # f32[625,2]  space.py:207
    v = lax.mul(np.float32(0.5), np.float32(6.0))  # f32[]  space.py:207
    w = lax.sub(u, v)  # f32[625,2]  space.py:207
    x = lax.integer_pow(w, 2)  # f32[625,2]  space.py:218
    y = lax.reduce_sum(x, axes=(1,))  # f32[625]  space.py:218
    z = lax.lt(y, np.float32(5.29))  # bool[625]  partition.py:970
    aa = lax.lt(g, np.int32(25))  # bool[625]  partition.py:970
    ab = lax.bitwise_and(z, aa)  # bool[625]  partition.py:970
    ac = lax.lt(g, f)  # bool[625]  partition.py:972
    ad = lax.bitwise_and(ab, ac)  # bool[625]  partition.py:972
    ae = lax.broadcast_in_dim(np.int32(1), (625,), ())  # i32[625]  partition.py:974
    af = lax.mul(np.int32(25), ae)  # i32[625]  partition.py:974
    ag = cumsum(ad)  # i32[625]  partition.py:976
    ah = lax.sub(ag, np.int32(1))  # i32[625]  partition.py:977
    ai = where(ad, ah, 624)  # i32[625]  partition.py:977
    aj = lax.lt(ai, np.int32(0))  # bool[625]  partition.py:978
    ak = lax.add(ai, np.int32(625))  # i32[625]  partition.py:978
    al = lax.select_n(aj, ai, ak)  # i32[625]  partition.py:978
    am = lax.broadcast_in_dim(al, (625, 1), (0,))  # i32[625,1]  partition.py:978
    an = lax.scatter_p.bind(  # i32[625]  partition.py:978
        af,
        am,
        g,
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
        update_jaxpr=None,
    )
    ao = lax.lt(ai, np.int32(0))  # bool[625]  partition.py:979
    ap = lax.add(ai, np.int32(625))  # i32[625]  partition.py:979
    aq = lax.select_n(ao, ai, ap)  # i32[625]  partition.py:979
    ar = lax.broadcast_in_dim(aq, (625, 1), (0,))  # i32[625,1]  partition.py:979
    at = lax.scatter_p.bind(  # i32[625]  partition.py:979
        af,
        ar,
        f,
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
        update_jaxpr=None,
    )
    au = lax.slice(ag, (624,), (625,))  # i32[1]  partition.py:980
    av = lax.squeeze(au, (0,))  # i32[]  partition.py:980
    aw = lax.stack_p.bind(an, at, axis=0)  # i32[2,625]  partition.py:982
    # result[0], result[1]
    return aw, av


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
