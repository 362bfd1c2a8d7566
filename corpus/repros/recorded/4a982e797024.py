# /// jace-repro
# schema = 1
# name = "step"
# origin = "scripts/libraries/optax_schedules.py:27 (step)"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "4a982e7970243906e0487e636eed27e8eaa7b526e3d7b5b59be277e4bf4efadc"
# outputs_sha256 = "40993e70d1bd1b6a7e41fba93d41e16269bb2bf7d6c20ac043ab4ba6effda513"
# sidecar_sha256 = "b273a68d2d1dafc980eb2c2f1f39fe95a600a08a14a255c398d8844bad437b5c"
# self_check = "exact"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""step (optax_schedules.py:27): written by jace-repro, needs only jax and numpy."""

import hashlib
import io
import pathlib

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

f32 = np.dtype("float32")


def jit(name=None, **options):
    """jax.jit as a decorator, for a function whose name is not the one in the program."""

    def decorate(fun):
        fun.__name__ = fun.__qualname__ = name or fun.__name__
        return jax.jit(fun, **options)

    return decorate


SIDECAR_SHA256 = "b273a68d2d1dafc980eb2c2f1f39fe95a600a08a14a255c398d8844bad437b5c"


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


@jit("_where")
def where(a, b, c):
    d = lax.convert_element_type(b, f32)  # f32[]
    e = lax.select_n(a, c, d)  # f32[]
    return e


@jit("_where")
def where_2(a, b, c):
    d = lax.select_n(a, c, b)  # i32[]
    return d


def inputs():
    return [
        np.float32(0.0),  # a = params['b']: f32[]
        np.array([0.0, 0.0, 0.0, 0.0, 0.0], np.float32),  # b = params['w']: f32[5]
        np.float32(0.0),  # c = state[0].nu['b']: f32[]
        np.array([0.0, 0.0, 0.0, 0.0, 0.0], np.float32),  # d = state[0].nu['w']: f32[5]
        np.int32(0),  # e = state[1].count: i32[]
    ]


def repro(a, b, c, d, e):
    f = lax.dot_general(  # f32[20]  optax_schedules.py:29
        C0, b, (((1,), (0,)), ((), ())), preferred_element_type=f32
    )
    g = lax.add(f, a)  # f32[20]  optax_schedules.py:29
    h = lax.sub(g, C1)  # f32[20]  optax_schedules.py:29
    i = lax.integer_pow(h, 2)  # f32[20]  optax_schedules.py:29
    j = lax.mul(np.float32(2.0), h)  # f32[20]  optax_schedules.py:29
    k = lax.reduce_sum(i, axes=(0,))  # f32[]  optax_schedules.py:29
    l = lax.div(k, np.float32(20.0))  # f32[]  optax_schedules.py:29
    m = lax.div(np.float32(1.0), np.float32(20.0))  # f32[]  optax_schedules.py:29
    n = lax.broadcast_in_dim(m, (20,), ())  # f32[20]  optax_schedules.py:29
    o = lax.mul(n, j)  # f32[20]  optax_schedules.py:29
    p = lax.reduce_sum(o, axes=(0,))  # f32[]  optax_schedules.py:29
    q = lax.dot_general(  # f32[5]  optax_schedules.py:29
        o, C0, (((0,), (0,)), ((), ())), preferred_element_type=f32
    )
    r = lax.integer_pow(p, 2)  # f32[]  _tree_math.py:423
    s = lax.mul(np.float32(0.1), r)  # f32[]  _tree_math.py:433
    t = lax.mul(np.float32(0.9), c)  # f32[]  _tree_math.py:433
    u = lax.add(s, t)  # f32[]  _tree_math.py:433
    v = lax.integer_pow(q, 2)  # f32[5]  _tree_math.py:423
    w = lax.mul(np.float32(0.1), v)  # f32[5]  _tree_math.py:433
    x = lax.mul(np.float32(0.9), d)  # f32[5]  _tree_math.py:433
    y = lax.add(w, x)  # f32[5]  _tree_math.py:433
    z = lax.add(u, np.float32(1e-08))  # f32[]  transform.py:140
    aa = lax.rsqrt(z)  # f32[]  transform.py:140
    ab = lax.add(y, np.float32(1e-08))  # f32[5]  transform.py:140
    ac = lax.rsqrt(ab)  # f32[5]  transform.py:140
    ad = lax.mul(aa, p)  # f32[]  transform.py:143
    ae = lax.mul(ac, q)  # f32[5]  transform.py:143
    af = lax.sub(e, np.int32(0))  # i32[]  _schedule.py:314
    ag = lax.convert_element_type(af, f32)  # f32[]  _schedule.py:315
    ah = lax.div(ag, np.float32(2.0))  # f32[]  _schedule.py:315
    ai = lax.le(af, np.int32(0))  # bool[]  _schedule.py:319
    aj = lax.pow(np.float32(0.9), ah)  # f32[]  _schedule.py:319
    ak = lax.mul(np.float32(0.05), aj)  # f32[]  _schedule.py:319
    al = where(ai, 0.05, ak)  # f32[]  _schedule.py:318
    am = lax.mul(np.float32(-1.0), al)  # f32[]  transform.py:1004
    an = lax.copy_p.bind(am)  # f32[]  transform.py:1029
    ao = lax.mul(an, ad)  # f32[]  transform.py:1029
    ap = lax.copy_p.bind(am)  # f32[]  transform.py:1029
    aq = lax.mul(ap, ae)  # f32[5]  transform.py:1029
    ar = lax.lt(e, np.int32(2147483647))  # bool[]  numerics.py:143
    at = lax.add(e, np.int32(1))  # i32[]  numerics.py:143
    au = where_2(ar, at, np.int32(2147483647))  # i32[]  numerics.py:143
    av = lax.add(a, ao)  # f32[]  update.py:42
    aw = lax.add(b, aq)  # f32[5]  update.py:42
    # result[0]['b'], result[0]['w'], result[1][0].nu['b'], result[1][0].nu['w'], result[1][1].count, result[2]
    return av, aw, u, y, au, l


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
