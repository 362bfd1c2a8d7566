"""Random bits are XLA's, bit for bit."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from both_ways import check, on_pipelines, run
from jax import lax
from together import together

KEY = np.array([0xFFFFFFFF, 0xFFFFFFF0, 0xFFFFFFFE, 0xFFFFFFFF], np.uint32)
SHAPES = [(), (7,), (8,), (3, 5), (5, 1, 4), (3, 0)]
WIDTHS = ["uint8", "uint16", "uint32", "uint64"]
EVERY = [(shape, width) for shape in SHAPES for width in WIDTHS]
#: Each shape in two widths and each width in three shapes, of odd and of even sizes.
HALF = [
    (shape, width)
    for k, shape in enumerate(SHAPES)
    for width in (WIDTHS[k % 4], WIDTHS[(k + 1 + k // 4) % 4])
]


@pytest.fixture(autouse=True)
def _x64() -> Any:
    with jax.enable_x64(True):
        yield


def bits_of(algorithm: lax.RandomAlgorithm, drawn: list[tuple[tuple[int, ...], str]]) -> Any:
    def fun(key: Any, wide: Any) -> Any:
        narrow = [
            lax.rng_bit_generator(key, shape, dtype=dtype, algorithm=algorithm) for shape, dtype in drawn
        ]
        return narrow, lax.rng_bit_generator(wide, (5,), dtype="uint32", algorithm=algorithm)

    return fun


WIDE_STATE = np.array([2**64 - 1, 2**64 - 2], np.uint64)


@together
@pytest.mark.parametrize(
    ("algorithm", "pipelines"), on_pipelines(list(lax.RandomAlgorithm), [lax.RandomAlgorithm.RNG_PHILOX])
)
def test_rng_bit_generator(algorithm: lax.RandomAlgorithm, pipelines: Any) -> None:
    """All dtypes and shapes, the carry into the upper counter, 32-bit and 64-bit states.

    How many words are drawn follows from the size in bits, so that HALF of the pairs of shape and dtype has every case.
    """
    check(bits_of(algorithm, HALF), KEY, WIDE_STATE, pipelines=pipelines)


@pytest.mark.slow
@pytest.mark.parametrize("algorithm", list(lax.RandomAlgorithm), ids=str)
def test_rng_bit_generator_of_every_dtype_in_every_shape(algorithm: lax.RandomAlgorithm) -> None:
    check(bits_of(algorithm, EVERY), KEY, WIDE_STATE)


@together
@pytest.mark.parametrize(("partitionable", "pipelines"), on_pipelines([True, False], [True]))
@pytest.mark.parametrize("name", ["threefry2x32", "rbg", "unsafe_rbg"])
def test_typed_keys(name: str, partitionable: bool, pipelines: Any) -> None:
    def fun(data: Any) -> Any:
        key = jax.random.wrap_key_data(data, impl=name)
        some = jax.random.split(key, 3)
        data = jax.random.key_data
        return [
            data(some),
            data(jax.random.fold_in(key, 77)),
            data(jax.random.key(5, impl=name)),
            *(jax.random.bits(key, (5, 3), dtype) for dtype in ("uint8", "uint16", "uint32", "uint64")),
            jax.random.uniform(key, (7,), np.float32),
            jax.random.randint(key, (7,), 0, 100),
            jax.random.permutation(key, 9),
            jax.vmap(lambda k: jax.random.bits(k, (5,)))(some),
        ]

    with jax.threefry_partitionable(partitionable):
        check(fun, KEY[:2] if name == "threefry2x32" else KEY, pipelines=pipelines)


@together
def test_distributions() -> None:
    def fun(data: Any) -> Any:
        key = jax.random.wrap_key_data(data)
        return [
            jax.random.normal(key, (9,)),
            jax.random.gamma(key, jnp.array([0.3, 1.0, 30.0]), (2, 3)),
            jax.random.categorical(key, jnp.log(jnp.array([0.3, 0.2, 0.5])), shape=(13,)),
        ]

    check(fun, KEY[:2])


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32", "float64", "int32", "uint64"])
def test_rng_uniform_is_in_range_and_goes_on(dtype: str) -> None:
    low, high = jnp.array(3, dtype), jnp.array(10, dtype)
    (first,), (second,) = (
        run(lambda a, b: lax.rng_uniform(a, b, (500,)), (low, high), "fused") for _ in range(2)
    )
    for values in (first.astype(np.float64), second.astype(np.float64)):
        assert values.min() >= 3
        assert values.max() <= 10
        assert abs(values.mean() - (6.5 if dtype[0] in "fb" else 6)) < 0.5
    assert (first != second).mean() > 0.5
