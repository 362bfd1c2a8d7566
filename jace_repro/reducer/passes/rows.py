"""The pass on what loops read row by row: one row for all iterations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import jax.numpy as jnp

from jace import ir
from jace_repro.reducer.cleaning import clean
from jace_repro.reducer.passes.common import fewer_or_none, operand_values
from jace_repro.reducer.passes.registry import reduction_pass
from jace_repro.reducer.problem import Candidates, Problem

#: (position of the scan, which of its stacked operands)
_Stacked = tuple[int, int]


@reduction_pass("one row for all", order=78)
def one_row_for_all(problem: Problem) -> Candidates:
    """Have scans read the row of their first iteration in each: of all that they read by rows, else of some."""
    places = [
        (i, k)
        for i, eqn in enumerate(problem.eqns)
        if eqn.primitive.name == "scan" and ir.Scan.of(eqn.params).length > 0
        for k, _ in enumerate(ir.Scan.of(eqn.params).split(eqn.invars)[2])
    ]

    def build(kept: Sequence[_Stacked]) -> Problem | None:
        return _with_one_row(problem, [place for place in places if place not in kept])

    yield from fewer_or_none(problem, places, build)


def _with_one_row(problem: Problem, places: Sequence[_Stacked]) -> Problem | None:
    """The problem in which these are constants of their loops; None where an operand has no value."""
    eqns, rows = problem.eqns, dict[ir.Var, Any]()
    for i in dict.fromkeys(position for position, _ in places):
        which = [k for position, k in places if position == i]
        values = operand_values(problem, eqns[i])
        if values is None:
            return None
        scan = ir.Scan.of(eqns[i].params)
        first, stacked = scan.positions[0], scan.split(values)[2]
        inner = scan.split(scan.body.jaxpr.invars)
        extra = [inner[2][k] for k in which]
        outer = [ir.Var(v.aval) for v in extra]
        rows |= {v: jnp.asarray(stacked[k])[first] for v, k in zip(outer, which, strict=True)}
        eqns[i] = _reading(eqns[i], scan, which, extra, outer)
    return clean(
        problem.edited(eqns, problem.jaxpr.outvars, f"one row for all of {len(places)} arrays", rows)
    )


def _reading(
    eqn: ir.JaxprEqn, scan: ir.Scan, which: Sequence[int], extra: Sequence[ir.Var], outer: Sequence[ir.Var]
) -> ir.JaxprEqn:
    """The scan with some of its stacked operands as constants: `extra` in the body, `outer` around it."""

    def left(values: Sequence[Any]) -> list[Any]:
        consts, carries, stacked = scan.split(values)
        return [*consts, *carries, *(v for k, v in enumerate(stacked) if k not in which)]

    body = scan.body.jaxpr
    consts = dict(zip(body.constvars, scan.body.consts, strict=True))
    made = ir.make_closed([*extra, *left(body.invars)], body.outvars, body.eqns, consts)
    return ir.with_body(eqn.replace(invars=left(eqn.invars)), ir.SCAN_BODY, made, outer)
