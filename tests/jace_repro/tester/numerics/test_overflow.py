"""A sum or a product that overflows on its way, in one order and not in another, accuses nobody."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax
from oracles import oracle

_Array = np.ndarray[Any, Any]


def reals(*shape: int, size: float) -> _Array:
    return (np.random.default_rng(7).uniform(-size, size, shape)).astype(np.float32)


def complexes(*shape: int, size: float) -> _Array:
    rng = np.random.default_rng(8)
    return (rng.uniform(-size, size, shape) + 1j * rng.uniform(-size, size, shape)).astype(np.complex64)


def in_order(step: Callable[..., Any], x: _Array) -> _Array:
    """All prefixes along the last axis, each from the one before."""
    columns = [x[:, 0]]
    for k in range(1, x.shape[1]):
        columns.append(step(columns[-1], x[:, k]))
    return np.stack(columns, axis=1)


def by_halves(step: Callable[..., Any], x: _Array) -> _Array:
    """All prefixes along the last axis: those of the second half from the last of the first."""
    if x.shape[1] == 1:
        return x
    left, right = (by_halves(step, part) for part in np.split(x, [x.shape[1] // 2], axis=1))
    return np.concatenate([left, step(left[:, -1:], right)], axis=1)


#: Operations on all prefixes, with numbers that overflow or underflow on the way of some of them.
PREFIXES = {
    "cumprod of complex": (lambda x: lax.cumprod(x, axis=1), complexes(16, 200, size=2.5), np.multiply),
    "cumprod": (lambda x: lax.cumprod(x, axis=1), np.exp(reals(16, 60, size=70.0)), np.multiply),
    "cumsum of complex": (lambda x: lax.cumsum(x, axis=1), complexes(16, 60, size=2e38), np.add),
    "cumsum": (lambda x: lax.cumsum(x, axis=1), reals(16, 60, size=2e38), np.add),
}
#: For each element its row.
ROWS = np.broadcast_to(np.arange(64)[:, None], (64, 60))
#: Those of all terms or factors.
TOTALS = {
    "product of complex": (lambda x: lax.reduce_prod(x, (1,)), complexes(64, 80, size=4.0), np.multiply),
    "product": (lambda x: lax.reduce_prod(x, (1,)), np.exp(reals(64, 40, size=70.0)), np.multiply),
    "sum of complex": (lambda x: x.sum(1), complexes(64, 60, size=2e38), np.add),
    "contraction": (lambda x: jnp.dot(x, jnp.ones(60, np.float32)), reals(64, 60, size=2e38), np.add),
    "scatter": (lambda x: jnp.zeros(64, np.float32).at[ROWS].add(x), reals(64, 60, size=2e38), np.add),
}


@pytest.mark.filterwarnings("ignore:(overflow|invalid value) encountered")
@pytest.mark.parametrize("name", [*PREFIXES, *TOTALS])
def test_no_order_is_accused(name: str) -> None:
    fun, x, step = (PREFIXES | TOTALS)[name]
    found = oracle(fun, x)
    results = [in_order(step, x), by_halves(step, x), in_order(step, x[:, ::-1])]
    if name in TOTALS:
        results = [r[:, -1] for r in results]
    else:
        results.pop()
    assert not np.array_equal(results[0], results[1], equal_nan=True)
    for result in results:
        assert not found.assess([result]).wrong, str(found.assess([result]))


@pytest.mark.filterwarnings("ignore:(overflow|invalid value) encountered")
@pytest.mark.parametrize("name", PREFIXES)
def test_what_is_in_range_in_every_order_is_decided(name: str) -> None:
    """A NaN, and a number that is off, where no factor or term was out of range so far."""
    fun, x, step = PREFIXES[name]
    found, right = oracle(fun, x), by_halves(step, x)
    decided = np.isfinite(found.bound(0)).reshape(*x.shape, -1).all(-1)
    assert decided[:, 0].all()
    assert 0.02 < decided.mean() < 0.98
    place = tuple(np.argwhere(decided & np.isfinite(right))[-1])
    for wrong in (np.nan, right[place] * np.float32(1.01)):
        changed = right.copy()
        changed[place] = wrong
        assert found.assess([changed]).wrong


def test_an_infinite_term_among_terms_that_overflow_the_other_way() -> None:
    x = np.array([[np.inf, -3e38, -3e38, 1.0], [np.inf, -1e38, -1e38, 1.0]], np.float32)
    found = oracle(lambda x: x.sum(1), x)
    assert np.isinf(found.bound(0)).tolist() == [True, False]


def test_products_of_complex_numbers_may_cancel_beyond_the_range() -> None:
    """(a + bi)(c + di) with a*c - b*d in range and a*c not: with and without a fused multiply-add."""
    x = np.array([2e19 + 1.9e19j, 2e18 + 1.9e18j], np.complex64)
    found = oracle(lambda x: x * x, x)
    assert np.isinf(found.bound(0)).any(-1).tolist() == [True, False]
    with np.errstate(all="ignore"):
        assert not found.assess([x * x]).wrong


def test_scatter_sub_has_the_noise_of_all_its_terms() -> None:
    """Not of the difference of their magnitudes: here they add up to 2e7, and the result is 0.5."""
    x = np.concatenate([[1e7], np.full(9, 1e6), [999999.5]]).astype(np.float32)
    found = oracle(lambda x: x[:1].at[jnp.zeros(10, np.int32)].subtract(x[1:]), x)
    assert found.bound(0)[0] > 0.5
