"""Backends: what makes a program executable; jace's own, and how a worker finds the one that it is told by name.

A backend is a function `(closed, pipeline, enter) -> Executable`; workers are told its name as
"module:function", which is also how tests plant failures.
"""

from __future__ import annotations

import dataclasses
import functools
import importlib
import inspect
import runpy
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import jax
import numpy as np
from jax.extend.core import ClosedJaxpr

from jace.ir import plain_value
from jace_repro.tester.execute import schedules
from jace_repro.tester.execute.traced import base_array

DEFAULT_BACKEND = "jace_repro.tester.execute.backends:jace_backend"

_Array = np.ndarray[Any, Any]


class Executable(Protocol):
    """A compiled program.

    It may have a `call_ffi(*args)` that runs the same code as a call from XLA, a `call_traced(*args)` that JAX can
    trace (inside of a loop, say), and a `loaded()` that answers the shared libraries it runs as JSON:
    [{"file", "sha256", "calls", "conditional"}], and an `idle()`, the steps of the pipeline that changed nothing.
    """

    @property
    def seconds(self) -> Mapping[str, float]:
        """What building took; may name "translate" and "compile"."""
        ...

    def call_direct(self, *args: _Array) -> list[_Array]:
        """Run on flat inputs (typed keys as their uint32 base arrays), giving the flat outputs likewise."""
        ...


#: backend(closed, pipeline, enter): `enter(stage)` says that "translate" or "compile" begins.
Backend = Callable[[ClosedJaxpr, str, Callable[[str], None]], Executable]


def no_stages(stage: str) -> None:
    """For callers who do not care how far a backend is."""


def load_backend(name: str) -> Backend:
    """The backend called "module:function", or "file.py:function"."""
    module, _, function = name.rpartition(":")
    if module.endswith(".py"):
        return runpy.run_path(module, run_name="jace_repro_backend")[function]
    return getattr(importlib.import_module(module), function)


@dataclass(frozen=True)
class CompiledByJace:
    """What `jace.compile_jaxpr` gives, as an `Executable`."""

    compiled: Any

    @property
    def seconds(self) -> Mapping[str, float]:
        """What building took: "translate" and "compile"."""
        return dict(self.compiled.seconds)

    def call_direct(self, *args: _Array) -> list[_Array]:
        """Run on flat inputs, typed keys as their uint32 base arrays."""
        return list(self.compiled.call_direct(*args))

    def loaded(self) -> list[dict[str, Any]]:
        """The shared libraries with the calls so far."""
        return [dataclasses.asdict(library) for library in self.compiled.loaded]

    def idle(self) -> tuple[str, ...]:
        """Passes of the user's own that had nothing to change."""
        return tuple(self.compiled.idle_passes)

    def call_ffi(self, *args: Any) -> list[_Array]:
        """Through XLA; typed keys as such."""
        return [base_array(out) for out in jax.device_get([plain_value(v) for v in self.compiled(*args)])]

    def call_traced(self, *args: Any) -> list[Any]:
        """As a part of a program that JAX traces."""
        return list(self.compiled(*args))


def jace_backend(
    closed: ClosedJaxpr,
    pipeline: str,
    enter: Callable[[str], None],
    compiler_options: Mapping[str, Any] | None = None,
) -> CompiledByJace:
    """The DaCe side: `jace.compile_jaxpr`, loaded so that the threads of its parallel regions can be put in order."""
    import jace

    enter("compile")
    schedules.load()
    return CompiledByJace(jace.compile_jaxpr(closed, pipeline=pipeline, compiler_options=compiler_options))


def compiling_with(backend: Backend, **compiler_options: Any) -> Backend | None:
    """The backend with other options of the C++ compiler, when it takes any; else None."""
    if "compiler_options" not in inspect.signature(backend).parameters:
        return None
    flexible: Any = backend
    return functools.partial(flexible, compiler_options=compiler_options)
