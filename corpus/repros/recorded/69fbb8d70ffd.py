# /// jace-repro
# schema = 1
# name = "evolve"
# origin = "corpus/programs/game_of_life.py:22 (evolve)"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "69fbb8d70ffd36b1031aa5b0c0b34e5e1ef4fc1a52a81f4ec6bf5f508207b3db"
# outputs_sha256 = "45fa7f900c776e91d2627f56dd63a7036b48cdcee7a252470595c928b20cab3a"
# sidecar_sha256 = "426ab5588a51906033a6a58314faf7399a2f8e0266234b754efc7aef9526756f"
# self_check = "exact"
#
# [static]
# steps = "32"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""evolve (game_of_life.py:22): written by jace-repro, needs only jax and numpy."""

import hashlib
import io
import pathlib

import jax
import numpy as np
from jax import lax

i32 = np.dtype("int32")
u8 = np.dtype("uint8")


def jit(name=None, **options):
    """jax.jit as a decorator, for a function whose name is not the one in the program."""

    def decorate(fun):
        fun.__name__ = fun.__qualname__ = name or fun.__name__
        return jax.jit(fun, **options)

    return decorate


SIDECAR_SHA256 = "426ab5588a51906033a6a58314faf7399a2f8e0266234b754efc7aef9526756f"


def read_sidecar():
    """The arrays in the .npz file beside this script."""
    path = pathlib.Path(__file__).with_suffix(".npz")
    data = path.read_bytes()
    if hashlib.sha256(data).hexdigest() != SIDECAR_SHA256:
        raise SystemExit(f"{path} is not the file that belongs to this script (sha256 differs)")
    return dict(np.load(io.BytesIO(data)))


ARRAYS = globals().get("ARRAYS") or read_sidecar()  # whoever executes this text may put them there


@jit("_roll_static")
def roll_static(a):
    b = lax.slice(a, (1, 0), (128, 128), (1, 1))  # bool[127,128]
    c = lax.slice(a, (0, 0), (1, 128), (1, 1))  # bool[1,128]
    d = lax.concatenate([b, c], 0)  # bool[128,128]
    e = lax.slice(d, (0, 1), (128, 128), (1, 1))  # bool[128,127]
    f = lax.slice(d, (0, 0), (128, 1), (1, 1))  # bool[128,1]
    g = lax.concatenate([e, f], 1)  # bool[128,128]
    return g


@jit("_roll_static")
def roll_static_2(a):
    b = lax.slice(a, (1, 0), (128, 128), (1, 1))  # bool[127,128]
    c = lax.slice(a, (0, 0), (1, 128), (1, 1))  # bool[1,128]
    d = lax.concatenate([b, c], 0)  # bool[128,128]
    e = lax.slice(d, (0, 0), (128, 128), (1, 1))  # bool[128,128]
    f = lax.slice(d, (0, 0), (128, 0), (1, 1))  # bool[128,0]
    g = lax.concatenate([e, f], 1)  # bool[128,128]
    return g


@jit("_roll_static")
def roll_static_3(a):
    b = lax.slice(a, (1, 0), (128, 128), (1, 1))  # bool[127,128]
    c = lax.slice(a, (0, 0), (1, 128), (1, 1))  # bool[1,128]
    d = lax.concatenate([b, c], 0)  # bool[128,128]
    e = lax.slice(d, (0, 127), (128, 128), (1, 1))  # bool[128,1]
    f = lax.slice(d, (0, 0), (128, 127), (1, 1))  # bool[128,127]
    g = lax.concatenate([e, f], 1)  # bool[128,128]
    return g


@jit("_roll_static")
def roll_static_4(a):
    b = lax.slice(a, (0, 0), (128, 128), (1, 1))  # bool[128,128]
    c = lax.slice(a, (0, 0), (0, 128), (1, 1))  # bool[0,128]
    d = lax.concatenate([b, c], 0)  # bool[128,128]
    e = lax.slice(d, (0, 1), (128, 128), (1, 1))  # bool[128,127]
    f = lax.slice(d, (0, 0), (128, 1), (1, 1))  # bool[128,1]
    g = lax.concatenate([e, f], 1)  # bool[128,128]
    return g


@jit("_roll_static")
def roll_static_5(a):
    b = lax.slice(a, (0, 0), (128, 128), (1, 1))  # bool[128,128]
    c = lax.slice(a, (0, 0), (0, 128), (1, 1))  # bool[0,128]
    d = lax.concatenate([b, c], 0)  # bool[128,128]
    e = lax.slice(d, (0, 127), (128, 128), (1, 1))  # bool[128,1]
    f = lax.slice(d, (0, 0), (128, 127), (1, 1))  # bool[128,127]
    g = lax.concatenate([e, f], 1)  # bool[128,128]
    return g


@jit("_roll_static")
def roll_static_6(a):
    b = lax.slice(a, (127, 0), (128, 128), (1, 1))  # bool[1,128]
    c = lax.slice(a, (0, 0), (127, 128), (1, 1))  # bool[127,128]
    d = lax.concatenate([b, c], 0)  # bool[128,128]
    e = lax.slice(d, (0, 1), (128, 128), (1, 1))  # bool[128,127]
    f = lax.slice(d, (0, 0), (128, 1), (1, 1))  # bool[128,1]
    g = lax.concatenate([e, f], 1)  # bool[128,128]
    return g


@jit("_roll_static")
def roll_static_7(a):
    b = lax.slice(a, (127, 0), (128, 128), (1, 1))  # bool[1,128]
    c = lax.slice(a, (0, 0), (127, 128), (1, 1))  # bool[127,128]
    d = lax.concatenate([b, c], 0)  # bool[128,128]
    e = lax.slice(d, (0, 0), (128, 128), (1, 1))  # bool[128,128]
    f = lax.slice(d, (0, 0), (128, 0), (1, 1))  # bool[128,0]
    g = lax.concatenate([e, f], 1)  # bool[128,128]
    return g


@jit("_roll_static")
def roll_static_8(a):
    b = lax.slice(a, (127, 0), (128, 128), (1, 1))  # bool[1,128]
    c = lax.slice(a, (0, 0), (127, 128), (1, 1))  # bool[127,128]
    d = lax.concatenate([b, c], 0)  # bool[128,128]
    e = lax.slice(d, (0, 127), (128, 128), (1, 1))  # bool[128,1]
    f = lax.slice(d, (0, 0), (128, 127), (1, 1))  # bool[128,127]
    g = lax.concatenate([e, f], 1)  # bool[128,128]
    return g


def body(carry, rows):
    a, b, c = carry
    d = lax.add(a, 1)  # i32[] weak
    e = roll_static(b)  # bool[128,128]  game_of_life.py:18
    f = lax.convert_element_type(e, u8)  # u8[128,128]  game_of_life.py:18
    g = lax.add(np.uint8(0), f)  # u8[128,128]  game_of_life.py:18
    h = roll_static_2(b)  # bool[128,128]  game_of_life.py:18
    i = lax.convert_element_type(h, u8)  # u8[128,128]  game_of_life.py:18
    j = lax.add(g, i)  # u8[128,128]  game_of_life.py:18
    k = roll_static_3(b)  # bool[128,128]  game_of_life.py:18
    l = lax.convert_element_type(k, u8)  # u8[128,128]  game_of_life.py:18
    m = lax.add(j, l)  # u8[128,128]  game_of_life.py:18
    n = roll_static_4(b)  # bool[128,128]  game_of_life.py:18
    o = lax.convert_element_type(n, u8)  # u8[128,128]  game_of_life.py:18
    p = lax.add(m, o)  # u8[128,128]  game_of_life.py:18
    q = roll_static_5(b)  # bool[128,128]  game_of_life.py:18
    r = lax.convert_element_type(q, u8)  # u8[128,128]  game_of_life.py:18
    s = lax.add(p, r)  # u8[128,128]  game_of_life.py:18
    t = roll_static_6(b)  # bool[128,128]  game_of_life.py:18
    u = lax.convert_element_type(t, u8)  # u8[128,128]  game_of_life.py:18
    v = lax.add(s, u)  # u8[128,128]  game_of_life.py:18
    w = roll_static_7(b)  # bool[128,128]  game_of_life.py:18
    x = lax.convert_element_type(w, u8)  # u8[128,128]  game_of_life.py:18
    y = lax.add(v, x)  # u8[128,128]  game_of_life.py:18
    z = roll_static_8(b)  # bool[128,128]  game_of_life.py:18
    aa = lax.convert_element_type(z, u8)  # u8[128,128]  game_of_life.py:18
    ab = lax.add(y, aa)  # u8[128,128]  game_of_life.py:18
    ac = lax.eq(ab, np.uint8(3))  # bool[128,128]  game_of_life.py:19
    ad = lax.eq(ab, np.uint8(2))  # bool[128,128]  game_of_life.py:19
    ae = lax.bitwise_and(b, ad)  # bool[128,128]  game_of_life.py:19
    af = lax.bitwise_or(ac, ae)  # bool[128,128]  game_of_life.py:19
    ag = lax.convert_element_type(af, i32)  # i32[128,128]  game_of_life.py:29
    ah = lax.reduce_sum(ag, axes=(0, 1))  # i32[]  game_of_life.py:29
    ai = lax.lt(a, 0)  # bool[] weak  game_of_life.py:29
    aj = lax.add(a, 32)  # i32[] weak  game_of_life.py:29
    ak = lax.select_n(ai, a, aj)  # i32[] weak  game_of_life.py:29
    al = lax.convert_element_type(ak, i32)  # i32[]  game_of_life.py:29
    am = lax.broadcast_in_dim(al, (1,), ())  # i32[1]  game_of_life.py:29
    an = lax.scatter_p.bind(  # i32[32]  game_of_life.py:29
        c,
        am,
        ah,
        dimension_numbers=lax.ScatterDimensionNumbers(
            update_window_dims=(),
            inserted_window_dims=(0,),
            scatter_dims_to_operand_dims=(0,),
            operand_batching_dims=(),
            scatter_indices_batching_dims=(),
        ),
        indices_are_sorted=True,
        mode=lax.GatherScatterMode.FILL_OR_DROP,
        unique_indices=True,
        update_consts=(),
        update_jaxpr=None,
    )
    return (d, af, an), None


def inputs():
    return [
        ARRAYS["x0"],  # a = alive: bool[128,128]
    ]


def repro(a):
    # static: steps = 32
    b = lax.broadcast_in_dim(np.int32(0), (32,), ())  # i32[32]  game_of_life.py:31
    (_, c, d), _ = lax.scan(  # i32[] weak, bool[128,128], i32[32]  game_of_life.py:31
        body, (0, a, b), None, length=32
    )
    # result[0], result[1]
    return c, d


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
