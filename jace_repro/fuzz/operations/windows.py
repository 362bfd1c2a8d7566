"""Windows that slide over an array, and convolutions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from jax import lax

from jace_repro.fuzz.draw import Draw, Operand, dtype_of
from jace_repro.fuzz.operations.reduction import MONOIDS
from jace_repro.fuzz.operations.registry import operation

_lax: Any = lax


def _window(d: Draw, x: Operand, *, dilated: bool) -> dict[str, Any]:
    """The window of a reduction: sizes, strides, padding and, where `dilated`, dilations."""
    sizes = [d.pick("window", (1, 2, 3, 4)) for _ in x.shape]
    found: dict[str, Any] = {
        "window_dimensions": tuple(sizes),
        "window_strides": tuple(d.pick("stride", (1, 1, 2, 3)) for _ in x.shape),
        "padding": tuple((d.pick("low", (0, 1, 2)), d.pick("high", (0, 1, 3))) for _ in x.shape),
    }
    if d.flag("padding by name"):
        found["padding"] = d.pick("padding", ("SAME", "VALID"))
    if dilated:
        found["base_dilation"] = tuple(d.pick("base dilation", (1, 1, 2, 3)) for _ in x.shape)
        found["window_dilation"] = tuple(d.pick("window dilation", (1, 1, 2, 3)) for _ in x.shape)
    return found


@operation
def _reduce_window(d: Draw) -> Callable[..., Any]:
    name = d.pick("monoid", ("add", "max", "min", "mul", *MONOIDS))
    start, combine = MONOIDS[name]
    domain = "near one" if name == "mul" else "plain" if name == "add" else "ties"
    x = d.array("fi", domain=domain, rank=d.pick("rank", (1, 2, 3)))
    first: Any = x.dtype.type(start)
    if name in ("max", "min") and d.flag("identity"):
        if x.dtype.kind == "i":
            info = np.iinfo(x.dtype)
            first = x.dtype.type(info.min if name == "max" else info.max)
        else:
            first = x.dtype.type(-np.inf if name == "max" else np.inf)
    window = _window(d, x, dilated=d.flag("dilated"))
    return lambda x: lax.reduce_window(x, first, combine, **window)


@operation
def _reduce_window_of_two(d: Draw) -> Callable[..., Any]:
    x = d.array("f", domain="ties", rank=d.pick("rank", (1, 2)))
    d.like(x)
    window = _window(d, x, dilated=d.flag("dilated"))
    zero = x.dtype.type(0)

    def combine(a: Any, b: Any) -> Any:
        return lax.add(a[0], b[0]), lax.max(a[1], b[1])

    return lambda x, y: lax.reduce_window((x, y), (zero, zero), combine, **window)


@operation
def _select_and_scatter_add(d: Draw) -> Callable[..., Any]:
    """What the gradient of a maximum over windows is."""
    x = d.array("f", domain=d.pick("values", ("plain", "ties")), rank=d.pick("rank", (1, 2, 3)), least=1)
    window = _window(d, x, dilated=False)
    select = d.pick("select", (lax.max, lax.min))
    first = x.dtype.type(-np.inf if select is lax.max else np.inf)

    def pooled(x: Any) -> Any:
        return lax.reduce_window(x, first, select, **window)

    def gradient(x: Any) -> Any:
        import jax

        out, back = jax.vjp(pooled, x)
        return back(out * 0 + 1)

    return gradient


@operation
def _conv_general_dilated(d: Draw) -> Callable[..., Any]:
    spatial = d.pick("spatial axes", (0, 1, 1, 2, 2, 3))
    groups, batches = d.pick("groups", ((1, 1), (1, 1), (1, 1), (2, 1), (3, 1), (1, 2), (1, 3)))
    channels, features = d.whole(1, 3), d.whole(1, 3)
    batch = batches * d.whole(1, 2)
    dtype = d.dtype("ffci")
    lhs = [batch, channels * groups, *(d.length(1, 9) for _ in range(spatial))]
    rhs = [features * groups * batches, channels, *(d.pick("kernel", (1, 2, 3)) for _ in range(spatial))]
    numbers = (
        [d.permutation(spatial + 2) for _ in range(3)]
        if d.flag("dimension numbers")
        else [tuple(range(spatial + 2))] * 3
    )
    shapes = [_placed(lhs, numbers[0]), _placed(rhs, numbers[1])]
    for shape in shapes:
        d.array(shape=shape, dtype=dtype, domain="plain")
    padding: Any = tuple((d.pick("low", (0, 1, 2, -1)), d.pick("high", (0, 1, 3))) for _ in range(spatial))
    if d.flag("padding by name"):
        padding = d.pick("padding", ("SAME", "VALID"))
    named: dict[str, Any] = {
        "window_strides": tuple(d.pick("stride", (1, 1, 2, 3)) for _ in range(spatial)),
        "padding": padding,
        "feature_group_count": groups,
        "batch_group_count": batches,
        "dimension_numbers": lax.ConvDimensionNumbers(*numbers),
    }
    if d.flag("dilated") and not isinstance(padding, str):
        named["lhs_dilation"] = tuple(d.pick("lhs dilation", (1, 2, 3)) for _ in range(spatial))
        named["rhs_dilation"] = tuple(d.pick("rhs dilation", (1, 2)) for _ in range(spatial))
    if dtype.kind == "f" and d.flag("preferred"):
        named["preferred_element_type"] = dtype_of("float32") if not d.x64 else dtype_of("float64")
    return lambda x, y: lax.conv_general_dilated(x, y, **named)


def _placed(sizes: list[int], order: tuple[int, ...]) -> tuple[int, ...]:
    """The shape in which the k-th of `sizes` is at place order[k]."""
    shape = [0] * len(sizes)
    for size, place in zip(sizes, order, strict=True):
        shape[place] = size
    return tuple(shape)


@operation
def _window_large(d: Draw) -> Callable[..., Any]:
    """Windows with more elements than are written out one by one."""
    x = d.array("f", d.pick("shape", ((40,), (9, 40), (12, 12), (2, 9, 11))), domain="ties")
    name = d.pick("monoid", ("add", "max", "min"))
    start, combine = MONOIDS[name]
    sizes = {1: (17,), 2: (5, 5), 3: (2, 4, 3)}[x.rank]
    padding = d.pick("padding", ("SAME", "VALID"))
    strides = tuple(d.pick("stride", (1, 2)) for _ in x.shape)
    first = x.dtype.type(start)
    return lambda x: lax.reduce_window(x, first, combine, sizes, strides, padding)


@operation
def _conv_large(d: Draw) -> Callable[..., Any]:
    """Convolutions that are worth a product of matrices."""
    dtype = d.dtype("ffc")
    groups = d.pick("groups", (1, 1, 2))
    channels, features = groups * d.pick("channels", (4, 8, 16)), groups * d.pick("features", (4, 8, 17))
    kernel, size = d.pick("kernel", (1, 3, 5)), d.pick("size", (8, 14, 33))
    last = d.flag("channels last")
    shape = (d.whole(1, 3), size, size, channels) if last else (d.whole(1, 3), channels, size, size)
    d.array(shape=shape, dtype=dtype, domain="plain")
    shape = (
        (kernel, kernel, channels // groups, features)
        if last
        else (features, channels // groups, kernel, kernel)
    )
    d.array(shape=shape, dtype=dtype, domain="plain")
    strides = (d.pick("stride", (1, 2)),) * 2
    padding = d.pick("padding", ("SAME", "VALID"))
    numbers = ("NHWC", "HWIO", "NHWC") if last else ("NCHW", "OIHW", "NCHW")
    return lambda x, y: lax.conv_general_dilated(
        x, y, strides, padding, dimension_numbers=numbers, feature_group_count=groups
    )
