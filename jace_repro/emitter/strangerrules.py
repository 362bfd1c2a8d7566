"""Which runs of the rules of a primitive that is not JAX's belong to an equation of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import jax
from jax.extend.core import JaxprEqn
from jax.interpreters import ad

from jace_repro.calls import Body, Traced
from jace_repro.strangers import Run, runs_of

#: What a rule is for: "jvp" and which tangents are zero; "transpose", which cotangents are zero and which operands
#: are linear; "batch" and the mapped dimensions.
Case = tuple[Any, ...]


def rules_of(eqn: JaxprEqn) -> dict[Case, Body]:
    """How the rules ran last on operands like those of an equation, by what they were for."""
    wanted = [_type(v.aval) for v in eqn.invars]
    found: dict[Case, Body] = {}
    for run in runs_of(eqn.primitive, eqn.params):
        case, operands = _case(run)
        if [_type(_aval(v)) for v in operands] == wanted:
            found.setdefault((run.kind, *case), run.body)
    return found


def _case(run: Run) -> tuple[Case, Sequence[Any]]:
    args = run.body.args
    if run.kind == "jvp":
        primals, tangents = args
        return tuple(isinstance(t, ad.Zero) for t in tangents), primals
    if run.kind == "transpose":
        cotangents, *operands = args
        given = cotangents if isinstance(cotangents, tuple | list) else [cotangents]
        zeros = tuple(isinstance(c, ad.Zero) for c in given)
        return (zeros, *(isinstance(v, ad.UndefinedPrimal) for v in operands)), operands
    _, batched, dims = args
    pairs = zip(batched, dims, strict=True)
    return tuple(dims), [_Mapped(_aval(v), d) for v, d in pairs]


class _Mapped:
    """The type of one element of an operand that is mapped over a dimension."""

    def __init__(self, aval: Any, dim: int | None) -> None:
        shape = tuple(aval.shape)
        self.shape = shape if dim is None else shape[:dim] + shape[dim + 1 :]
        self.dtype = aval.dtype


def _aval(value: Any) -> Any:
    if isinstance(value, Traced | ad.UndefinedPrimal):
        return value.aval
    return value if isinstance(value, _Mapped) else jax.typeof(value)


def _type(aval: Any) -> Any:
    return tuple(aval.shape), aval.dtype
