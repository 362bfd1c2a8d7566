"""Operations that move elements and compute nothing."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import jax.numpy as jnp
import numpy as np
from jax import lax

from jace_repro.fuzz.draw import Draw
from jace_repro.fuzz.operations.registry import operation

_lax: Any = lax
_ANY = "fciubs"


@operation
def _broadcast_in_dim(d: Draw) -> Callable[..., Any]:
    x = d.array(_ANY)
    rank = x.rank + d.pick("more axes", (0, 1, 2))
    where = tuple(sorted(d.random.sample(range(rank), x.rank)))
    shape = [d.length(0 if d.rarely(8) else 1, 5) for _ in range(rank)]
    for axis, size in zip(where, x.shape, strict=True):
        shape[axis] = size if size != 1 or d.flag("keep 1") else 4
    return lambda x: lax.broadcast_in_dim(x, shape, where)


@operation
def _reshape_across_ones(d: Draw) -> Callable[..., Any]:
    """Axes of length 1 between those that are merged and split otherwise."""
    old, new = d.pick(
        "shapes",
        (
            ((4, 1, 6), (3, 8)),
            ((2, 1, 12), (4, 6)),
            ((6, 1, 1, 4), (8, 3)),
            ((1, 6, 1, 10), (4, 1, 15)),
            ((5, 1, 6), (30, 1)),
        ),
    )
    d.array("fciub", old)
    return lambda x: lax.reshape(
        lax.reshape(x, new) if x.dtype == bool else lax.reshape(x, new) + x.dtype.type(1), old
    )


@operation
def _reshape(d: Draw) -> Callable[..., Any]:
    x = d.array(_ANY)
    size, shape = x.size, []
    for _ in range(d.pick("new rank", (0, 1, 2, 3)) if size == 1 else d.pick("new rank", (1, 2, 3)) - 1):
        divisors = [n for n in range(1, min(size, 64) + 1) if size % n == 0] if size else [0, 1, 3]
        shape.append(d.random.choice(divisors))
        size = size // shape[-1] if shape[-1] else size
    if x.size != 1 or size != 1:
        shape.append(size)
    if x.size == 0:
        shape = [0, 3]
    order = d.permutation(x.rank) if d.rarely(3) else None
    return lambda x: lax.reshape(x, shape, order)


@operation
def _transpose(d: Draw) -> Callable[..., Any]:
    x = d.array(_ANY)
    order = d.permutation(x.rank)
    return lambda x: lax.transpose(x, order)


@operation
def _rev(d: Draw) -> Callable[..., Any]:
    axes = d.axes(d.array(_ANY))
    return lambda x: lax.rev(x, axes)


@operation
def _slice(d: Draw) -> Callable[..., Any]:
    x = d.array(_ANY)
    starts = [d.whole(0, n) for n in x.shape]
    limits = [d.whole(s, n) for s, n in zip(starts, x.shape, strict=True)]
    strides = [d.pick("stride", (1, 1, 2, 3)) for _ in x.shape] if d.flag("strides") else None
    return lambda x: lax.slice(x, starts, limits, strides)


@operation
def _pad(d: Draw) -> Callable[..., Any]:
    x = d.array(_ANY)
    d.array(shape=(), dtype=x.dtype, domain="special")
    config = []
    for size in x.shape:
        inner = d.pick("interior", (0, 0, 1, 2))
        width = size + max(size - 1, 0) * inner
        low = d.pick("low", (0, 1, 3, -1, -2))
        high = d.pick("high", (0, 2, 1, -1, -3))
        if width + low + high < 0:
            low, high = max(low, 0), max(high, 0)
        config.append((low, high, inner))
    return lambda x, value: lax.pad(x, value, config)


@operation
def _concatenate(d: Draw) -> Callable[..., Any]:
    x = d.array(_ANY, rank=d.pick("rank", (1, 2, 3)))
    axis = d.axis(x)
    for _ in range(d.pick("operands", (0, 1, 2, 4))):
        shape = tuple(d.length() if k == axis else n for k, n in enumerate(x.shape))
        d.array(shape=shape, dtype=x.dtype)
    return lambda *arrays: lax.concatenate(arrays, axis)


@operation
def _split(d: Draw) -> Callable[..., Any]:
    x = d.array(_ANY, rank=d.pick("rank", (1, 2, 3)))
    axis = d.axis(x)
    first = d.whole(0, x.shape[axis])
    second = d.whole(0, x.shape[axis] - first)
    sizes = (first, second, x.shape[axis] - first - second)
    return lambda x: lax.split(x, sizes, axis)


@operation
def _stack(d: Draw) -> Callable[..., Any]:
    x = d.array(_ANY)
    for _ in range(d.pick("operands", (0, 1, 3))):
        d.like(x)
    axis = d.whole(0, x.rank)
    return lambda *arrays: jnp.stack(arrays, axis)


@operation
def _unstack(d: Draw) -> Callable[..., Any]:
    x = d.array(_ANY, (d.whole(1, 4), d.whole(1, 4), d.whole(0, 4)))
    axis = d.axis(x)
    return lambda x: tuple(jnp.unstack(x, axis=axis))


@operation
def _tile(d: Draw) -> Callable[..., Any]:
    x = d.array(_ANY)
    counts = tuple(d.pick("count", (1, 2, 3, 0)) for _ in x.shape)
    return lambda x: jnp.tile(x, counts)


@operation
def _iota(d: Draw) -> Callable[..., Any]:
    x = d.array("fciu", rank=d.pick("rank", (1, 2, 3)))
    axis = d.axis(x)
    return lambda x: (lax.broadcasted_iota(x.dtype, x.shape, axis), x)


@operation
def _iota_of_any(d: Draw) -> Callable[..., Any]:
    """Also of small types, also along an axis of length one."""
    x = d.array(_ANY, rank=d.pick("rank", (1, 2, 3)), least=1, domain="plain")
    dtype, axis = d.dtype("fcius"), d.axis(x)
    return lambda x: (lax.broadcasted_iota(dtype, x.shape, axis), lax.iota(dtype, 3), x)


@operation
def _squeeze(d: Draw) -> Callable[..., Any]:
    x = d.array(_ANY)
    axes = tuple(k for k, n in enumerate(x.shape) if n == 1)
    wider = tuple(sorted(d.random.sample(range(x.rank + 2), 2)))
    return lambda x: (lax.squeeze(x, axes), lax.expand_dims(x, wider))


@operation
def _rolled(d: Draw) -> Callable[..., Any]:
    x = d.array(_ANY)
    shift = d.pick("shift", (0, 1, -1, 3, -7, 100))
    axis = d.axis(x) if x.rank and d.flag("one axis") else None
    return lambda x: jnp.roll(x, shift, axis)


@operation
def _diagonals(d: Draw) -> Callable[..., Any]:
    d.array("fciub", (d.length(1), d.length(1)))
    k = d.pick("k", (0, 1, -1, 3, -20))
    return lambda x: (jnp.tril(x, k), jnp.triu(x, k), jnp.diagonal(x, k))


@operation
def _movements(d: Draw) -> Callable[..., Any]:
    """Several movements, each of what the one before it gave: an index is computed through all of them."""
    x = d.array("fi", d.pick("shape", ((3, 4), (2, 3, 5), (7,), (4, 1, 6), (6, 6))), domain="plain")
    d.array(shape=(1, *x.shape[1:]), dtype=x.dtype, domain="plain")
    names = [d.pick("movement", tuple(MOVEMENTS)) for _ in range(d.whole(2, 5))]
    numbers = [d.whole(1, 9) for _ in names]

    def moved(x: Any, y: Any) -> Any:
        found = jnp.concatenate([x, y]) if names[0] != "reversed" else x
        for name, number in zip(names, numbers, strict=True):
            found = MOVEMENTS[name](found, number)
        return found

    return moved


def _cut(x: Any, number: int) -> Any:
    """Some of its elements, in rows that they do not fill."""
    flat = jnp.ravel(x)
    width = min(number + 1, flat.size)
    return flat[: flat.size // width * width].reshape(-1, width)


#: What moves the elements of an array, by a number.
MOVEMENTS: dict[str, Callable[[Any, int], Any]] = {
    "reversed": lambda x, n: jnp.flip(x, n % x.ndim),
    "transposed": lambda x, n: jnp.moveaxis(x, n % x.ndim, 0),
    "flat": lambda x, n: jnp.ravel(x)[n % 2 :: 1 + n % 3],
    "cut": _cut,
    "every other": lambda x, n: x[..., n % 2 :: 2] if x.shape[-1] > 1 else x,
    "padded": lambda x, n: jnp.pad(x, [(n % 2, n % 3)] * x.ndim, constant_values=n),
    "spread": lambda x, n: lax.pad(x, x.dtype.type(n), [(0, 0, n % 3)] * x.ndim),
    "beside itself": lambda x, n: jnp.concatenate([x, x[::-1]], n % x.ndim),
    "twice": lambda x, n: jnp.stack([x, x + 1], n % (x.ndim + 1)) if x.ndim < 4 else x,
    "rolled": lambda x, n: jnp.roll(x, n, n % x.ndim),
    "repeated": lambda x, n: jnp.repeat(x, 1 + n % 2, n % x.ndim),
}


@operation
def _copies(d: Draw) -> Callable[..., Any]:
    """Results that are inputs, the same result twice, and constants."""
    x = d.array(_ANY)
    table = np.arange(math.prod(x.shape)).reshape(x.shape)
    return lambda x: (
        x,
        x,
        _lax.optimization_barrier(x),
        jnp.zeros_like(x),
        jnp.asarray(table).astype(x.dtype),
        jnp.copy(x),
    )
