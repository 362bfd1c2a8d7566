"""Dead equations and backward slices."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from jax.extend.core import ClosedJaxpr, Jaxpr, JaxprEqn, Literal, Var

from jace.ir.core import Atom, make_closed, map_bodies, open_jaxpr
from jace.jax_internals import DropVar


def live_equations(jaxpr: Jaxpr, wanted: Iterable[Atom]) -> tuple[list[JaxprEqn], set[Var]]:
    """Equations (in order) that `wanted` depends on or that have effects, and every variable they read."""
    needed = {v for v in wanted if isinstance(v, Var)}
    kept: list[JaxprEqn] = []
    for eqn in reversed(jaxpr.eqns):
        if eqn.effects or any(v in needed for v in eqn.outvars):
            kept.append(eqn)
            needed.update(v for v in eqn.invars if isinstance(v, Var))
    return kept[::-1], needed


def eliminate_dead(closed: ClosedJaxpr) -> ClosedJaxpr:
    """`closed` without equations whose results are never used, at every depth. All invars stay."""
    jaxpr = closed.jaxpr
    kept, needed = live_equations(jaxpr, jaxpr.outvars)
    eqns = []
    for eqn in kept:
        outvars = [v if v in needed or isinstance(v, DropVar) else DropVar(v.aval) for v in eqn.outvars]
        eqns.append(eqn.replace(outvars=outvars, params=map_bodies(eqn.params, eliminate_dead)))
    consts = {v: c for v, c in zip(jaxpr.constvars, closed.consts, strict=True) if v in needed}
    return make_closed(jaxpr.invars, jaxpr.outvars, eqns, consts)


def slice_to(closed: ClosedJaxpr, outvars: Sequence[Atom]) -> tuple[ClosedJaxpr, list[int]]:
    """The backward slice that computes `outvars`.

    Returns:
        The sliced program, with only the invars it reads, and the positions of those invars in the original.
    """
    jaxpr = open_jaxpr(closed)
    kept, needed = live_equations(jaxpr, outvars)
    needed.update(v for v in outvars if not isinstance(v, Literal))
    positions = [i for i, v in enumerate(jaxpr.invars) if v in needed]
    consts = {v: c for v, c in zip(jaxpr.constvars, closed.consts, strict=True) if v in needed}
    return make_closed([jaxpr.invars[i] for i in positions], outvars, kept, consts), positions
