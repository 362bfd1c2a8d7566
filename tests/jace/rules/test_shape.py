"""Data movement at the corners: empty in any position, rank 0, negative padding, bits of another width."""

from __future__ import annotations

import jax.numpy as jnp
import ml_dtypes
import numpy as np
import pytest
from both_ways import check, run
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jax import lax
from together import together

from jace.jax_internals import prng

SETTINGS = settings(
    max_examples=15, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
X = np.arange(24, dtype=np.float32).reshape(2, 3, 4)


def all_moves(x):
    """Every operation that only moves, on an array of any shape (sizes 0 and 1 included)."""
    axes = range(x.ndim)
    filler = jnp.zeros((), x.dtype) + jnp.asarray(7, x.dtype)
    yield x.reshape(-1)
    yield x.reshape(*x.shape, 1)
    yield x.reshape(1, *x.shape[::-1])
    yield jnp.transpose(x)
    yield lax.rev(x, tuple(axes))
    yield lax.expand_dims(x, (0, x.ndim + 1))
    yield jnp.stack([x, x], -1)
    yield jnp.tile(x, (2,) * x.ndim)
    yield jnp.tile(x, (3, *(1,) * x.ndim))
    yield jnp.broadcast_to(x, (2, *x.shape))
    yield lax.pad(x, filler, [(1, -1, 0)] * x.ndim) if all(x.shape) else x
    yield lax.pad(x, filler, [(2, 1, 2)] * x.ndim)
    yield lax.slice(x, [n // 2 for n in x.shape], x.shape)
    yield lax.slice(x, [0] * x.ndim, x.shape, [2] * x.ndim)
    yield lax.dynamic_slice(x, [0] * x.ndim, [n // 2 for n in x.shape])
    yield lax.iota(jnp.int32, 5)[: x.size]
    yield lax.broadcasted_iota(x.dtype, (*x.shape, 3), x.ndim)
    yield x.sum(), x.astype(jnp.int32), x == x, jnp.where(x > 1, x, filler)
    for d in axes:
        yield lax.concatenate([x, x[:0] if d == 0 else x, x], d)
        yield jnp.split(x, [x.shape[d] // 2], d)
        yield jnp.unstack(x, axis=d) if 0 < x.shape[d] < 4 else ()
        yield (
            jnp.flip(x, d),
            jnp.roll(x, 1, d),
            jnp.take(x, jnp.array([0]), d, mode="clip") if x.shape[d] else x,
        )
        yield x.sum(d), x.max(d, initial=0), jnp.cumsum(x, d), jnp.sort(x, d)


@together
@SETTINGS
@given(
    st.lists(st.sampled_from([0, 1, 2, 3]), max_size=3),
    st.sampled_from([np.float32, np.int8, np.complex64, ml_dtypes.bfloat16]),
)
def test_moves_of_any_shape(shape, dtype):
    real = (lambda x: x.real) if dtype == np.complex64 else lambda x: x
    check(
        lambda x: list(all_moves(real(x))),
        (np.arange(np.prod(shape, dtype=int)) % 7).reshape(shape).astype(dtype),
        pipelines=("fused",),
    )


@together
@pytest.mark.parametrize("shape", [(), (0,), (1,), (2, 0, 3), (2, 3)], ids=str)
def test_moves_one_map_an_equation(shape):
    check(lambda x: list(all_moves(x)), np.arange(np.prod(shape, dtype=int), dtype=np.float32).reshape(shape))


MOVES = {
    "tile": lambda x: (
        jnp.tile(x, 2),
        jnp.tile(x, (3, 1, 2)),
        jnp.tile(x, (2, 1, 1, 1)),
        jnp.tile(x, (0, 1, 1)),
    ),
    "stack": lambda x: [jnp.stack([x, -x, x * 2], axis) for axis in (0, 1, 2, 3, -1)],
    "unstack": lambda x: [jnp.unstack(x, axis=axis) for axis in (0, 1, -1)],
    "split": lambda x: (jnp.split(x, [1, 1, 2], 2), jnp.array_split(x, 5, 2)),
    "pad": lambda x: [
        lax.pad(x, np.float32(-1), config)
        for config in (
            [(-1, 0, 0), (0, -2, 0), (-1, -1, 0)],
            [(0, 0, 1), (0, 0, 2), (0, 0, 3)],
            [(-1, 2, 1), (2, -1, 2), (-2, -1, 1)],
            [(5, -6, 0), (0, 0, 0), (-5, 7, 0)],
        )
    ],
    "rev": lambda x: [lax.rev(x, d) for d in ((), (0,), (1, 2), (0, 1, 2))],
    "reshape-with-dimensions": lambda x: (lax.reshape(x, (4, 6), (2, 0, 1)), x.T.reshape(8, 3).T.reshape(-1)),
    "reshape-into-factors": lambda x: (x.reshape(4, 3, 2), x.reshape(3, 8), x[:, :, ::2].reshape(4, 3)),
    "broadcast-in-dim": lambda x: (
        lax.broadcast_in_dim(x[0, 0], (3, 4, 2), (1,)),
        lax.broadcast_in_dim(x[:, :1], (2, 5, 4), (0, 1, 2)),
        lax.broadcast(np.float32(3), (2, 0)),
    ),
    "rank-0": lambda x: [
        f(x[0, 1, 2])
        for f in (
            jnp.sin,
            lambda v: v.reshape(1, 1),
            lambda v: lax.broadcast(v, (2, 3)),
            lambda v: lax.pad(v, np.float32(0), ()),
            lambda v: lax.rev(v, ()),
            lambda v: jnp.transpose(v),
            lambda v: v.sum(),
            lambda v: jnp.stack([v, v]),
            lambda v: lax.cond(v > 1, lambda u: u, lambda u: -u, v),
            lambda v: lax.dynamic_slice(v, (), ()),
            lambda v: lax.bitcast_convert_type(v, jnp.int8),
        )
    ],
    "bits-narrower": lambda x: [lax.bitcast_convert_type(x, t) for t in (jnp.int8, jnp.uint16, jnp.bfloat16)],
    "bits-wider": lambda x: [
        lax.bitcast_convert_type(lax.bitcast_convert_type(x * 1.7, t), jnp.int32)
        for t in (jnp.uint8, jnp.int16)
    ],
    "bits-of-rows": lambda x: lax.bitcast_convert_type((x * 100).astype(jnp.uint8), jnp.float32),
    "bits-same-width": lambda x: (
        lax.bitcast_convert_type(x - 3, jnp.uint32),
        lax.bitcast_convert_type(lax.bitcast_convert_type(x, jnp.int32) + 5, jnp.float32),
        lax.bitcast_convert_type((x - 3).astype(jnp.int8), jnp.uint8),
    ),
    "reduce-precision": lambda x: [
        lax.reduce_precision(v, e, m)
        for v in (x * 1.2345678, x * 1e-39, -x * 1e37)
        for e, m in ((8, 23), (5, 10), (8, 7), (4, 3), (2, 1), (11, 52))
    ],
    "counters": lambda x: ([prng.iota_2x32_shape(shape) for shape in ((3, 4), (), (0, 2))]),
    "empty": lambda x: (
        jnp.zeros((0, 3)) + x[0, 0, 0],
        jnp.concatenate([x[:0], x]),
        x[:0].sum(0),
        x[:0].prod(),
    ),
    "diagonals": lambda x: (
        jnp.diagonal(x, 1, 1, 2),
        jnp.tril(x),
        jnp.triu(x, 1),
        jnp.eye(3, 4, 1),
        jnp.trace(x),
    ),
    "reshape of a transpose": lambda x: (
        lax.reshape(x, (6, 4), (2, 0, 1)),
        x[0].reshape(-1)[lax.reshape(lax.broadcasted_iota(np.int32, (3, 4), 1), (12,), (1, 0))],  # folded
        lax.reshape(x[:0], (3, 0), (2, 1, 0)),
    ),
    "nothing, folded, and padded": lambda x: (
        x[:1, :1, :1]
        + lax.broadcast_in_dim(
            lax.pad(jnp.eye(0, dtype=x.dtype), jnp.float32(0), ((1, 0, 0), (1, 0, 0))), (1, 1, 1), (1, 2)
        )
    ),
    "meshgrid": lambda x: jnp.meshgrid(x[0, 0], x[0, :, 0], indexing="ij"),
}


@together
@pytest.mark.parametrize("name", MOVES)
def test_moves(name):
    check(MOVES[name], X)


def test_counters_past_32_bits():
    """The upper word of a counter of more than 2^32 elements, read where it is not zero."""

    def program(start):
        upper, lower = prng.iota_2x32_shape((3, 2**31))
        at = lambda a: lax.dynamic_slice(a, (start, 5), (1, 2))
        return at(upper), at(lower)

    upper, lower = run(program, (np.int32(2),), "fused")
    np.testing.assert_array_equal(upper, [[1, 1]])
    np.testing.assert_array_equal(lower, [[5, 6]])


@pytest.mark.parametrize(
    ("shape", "axes"), [((0, 16), None), ((0, 16), 0), ((4, 0), 1), ((0, 4, 4), (0, 1)), ((2, 0, 3), 2)]
)
def test_nothing_is_reshaped_and_summed_up(shape, axes):
    """Found by a campaign: of nothing no element has an index in the other shape."""
    check(lambda x: (x[0, 0, :0].reshape(shape) * 2).sum(axes), X)
