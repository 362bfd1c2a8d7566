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
from jace.plan.index import ZERO, Ix, constant
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
        return _last(self.operand, self.out)


@dataclass(frozen=True, eq=False)
class Update(Operation):
    """An array with a part replaced, which begins at integer elements as that of a `Slice`."""

    operand: Atom
    update: Atom
    begin: tuple[Atom, ...]

    @property
    def last(self) -> list[int]:
        """The last index at which the part may begin along each dimension."""
        return _last(self.operand, self.update)


def _last(whole: Atom, part: Atom) -> list[int]:
    return [n - m for n, m in zip(whole.aval.shape, part.aval.shape, strict=True)]


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
class Pointed(Operation):
    """Windows of an array, one for each point: where, its indices say.

    The windows are another array's, whose dimensions are those of the points and those of a window.

    Attributes:
        indices: the last dimension is of the components of one.
        along: the dimension of the operand that each component is along.
        batched: (dimension of the operand, dimension of the points that it goes with).
        visible: the operand's dimensions that a window has; of all others it has one element.
        windows: the array of the windows.
        window_dims: its dimensions of a window, in the order of the visible ones.
        clips: a window that does not lie within is moved.
    """

    operand: Atom
    indices: Atom
    along: tuple[int, ...]
    batched: tuple[tuple[int, int], ...]
    visible: tuple[int, ...]
    windows: Atom
    window_dims: tuple[int, ...]
    clips: bool

    @cached_property
    def point_dims(self) -> tuple[int, ...]:
        """The windows' dimensions of the points."""
        return tuple(d for d in range(self.windows.aval.ndim) if d not in self.window_dims)

    @property
    def points(self) -> tuple[int, ...]:
        """Extents of the points."""
        return tuple(self.windows.aval.shape[d] for d in self.point_dims)

    @property
    def window(self) -> tuple[int, ...]:
        """Extents of a window."""
        return tuple(self.windows.aval.shape[d] for d in self.window_dims)

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to be found or put anywhere."""
        return 0 in self.operand.aval.shape or 0 in self.windows.aval.shape

    def last(self, d: int) -> int:
        """The last index at which a window may begin along a dimension of the operand."""
        extent: int = self.operand.aval.shape[d]
        return extent - dict(zip(self.visible, self.window, strict=True)).get(d, 1)

    def places(self, point: Sequence[Ix]) -> list[tuple[int, Index]]:
        """(dimension of the operand, index of the component that is along it) for the components of a point."""
        return [(d, (*point, constant(component))) for component, d in enumerate(self.along)]

    def begin(self, point: Sequence[Ix]) -> list[Ix]:
        """Operand index at which the window of a point would begin if all indices were 0."""
        begin = [ZERO] * self.operand.aval.ndim
        for d, position in self.batched:
            begin[d] = point[position]
        return begin

    def within(self, begin: Sequence[Ix], offsets: Sequence[Ix]) -> list[Ix]:
        """Operand index of an element of the window that begins there."""
        place = list(begin)
        for d, ix in zip(self.visible, offsets, strict=True):
            place[d] = place[d] + ix
        return place

    def split(self, index: Sequence[Ix]) -> tuple[Index, Index]:
        """The point, and the offsets within its window, of an index of the windows."""
        return tuple(index[d] for d in self.point_dims), tuple(index[d] for d in self.window_dims)

    def joined(self, point: Sequence[Ix], offsets: Sequence[Ix]) -> Index:
        """The index of the windows that `split` takes apart."""
        place = dict(zip((*self.point_dims, *self.window_dims), (*point, *offsets), strict=True))
        return tuple(place[d] for d in sorted(place))


@dataclass(frozen=True, eq=False)
class Gather(Pointed):
    """The windows are the result.

    Attributes:
        fill: what a window is full of that does not lie within and is not moved.
    """

    fill: Any = None


@dataclass(frozen=True, eq=False)
class Scatter(Pointed):
    """The windows are put into the array, or combined with what is there; none that does not lie within.

    Attributes:
        unique: no two windows meet.
        combiner: the elementwise primitive that combines an old element with a new one; None: it is replaced, or
            `function` says.
        function: a jaxpr of two numbers that combines them.
    """

    unique: bool
    combiner: str | None = None
    function: ClosedJaxpr | None = None

    @property
    def replaces(self) -> bool:
        """Whether an element is what is put there."""
        return self.combiner is None and self.function is None
