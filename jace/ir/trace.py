"""Tracing a Python function in the place of an equation."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
from jax.extend.core import ClosedJaxpr, JaxprEqn

from jace import jax_internals as internals


def _struct(aval: Any, physical: bool) -> jax.ShapeDtypeStruct:
    aval = internals.plain_aval(aval) if physical else aval
    return jax.ShapeDtypeStruct(aval.shape, aval.dtype, weak_type=getattr(aval, "weak_type", False))


def trace_on(fun: Callable[..., Any], eqn: JaxprEqn, *, physical: bool = True) -> ClosedJaxpr:
    """`fun` traced on the avals of the equation's operands, keys as their base arrays if `physical`.

    The configuration is that of the equation, but without a mesh: the program runs on one device.
    """
    with eqn.ctx.manager, internals.no_mesh():
        return jax.make_jaxpr(fun)(*[_struct(v.aval, physical) for v in eqn.invars])
