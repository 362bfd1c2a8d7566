"""Programs as the tester has them: traced, with their inputs, with and without calls and typed keys."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from jax.extend.core import ClosedJaxpr, JaxprEqn

from jace.ir import (
    Splice,
    expand_collective,
    expand_lower_fun,
    expand_random,
    inline_calls,
    is_key_dtype,
    is_plain,
    plain_value,
    primitives,
    splice,
)
from jace_repro.repro import Repro, trace_repro
from jace_repro.tester.execute.named import NamedProgram

_Array = np.ndarray[Any, Any]

_CALLS_OUT = ("callback", "ffi_call", "custom_call", "infeed", "outfeed")


@dataclass(frozen=True)
class TracedProgram:
    """A jaxpr and its inputs: of a repro, or of a part of one.

    Attributes:
        closed: as traced; key-typed variables are allowed.
        plain: the same with calls inlined, collectives on one device replaced by what they come to, and typed keys and
            float0 by the arrays behind them.
        args: inputs of `closed`, one a variable: NumPy arrays of the exact dtypes, or typed key arrays.
        flat: inputs of `plain` as NumPy arrays of the exact dtypes and shapes.
    """

    closed: ClosedJaxpr
    args: Sequence[Any]
    plain: ClosedJaxpr = field(repr=False)
    flat: Sequence[_Array] = field(repr=False)

    def on(self, values: Sequence[Any]) -> TracedProgram:
        """The program on other inputs, one an invar of `closed`; Python scalars of weak types are allowed."""
        flat = [exact(value, v.aval) for value, v in zip(values, self.plain.jaxpr.invars, strict=True)]
        pairs = zip(values, flat, strict=True)
        args = [array if is_plain(value) else value for value, array in pairs]
        return replace(self, args=args, flat=flat)


def trace(subject: Repro | NamedProgram) -> TracedProgram:
    """Trace what is tested; to be called under its configuration."""
    return from_jaxpr(*(subject.traced if isinstance(subject, NamedProgram) else trace_repro(subject)))


def from_jaxpr(closed: ClosedJaxpr, args: Sequence[Any]) -> TracedProgram:
    """A jaxpr on its inputs, one an invar."""
    return TracedProgram(closed, (), without_keys(without_calls(closed)), ()).on(args)


def without_calls(closed: ClosedJaxpr) -> ClosedJaxpr:
    """`closed` with calls inlined, and collectives and shard_maps over one device as what they come to."""
    return inline_calls(splice(closed, expand_collective))


def without_keys(closed: ClosedJaxpr) -> ClosedJaxpr:
    """`closed` on the uint32 base arrays of typed PRNG keys; unchanged when there are none.

    A primitive that takes keys and is lowered through a Python function (random_gamma) becomes what that does.
    """
    return splice(closed, _expand_keyed, physical=True)


def _expand_keyed(eqn: JaxprEqn) -> Splice | None:
    found = expand_random(eqn)
    if found is not None or not any(is_key_dtype(getattr(v.aval, "dtype", None)) for v in eqn.invars):
        return found
    body = expand_lower_fun(eqn)
    return Splice(body, eqn.invars) if body is not None else None


def calls_out(closed: ClosedJaxpr) -> bool:
    """Whether a program calls what is none of its own: Python functions, foreign ones."""
    return any(word in name for name in primitives(closed) for word in _CALLS_OUT)


def exact(value: Any, aval: Any) -> _Array:
    """A value (a Python scalar of a weak type, say) as the array of exactly the dtype that `aval` says."""
    array = np.ascontiguousarray(base_array(value))
    if is_key_dtype(aval.dtype):
        return array
    return array.astype(aval.dtype, copy=False).reshape(aval.shape)


def base_array(value: Any) -> _Array:
    """A value as a NumPy array; typed keys by their key data, float0 as booleans."""
    return np.asarray(plain_value(value))
