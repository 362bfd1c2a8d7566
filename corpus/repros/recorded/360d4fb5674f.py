# /// jace-repro
# schema = 1
# name = "update"
# origin = "polyak_sgd.py:192 (update)"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "360d4fb5674f08ef1738aeff9e68ef9244237d93dcc5bf6a13e7950532097028"
# outputs_sha256 = "5d27ef973155fc4652a45447ca751655b066cea666dafe023fcb1b869b7fd1aa"
# sidecar_sha256 = "3561047bbecdefa72ab48c98c631650ff086301601c67a31500d60bf8b0d2f65"
# self_check = "exact"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""update (polyak_sgd.py:192): written by jace-repro, needs only jax and numpy."""

import hashlib
import io
import pathlib

import jax
import numpy as np
from jax import lax
from jax.extend.core import primitives

S = jax.ShapeDtypeStruct
f32 = np.dtype("float32")


def J(fun, *avals):
    """The jaxpr of fun on operands of these types: the body of a control flow equation."""
    return jax.make_jaxpr(fun)(*avals)


SIDECAR_SHA256 = "3561047bbecdefa72ab48c98c631650ff086301601c67a31500d60bf8b0d2f65"


def read_sidecar():
    """The arrays in the .npz file beside this script."""
    path = pathlib.Path(__file__).with_suffix(".npz")
    data = path.read_bytes()
    if hashlib.sha256(data).hexdigest() != SIDECAR_SHA256:
        raise SystemExit(f"{path} is not the file that belongs to this script (sha256 differs)")
    return dict(np.load(io.BytesIO(data)))


ARRAYS = globals().get("ARRAYS") or read_sidecar()  # whoever executes this text may put them there


def update(a, b):
    c = lax.add(a, b)  # f32[]  loss.py:183
    return c


def inputs():
    return [
        ARRAYS["x0"],  # a = params['w1']: f32[4,5]
        # b = params['w2']: f32[5,3]
        np.array(
            [
                [-0.656285, -0.67201465, 0.3801891],
                [-0.110058695, 1.4825711, -1.829604],
                [-0.0030809646, -0.8920558, 0.7758719],
                [-2.11806, -0.34369436, 0.21017292],
                [-1.4842685, 0.9852156, 0.17871343],
            ],
            np.float32,
        ),
        0,  # c = state.iter_num: i32[] weak
        np.float32(np.inf),  # d = state.error: f32[]
        np.float32(np.inf),  # e = state.value: f32[]
        np.float32(1.0),  # f = state.stepsize: f32[]
        np.int32(1),  # g = state.num_fun_eval: i32[]
        np.int32(0),  # h = state.num_grad_eval: i32[]
        ARRAYS["x8"],  # i = kwargs['data'][0]: f32[6,4]
        np.array([0, 2, 2, 0, 1, 2], np.int32),  # j = kwargs['data'][1]: i32[6]
    ]


def repro(a, b, c, d, e, f, g, h, i, j):
    k = lax.dot_general(  # f32[6,5]  jaxopt_stochastic.py:11
        i, a, (((1,), (0,)), ((), ())), preferred_element_type=f32
    )
    l = lax.tanh(k)  # f32[6,5]  jaxopt_stochastic.py:11
    m = lax.sub(np.float32(1.0), l)  # f32[6,5]  jaxopt_stochastic.py:11
    n = lax.dot_general(  # f32[6,3]  jaxopt_stochastic.py:11
        l, b, (((1,), (0,)), ((), ())), preferred_element_type=f32
    )
    o = lax.lt(j, np.int32(0))  # bool[6]  loss.py:183
    p = lax.add(j, np.int32(3))  # i32[6]  loss.py:183
    q = lax.select_n(o, j, p)  # i32[6]  loss.py:183
    r = lax.broadcast_in_dim(q, (6, 1), (0,))  # i32[6,1]  loss.py:183
    s = lax.gather_p.bind(  # f32[6,1]  loss.py:183
        n,
        r,
        dimension_numbers=lax.GatherDimensionNumbers(
            offset_dims=(1,),
            collapsed_slice_dims=(),
            start_index_map=(1,),
            operand_batching_dims=(0,),
            start_indices_batching_dims=(0,),
        ),
        fill_value=None,
        indices_are_sorted=True,
        mode=lax.GatherScatterMode.CLIP,
        slice_sizes=(1, 1),
        unique_indices=True,
    )
    t = lax.squeeze(s, (1,))  # f32[6]  loss.py:183
    u = lax.broadcast_in_dim(t, (6, 1), (0,))  # f32[6,1]  loss.py:183
    v = lax.sub(n, u)  # f32[6,3]  loss.py:183
    w = lax.lt(j, np.int32(0))  # bool[6]  loss.py:183
    x = lax.add(j, np.int32(3))  # i32[6]  loss.py:183
    y = lax.select_n(w, j, x)  # i32[6]  loss.py:183
    z = lax.broadcast_in_dim(y, (6, 1), (0,))  # i32[6,1]  loss.py:183
    aa = lax.broadcast_in_dim(np.float32(0.0), (6,), ())  # f32[6]  loss.py:183
    _ = lax.broadcast_in_dim(np.float32(0.0), (6,), ())  # f32[6]  loss.py:183
    ab = lax.scatter_p.bind(  # f32[6,3]  loss.py:183
        v,
        z,
        aa,
        dimension_numbers=lax.ScatterDimensionNumbers(
            update_window_dims=(),
            inserted_window_dims=(1,),
            scatter_dims_to_operand_dims=(1,),
            operand_batching_dims=(0,),
            scatter_indices_batching_dims=(0,),
        ),
        indices_are_sorted=True,
        mode=lax.GatherScatterMode.FILL_OR_DROP,
        unique_indices=True,
        update_consts=(),
        update_jaxpr=None,
    )
    ac = lax.reduce_max(ab, axes=(1,))  # f32[6]  loss.py:184
    ad = lax.reshape(ac, (6, 1))  # f32[6,1]  loss.py:184
    ae = lax.eq(ab, ad)  # bool[6,3]  loss.py:184
    af = lax.convert_element_type(ae, f32)  # f32[6,3]  loss.py:184
    _ = lax.reduce_sum(af, axes=(1,))  # f32[6]  loss.py:184
    ag = lax.max(np.float32(-np.inf), ac)  # f32[6]  loss.py:184
    ah = lax.eq(ac, ag)  # bool[6]  loss.py:184
    ai = lax.broadcast_in_dim(np.float32(1.0), (6,), ())  # f32[6]  loss.py:184
    aj = lax.broadcast_in_dim(np.float32(0.0), (6,), ())  # f32[6]  loss.py:184
    ak = lax.select_n(ah, aj, ai)  # f32[6]  loss.py:184
    al = lax.eq(np.float32(-np.inf), ag)  # bool[6]  loss.py:184
    am = lax.broadcast_in_dim(np.float32(2.0), (6,), ())  # f32[6]  loss.py:184
    an = lax.broadcast_in_dim(np.float32(1.0), (6,), ())  # f32[6]  loss.py:184
    ao = lax.select_n(al, an, am)  # f32[6]  loss.py:184
    _ = lax.div(ak, ao)  # f32[6]  loss.py:184
    ap = lax.is_finite(ag)  # bool[6]  loss.py:184
    aq = lax.broadcast_in_dim(np.float32(0.0), (6,), ())  # f32[6]  loss.py:184
    ar = lax.select_n(ap, aq, ag)  # f32[6]  loss.py:184
    _ = lax.broadcast_in_dim(np.float32(0.0), (6,), ())  # f32[6]  loss.py:184
    at = lax.stop_gradient_p.bind(ar)  # f32[6]  loss.py:184
    au = lax.broadcast_in_dim(at, (6, 1), (0,))  # f32[6,1]  loss.py:184
    av = lax.sub(ab, au)  # f32[6,3]  loss.py:184
    aw = lax.exp(av)  # f32[6,3]  loss.py:184
    ax = lax.reduce_sum(aw, axes=(1,))  # f32[6]  loss.py:184
    _ = lax.sign(ax)  # f32[6]  loss.py:184
    ay = lax.abs(ax)  # f32[6]  loss.py:184
    az = lax.ge(ax, np.float32(0.0))  # bool[6]  loss.py:184
    ba = lax.log(ay)  # f32[6]  loss.py:184
    bb = lax.add(ba, at)  # f32[6]  loss.py:184
    bc = lax.reduce_sum(bb, axes=(0,))  # f32[]  jaxopt_stochastic.py:16
    bd = lax.div(bc, np.float32(6.0))  # f32[]  jaxopt_stochastic.py:16
    be = lax.div(np.float32(1.0), np.float32(6.0))  # f32[]  jaxopt_stochastic.py:16
    bf = lax.broadcast_in_dim(be, (6,), ())  # f32[6]  jaxopt_stochastic.py:16
    bg = lax.div(bf, ay)  # f32[6]  loss.py:184
    bh = lax.broadcast_in_dim(np.float32(0.0), (6,), ())  # f32[6]  loss.py:184
    bi = lax.select_n(az, bg, bh)  # f32[6]  loss.py:184
    bj = lax.select_n(az, bh, bg)  # f32[6]  loss.py:184
    bk = lax.neg(bi)  # f32[6]  loss.py:184
    bl = primitives.add_jaxvals_p.bind(bj, bk)  # f32[6]  loss.py:184
    bm = lax.broadcast_in_dim(bl, (6, 3), (0,))  # f32[6,3]  loss.py:184
    bn = lax.mul(bm, aw)  # f32[6,3]  loss.py:184
    bo = lax.broadcast_in_dim(np.float32(0.0), (6,), ())  # f32[6]  loss.py:183
    bp = lax.scatter_p.bind(  # f32[6,3]  loss.py:183
        bn,
        z,
        bo,
        dimension_numbers=lax.ScatterDimensionNumbers(
            update_window_dims=(),
            inserted_window_dims=(1,),
            scatter_dims_to_operand_dims=(1,),
            operand_batching_dims=(0,),
            scatter_indices_batching_dims=(0,),
        ),
        indices_are_sorted=True,
        mode=lax.GatherScatterMode.FILL_OR_DROP,
        unique_indices=True,
        update_consts=(),
        update_jaxpr=None,
    )
    bq = lax.neg(bp)  # f32[6,3]  loss.py:183
    br = lax.reduce_sum(bq, axes=(1,))  # f32[6]  loss.py:183
    bs = lax.reshape(br, (6, 1))  # f32[6,1]  loss.py:183
    bt = lax.reduce_sum(bs, axes=(1,))  # f32[6]  loss.py:183
    bu = lax.broadcast_in_dim(bt, (6, 1), (0,))  # f32[6,1]  loss.py:183
    bv = lax.broadcast_in_dim(np.float32(0.0), (6, 3), ())  # f32[6,3]  loss.py:183
    bw = lax.scatter_add_p.bind(  # f32[6,3]  loss.py:183
        bv,
        r,
        bu,
        dimension_numbers=lax.ScatterDimensionNumbers(
            update_window_dims=(1,),
            inserted_window_dims=(),
            scatter_dims_to_operand_dims=(1,),
            operand_batching_dims=(0,),
            scatter_indices_batching_dims=(0,),
        ),
        indices_are_sorted=True,
        mode=lax.GatherScatterMode.CLIP,
        unique_indices=True,
        update_consts=(),
        update_jaxpr=J(update, S((), f32), S((), f32)).jaxpr,
    )
    bx = primitives.add_jaxvals_p.bind(bp, bw)  # f32[6,3]  loss.py:183
    by = lax.dot_general(  # f32[3,5]  jaxopt_stochastic.py:11
        bx, l, (((0,), (0,)), ((), ())), preferred_element_type=f32
    )
    bz = lax.transpose(by, (1, 0))  # f32[5,3]  jaxopt_stochastic.py:11
    ca = lax.dot_general(  # f32[6,5]  jaxopt_stochastic.py:11
        bx, b, (((1,), (1,)), ((), ())), preferred_element_type=f32
    )
    cb = lax.mul(ca, m)  # f32[6,5]  jaxopt_stochastic.py:11
    cc = lax.mul(cb, l)  # f32[6,5]  jaxopt_stochastic.py:11
    cd = primitives.add_jaxvals_p.bind(cb, cc)  # f32[6,5]  jaxopt_stochastic.py:11
    ce = lax.dot_general(  # f32[5,4]  jaxopt_stochastic.py:11
        cd, i, (((0,), (0,)), ((), ())), preferred_element_type=f32
    )
    cf = lax.transpose(ce, (1, 0))  # f32[4,5]  jaxopt_stochastic.py:11
    cg = lax.square(cf)  # f32[4,5]  tree_util.py:140
    ch = lax.broadcast_in_dim(np.float32(0.0), (4, 5), ())  # f32[4,5]  tree_util.py:140
    ci = lax.square(ch)  # f32[4,5]  tree_util.py:140
    cj = lax.add(cg, ci)  # f32[4,5]  tree_util.py:140
    ck = lax.square(bz)  # f32[5,3]  tree_util.py:140
    cl = lax.broadcast_in_dim(np.float32(0.0), (5, 3), ())  # f32[5,3]  tree_util.py:140
    cm = lax.square(cl)  # f32[5,3]  tree_util.py:140
    cn = lax.add(ck, cm)  # f32[5,3]  tree_util.py:140
    co = lax.reduce_sum(cj, axes=(0, 1))  # f32[]  tree_util.py:134
    cp = lax.reduce_sum(cn, axes=(0, 1))  # f32[]  tree_util.py:134
    cq = lax.add(co, cp)  # f32[]  tree_util.py:135
    cr = lax.sub(bd, np.float32(0.0))  # f32[]  polyak_sgd.py:217
    cs = lax.add(cq, np.float32(0.0))  # f32[]  polyak_sgd.py:217
    ct = lax.div(cr, cs)  # f32[]  polyak_sgd.py:217
    cu = lax.min(ct, np.float32(0.1))  # f32[]  polyak_sgd.py:216
    cv = lax.neg(cu)  # f32[]  polyak_sgd.py:232
    cw = lax.mul(cv, cf)  # f32[4,5]  tree_util.py:91
    cx = lax.add(a, cw)  # f32[4,5]  tree_util.py:91
    cy = lax.mul(cv, bz)  # f32[5,3]  tree_util.py:91
    cz = lax.add(b, cy)  # f32[5,3]  tree_util.py:91
    da = lax.sqrt(cq)  # f32[]  polyak_sgd.py:241
    db = lax.add(c, 1)  # i32[] weak  polyak_sgd.py:242
    dc = lax.add(g, np.int32(1))  # i32[]  polyak_sgd.py:248
    dd = lax.add(h, np.int32(1))  # i32[]  polyak_sgd.py:249
    # result.params['w1'], result.params['w2'], result.state.iter_num, result.state.error, result.state.value,
    # result.state.stepsize, result.state.num_fun_eval, result.state.num_grad_eval
    return cx, cz, db, da, bd, cu, dc, dd


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
