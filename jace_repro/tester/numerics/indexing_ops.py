"""Gather, scatter and their kin in NumPy, with XLA's treatment of indices that are out of bounds.

Every function takes the parameters of the primitive and NumPy arrays, and gives one array.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from jax.lax import GatherScatterMode

_Array = Any


def _positions(indices: _Array) -> _Array:
    """Indices as int64; unsigned ones beyond its range are as far out of bounds as others."""
    if indices.dtype.kind == "u":
        return np.minimum(indices, np.uint64(1 << 62)).astype(np.int64)
    return indices.astype(np.int64)


def _starts(
    shape: Sequence[int], indices: _Array, mapped: Sequence[int], batching: Sequence[int], rows: Sequence[int]
) -> _Array:
    """Per window the index at which it starts in each dimension of the operand."""
    windows = indices.shape[:-1]
    starts = np.zeros((*windows, len(shape)), np.int64)
    for position, dimension in enumerate(mapped):
        starts[..., dimension] = _positions(indices)[..., position]
    for dimension, row in zip(batching, rows, strict=True):
        where = [1] * len(windows)
        where[row] = windows[row]
        starts[..., dimension] = np.arange(windows[row]).reshape(where)
    return starts


def _grid(starts: _Array, sizes: Sequence[int], window: Sequence[int]) -> list[_Array]:
    """Per dimension of the operand its index at every (window, place in the window)."""
    batch = starts.shape[:-1]
    grid = []
    for dimension in range(starts.shape[-1]):
        index = starts[..., dimension].reshape((*batch, *([1] * len(window))))
        if dimension in window:
            place = [1] * len(window)
            place[list(window).index(dimension)] = sizes[dimension]
            index = index + np.arange(sizes[dimension]).reshape((1,) * len(batch) + tuple(place))
        grid.append(index)
    return list(np.broadcast_arrays(*grid)) if grid else []


def _fill_value(given: Any, dtype: np.dtype[Any]) -> Any:
    if given is not None:
        return given
    if dtype.kind == "b":
        return True
    if dtype.kind in "iu":
        return np.iinfo(dtype).min if dtype.kind == "i" else np.iinfo(dtype).max
    return np.nan


def gather(p: Mapping[str, Any], operand: _Array, indices: _Array) -> _Array:
    """`lax.gather_p`: clamped, or filled where the window leaves the operand."""
    d, sizes = p["dimension_numbers"], p["slice_sizes"]
    batching, rows = d.operand_batching_dims, d.start_indices_batching_dims
    window = [i for i in range(operand.ndim) if i not in d.collapsed_slice_dims and i not in batching]
    starts = _starts(operand.shape, indices, d.start_index_map, batching, rows)
    limits = np.array(operand.shape, np.int64) - np.array(sizes, np.int64)
    inside = np.all((starts >= 0) & (starts <= limits), axis=-1)
    taken = operand[tuple(_grid(np.clip(starts, 0, limits), sizes, window))]
    if p["mode"] == GatherScatterMode.FILL_OR_DROP:
        kept = inside.reshape((*inside.shape, *([1] * len(window))))
        taken = np.where(kept, taken, np.asarray(_fill_value(p["fill_value"], operand.dtype), operand.dtype))
    outer = [i for i in range(taken.ndim) if i not in d.offset_dims]
    return np.moveaxis(taken, range(taken.ndim), (*outer, *d.offset_dims))


def scatter(combine: Callable[[_Array, _Array, _Array], None]) -> Callable[..., _Array]:
    """A scatter that does `combine(flat operand, places, values)` on the places in bounds, in XLA's order."""

    def run(p: Mapping[str, Any], operand: _Array, indices: _Array, updates: _Array) -> _Array:
        d = p["dimension_numbers"]
        batching, rows = d.operand_batching_dims, d.scatter_indices_batching_dims
        window = [i for i in range(operand.ndim) if i not in d.inserted_window_dims and i not in batching]
        sizes = [1] * operand.ndim
        for dimension, source in zip(window, d.update_window_dims, strict=True):
            sizes[dimension] = updates.shape[source]
        starts = _starts(operand.shape, indices, d.scatter_dims_to_operand_dims, batching, rows)
        limits = np.array(operand.shape, np.int64) - np.array(sizes, np.int64)
        if p["mode"] == GatherScatterMode.CLIP:
            starts = np.clip(starts, 0, limits)
        inside = np.all((starts >= 0) & (starts <= limits), axis=-1)  # a window that leaves is dropped whole
        outer = [i for i in range(updates.ndim) if i not in d.update_window_dims]
        values = np.transpose(updates, (*outer, *d.update_window_dims))
        kept = np.broadcast_to(inside.reshape((*inside.shape, *([1] * len(window)))), values.shape)
        result = np.array(operand, copy=True, order="C")
        if operand.ndim == 0:
            places = np.zeros(values.shape, np.int64)
        else:
            grid = _grid(np.clip(starts, 0, np.maximum(limits, 0)), sizes, window)
            places = (
                np.ravel_multi_index(tuple(grid), operand.shape)
                if operand.size
                else np.zeros(values.shape, np.int64)
            )
        combine(result.reshape(-1), places[kept], values[kept])
        return result

    return run


def assign(flat: _Array, places: _Array, values: _Array) -> None:
    """The last of several values for one place stays."""
    order = np.arange(len(places))
    last = np.full(len(flat), -1, np.int64)
    np.maximum.at(last, places, order)
    hit = last >= 0
    flat[hit] = values[last[hit]]


def accumulate(ufunc: Any) -> Callable[[_Array, _Array, _Array], None]:
    """Each value is combined with what is there."""
    return lambda flat, places, values: ufunc.at(flat, places, values)


def dynamic_slice(p: Mapping[str, Any], operand: _Array, *starts: _Array) -> _Array:
    """`lax.dynamic_slice_p`: the start is clamped."""
    sizes = p["slice_sizes"]
    return operand[_clamped(operand.shape, starts, sizes)]


def dynamic_update_slice(p: Mapping[str, Any], operand: _Array, update: _Array, *starts: _Array) -> _Array:
    """`lax.dynamic_update_slice_p`: the start is clamped."""
    result = np.array(operand, copy=True)
    result[_clamped(operand.shape, starts, update.shape)] = update
    return result


def _clamped(shape: Sequence[int], starts: Sequence[_Array], sizes: Sequence[int]) -> tuple[slice, ...]:
    first = [
        min(max(int(start), 0), whole - size) for whole, start, size in zip(shape, starts, sizes, strict=True)
    ]
    return tuple(slice(a, a + size) for a, size in zip(first, sizes, strict=True))


def pad(p: Mapping[str, Any], operand: _Array, value: _Array) -> _Array:
    """`lax.pad_p`: negative amounts cut, interior ones spread."""
    shape = [
        max(int(low) + int(high) + n + max(n - 1, 0) * int(inner), 0)
        for n, (low, high, inner) in zip(operand.shape, p["padding_config"], strict=True)
    ]
    result = np.full(shape, value, operand.dtype)
    source, target = [], []
    for n, whole, (low, _, inner) in zip(operand.shape, shape, p["padding_config"], strict=True):
        places = int(low) + np.arange(n) * (int(inner) + 1)
        kept = (places >= 0) & (places < whole)
        source.append(np.flatnonzero(kept))
        target.append(places[kept])
    if operand.ndim == 0:
        return np.array(operand, copy=True)
    result[np.ix_(*target)] = operand[np.ix_(*source)]
    return result
