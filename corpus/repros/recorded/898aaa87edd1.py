# /// jace-repro
# schema = 1
# name = "gradient"
# origin = "scripts/libraries/jax_associative_scan.py:22 (gradient)"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "898aaa87edd10c34c32fa9197d8dfec2eacbed4e09f8baeb1ce84f1e523f275f"
# outputs_sha256 = "c0887ff3b8b4145dc45a2533f5fd41dd05378f36db88885c8266fc99bbaad73e"
# sidecar_sha256 = "b86d53229e45e6c04148349270ce0529c95711a5969412af7bc62a7f989ed07c"
# self_check = "exact"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""gradient (jax_associative_scan.py:22): written by jace-repro, needs only jax and numpy."""

import hashlib
import io
import pathlib

import jax
import numpy as np
from jax import lax
from jax.extend.core import primitives


SIDECAR_SHA256 = "b86d53229e45e6c04148349270ce0529c95711a5969412af7bc62a7f989ed07c"


def read_sidecar():
    """The arrays in the .npz file beside this script."""
    path = pathlib.Path(__file__).with_suffix(".npz")
    data = path.read_bytes()
    if hashlib.sha256(data).hexdigest() != SIDECAR_SHA256:
        raise SystemExit(f"{path} is not the file that belongs to this script (sha256 differs)")
    return dict(np.load(io.BytesIO(data)))


ARRAYS = globals().get("ARRAYS") or read_sidecar()  # whoever executes this text may put them there


@jax.jit
def recurrence(a, b):
    c = lax.slice(a, (0, 0), (12, 2), (2, 1))  # f32[6,2]  jax_associative_scan.py:14
    d = lax.slice(b, (0, 0), (12, 2), (2, 1))  # f32[6,2]  jax_associative_scan.py:14
    e = lax.slice(a, (1, 0), (13, 2), (2, 1))  # f32[6,2]  jax_associative_scan.py:14
    f = lax.slice(b, (1, 0), (13, 2), (2, 1))  # f32[6,2]  jax_associative_scan.py:14
    g = lax.mul(c, e)  # f32[6,2]  jax_associative_scan.py:9
    h = lax.mul(e, d)  # f32[6,2]  jax_associative_scan.py:9
    i = lax.add(h, f)  # f32[6,2]  jax_associative_scan.py:9
    j = lax.slice(g, (0, 0), (5, 2), (2, 1))  # f32[3,2]  jax_associative_scan.py:14
    k = lax.slice(i, (0, 0), (5, 2), (2, 1))  # f32[3,2]  jax_associative_scan.py:14
    l = lax.slice(g, (1, 0), (6, 2), (2, 1))  # f32[3,2]  jax_associative_scan.py:14
    m = lax.slice(i, (1, 0), (6, 2), (2, 1))  # f32[3,2]  jax_associative_scan.py:14
    n = lax.mul(j, l)  # f32[3,2]  jax_associative_scan.py:9
    o = lax.mul(l, k)  # f32[3,2]  jax_associative_scan.py:9
    p = lax.add(o, m)  # f32[3,2]  jax_associative_scan.py:9
    q = lax.slice(p, (0, 0), (2, 2), (2, 1))  # f32[1,2]  jax_associative_scan.py:14
    r = lax.slice(n, (1, 0), (3, 2), (2, 1))  # f32[1,2]  jax_associative_scan.py:14
    s = lax.slice(p, (1, 0), (3, 2), (2, 1))  # f32[1,2]  jax_associative_scan.py:14
    t = lax.mul(r, q)  # f32[1,2]  jax_associative_scan.py:9
    u = lax.add(t, s)  # f32[1,2]  jax_associative_scan.py:9
    v = lax.slice(n, (2, 0), (3, 2), (2, 1))  # f32[1,2]  jax_associative_scan.py:14
    w = lax.slice(p, (2, 0), (3, 2), (2, 1))  # f32[1,2]  jax_associative_scan.py:14
    x = lax.mul(v, u)  # f32[1,2]  jax_associative_scan.py:9
    y = lax.add(x, w)  # f32[1,2]  jax_associative_scan.py:9
    z = lax.slice(p, (0, 0), (1, 2), (1, 1))  # f32[1,2]  jax_associative_scan.py:14
    aa = lax.concatenate([z, y], 0)  # f32[2,2]  jax_associative_scan.py:14
    ab = lax.pad(aa, np.float32(0.0), ((0, 0, 1), (0, 0, 0)))  # f32[3,2]  jax_associative_scan.py:14
    ac = lax.pad(u, np.float32(0.0), ((1, 1, 1), (0, 0, 0)))  # f32[3,2]  jax_associative_scan.py:14
    ad = lax.add(ab, ac)  # f32[3,2]  jax_associative_scan.py:14
    ae = lax.slice(ad, (0, 0), (2, 2), (1, 1))  # f32[2,2]  jax_associative_scan.py:14
    af = lax.slice(g, (2, 0), (6, 2), (2, 1))  # f32[2,2]  jax_associative_scan.py:14
    ag = lax.slice(i, (2, 0), (6, 2), (2, 1))  # f32[2,2]  jax_associative_scan.py:14
    ah = lax.mul(af, ae)  # f32[2,2]  jax_associative_scan.py:9
    ai = lax.add(ah, ag)  # f32[2,2]  jax_associative_scan.py:9
    aj = lax.slice(i, (0, 0), (1, 2), (1, 1))  # f32[1,2]  jax_associative_scan.py:14
    ak = lax.concatenate([aj, ai], 0)  # f32[3,2]  jax_associative_scan.py:14
    al = lax.pad(ak, np.float32(0.0), ((0, 1, 1), (0, 0, 0)))  # f32[6,2]  jax_associative_scan.py:14
    am = lax.pad(ad, np.float32(0.0), ((1, 0, 1), (0, 0, 0)))  # f32[6,2]  jax_associative_scan.py:14
    an = lax.add(al, am)  # f32[6,2]  jax_associative_scan.py:14
    ao = lax.slice(a, (2, 0), (13, 2), (2, 1))  # f32[6,2]  jax_associative_scan.py:14
    ap = lax.slice(b, (2, 0), (13, 2), (2, 1))  # f32[6,2]  jax_associative_scan.py:14
    aq = lax.mul(ao, an)  # f32[6,2]  jax_associative_scan.py:9
    ar = lax.add(aq, ap)  # f32[6,2]  jax_associative_scan.py:9
    at = lax.slice(b, (0, 0), (1, 2), (1, 1))  # f32[1,2]  jax_associative_scan.py:14
    au = lax.concatenate([at, ar], 0)  # f32[7,2]  jax_associative_scan.py:14
    av = lax.broadcast_in_dim(np.float32(0.0), (1, 2), ())  # f32[1,2]  jax_associative_scan.py:14
    aw = lax.pad(au, np.float32(0.0), ((0, 0, 1), (0, 0, 0)))  # f32[13,2]  jax_associative_scan.py:14
    ax = lax.pad(an, np.float32(0.0), ((1, 1, 1), (0, 0, 0)))  # f32[13,2]  jax_associative_scan.py:14
    ay = lax.add(aw, ax)  # f32[13,2]  jax_associative_scan.py:14
    return (
        ay,
        e,
        c,
        d,
        l,
        j,
        k,
        r,
        q,
        v,
        u,
        np.float32(0.0),
        np.float32(0.0),
        af,
        ae,
        np.float32(0.0),
        np.float32(0.0),
        ao,
        an,
        av,
        np.float32(0.0),
        np.float32(0.0),
    )


@jax.jit
def recurrence_2(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v):
    w = lax.pad(v, np.float32(0.0), ((-1, -1, 0), (0, 0, 0)))  # f32[11,2]  jax_associative_scan.py:14
    x = lax.slice(w, (0, 0), (11, 2), (2, 1))  # f32[6,2]  jax_associative_scan.py:14
    y = lax.pad(v, np.float32(0.0), ((0, 0, 0), (0, 0, 0)))  # f32[13,2]  jax_associative_scan.py:14
    z = lax.slice(y, (0, 0), (13, 2), (2, 1))  # f32[7,2]  jax_associative_scan.py:14
    _, aa = lax.split_p.bind(z, axis=0, sizes=(1, 6))  # f32[1,2], f32[6,2]  jax_associative_scan.py:14
    ab = lax.mul(q, aa)  # f32[6,2]  jax_associative_scan.py:9
    ac = primitives.add_jaxvals_p.bind(x, ab)  # f32[6,2]  jax_associative_scan.py:9
    ad = lax.mul(aa, r)  # f32[6,2]  jax_associative_scan.py:9
    ae = lax.pad(ad, np.float32(0.0), ((2, 0, 1), (0, 0, 0)))  # f32[13,2]  jax_associative_scan.py:14
    af = lax.pad(ac, np.float32(0.0), ((-1, 0, 0), (0, 0, 0)))  # f32[5,2]  jax_associative_scan.py:14
    ag = lax.slice(af, (0, 0), (5, 2), (2, 1))  # f32[3,2]  jax_associative_scan.py:14
    ah = lax.pad(ac, np.float32(0.0), ((0, -1, 0), (0, 0, 0)))  # f32[5,2]  jax_associative_scan.py:14
    ai = lax.slice(ah, (0, 0), (5, 2), (2, 1))  # f32[3,2]  jax_associative_scan.py:14
    aj, ak = lax.split_p.bind(ai, axis=0, sizes=(1, 2))  # f32[1,2], f32[2,2]  jax_associative_scan.py:14
    al = lax.pad(aj, np.float32(0.0), ((0, 5, 0), (0, 0, 0)))  # f32[6,2]  jax_associative_scan.py:14
    am = lax.mul(m, ak)  # f32[2,2]  jax_associative_scan.py:9
    an = lax.mul(ak, n)  # f32[2,2]  jax_associative_scan.py:9
    ao = lax.pad(ak, np.float32(0.0), ((2, 1, 1), (0, 0, 0)))  # f32[6,2]  jax_associative_scan.py:14
    ap = primitives.add_jaxvals_p.bind(al, ao)  # f32[6,2]  jax_associative_scan.py:14
    aq = lax.pad(an, np.float32(0.0), ((2, 1, 1), (0, 0, 0)))  # f32[6,2]  jax_associative_scan.py:14
    ar = lax.pad(am, np.float32(0.0), ((0, 1, 0), (0, 0, 0)))  # f32[3,2]  jax_associative_scan.py:14
    at = primitives.add_jaxvals_p.bind(ag, ar)  # f32[3,2]  jax_associative_scan.py:14
    au = lax.pad(at, np.float32(0.0), ((-1, -1, 0), (0, 0, 0)))  # f32[1,2]  jax_associative_scan.py:14
    av = lax.slice(au, (0, 0), (1, 2), (2, 1))  # f32[1,2]  jax_associative_scan.py:14
    aw = lax.pad(at, np.float32(0.0), ((0, 0, 0), (0, 0, 0)))  # f32[3,2]  jax_associative_scan.py:14
    ax = lax.slice(aw, (0, 0), (3, 2), (2, 1))  # f32[2,2]  jax_associative_scan.py:14
    ay, az = lax.split_p.bind(ax, axis=0, sizes=(1, 1))  # f32[1,2], f32[1,2]  jax_associative_scan.py:14
    ba = lax.pad(ay, np.float32(0.0), ((0, 2, 0), (0, 0, 0)))  # f32[3,2]  jax_associative_scan.py:14
    bb = lax.mul(i, az)  # f32[1,2]  jax_associative_scan.py:9
    bc = primitives.add_jaxvals_p.bind(av, bb)  # f32[1,2]  jax_associative_scan.py:9
    bd = lax.mul(az, j)  # f32[1,2]  jax_associative_scan.py:9
    be = lax.pad(az, np.float32(0.0), ((2, 0, 1), (0, 0, 0)))  # f32[3,2]  jax_associative_scan.py:14
    bf = primitives.add_jaxvals_p.bind(ba, be)  # f32[3,2]  jax_associative_scan.py:14
    bg = lax.pad(bd, np.float32(0.0), ((2, 0, 1), (0, 0, 0)))  # f32[3,2]  jax_associative_scan.py:14
    bh = lax.mul(g, bc)  # f32[1,2]  jax_associative_scan.py:9
    bi = lax.mul(bc, h)  # f32[1,2]  jax_associative_scan.py:9
    bj = lax.pad(bc, np.float32(0.0), ((1, 1, 1), (0, 0, 0)))  # f32[3,2]  jax_associative_scan.py:14
    bk = primitives.add_jaxvals_p.bind(bf, bj)  # f32[3,2]  jax_associative_scan.py:14
    bl = lax.pad(bi, np.float32(0.0), ((1, 1, 1), (0, 0, 0)))  # f32[3,2]  jax_associative_scan.py:14
    bm = primitives.add_jaxvals_p.bind(bg, bl)  # f32[3,2]  jax_associative_scan.py:14
    bn = lax.pad(bh, np.float32(0.0), ((0, 2, 1), (0, 0, 0)))  # f32[3,2]  jax_associative_scan.py:14
    bo = primitives.add_jaxvals_p.bind(bk, bn)  # f32[3,2]  jax_associative_scan.py:14
    bp = lax.mul(d, bo)  # f32[3,2]  jax_associative_scan.py:9
    bq = lax.mul(bo, f)  # f32[3,2]  jax_associative_scan.py:9
    br = lax.mul(e, bm)  # f32[3,2]  jax_associative_scan.py:9
    bs = primitives.add_jaxvals_p.bind(bq, br)  # f32[3,2]  jax_associative_scan.py:9
    bt = lax.mul(bm, d)  # f32[3,2]  jax_associative_scan.py:9
    bu = lax.pad(bo, np.float32(0.0), ((1, 0, 1), (0, 0, 0)))  # f32[6,2]  jax_associative_scan.py:14
    bv = primitives.add_jaxvals_p.bind(ap, bu)  # f32[6,2]  jax_associative_scan.py:14
    bw = lax.pad(bs, np.float32(0.0), ((1, 0, 1), (0, 0, 0)))  # f32[6,2]  jax_associative_scan.py:14
    bx = primitives.add_jaxvals_p.bind(aq, bw)  # f32[6,2]  jax_associative_scan.py:14
    by = lax.pad(bp, np.float32(0.0), ((0, 1, 1), (0, 0, 0)))  # f32[6,2]  jax_associative_scan.py:14
    bz = primitives.add_jaxvals_p.bind(bv, by)  # f32[6,2]  jax_associative_scan.py:14
    ca = lax.pad(bt, np.float32(0.0), ((0, 1, 1), (0, 0, 0)))  # f32[6,2]  jax_associative_scan.py:14
    cb = primitives.add_jaxvals_p.bind(bx, ca)  # f32[6,2]  jax_associative_scan.py:14
    cc = lax.mul(bz, c)  # f32[6,2]  jax_associative_scan.py:9
    cd = lax.mul(b, cb)  # f32[6,2]  jax_associative_scan.py:9
    ce = primitives.add_jaxvals_p.bind(cc, cd)  # f32[6,2]  jax_associative_scan.py:9
    cf = lax.mul(cb, a)  # f32[6,2]  jax_associative_scan.py:9
    cg = lax.pad(ce, np.float32(0.0), ((1, 1, 1), (0, 0, 0)))  # f32[13,2]  jax_associative_scan.py:14
    ch = primitives.add_jaxvals_p.bind(ae, cg)  # f32[13,2]  jax_associative_scan.py:14
    ci = lax.pad(cf, np.float32(0.0), ((0, 2, 1), (0, 0, 0)))  # f32[13,2]  jax_associative_scan.py:14
    cj = primitives.add_jaxvals_p.bind(ch, ci)  # f32[13,2]  jax_associative_scan.py:14
    return cj


def inputs():
    return [
        ARRAYS["x0"],  # a = decay: f32[13,2]
        ARRAYS["x1"],  # b = inputs: f32[13,2]
    ]


def repro(a, b):
    # f32[13,2], f32[6,2], f32[6,2], f32[6,2], f32[3,2], f32[3,2], f32[3,2], f32[1,2], f32[1,2], f32[1,2], f32[1,2], f32[], f32[], f32[2,2], f32[2,2], f32[], f32[], f32[6,2], f32[6,2], f32[1,2], f32[], f32[]  jax_associative_scan.py:25
    c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x = recurrence(
        a, b
    )
    y = lax.slice(c, (12, 0), (13, 2))  # f32[1,2]  jax_associative_scan.py:25
    z = lax.squeeze(y, (0,))  # f32[2]  jax_associative_scan.py:25
    aa = lax.integer_pow(z, 2)  # f32[2]  jax_associative_scan.py:25
    ab = lax.mul(np.float32(2.0), z)  # f32[2]  jax_associative_scan.py:25
    _ = lax.reduce_sum(aa, axes=(0,))  # f32[]  jax_associative_scan.py:25
    ac = lax.broadcast_in_dim(np.float32(1.0), (2,), ())  # f32[2]  jax_associative_scan.py:25
    ad = lax.mul(ac, ab)  # f32[2]  jax_associative_scan.py:25
    ae = lax.broadcast_in_dim(ad, (1, 2), (1,))  # f32[1,2]  jax_associative_scan.py:25
    af = lax.pad(ae, np.float32(0.0), ((12, 0, 0), (0, 0, 0)))  # f32[13,2]  jax_associative_scan.py:25
    ag = recurrence_2(  # f32[13,2]  jax_associative_scan.py:25
        d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, af
    )
    return ag


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
