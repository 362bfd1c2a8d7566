"""The pass that makes types plainer: float32 for other inexact ones, int32 for other integers."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, TypeAlias

import jax
import jax.numpy as jnp
import numpy as np

from jace import ir
from jace.ir import is_key_dtype
from jace_repro.reducer.dtypes import plainer_dtypes
from jace_repro.reducer.loop import sizes_left
from jace_repro.reducer.passes.common import retraced, until_none_helps
from jace_repro.reducer.passes.registry import reduction_pass
from jace_repro.reducer.problem import Candidates, Problem, number

#: What stands for what.
_Types: TypeAlias = Mapping[Any, Any]


@reduction_pass("plainer types", order=103, trigger=sizes_left)
def plainer_types(problem: Problem) -> Candidates:
    """Put a plainer type in the place of each: of all at once, then of one after the other."""
    return until_none_helps(problem, _steps)


def _steps(problem: Problem) -> Iterator[Problem]:
    return filter(None, (_retyped(problem, types) for types in _choices(problem)))


def _choices(problem: Problem) -> Iterator[_Types]:
    """All at once, to the plainest; then each by itself, the plainest first."""
    found = {dtype: list(plainer_dtypes(dtype)) for dtype in sorted(ir.dtypes(problem.jaxpr), key=str)}
    found = {dtype: others for dtype, others in found.items() if others}
    if len(found) > 1:
        yield {dtype: others[0] for dtype, others in found.items()}
    for dtype, others in found.items():
        yield from ({dtype: other} for other in others)


def _retyped(problem: Problem, types: _Types) -> Problem | None:
    """The problem with other types; None when its equations do not take these."""
    note = ", ".join(f"{new} for {old}" for old, new in types.items())
    args = [_cast(arg, types) for arg in problem.args]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of what no longer converts, or loses its imaginary part
        return retraced(replace(problem, closed=_written(problem.closed, types)), args, {}, note)


def _written(closed: ir.ClosedJaxpr, types: _Types) -> ir.ClosedJaxpr:
    """A program in whose literals, constants and parameters the types stand; its variables have theirs still."""

    def equation(eqn: ir.JaxprEqn) -> ir.JaxprEqn:
        params = {name: types.get(p, p) if isinstance(p, np.dtype) else p for name, p in eqn.params.items()}
        bodies = ir.map_bodies(params, lambda body: _written(body, types))
        return eqn.replace(invars=[_literal(v, types) for v in eqn.invars], params=bodies)

    jaxpr = closed.jaxpr
    outvars = [_literal(v, types) for v in jaxpr.outvars]
    eqns = [equation(eqn) for eqn in jaxpr.eqns]
    return ir.ClosedJaxpr(jaxpr.replace(eqns=eqns, outvars=outvars), [_cast(c, types) for c in closed.consts])


def _literal(atom: Any, types: _Types) -> Any:
    if not isinstance(atom, ir.Literal):
        return atom
    aval: Any = atom.aval
    if (new := types.get(aval.dtype)) is None:
        return atom
    return number(_cast(np.asarray(atom.val, aval.dtype), types), aval.update(dtype=new))


def _cast(value: Any, types: _Types) -> Any:
    """A value in the type that stands for its own; integers beyond its ends are there."""
    dtype = jax.typeof(value).dtype
    new = types.get(dtype)
    if new is None or is_key_dtype(dtype):
        return value
    array = np.asarray(value)
    if np.iscomplexobj(array) and not np.issubdtype(new, np.complexfloating):
        array = array.real
    if jnp.issubdtype(new, jnp.integer):
        wide = array if array.dtype.itemsize == 8 else array.astype(np.int64)
        own, ends = np.iinfo(wide.dtype), np.iinfo(new)
        array = np.clip(wide, max(own.min, ends.min), min(own.max, ends.max))
    with np.errstate(all="ignore"):
        return array.astype(new)[()]
