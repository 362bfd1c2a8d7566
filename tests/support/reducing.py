"""The search of `jace_repro.reducer`, on jaxprs, as `reduce_repro` makes it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from jace_repro.reducer import loop
from jace_repro.reducer.asking import Ask
from jace_repro.reducer.loop import Minimized, Pass
from jace_repro.reducer.problem import Problem
from jace_repro.reducer.termination import worth_testing


def minimize(
    problem: Problem, ask: Ask[Problem], passes: Sequence[Pass[Problem]], **options: Any
) -> Minimized[Problem]:
    """`loop.minimize` of candidates that are worth a test."""
    return loop.minimize(problem, ask, passes, admissible=worth_testing(problem), **options)
