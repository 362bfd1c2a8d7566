"""jace with a bug, for the tester's workers: the pipeline "MUTANT|PIPELINE" is PIPELINE with MUTANT planted."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jace
from jace_repro.tester.oracles import CompiledByJace
from mutants import mutants

#: The mutant that is none: what it gives is what jace gives.
NONE = "none"


def planted(closed: Any, pipeline: str, enter: Callable[[str], None]) -> CompiledByJace:
    """`jace_backend` with the mutant that the pipeline names: all is compiled and loaded while it is there."""
    name, _, real = pipeline.partition("|")
    enter("compile")
    if name == NONE:
        return CompiledByJace(jace.compile_jaxpr(closed, pipeline=real))
    with mutants()[name].plant():
        compiled = CompiledByJace(jace.compile_jaxpr(closed, pipeline=real))
        compiled.loaded()
    return compiled
