"""What the pipelines hand to the build part: an SDFG and the buffers it is called with."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

import numpy as np


class BufferLike(Protocol):
    """One argument of a program."""

    @property
    def name(self) -> str:
        """Its name in the SDFG."""

    @property
    def shape(self) -> tuple[int, ...]:
        """The JAX shape; rank 0 is stored as (1,)."""

    @property
    def dtype(self) -> np.dtype[Any]:
        """The dtype of its elements."""


class ProgramLike(Protocol):
    """An SDFG whose arguments are `inputs` (in the order of the jaxpr's invars), then `outputs`, and `sizes`."""

    @property
    def name(self) -> str:
        """A C identifier, the SDFG's name."""

    @property
    def sdfg(self) -> Any:
        """The `dace.SDFG`."""

    @property
    def notes(self) -> Mapping[str, str]:
        """Label of a tasklet or state, or symbol -> the note on its equation (`jace.debug.notes`), if annotated."""

    @property
    def inputs(self) -> tuple[Any, ...]:
        """Its inputs (`BufferLike`), in the order of a call."""

    @property
    def outputs(self) -> tuple[Any, ...]:
        """Its outputs (`BufferLike`), in the order of a call."""

    @property
    def sizes(self) -> Mapping[str, int]:
        """The values of its symbols that are extents."""


def symbols(name: str) -> tuple[str, str, str]:
    """Names of the call, init and exit entry points of the library of program `name`."""
    return (f"__jace_call_{name}", f"__jace_init_{name}", f"__jace_exit_{name}")
