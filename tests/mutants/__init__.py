"""Planted bugs (mutants), and how many of them the tester finds: its mutation score.

A mutant is one wrong rule, one wrong decision of the planner, one wrong pass of DaCe's or one wrong compiler flag.
Each family has a module with its mutants as data; `plants.py` has what plants them, `samples.py` the programs they
are looked for in, `backend.py` runs in the tester's workers, and `scoring.py` asks the tester.
`scripts/mutants.py` prints the score. Mutants that nobody chose are in `mechanical/`.

What differs in nothing that can be observed is no mutant: see `DROPPED`.
"""

from __future__ import annotations

import functools
import importlib
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass

FAMILIES = ("elementwise", "movement", "reductions", "regions", "planning", "passes", "history", "flags")

#: Candidates that are no mutants, and why.
DROPPED = {
    "-ffp-contract=off": "contraction to FMA is allowed, not required: every result stays within its bounds",
    "-frounding-math": "forbids optimisations, and changes no result",
    "max of complex numbers takes the second of equals": "equal numbers are the same number",
    "-ffinite-math-only in a program without NaN": "a flag counts by the programs that it may change",
    "abs as max(x, -x) for integers": "it is abs, wrapping at the least integer included",
    "eigh reads the other triangle": "its operand is symmetric: JAX symmetrizes it",
    "a carry's buffer is taken over before it is read for the last time": "the planner notices it and raises",
    "two stores of a canonical kernel swapped": "canonical kernels have one store",
    "the members of a kernel are forgotten": "its read and write sets refuse the same reads",
}


@dataclass(frozen=True)
class Mutant:
    """One planted bug.

    Attributes:
        name: unique.
        family: one of FAMILIES.
        target: the primitive, function, pass or flag that is wrong.
        plant: makes a context in which the bug is there.
        sample: which programs may show it: those that use one of these primitives, or "small:NAME" for one of
            tests/support/small_programs.py or `samples.PROGRAMS`.
        pipeline: which pipeline is tested.
    """

    name: str
    family: str
    target: str
    plant: Callable[[], AbstractContextManager[None]]
    sample: tuple[str, ...]
    pipeline: str = "fused"


@functools.cache
def mutants() -> dict[str, Mutant]:
    """All mutants by name, family by family."""
    found: dict[str, Mutant] = {}
    for family in FAMILIES:
        for mutant in importlib.import_module(f"mutants.{family}").MUTANTS:
            assert mutant.family == family
            assert mutant.name not in found, mutant.name
            found[mutant.name] = mutant
    return found
