"""The calls that may be the one to blame for an error that JAX raised: read from its frames below the user's line."""

from __future__ import annotations

import inspect
import types
from collections.abc import Mapping, Sequence
from typing import Any

import jax
import numpy as np
from jax.extend.core import ClosedJaxpr

from jace_repro.trace.failure import kind_and_name, traced_run, unwritable
from jace_repro.trace.frames import function_source, is_jax_file
from jace_repro.trace.inspect import is_bind, is_tracer, tracer_identity
from jace_repro.trace.model import Applied, Bound, Function, Method, Public, Step
from jace_repro.trace.public_api import code_of, defaults, is_default, public_functions
from jace_repro.trace.values import KnownValues, describe


class FrameValues(KnownValues):
    """The values in the frames of a trace that died: a traced one is known by its variable.

    Functions are those whose jaxpr a frame has; containers of somebody's own are not looked into.
    """

    def __init__(self) -> None:
        super().__init__(eager=True)
        self.functions: dict[types.CodeType, Function] = {}

    def traced(self, tracer: Any) -> Any:
        """What a tracer is known as; the value of one that stands for a constant."""
        variable, literal = tracer_identity(tracer)
        return self.known_as(variable, tracer.aval) if literal is None else describe(self, literal)

    def object(self, value: Any, closures: bool) -> Any:
        """A function as far as it is known; any other object as it is."""
        code = code_of(value)
        if code is None:
            return value
        return self.functions.get(code) or Function(code.co_qualname, "", (), value)


def suspects(known: FrameValues, frames: Sequence[types.FrameType], line: str) -> tuple[Step, ...]:
    """Calls below the user's last line that may be the one to blame, outermost first.

    Without those that cannot be written, and without the same function twice in a row.
    """
    _learn_functions(known, frames)
    found: list[Step] = []
    for step in filter(None, (_call(known, frame) for frame in frames)):
        step.line = line
        applied = isinstance(step.operation, Applied)  # to what is looked at when it is written
        if not applied and unwritable(step) is not None:
            continue
        if not found or kind_and_name(found[-1]) != kind_and_name(step):
            found.append(step)
    return tuple(found)


def _call(known: FrameValues, frame: types.FrameType) -> Step | None:
    """What a frame is a call of, if it is one that a program could make itself."""
    calls = (kind(known, frame) for kind in (_boundary, _transformed, _method, _plain_function, _bind))
    return next(filter(None, calls), None)


def _learn_functions(known: FrameValues, frames: Sequence[types.FrameType]) -> None:
    """Functions whose jaxpr a JAX frame holds: a scan that dies comparing its body's types has one."""
    for frame in frames:
        if frame.f_code not in public_functions():
            continue
        local = list(frame.f_locals.values())
        codes = [c for v in local if type(v) is types.FunctionType and (c := code_of(v)) and not _private(c)]
        jaxprs = list({id(v): v for v in local if isinstance(v, ClosedJaxpr)}.values())
        sources = [function_source(closed)[1:] for closed in jaxprs]
        wanted = [(code.co_filename, code.co_firstlineno) for code in codes]
        if len(set(wanted)) == len(codes) and all(sources.count(w) == 1 for w in wanted):
            jaxprs = [jaxprs[sources.index(w)] for w in wanted]
        # else in the order of the parameters: the branches of a cond may share a line
        known.functions.update({c: _traced(known, c, j) for c, j in zip(codes, jaxprs, strict=False)})


def _private(code: types.CodeType) -> bool:
    """Whether a local function of JAX's own makes jaxprs rather than being traced to one."""
    return is_jax_file(code.co_filename) and code.co_name.startswith("_")


def _traced(known: FrameValues, code: types.CodeType, closed: Any) -> Function:
    """A function of which a frame has the jaxpr."""
    return _function(known, code.co_name, f"{code.co_filename}:{code.co_firstlineno}", closed)


def _function(known: FrameValues, name: str, source: str, closed: Any) -> Function:
    """A function that was traced to the end."""
    args = tuple(known.known_as(v, v.aval) for v in closed.jaxpr.invars)
    result = tuple(known.known_as(object(), aval) for aval in closed.out_avals)
    return traced_run(name, source, closed, args, result).function


def _boundary(known: FrameValues, frame: types.FrameType) -> Step | None:
    """A function under an API boundary, or a jitted one: JAX's frame has the arguments as they were given."""
    if frame.f_code.co_name not in ("reraise_with_filtered_traceback", "cache_miss"):
        return None
    local = frame.f_locals
    code = code_of(local.get("fun"))
    name = public_functions().get(code) if code else None
    if name is None or "args" not in local:
        return None
    args = tuple(describe(known, a) for a in local["args"])
    return Step(Public(name), args, {k: describe(known, v) for k, v in local["kwargs"].items()})


def _transformed(known: FrameValues, frame: types.FrameType) -> Step | None:
    """What grad or vmap returned, applied: the function they were given is replaced by one of its types.

    Whether these complain depends on the types of arguments and results alone.
    """
    if not is_jax_file(frame.f_code.co_filename) or frame.f_code.co_name not in _TRANSFORMS:
        return None
    local = frame.f_locals
    name, options, results = _TRANSFORMS[frame.f_code.co_name]
    if local.get("kwargs") or "args" not in local:
        return None
    leaves = jax.tree_util.tree_leaves(local.get(results)) if results in local else [np.float32(0)]
    function = _stand_in(known, local["args"], leaves)
    made = Step(Public(name), (function,), {k: local[k] for k in options if k in local})
    return Step(Applied(made), tuple(describe(known, a) for a in local["args"]), {})


#: Code name of what a transform returns -> (the transform, its options, its local with the result).
_TRANSFORMS = {
    "value_and_grad_f": ("jax.value_and_grad", ("argnums",), "ans"),
    "vmap_f": ("jax.vmap", ("in_axes",), ""),
}


def _stand_in(known: FrameValues, args: Sequence[Any], results: Sequence[Any]) -> Function:
    """A function of as many arguments that returns zeros of the types of ``results``."""
    shapes = [(np.shape(r), r.dtype) for r in results if hasattr(r, "dtype")]
    dummies = [np.float32(0)] * len(args)  # an argument may be a tree: it is not looked at
    closed = jax.make_jaxpr(lambda *_: [jax.lax.full(s, 0, d) for s, d in shapes])(*dummies)
    return _function(known, "function", "", closed)


def _method(known: FrameValues, frame: types.FrameType) -> Step | None:
    """A method of a tracer: ``x.reshape(5)``, ``bool(x)``, ``np.sin(x)``."""
    name, local = frame.f_code.co_name, frame.f_locals
    if name == "meth" and is_jax_file(frame.f_code.co_filename) and is_tracer(local.get("self")):
        args = tuple(describe(known, a) for a in (local["self"], *local["args"]))
        kwargs = {k: describe(known, v) for k, v in local["kwargs"].items()}
        return Step(Method(local["name"]), args, kwargs)
    if name == "op" and local.get("name") == "getitem" and is_tracer(local.get("self")):
        args = tuple(describe(known, a) for a in (local["self"], *local["args"]))
        return Step(Method("__getitem__"), args, {})
    if frame.f_code.co_qualname.startswith("_IndexUpdateRef.") and "self" in local:
        updated = local["self"]
        if not is_tracer(updated.array):
            return None
        args = tuple(describe(known, a) for a in (updated.array, updated.index))
        return Step(Method("__getitem__"), args, {})  # x.at[i].set(v) minds i as x[i] does
    if not (name.startswith("__") and name.endswith("__")) or name in ("__init__", "__call__", "__getattr__"):
        return None
    names = frame.f_code.co_varnames[: frame.f_code.co_argcount]
    if not names or not is_tracer(local.get(names[0])):
        return None
    args = tuple(describe(known, local[n]) for n in names if n in local)
    return Step(Method(name), args, {})


def _plain_function(known: FrameValues, frame: types.FrameType) -> Step | None:
    """A public function without a boundary: its arguments as its local variables have them now."""
    name = public_functions().get(frame.f_code)
    if name is None:
        return None
    code, local = frame.f_code, frame.f_locals
    args = [
        describe(known, _argument(local, n))
        for n in code.co_varnames[: code.co_posonlyargcount]
        if n in local
    ]
    kwargs: dict[str, Any] = {}
    named = code.co_varnames[code.co_posonlyargcount : code.co_argcount + code.co_kwonlyargcount]
    after = code.co_argcount + code.co_kwonlyargcount
    positional = bool(code.co_flags & inspect.CO_VARARGS)
    for index, parameter in enumerate(named):
        value = _argument(local, parameter)
        if index < code.co_argcount - code.co_posonlyargcount and (
            positional or parameter not in defaults(name)
        ):
            args.append(describe(known, value))
        elif not is_default(name, parameter, value):
            kwargs[parameter] = describe(known, value)
    if positional:
        args.extend(describe(known, v) for v in local.get(code.co_varnames[after], ()))
    if code.co_flags & inspect.CO_VARKEYWORDS:
        rest = local.get(code.co_varnames[after + positional], {})
        kwargs.update({k: describe(known, v) for k, v in rest.items()})
    return Step(Public(name), tuple(args), kwargs)


def _bind(known: FrameValues, frame: types.FrameType) -> Step | None:
    """A primitive whose operands do not fit."""
    if not is_bind(frame):
        return None
    local = frame.f_locals
    args = tuple(describe(known, a) for a in local["args"])
    return Step(Bound(local["self"], dict(local["params"])), args, {})


_GONE = object()  # what a parameter was that is no longer there


def _argument(local: Mapping[str, Any], name: str) -> Any:
    """A parameter's value; JAX deletes some after flattening them into NAME_flat."""
    if name in local:
        return local[name]
    flat: Any = local.get(f"{name}_flat")
    return flat.unflatten() if hasattr(flat, "unflatten") else _GONE
