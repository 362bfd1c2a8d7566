"""Programs as scripts: writes the repro of a traced program, and checks that it is the same program."""

from __future__ import annotations

from typing import Any

import jax
from jax.extend.core import ClosedJaxpr

from jace_repro.emitter.calltree import emit_calltree
from jace_repro.emitter.digest import digest_outputs
from jace_repro.emitter.errors import EmitError
from jace_repro.emitter.failure import emit_failure
from jace_repro.emitter.flat import emit_flat
from jace_repro.emitter.selfcheck import (
    SelfCheck,
    note_self_check,
    save_jaxpr,
    saved_jaxpr,
    self_check,
    self_check_many,
)
from jace_repro.repro import Header, Repro

__all__ = [
    "EmitError",
    "Header",
    "Repro",
    "SelfCheck",
    "digest_outputs",
    "emit_calltree",
    "emit_failure",
    "emit_flat",
    "note_self_check",
    "save_jaxpr",
    "saved_jaxpr",
    "self_check",
    "self_check_many",
    "trace_repro",
]


def trace_repro(repro: Repro) -> tuple[ClosedJaxpr, list[Any]]:
    """The script's program and its inputs, traced in this process under the header's JAX configuration."""
    with repro.configured():
        args = repro.load_inputs()
        return jax.make_jaxpr(repro.load_function())(*args), args
