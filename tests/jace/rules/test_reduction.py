"""Reductions: along which axes, of which lengths, in which blocks and parts; NaN, signs of zero and empty operands."""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from both_ways import check, on_pipelines
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jax import lax
from together import Later, results, together

import jace

Array = np.ndarray[Any, Any]
SETTINGS = settings(
    max_examples=15, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
KINDS = ("sum", "prod", "max", "min", "and", "or", "xor")
#: What changes the order in which elements are visited: below and above MIN_ROW, LANES, ROW_BLOCK.
EXTENTS = (1, 2, 7, 8, 63, 64, 65, 130, 511, 512, 513, 1030)


def reduction(kind: str, axes: Sequence[int]) -> Callable[[Any], Any]:
    primitive = {
        "sum": lax.reduce_sum_p, "prod": lax.reduce_prod_p, "max": lax.reduce_max_p, "min": lax.reduce_min_p,
        "and": lax.reduce_and_p, "or": lax.reduce_or_p, "xor": lax.reduce_xor_p,
    }[kind]  # fmt: skip
    sharding = {} if kind in ("and", "or", "xor") else {"out_sharding": None}
    return lambda x: primitive.bind(x, axes=tuple(axes), **sharding)


def small_integers(seed: int, shape: Sequence[int], dtype: Any, kind: str) -> Array:
    """Values whose sums and products are exact in every order."""
    rng = np.random.default_rng(seed)
    low, high = (-1, 2) if kind == "prod" else (-3, 4)
    return np.asarray(rng.integers(low, high, shape)).astype(dtype)


@together
@SETTINGS
@given(st.data())
def test_any_axes_of_any_shape(data: st.DataObject) -> None:
    draw = data.draw
    shape, budget = [], 40_000
    for _ in range(draw(st.integers(1, 4))):
        shape.append(draw(st.sampled_from([n for n in EXTENTS if n <= budget])))
        budget //= shape[-1]
    kind = draw(st.sampled_from(KINDS))
    dtypes = (
        (np.int32, np.uint8, np.bool_)
        if kind in ("and", "or", "xor")
        else (np.float32, np.int32, jnp.bfloat16)
    )
    dtype = draw(st.sampled_from([d for d in dtypes if d is not np.bool_ or kind != "xor"]))
    axes = sorted(draw(st.sets(st.integers(0, len(shape) - 1), min_size=1)))
    x = small_integers(draw(st.integers(0, 99)), shape, dtype, kind)
    if dtype is jnp.bfloat16 and kind == "sum":
        x = x.astype(np.float32).clip(-1, 1).astype(dtype) if x.size < 200 else np.zeros_like(x)
    check(reduction(kind, axes), x)


@together
@pytest.mark.parametrize("shape", [(2048, 300), (4, 4096, 40), (64, 64, 513), (3, 100_000)], ids=str)
@pytest.mark.parametrize("kind", ["sum", "max"])
def test_long_ones_in_blocks_and_parts(kind: str, shape: tuple[int, ...]) -> None:
    """Large enough for threads; an axis that no number of parts divides; the last block shorter."""
    x = small_integers(1, shape, np.float32, kind)
    for axes in (range(len(shape) - 1), [0], range(len(shape))):
        check(reduction(kind, axes), x, pipelines=["fused"])


def test_rows_are_read_where_they_are() -> None:
    """The operand of a reduction by rows is computed in its loop, not stored."""

    def fun(x: Any, w: Any) -> Any:
        y = jnp.tanh(x[:, ::-1]) * w
        return (y - y.mean(0)) / jnp.sqrt(y.var(0) + 1e-6)

    x = np.random.default_rng(0).standard_normal((300, 40), np.float32)
    check(fun, x, np.arange(40, dtype=np.float32))
    closed = jax.make_jaxpr(lambda x: jnp.sum(x * 2 + 1, 0))(x)
    sdfg = jace.compile_jaxpr(closed, "fused").as_sdfg()
    assert not [name for name, array in sdfg.arrays.items() if array.transient]


@together
@pytest.mark.parametrize(
    "dtype", [np.float32, np.float64, np.float16, jnp.bfloat16], ids=lambda d: np.dtype(d).name
)
@pytest.mark.parametrize("axis", [0, 1])
def test_nan_wins_and_zeros_are_ordered(dtype: Any, axis: int) -> None:
    x = np.array(
        [[0.0, -0.0] * 70, [-0.0, -0.0] * 70, [1.0] * 139 + [np.nan], [-np.inf, np.inf] * 70], np.float64
    )
    x = np.concatenate([x, np.full((4, 140), -0.0)]).astype(dtype)
    x = x if axis else x[:, :70]
    for kind, value in itertools.product(("max", "min"), (x, x.T)):
        with jax.enable_x64(True), contextlib.suppress(Later):
            (theirs,), ((got,),), _ = results(reduction(kind, [axis]), (value,), ["fused"])
            expected = theirs.astype(np.float64)
            np.testing.assert_array_equal(got.astype(np.float64), expected)
            known = ~np.isnan(expected)
            np.testing.assert_array_equal(np.signbit(got[known]), np.signbit(expected[known]))


@together
@pytest.mark.parametrize("shape", [(0, 9), (9, 0), (0, 0)], ids=str)
def test_empty(shape: tuple[int, ...]) -> None:
    x = np.zeros(shape, np.float32)
    for axes in ([0], [1], [0, 1]):
        check(reduction("sum", axes), x)
        check(reduction("max", axes), x)


@together
@pytest.mark.parametrize(
    ("shape", "axes"),
    [((3,), ()), ((1,), (0,)), ((1, 3), (0,)), ((1, 1), (0, 1)), ((3, 2), (0,)), ((3, 0), (1,))],
)
def test_what_is_not_combined_is_not_combined_with_the_initial_value_either(
    shape: tuple[int, ...], axes: tuple[int, ...]
) -> None:
    """An initial value that is none of the operator's: XLA takes it where there is something to combine."""
    x = np.full(shape, 1000, np.float32)
    places = np.zeros(shape, np.int32)
    check(lambda x: lax.reduce(x, np.float32(100), lax.min, axes), x)
    both = lambda a, b: (lax.min(a[0], b[0]), a[1] + b[1])
    check(lambda x, i: lax.reduce((x, i), (np.float32(100), np.int32(7)), both, axes), x, places)


@together
@pytest.mark.parametrize("padding", ["VALID", "SAME", ((0, 0), (3, 1), (0, 2), (0, 0))], ids=str)
@pytest.mark.parametrize(("channels", "pipelines"), on_pipelines([3, 8, 520], [3]))
def test_windows_by_rows(padding: Any, channels: int, pipelines: Sequence[str]) -> None:
    """Pooling of images with channels last: below and above MIN_ROW, and in two blocks."""
    x = small_integers(2, (2, 7, 6, channels), np.float32, "sum")
    x[0, 0, 0, 0] = np.nan
    for function, start in ((lax.max, -np.inf), (lax.min, np.inf), (lax.add, 0.0)):
        for dilation in (1, 2):
            check(
                lambda x, function=function, start=start, dilation=dilation: lax.reduce_window(
                    x,
                    start,
                    function,
                    (1, 3, 2, 1),
                    (1, 2, 1, 1),
                    padding,
                    window_dilation=(1, dilation, 1, 1),
                ),
                x,
                pipelines=pipelines,
            )
