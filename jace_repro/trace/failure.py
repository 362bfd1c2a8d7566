"""The call tree of a trace that raised, as far as it got, from which a script is written that raises the same error.

Holds live jaxprs and arrays and therefore never leaves the process: a journal gets :meth:`TraceFailure.summary`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from jace_repro.trace.frames import shown


@dataclass(frozen=True)
class Ref:
    """A traced value.  The same ``id`` is the same value throughout one :class:`TraceFailure`.

    ``dtype`` is the name in the aval (``"float32"``, ``"key<fry>"``).
    """

    id: int
    shape: tuple[int, ...]
    dtype: str
    weak_type: bool = False


@dataclass(frozen=True)
class Opaque:
    """Something that cannot be written as source; ``reason`` says why, ``text`` is its (short) repr."""

    reason: str
    text: str = ""


@dataclass(frozen=True)
class Func:
    """A Python function that JAX traced, as far as the trace got.

    ``traced_for`` is the API that traced it ("jit", "scan", "cond", ...).  ``jaxpr`` (a ClosedJaxpr) is
    its primitive binds so far, in order: its invars correspond to ``params`` one to one (captured values
    of outer traces included, last) and its outvars to ``outputs``, which are the values of this trace
    that the failing call uses.  ``jaxpr`` is None when the trace was already gone.
    ``calls`` holds what was open when the error was raised, outermost first: a nested traced call, or
    the candidates for *the* failing call (see :class:`TraceFailure`).
    """

    name: str
    source: str
    traced_for: str
    params: tuple[Ref, ...] = ()
    jaxpr: Any = None
    outputs: tuple[Ref, ...] = ()
    calls: tuple[Call, ...] = ()


@dataclass(frozen=True)
class Call:
    """One call of an API, of a user function, or the bind of a primitive.

    ``kind`` is "api" (``name`` is importable: "jax.numpy.concatenate", "jax.lax.scan"), "method" (of the
    first argument: "reshape", "__bool__", "__matmul__"), "bind" (``name`` is the primitive's name,
    ``primitive`` the object, ``kwargs`` its params), or "trace" (``func`` was being traced).
    Leaves of ``args``/``kwargs`` are :class:`Ref`, Python scalars and strings, numpy arrays, key arrays,
    :class:`Func` (a user function that was passed), dtypes, None, :class:`Opaque`; containers are tuple,
    list, dict, slice.  ``source`` is the user's line "file:line (function)", a place (:mod:`jace_repro.trace.frames`).
    ``applied``, when not None, are the arguments that the call's result is called with in turn:
    ``jax.vmap(f)(*applied)``.
    """

    kind: Literal["api", "method", "bind", "trace"]
    name: str
    args: tuple[Any, ...] = ()
    kwargs: Mapping[str, Any] = field(default_factory=dict)
    func: Func | None = None
    primitive: Any = None
    source: str = ""
    applied: tuple[Any, ...] | None = None


@dataclass(frozen=True)
class TraceFailure:
    """A top-level entry that raised while being traced.

    ``root.func`` is the user's function; following ``func.calls[0].func`` leads to the innermost trace.
    ``candidates`` are the calls that may be the one to blame, best first: each alone (with ``Ref``
    operands as inputs of those shapes and dtypes) should raise the same error; the emitter takes the
    first that does.  ``inputs`` are the flat concrete arguments of the entry: the values of
    ``root.func.params`` (captured ones excluded).  ``exception`` is the qualified type name
    ("TypeError", "jax.errors.ConcretizationTypeError"); ``message`` its text without JAX's notes.
    ``outside``: the program's own code raised it, not JAX; there are no candidates then.
    """

    name: str
    source: str
    exception: str
    message: str
    root: Call
    candidates: tuple[Call, ...]
    inputs: tuple[Any, ...] = ()
    outside: bool = False

    def summary(self) -> dict[str, Any]:
        """JSON-able digest for the journal: the open calls outermost first, and the failing one."""
        stack = []
        call: Call | None = self.root
        while call is not None:
            func = call.func
            stack.append(
                {
                    "api": call.name,
                    "function": func.name if func else None,
                    "source": shown(call.source),
                    "equations": len(func.jaxpr.jaxpr.eqns) if func and func.jaxpr is not None else 0,
                }
            )
            nested = [c for c in func.calls if c.kind == "trace"] if func else []
            call = nested[0] if nested else None
        return {
            "exception": self.exception,
            "message": self.message,
            "stack": stack,
            "failing": [{"kind": c.kind, "name": c.name, "source": shown(c.source)} for c in self.candidates],
        }
