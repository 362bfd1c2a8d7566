"""Values along axes or in windows combined into one, all of them or step by step, and the places of extremes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from jace.ir.core import Atom
from jace.plan.emit import Index
from jace.plan.index import Ix, constant
from jace.rules.operations.base import Operation
from jace.rules.operations.windows import Windows


@dataclass(frozen=True, eq=False)
class Combination(Operation):
    """An operation that combines the elements of an array.

    How, says the `kind` of those that have one: a name of `jace.rules.combining.REDUCTIONS`, which has the operator and
    its identity. The others combine several arrays beginning with this one, from initial values and by a jaxpr that the
    equation has.
    """

    operand: Atom

    @property
    def dtype(self) -> np.dtype[Any]:
        """The dtype of what is combined."""
        dtype: np.dtype[Any] = self.operand.aval.dtype
        return dtype

    @property
    def extents(self) -> tuple[int, ...]:
        """The operand's shape."""
        return tuple(self.operand.aval.shape)


@dataclass(frozen=True, eq=False)
class OverAxes(Combination):
    """All elements along some axes, sorted."""

    axes: tuple[int, ...]

    @property
    def reduced(self) -> list[int]:
        """Extents of the axes."""
        return [self.extents[a] for a in self.axes]

    def source(self, index: Sequence[Ix], reduced: Sequence[Ix]) -> Index:
        """Operand index, of one of the result and one along the axes."""
        rest, inner = iter(index), dict(zip(self.axes, reduced, strict=True))
        return tuple(inner[d] if d in inner else next(rest) for d in range(len(self.extents)))


@dataclass(frozen=True, eq=False)
class Reduction(OverAxes):
    """A reduction by an operator."""

    kind: str


@dataclass(frozen=True, eq=False)
class GeneralReduction(OverAxes):
    """A reduction by a jaxpr."""


@dataclass(frozen=True, eq=False)
class Along(Combination):
    """An operation along one axis."""

    axis: int

    @property
    def length(self) -> int:
        """The extent of the axis."""
        return self.extents[self.axis]

    @property
    def others(self) -> tuple[int, ...]:
        """The extents of the other axes."""
        return (*self.extents[: self.axis], *self.extents[self.axis + 1 :])

    def at(self, others: Sequence[Ix], step: Ix) -> Index:
        """Operand index, of one along the other axes and a place along the axis."""
        return (*others[: self.axis], step, *others[self.axis :])


@dataclass(frozen=True, eq=False)
class Extreme(Along):
    """Where the greatest (`kind` "max") or least ("min") element is first, or the first NaN if there is one."""

    kind: str


@dataclass(frozen=True, eq=False)
class Cumulation(Along):
    """Each element combined with all before it, or with all behind it where `reverse`."""

    kind: str
    reverse: bool

    def place(self, step: Ix) -> Ix:
        """Where the element of a step is along the axis."""
        return constant(self.length - 1) - step if self.reverse else step


@dataclass(frozen=True, eq=False)
class OverWindows(Combination):
    """The elements of each window."""

    windows: Windows


@dataclass(frozen=True, eq=False)
class WindowReduction(OverWindows):
    """A reduction of each window by an operator."""

    kind: str


@dataclass(frozen=True, eq=False)
class GeneralWindowReduction(OverWindows):
    """A reduction of each window by a jaxpr."""
