"""A trace that raised, as far as it got, from which a script is written that raises the same error.

What was open and what may be to blame are steps of the one model (:mod:`jace_repro.trace.model`), read from the frames
of the traceback.  They hold live jaxprs and arrays and never leave the process: a journal gets
:meth:`TraceFailure.summary`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import jax
import numpy as np

from jace_repro.trace.frames import shown
from jace_repro.trace.model import (
    Applied,
    Body,
    Bound,
    Function,
    Method,
    Public,
    Step,
    Traced,
    Tracing,
    leaves,
)
from jace_repro.trace.values import VALUES


@dataclass(frozen=True)
class TraceFailure:
    """A top-level entry that raised while being traced.

    ``open`` are the calls that were not over, outermost first, each with :class:`Tracing` for its operation: the first
    traced the user's function.  Their bodies are known by their jaxprs, whose outputs are the values that the failing
    call uses of each.
    ``candidates`` are the calls that may be the one to blame, best first: each alone (with operands of those shapes
    and dtypes as inputs) should raise the same error; the emitter takes the first that does.  Their operation is
    :class:`Public`, :class:`Method`, :class:`Bound` or :class:`Applied`.
    ``inputs`` are the flat concrete arguments of the entry: the values of the first body's ``args`` (captured ones
    excluded).  ``exception`` is the qualified type name ("TypeError", "jax.errors.ConcretizationTypeError");
    ``message`` its text without JAX's notes.
    ``outside``: the program's own code raised it, not JAX; there are no candidates then.
    """

    name: str
    source: str
    exception: str
    message: str
    open: tuple[Step, ...]
    candidates: tuple[Step, ...]
    inputs: tuple[Any, ...] = ()
    outside: bool = False

    @property
    def body(self) -> Body | None:
        """The run of the user's function; None where nothing was traced."""
        operation = self.open[0].operation
        return operation.body if isinstance(operation, Tracing) else None

    def summary(self) -> dict[str, Any]:
        """JSON-able digest for the journal: the open calls outermost first, and the failing one."""
        failing = [(*kind_and_name(step), step.line) for step in self.candidates]
        return {
            "exception": self.exception,
            "message": self.message,
            "stack": [_open_call(step) for step in self.open],
            "failing": [
                {"kind": kind, "name": name, "source": shown(source)} for kind, name, source in failing
            ],
        }


def _open_call(step: Step) -> dict[str, Any]:
    assert isinstance(step.operation, Tracing)
    body = step.operation.body
    return {
        "api": step.operation.api,
        "function": body.function.name if body is not None else None,
        "source": shown(step.line),
        "equations": len(body.jaxpr.jaxpr.eqns) if body is not None and body.jaxpr is not None else 0,
    }


def kind_and_name(step: Step) -> tuple[str, str]:
    """What a candidate is called: ("api", importable name), ("method", "reshape") or ("bind", primitive)."""
    operation = step.operation
    if isinstance(operation, Applied):
        return kind_and_name(operation.made)
    if isinstance(operation, Bound):
        return "bind", operation.primitive.name
    assert isinstance(operation, Public | Method)
    return ("api" if isinstance(operation, Public) else "method"), operation.name


def traced_run(
    name: str, source: str, jaxpr: Any, args: tuple[Traced, ...], result: tuple[Traced, ...]
) -> Body:
    """A run, and the only one, of a function of which nothing but this jaxpr is known."""
    function = Function(name, source, (), None)
    body = Body(function, args, {}, result=result, jaxpr=jaxpr)
    function.bodies.append(body)
    return body


#: What an argument may be that a script spells out, beside functions and objects of JAX's.
_PLAIN = (*VALUES, jax.Array, np.ndarray, np.generic, np.dtype, type(Ellipsis))


def unwritable(step: Step) -> str | None:
    """Why the arguments of a failing call cannot be written as source; None where they can."""
    given = leaves((step.args, dict(step.kwargs)))
    return next((reason for leaf in given if (reason := _unwritable(leaf)) is not None), None)


def _unwritable(leaf: Any) -> str | None:
    if isinstance(leaf, Function):
        return None if leaf.body is not None else f"the function {leaf.name}, which was not traced"
    if isinstance(leaf, _PLAIN):
        return None
    kind = type(leaf)
    scalar_type = isinstance(leaf, type) and hasattr(leaf, "dtype")
    if scalar_type or kind.__module__.partition(".")[0] in ("jax", "jaxlib"):
        return None
    inner = jax.tree_util.tree_leaves(leaf)
    container = inner and not (len(inner) == 1 and inner[0] is leaf)
    what = "container" if container else "value"
    return f"a {what} of type {kind.__qualname__}: {repr(leaf)[:80]}"
