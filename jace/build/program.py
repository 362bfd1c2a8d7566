"""What the pipelines hand to the build part: an SDFG and the buffers it is called with."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np


class BufferLike(Protocol):
    """One argument: `name` in the SDFG, the JAX `shape` (rank 0 is stored as (1,)) and NumPy `dtype`."""

    @property
    def name(self) -> str: ...
    @property
    def shape(self) -> tuple[int, ...]: ...
    @property
    def dtype(self) -> np.dtype[Any]: ...


class ProgramLike(Protocol):
    """An SDFG whose arguments are `inputs` (in the order of the jaxpr's invars), then `outputs`."""

    @property
    def name(self) -> str: ...
    @property
    def sdfg(self) -> Any: ...
    @property
    def inputs(self) -> tuple[Any, ...]: ...
    @property
    def outputs(self) -> tuple[Any, ...]: ...


def symbols(name: str) -> tuple[str, str, str]:
    """Names of the call, init and exit entry points of the library of program `name`."""
    return (f"__jace_call_{name}", f"__jace_init_{name}", f"__jace_exit_{name}")
