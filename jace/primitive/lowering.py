"""The code of a jace_call: on CPU one XLA FFI custom call of the shim.

When equations of it stay with XLA (callbacks; what jace has no rule for, if `on_unsupported` allows), it is a function
that calls one such region after the other with those equations between.
"""

from __future__ import annotations

import warnings
from functools import partial
from typing import Any

import jax
import numpy as np
from jax._src.interpreters import mlir

from jace import dtypes, jax_internals
from jace.build import shim
from jace.errors import JaceError
from jace.primitive import packing
from jace.primitive.bind import jace_call_p
from jace.primitive.regions import split, unit


def _lower(ctx: Any, *operands: Any, **params: Any) -> Any:
    if ctx.module_context.lowering_parameters.for_export:
        return _lower_for_export(ctx, *operands, **params)
    platforms = tuple(ctx.platforms or ctx.module_context.platforms)
    if platforms != ("cpu",):
        raise JaceError(
            f"jace.jit compiles for CPU only, and '{params['name']}' was called on {', '.join(platforms)}: "
            "run it under `with jax.default_device(jax.devices('cpu')[0])`, or use jax.jit there"
        )
    return _lower_cpu(ctx, *operands, **params)


def _lower_cpu(ctx: Any, *operands: Any, **params: Any) -> Any:
    found = split(params)
    if found is not None:
        return mlir.core_call_lowering(ctx, *operands, name=params["name"], call_jaxpr=found.closed)
    library = unit(params).library
    shim.load()
    key = np.int64(library.call_key)
    plain = ctx.replace(
        avals_in=[jax_internals.plain_aval(a) for a in ctx.avals_in],
        avals_out=[jax_internals.plain_aval(a) for a in ctx.avals_out],
    )
    if any(dtypes.packed(a.dtype) for a in (*plain.avals_in, *plain.avals_out)):
        call = partial(_call_unpacked, key=key, results=tuple(plain.avals_out))
        return mlir.lower_fun(call, multiple_results=True)(plain, *operands)
    return jax.ffi.ffi_lowering(shim.TARGET)(plain, *operands, key=key)


def _call_unpacked(*operands: Any, key: np.int64, results: tuple[Any, ...]) -> list[Any]:
    """The custom call with a byte for every element that XLA would pack (int4 and the like)."""
    shapes = [jax.ShapeDtypeStruct(a.shape, packing.border_dtype(a.dtype)) for a in results]
    outs = jax.ffi.ffi_call(shim.TARGET, shapes)(*map(packing.unpack, operands), key=key)
    return [packing.repack(out, a.dtype) for out, a in zip(outs, results, strict=True)]


def _lower_for_export(ctx: Any, *operands: Any, **params: Any) -> Any:
    """StableHLO of the equations: what `jax.export` writes must run where neither jace nor this machine's code is."""
    name, closed = params["name"], params["jaxpr"]
    warnings.warn(
        f"jax.export writes '{name}' as StableHLO: where it is loaded, XLA compiles and runs it, not DaCe",
        stacklevel=2,
    )
    if closed.jaxpr.is_high:
        closed = jax_internals.lower_jaxpr(closed)
    closed = jax_internals.discharge_refs(closed)
    return mlir.core_call_lowering(ctx, *operands, name=name, call_jaxpr=closed)


# One rule for all platforms: of several JAX makes a switch, which `jax.export` would write into the module.
# Not cacheable: the call may hold callbacks, whose tokens and keep-alives belong to one equation.
mlir.register_lowering(jace_call_p, _lower, cacheable=False)
