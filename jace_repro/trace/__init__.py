"""The call tree of a traced program: the model of it, and what fills it while JAX traces.

In: calls across JAX's public border, primitive binds, and the functions that JAX calls back. Out: a `model.Body` for
every function that ran, plain data that outlives the trace. Beside the tracker's hooks this is the only part of the
harness that knows `jax._src`; what it needs of it is probed before anything is recorded.
"""
