# /// jace-repro
# schema = 1
# name = "interpret"
# origin = "scripts/libraries/jax_control_flow.py:10 (interpret)"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "dd763d2842a8e8712a4233514a5c0117bee6bade5fc53ba1b11cb2c491c064a2"
# outputs_sha256 = "ad823821a5001df4be3c8a20fe87a3cc523913825a75c469c3f2560ab78d0bd6"
# self_check = "exact"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""interpret (jax_control_flow.py:10): written by jace-repro, needs only jax and numpy."""

import jax
import numpy as np
from jax import lax

S = jax.ShapeDtypeStruct
f32 = np.dtype("float32")


def J(fun, *avals):
    """The jaxpr of fun on operands of these types: the body of a control flow equation."""
    return jax.make_jaxpr(fun)(*avals)


def jit(name=None, **options):
    """jax.jit as a decorator, for a function whose name is not the one in the program."""

    def decorate(fun):
        fun.__name__ = fun.__qualname__ = name or fun.__name__
        return jax.jit(fun, **options)

    return decorate


def branch(a):
    b = lax.sin(a)  # f32[4]
    return b


def branch_2(a):
    b = lax.integer_pow(a, 2)  # f32[4]  jax_control_flow.py:7
    return b


def branch_3(a):
    b = lax.neg(a)  # f32[4]  jax_control_flow.py:7
    return b


@jit("_where")
def where(a, b, c):
    d = lax.select_n(a, c, b)  # f32[4]
    return d


def branch_4(a):
    b = lax.gt(a, np.float32(0.0))  # bool[4]  jax_control_flow.py:7
    c = lax.mul(np.float32(0.1), a)  # f32[4]  jax_control_flow.py:7
    d = where(b, a, c)  # f32[4]  jax_control_flow.py:7
    return d


def body(a, b):
    c = lax.clamp(np.int32(0), b, np.int32(3))  # i32[]  jax_control_flow.py:12
    (d,) = lax.cond_p.bind(  # f32[4]  jax_control_flow.py:12
        c,
        a,
        branches=(
            J(branch, S((4,), f32)),
            J(branch_2, S((4,), f32)),
            J(branch_3, S((4,), f32)),
            J(branch_4, S((4,), f32)),
        ),
    )
    e = lax.reduce_sum(a, axes=(0,))  # f32[]  jax_control_flow.py:12
    return d, e


def inputs():
    return [
        np.array([0, 1, 3, 2, 1], np.int32),  # a = program: i32[5]
        np.array([-1.0, -0.33333328, 0.33333337, 1.0], np.float32),  # b = x: f32[4]
    ]


def repro(a, b):
    c, d = lax.scan(body, b, a)  # f32[4], f32[5]  jax_control_flow.py:12
    # result[0], result[1]
    return c, d


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
