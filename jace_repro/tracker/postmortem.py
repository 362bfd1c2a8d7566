"""From the traceback of an error raised while JAX was tracing to plain data: the calls that were open.

Nothing is hooked for this while a trace succeeds: JAX's own frames still hold the traces, their equations so
far, and the arguments of the call that raised.
"""

from __future__ import annotations

import types
from collections.abc import Sequence
from typing import Any

import jax
import numpy as np

from jace_repro.trace.failure import TraceFailure, kind_and_name, traced_run
from jace_repro.trace.frames import (
    describe_frame,
    file_of,
    is_jax_file,
    is_user_frame,
    line_of,
    split_source,
)
from jace_repro.trace.inspect import PartialTrace, data_of, is_tracer, open_trace, trace_so_far, zeros
from jace_repro.trace.model import Applied, Body, Step, Traced, Tracing, values
from jace_repro.trace.values import describe
from jace_repro.tracker.suspects import FrameValues, suspects

Frames = Sequence[tuple[types.FrameType, int]]


def examine(error: BaseException, frames: Frames) -> TraceFailure | None:
    """What was open when ``error`` was raised; None when it was not raised under a JAX call.

    Args:
        error: the exception, as it leaves JAX.
        frames: the whole stack at the raise, outermost first, with line numbers.
    """
    start = next((i for i, (f, _) in enumerate(frames) if is_jax_file(f.f_code.co_filename)), None)
    if start is None:
        return None
    known = FrameValues()
    last_user = max((i for i, (f, _) in enumerate(frames) if is_user_frame(f)), default=-1)
    traces = [(i, t) for i, (f, _) in enumerate(frames) if (t := open_trace(f)) is not None]
    # What JAX's own functions trace below the user's last line is their business, unless it is all there is.
    traces = [(i, t) for i, t in traces if i < last_user] or traces[:1]
    entry = _entry(frames)
    if traces and traces[0][0] > last_user:  # an eager operation: the user's arrays are its parameters
        pairs = zip(entry, trace_so_far(traces[0][1]).invars, strict=False)
        arrays = {
            id(a): (a, v) for a, v in pairs if isinstance(a, np.ndarray | jax.Array) and not is_tracer(a)
        }
        known.adopt([a for a, _ in arrays.values()], [known.known_as(v, v.aval) for _, v in arrays.values()])
    failing = suspects(known, [frame for frame, _ in frames[last_user + 1 :]], _source(frames, last_user))
    runs = _open_runs(known, [trace_so_far(trace) for _, trace in traces], failing)
    lines = [_source(frames, i) for i in (start, *(i for i, _ in traces[1:]))]
    function = runs[0].body.function if runs and runs[0].body is not None else None
    source = function.source if function is not None else ""
    if not source or is_jax_file(file_of(source)):
        source = line_of(_source(frames, last_user))
    suspect = kind_and_name(failing[0])[1].rpartition(".")[2] if failing else "<unknown>"
    return TraceFailure(
        name=function.name if function is not None else suspect,
        source=source,
        exception=type_name(error),
        message=str(error),
        open=tuple(
            Step(run, (), {}, line=line)
            for run, line in zip(runs or [Tracing("eager", None)], lines, strict=True)
        ),
        candidates=failing,
        inputs=tuple(map(_input, entry)),
        outside=last_user == len(frames) - 1,
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


def _input(value: Any) -> Any:
    """An argument of the outermost jitted call as a value of its own; zeros for a tracer."""
    if is_tracer(value):
        return zeros(value.aval)
    if isinstance(value, jax.Array):
        return data_of(value, value.aval)
    return value.copy() if isinstance(value, np.ndarray) else value


def _open_runs(known: FrameValues, traces: Sequence[PartialTrace], failing: Sequence[Step]) -> list[Tracing]:
    """The traces that were running, outermost first; the failing call stands in the last."""
    used = [_used(failing) if trace is traces[-1] else () for trace in traces]
    return [
        Tracing(trace.traced_for, _run(known, trace, wanted))
        for trace, wanted in zip(traces, used, strict=True)
    ]


def _run(known: FrameValues, trace: PartialTrace, used: Sequence[Traced]) -> Body:
    """A trace so far as data; ``used`` are the values that the failing call wants."""
    captured = {v: describe(known, value) for v, value in trace.constants.items() if is_tracer(value)}
    constants = {v: value for v, value in trace.constants.items() if v not in captured}
    outer = {v: value for v, value in captured.items() if isinstance(value, Traced)}
    args = {v: outer.get(v) or known.known_as(v, v.aval) for v in (*trace.invars, *captured)}
    variables = {arg.id: v for v, arg in args.items()}
    variables |= {known.names[id(v)].id: v for v in trace.results() if id(v) in known.names}
    wanted = [value for value in used if value.id in variables]
    jaxpr = trace.closed(list(args), [variables[value.id] for value in wanted], constants)
    name, file, line = split_source(trace.source)
    source = f"{file}:{line}" if file else ""
    return traced_run(name, source, jaxpr, tuple(args.values()), tuple(wanted))


def _used(failing: Sequence[Step]) -> list[Traced]:
    """The traced values among the arguments of calls, each once, in order.

    What the result of a transform is applied to is not wanted: whether that complains depends on types alone.
    """
    called = [step for step in failing if not isinstance(step.operation, Applied)]
    found = (v for step in called for v in values((step.args, tuple(step.kwargs.values()))))
    return list(dict.fromkeys(v for v in found if isinstance(v, Traced)))
