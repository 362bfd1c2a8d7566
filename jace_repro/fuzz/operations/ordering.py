"""Sorting and selecting."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax.numpy as jnp
from jax import lax

from jace_repro.fuzz.draw import Draw
from jace_repro.fuzz.operations.registry import operation

_VALUES = ("ties", "special", "plain", "sorted", "reversed")


@operation
def _sort(d: Draw) -> Callable[..., Any]:
    x = d.array("fciub", domain=d.pick("values", _VALUES), rank=d.pick("rank", (1, 2, 3)))
    axis = d.axis(x)
    operands, keys = d.pick("operands and keys", ((1, 1), (2, 1), (2, 2), (3, 1), (3, 2), (3, 3)))
    stable = d.flag("stable") or keys < operands
    for _ in range(operands - 1):
        d.array("fi", x.shape, domain="ties")
    return lambda *arrays: lax.sort(arrays, dimension=axis, is_stable=stable, num_keys=keys)


@operation
def _sort_against_quicksort(d: Draw) -> Callable[..., Any]:
    """Of numbers for which a quicksort gives up, by itself and with others that follow."""
    x = d.array("w", (d.pick("size", (300, 700, 1025)),), domain="against quicksort")
    d.array("f", x.shape, domain="plain")
    return lambda x, y: (lax.sort(x, is_stable=False), lax.sort((x, y), is_stable=False, num_keys=1))


@operation
def _sort_large(d: Draw) -> Callable[..., Any]:
    """Many rows, or long ones: what is worth a thread."""
    shape = d.pick("shape", ((300, 300), (2, 40_000), (40_000, 2), (5, 130, 130), (70_001,)))
    x = d.array("fiu", shape, domain=d.pick("values", ("ties", "plain")))
    axis = d.axis(x)
    how: Any = d.pick("how", (lax.sort, jnp.argsort, lambda x, _: lax.top_k(x, 2)))
    return lambda x: how(x, axis)


@operation
def _top_k(d: Draw) -> Callable[..., Any]:
    x = d.array("fiu", domain=d.pick("values", _VALUES), rank=d.pick("rank", (1, 2, 3)), least=1)
    k = {"none": 0, "some": d.whole(1, x.shape[-1]), "all": x.shape[-1]}[
        d.pick("k", ("none", "some", "some", "all"))
    ]
    return lambda x: lax.top_k(x, k)


@operation
def _argsort(d: Draw) -> Callable[..., Any]:
    x = d.array("fiu", domain=d.pick("values", _VALUES), rank=d.pick("rank", (1, 2)))
    axis, descending = d.axis(x), d.flag("descending")
    return lambda x: jnp.argsort(x, axis, descending=descending, stable=True)


@operation
def _approx_top_k(d: Draw) -> Callable[..., Any]:
    x = d.array("f", domain="plain", rank=d.pick("rank", (1, 2)), least=1)
    axis, largest = d.axis(x), d.flag("largest")
    k = d.whole(1, x.shape[axis])
    return lambda x: (lax.approx_max_k if largest else lax.approx_min_k)(x, k, axis)


@operation
def _unique(d: Draw) -> Callable[..., Any]:
    d.array("fi", domain="ties", rank=1, least=1)
    size = d.whole(1, 9)
    return lambda x: jnp.unique(x, size=size, fill_value=-1, return_inverse=True, return_counts=True)


@operation
def _lexsort(d: Draw) -> Callable[..., Any]:
    d.like(d.array("fi", domain="ties", rank=1))
    return lambda x, y: jnp.lexsort((x, y))


@operation
def _quantile(d: Draw) -> Callable[..., Any]:
    x = d.array("f", domain="plain", rank=d.pick("rank", (1, 2)), least=1)
    axis = d.axis(x)
    method = d.pick("method", ("linear", "lower", "higher", "nearest", "midpoint"))
    q = d.pick("q", (0.0, 0.25, 0.5, 0.9, 1.0))
    return lambda x: jnp.quantile(x, q, axis, method=method)
