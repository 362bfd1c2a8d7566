"""Memory for the arrays of a run, with a pattern around each: what is written there is seen, what is read says nothing.

Code that goes an element too far finds memory of somebody else, which seldom shows in its results. AddressSanitizer
notices that by itself, where an array ends with its block: in a process that has it nothing lies around.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from jace.build import has_sanitizer

_Array = np.ndarray[Any, Any]

#: Bytes before and behind each array.
MARGIN = 1024
_ALIGNMENT = 64


@dataclass(frozen=True)
class Overwritten:
    """What a run has written, and may not.

    Attributes:
        kind: class of the difference: "input", "outside".
        what: for people.
    """

    kind: str
    what: str


@dataclass(frozen=True)
class _Place:
    """Bytes of an array in a larger block."""

    of: str
    block: _Array
    start: int
    size: int

    def touched(self, pattern: int) -> str | None:
        """Which side of the array has another byte now."""
        end = self.start + self.size
        sides = {"before": self.block[: self.start], "behind": self.block[end:]}
        return next((side for side, margin in sides.items() if np.any(margin != pattern)), None)


class Surroundings:
    """Arrays of one run, in memory that is filled with a byte."""

    def __init__(self, pattern: int) -> None:
        self._pattern = pattern
        self._places: list[_Place] = []

    def place(self, size: int, of: str = "") -> _Array:
        """So many bytes, the first at a multiple of 64."""
        block = np.full(size + 2 * MARGIN + _ALIGNMENT, self._pattern, np.uint8)
        start = MARGIN + -(block.ctypes.data + MARGIN) % _ALIGNMENT
        self._places.append(_Place(of or f"an output of {size} bytes", block, start, size))
        return block[start : start + size]

    def copy(self, array: _Array, of: str) -> _Array:
        """A copy of an array, in such memory."""
        if has_sanitizer() or not array.nbytes:  # also of the type without a value, float0
            return array.copy()
        found = self.place(array.nbytes, of).view(array.dtype).reshape(array.shape)
        found[...] = array
        return found

    def overwritten(self) -> Overwritten | None:
        """Where something was written around an array."""
        for place in self._places:
            if (side := place.touched(self._pattern)) is not None:
                return Overwritten("outside", f"memory {side} {place.of} was overwritten")
        return None
