"""`jace_call`: the JAX primitive that a jace.jit call binds, its transformations, its lowering to an XLA FFI call.

In: a closed jaxpr and operands of any trace. Out: an equation that differentiates, batches and compiles like any other.
"""
