"""Operations as a person who writes SDFGs would have them, for `canonical`.

DaCe's library nodes where it has them, else maps with Python tasklets where Python's operators mean what XLA's do, maps
with write-conflict resolution, loops, copies between access nodes and symbols; every memlet is exact. A function here
is the `node` of a rule: it is given the planner and an operation (an equation, if it is elementwise), and answers False
where kernels of `jace.rules.loops` are to stand instead.
"""

from __future__ import annotations

from jace.rules.nodes import factorisations, gathers, movement, products, reductions, scatters, transforms

__all__ = ["factorisations", "gathers", "movement", "products", "reductions", "scatters", "transforms"]
