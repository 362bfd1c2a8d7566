"""The program of a repro: traced in this process, as JAX traces it wherever the script runs."""

from __future__ import annotations

from typing import Any

import jax
from jax.extend.core import ClosedJaxpr

from jace_repro.repro.file import Repro


def trace_repro(repro: Repro) -> tuple[ClosedJaxpr, list[Any]]:
    """The script's program and its inputs, traced in this process under the header's JAX configuration."""
    with repro.configured():
        args = repro.load_inputs()
        return jax.make_jaxpr(repro.load_function())(*args), args
