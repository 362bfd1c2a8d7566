"""Why a primitive is not translated, for those whose reason no code of jace holds."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

_SHAPES = (
    "symbolic shapes: only a program that jax.export exports with unknown dimensions has it; "
    "jace.jit compiles for known shapes"
)
_CUSPARSE = "JAX has a lowering for GPU only (cuSPARSE); on CPU it fails under jax.jit too"
_LINEARISED = "exists while JAX transposes a linearised function, never in a program that is compiled"
_REUSE = "bookkeeping of jax.experimental.key_reuse's checker; JAX compiles no program that has it"
_UNREDUCED = "of values that are reduced over no axis yet; on one device they are themselves"
_STUB = "a stub that JAX keeps for old importers: it can be neither traced nor evaluated"

#: primitive -> why jace does not translate it. A test fails when one of them is translated by now.
REASONS: Mapping[str, str] = MappingProxyType(
    {
        "assert_consumed_value": _REUSE,
        "call_hi_primitive_linearized": _LINEARISED,
        "consume": _REUSE,
        "coo_spmm": _CUSPARSE,
        "coo_spmv": _CUSPARSE,
        "csr_spmm": _CUSPARSE,
        "csr_spmv": _CUSPARSE,
        "custom_jvp_call_jaxpr": _STUB,
        "custom_lin": _LINEARISED,
        "dim_as_value": _SHAPES,
        "dimension_size": _SHAPES,
        "log_read": "reads a log outside of traced code: JAX cannot trace it either",
        "shape_assertion": _SHAPES,
        "unreachable": "an error that JAX raises when it lowers a program whose result needs it",
    }
)

#: Translated by a table of jace, but no program of one CPU makes JAX trace it here: why there is no probe.
UNPROBED: Mapping[str, str] = MappingProxyType(
    {
        "eval_jaxpr": "JAX traces it to closed_call",
        "from_edtype": "the element type is a user's own: the array is its representation",
        "relayout": "a layout in memory, as jax.experimental.layout gives one: arrays of jace have XLA's own",
        "stage": "JAX makes it of constants; no public function binds it",
        "to_edtype": "the element type is a user's own: the array is its representation",
        "unreduced_pmax": _UNREDUCED,
        "unreduced_pmin": _UNREDUCED,
        "zeros_like": _STUB,
    }
)
