"""Elements that go from one place to another."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from jax.extend.core import ClosedJaxpr

from jace.ir.core import Atom
from jace.plan import Emitter
from jace.plan.emit import Index
from jace.plan.index import ZERO, Ix
from jace.rules.operations.base import Operation


@dataclass(frozen=True, eq=False)
class Slice(Operation):
    """A part of an array.

    Attributes:
        begin: the first index along each dimension: a number, or an integer element that is clamped such that the
            part lies within.
        steps: from an element to the next.
    """

    operand: Atom
    begin: tuple[int | Atom, ...]
    steps: tuple[int, ...]

    @property
    def last(self) -> list[int]:
        """The last index at which the part may begin along each dimension (of a part without steps)."""
        return [n - m for n, m in zip(self.operand.aval.shape, self.shape, strict=True)]


@dataclass(frozen=True, eq=False)
class Update(Operation):
    """An array with a part replaced, which begins at integer elements as that of a `Slice`."""

    operand: Atom
    update: Atom
    begin: tuple[Atom, ...]

    @property
    def last(self) -> list[int]:
        """The last index at which the part may begin along each dimension."""
        return [n - m for n, m in zip(self.operand.aval.shape, self.update.aval.shape, strict=True)]


@dataclass(frozen=True, eq=False)
class Reshape(Operation):
    """The elements, in their order, in another shape.

    Attributes:
        source: (emitter, index of the result) -> index of the operand.
        permutation: of the dimensions before, or None.
    """

    operand: Atom
    source: Callable[[Emitter, Index], Index]
    permutation: tuple[int, ...] | None = None


@dataclass(frozen=True, eq=False)
class Transposition(Operation):
    """Dimension `permutation[d]` as dimension d."""

    operand: Atom
    permutation: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Concatenation(Operation):
    """Arrays side by side along an axis."""

    pieces: tuple[Atom, ...]
    axis: int


@dataclass(frozen=True, eq=False)
class Gather(Operation):
    """Windows of an array, one for each point.

    The dimensions of the result are those of the points and those of a window; the operand's are visible in a window,
    or have one element of it.

    Attributes:
        dims: a `lax.GatherDimensionNumbers`.
        sizes: extents of a window, along all dimensions of the operand.
        fill: what a window is full of that does not lie within; None: it is moved.
    """

    operand: Atom
    indices: Atom
    dims: Any
    sizes: tuple[int, ...]
    fill: Any = None

    @property
    def points(self) -> tuple[int, ...]:
        """Extents of the points."""
        return tuple(n for d, n in enumerate(self.shape) if d not in self.dims.offset_dims)

    @property
    def places(self) -> list[tuple[int, int]]:
        """(which component of an index it is, dimension of the operand that it is along)."""
        return list(enumerate(self.dims.start_index_map))

    def last(self, d: int) -> int:
        """The last index at which a window may begin along a dimension of the operand."""
        extent: int = self.operand.aval.shape[d]
        return extent - self.sizes[d]

    def source(self, index: Index) -> tuple[Index, list[Ix]]:
        """The point, and the operand index if all indices were 0, of an element of the result."""
        point = tuple(ix for d, ix in enumerate(index) if d not in self.dims.offset_dims)
        offsets = iter(index[d] for d in self.dims.offset_dims)
        hidden = {*self.dims.collapsed_slice_dims, *self.dims.operand_batching_dims}
        source = [ZERO if d in hidden else next(offsets) for d in range(len(self.sizes))]
        batched = zip(self.dims.operand_batching_dims, self.dims.start_indices_batching_dims, strict=True)
        for d, position in batched:
            source[d] = point[position]
        return point, source


@dataclass(frozen=True, eq=False)
class Scatter(Operation):
    """Windows of updates, put into an array at points, or combined with what is there.

    The dimensions of the updates are those of the points and those of a window; the operand's are visible in a window,
    or have one element of it.

    Attributes:
        dims: a `lax.ScatterDimensionNumbers`.
        clips: a window that does not lie within is moved; else it is left out.
        unique: no two windows meet.
        combiner: the elementwise primitive that combines an old element with an update; None: it is replaced, or
            `function` says.
        function: a jaxpr of two numbers that combines them.
    """

    operand: Atom
    indices: Atom
    updates: Atom
    dims: Any
    clips: bool
    unique: bool
    combiner: str | None = None
    function: ClosedJaxpr | None = None

    @property
    def replaces(self) -> bool:
        """Whether an update is what an element is after it."""
        return self.combiner is None and self.function is None

    @cached_property
    def window_dims(self) -> tuple[int, ...]:
        """The updates' dimensions of a window."""
        return tuple(self.dims.update_window_dims)

    @cached_property
    def point_dims(self) -> tuple[int, ...]:
        """The updates' dimensions of the points."""
        return tuple(d for d in range(self.updates.aval.ndim) if d not in self.window_dims)

    @cached_property
    def visible(self) -> tuple[int, ...]:
        """The operand's dimensions that a window has, in its order."""
        hidden = {*self.dims.inserted_window_dims, *self.dims.operand_batching_dims}
        return tuple(d for d in range(self.operand.aval.ndim) if d not in hidden)

    @property
    def points(self) -> tuple[int, ...]:
        """Extents of the points."""
        return tuple(self.updates.aval.shape[d] for d in self.point_dims)

    @property
    def window(self) -> tuple[int, ...]:
        """Extents of a window."""
        return tuple(self.updates.aval.shape[d] for d in self.window_dims)

    def last(self, d: int) -> int:
        """The last index at which a window may begin along a dimension of the operand."""
        extent: int = self.operand.aval.shape[d]
        return extent - dict(zip(self.visible, self.window, strict=True)).get(d, 1)

    @property
    def is_empty(self) -> bool:
        """Whether nothing is put anywhere."""
        return 0 in self.operand.aval.shape or 0 in self.updates.aval.shape

    @property
    def places(self) -> list[tuple[int, int]]:
        """(which component of an index it is, dimension of the operand that it is along)."""
        return list(enumerate(self.dims.scatter_dims_to_operand_dims))

    def source(self, point: Sequence[Ix], within: Sequence[Ix]) -> Index:
        """Index of an update."""
        place = dict(zip((*self.point_dims, *self.window_dims), (*point, *within), strict=True))
        return tuple(place[d] for d in sorted(place))

    def begin(self, point: Sequence[Ix]) -> list[Ix]:
        """Operand index at which the window of a point would begin if all indices were 0."""
        begin = [ZERO] * self.operand.aval.ndim
        batched = zip(self.dims.operand_batching_dims, self.dims.scatter_indices_batching_dims, strict=True)
        for d, position in batched:
            begin[d] = point[position]
        return begin
