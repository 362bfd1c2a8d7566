"""Matrix products through BLAS: the one place that decides when, and how arrays are seen as matrices.

BLAS (SciPy's, `jace.build.externals`) multiplies f32, f64, complex64 and complex128. Loops of our own are as fast for
small products and for products with a vector.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from jace.dtypes import ctype
from jace.plan import Emitter, Planner, Ref
from jace.plan.emit import Index
from jace.plan.index import ZERO, Ix
from jace.rules.combining import convert

_FUNCTIONS = {"float32": "sgemm", "float64": "dgemm", "complex64": "cgemm", "complex128": "zgemm"}
#: Multiplications from which BLAS is faster than a loop (its call and its packing cost about a microsecond).
MIN_WORK = 1 << 14
#: Multiplications up to which OpenBLAS stays on one thread (65536 GEMM_MULTITHREAD_THRESHOLD, which is 4).
ONE_THREAD_WORK = 1 << 18
#: Multiplications of a batch from which threads of ours pay.
PARALLEL_WORK = 1 << 21
#: A product with fewer rows or columns is one with a vector or nearly so: limited by memory.
MIN_SIDE = 4
_INT_MAX = 2**31 - 1


def worthwhile(dtype: np.dtype[Any], rows: int, columns: int, depth: int) -> bool:
    """Whether the product of a rows x depth and a depth x columns matrix of `dtype` is left to BLAS."""
    big = min(rows, columns) >= MIN_SIDE and rows * columns * depth >= MIN_WORK
    fits = max(rows * depth, depth * columns, rows * columns) <= _INT_MAX
    return dtype.name in _FUNCTIONS and big and fits


@dataclass(frozen=True)
class View:
    """An array as matrices.

    Attributes:
        which: dimensions that choose the matrix.
        rows, columns: dimensions that are its rows and columns, the first slowest.
    """

    ref: Ref
    which: tuple[int, ...]
    rows: tuple[int, ...]
    columns: tuple[int, ...]

    def extent(self, dims: Sequence[int]) -> int:
        """Number of elements along dimensions taken as one."""
        return math.prod(self.ref.shape[d] for d in dims)


@dataclass(frozen=True)
class Matrix:
    """A matrix in memory that BLAS takes: stored by rows `leading` elements apart, or `turned`, by columns."""

    pointer: str
    leading: int
    turned: bool = False

    def moved(self, row: Ix = ZERO, column: Ix = ZERO) -> Matrix:
        """The matrix that begins at a row and column of this one."""
        steps = (1, self.leading) if self.turned else (self.leading, 1)
        return replace(self, pointer=f"{self.pointer} + {row * steps[0] + column * steps[1]}")


def _stride(ref: Ref, dims: Sequence[int]) -> int | None:
    """Stride of dimensions taken as one, the first slowest (0: they have one element); None if they cannot be."""
    strides = ref.buffer.strides[len(ref.prefix) :]
    merged, reach = 0, 0
    for d in reversed([d for d in dims if ref.shape[d] != 1]):
        if merged and strides[d] != reach:
            return None
        merged = merged or strides[d]
        reach = strides[d] * ref.shape[d]
    return merged


def _layout(view: View) -> tuple[int, bool] | None:
    """(leading, turned) of the matrices of a view, or None if BLAS cannot take them as they are."""
    between_rows, between_columns = _stride(view.ref, view.rows), _stride(view.ref, view.columns)
    rows, columns = view.extent(view.rows), view.extent(view.columns)
    if between_rows is None or between_columns is None:
        return None
    if (between_columns == 1 or columns == 1) and (between_rows >= columns or rows == 1):
        return max(between_rows, columns), False
    if (between_rows == 1 or rows == 1) and (between_columns >= rows or columns == 1):
        return max(between_columns, rows), True
    return None


def fits(view: View, dtype: np.dtype[Any]) -> bool:
    """Whether BLAS can take the matrices of a view as matrices of `dtype` where they are."""
    return view.ref.dtype == dtype and _layout(view) is not None


def prepared(planner: Planner, view: View, dtype: np.dtype[Any]) -> View:
    """The view, or one of a copy that BLAS can take: converted, dimensions in the order which, rows, columns."""
    if fits(view, dtype):
        return view
    ref = view.ref
    order = (*view.which, *view.rows, *view.columns)
    copy = planner.temp([ref.shape[d] for d in order], dtype)

    def pack(em: Emitter, index: Index) -> None:
        source = tuple(index[order.index(d)] for d in range(len(order)))
        value = convert(ref.dtype, dtype, em.load(ref, source))
        em.line(f"w_{copy.buffer.name}[{copy.address(index)}] = {value};")

    planner.kernel("pack", copy.shape, pack, writes=[copy], independent=True)
    dims = iter(range(len(order)))
    return View(copy, *(tuple(itertools.islice(dims, len(d))) for d in (view.which, view.rows, view.columns)))


def matrix(view: View, which: Index, pointer: str) -> Matrix:
    """One matrix of a view that `fits`.

    Args:
        which: index in the dimensions `view.which`.
        pointer: C++ pointer to the buffer.
    """
    layout = _layout(view)
    assert layout is not None
    chosen = dict(zip(view.which, which, strict=True))
    place = tuple(chosen.get(d, ZERO) for d in range(len(view.ref.shape)))
    return Matrix(f"{pointer} + {view.ref.address(place)}", *layout)


def emit_product(
    em: Emitter, dtype: np.dtype[Any], sizes: tuple[int | str, int, int], a: Matrix, b: Matrix, c: Matrix
) -> None:
    """Emit c = a b; `sizes` are the rows of a and c (perhaps a C++ name), the columns of b and c, and the depth."""
    rows, columns, depth = sizes
    if c.turned:  # as rows of the transpose
        rows, columns = columns, rows
        a, b = replace(b, turned=not b.turned), replace(a, turned=not a.turned)
    T = ctype(dtype)
    operands = ", ".join(f"(const {T}*)({m.pointer}), {str(m.turned).lower()}, {m.leading}" for m in (a, b))
    function = em.fresh("gemm")
    em.statics.append(f'static void* const {function} = jace_external("blas/{_FUNCTIONS[dtype.name]}");')
    em.line(
        f"jace::blas::gemm<{T}>({function}, {rows}, {columns}, {depth}, {operands}, {c.pointer}, {c.leading});"
    )


def product(planner: Planner, label: str, a: View, b: View, out: Ref) -> None:
    """`out` = the products of the matrices of `a` and `b`, which are `prepared`; `out` lists which, rows, columns."""
    sizes = (a.extent(a.rows), b.extent(b.columns), a.extent(a.columns))
    batch = [a.ref.shape[d] for d in a.which]

    def body(em: Emitter, index: Index) -> None:
        place: tuple[Ix, ...] = (*index, *(ZERO for _ in out.shape[len(index) :]))
        result = Matrix(f"w_{out.buffer.name} + {out.address(place)}", sizes[1])
        left, right = (matrix(v, index, em.pointer(v.ref.buffer)) for v in (a, b))
        emit_product(em, out.dtype, sizes, left, right, result)

    work = math.prod(sizes)
    parallel = work <= ONE_THREAD_WORK and work * math.prod(batch) >= PARALLEL_WORK
    planner.kernel(label, batch, body, writes=[out], parallel=parallel)


def store_converted(planner: Planner, source: Ref, target: Ref, order: Sequence[int] | None = None) -> None:
    """`target = source`, converted; dimension d of the target is dimension `order[d]` of the source."""
    dims = list(order) if order is not None else list(range(len(target.shape)))

    def store(em: Emitter, index: Index) -> None:
        value = em.load(source, tuple(index[dims.index(d)] for d in range(len(dims))))
        em.line(
            f"w_{target.buffer.name}[{target.address(index)}] = {convert(source.dtype, target.dtype, value)};"
        )

    planner.kernel("store", target.shape, store, writes=[target], independent=True)
