"""Common subexpression elimination."""

from __future__ import annotations

from typing import Any

import numpy as np
from jax.extend.core import ClosedJaxpr, JaxprEqn, Literal, Var

from jace.ir.core import Atom, make_closed, map_bodies


def _param_key(params: dict[str, Any]) -> Any:
    key = tuple(sorted(params.items()))
    hash(key)
    return key


def _literal_key(atom: Literal) -> Any:
    return (str(atom.aval), getattr(atom.val, "dtype", type(atom.val)), bytes(memoryview(_array(atom.val))))


def _array(value: Any) -> Any:
    return np.ascontiguousarray(value).reshape(-1).view(np.uint8)


def merge_common(closed: ClosedJaxpr) -> ClosedJaxpr:
    """`closed` with equal effect-free equations computed once, at every depth."""
    renamed: dict[Var, Atom] = {}
    seen: dict[Any, JaxprEqn] = {}
    eqns: list[JaxprEqn] = []

    def read(atom: Atom) -> Atom:
        return renamed.get(atom, atom) if isinstance(atom, Var) else atom

    for eqn in closed.jaxpr.eqns:
        eqn = eqn.replace(invars=[read(v) for v in eqn.invars], params=map_bodies(eqn.params, merge_common))
        try:
            atoms = tuple(_literal_key(v) if isinstance(v, Literal) else v for v in eqn.invars)
            key = (eqn.primitive, atoms, _param_key(eqn.params))
        except TypeError:  # unhashable parameter: never merged
            eqns.append(eqn)
            continue
        twin = None if eqn.effects else seen.get(key)
        if twin is not None and len(twin.outvars) == len(eqn.outvars):
            renamed.update(zip(eqn.outvars, twin.outvars, strict=True))
            continue
        if not eqn.effects:
            seen[key] = eqn
        eqns.append(eqn)
    consts = dict(zip(closed.jaxpr.constvars, closed.consts, strict=True))
    return make_closed(closed.jaxpr.invars, [read(v) for v in closed.jaxpr.outvars], eqns, consts)
