"""Jitted functions: what a call of one is in the tree, and how the function ran that it traced.

They all pass ``pjit._infer_params``, ``pjit._trace_for_jit`` (see :func:`traced`) and ``pjit._run_python_pjit``.
"""

from __future__ import annotations

import collections
import functools
import threading
import types
from collections.abc import Callable, Iterator
from typing import Any

import jax

from jace_repro.trace import bodies, builder, stack, steps
from jace_repro.trace.changes import Change, change
from jace_repro.trace.model import Bound, Function, Jitted, Method, Operation, Public
from jace_repro.trace.public_api import public_objects
from jace_repro.trace.watching import watching

NEEDED = (
    ("jax._src.pjit", "_infer_params"),
    ("jax._src.pjit", "_run_python_pjit"),
    ("jax._src.pjit", "jit_p"),
    ("jax._src.numpy.array_methods", "_array_methods"),
)

_pending = threading.local()  # the function that a jitted call of the user's may have to trace
#: Functions that are no plain ones (a bound method, a partial): these do not keep what is known of them.
_methods: collections.deque[Function] = collections.deque(maxlen=1024)


def forget() -> None:
    """What was known of functions that are no plain ones."""
    _methods.clear()


def traced(trace: Callable[..., Any], fun: Callable[..., Any], *rest: Any, top: bool, **kwargs: Any) -> Any:
    """``trace(fun, *rest)``, which traces a jitted function, with its body recorded where that is a user's."""
    if top:
        with watching(), stack.top_level():
            return _traced(trace, fun, *rest, **kwargs)
    if getattr(_pending, "fun", None) is not fun:
        return trace(fun, *rest, **kwargs)
    _pending.fun = None
    return _traced(trace, fun, *rest, **kwargs)


def _traced(trace: Callable[..., Any], fun: Callable[..., Any], *rest: Any, **kwargs: Any) -> Any:
    if _public_operations().get(id(fun)) is not None or jax.config.jax_check_tracer_leaks:
        return trace(fun, *rest, **kwargs)  # a leak check must not find the tracers that the open trace holds
    function, info = builder.function_of(fun), rest[0]
    function.static = (tuple(info.static_argnums), tuple(info.static_argnames))
    if not isinstance(fun, types.FunctionType):
        _methods.append(function)
    params = trace(function.watcher, *rest, **kwargs)
    if function.body is not None:
        bodies.note(params.params["jaxpr"], function.body)
    return params


@functools.cache
def _public_operations() -> dict[int, Operation]:
    """What a call of a jitted function of JAX's is, by ``id`` of the function in it."""
    from jax._src.numpy import array_methods as methods

    jitted: dict[int, Operation] = {}
    for name, fun in methods._array_methods.items():
        if not isinstance(fun, types.FunctionType) and hasattr(fun, "__wrapped__"):
            jitted[id(fun.__wrapped__)] = Method(name)
    for public in public_objects().values():
        fun = getattr(public.value, "_func", public.value)  # of a ufunc
        if not isinstance(fun, types.FunctionType) and hasattr(fun, "__wrapped__"):
            jitted[id(fun.__wrapped__)] = Public(public.name)
    return jitted


def patches() -> Iterator[Change]:
    """Calls of jitted functions become steps."""
    from jax._src import pjit

    infer_params = pjit._infer_params

    @functools.wraps(infer_params)
    def hooked_infer(fun: Callable[..., Any], info: Any, *rest: Any) -> Any:
        if stack.user_body() is None:
            return infer_params(fun, info, *rest)
        _pending.fun = fun
        return stack.jax_runs(infer_params, fun, info, *rest)

    run_pjit = pjit._run_python_pjit

    @functools.wraps(run_pjit)
    def hooked_run(p: Any, flat: Any, fun: Callable[..., Any], args: Any, kwargs: Any) -> Any:
        user = stack.user_body()
        if user is None:
            return run_pjit(p, flat, fun, args, kwargs)
        operation = _public_operations().get(id(fun))
        shown, named = args, kwargs
        if operation is None and (body := bodies.body_of(p.params["jaxpr"])) is not None:
            shown, named = body.function.dynamic(args, kwargs)
            operation = Jitted(builder.function_of(fun), body, p.params)
        if operation is None:
            operation, shown, named = Bound(pjit.jit_p, p.params), tuple(flat), {}
        step = steps.begin(user, operation, shown, named)
        result = stack.jax_runs(run_pjit, p, flat, fun, args, kwargs)
        if step is not None:
            steps.end(user, step, result[0])
        return result

    yield change(pjit, "_infer_params", hooked_infer)
    yield change(pjit, "_run_python_pjit", hooked_run)
