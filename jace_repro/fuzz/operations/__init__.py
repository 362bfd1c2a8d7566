"""The operations that programs are made of: one table, by name.

In: a `Draw`, which is asked for operands and parameters. Out: a function of arrays for those operands, in order. What
a primitive takes, each parameter away from its default, each class of dtypes and sizes is said here once: the sample
that gates every change and the fuzzer draw from it.
"""

from jace_repro.fuzz.operations import (  # each registers its operations
    boundaries as boundaries,
)
from jace_repro.fuzz.operations import contraction as contraction
from jace_repro.fuzz.operations import control as control
from jace_repro.fuzz.operations import elementwise as elementwise
from jace_repro.fuzz.operations import indexing as indexing
from jace_repro.fuzz.operations import linalg as linalg
from jace_repro.fuzz.operations import ordering as ordering
from jace_repro.fuzz.operations import randomness as randomness
from jace_repro.fuzz.operations import reduction as reduction
from jace_repro.fuzz.operations import shape as shape
from jace_repro.fuzz.operations import sweeps as sweeps
from jace_repro.fuzz.operations import windows as windows
from jace_repro.fuzz.operations.registry import OPERATIONS, Operation

#: Operations that a script cannot carry: they call Python back. They are tested where they are traced.
UNWRITTEN = frozenset({"callback", "ordered_callbacks"})

__all__ = ["OPERATIONS", "UNWRITTEN", "Operation"]
