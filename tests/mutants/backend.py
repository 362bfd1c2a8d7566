"""jace with a bug, for the tester's workers: the pipeline "MUTANT|PIPELINE" is PIPELINE with MUTANT planted."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from jace_repro.tester.execute.backends import CompiledByJace, jace_backend
from mutants import Mutant, loud, mutants

#: The mutant that is none: what it gives is what jace gives.
NONE = "none"


def named(name: str) -> Mutant:
    """The mutant of a name: one of those there are, or one that is made from it."""
    return loud.named(name) if name.startswith("loud/") else mutants()[name]


def planted(
    closed: Any,
    pipeline: str,
    enter: Callable[[str], None],
    compiler_options: Mapping[str, Any] | None = None,
) -> CompiledByJace:
    """`jace_backend` with the mutant that the pipeline names: all is compiled and loaded while it is there."""
    name, _, real = pipeline.partition("|")
    if name == NONE:
        return jace_backend(closed, real, enter, compiler_options)
    with named(name).plant():
        compiled = jace_backend(closed, real, enter, compiler_options)
        compiled.loaded()
    return compiled
