"""`jace_call`: the JAX primitive that a jace.jit call binds, its transformations, its lowering to an XLA FFI call.

In: a closed jaxpr, operands of any trace, settings. Out: an equation that differentiates, batches and compiles like
any other. Importing the package registers what JAX must know of the primitive.
"""

from __future__ import annotations

from jace.primitive import lowering, staging, transforms
from jace.primitive.bind import hoist, jace_call_p

__all__ = ["hoist", "jace_call_p", "lowering", "staging", "transforms"]
