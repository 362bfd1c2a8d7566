"""Windowed reductions and the selection from windows against XLA: padding, dilation, ties, NaN, identities."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
import pytest
from both_ways import check
from jax import lax
from jax._src.lax import windowed_reductions
from together import together

Array = Any
PADDINGS = [((0, 0), (0, 0)), ((1, 2), (2, 1))]


@pytest.fixture(autouse=True)
def _x64() -> Any:
    with jax.enable_x64(True):
        yield


def _operand(dtype: Any) -> Array:
    """Ties everywhere; a corner of least values; for floats NaN, -0 and infinities."""
    dtype = np.dtype(dtype)
    x = np.random.default_rng(0).integers(-3, 4, (9, 10)).astype(dtype)
    if dtype.kind in "iu":
        x[:3, :3] = np.iinfo(dtype).min
    elif dtype != np.bool_:
        x[:3, :3], x[3, 4], x[5, 5], x[5, 6] = -np.inf, np.nan, -0.0, 0.0
    return x


@together
@pytest.mark.parametrize("dtype", ["f2", ml_dtypes.bfloat16, "f4", "i4", "u1"], ids=str)
def test_pooling(dtype: Any) -> None:
    def fun(x: Array) -> Any:
        window = ((3, 2), (2, 1), ((2, 1), (1, 0)))
        return [
            lax.reduce_window(x, np.array(start, x.dtype), combine, *window)
            for combine, start in ((lax.max, identity_of_max(x.dtype)), (lax.add, 0), (lax.mul, 1))
        ]

    check(fun, _operand(dtype))


def identity_of_max(dtype: Any) -> Any:
    """The identity of max."""
    return -np.inf if jnp.issubdtype(dtype, np.floating) else np.iinfo(dtype).min


@together
def test_general_combiners() -> None:
    def fun(x: Array, y: Array) -> Any:
        window = ((3, 2), (2, 1), ((2, 1), (1, 0)))
        both = lax.reduce_window((x, y), (0.0, 1.0), lambda a, b: (a[0] + b[0], a[1] * b[1]), *window)
        dilated = lax.reduce_window(
            x, 1.0, jnp.logaddexp, *window, base_dilation=(2, 1), window_dilation=(1, 2)
        )
        return both, dilated, lax.reduce(x, 0.0, jnp.logaddexp, (1,))

    rng = np.random.default_rng(0)
    check(fun, rng.random((9, 10)), rng.random((9, 10)))


@together
@pytest.mark.parametrize("padding", PADDINGS, ids=["inside", "padded"])
@pytest.mark.parametrize("dtype", ["f4", "f8", ml_dtypes.bfloat16, "i4", bool], ids=str)
def test_select_and_scatter_add(dtype: Any, padding: Any) -> None:
    """Padding takes part with the identity and may win a tie: what is scattered to it is dropped."""

    def fun(source: Array, x: Array) -> Any:
        return [
            windowed_reductions._select_and_scatter_add(source, x, prim, (3, 3), (1, 1), padding)
            for prim in (lax.ge_p, lax.le_p)
        ]

    shape = tuple(n + sum(pads) - 2 for n, pads in zip((9, 10), padding, strict=True))
    source = np.random.default_rng(1).integers(0, 5, shape).astype(dtype)
    check(fun, source, _operand(dtype))


@together
@pytest.mark.parametrize("padding", PADDINGS, ids=["inside", "padded"])
def test_select_and_scatter_with_any_functions(padding: Any) -> None:
    def fun(x: Array, source: Array) -> Array:
        return windowed_reductions._select_and_scatter(
            x, lax.ge_p.bind, (2, 3), (2, 3), padding, source, np.array(2, np.int32), lambda a, b: a * 2 - b
        )

    shape = tuple((n + sum(pads) - w) // w + 1 for n, pads, w in zip((9, 10), padding, (2, 3), strict=True))
    check(fun, _operand("i4"), np.random.default_rng(1).integers(0, 5, shape).astype("i4"))


@together
def test_max_pooling_and_its_derivatives() -> None:
    """Differentiated twice: select_and_gather_add."""

    def pool(x: Array) -> Array:
        return lax.reduce_window(x, -np.inf, lax.max, (1, 3, 2, 1), (1, 2, 2, 1), "SAME")

    def fun(x: Array, t: Array) -> Any:
        gradient = jax.grad(lambda x: (pool(x) ** 2).sum())
        return pool(x), jax.jvp(pool, (x,), (t,)), jax.jvp(gradient, (x,), (t,))

    rng = np.random.default_rng(0)
    check(fun, rng.random((2, 7, 8, 3)), rng.random((2, 7, 8, 3)))
