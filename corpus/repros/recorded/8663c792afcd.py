# /// jace-repro
# schema = 1
# name = "warped"
# origin = "scripts/libraries/jaxscipy_signal_image.py:29 (warped)"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "8663c792afcd34efc11fc6ac967e5b96bff34ce36af6cea298d97ac7bdc93309"
# outputs_sha256 = "99907b85fe8cd2c97c17468cd7db3476651073b5b6fbd93bc89afb561ff1d4f1"
# sidecar_sha256 = "b27228b042799a45c4f8059c1605bed719776959ba44ae1a987f08374faf346a"
# self_check = "exact"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""warped (jaxscipy_signal_image.py:29): written by jace-repro, needs only jax and numpy."""

import hashlib
import io
import pathlib

import jax
import numpy as np
from jax import lax
from jax._src.mesh import empty_abstract_mesh
from jax.extend.core import primitives
from jax.sharding import PartitionSpec as P

f32 = np.dtype("float32")


def jit(name=None, **options):
    """jax.jit as a decorator, for a function whose name is not the one in the program."""

    def decorate(fun):
        fun.__name__ = fun.__qualname__ = name or fun.__name__
        return jax.jit(fun, **options)

    return decorate


SIDECAR_SHA256 = "b27228b042799a45c4f8059c1605bed719776959ba44ae1a987f08374faf346a"


def read_sidecar():
    """The arrays in the .npz file beside this script."""
    path = pathlib.Path(__file__).with_suffix(".npz")
    data = path.read_bytes()
    if hashlib.sha256(data).hexdigest() != SIDECAR_SHA256:
        raise SystemExit(f"{path} is not the file that belongs to this script (sha256 differs)")
    return dict(np.load(io.BytesIO(data)))


ARRAYS = globals().get("ARRAYS") or read_sidecar()  # whoever executes this text may put them there


@jit("_resize")
def resize(a, b, c):
    d = lax.dot_general(  # f32[5,8]
        c, b, (((1,), (1,)), ((), ())), precision=lax.Precision.HIGHEST, preferred_element_type=f32
    )
    e = lax.dot_general(  # f32[8,8]
        d, a, (((0,), (1,)), ((), ())), precision=lax.Precision.HIGHEST, preferred_element_type=f32
    )
    f = lax.transpose(e, (1, 0))  # f32[8,8]
    return f


@jit("_map_coordinates")
def map_coordinates(a, b, c, d, e, f, g, h, i):
    j = lax.mul(i, h)  # f32[8,8]
    k = lax.mul(f, j)  # f32[8,8]
    l = lax.mul(j, d)  # f32[8,8]
    m = lax.mul(i, g)  # f32[8,8]
    n = lax.mul(f, m)  # f32[8,8]
    o = lax.mul(m, a)  # f32[8,8]
    p = primitives.add_jaxvals_p.bind(l, o)  # f32[8,8]
    q = lax.mul(i, e)  # f32[8,8]
    r = lax.mul(b, q)  # f32[8,8]
    s = primitives.add_jaxvals_p.bind(k, r)  # f32[8,8]
    t = lax.mul(q, d)  # f32[8,8]
    u = lax.mul(i, c)  # f32[8,8]
    v = lax.mul(b, u)  # f32[8,8]
    w = primitives.add_jaxvals_p.bind(n, v)  # f32[8,8]
    x = lax.mul(u, a)  # f32[8,8]
    y = primitives.add_jaxvals_p.bind(t, x)  # f32[8,8]
    z = lax.neg(w)  # f32[8,8]
    aa = primitives.add_jaxvals_p.bind(s, z)  # f32[8,8]
    ab = lax.neg(y)  # f32[8,8]
    ac = primitives.add_jaxvals_p.bind(p, ab)  # f32[8,8]
    return ac, aa


def inputs():
    return [
        0.29552022,  # a: f32[] weak
        ARRAYS["x1"],  # b: f32[8,8]
        0.9553365,  # c: f32[] weak
        ARRAYS["x3"],  # d: f32[8,8]
        0.9553365,  # e: f32[] weak
        0.29552022,  # f: f32[] weak
        ARRAYS["x6"],  # g: f32[8,8]
        ARRAYS["x7"],  # h: f32[8,8]
        ARRAYS["x8"],  # i: f32[8,8]
        ARRAYS["x9"],  # j: f32[8,8]
        ARRAYS["x10"],  # k: f32[8,8]
        ARRAYS["x11"],  # l: f32[8,8]
        ARRAYS["x12"],  # m: f32[8,8]
        ARRAYS["x13"],  # n: f32[8,8]
        ARRAYS["x14"],  # o: f32[8,5]
        ARRAYS["x15"],  # p: f32[8,12]
        np.full((5, 12), 1.0, np.float32),  # q: f32[5,12]
    ]


def repro(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q):
    r = resize(o, p, q)  # f32[8,8]  jaxscipy_signal_image.py:37
    s, t = map_coordinates(g, h, i, j, k, l, m, n, r)  # f32[8,8], f32[8,8]  jaxscipy_signal_image.py:36
    u = lax.mul(t, d)  # f32[8,8]  jaxscipy_signal_image.py:34
    v = lax.reduce_sum(u, axes=(0, 1))  # f32[]  jaxscipy_signal_image.py:34
    w = lax.convert_element_type_p.bind(  # f32[] weak  jaxscipy_signal_image.py:34
        v, new_dtype=f32, sharding=jax.sharding.NamedSharding(empty_abstract_mesh, P()), weak_type=True
    )
    x = lax.neg(w)  # f32[] weak  jaxscipy_signal_image.py:34
    y = lax.mul(x, f)  # f32[] weak  jaxscipy_signal_image.py:34
    z = lax.mul(t, b)  # f32[8,8]  jaxscipy_signal_image.py:34
    aa = lax.reduce_sum(z, axes=(0, 1))  # f32[]  jaxscipy_signal_image.py:34
    ab = lax.convert_element_type_p.bind(  # f32[] weak  jaxscipy_signal_image.py:34
        aa, new_dtype=f32, sharding=jax.sharding.NamedSharding(empty_abstract_mesh, P()), weak_type=True
    )
    ac = lax.mul(ab, e)  # f32[] weak  jaxscipy_signal_image.py:34
    ad = primitives.add_jaxvals_p.bind(y, ac)  # f32[] weak  jaxscipy_signal_image.py:34
    ae = lax.neg(s)  # f32[8,8]  jaxscipy_signal_image.py:33
    af = lax.mul(ae, d)  # f32[8,8]  jaxscipy_signal_image.py:33
    ag = lax.reduce_sum(af, axes=(0, 1))  # f32[]  jaxscipy_signal_image.py:33
    ah = lax.convert_element_type_p.bind(  # f32[] weak  jaxscipy_signal_image.py:33
        ag, new_dtype=f32, sharding=jax.sharding.NamedSharding(empty_abstract_mesh, P()), weak_type=True
    )
    ai = lax.mul(ah, c)  # f32[] weak  jaxscipy_signal_image.py:33
    aj = primitives.add_jaxvals_p.bind(ad, ai)  # f32[] weak  jaxscipy_signal_image.py:33
    ak = lax.mul(s, b)  # f32[8,8]  jaxscipy_signal_image.py:33
    al = lax.reduce_sum(ak, axes=(0, 1))  # f32[]  jaxscipy_signal_image.py:33
    am = lax.convert_element_type_p.bind(  # f32[] weak  jaxscipy_signal_image.py:33
        al, new_dtype=f32, sharding=jax.sharding.NamedSharding(empty_abstract_mesh, P()), weak_type=True
    )
    an = lax.neg(am)  # f32[] weak  jaxscipy_signal_image.py:33
    ao = lax.mul(an, a)  # f32[] weak  jaxscipy_signal_image.py:33
    ap = primitives.add_jaxvals_p.bind(aj, ao)  # f32[] weak  jaxscipy_signal_image.py:33
    return ap


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
