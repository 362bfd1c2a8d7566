"""Derivatives and batching of jace_call: each rule transforms the jaxpr and binds jace_call again.

So derivatives and batched programs run in DaCe too. Importing this module registers the rules with JAX.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import jax
from jax._src import core
from jax._src import linear_util as lu
from jax._src.interpreters import ad as _ad
from jax._src.interpreters import batching as _batching
from jax._src.interpreters import partial_eval as _pe
from jax._src.util import weakref_lru_cache
from jax.extend.core import ClosedJaxpr

from jace.primitive.bind import bind, jace_call_p, keep
from jace.releases import derivatives

# Untyped, and without __all__: for a type checker these are Any.
ad: Any = _ad
batching: Any = _batching
pe: Any = _pe

_NOT_MAPPED = getattr(batching, "not_mapped", None)  # jax 0.10.2 says None


# --- forward mode


def _is_nonzero(tangent: Any) -> bool:
    return type(tangent) is not ad.Zero and core.typeof(tangent).dtype != jax.dtypes.float0


def _fill_zeros(values: Sequence[Any], nonzero: Sequence[bool], avals: Sequence[Any]) -> list[Any]:
    it = iter(values)
    return [
        next(it) if nz else ad.Zero(aval.to_tangent_aval()) for nz, aval in zip(nonzero, avals, strict=True)
    ]


def _jvp(primals: Any, tangents: Any, *, jaxpr: ClosedJaxpr, name: str, **params: Any) -> Any:
    nonzeros = [_is_nonzero(t) for t in tangents]
    jvp_jaxpr, nonzeros_out = ad.jvp_jaxpr(jaxpr, nonzeros, instantiate=False)
    outs = bind(jvp_jaxpr, [*primals, *keep(tangents, nonzeros)], name=f"{name}_jvp", **params)
    n = len(jaxpr.out_avals)
    return outs[:n], _fill_zeros(outs[n:], nonzeros_out, jaxpr.out_avals)


ad.primitive_jvps[jace_call_p] = _jvp


# --- reverse mode


def _linearize(
    is_vjp: bool, nonzeros: Any, *primals: Any, jaxpr: ClosedJaxpr, name: str, **params: Any
) -> Any:
    """(primal outputs, which have tangents, residuals, linear function of residuals and tangents)."""
    made = derivatives.linearize(jaxpr, nonzeros, is_vjp)
    outs = _bind_forwarding(made.forward, primals, name=f"{name}_fwd", **params)
    split = len(jaxpr.out_avals)
    computed = iter(outs[split : len(outs) - made.structured_count])
    # Residuals that are inputs of the function are not copied.
    residuals = [next(computed) if i is None else (*jaxpr.consts, *primals)[i] for i in made.forwarded]

    def apply_linear(
        residuals: Sequence[Any], tangents: Sequence[Any], structured: Sequence[Any]
    ) -> list[Any]:
        given = keep(tangents, nonzeros)
        outs = bind(made.linear, [*residuals, *given, *structured], name=f"{name}_lin", **params)
        return _fill_zeros(outs, made.nonzeros, jaxpr.out_avals)

    return made.rule(outs, split, residuals, apply_linear)


def _bind_forwarding(closed: ClosedJaxpr, operands: Sequence[Any], **params: Any) -> list[Any]:
    """Bind, but take outputs that are inputs, or that repeat another output, from where they are."""
    inputs = {id(v): i for i, v in enumerate(closed.jaxpr.invars)}
    first: dict[int, int] = {}
    source: list[Any] = []  # an operand's index as (0, i), an output's as (1, i)
    for v in closed.jaxpr.outvars:
        if id(v) in inputs:
            source.append((0, inputs[id(v)]))
        else:
            source.append((1, first.setdefault(id(v), len(first))))
    seen: set[Any] = set()
    computed = [s[0] == 1 and not (s in seen or seen.add(s)) for s in source]  # type: ignore[func-returns-value]
    outs = bind(pe.prune_closed_jaxpr_outputs(closed, computed), operands, **params)
    places = (list(operands), outs)
    return [places[kind][i] for kind, i in source]


ad.primitive_linearizations[jace_call_p] = _linearize


@weakref_lru_cache
def _transposed(jaxpr: ClosedJaxpr, linear: tuple[bool, ...], nonzero: tuple[bool, ...]) -> Any:
    """Jaxpr from non-linear operands and non-zero cotangents to non-zero cotangents of linear operands.

    Returns:
        The closed jaxpr, and for each linear operand whether its cotangent is among the results.
    """
    in_avals, out_avals = jaxpr.in_avals, jaxpr.out_avals
    found: list[bool] = []

    def transposed(*flat: Any) -> list[Any]:
        it = iter(flat)
        primals = [
            ad.UndefinedPrimal(a) if is_lin else next(it) for a, is_lin in zip(in_avals, linear, strict=True)
        ]
        cts = [next(it) if nz else ad.Zero(a.to_ct_aval()) for a, nz in zip(out_avals, nonzero, strict=True)]
        outs = keep(ad.backward_pass(jaxpr.jaxpr, False, jaxpr.consts, primals, cts), linear)
        found[:] = [type(ct) is not ad.Zero for ct in outs]
        return keep(outs, found)

    debug = jaxpr.jaxpr.debug_info.with_unknown_names()
    avals = [a for a, is_lin in zip(in_avals, linear, strict=True) if not is_lin]
    avals += [a.to_ct_aval() for a, nz in zip(out_avals, nonzero, strict=True) if nz]
    made, _, consts = pe.trace_to_jaxpr_dynamic(lu.wrap_init(transposed, debug_info=debug), avals)
    return ClosedJaxpr(made, consts), tuple(found)


def _transpose(cts: Any, *operands: Any, jaxpr: ClosedJaxpr, name: str, **params: Any) -> list[Any]:
    linear = tuple(ad.is_undefined_primal(x) for x in operands)
    nonzero = tuple(type(ct) is not ad.Zero for ct in cts)
    closed, found = _transposed(jaxpr, linear, nonzero)
    known = [x for x, is_lin in zip(operands, linear, strict=True) if not is_lin]
    outs = iter(bind(closed, [*known, *keep(cts, nonzero)], name=f"{name}_t", **params))
    found_it = iter(found)
    return [
        (next(outs) if next(found_it) else ad.Zero(x.aval.to_ct_aval())) if is_lin else None
        for x, is_lin in zip(operands, linear, strict=True)
    ]


ad.primitive_transposes[jace_call_p] = _transpose


# --- batching


def _batch(axis_data: Any, values: Any, dims: Any, *, jaxpr: ClosedJaxpr, name: str, **params: Any) -> Any:
    wanted = [batching.zero_if_mapped] * len(jaxpr.out_avals)
    batched, mapped = batching.batch_jaxpr_axes(jaxpr, axis_data, dims, wanted)
    outs = bind(batched, values, name=f"{name}_vmap", **params)
    return outs, [0 if m else _NOT_MAPPED for m in mapped]


batching.fancy_primitive_batchers[jace_call_p] = _batch
