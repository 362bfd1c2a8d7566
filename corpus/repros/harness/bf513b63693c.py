# /// jace-repro
# schema = 1
# name = "reduce_gen_max_min_shape_int8_4_6_initvalue_3_nr_operands_2_"
# origin = "jax harness reduce_gen_max_min_shape_int8_4_6_initvalue_3_nr_operands_2_dimensions_0_"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "bf513b63693c22247e14fe5225e1e273e47f65d8dc52c3643f4fdd19e9aa29b8"
# sidecar_sha256 = "ac871a1f42465eb3850fdc8a8f814c6be93d8ef75d122a7ca185d4de418457d6"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""reduce_gen_max_min_shape_int8_4_6_initvalue_3_nr_operands_2_ (jax harness reduce_gen_max_min_shape_int8_4_6_initvalue_3_nr_operands_2_dimensions_0_): written by jace-repro, needs only jax and numpy."""

import hashlib
import io
import pathlib

import jax
import numpy as np
from jax import lax

S = jax.ShapeDtypeStruct
i32 = np.dtype("int32")
i8 = np.dtype("int8")


def J(fun, *avals):
    """The jaxpr of fun on operands of these types: the body of a control flow equation."""
    return jax.make_jaxpr(fun)(*avals)


SIDECAR_SHA256 = "ac871a1f42465eb3850fdc8a8f814c6be93d8ef75d122a7ca185d4de418457d6"


def read_sidecar():
    """The arrays in the .npz file beside this script."""
    path = pathlib.Path(__file__).with_suffix(".npz")
    data = path.read_bytes()
    if hashlib.sha256(data).hexdigest() != SIDECAR_SHA256:
        raise SystemExit(f"{path} is not the file that belongs to this script (sha256 differs)")
    return dict(np.load(io.BytesIO(data)))


ARRAYS = globals().get("ARRAYS") or read_sidecar()  # whoever executes this text may put them there


def reducer(a, b, c, d):
    e = lax.max(a, c)  # i8[]
    f = lax.min(b, d)  # i32[]
    return e, f


def body(a, b, c, d):
    e = lax.max(a, c)  # i8[]
    f = lax.min(b, d)  # i32[]
    return e, f


def inputs():
    return [
        ARRAYS["x0"],  # a = dyn_args[0]: i8[4,6]
        ARRAYS["x1"],  # b = dyn_args[1]: i32[4,6]
    ]


def repro(a, b):
    c, d = lax.reduce_p.bind(  # i8[6], i32[6]
        a,
        b,
        np.int8(3),
        np.int32(0),
        computation=reducer,
        dimensions=(0,),
        jaxpr=J(body, S((), i8), S((), i32), S((), i8), S((), i32)),
    )
    # result[0], result[1]
    return c, d


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
