"""What jace can translate: the expansion of equations without a rule, and the reasons why others stay.

Both `pipelines` (which translates) and `partition` (which decides what goes to DaCe) ask here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from jax.extend.core import ClosedJaxpr, JaxprEqn, Var

import jace.rules  # noqa: F401  (rules register at import)
from jace import dtypes, ir
from jace.errors import UnsupportedEquation, UnsupportedPrimitiveError
from jace.ir.failures import unsupported
from jace.registry import lookup

#: Primitives that stay with XLA inside of a jace.jit program, and why. A rule registered for one takes precedence.
LEFT_TO_XLA: Mapping[str, str] = {
    "pure_callback": "calls Python: JAX's runtime does that, with its vectorisation and error handling",
    "io_callback": "calls Python with an effect whose order JAX's runtime keeps",
    "debug_callback": "calls Python with an effect whose order JAX's runtime keeps",
    "debug_print": "prints from JAX's runtime, ordered with the other effects",
    "buffer_callback": "hands XLA's buffers to Python",
    "ffi_call": "a custom call of XLA: its handler is registered with XLA and takes XLA's call frame",
    "call_exported": "an exported StableHLO module: there is no jaxpr to translate",
    "spsolve": "calls SciPy's sparse solver in Python, as JAX does on CPU",
    "inspect_sharding": "shows a sharding that XLA decides",
    "check": "checkify's error effect: jax.experimental.checkify.checkify must wrap the function; JAX says so",
}


def expand(eqn: JaxprEqn) -> ir.Splice | None:
    """What takes the place of an equation that has no rule of its own, or None."""
    call = ir.expand_call(eqn) or ir.expand_random(eqn)
    if call is not None or lookup(eqn.primitive.name) is not None:
        return call
    return ir.expand_unruled(eqn)


def flatten(closed: ClosedJaxpr) -> ClosedJaxpr:
    """`closed` with calls inlined, expansions done and typed keys as their base arrays, at every depth."""
    return ir.splice(ir.purify(closed), expand, physical=True)


def flatten_kept(closed: ClosedJaxpr) -> ClosedJaxpr:
    """The same, but that calls stay, each as a `kept_call`; except in what combines two elements."""
    return ir.splice(ir.purify(closed), _keep, physical=True, inside=_inside)


def _keep(eqn: JaxprEqn) -> ir.Splice | None:
    return ir.keep_call(eqn) or expand(eqn)


#: Their bodies are programs, in which there may be calls.
_OF_PROGRAMS = ir.CONTROL | {ir.KEPT.name}


def _inside(eqn: JaxprEqn) -> ir.Expand:
    return _keep if eqn.primitive.name in _OF_PROGRAMS else expand


def unsupported_in(flat: ClosedJaxpr) -> Iterator[UnsupportedEquation]:
    """The equations of a flattened jaxpr, at any depth, that cannot be translated."""
    for _, eqn in ir.walk(flat):
        if lookup(eqn.primitive.name) is None:
            yield unsupported(eqn, LEFT_TO_XLA.get(eqn.primitive.name) or ir.why_not(eqn) or "no rule")
            continue
        reason = next(filter(None, (_why_not(var.aval) for var in (*eqn.invars, *eqn.outvars))), None)
        if reason is not None:
            yield unsupported(eqn, reason)


def _why_not(aval: Any) -> str | None:
    """Why there is no array of such values; None where there is."""
    dtype = getattr(aval, "dtype", None)
    if not isinstance(dtype, np.dtype) or not dtypes.is_supported(dtype):
        return f"dtype {dtype} has no C++ type"
    if not all(isinstance(extent, int) for extent in aval.shape):
        return (
            f"{aval.str_short()} has a symbolic extent: trace the function for arrays of known shapes "
            "(`canonical/sizes:symbols` has extents be symbols in the SDFG)"
        )
    return None


def unsupported_equations(eqn: JaxprEqn) -> list[UnsupportedEquation]:
    """What stands against translating one equation, bodies and expansions included."""
    invars = list(dict.fromkeys(v for v in eqn.invars if isinstance(v, Var)))
    return list(unsupported_in(flatten(ir.make_closed(invars, [], [eqn]))))


def check(flat: ClosedJaxpr) -> None:
    """Raise for the unsupported equations of a flattened jaxpr, all of them.

    Raises:
        UnsupportedPrimitiveError: if there is any.
    """
    refuse(list(unsupported_in(flat)))


def refuse(found: list[UnsupportedEquation]) -> None:
    """Raise UnsupportedPrimitiveError for equations, if there are any."""
    if found:
        raise UnsupportedPrimitiveError(found)
