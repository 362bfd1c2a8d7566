"""The reference: the program under plain JAX, on its recorded inputs and on generated ones."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import jax
import numpy as np

from jace_repro.repro import Repro
from jace_repro.tester.check.options import Options
from jace_repro.tester.execute import remembered, traced
from jace_repro.tester.execute.invalid import first_invalid
from jace_repro.tester.execute.named import NamedProgram
from jace_repro.tester.execute.traced import TracedProgram
from jace_repro.tester.inputs.generated import generated
from jace_repro.tester.numerics.errormodel import budgets
from jace_repro.tester.verdict.oracle import Oracle
from jace_repro.tester.verdict.signature import signature
from jace_repro.tester.verdict.verdict import Verdict


@dataclass(frozen=True)
class Reference:
    """What all pipelines are compared with.

    Attributes:
        prog: the program on its inputs.
        outputs: XLA's.
        oracle: says who is right.
        seconds: how long XLA took, compilation included.
        remembered: whether the outputs are those of an earlier run.
        generated: whether the inputs are generated ones.
    """

    prog: TracedProgram
    outputs: list[np.ndarray[Any, Any]]
    oracle: Oracle
    seconds: float = 0.0
    remembered: bool = False
    generated: bool = False


def reference_of(repro: Repro | NamedProgram, *, remember: bool = False) -> Reference | Verdict:
    """What plain JAX makes of a repro, in its configuration; the verdict, for no pipeline, when it makes nothing."""
    prog: TracedProgram | None = None
    try:
        prog = traced.trace(repro)
        started = time.perf_counter()
        recall = remembered.recall if remember else remembered.ask
        outputs, known = recall(prog)
    except Exception as error:  # whatever the user's program raises is its outcome
        invalid = first_invalid(prog) if prog is not None and isinstance(error, FloatingPointError) else None
        what = f"{type(error).__name__}: {error if invalid is None else invalid.what}"
        text = what if invalid is None else f"{what}: {invalid.equation}"
        return Verdict(
            "",
            "reference-error",
            signature("reference-error", error=what),
            f"the program fails under plain JAX: {text}{_of_another_release(repro)}",
            stage="reference",
        )
    seconds = time.perf_counter() - started
    return replace(judged(prog, outputs), seconds=seconds, remembered=known)


def judged(prog: TracedProgram, outputs: list[np.ndarray[Any, Any]]) -> Reference:
    """A program with what XLA makes of it, and an oracle for it."""
    return Reference(prog, outputs, Oracle(prog.plain, prog.flat, budgets(prog.plain)))


def _of_another_release(repro: Repro | NamedProgram) -> str:
    """Says so where a script was written for another release of JAX: its equations may have other parameters there."""
    asked = repro.release if isinstance(repro, Repro) else None
    return (
        "" if asked in (None, jax.__version__) else f" (it asks for jax {asked}, this is {jax.__version__})"
    )


def on_generated_inputs(reference: Reference, options: Options) -> Iterator[tuple[str, Reference]]:
    """The references on generated inputs, by the inputs' name."""
    recall = remembered.recall if options.remember else remembered.ask
    for found in generated(reference.prog, reference.outputs, options.inputs, recall):
        oracle = Oracle(found.prog.plain, found.prog.flat, reference.oracle.budgets)
        yield (
            found.name,
            Reference(found.prog, found.outputs, oracle, reference.seconds, found.remembered, generated=True),
        )
