"""Fourier transforms by DaCe's FFT and IFFT, which take vectors of complex numbers."""

from __future__ import annotations

import numpy as np

from jace.plan import Planner
from jace.rules.nodes.accumulating import call
from jace.rules.operations import Transform

#: The pure expansion of DaCe's nodes, which its auto-optimize prefers, takes the square of so many steps.
_MOST_ELEMENTS = 1024


def transformed(planner: Planner, op: Transform) -> bool:
    """A transform of one vector."""
    operand = op.operand.aval
    if op.kind not in ("FFT", "IFFT") or operand.ndim != 1 or not 1 < operand.size <= _MOST_ELEMENTS:
        return False
    single = operand.dtype == np.complex64
    if op.kind == "IFFT" and single and planner.goes_round("ifft_of_single"):
        return False
    source, target = planner.stored(op.operand), planner.output(op.out)
    call(planner, op.kind.lower(), op.kind, {"_inp": source}, {"_out": target}, {"factor": op.factor})
    return True
