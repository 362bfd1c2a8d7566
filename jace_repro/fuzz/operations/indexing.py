"""Operations that look up and write elements by computed indices."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax.numpy as jnp
from jax import lax

from jace_repro.fuzz.draw import Draw, Operand, dtype_of
from jace_repro.fuzz.operations.registry import Operation, add, operation

_lax: Any = lax
_ANY = "fciub"
_MODES = ("clip", "fill", "promise_in_bounds", None)
#: How elements that are written join those that are there: the classes of dtypes.
UPDATES = {
    "set": "fciub",
    "add": "ffci",
    "subtract": "fci",
    "multiply": "fci",
    "min": "fi",
    "max": "fi",
    "divide": "f",
    "power": "f",
}


@operation
def _dynamic_slice(d: Draw) -> Callable[..., Any]:
    x = d.array(_ANY)
    sizes = [d.whole(0, n) for n in x.shape]
    return _at_starts(d, x, lambda x, starts: lax.dynamic_slice(x, starts, sizes))


@operation
def _dynamic_update_slice(d: Draw) -> Callable[..., Any]:
    x = d.array(_ANY)
    d.array(shape=tuple(d.whole(0, n) for n in x.shape), dtype=x.dtype)
    update = _at_starts(d, x, lambda x, u, starts: lax.dynamic_update_slice(x, u, starts))
    also = d.pick("also", ("nothing", "operand", "operand reversed"))

    def both(x: Any, *rest: Any) -> Any:
        done = update(x, *rest)
        return (
            done
            if also == "nothing"
            else (done, x)
            if also == "operand"
            else (done, x[::-1] if x.ndim else x)
        )

    return both


def _at_starts(d: Draw, x: Operand, function: Callable[..., Any]) -> Callable[..., Any]:
    """`function(*arrays, starts)` of the operands so far, and a start for each axis of x asked for after them."""
    asked = len(d.operands)
    for size in x.shape:
        d.indices((), 0, max(size - 1, 0))
        d.operands[-1] = Operand(
            (), d.operands[asked].dtype, d.operands[-1].domain, "", d.operands[-1].bounds
        )
    return lambda *arrays: function(*arrays[:asked], list(arrays[asked:]))


@operation
def _take(d: Draw) -> Callable[..., Any]:
    x = d.array(_ANY, rank=d.pick("rank", (1, 2, 3)), least=1)
    axis = d.axis(x)
    d.indices(d.shape(d.pick("rank of indices", (0, 1, 2)), large=False), 0, x.shape[axis] - 1)
    mode: Any = d.pick("mode", ("clip", "fill", "wrap", None))
    return lambda x, i: jnp.take(x, i, axis, mode=mode)


@operation
def _take_along_axis(d: Draw) -> Callable[..., Any]:
    x = d.array(_ANY, rank=d.pick("rank", (1, 2, 3)), least=1)
    axis = d.axis(x)
    shape = tuple(d.length(1) if k == axis else n for k, n in enumerate(x.shape))
    d.indices(shape, 0, x.shape[axis] - 1)
    mode: Any = d.pick("mode", ("clip", "fill", None))
    return lambda x, i: jnp.take_along_axis(x, i, axis, mode=mode)


def _indexed(d: Draw) -> tuple[Operand, Callable[[list[Any]], Any], tuple[int, ...]]:
    """An array, how it is indexed by further operands, and the shape of what that selects."""
    x = d.array(_ANY, rank=d.pick("rank", (1, 2, 3)), least=1)
    common = d.shape(d.pick("rank of indices", (0, 1, 1, 2)), large=False)
    key: list[Any] = []
    how = [d.pick("index", ("array", "slice", "array", "all", "reversed")) for _ in x.shape]
    if "array" not in how:
        how[0] = "array"
    for kind, size in zip(how, x.shape, strict=True):
        if kind == "array":
            d.indices(common, -size if d.flag("negative") else 0, size - 1)
            key.append(None)
        else:
            key.append({"slice": slice(1, None), "all": slice(None), "reversed": slice(None, None, -1)}[kind])
    count = how.count("array")

    def index(arrays: list[Any]) -> Any:
        found = iter(arrays[:count])
        return tuple(next(found) if k is None else k for k in key)

    return x, index, (count,)


@operation
def _gather(d: Draw) -> Callable[..., Any]:
    _, index, _ = _indexed(d)
    mode: Any = d.pick("mode", _MODES)
    fill = d.pick("fill", (None, 7))
    named = {"mode": mode, **({"fill_value": fill} if mode == "fill" else {})}
    return lambda x, *arrays: x.at[index(list(arrays))].get(**named)


def _update(name: str, classes: str) -> Operation:
    def make(d: Draw) -> Callable[..., Any]:
        x, index, (count,) = _indexed(d)
        dtype = x.dtype if x.dtype.kind in classes else d.dtype(classes)
        d.operands[0] = Operand(
            x.shape, dtype, "near one" if name in ("multiply", "divide", "power") else "plain"
        )
        mode: Any = d.pick("mode", _MODES)
        scalar = d.flag("scalar update")
        also = d.pick("also", ("nothing", "operand", "sum"))
        number = d.pick("number", (2, 0, -3) if name != "power" else (2, 1, 3))

        def write(x: Any, *arrays: Any) -> Any:
            at = index(list(arrays[:count]))
            selected = x.at[at].get(mode="clip")
            value = x.dtype.type(number % 3 if x.dtype.kind in "ub" else number)
            new = (
                value if scalar else selected * value + x.dtype.type(1) if x.dtype.kind != "b" else ~selected
            )
            done = getattr(x.at[at], name)(new, mode=mode)
            return {"nothing": done, "operand": (done, x), "sum": (done, done.sum())}[also]

        return write

    return make


for _name, _classes in UPDATES.items():
    add(f"scatter_{_name}", _update(_name, _classes))


@operation
def _scatter_of_windows(d: Draw) -> Callable[..., Any]:
    """lax.scatter with windows, batching dimensions and flags, as its transposes and vmap make it."""
    name = d.pick(
        "function", ("scatter", "scatter_add", "scatter_mul", "scatter_min", "scatter_max", "scatter_sub")
    )
    batch = d.pick("batch", (0, 0, 1))
    batches = (d.whole(1, 3),) * batch
    lengths = (d.length(2, 8), d.length(2, 8))
    x = d.array("ffi", (*batches, *lengths), domain="near one" if name == "scatter_mul" else "plain")
    window = (d.whole(1, lengths[0]), d.whole(1, lengths[1]))
    inserted = d.flag("inserted")
    if inserted:
        window = (1, window[1])
    count = d.whole(0 if d.rarely(8) else 1, 4)
    d.indices((*batches, count, 2), 0, min(lengths) - 1)
    d.array(
        shape=(*batches, count, *window[inserted:]),
        dtype=x.dtype,
        domain="near one" if name == "scatter_mul" else "plain",
    )
    update_window = tuple(range(batch + 1, batch + 3 - inserted))
    numbers = lax.ScatterDimensionNumbers(
        update_window_dims=update_window,
        inserted_window_dims=(batch,) if inserted else (),
        scatter_dims_to_operand_dims=(batch, batch + 1),
        operand_batching_dims=(0,) * batch,
        scatter_indices_batching_dims=(0,) * batch,
    )
    mode = d.pick("mode", ("clip", "fill", "promise_in_bounds"))
    return lambda x, i, u: getattr(_lax, name)(x, i, u, numbers, mode=mode)


@operation
def _gather_of_windows(d: Draw) -> Callable[..., Any]:
    """lax.gather with windows, batching dimensions and modes."""
    batch = d.pick("batch", (0, 0, 1))
    batches = (d.whole(1, 3),) * batch
    lengths = (d.length(2, 8), d.length(2, 8))
    d.array(_ANY, (*batches, *lengths))
    window = (d.whole(1, lengths[0]), d.whole(1, lengths[1]))
    collapsed = d.flag("collapsed")
    if collapsed:
        window = (1, window[1])
    count = d.whole(0 if d.rarely(8) else 1, 4)
    d.indices((*batches, count, 2), 0, min(lengths) - 1)
    numbers = lax.GatherDimensionNumbers(
        offset_dims=tuple(range(batch + 1, batch + 3 - collapsed)),
        collapsed_slice_dims=(batch,) if collapsed else (),
        start_index_map=(batch, batch + 1),
        operand_batching_dims=(0,) * batch,
        start_indices_batching_dims=(0,) * batch,
    )
    mode = d.pick("mode", ("clip", "fill", "promise_in_bounds"))
    sizes = ((1,) * batch) + window
    return lambda x, i: lax.gather(x, i, numbers, sizes, mode=mode)


@operation
def _far_indices(d: Draw) -> Callable[..., Any]:
    """Indices most of which are far beyond the ends, in all that looks up and writes."""
    x = d.array(_ANY, d.shape(d.pick("rank", (1, 2)), least=2, large=False))
    names = ("uint32", "int32", "int8", "uint8", *(("int64", "uint64") * d.x64))
    dtype = dtype_of(d.pick("index dtype", names))
    d.array(shape=(8,), dtype=dtype, domain="indices far beyond", bounds=(0, x.shape[0] - 1))
    size = d.whole(1, x.shape[0])

    def run(x: Any, indices: Any) -> Any:
        for mode in ("clip", "fill"):
            yield from (x.at[indices].get(mode=mode), x.at[indices[:3]].set(x[::-1][:1], mode=mode))
        yield from (jnp.take(x, indices, 0), jnp.take(x, indices, 0, mode="wrap"), x[indices[1]])
        yield from (lax.dynamic_index_in_dim(x, i) for i in indices)
        yield lax.dynamic_update_slice_in_dim(x, x[::-1][:size], indices[0], 0)
        yield lax.dynamic_slice_in_dim(x, indices[2], size)

    return lambda x, indices: list(run(x, indices))


@operation
def _in_place(d: Draw) -> Callable[..., Any]:
    """Updates that read what they overwrite, one after the other."""
    x = d.array("fi", rank=d.pick("rank", (1, 2)), least=2, domain="plain")
    steps = [d.pick("step", ("shift", "mirror", "swap", "smooth", "add")) for _ in range(d.whole(1, 3))]
    last = max(x.shape[0] - 1, 0)
    keep = d.flag("keep the first")

    def step(how: str, x: Any) -> Any:
        if how == "shift":
            return x.at[1:].set(x[:-1])
        if how == "mirror":
            return x.at[: x.shape[0] // 2].set(x[::-1][: x.shape[0] // 2])
        if how == "swap":
            return x.at[0].set(x[last]).at[last].set(x[0])
        if how == "smooth":
            return x.at[1:-1].set(x[:-2] + x[2:] - x[1:-1])
        return x.at[1:].add(x[:-1])

    def run(x: Any) -> Any:
        y = x
        for how in steps:
            y = step(how, y)
        return (x, y) if keep else y

    return run


@operation
def _scatter_apply(d: Draw) -> Callable[..., Any]:
    """A function of the program's own applied to some elements; JAX wants it without arrays of its own."""
    x = d.array("fi", rank=d.pick("rank", (1, 2)), least=2, domain="plain")
    d.indices((d.whole(1, 4),), 0, max(x.shape[0] - 1, 0))
    function = d.pick("function", (lambda v: v * 2 + 1, jnp.sign, lambda v: jnp.where(v > 0, v, -v) * v))
    return lambda x, i: x.at[i].apply(function)


@operation
def _searchsorted(d: Draw) -> Callable[..., Any]:
    x = d.array("fi", rank=1, least=1, domain="sorted")
    d.array(shape=d.shape(1, large=False), dtype=x.dtype, domain="ties")
    side = d.pick("side", ("left", "right"))
    method = d.pick("method", ("scan", "sort", "compare_all"))
    return lambda x, v: jnp.searchsorted(x, v, side=side, method=method)
