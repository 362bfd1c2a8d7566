"""Reducing: from a repro that fails to the smallest one that fails in the same way.

    reduce_repro(repro, check, signature=..., localize=...)   -> Reduced
    predicate_check("./test.sh", timeout=60)                  -> a `check` that asks an external command

In: a repro, and a `check` that judges candidates. Out: the smallest repro that `check` gives the same signature.

The program is traced, its jaxpr is edited by the passes of `jace_repro.reducer.passes`, and every candidate is
emitted as a repro again before `check` judges it: what is tested is what the user gets.
"""

from __future__ import annotations

from jace_repro.reducer.loop import Improvement, Progress
from jace_repro.reducer.passes import Named
from jace_repro.reducer.predicate import (
    PREDICATE,
    Interesting,
    PredicateError,
    function_check,
    predicate_check,
)
from jace_repro.reducer.run import Keep, Reduced, TrivialProgramError, reduce_repro

__all__ = [
    "PREDICATE",
    "Improvement",
    "Interesting",
    "Keep",
    "Named",
    "PredicateError",
    "Progress",
    "Reduced",
    "TrivialProgramError",
    "function_check",
    "predicate_check",
    "reduce_repro",
]
