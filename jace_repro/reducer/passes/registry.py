"""The table that passes on jaxprs enter themselves in.

@reduction_pass("drop outputs", order=30, trigger=...)
def drop_outputs(problem: Problem) -> Candidates: ...
"""

from __future__ import annotations

from jace_repro.reducer.problem import Problem
from jace_repro.reducer.registry import Passes

_PASSES: Passes[Problem] = Passes()

reduction_pass = _PASSES.entering
registered = _PASSES.in_order
