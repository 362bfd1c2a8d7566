"""sort, top_k and approx_top_k leave the very same elements in the very same places as XLA."""

from __future__ import annotations

from typing import Any

import jax
import ml_dtypes
import numpy as np
import pytest
from agreement import assert_same
from both_ways import PIPELINES, UNOPTIMISED, on_pipelines
from jax import lax
from together import Later, results, together

Array = Any
SPECIAL = [0.0, -0.0, np.nan, -np.nan, np.inf, -np.inf, 1, 1, 2, -1, 1e-40, -1e-310]


@pytest.fixture(autouse=True)
def _x64() -> Any:
    with jax.enable_x64(True):
        yield


def _values(dtype: Any, shape: tuple[int, ...]) -> Array:
    rng = np.random.default_rng(list(shape))
    dtype = np.dtype(dtype)
    if dtype.kind in "iub":
        return rng.integers(0, 5, shape).astype(dtype)
    values = rng.choice(SPECIAL, shape)
    if dtype.kind == "c":
        values = values + 1j * rng.choice(SPECIAL[:6], shape)
    with np.errstate(all="ignore"):
        return values.astype(dtype)


def _exact(pipelines: Any, fun: Any, *args: Array, reference: Any = None) -> None:
    """Bit for bit, which tells -0 from 0."""
    try:
        expected, by_pipeline, _ = results(fun, args, pipelines, reference=reference, options=UNOPTIMISED)
    except Later:
        return
    for ours in by_pipeline:
        assert_same(expected, ours)
    for a, b in zip(expected, by_pipeline[0], strict=True):
        if a.dtype.kind == "c":
            a, b = a.view(a.real.dtype), b.view(a.real.dtype)
        if a.dtype.kind not in "iub":
            known = ~np.isnan(a.astype(np.float64))
            np.testing.assert_array_equal(np.signbit(b)[known], np.signbit(a)[known])


@together
@pytest.mark.parametrize(
    ("dtype", "pipelines"),
    on_pipelines(["f2", ml_dtypes.bfloat16, "f4", "f8", "c8", "i1", "u8", bool], ["f4", "u8"]),
)
def test_sort(dtype: Any, pipelines: Any) -> None:
    """Ties are told apart by the positions that are sorted along, also where the order of ties is std::sort's."""

    def fun(x: Array, y: Array, z: Array) -> Any:
        return [
            lax.sort((x, y, z), dimension=axis, is_stable=stable, num_keys=keys)
            for stable in (True, False)
            for keys in (1, 2)
            for axis in (0, 1)
        ]

    shape = (4, 60)
    _exact(pipelines, fun, _values(dtype, shape), _values("i4", shape), np.arange(240).reshape(shape))


@together
def test_unstable_sort_of_a_median_of_three_killer() -> None:
    """Quicksort gives up on it, so that the heap sort below it is seen."""
    n = 600
    x = np.zeros(n, np.int32)
    for i in range(1, n // 2 + 1):
        x[i - 1 : i + 1] = [i, n // 2 + i] if i % 2 else x[i - 1 : i + 1]
        x[n // 2 + i - 1] = 2 * i
    _exact(PIPELINES, lambda *xs: lax.sort(xs, is_stable=False), x // 5, np.arange(n))


@together
@pytest.mark.parametrize(
    ("dtype", "pipelines"), on_pipelines(["f2", ml_dtypes.bfloat16, "f4", "f8", "i1", "u8"], ["f2", "i1"])
)
def test_top_k(dtype: Any, pipelines: Any) -> None:
    def fun(x: Array) -> Any:
        return [lax.top_k(x, k, axis=axis) for k, axis in ((5, 0), (100, 1), (120, 1), (0, 1))]

    def in_float32(x: Array) -> Any:
        return [(values.astype(x.dtype), where) for values, where in fun(x.astype(np.float32))]

    # XLA's own answer for a subnormal bfloat16 depends on the CPU (corpus/repros/xla/ed3bfc7f626f.py)
    _exact(
        pipelines,
        fun,
        _values(dtype, (30, 120)),
        reference=in_float32 if dtype is ml_dtypes.bfloat16 else None,
    )


@together
@pytest.mark.parametrize("special", [False, True], ids=["ties", "special values"])
@pytest.mark.parametrize(
    ("dtype", "pipelines"), on_pipelines(["f4", "f8", ml_dtypes.bfloat16], [ml_dtypes.bfloat16])
)
def test_approx_top_k(dtype: Any, pipelines: Any, special: bool) -> None:
    shape = (3, 200, 2)
    rng = np.random.default_rng(0)
    # a single result of XLA's has subnormals flushed, or not, depending on how LLVM vectorizes
    x = np.where(np.abs(v := _values("f8", shape)) < 1e-30, 0.0, v) if special else rng.integers(0, 20, shape)

    def fun(x: Array) -> Any:
        return [
            function(x, k, reduction_dimension=axis, aggregate_to_topk=aggregate)
            for function in (lax.approx_max_k, lax.approx_min_k)
            for k, axis in ((7, 1), (1, 1), (2, 0), (2, 2))
            for aggregate in (True, False)
        ]

    with np.errstate(all="ignore"):
        _exact(pipelines, fun, x.astype(dtype))
