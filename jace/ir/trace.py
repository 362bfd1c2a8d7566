"""Tracing a Python function in the place of an equation; what was traced once is remembered."""

from __future__ import annotations

import collections
import functools
import threading
from collections.abc import Callable
from typing import Any, TypeVar

import jax
from jax.extend.core import ClosedJaxpr, JaxprEqn

from jace import jax_internals as internals

#: Expansions remembered by each function that makes them.
_REMEMBERED = 512

T = TypeVar("T")


def remember(expand: Callable[[JaxprEqn], T]) -> Callable[[JaxprEqn], T]:
    """Cache a function that depends on an equation's primitive, parameters, types and configuration only.

    Equations with a parameter that cannot be hashed are not remembered. The oldest entries go first.
    """
    known: collections.OrderedDict[Any, T] = collections.OrderedDict()
    lock = threading.Lock()

    @functools.wraps(expand)
    def remembered(eqn: JaxprEqn) -> T:
        avals = tuple(v.aval for v in eqn.invars)
        try:
            params = tuple(sorted(eqn.params.items(), key=lambda item: item[0]))
            key = (eqn.primitive, params, avals, eqn.ctx, internals.trace_context())
            with lock:
                if key in known:
                    return known[key]
        except TypeError:
            return expand(eqn)
        found = expand(eqn)
        with lock:
            known[key] = found
            if len(known) > _REMEMBERED:
                known.popitem(last=False)
        return found

    return remembered


def _struct(aval: Any, physical: bool) -> jax.ShapeDtypeStruct:
    aval = internals.plain_aval(aval) if physical else aval
    return jax.ShapeDtypeStruct(aval.shape, aval.dtype, weak_type=getattr(aval, "weak_type", False))


def trace_on(fun: Callable[..., Any], eqn: JaxprEqn, *, physical: bool = True) -> ClosedJaxpr:
    """`fun` traced on the avals of the equation's operands, keys as their base arrays if `physical`.

    The configuration is that of the equation, but without a mesh: the program runs on one device.
    """
    with eqn.ctx.manager, internals.no_mesh():
        return jax.make_jaxpr(fun)(*[_struct(v.aval, physical) for v in eqn.invars])
