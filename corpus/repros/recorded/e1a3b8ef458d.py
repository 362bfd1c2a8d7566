# /// jace-repro
# schema = 1
# name = "<lambda>"
# origin = "scripts/libraries/jax_custom_root.py:48 (<lambda>)"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "e1a3b8ef458dba429c38358410db5e8ddd6d2a02ec5da20eddb19c48e1c36973"
# outputs_sha256 = "b43ef20112eb90e56300d3a4ae80928dfb6039a42068a3bf8890c1dcf473b2e2"
# self_check = "exact"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""<lambda> (jax_custom_root.py:48): written by jace-repro, needs only jax and numpy."""

import functools

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax._src.lax.control_flow.solves import _LinearSolveTuple

S = jax.ShapeDtypeStruct
f32 = np.dtype("float32")


def J(fun, *avals):
    """The jaxpr of fun on operands of these types: the body of a control flow equation."""
    return jax.make_jaxpr(fun)(*avals)


C0 = jnp.asarray(
    np.array(
        [
            [1.2275125, -0.018209275, -0.036078837, -0.11191226],
            [-0.018209275, 1.1959647, 0.092901066, 0.0384789],
            [-0.036078837, 0.092901066, 1.0491058, 0.027606495],
            [-0.11191226, 0.0384789, 0.027606495, 1.1560003],
        ],
        np.float32,
    ),
)


def solve(a, b):
    c = lax.dot_general(  # f32[4]  jax_custom_root.py:37
        a, b, (((1,), (0,)), ((), ())), preferred_element_type=f32
    )
    return c


def body(a, carry, rows):
    b, c, d, e = carry
    f = lax.add(b, 1)  # i32[] weak
    g = lax.dot_general(  # f32[4]  jax_custom_root.py:37
        a, e, (((1,), (0,)), ((), ())), preferred_element_type=f32
    )
    h = lax.dot_general(  # f32[]  jax_custom_root.py:28
        d, d, (((0,), (0,)), ((), ())), preferred_element_type=f32
    )
    i = lax.dot_general(  # f32[]  jax_custom_root.py:28
        e, g, (((0,), (0,)), ((), ())), preferred_element_type=f32
    )
    j = lax.div(h, i)  # f32[]  jax_custom_root.py:28
    k = lax.mul(j, g)  # f32[4]  jax_custom_root.py:29
    l = lax.sub(d, k)  # f32[4]  jax_custom_root.py:29
    m = lax.mul(j, e)  # f32[4]  jax_custom_root.py:30
    n = lax.add(c, m)  # f32[4]  jax_custom_root.py:30
    o = lax.dot_general(  # f32[]  jax_custom_root.py:30
        l, l, (((0,), (0,)), ((), ())), preferred_element_type=f32
    )
    p = lax.dot_general(  # f32[]  jax_custom_root.py:30
        d, d, (((0,), (0,)), ((), ())), preferred_element_type=f32
    )
    q = lax.div(o, p)  # f32[]  jax_custom_root.py:30
    r = lax.mul(q, e)  # f32[4]  jax_custom_root.py:30
    s = lax.add(l, r)  # f32[4]  jax_custom_root.py:30
    return (f, n, l, s), None


def solve_2(a, b):
    c = lax.broadcast_in_dim(np.float32(0.0), (4,), ())  # f32[4]  jax_custom_root.py:32
    (_, d, _, _), _ = lax.scan(  # i32[] weak, f32[4], f32[4], f32[4]  jax_custom_root.py:32
        functools.partial(body, a), (0, c, b, b), None, length=4
    )
    return d


@jax.jit
def solve_3(a, b):
    (c,) = lax.linear_solve_p.bind(  # f32[4]  jax_custom_root.py:37
        a,
        a,
        a,
        a,
        b,
        const_lengths=_LinearSolveTuple(matvec=1, vecmat=1, solve=1, transpose_solve=1),
        jaxprs=_LinearSolveTuple(
            matvec=J(solve, S((4, 4), f32), S((4,), f32)),
            vecmat=J(solve, S((4, 4), f32), S((4,), f32)),
            solve=J(solve_2, S((4, 4), f32), S((4,), f32)),
            transpose_solve=J(solve_2, S((4, 4), f32), S((4,), f32)),
        ),
    )
    return c


def inputs():
    return [
        np.array([0.039722107, -0.29245675, -0.78190845, -0.25719225], np.float32),  # a = b: f32[4]
    ]


def repro(a):
    b = solve_3(C0, a)  # f32[4]  jax_custom_root.py:48
    _ = lax.reduce_sum(b, axes=(0,))  # f32[]  jax_custom_root.py:48
    c = lax.broadcast_in_dim(np.float32(1.0), (4,), ())  # f32[4]  jax_custom_root.py:48
    d = solve_3(C0, c)  # f32[4]  jax_custom_root.py:48
    return d


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
