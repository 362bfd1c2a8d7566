"""Operations as kernels: loops in C++, and calls of BLAS and NumPy's transforms.

What `fused` is made of, and `canonical` where DaCe has nothing for an operation. A function here is given the emitter
or the planner, and an operation where a rule of the registry has an equation; it answers what that would.
"""

from __future__ import annotations

from jace.rules.loops import (
    contractions,
    convolutions,
    factorisations,
    gathers,
    movement,
    reductions,
    scatters,
    transforms,
    windows,
)

__all__ = [
    "contractions",
    "convolutions",
    "factorisations",
    "gathers",
    "movement",
    "reductions",
    "scatters",
    "transforms",
    "windows",
]
