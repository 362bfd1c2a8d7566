"""dot_general and convolutions of every kind against XLA, below and above the size from which BLAS is used."""

from __future__ import annotations

import random
from typing import Any

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
import pytest
from both_ways import check
from jax import lax
from together import together

Array = Any
DTYPES = ["f2", ml_dtypes.bfloat16, "f4", "f8", "c8", "c16", "i1", "i4", "u8", bool]


@pytest.fixture(autouse=True)
def _x64() -> Any:
    with jax.enable_x64(True):
        yield


def _random(dtype: Any, shape: tuple[int, ...]) -> Array:
    rng = np.random.default_rng(list(shape))
    dtype = np.dtype(dtype)
    if dtype.kind in "iub":
        return rng.integers(0, 5, shape).astype(dtype)
    values = rng.standard_normal(shape)
    return (values + 1j * rng.standard_normal(shape) if dtype.kind == "c" else values).astype(dtype)


@together
@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_dot_of_matrices(dtype: Any) -> None:
    """Each side turned or not, small and large."""

    def fun(*xs: Array) -> Any:
        return [
            lax.dot_general(x, x, (((left,), (right,)), ((), ())))
            for x in xs
            for left, right in ((1, 0), (0, 0), (1, 1), (0, 1))
        ]

    check(fun, _random(dtype, (4, 4)), _random(dtype, (33, 33)))


BATCHED = [
    ((4, 20, 30), (4, 30, 25), (((2,), (1,)), ((0,), (0,)))),
    ((20, 4, 30), (30, 25, 4), (((2,), (0,)), ((1,), (2,)))),
    ((2, 3, 20, 30), (3, 30, 2, 25), (((3,), (1,)), ((0, 1), (2, 0)))),
    ((5, 6, 20), (6, 5, 30), (((0, 1), (1, 0)), ((), ()))),
    ((20, 5, 6), (5, 6, 30), (((1, 2), (0, 1)), ((), ()))),
    ((2, 3, 4, 5, 6), (5, 2, 7, 8, 4), (((2, 3), (4, 0)), ((0,), (1,)))),
    ((40, 1, 30), (30, 1, 50), (((2,), (0,)), ((1,), (1,)))),
    ((200, 1), (1, 200), (((1,), (0,)), ((), ()))),
    ((3, 0), (0, 4), (((1,), (0,)), ((), ()))),
    ((0, 3), (3, 4), (((1,), (0,)), ((), ()))),
]


@together
@pytest.mark.parametrize("dtype", ["f4", "c16", ml_dtypes.bfloat16], ids=str)
def test_dot_with_batches_and_several_contracted_dimensions(dtype: Any) -> None:
    operands = [(_random(dtype, a), _random(dtype, b)) for a, b, _ in BATCHED]

    def fun(pairs: Any) -> Any:
        return [lax.dot_general(a, b, dims) for (a, b), (*_, dims) in zip(pairs, BATCHED, strict=True)]

    check(fun, operands, pipelines=("fused",))


@together
@pytest.mark.parametrize(
    ("dtype", "result"), [("f2", "f4"), ("f4", "f8"), ("i1", "i4"), ("i4", "f4"), ("f4", "i4"), ("c8", "f4")]
)
def test_dot_with_preferred_element_type(dtype: str, result: str) -> None:
    def fun(*xs: Array) -> Any:
        return [
            lax.dot_general(x, x, (((1,), (0,)), ((), ())), preferred_element_type=np.dtype(result))
            for x in xs
        ]

    check(fun, _random(dtype, (4, 4)), _random(dtype, (33, 33)))


@together
def test_dot_in_a_loop_and_ragged() -> None:
    def fun(x: Array, y: Array, sizes: Array) -> Any:
        return lax.scan(lambda c, m: (c @ m / 5, c @ m.T), jnp.eye(30), x), lax.ragged_dot(
            x[0][:, :5], y, sizes
        )

    check(fun, _random("f8", (3, 30, 30)), _random("f8", (3, 5, 4)), np.array([9, 14, 7], np.int32))


def _convolution(seed: int) -> tuple[Any, Array, Array]:
    """A random convolution: (function, input, kernel)."""
    r = random.Random(seed)
    rank, large = r.choice([0, 1, 2, 2, 3]), r.random() < 0.6
    groups, batch_groups = r.choice([(1, 1), (1, 1), (2, 1), (3, 1), (1, 2)])
    depth, features = r.choice([1, 2, 3]) * (3 if large else 1), r.choice([1, 2, 4]) * (2 if large else 1)
    spatial = [r.randint(3, 12 if large else 6) for _ in range(rank)]
    names = "DHW"[3 - rank :]
    sizes = {"N": 2 * batch_groups, "C": depth * groups, **dict(zip(names, spatial, strict=True))}
    kernel = {"I": depth, "O": features * groups * batch_groups}
    kernel |= {name: r.randint(1, min(4, extent)) for name, extent in zip(names, spatial, strict=True)}
    specs = ["".join(r.sample(s, len(s))) for s in ("NC" + names, "OI" + names, "NC" + names)]
    if r.random() < 0.5:
        specs = ["N" + names + "C", names + "IO", "N" + names + "C"]
    dtype = r.choice(["f4", "f8", "c8", "f2", ml_dtypes.bfloat16, "i4"])
    window = {
        "window_strides": [r.choice([1, 1, 2]) for _ in spatial],
        "padding": [(r.randint(-1, 3), r.randint(-1, 3)) for _ in spatial],
        "lhs_dilation": [r.choice([1, 1, 2]) for _ in spatial],
        "rhs_dilation": [r.choice([1, 1, 2]) for _ in spatial],
    }
    counts = {"feature_group_count": groups, "batch_group_count": batch_groups}

    def fun(x: Array, w: Array) -> Array:
        return lax.conv_general_dilated(x, w, dimension_numbers=tuple(specs), **window, **counts)

    return (
        fun,
        _random(dtype, tuple(sizes[c] for c in specs[0])),
        _random(dtype, tuple(kernel[c] for c in specs[1])),
    )


@together
@pytest.mark.parametrize("seed", range(14))
def test_random_convolutions(seed: int) -> None:
    check(*_convolution(seed), pipelines=("fused", "canonical") if seed < 3 else ("fused",))
