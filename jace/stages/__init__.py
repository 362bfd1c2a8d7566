"""Ahead-of-time stages, following `jax.stages`: Wrapped -> Traced -> Lowered -> Compiled.

traced = wrapped.trace(*args)     the jaxpr of the user's function
lowered = traced.lower()          its SDFG
compiled = lowered.compile()      its machine code
compiled(*args)                   runs it as an XLA FFI call, as `wrapped(*args)` does
compiled.call_direct(*arrays)     runs it on NumPy arrays without XLA

What each has of its namesake in JAX is a row of docs/parity.md.
"""

from __future__ import annotations

from jace.stages.ahead import Lowered, Traced
from jace.stages.compiled import Compiled
from jace.stages.costs import MemoryStats
from jace.stages.jaxprs import compile_jaxpr, translate_jaxpr
from jace.stages.wrapped import Wrapped

__all__ = [
    "Compiled",
    "Lowered",
    "MemoryStats",
    "Traced",
    "Wrapped",
    "compile_jaxpr",
    "translate_jaxpr",
]
