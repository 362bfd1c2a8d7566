"""Programs as scripts: writes the repro of a traced program, and checks that it is the same program."""

from __future__ import annotations

from jace_repro.emitter.core.errors import EmitError
from jace_repro.emitter.flat.flat import emit_flat
from jace_repro.emitter.selfcheck.check import (
    SelfCheck,
    note_self_check,
    save_jaxpr,
    saved_jaxpr,
    self_check,
    self_check_many,
)
from jace_repro.emitter.tree.calltree import emit_calltree
from jace_repro.emitter.tree.failure import emit_failure

__all__ = [
    "EmitError",
    "SelfCheck",
    "emit_calltree",
    "emit_failure",
    "emit_flat",
    "note_self_check",
    "save_jaxpr",
    "saved_jaxpr",
    "self_check",
    "self_check_many",
]
