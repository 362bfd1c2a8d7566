# /// jace-repro
# schema = 1
# name = "step"
# origin = "scripts/libraries/optax_schedules.py:27 (step)"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "f0b69b5956109f4f683a49da77255586bd28dc0f622458a077009aa0652ede9f"
# outputs_sha256 = "4f02b3215d4e9a6fa3f0ea46fc925734186f95d70f6eebfde599a45994afa551"
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


def weak(value, dtype):
    """A value of a weak type that no Python scalar has by itself."""
    return lax.convert_element_type_p.bind(value, new_dtype=dtype, weak_type=True, sharding=None)


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
    d = lax.select_n(a, c, b)  # i32[]
    return d


def inputs():
    return [
        np.float32(0.0),  # a = params['b']: f32[]
        np.array([0.0, 0.0, 0.0, 0.0, 0.0], np.float32),  # b = params['w']: f32[5]
        np.float32(0.0),  # c = state[0].trace['b']: f32[]
        np.array([0.0, 0.0, 0.0, 0.0, 0.0], np.float32),  # d = state[0].trace['w']: f32[5]
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
    r = lax.mul(np.float32(0.9), c)  # f32[]  _accumulation.py:68
    s = lax.add(p, r)  # f32[]  _accumulation.py:68
    t = lax.mul(np.float32(0.9), d)  # f32[5]  _accumulation.py:68
    u = lax.add(q, t)  # f32[5]  _accumulation.py:68
    v = lax.mul(np.float32(0.9), s)  # f32[]  _accumulation.py:68
    w = lax.add(p, v)  # f32[]  _accumulation.py:68
    x = lax.mul(np.float32(0.9), u)  # f32[5]  _accumulation.py:68
    y = lax.add(q, x)  # f32[5]  _accumulation.py:68
    z = lax.sub(np.int32(2), e)  # i32[]  _schedule.py:243
    aa = lax.sign(z)  # i32[]  _schedule.py:243
    ab = lax.convert_element_type_p.bind(  # f32[] weak  _schedule.py:243
        aa, new_dtype=f32, sharding=None, weak_type=True
    )
    ac = lax.max(0.0, ab)  # f32[] weak  _schedule.py:243
    ad = lax.mul(0.1, ac)  # f32[] weak  _schedule.py:244
    ae = lax.sub(weak(1.0, f32), ac)  # f32[] weak  _schedule.py:244
    af = lax.mul(ae, 0.5)  # f32[] weak  _schedule.py:244
    ag = lax.mul(af, 0.1)  # f32[] weak  _schedule.py:244
    ah = lax.add(ad, ag)  # f32[] weak  _schedule.py:244
    ai = lax.sub(np.int32(4), e)  # i32[]  _schedule.py:243
    aj = lax.sign(ai)  # i32[]  _schedule.py:243
    ak = lax.convert_element_type_p.bind(  # f32[] weak  _schedule.py:243
        aj, new_dtype=f32, sharding=None, weak_type=True
    )
    al = lax.max(0.0, ak)  # f32[] weak  _schedule.py:243
    am = lax.mul(ah, al)  # f32[] weak  _schedule.py:244
    an = lax.sub(weak(1.0, f32), al)  # f32[] weak  _schedule.py:244
    ao = lax.mul(an, 0.1)  # f32[] weak  _schedule.py:244
    ap = lax.mul(ao, ah)  # f32[] weak  _schedule.py:244
    aq = lax.add(am, ap)  # f32[] weak  _schedule.py:244
    ar = lax.mul(weak(-1.0, f32), aq)  # f32[] weak  transform.py:1004
    at = lax.copy_p.bind(ar)  # f32[] weak  transform.py:1029
    au = lax.convert_element_type(at, f32)  # f32[]  transform.py:1029
    av = lax.mul(au, w)  # f32[]  transform.py:1029
    aw = lax.copy_p.bind(ar)  # f32[] weak  transform.py:1029
    ax = lax.convert_element_type(aw, f32)  # f32[]  transform.py:1029
    ay = lax.mul(ax, y)  # f32[5]  transform.py:1029
    az = lax.lt(e, np.int32(2147483647))  # bool[]  numerics.py:143
    ba = lax.add(e, np.int32(1))  # i32[]  numerics.py:143
    bb = where(az, ba, np.int32(2147483647))  # i32[]  numerics.py:143
    bc = lax.add(a, av)  # f32[]  update.py:42
    bd = lax.add(b, ay)  # f32[5]  update.py:42
    # result[0]['b'], result[0]['w'], result[1][0].trace['b'], result[1][0].trace['w'], result[1][1].count,
    # result[2]
    return bc, bd, s, u, bb, l


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
