"""What equations compute, without a word of how: what rules answer, and both printers read.

`jace.rules.loops` prints an operation as kernels, `jace.rules.nodes` as the nodes of an SDFG; which functions do is the
table of `jace.rules.structured`.
"""

from __future__ import annotations

from jace.rules.operations.base import Operation
from jace.rules.operations.factorisations import LU, Cholesky
from jace.rules.operations.movement import (
    Concatenation,
    Gather,
    Pointed,
    Reshape,
    Scatter,
    Slice,
    Transposition,
    Update,
)
from jace.rules.operations.products import Contraction, Convolution
from jace.rules.operations.reductions import (
    Cumulation,
    Extreme,
    GeneralReduction,
    GeneralWindowReduction,
    Reduction,
    WindowReduction,
)
from jace.rules.operations.transforms import Transform
from jace.rules.operations.windows import Windows

__all__ = [
    "LU",
    "Cholesky",
    "Concatenation",
    "Contraction",
    "Convolution",
    "Cumulation",
    "Extreme",
    "Gather",
    "GeneralReduction",
    "GeneralWindowReduction",
    "Operation",
    "Pointed",
    "Reduction",
    "Reshape",
    "Scatter",
    "Slice",
    "Transform",
    "Transposition",
    "Update",
    "WindowReduction",
    "Windows",
]
