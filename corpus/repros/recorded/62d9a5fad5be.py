# /// jace-repro
# schema = 1
# name = "loss_of"
# origin = "scripts/libraries/linen_lstm_scan.py:42 (loss_of)"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "62d9a5fad5be6c6e8e46dc111bf19c2d7c870cb3da492968336e6e506c5f090e"
# outputs_sha256 = "42df56a9d857d0393c7a04dd91f589411b7c97cf363666a78af40eebeb4617c8"
# sidecar_sha256 = "1b82f2a92034d95ba2654a5c036e802dec1d752b0555708dca51ca9561e777b8"
# self_check = "exact"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""loss_of (linen_lstm_scan.py:42): written by jace-repro, needs only jax and numpy."""

import functools
import hashlib
import io
import pathlib

import jax
import numpy as np
from jax import lax
from jax.extend.core import primitives
from jax.extend.random import threefry_prng_impl


SIDECAR_SHA256 = "1b82f2a92034d95ba2654a5c036e802dec1d752b0555708dca51ca9561e777b8"


def read_sidecar():
    """The arrays in the .npz file beside this script."""
    path = pathlib.Path(__file__).with_suffix(".npz")
    data = path.read_bytes()
    if hashlib.sha256(data).hexdigest() != SIDECAR_SHA256:
        raise SystemExit(f"{path} is not the file that belongs to this script (sha256 differs)")
    return dict(np.load(io.BytesIO(data)))


ARRAYS = globals().get("ARRAYS") or read_sidecar()  # whoever executes this text may put them there


def body(a, b, c, d, e, f, g, h, i, j, k, l, carry, o):
    m, n = carry
    p = lax.dot_general(o, a, (((1,), (0,)), ((), ())))  # f32[4,6]  linear.py:287
    q = lax.dot_general(n, b, (((1,), (0,)), ((), ())))  # f32[4,6]  linear.py:287
    r = lax.reshape(c, (1, 6))  # f32[1,6]  linear.py:294
    s = lax.add(q, r)  # f32[4,6]  linear.py:294
    t = lax.add(p, s)  # f32[4,6]  recurrent.py:167
    u = lax.logistic(t)  # f32[4,6]  recurrent.py:167
    v = lax.dot_general(o, d, (((1,), (0,)), ((), ())))  # f32[4,6]  linear.py:287
    w = lax.dot_general(n, e, (((1,), (0,)), ((), ())))  # f32[4,6]  linear.py:287
    x = lax.reshape(f, (1, 6))  # f32[1,6]  linear.py:294
    y = lax.add(w, x)  # f32[4,6]  linear.py:294
    z = lax.add(v, y)  # f32[4,6]  recurrent.py:168
    aa = lax.logistic(z)  # f32[4,6]  recurrent.py:168
    ab = lax.dot_general(o, g, (((1,), (0,)), ((), ())))  # f32[4,6]  linear.py:287
    ac = lax.dot_general(n, h, (((1,), (0,)), ((), ())))  # f32[4,6]  linear.py:287
    ad = lax.reshape(i, (1, 6))  # f32[1,6]  linear.py:294
    ae = lax.add(ac, ad)  # f32[4,6]  linear.py:294
    af = lax.add(ab, ae)  # f32[4,6]  recurrent.py:169
    ag = lax.tanh(af)  # f32[4,6]  recurrent.py:169
    ah = lax.dot_general(o, j, (((1,), (0,)), ((), ())))  # f32[4,6]  linear.py:287
    ai = lax.dot_general(n, k, (((1,), (0,)), ((), ())))  # f32[4,6]  linear.py:287
    aj = lax.reshape(l, (1, 6))  # f32[1,6]  linear.py:294
    ak = lax.add(ai, aj)  # f32[4,6]  linear.py:294
    al = lax.add(ah, ak)  # f32[4,6]  recurrent.py:170
    am = lax.logistic(al)  # f32[4,6]  recurrent.py:170
    an = lax.mul(aa, m)  # f32[4,6]  recurrent.py:171
    ao = lax.mul(u, ag)  # f32[4,6]  recurrent.py:171
    ap = lax.add(an, ao)  # f32[4,6]  recurrent.py:171
    aq = lax.tanh(ap)  # f32[4,6]  recurrent.py:172
    ar = lax.mul(am, aq)  # f32[4,6]  recurrent.py:172
    return (ap, ar), ar


def body_2(a, b, c, d, e, f, g, h, i, j, k, l):
    m = lax.dot_general(l, a, (((1,), (0,)), ((), ())))  # f32[4,4]  linear.py:287
    n = lax.reshape(b, (1, 4))  # f32[1,4]  linear.py:294
    o = lax.add(m, n)  # f32[4,4]  linear.py:294
    p = lax.dot_general(k, c, (((1,), (0,)), ((), ())))  # f32[4,4]  linear.py:287
    q = lax.add(o, p)  # f32[4,4]  recurrent.py:588
    r = lax.logistic(q)  # f32[4,4]  recurrent.py:588
    s = lax.dot_general(l, d, (((1,), (0,)), ((), ())))  # f32[4,4]  linear.py:287
    t = lax.reshape(e, (1, 4))  # f32[1,4]  linear.py:294
    u = lax.add(s, t)  # f32[4,4]  linear.py:294
    v = lax.dot_general(k, f, (((1,), (0,)), ((), ())))  # f32[4,4]  linear.py:287
    w = lax.add(u, v)  # f32[4,4]  recurrent.py:589
    x = lax.logistic(w)  # f32[4,4]  recurrent.py:589
    y = lax.dot_general(l, g, (((1,), (0,)), ((), ())))  # f32[4,4]  linear.py:287
    z = lax.reshape(h, (1, 4))  # f32[1,4]  linear.py:294
    aa = lax.add(y, z)  # f32[4,4]  linear.py:294
    ab = lax.dot_general(k, i, (((1,), (0,)), ((), ())))  # f32[4,4]  linear.py:287
    ac = lax.reshape(j, (1, 4))  # f32[1,4]  linear.py:294
    ad = lax.add(ab, ac)  # f32[4,4]  linear.py:294
    ae = lax.mul(r, ad)  # f32[4,4]  recurrent.py:592
    af = lax.add(aa, ae)  # f32[4,4]  recurrent.py:592
    ag = lax.tanh(af)  # f32[4,4]  recurrent.py:591
    ah = lax.sub(np.float32(1.0), x)  # f32[4,4]  recurrent.py:594
    ai = lax.mul(ah, ag)  # f32[4,4]  recurrent.py:594
    aj = lax.mul(x, k)  # f32[4,4]  recurrent.py:594
    ak = lax.add(ai, aj)  # f32[4,4]  recurrent.py:594
    return ak, ak


def inputs():
    return [
        np.array([0.010489694], np.float32),  # a = params['params']['Dense_0']['bias']: f32[1]
        # b = params['params']['Dense_0']['kernel']: f32[4,1]
        np.array([[-0.819495], [0.37056345], [-0.6891195], [-0.42414698]], np.float32),
        # c = params['params']['LSTMCell_0']['hf']['bias']: f32[6]
        np.array(
            [-0.00021731644, 0.00056601944, -0.00039074657, 0.001300682, 2.949305e-07, -0.00020731584],
            np.float32,
        ),
        ARRAYS["x3"],  # d = params['params']['LSTMCell_0']['hf']['kernel']: f32[6,6]
        # e = params['params']['LSTMCell_0']['hg']['bias']: f32[6]
        np.array(
            [0.011119282, 0.0038149217, 0.0020266674, -0.0008900289, 0.0028884842, -0.00016352264], np.float32
        ),
        ARRAYS["x5"],  # f = params['params']['LSTMCell_0']['hg']['kernel']: f32[6,6]
        # g = params['params']['LSTMCell_0']['hi']['bias']: f32[6]
        np.array(
            [-3.981848e-06, 0.0019285809, 0.00036124364, -0.0017631054, 0.00037901255, -6.87945e-05],
            np.float32,
        ),
        ARRAYS["x7"],  # h = params['params']['LSTMCell_0']['hi']['kernel']: f32[6,6]
        # i = params['params']['LSTMCell_0']['ho']['bias']: f32[6]
        np.array(
            [-0.00024422142, 0.0022794593, 0.0003245075, -0.0033154613, 0.00048663263, -8.323841e-05],
            np.float32,
        ),
        ARRAYS["x9"],  # j = params['params']['LSTMCell_0']['ho']['kernel']: f32[6,6]
        ARRAYS["x10"],  # k = params['params']['LSTMCell_0']['if']['kernel']: f32[3,6]
        ARRAYS["x11"],  # l = params['params']['LSTMCell_0']['ig']['kernel']: f32[3,6]
        ARRAYS["x12"],  # m = params['params']['LSTMCell_0']['ii']['kernel']: f32[3,6]
        ARRAYS["x13"],  # n = params['params']['LSTMCell_0']['io']['kernel']: f32[3,6]
        # o = params['params']['ScanGRUCell_0']['hn']['bias']: f32[4]
        np.array([-0.0044911997, 0.0021906064, -0.008492241, -0.00262977], np.float32),
        # p = params['params']['ScanGRUCell_0']['hn']['kernel']: f32[4,4]
        np.array(
            [
                [-0.7127914, -0.56601965, 0.24739626, 0.33198816],
                [0.044920117, -0.30751607, 0.5059559, -0.8049384],
                [0.6767725, -0.40150595, 0.42128196, 0.45364222],
                [-0.18066987, 0.65065795, 0.7143582, 0.18891133],
            ],
            np.float32,
        ),
        # q = params['params']['ScanGRUCell_0']['hr']['kernel']: f32[4,4]
        np.array(
            [
                [-0.048828438, -0.40278274, 0.8775457, -0.25547332],
                [-0.030699063, 0.36761275, -0.10197402, -0.9238801],
                [0.44687474, -0.7532716, -0.39971727, -0.27048427],
                [-0.8927299, -0.36765727, -0.24480991, -0.08970073],
            ],
            np.float32,
        ),
        # r = params['params']['ScanGRUCell_0']['hz']['kernel']: f32[4,4]
        np.array(
            [
                [0.5821888, 0.098343916, 0.78465617, 0.18967399],
                [0.8023989, -0.047666203, -0.51956517, -0.29006383],
                [-0.13084768, 0.2265441, 0.29092664, -0.92031354],
                [0.010704026, 0.9677813, -0.17350876, 0.1816762],
            ],
            np.float32,
        ),
        # s = params['params']['ScanGRUCell_0']['in']['bias']: f32[4]
        np.array([-0.0061877584, 0.0031363326, -0.013512116, -0.006210674], np.float32),
        ARRAYS["x19"],  # t = params['params']['ScanGRUCell_0']['in']['kernel']: f32[6,4]
        # u = params['params']['ScanGRUCell_0']['ir']['bias']: f32[4]
        np.array([0.00016340686, -9.9045246e-05, 0.0012286858, -9.811973e-05], np.float32),
        ARRAYS["x21"],  # v = params['params']['ScanGRUCell_0']['ir']['kernel']: f32[6,4]
        # w = params['params']['ScanGRUCell_0']['iz']['bias']: f32[4]
        np.array([0.0026889902, 0.0006470883, 0.00010721756, 0.0009784354], np.float32),
        ARRAYS["x23"],  # x = params['params']['ScanGRUCell_0']['iz']['kernel']: f32[6,4]
        # y = ensemble_params['params']['VmapDense_0']['bias']: f32[3,2]
        np.array([[0.0, 0.0], [0.0, 0.0], [0.0, 0.0]], np.float32),
        ARRAYS["x25"],  # z = ensemble_params['params']['VmapDense_0']['kernel']: f32[3,3,2]
        ARRAYS["x26"],  # aa = x: f32[4,5,3]
    ]


def repro(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z, aa):
    ab = primitives.random_seed_p.bind(np.int32(0), impl=threefry_prng_impl)  # key<fry>[]  recurrent.py:1102
    ac = primitives.random_split_p.bind(ab, shape=(2,))  # key<fry>[2]  recurrent.py:188
    ad = lax.slice(ac, (0,), (1,), (1,))  # key<fry>[1]  recurrent.py:188
    _ = lax.squeeze(ad, (0,))  # key<fry>[]  recurrent.py:188
    ae = lax.slice(ac, (1,), (2,), (1,))  # key<fry>[1]  recurrent.py:188
    _ = lax.squeeze(ae, (0,))  # key<fry>[]  recurrent.py:188
    af = lax.broadcast_in_dim(np.float32(0.0), (4, 6), ())  # f32[4,6]  recurrent.py:190
    ag = lax.broadcast_in_dim(np.float32(0.0), (4, 6), ())  # f32[4,6]  recurrent.py:191
    ah = lax.transpose(aa, (1, 0, 2))  # f32[5,4,3]  axes_scan.py:124
    _ = lax.reshape(g, (1, 6))  # f32[1,6]  linear.py:294
    _ = lax.reshape(c, (1, 6))  # f32[1,6]  linear.py:294
    _ = lax.reshape(e, (1, 6))  # f32[1,6]  linear.py:294
    _ = lax.reshape(i, (1, 6))  # f32[1,6]  linear.py:294
    (_, _), ai = lax.scan(  # f32[4,6], f32[4,6], f32[5,4,6]  axes_scan.py:200
        functools.partial(body, m, h, g, k, d, c, l, f, e, n, j, i), (af, ag), ah
    )
    aj = lax.transpose(ai, (1, 0, 2))  # f32[4,5,6]  axes_scan.py:141
    ak = lax.broadcast_in_dim(np.float32(0.0), (4, 4), ())  # f32[4,4]  linen_lstm_scan.py:17
    al = lax.transpose(aj, (1, 0, 2))  # f32[5,4,6]  axes_scan.py:124
    _ = lax.reshape(u, (1, 4))  # f32[1,4]  linear.py:294
    _ = lax.reshape(w, (1, 4))  # f32[1,4]  linear.py:294
    _ = lax.reshape(s, (1, 4))  # f32[1,4]  linear.py:294
    _ = lax.reshape(o, (1, 4))  # f32[1,4]  linear.py:294
    _, am = lax.scan(  # f32[4,4], f32[5,4,4]  axes_scan.py:200
        functools.partial(body_2, v, u, q, x, w, r, t, s, p, o), ak, al
    )
    an = lax.transpose(am, (1, 0, 2))  # f32[4,5,4]  axes_scan.py:141
    ao = lax.slice(an, (0, 4, 0), (4, 5, 4))  # f32[4,1,4]  linen_lstm_scan.py:19
    ap = lax.squeeze(ao, (1,))  # f32[4,4]  linen_lstm_scan.py:19
    aq = lax.dot_general(ap, b, (((1,), (0,)), ((), ())))  # f32[4,1]  linear.py:287
    ar = lax.reshape(a, (1, 1))  # f32[1,1]  linear.py:294
    at = lax.add(aq, ar)  # f32[4,1]  linear.py:294
    au = lax.integer_pow(at, 2)  # f32[4,1]  linen_lstm_scan.py:44
    av = lax.reduce_sum(au, axes=(0, 1))  # f32[]  linen_lstm_scan.py:44
    aw = lax.div(av, np.float32(4.0))  # f32[]  linen_lstm_scan.py:44
    ax = lax.slice(aa, (0, 0, 0), (4, 1, 3))  # f32[4,1,3]  linen_lstm_scan.py:44
    ay = lax.squeeze(ax, (1,))  # f32[4,3]  linen_lstm_scan.py:44
    az = lax.dot_general(ay, z, (((1,), (1,)), ((), ())))  # f32[4,3,2]  linear.py:287
    ba = lax.reshape(y, (3, 1, 2))  # f32[3,1,2]  linear.py:294
    bb = lax.transpose(az, (1, 0, 2))  # f32[3,4,2]  linear.py:294
    bc = lax.add(bb, ba)  # f32[3,4,2]  linear.py:294
    bd = lax.reduce_sum(bc, axes=(0,))  # f32[4,2]  linen_lstm_scan.py:33
    be = lax.div(bd, np.float32(3.0))  # f32[4,2]  linen_lstm_scan.py:33
    bf = lax.integer_pow(be, 2)  # f32[4,2]  linen_lstm_scan.py:44
    bg = lax.reduce_sum(bf, axes=(0, 1))  # f32[]  linen_lstm_scan.py:44
    bh = lax.div(bg, np.float32(8.0))  # f32[]  linen_lstm_scan.py:44
    bi = lax.add(aw, bh)  # f32[]  linen_lstm_scan.py:44
    return bi


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
