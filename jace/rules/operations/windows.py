"""Windows over an array: of `reduce_window`, pooling, convolutions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from jace.plan import Emitter
from jace.plan.emit import Index
from jace.plan.index import Ix


@dataclass(frozen=True)
class Windows:
    """The geometry of windows, a tuple of one entry for each dimension each.

    Attributes:
        sizes: elements of a window.
        strides: from a window to the next.
        padding: (before, after), elements of the identity around the operand; negative ones cut it.
        dilation: distance of neighbours in a window.
        base_dilation: distance of the operand's elements, between which there is the identity.
    """

    sizes: tuple[int, ...]
    strides: tuple[int, ...]
    padding: tuple[tuple[int, int], ...]
    dilation: tuple[int, ...]
    base_dilation: tuple[int, ...]

    @classmethod
    def of(cls, params: Mapping[str, Any]) -> Windows:
        """Those of an equation of lax.reduce_window's family; what has no dilation is not dilated."""
        sizes = tuple(params["window_dimensions"])
        once = (1,) * len(sizes)
        return cls(
            sizes,
            tuple(params["window_strides"]),
            tuple((low, high) for low, high in params["padding"]),
            tuple(params.get("window_dilation", once)),
            tuple(params.get("base_dilation", once)),
        )

    def source(
        self, em: Emitter, index: Index, offsets: Sequence[Ix], shape: Sequence[int]
    ) -> tuple[Index, list[str]]:
        """Operand index of a window's element, and the conditions under which it is not padding.

        Args:
            index: of the window.
            offsets: of the element within it.
            shape: the operand's.
        """
        source, conditions = [], []
        rows = zip(
            index,
            offsets,
            self.strides,
            self.padding,
            self.dilation,
            self.base_dilation,
            shape,
            strict=True,
        )
        for ix, offset, stride, (low, _), dilation, base, extent in rows:
            at = ix * stride + offset * dilation - low
            limits = em.bounds(at)
            if base != 1:
                conditions += [f"({at}) >= 0", f"({at}) % {base} == 0"]
                at = em.opaque(f"({at}) / {base}")
                limits = None
            if not limits or limits[0] < 0:
                conditions.append(f"({at}) >= 0")
            if not limits or limits[1] > extent:
                conditions.append(f"({at}) < {extent}")
            source.append(at)
        return tuple(source), conditions
