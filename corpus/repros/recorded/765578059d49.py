# /// jace-repro
# schema = 1
# name = "forward"
# origin = "scripts/libraries/nnx_counter_state.py:23 (forward)"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "765578059d491192a973862e0740afd1d8576192c7b3af5e64832077d9b9ec67"
# outputs_sha256 = "e86cb5e0c387316e98927f0c849393f0af93a7c713c4703921f1351144d7d6b9"
# self_check = "exact"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""forward (nnx_counter_state.py:23): written by jace-repro, needs only jax and numpy."""

import jax
import numpy as np
from jax import lax
from jax.extend.core import primitives

f32 = np.dtype("float32")


def jit(name=None, **options):
    """jax.jit as a decorator, for a function whose name is not the one in the program."""

    def decorate(fun):
        fun.__name__ = fun.__qualname__ = name or fun.__name__
        return jax.jit(fun, **options)

    return decorate


@jit("_uniform")
def uniform(a, b, c):
    d = lax.broadcast_in_dim(b, (1, 1), ())  # f32[1,1]
    e = lax.broadcast_in_dim(c, (1, 1), ())  # f32[1,1]
    f = primitives.random_bits_p.bind(a, bit_width=32, shape=(2, 4))  # u32[2,4]
    g = lax.shift_right_logical(f, np.uint32(9))  # u32[2,4]
    h = lax.bitwise_or(g, np.uint32(1065353216))  # u32[2,4]
    i = lax.bitcast_convert_type_p.bind(h, new_dtype=f32)  # f32[2,4]
    j = lax.sub(i, np.float32(1.0))  # f32[2,4]
    k = lax.sub(e, d)  # f32[1,1]
    l = lax.mul(j, k)  # f32[2,4]
    m = lax.add(l, d)  # f32[2,4]
    n = lax.max(d, m)  # f32[2,4]
    return n


@jit("_normal_real")
def normal_real(a):
    b = uniform(a, np.float32(-0.99999994), np.float32(1.0))  # f32[2,4]
    c = lax.erf_inv(b)  # f32[2,4]
    d = lax.mul(np.float32(1.4142135), c)  # f32[2,4]
    return d


@jit("_normal")
def normal(a):
    b = normal_real(a)  # f32[2,4]
    return b


def inputs():
    return [
        0,  # a = model.states[0][0]: i32[] weak
        np.uint32(0),  # b = model.states[0][1]: u32[]
        # c = model.states[0][2]: key<fry>[]
        jax.random.wrap_key_data(np.array([0, 1], np.uint32), impl="threefry2x32"),
        np.uint32(1),  # d = model.states[0][3]: u32[]
        # e = model.states[0][4]: key<fry>[]
        jax.random.wrap_key_data(np.array([0, 0], np.uint32), impl="threefry2x32"),
        # f = model.states[0][5]: f32[4,4]
        np.array(
            [
                [1.0040143, -0.9063372, -0.7481722, -1.1713669],
                [-0.8712328, 0.5888381, 0.72392994, -1.0255982],
                [1.661628, -1.8910251, -1.2889339, 0.13360691],
                [-1.1530392, 0.23929629, 1.7448074, 0.5050189],
            ],
            np.float32,
        ),
        np.int32(0),  # g = metrics.states[0][0]: i32[]
        np.float32(0.0),  # h = metrics.states[0][1]: f32[]
        np.int32(0),  # i = metrics.states[0][2]: i32[]
        np.float32(0.0),  # j = metrics.states[0][3]: f32[]
        np.array([[1.0, 1.0, 1.0, 1.0], [1.0, 1.0, 1.0, 1.0]], np.float32),  # k = x: f32[2,4]
    ]


def repro(a, b, c, d, e, f, g, h, i, j, k):
    l = lax.add(a, 1)  # i32[] weak  nnx_counter_state.py:19
    m = lax.dot_general(  # f32[2,4]  nnx_counter_state.py:20
        k, f, (((1,), (0,)), ((), ())), preferred_element_type=f32
    )
    n = primitives.random_fold_in_p.bind(c, b)  # key<fry>[]  rnglib.py:122
    o = lax.add(b, np.uint32(1))  # u32[]  rnglib.py:123
    p = normal(n)  # f32[2,4]  nnx_counter_state.py:20
    q = lax.mul(np.float32(0.1), p)  # f32[2,4]  nnx_counter_state.py:20
    r = lax.add(m, q)  # f32[2,4]  nnx_counter_state.py:20
    s = lax.add(l, 1)  # i32[] weak  nnx_counter_state.py:19
    t = lax.dot_general(  # f32[2,4]  nnx_counter_state.py:20
        r, f, (((1,), (0,)), ((), ())), preferred_element_type=f32
    )
    u = primitives.random_fold_in_p.bind(c, o)  # key<fry>[]  rnglib.py:122
    v = lax.add(o, np.uint32(1))  # u32[]  rnglib.py:123
    w = normal(u)  # f32[2,4]  nnx_counter_state.py:20
    x = lax.mul(np.float32(0.1), w)  # f32[2,4]  nnx_counter_state.py:20
    y = lax.add(t, x)  # f32[2,4]  nnx_counter_state.py:20
    z = lax.integer_pow(y, 2)  # f32[2,4]  nnx_counter_state.py:26
    aa = lax.reduce_sum(z, axes=(0, 1))  # f32[]  nnx_counter_state.py:26
    ab = lax.div(aa, np.float32(8.0))  # f32[]  nnx_counter_state.py:26
    ac = lax.abs(y)  # f32[2,4]  nnx_counter_state.py:26
    ad = lax.reduce_max(ac, axes=(0, 1))  # f32[]  nnx_counter_state.py:26
    ae = lax.reduce_sum_p.bind(ab, axes=(), out_sharding=None)  # f32[]  metrics.py:123
    af = lax.add(h, ae)  # f32[]  metrics.py:123
    ag = lax.add(g, np.int32(1))  # i32[]  metrics.py:124
    ah = lax.reduce_sum_p.bind(ad, axes=(), out_sharding=None)  # f32[]  metrics.py:123
    ai = lax.add(j, ah)  # f32[]  metrics.py:123
    aj = lax.add(i, np.int32(1))  # i32[]  metrics.py:124
    # result[0][0].states[0][0], result[0][0].states[0][1], result[0][0].states[0][2], result[0][0].states[0][3],
    # result[0][0].states[0][4], result[0][0].states[0][5], result[0][1].states[0][0], result[0][1].states[0][1],
    # result[0][1].states[0][2], result[0][1].states[0][3], result[2]
    return s, v, c, d, e, f, ag, af, aj, ai, y


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
