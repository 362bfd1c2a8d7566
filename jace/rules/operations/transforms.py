"""Fourier transforms."""

from __future__ import annotations

import math
from dataclasses import dataclass

from jace.ir.core import Atom
from jace.rules.operations.base import Operation


@dataclass(frozen=True, eq=False)
class Transform(Operation):
    """The Fourier transform of the last dimensions.

    Attributes:
        kind: FFT, IFFT, RFFT or IRFFT.
        lengths: of the dimensions that are transformed, on the longer side where that is real.
    """

    kind: str
    operand: Atom
    lengths: tuple[int, ...]

    @property
    def forward(self) -> bool:
        """Whether it is no inverse one."""
        return self.kind in ("FFT", "RFFT")

    @property
    def factor(self) -> float:
        """What the sums are multiplied by."""
        return 1.0 if self.forward else 1 / math.prod(self.lengths)
