"""XLA: the reference (a program under jax.jit), its two witnesses, and XLA in the place of DaCe.

The witnesses are XLA without its optimisations, and JAX equation by equation.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import jax
import numpy as np
from jax.extend.core import ClosedJaxpr, jaxpr_as_fun

from jace.ir import evaluate
from jace_repro.tester.execute.backends import Executable
from jace_repro.tester.execute.traced import TracedProgram, base_array, without_keys
from jace_repro.tester.xla_options import UNOPTIMIZED

_Array = np.ndarray[Any, Any]


def run_reference(prog: TracedProgram) -> list[_Array]:
    """The program under jax.jit, waited for."""
    return [base_array(out) for out in _jitted(prog.closed)(*prog.args)]


@functools.lru_cache(maxsize=1)
def _jitted(closed: ClosedJaxpr) -> Callable[..., Any]:
    """Kept for the next inputs of the same program."""
    return jax.jit(jaxpr_as_fun(closed))


def run_unoptimized(prog: TracedProgram) -> list[_Array]:
    """The program compiled by XLA at optimization level 0; without its HLO passes XLA aborts on some programs."""
    return [np.asarray(out) for out in _unoptimized(prog.plain)(*prog.flat)]


def run_unoptimized_as_traced(prog: TracedProgram) -> list[_Array]:
    """As `run_unoptimized`, with its calls, collectives and keys: nothing of jace reads the program before XLA does."""
    compiled = jax.jit(jaxpr_as_fun(prog.closed)).lower(*prog.args).compile(compiler_options=UNOPTIMIZED)
    return [base_array(out) for out in compiled(*prog.args)]


@functools.lru_cache(maxsize=1)
def _unoptimized(plain: ClosedJaxpr) -> Callable[..., Any]:
    """Kept: who rules asks for it, and then who blames."""
    types = [jax.ShapeDtypeStruct(a.shape, a.dtype) for a in plain.in_avals]
    return jax.jit(jaxpr_as_fun(plain)).lower(*types).compile(compiler_options=UNOPTIMIZED)


def run_each(prog: TracedProgram) -> list[_Array]:
    """The program by JAX equation by equation: each compiled by XLA alone, so nothing is fused or rewritten."""
    outs = zip(evaluate(prog.plain, prog.flat), prog.plain.out_avals, strict=True)
    return [np.asarray(out, aval.dtype) for out, aval in outs]


@dataclass(frozen=True)
class _Jitted:
    """What XLA makes of a program, as an `Executable`."""

    call: Callable[..., Any]
    seconds: Mapping[str, float] = field(default_factory=dict)

    def call_direct(self, *args: _Array) -> list[_Array]:
        """Run on flat inputs."""
        return [np.asarray(out) for out in self.call(*args)]


def backend(closed: ClosedJaxpr, pipeline: str, enter: Callable[[str], None]) -> Executable:
    """XLA in the place of DaCe: what localises XLA's own faults."""
    enter("compile")
    return _Jitted(jax.jit(jaxpr_as_fun(without_keys(closed))))
