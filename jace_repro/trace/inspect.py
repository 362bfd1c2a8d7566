"""What JAX's own objects say: values and tracers, the functions in a jaxpr, a trace that is still open."""

from __future__ import annotations

import types
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import jax
import numpy as np

from jace.ir import is_key_dtype, is_ref
from jace_repro.trace.frames import split_source

NEEDED = (
    ("jax._src.core", "trace_state_clean"),
    ("jax._src.core", "Tracer"),
    ("jax._src.core", "Jaxpr"),
    ("jax._src.core", "Literal"),
    ("jax._src.core", "DebugInfo"),
    ("jax._src.core", "Primitive.bind"),
    ("jax._src.core", "jaxprs_in_params"),
    ("jax._src.config", "eager_constant_folding"),
    ("jax._src.interpreters.partial_eval", "DynamicJaxprTrace"),
    ("jax._src.interpreters.partial_eval", "DynamicJaxprTracer"),
)


def trace_state_clean() -> bool:
    """Whether no JAX transformation is tracing in this thread."""
    from jax._src import core

    return bool(core.trace_state_clean())


def folds_constants() -> bool:
    """Whether the program is in a `jax.ensure_compile_time_eval()`."""
    from jax._src import config

    return bool(config.eager_constant_folding.value)


def is_tracer(value: Any) -> bool:
    """Whether ``value`` stands for a value that is being traced."""
    from jax._src import core

    return isinstance(value, core.Tracer)


def all_functions(closed: Any) -> Iterator[tuple[str, str, int]]:
    """:func:`function_source` of a jaxpr and of every jaxpr inside it."""
    from jax._src import core

    seen: set[int] = set()
    todo = [closed.jaxpr]
    while todo:
        jaxpr = todo.pop()
        if id(jaxpr) in seen:
            continue
        seen.add(id(jaxpr))
        yield split_source(jaxpr.debug_info.func_src_info)
        for eqn in jaxpr.eqns:
            todo.extend(core.jaxprs_in_params(eqn.params))


def is_key(value: Any) -> bool:
    """Whether ``value`` is an array of typed PRNG keys."""
    return isinstance(value, jax.Array) and is_key_dtype(value.dtype)


def _copied(array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    return array.copy()


def data_of(
    value: Any, aval: Any, keep: Callable[[np.ndarray[Any, Any]], np.ndarray[Any, Any]] = _copied
) -> Any:
    """A flat argument as plain data that traces to ``aval``: Python scalar, numpy array or key array.

    Arrays are copied, or whatever else ``keep`` makes of them (the caller's buffer may be donated next).  Weakly
    typed rank-0 values become Python scalars, mutable references what they hold now.  Raises TypeError for values that
    are no data (tokens).
    """
    if is_key(value):
        return value
    if is_ref(aval):
        value, aval = value[...], aval.inner_aval
    if not hasattr(aval, "dtype") or not hasattr(aval, "shape") or hasattr(aval, "inner_aval"):
        raise TypeError(f"an argument of type {type(value).__name__} ({aval}) cannot be written to a file")
    array = keep(np.asarray(value, dtype=aval.dtype))
    return array.item() if _is_python_scalar(aval) else array


def zeros(aval: Any) -> Any:
    """A value of an abstract value, in the form :func:`data_of` gives.  Raises TypeError as it does."""
    aval = aval.inner_aval if is_ref(aval) else aval
    if is_key_dtype(getattr(aval, "dtype", None)):
        base: Any = np.zeros((*aval.shape, *aval.dtype._impl.key_shape), np.uint32)
        return jax.random.wrap_key_data(base, impl=aval.dtype._impl)
    if not hasattr(aval, "dtype") or hasattr(aval, "inner_aval"):
        raise TypeError(f"there is no value of {aval} to write to a file")
    array = np.zeros(aval.shape, aval.dtype)
    return array.item() if _is_python_scalar(aval) else array


_PYTHON_SCALARS: dict[str, type] = {"i": int, "f": float, "c": complex}


def _is_python_scalar(aval: Any) -> bool:
    """Whether a Python scalar traces to ``aval``."""
    python = _PYTHON_SCALARS.get(np.dtype(aval.dtype).kind)
    weak = aval.shape == () and getattr(aval, "weak_type", False)
    return bool(weak and python is not None and jax.dtypes.canonicalize_dtype(python) == aval.dtype)


# ------------------------------------------------------------------------------------- open traces


@dataclass(frozen=True)
class PartialTrace:
    """A trace as far as it got.  ``constants``: its constant variables and their values or outer tracers."""

    source: str
    traced_for: str
    invars: list[Any]
    equations: list[Any]
    constants: dict[Any, Any]
    debug_info: Any

    def closed(self, invars: Sequence[Any], outvars: Sequence[Any], constants: Mapping[Any, Any]) -> Any:
        """A ClosedJaxpr of the equations so far with these inputs and outputs."""
        from jax._src import core
        from jax.extend.core import ClosedJaxpr

        effects = {effect for eqn in self.equations for effect in eqn.effects}
        debug: Any = self.debug_info._replace(arg_names=None, result_paths=None)
        jaxpr = core.Jaxpr(list(constants), list(invars), list(outvars), self.equations, effects, debug)
        return ClosedJaxpr(jaxpr, list(constants.values()))

    def results(self) -> Iterator[Any]:
        """Every variable that an equation has defined."""
        for eqn in self.equations:
            yield from eqn.outvars


def open_trace(frame: types.FrameType) -> Any:
    """The trace that a frame of JAX runs a function under, or None."""
    from jax._src.interpreters import partial_eval

    if frame.f_code.co_filename != partial_eval.__file__ or not frame.f_code.co_name.startswith(
        "trace_to_jaxpr"
    ):
        return None
    trace = frame.f_locals.get("trace")
    return trace if isinstance(trace, partial_eval.DynamicJaxprTrace) else None


def trace_so_far(trace: Any) -> PartialTrace:
    """What a trace has recorded."""
    from jax._src import core

    frame = trace.frame
    constants = dict(frame.constvar_to_val)  # before the equations: reading them may free constants
    debug = frame.debug_info or core.DebugInfo("", "<unknown>", None, None)
    return PartialTrace(
        source=debug.func_src_info,
        traced_for=debug.traced_for,
        invars=list(frame.invars),
        equations=list(frame.get_eqns()),
        constants=constants,
        debug_info=debug,
    )


def tracer_identity(tracer: Any) -> tuple[Any, Any]:
    """(variable, None) of a traced value, or (None, value) when the tracer stands for a constant."""
    from jax._src import core
    from jax._src.interpreters import partial_eval

    if not isinstance(tracer, partial_eval.DynamicJaxprTracer):
        return tracer, None
    if isinstance(tracer.val, core.Literal):
        return None, tracer.val.val
    value = tracer._trace.frame.constvar_to_val.get(tracer.val)
    return (None, value) if value is not None and not is_tracer(value) else (tracer.val, None)


def is_bind(frame: types.FrameType) -> bool:
    """Whether a frame is a call of ``Primitive.bind``."""
    from jax._src import core

    bind: Any = core.Primitive.bind
    return frame.f_code is getattr(bind, "__wrapped__", bind).__code__
