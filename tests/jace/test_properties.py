"""Random compositions of index maps, reductions and updates agree with XLA."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from both_ways import check
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jax import lax
from together import together

SETTINGS = settings(
    max_examples=25, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
shapes = st.lists(st.integers(1, 5), min_size=1, max_size=4).map(tuple)


def transpose(draw, x):
    return jnp.transpose(x, draw(st.permutations(range(x.ndim))))


def flip(draw, x):
    axes = draw(st.sets(st.integers(0, x.ndim - 1)))
    return lax.rev(x, tuple(axes))


def reshape(draw, x):
    """Split the elements into random factors."""
    left, shape = x.size, []
    while left > 1:
        factor = draw(st.sampled_from([d for d in range(2, left + 1) if left % d == 0]))
        shape.append(factor)
        left //= factor
    shape.insert(draw(st.integers(0, len(shape))), 1)
    return x.reshape(shape)


def part(draw, x):
    start = [draw(st.integers(0, n - 1)) for n in x.shape]
    stop = [draw(st.integers(s + 1, n)) for s, n in zip(start, x.shape, strict=True)]
    return lax.slice(x, start, stop, [draw(st.integers(1, 2)) for _ in x.shape])


def padded(draw, x):
    config = [(draw(st.integers(-1, 2)), draw(st.integers(0, 2)), draw(st.integers(0, 2))) for _ in x.shape]
    if any(
        low + high + n + (n - 1) * inner <= 0 for (low, high, inner), n in zip(config, x.shape, strict=True)
    ):
        return x
    return lax.pad(x, x.dtype.type(9), config)


def joined(draw, x):
    axis = draw(st.integers(0, x.ndim - 1))
    return jnp.concatenate([x, x * 2, lax.slice_in_dim(x, 0, 1, axis=axis)], axis)


def rolled(draw, x):
    return jnp.roll(x, draw(st.integers(-3, 3)), draw(st.integers(0, x.ndim - 1)))


def summed(draw, x):
    axis = draw(st.integers(0, x.ndim - 1))
    return x + x.sum(axis, keepdims=True) - x.max(axis, keepdims=True)


def accumulated(draw, x):
    return lax.cumsum(x, draw(st.integers(0, x.ndim - 1)), reverse=draw(st.booleans()))


def taken(draw, x):
    axis = draw(st.integers(0, x.ndim - 1))
    mode = draw(st.sampled_from(["fill", "clip", "wrap"]))
    indices = draw(st.lists(st.integers(-7, 7), min_size=1, max_size=4))
    return jnp.take(x, np.array(indices), axis=axis, mode=mode, fill_value=5)


def updated(draw, x):
    indices = np.array(draw(st.lists(st.integers(-6, 6), min_size=1, max_size=4)))
    method = draw(st.sampled_from(["set", "add", "multiply", "min", "max"]))
    value = draw(st.integers(-3, 3))
    return getattr(x.at[indices], method)(value, mode=draw(st.sampled_from(["drop", "clip"])))


def window(draw, x):
    return x.at[draw(st.integers(0, 2)) :].add(x[:1]).at[..., 0].set(1)


def sliced_at(draw, x):
    start = [jnp.asarray(draw(st.integers(-3, 6))) for _ in x.shape]
    size = [draw(st.integers(1, n)) for n in x.shape]
    return lax.dynamic_update_slice(x, lax.dynamic_slice(x, start, size) * 3, start[::-1])


def chosen(draw, x):
    return jnp.where(x > draw(st.integers(-2, 2)), x, -x)


def stepped(draw, x):
    def body(carry, row):
        return carry * 2 - row, carry

    return lax.scan(body, x[0], x, reverse=draw(st.booleans()))[1]


STEPS = [
    transpose, flip, reshape, part, padded, joined, rolled, summed, accumulated, taken, updated, window,
    sliced_at, chosen, stepped,
]  # fmt: skip


@together
@pytest.mark.parametrize("pipeline", ["fused", "canonical"])
@SETTINGS
@given(data=st.data())
def test_compositions_agree_with_xla(pipeline, data):
    """Small integers in i32: every result is exact."""
    shape = data.draw(shapes)
    x = np.arange(np.prod(shape), dtype=np.int32).reshape(shape) % 7 - 3
    steps = data.draw(st.lists(st.sampled_from(STEPS), min_size=1, max_size=5))
    choices = []

    def program(x, draw):
        results = []
        for step in steps:
            x = step(draw, x)
            if x.size > 4000:
                break
            results.append(x)
        return results

    def remember(strategy):
        choices.append(data.draw(strategy))
        return choices[-1]

    jax.eval_shape(lambda v: program(v, remember), x)

    def fixed(x):
        replay = iter(choices)
        return program(x, lambda _: next(replay))

    check(fixed, x, pipelines=[pipeline])
