"""The call tree of a traced program: the model of it, and what fills it while JAX traces.

In: calls across JAX's public border, primitive binds, and the functions that JAX calls back. Out: a `model.Body` for
every function that ran, found by its jaxpr (`bodies.body_of`), and a `failure.TraceFailure` of the same steps and
bodies for a trace that died: data that outlive the trace. From the bottom up:

* `frames`, `callsite`, `public_api`, `function_arguments`: whose code runs, where, what a program calls it;
* `model`, `values`, `failure`, `callback_log`: what is noted, as data;
* `stack`, `steps`, `builder`: who runs in each thread, one step, a watched function and its runs;
* `eager`, `custom_primitives`, `callbacks`: calls outside of jit, the rules of libraries' primitives, callbacks;
* `changes`, `redirect`, `watching`, `public_calls`, `jitted`, `methods`, `instrument`: taking hold of JAX;
* `inspect`: looking at JAX's own objects.

Beside the tracker's hooks this is the only part of the harness that knows `jax._src`; what it needs of it is probed
before anything is recorded (`NEEDED` of each module).
"""
