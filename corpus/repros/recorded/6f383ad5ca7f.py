# /// jace-repro
# schema = 1
# name = "heat"
# origin = "scripts/libraries/jaxscipy_optimize_sparse.py:16 (heat)"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "6f383ad5ca7f06d6d6a70744a2be59b1a6036d98e71983c602208208c9e72e79"
# outputs_sha256 = "b833d6e0db27f350eabfd921de88a3b095380a128f43e6636ba91715f917acaf"
# sidecar_sha256 = "17729b96bfc40d977d4b5c4d90af49f3961d9cb7fbbd1d717aeee69b2d98fadc"
# self_check = "exact"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""heat (jaxscipy_optimize_sparse.py:16): written by jace-repro, needs only jax and numpy."""

import functools
import hashlib
import io
import pathlib

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax._src.lax.control_flow.solves import _LinearSolveTuple
from jax.experimental.sparse import bcoo_dot_general_p
from jax.experimental.sparse.util import SparseInfo
from jaxlib._jax import ArrayCopySemantics

S = jax.ShapeDtypeStruct
bool_ = np.dtype("bool")
f32 = np.dtype("float32")
i32 = np.dtype("int32")


def J(fun, *avals):
    """The jaxpr of fun on operands of these types: the body of a control flow equation."""
    return jax.make_jaxpr(fun)(*avals)


SIDECAR_SHA256 = "17729b96bfc40d977d4b5c4d90af49f3961d9cb7fbbd1d717aeee69b2d98fadc"


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


def solve(a, b, c):
    d = bcoo_dot_general_p.bind(  # f32[8]  jaxscipy_optimize_sparse.py:18
        a,
        b,
        c,
        dimension_numbers=(((1,), (0,)), ((), ())),
        lhs_spinfo=SparseInfo(shape=(8, 8), indices_sorted=True, unique_indices=True),
        preferred_element_type=f32,
    )
    return d


def cond(a, carry):
    b, c, d, e, f = carry
    g = lax.gt(d, a)  # bool[]
    h = lax.lt(f, 80)  # bool[] weak
    i = lax.convert_element_type(h, bool_)  # bool[]
    j = lax.bitwise_and(g, i)  # bool[]
    return j


def body(a, b, carry):
    c, d, e, f, g = carry
    h = bcoo_dot_general_p.bind(  # f32[8]  jaxscipy_optimize_sparse.py:18
        a,
        b,
        f,
        dimension_numbers=(((1,), (0,)), ((), ())),
        lhs_spinfo=SparseInfo(shape=(8, 8), indices_sorted=True, unique_indices=True),
        preferred_element_type=f32,
    )
    i = lax.dot_general(  # f32[]
        f, h, (((0,), (0,)), ((), ())), precision=lax.Precision.HIGHEST, preferred_element_type=f32
    )
    j = lax.add(np.float32(0.0), i)  # f32[]
    k = lax.div(e, j)  # f32[]
    l = lax.mul(k, f)  # f32[8]
    m = lax.add(c, l)  # f32[8]
    n = lax.mul(k, h)  # f32[8]
    o = lax.sub(d, n)  # f32[8]
    p = lax.dot_general(  # f32[]
        o, o, (((0,), (0,)), ((), ())), precision=lax.Precision.HIGHEST, preferred_element_type=f32
    )
    q = lax.add(np.float32(0.0), p)  # f32[]
    r = lax.div(q, e)  # f32[]
    s = lax.mul(r, f)  # f32[8]
    t = lax.add(o, s)  # f32[8]
    u = lax.add(g, 1)  # i32[] weak
    return m, o, q, t, u


def solve_2(a, b, c, d):
    e = lax.dot_general(  # f32[]
        d, d, (((0,), (0,)), ((), ())), precision=lax.Precision.HIGHEST, preferred_element_type=f32
    )
    f = lax.add(np.float32(0.0), e)  # f32[]
    g = lax.square(1e-06)  # f32[] weak
    h = lax.convert_element_type(g, f32)  # f32[]
    i = lax.mul(h, f)  # f32[]
    j = lax.square(0.0)  # f32[] weak
    k = lax.convert_element_type(j, f32)  # f32[]
    l = lax.max(i, k)  # f32[]
    m = bcoo_dot_general_p.bind(  # f32[8]  jaxscipy_optimize_sparse.py:18
        a,
        b,
        c,
        dimension_numbers=(((1,), (0,)), ((), ())),
        lhs_spinfo=SparseInfo(shape=(8, 8), indices_sorted=True, unique_indices=True),
        preferred_element_type=f32,
    )
    n = lax.sub(d, m)  # f32[8]
    o = lax.dot_general(  # f32[]
        n, n, (((0,), (0,)), ((), ())), precision=lax.Precision.HIGHEST, preferred_element_type=f32
    )
    p = lax.add(np.float32(0.0), o)  # f32[]
    q, _, _, _, _ = lax.while_loop(  # f32[8], f32[8], f32[], f32[8], i32[] weak
        functools.partial(cond, l), functools.partial(body, a, b), (c, n, p, n, 0)
    )
    return q


def inputs():
    return [
        # a = u: f32[8]
        np.array(
            [0.0, 0.84147096, 0.9092974, 0.14112, -0.7568025, -0.9589243, -0.2794155, 0.6569866], np.float32
        ),
    ]


def repro(a):
    b = lax.broadcast_in_dim(np.float32(0.0), (8,), ())  # f32[8]  jaxscipy_optimize_sparse.py:18
    c, d = lax.device_put_p.bind(  # f32[8], f32[8]  jaxscipy_optimize_sparse.py:18
        a,
        b,
        copy_semantics=(ArrayCopySemantics.REUSE_INPUT, ArrayCopySemantics.REUSE_INPUT),
        devices=(None, None),
        srcs=(None, None),
    )
    (e,) = lax.linear_solve_p.bind(  # f32[8]  jaxscipy_optimize_sparse.py:18
        C0,
        C1,
        C0,
        C1,
        C0,
        C1,
        d,
        C0,
        C1,
        d,
        c,
        const_lengths=_LinearSolveTuple(matvec=2, vecmat=2, solve=3, transpose_solve=3),
        jaxprs=_LinearSolveTuple(
            matvec=J(solve, S((22,), f32), S((22, 2), i32), S((8,), f32)),
            vecmat=J(solve, S((22,), f32), S((22, 2), i32), S((8,), f32)),
            solve=J(solve_2, S((22,), f32), S((22, 2), i32), S((8,), f32), S((8,), f32)),
            transpose_solve=J(solve_2, S((22,), f32), S((22, 2), i32), S((8,), f32), S((8,), f32)),
        ),
    )
    return e


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
