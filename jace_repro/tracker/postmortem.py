"""From the traceback of an error raised while JAX was tracing to plain data: the calls that were open.

Nothing is hooked for this while a trace succeeds: JAX's own frames still hold the traces, their equations so
far, and the arguments of the call that raised.
"""

from __future__ import annotations

import inspect
import types
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import jax
import numpy as np
from jax.extend.core import ClosedJaxpr

from jace_repro.trace.failure import Call, Func, Opaque, Ref, TraceFailure
from jace_repro.trace.frames import (
    describe_frame,
    file_of,
    function_source,
    is_jax_file,
    is_user_frame,
    line_of,
    split_source,
)
from jace_repro.trace.inspect import (
    PartialTrace,
    is_bind,
    is_key,
    is_tracer,
    open_trace,
    plain_value,
    trace_so_far,
    tracer_identity,
    zeros,
)
from jace_repro.trace.public_api import code_of, defaults, is_default, public_functions

Frames = Sequence[tuple[types.FrameType, int]]


@dataclass
class _Values:
    """Turns live values into data; the same traced value becomes the same Ref."""

    refs: dict[int, Ref] = field(default_factory=dict)
    live: dict[int, Any] = field(default_factory=dict)  # keeps what the keys of ``refs`` identify alive
    functions: dict[types.CodeType, Func] = field(default_factory=dict)
    aliases: dict[int, Any] = field(default_factory=dict)  # concrete arguments by the variable they became

    def ref(self, key: Any, aval: Any) -> Ref:
        """The Ref of a variable or tracer."""
        self.live[id(key)] = key
        shape, dtype = tuple(getattr(aval, "shape", ())), str(getattr(aval, "dtype", aval))
        weak = bool(getattr(aval, "weak_type", False))
        return self.refs.setdefault(id(key), Ref(len(self.refs), shape, dtype, weak))

    def convert(self, value: Any) -> Any:
        """``value`` as a leaf or container that :class:`jace_repro.trace.failure.Call` allows."""
        if is_tracer(value):
            variable, literal = tracer_identity(value)
            return self.plain(literal) if literal is not None else self.ref(variable, value.aval)
        if id(value) in self.aliases:
            variable = self.aliases[id(value)]
            return self.ref(variable, variable.aval)
        if isinstance(value, slice):
            return slice(*(self.convert(v) for v in (value.start, value.stop, value.step)))
        if type(value) in (tuple, list):
            return type(value)(self.convert(v) for v in value)
        if type(value) is dict:
            return {k: self.convert(v) for k, v in value.items()}
        return self.plain(value)

    def plain(self, value: Any) -> Any:
        """A value with no tracer in it."""
        if value is None or isinstance(value, _PLAIN):
            return value
        if is_key(value):
            return value
        if isinstance(value, jax.Array):
            return plain_value(value, value.aval)
        if isinstance(value, np.ndarray):
            return value.copy()
        if isinstance(value, type) and hasattr(value, "dtype"):
            return np.dtype(value.dtype)
        if (code := code_of(value)) is not None:
            known = self.functions.get(code)
            return known if known else Opaque("a function that was not traced", code.co_qualname)
        if type(value).__module__.split(".")[0] in ("jax", "jaxlib"):
            return value
        leaves = jax.tree_util.tree_leaves(value)
        if leaves and not (len(leaves) == 1 and leaves[0] is value):
            return Opaque(f"a container of type {type(value).__qualname__}", repr(value)[:80])
        return Opaque(f"a value of type {type(value).__qualname__}", repr(value)[:80])


_PLAIN = (bool, int, float, complex, str, bytes, type(Ellipsis), np.dtype, np.generic)


def examine(error: BaseException, frames: Frames) -> TraceFailure | None:
    """What was open when ``error`` was raised; None when it was not raised under a JAX call.

    Args:
        error: the exception, as it leaves JAX.
        frames: the whole stack at the raise, outermost first, with line numbers.
    """
    start = next((i for i, (f, _) in enumerate(frames) if is_jax_file(f.f_code.co_filename)), None)
    if start is None:
        return None
    values = _Values()
    last_user = max((i for i, (f, _) in enumerate(frames) if is_user_frame(f)), default=-1)
    traces = [(i, t) for i, (f, _) in enumerate(frames) if (t := open_trace(f)) is not None]
    # What JAX's own functions trace below the user's last line is their business, unless it is all there is.
    traces = [(i, t) for i, t in traces if i < last_user] or traces[:1]
    entry = _entry(frames)
    if traces and traces[0][0] > last_user:  # an eager operation: the user's arrays are its parameters
        arrays = zip(entry, trace_so_far(traces[0][1]).invars, strict=False)
        values.aliases = {id(a): v for a, v in arrays if isinstance(a, np.ndarray | jax.Array)}
    _learn_functions(values, frames[last_user + 1 :])
    failing = _dedupe(_candidates(values, frames[last_user + 1 :], _source(frames, last_user)))
    func = _open_functions(values, frames, traces, failing)
    source = func.source if func else ""
    if not source or is_jax_file(file_of(source)):
        source = line_of(_source(frames, last_user))
    root = Call("trace", func.traced_for if func else "eager", func=func, source=_source(frames, start))
    name = func.name if func else (failing[0].name.rpartition(".")[2] if failing else "<unknown>")
    return TraceFailure(
        outside=last_user == len(frames) - 1,
        name=name,
        source=source,
        exception=type_name(error),
        message=str(error),
        root=root,
        candidates=tuple(failing),
        inputs=tuple(zeros(a.aval) if is_tracer(a) else values.plain(a) for a in entry),
    )


def type_name(error: BaseException) -> str:
    """Qualified name of an exception's type as one would write it; bare for builtins."""
    kind = type(error)
    if kind.__module__ == "builtins":
        return kind.__qualname__
    if getattr(jax.errors, kind.__name__, None) is kind:
        return f"jax.errors.{kind.__name__}"
    return f"{kind.__module__}.{kind.__qualname__}"


def _source(frames: Frames, index: int) -> str:
    """The innermost user line at or before a frame."""
    for frame, line in reversed(frames[: index + 1]):
        if is_user_frame(frame):
            return describe_frame(frame, line)
    return ""


def _entry(frames: Frames) -> Sequence[Any]:
    """The flat dynamic arguments of the outermost jitted call."""
    for frame, _ in frames:
        if frame.f_code.co_name == "_infer_params" and is_jax_file(frame.f_code.co_filename):
            return list(frame.f_locals.get("dynargs", ()))
    return []


# ------------------------------------------------------------------------------------- open traces


def _open_functions(
    values: _Values, frames: Frames, traces: Sequence[tuple[int, Any]], failing: Sequence[Call]
) -> Func | None:
    """The traces that were running, outermost first, each inside the one before; None when there is none."""
    func: Func | None = None
    for index, trace in reversed(traces):
        calls = tuple(failing) if func is None else (_trace_call(func, frames, index),)
        used = _refs(failing) if func is None else []
        func = _function(values, trace_so_far(trace), used, calls)
    return func


def _trace_call(func: Func, frames: Frames, index: int) -> Call:
    """The call that made JAX trace ``func`` inside the trace whose frame is at ``index``."""
    inner = next((i for i in range(index + 1, len(frames)) if open_trace(frames[i][0]) is not None), index)
    return Call("trace", func.traced_for, func=func, source=_source(frames, inner))


def _function(values: _Values, so_far: PartialTrace, used: Sequence[Ref], calls: tuple[Call, ...]) -> Func:
    """A trace so far as data; ``used`` are the values that the failing call wants."""
    captured = {v: values.convert(value) for v, value in so_far.constants.items() if is_tracer(value)}
    constants = {v: value for v, value in so_far.constants.items() if v not in captured}
    refs = {v: captured.get(v) or values.ref(v, v.aval) for v in (*so_far.invars, *captured)}
    variables = {ref.id: v for v, ref in refs.items()}
    variables |= {values.refs[id(v)].id: v for v in so_far.results() if id(v) in values.refs}
    wanted = [r for r in used if r.id in variables]
    jaxpr = so_far.closed(list(refs), [variables[r.id] for r in wanted], constants)
    params = tuple(refs.values())
    name, file, line = split_source(so_far.source)
    source = f"{file}:{line}" if file else ""
    return Func(name, source, so_far.traced_for, params, jaxpr, tuple(wanted), calls)


def _refs(calls: Sequence[Call]) -> list[Ref]:
    """The traced values among the arguments of calls, each once, in order."""
    found: dict[int, Ref] = {}
    todo: list[Any] = [x for call in reversed(calls) for x in (call.kwargs, call.args)]
    while todo:
        value = todo.pop()
        if isinstance(value, Ref):
            found.setdefault(value.id, value)
        elif isinstance(value, tuple | list):
            todo.extend(reversed(value))
        elif isinstance(value, slice):
            todo.extend((value.step, value.stop, value.start))
        elif isinstance(value, Mapping):
            todo.extend(reversed(list(value.values())))
    return list(found.values())


# --------------------------------------------------------------------------------- the failing call


def _learn_functions(values: _Values, frames: Frames) -> None:
    """Functions whose jaxpr a JAX frame holds: a scan that dies comparing its body's types has one."""
    for frame, _ in frames:
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
        values.functions.update({c: _traced(values, c, j) for c, j in zip(codes, jaxprs, strict=False)})


def _private(code: types.CodeType) -> bool:
    """Whether a local function of JAX's own makes jaxprs rather than being traced to one."""
    return is_jax_file(code.co_filename) and code.co_name.startswith("_")


def _traced(values: _Values, code: types.CodeType, closed: Any) -> Func:
    """A Func from a finished jaxpr."""
    return Func(
        name=code.co_name,
        source=f"{code.co_filename}:{code.co_firstlineno}",
        traced_for=closed.jaxpr.debug_info.traced_for,
        params=tuple(values.ref(v, v.aval) for v in closed.jaxpr.invars),
        jaxpr=closed,
        outputs=tuple(values.ref(object(), aval) for aval in closed.out_avals),
    )


def _candidates(values: _Values, frames: Frames, source: str) -> list[Call]:
    """Calls below the user's last line that may be the one to blame, outermost first."""
    found = []
    for frame, _ in frames:
        for recognise in (_boundary, _transformed, _method, _plain_function, _bind):
            call = recognise(values, frame, source)
            if call is not None:
                found.append(call)
                break
    return found


def _boundary(values: _Values, frame: types.FrameType, source: str) -> Call | None:
    """A function under an API boundary, or a jitted one: JAX's frame has the arguments as they were given."""
    if frame.f_code.co_name not in ("reraise_with_filtered_traceback", "cache_miss"):
        return None
    local = frame.f_locals
    code = code_of(local.get("fun"))
    name = public_functions().get(code) if code else None
    if name is None or "args" not in local:
        return None
    args = tuple(values.convert(a) for a in local["args"])
    return Call("api", name, args, {k: values.convert(v) for k, v in local["kwargs"].items()}, source=source)


def _transformed(values: _Values, frame: types.FrameType, source: str) -> Call | None:
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
    func = _stand_in(values, local["args"], leaves)
    given = {k: local[k] for k in options if k in local}
    applied = tuple(values.convert(a) for a in local["args"])
    return Call("api", name, (func,), given, source=source, applied=applied)


#: Code name of what a transform returns -> (the transform, its options, its local with the result).
_TRANSFORMS = {
    "value_and_grad_f": ("jax.value_and_grad", ("argnums",), "ans"),
    "vmap_f": ("jax.vmap", ("in_axes",), ""),
}


def _stand_in(values: _Values, args: Sequence[Any], results: Sequence[Any]) -> Func:
    """A function of as many arguments that returns zeros of the types of ``results``."""
    shapes = [(np.shape(r), r.dtype) for r in results if hasattr(r, "dtype")]
    dummies = [np.float32(0)] * len(args)  # an argument may be a tree: it is not looked at
    closed = jax.make_jaxpr(lambda *_: [jax.lax.full(s, 0, d) for s, d in shapes])(*dummies)
    params = tuple(values.ref(v, v.aval) for v in closed.jaxpr.invars)
    outputs = tuple(values.ref(object(), aval) for aval in closed.out_avals)
    return Func("function", "", "", params, closed, outputs)


def _method(values: _Values, frame: types.FrameType, source: str) -> Call | None:
    """A method of a tracer: ``x.reshape(5)``, ``bool(x)``, ``np.sin(x)``."""
    name, local = frame.f_code.co_name, frame.f_locals
    if name == "meth" and is_jax_file(frame.f_code.co_filename) and is_tracer(local.get("self")):
        args = tuple(values.convert(a) for a in (local["self"], *local["args"]))
        kwargs = {k: values.convert(v) for k, v in local["kwargs"].items()}
        return Call("method", local["name"], args, kwargs, source=source)
    if name == "op" and local.get("name") == "getitem" and is_tracer(local.get("self")):
        args = tuple(values.convert(a) for a in (local["self"], *local["args"]))
        return Call("method", "__getitem__", args, source=source)
    if frame.f_code.co_qualname.startswith("_IndexUpdateRef.") and is_tracer(local["self"].array):
        args = tuple(values.convert(a) for a in (local["self"].array, local["self"].index))
        return Call("method", "__getitem__", args, source=source)  # x.at[i].set(v) minds i as x[i] does
    if not (name.startswith("__") and name.endswith("__")) or name in ("__init__", "__call__", "__getattr__"):
        return None
    names = frame.f_code.co_varnames[: frame.f_code.co_argcount]
    if not names or not is_tracer(local.get(names[0])):
        return None
    args = tuple(values.convert(local[n]) for n in names if n in local)
    return Call("method", name, args, source=source)


def _plain_function(values: _Values, frame: types.FrameType, source: str) -> Call | None:
    """A public function without a boundary: its arguments as its local variables have them now."""
    name = public_functions().get(frame.f_code)
    if name is None:
        return None
    code, local = frame.f_code, frame.f_locals
    args = [
        values.convert(_argument(local, n)) for n in code.co_varnames[: code.co_posonlyargcount] if n in local
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
            args.append(values.convert(value))
        elif not is_default(name, parameter, value):
            kwargs[parameter] = values.convert(value)
    if positional:
        args.extend(values.convert(v) for v in local.get(code.co_varnames[after], ()))
    if code.co_flags & inspect.CO_VARKEYWORDS:
        rest = local.get(code.co_varnames[after + positional], {})
        kwargs.update({k: values.convert(v) for k, v in rest.items()})
    return Call("api", name, tuple(args), kwargs, source=source)


def _bind(values: _Values, frame: types.FrameType, source: str) -> Call | None:
    """A primitive whose operands do not fit."""
    if not is_bind(frame):
        return None
    local = frame.f_locals
    primitive = local["self"]
    args = tuple(values.convert(a) for a in local["args"])
    return Call("bind", primitive.name, args, dict(local["params"]), primitive=primitive, source=source)


def _argument(local: Mapping[str, Any], name: str) -> Any:
    """A parameter's value; JAX deletes some after flattening them into NAME_flat."""
    if name in local:
        return local[name]
    flat: Any = local.get(f"{name}_flat")
    return flat.unflatten() if hasattr(flat, "unflatten") else Opaque("no longer there", name)


def _dedupe(calls: Sequence[Call]) -> list[Call]:
    """Without calls that cannot be written, and without the same function twice in a row."""
    kept: list[Call] = []
    for call in calls:
        if _opaque((call.args, call.kwargs)) is not None:
            continue
        if kept and (kept[-1].kind, kept[-1].name) == (call.kind, call.name):
            continue
        kept.append(call)
    return kept


def _opaque(value: Any) -> Opaque | None:
    """The first thing in a value that is no data."""
    if isinstance(value, Opaque):
        return value
    items: Iterable[Any] = value if isinstance(value, tuple | list) else ()
    if isinstance(value, Mapping):
        items = value.values()
    elif isinstance(value, slice):
        items = (value.start, value.stop, value.step)
    return next((found for item in items if (found := _opaque(item)) is not None), None)
