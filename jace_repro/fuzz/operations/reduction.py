"""Reductions, arg-reductions and cumulative operations."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from jace_repro.fuzz.draw import Draw, dtype_of
from jace_repro.fuzz.operations.registry import Operation, add, operation

_lax: Any = lax

#: Reductions by their names in lax: the classes of dtypes they take, and the domain of values.
REDUCTIONS = {
    "reduce_sum": ("ffciu", "plain"),
    "reduce_prod": ("ffciu", "near one"),
    "reduce_max": ("fiub", "special"),
    "reduce_min": ("fiub", "special"),
    "reduce_and": ("bbiu", "any"),
    "reduce_or": ("bbiu", "any"),
    "reduce_xor": ("bbiu", "any"),
}
CUMULATIVE = {
    "cumsum": ("ffciu", "plain"),
    "cumprod": ("ffciu", "near one"),
    "cummax": ("fiu", "special"),
    "cummin": ("fiu", "special"),
    "cumlogsumexp": ("f", "plain"),
}
#: Functions of jax.numpy and jax.nn over axes.
OVER_AXES: dict[str, tuple[Callable[..., Any], str]] = {
    "mean": (jnp.mean, "fc"),
    "var": (jnp.var, "fc"),
    "std": (jnp.std, "f"),
    "ptp": (jnp.ptp, "fi"),
    "logsumexp": (jax.nn.logsumexp, "f"),
    "softmax": (jax.nn.softmax, "f"),
    "log_softmax": (jax.nn.log_softmax, "f"),
    "standardize": (jax.nn.standardize, "f"),
    "count_nonzero": (jnp.count_nonzero, "fib"),
    "all": (jnp.all, "fib"),
    "any": (jnp.any, "fib"),
    "nansum": (jnp.nansum, "f"),
    "nanmax": (jnp.nanmax, "f"),
    "median": (jnp.median, "f"),
    "amax": (jnp.max, "fi"),
    "norm": (lambda x, axis: jnp.sqrt(jnp.sum(jnp.abs(x) ** 2, axis)), "fc"),
}


def _reduction(name: str, classes: str, domain: str) -> Operation:
    def make(d: Draw) -> Callable[..., Any]:
        x = d.array(
            classes,
            domain=d.pick("values", (domain, "ties", "plain")) if domain == "special" else domain,
            about=name,
        )
        axes = d.axes(x)
        if x.dtype.kind == "b" and name in ("reduce_max", "reduce_min"):
            return lambda x: getattr(_lax, {"reduce_max": "reduce_or", "reduce_min": "reduce_and"}[name])(
                x, axes
            )
        return lambda x: getattr(_lax, name)(x, axes)

    return make


def _cumulative(name: str, classes: str, domain: str) -> Operation:
    def make(d: Draw) -> Callable[..., Any]:
        x = d.array(classes, domain=domain, rank=d.pick("rank", (1, 2, 3)))
        axis, reverse = d.axis(x), d.flag("reverse")
        return lambda x: getattr(_lax, name)(x, axis, reverse=reverse)

    return make


def _over_axes(function: Callable[..., Any], classes: str) -> Operation:
    def make(d: Draw) -> Callable[..., Any]:
        x = d.array(classes, domain="plain", rank=d.pick("rank", (1, 2, 3)), least=1)
        axis = d.axis(x)
        return lambda x: function(x, axis=axis)

    return make


for _name, (_classes, _domain) in REDUCTIONS.items():
    add(_name, _reduction(_name, _classes, _domain))
for _name, (_classes, _domain) in CUMULATIVE.items():
    add(_name, _cumulative(_name, _classes, _domain))
for _name, (_function, _classes) in OVER_AXES.items():
    add(_name, _over_axes(_function, _classes))


@operation
def _argmax(d: Draw) -> Callable[..., Any]:
    x = d.array(
        "fiub", domain=d.pick("values", ("special", "ties", "plain")), rank=d.pick("rank", (1, 2, 3)), least=1
    )
    axis, name = d.axis(x), d.pick("function", ("argmax", "argmin"))
    index = dtype_of(d.pick("index", ("int32", "int8", "uint8", *(("int64",) * d.x64))))
    if x.shape[axis] > np.iinfo(index).max:
        index = np.dtype(np.int32)
    return lambda x: getattr(_lax, name)(x, axis, index)


@operation
def _argmax_of_plateaus(d: Draw) -> Callable[..., Any]:
    x = d.array("fiu", domain="plateaus", rank=d.pick("rank", (1, 2, 3)), least=1)
    d.array(shape=(3, 5), dtype=np.dtype(bool), domain="plateaus")
    axis = d.axis(x)

    def places(x: Any, truths: Any) -> Any:
        return [_lax.argmax(x, axis, np.int32), _lax.argmin(x, axis, np.int32), *map(jnp.argmax, truths)]

    return places


@operation
def _extremes_of_plateaus(d: Draw) -> Callable[..., Any]:
    """What a reduction begins with, and which of several NaNs is first: rows of one number, and of few."""
    x = d.array("ffiu", domain="special plateaus", rank=d.pick("rank", (1, 2, 3)), least=1)
    axis = d.axis(x)
    d.like(x, domain="special")

    def extremes(x: Any) -> Any:
        yield from (_lax.argmax(x, axis, np.int32), _lax.argmin(x, axis, np.int32))
        yield from (
            jnp.max(x, axis),
            jnp.min(x, axis),
            _lax.cummax(x, axis),
            _lax.cummin(x, axis, reverse=True),
        )
        if not jnp.issubdtype(x.dtype, jnp.floating):
            yield from (_lax.reduce_and(x, (axis,)), _lax.reduce_or(x, (axis,)), _lax.reduce_xor(x, (axis,)))

    return lambda *arrays: [list(extremes(x)) for x in arrays]


#: Computations of `lax.reduce` of one operand: the identity, and what combines two.
MONOIDS: dict[str, tuple[float, Callable[..., Any]]] = {
    "add": (0, lax.add),
    "mul": (1, lax.mul),
    "max": (-100, lax.max),
    "min": (100, lax.min),
    "any order": (0, lambda x, y: lax.add(lax.add(x, y), lax.mul(x, y))),
    "larger magnitude": (0, lambda x, y: jnp.where(jnp.abs(x) > jnp.abs(y), x, y)),
}


@operation
def _reduce(d: Draw) -> Callable[..., Any]:
    x = d.array("fi", domain="ties")
    start, combine = MONOIDS[d.pick("monoid", tuple(MONOIDS))]
    first, axes = x.dtype.type(start), d.axes(x)
    return lambda x: lax.reduce(x, first, combine, axes)


@operation
def _reduce_of_two(d: Draw) -> Callable[..., Any]:
    """The largest value and its place, as argmax is written by hand."""
    x = d.array("fi", domain="ties", rank=d.pick("rank", (1, 2, 3)))
    axes = d.axes(x)

    def better(a: Any, b: Any) -> Any:
        first = (a[0] > b[0]) | ((a[0] == b[0]) & (a[1] < b[1]))
        return jnp.where(first, a[0], b[0]), jnp.where(first, a[1], b[1])

    def both(x: Any) -> Any:
        places = lax.iota(np.int32, x.size).reshape(x.shape)
        return lax.reduce((x, places), (x.dtype.type(-100), np.int32(2**30)), better, axes)

    return both


@operation
def _reduce_many_columns(d: Draw) -> Callable[..., Any]:
    """Along all axes but the last, which is longer than what is computed in one piece."""
    shape = (d.length(3), d.pick("columns", (513, 700, 1024, 1030)))
    d.array("fi", (2, *shape) if d.flag("two axes") else shape, domain="near one")
    function = d.pick("function", ("sum", "prod", "max", "min"))
    return lambda x: getattr(x, function)(axis=tuple(range(x.ndim - 1)))


@operation
def _reductions_of_one(d: Draw) -> Callable[..., Any]:
    """Several reductions of one array: kernels that could be one."""
    x = d.array("f", domain="plain", rank=d.pick("rank", (1, 2, 3)), least=1)
    axis, other = d.axis(x), d.axis(x)
    return lambda x: (
        x.sum(axis),
        (x * x).sum(other),
        x.max(axis),
        x - x.mean(axis, keepdims=True),
        x.argmin(other),
    )


@operation
def _segment_sum(d: Draw) -> Callable[..., Any]:
    x = d.array("fi", domain="plain", rank=d.pick("rank", (1, 2)), least=1)
    count = d.whole(1, 6)
    d.indices((x.shape[0],), 0, count - 1)
    return lambda x, segments: jax.ops.segment_sum(x, segments, num_segments=count)


#: Shapes about the sizes from which reductions are divided: rows of many blocks, many rows, both.
LARGE_SHAPES = (
    (100_003,),
    (3, 70_001),
    (70_001, 3),
    (513, 520),
    (9, 33_000),
    (2**18 + 1,),
    (40, 41, 200),
    (1025, 512),
)
LARGE_REDUCTIONS: dict[str, Callable[..., Any]] = {
    "sum": jnp.sum,
    "max": jnp.max,
    "min": jnp.min,
    "prod": lambda x, axis: jnp.prod(1 + x * x.dtype.type(1e-4), axis),
    "argmax": jnp.argmax,
    "mean": jnp.mean,
    "any": lambda x, axis: jnp.any(x > 3, axis),
    "all axes": lambda x, axis: jnp.sum(x),
    "cumulative maximum": lambda x, axis: lax.cummax(x, axis),
    "sum of squares": lambda x, axis: jnp.sum(x * x, axis),
}


@operation
def _reduce_large(d: Draw) -> Callable[..., Any]:
    x = d.array("ffi", d.pick("shape", LARGE_SHAPES), domain="plain")
    function, axis = LARGE_REDUCTIONS[d.pick("function", tuple(LARGE_REDUCTIONS))], d.axis(x)
    return lambda x: function(x, axis)
