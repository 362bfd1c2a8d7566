"""The emitter: traced programs as standalone scripts on stock JAX and NumPy.

In: a closed jaxpr, a call tree, or a trace that failed, with concrete inputs. Out: a `repro.Repro`.
"""

from __future__ import annotations

from jace_repro.emitter.core.errors import EmitError
from jace_repro.emitter.flat.flat import emit_flat
from jace_repro.emitter.tree.calltree import emit_calltree
from jace_repro.emitter.tree.failure import emit_failure

__all__ = ["EmitError", "emit_calltree", "emit_failure", "emit_flat"]
