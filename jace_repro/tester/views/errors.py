"""How two executions differ, element by element, in as little as a person can take in: a map, a histogram, a table."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from jace_repro.tester.numerics.compare import as_real, is_float, ulp_distance

_Array = np.ndarray[Any, Any]

#: A map has at most so many rows and columns; each cell of a coarser one has the largest error of its block.
MAX_CELLS = 64
#: Elements that are told one by one.
MAX_ELEMENTS = 16


@dataclass(frozen=True)
class OutputErrors:
    """How DaCe's output differs from XLA's.

    Attributes:
        output: its position among the flat outputs.
        shape, dtype: XLA's.
        size: elements.
        count: elements that differ.
        unmatched: those of them that are NaN or infinite on one side alone: they have no distance.
        unit: of the errors: "ULP", or "difference" where the dtype has no floats.
        largest: the largest distance.
        rows, columns: of the whole output as a matrix, before cells were joined.
        map: the errors, row by row; null for an unmatched element. A cell that no element is in is -1.
        histogram: how many elements are 0, 1, 2 to 3, 4 to 7, ... apart.
        elements: of those that are farthest apart, in order: index, XLA's value, DaCe's value and the distance (null:
            unmatched).
        mismatch: why they cannot be compared element by element, "" when they can.
    """

    output: int
    shape: tuple[int, ...]
    dtype: str
    size: int
    count: int = 0
    unmatched: int = 0
    unit: str = "ULP"
    largest: float = 0.0
    rows: int = 0
    columns: int = 0
    map: tuple[tuple[float | None, ...], ...] = ()
    histogram: tuple[int, ...] = ()
    elements: tuple[Mapping[str, Any], ...] = ()
    mismatch: str = ""

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> OutputErrors:
        """From the fields, as JSON has them."""
        table = tuple(tuple(row) for row in data["map"])
        parts = {name: tuple(data[name]) for name in ("shape", "histogram", "elements")}
        return cls(**{**data, **parts, "map": table})


def errors_of(output: int, xla: _Array, dace: _Array) -> OutputErrors:
    """How one output differs."""
    about = OutputErrors(output, xla.shape, xla.dtype.name, xla.size)
    if (xla.shape, xla.dtype) != (dace.shape, dace.dtype):
        told = f"XLA gives {xla.dtype.name}{list(xla.shape)}, DaCe {dace.dtype.name}{list(dace.shape)}"
        return OutputErrors(output, xla.shape, xla.dtype.name, xla.size, mismatch=told)
    if not xla.size:
        return about
    apart = _distance(xla, dace)
    unmatched, differs = np.isnan(apart), apart != 0
    finite = apart[~unmatched]
    grid = _grid(apart)
    return OutputErrors(
        output,
        xla.shape,
        xla.dtype.name,
        xla.size,
        count=int(differs.sum()),
        unmatched=int(unmatched.sum()),
        unit="ULP" if is_float(as_real(xla).dtype) else "difference",
        largest=float(finite.max(initial=0.0)),
        rows=grid.shape[0],
        columns=grid.shape[1],
        map=tuple(tuple(_cell(v) for v in row) for row in _coarse(grid)),
        histogram=_histogram(finite),
        elements=tuple(_element(xla, dace, apart, index) for index in _farthest(apart)),
    )


def _distance(xla: _Array, dace: _Array) -> _Array:
    """The distance of each element, 0 where both are the same; NaN where one side alone is NaN or infinite."""
    one, other = as_real(xla), as_real(dace)
    with np.errstate(all="ignore"):
        if is_float(one.dtype):
            same = (one == other) & (np.signbit(one) == np.signbit(other)) | (np.isnan(one) & np.isnan(other))
            finite = np.isfinite(one) & np.isfinite(other)
            apart = np.where(finite, ulp_distance(one, other), np.nan)
            apart = np.where(finite & ~same & (apart == 0), np.nan, apart)  # zeros of either sign
        else:
            same = one == other
            apart = np.abs(one.astype(np.float64) - other.astype(np.float64))
            apart = np.where(~same & (apart == 0), 1.0, apart)  # integers too large for float64
    apart = np.where(same, 0.0, apart)
    return apart.max(axis=-1) if xla.dtype.kind == "c" else apart


def _grid(apart: _Array) -> _Array:
    """The output as a matrix: its last dimension across; a long vector in rows, filled up with -1."""
    if apart.ndim >= 2:
        return apart.reshape(-1, apart.shape[-1]) if apart.shape[-1] else apart.reshape(1, -1)
    flat = apart.reshape(-1)
    columns = flat.size if flat.size <= MAX_CELLS else math.ceil(math.sqrt(flat.size))
    rows = math.ceil(flat.size / columns)
    return np.concatenate([flat, np.full(rows * columns - flat.size, -1.0)]).reshape(rows, columns)


def _coarse(grid: _Array) -> _Array:
    """The largest error of each block, so that there are few enough; an unmatched element counts as larger."""
    tall, wide = (math.ceil(extent / MAX_CELLS) for extent in grid.shape)
    if (tall, wide) == (1, 1):
        return grid
    rows, columns = (math.ceil(e / block) for e, block in zip(grid.shape, (tall, wide), strict=True))
    padded = np.full((rows * tall, columns * wide), -1.0)
    padded[: grid.shape[0], : grid.shape[1]] = np.where(np.isnan(grid), np.inf, grid)
    largest = padded.reshape(rows, tall, columns, wide).max(axis=(1, 3))
    return np.where(np.isinf(largest), np.nan, largest)


def _farthest(apart: _Array) -> list[tuple[int, ...]]:
    """The indices of the elements that are told."""
    places = np.argwhere(apart != 0)
    distances = np.where(np.isnan(apart), np.inf, apart)[apart != 0]
    chosen = np.argsort(-distances, kind="stable")[:MAX_ELEMENTS]
    return sorted(tuple(int(i) for i in places[k]) for k in chosen)


def _cell(value: float) -> float | None:
    return None if math.isnan(value) else float(f"{value:.4g}")


def _histogram(apart: _Array) -> tuple[int, ...]:
    with np.errstate(divide="ignore"):
        bins = np.where(apart == 0, 0, np.floor(np.log2(np.maximum(apart, 1.0))) + 1).astype(int)
    return tuple(int(count) for count in np.bincount(bins)) if bins.size else ()


def _element(xla: _Array, dace: _Array, apart: _Array, at: tuple[int, ...]) -> dict[str, Any]:
    return {
        "index": list(at),
        "xla": str(xla[at]),
        "dace": str(dace[at]),
        "apart": None if np.isnan(apart[at]) else float(apart[at]),
    }
