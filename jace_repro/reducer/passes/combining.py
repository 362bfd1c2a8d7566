"""Passes into what combines two elements: the body of a general reduction, a scatter, a window, the order of a sort."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from jace import ir
from jace.ir import is_key_dtype
from jace.releases import closed_of
from jace_repro.reducer.cleaning import clean
from jace_repro.reducer.passes.common import operand_values
from jace_repro.reducer.passes.registry import reduction_pass
from jace_repro.reducer.problem import Candidates, Problem, normalise

#: What takes the place of a body, the first that fits the dtype and shows it.
_PLAIN = (lax.add, lax.max, lax.bitwise_or)


@reduction_pass("unwrap what combines", order=45)
def unwrap_combining(problem: Problem) -> Candidates:
    """Replace the program by what one of its equations combines elements with, on elements of its operands."""
    for eqn in problem.eqns:
        operands = operand_values(problem, eqn)
        if operands is None:
            continue
        for closed in _of_elements(eqn):
            args = _elements(closed, operands)
            if (yield clean(normalise(closed, args, f"what {eqn.primitive.name} combines with"))):
                return


def _of_elements(eqn: ir.JaxprEqn) -> Iterator[ir.ClosedJaxpr]:
    """The bodies of an equation that are functions of numbers, and neither a loop's nor a call's."""
    if eqn.primitive.name in ir.CONTROL | ir.CALL_PRIMITIVES:
        return
    for bodies in ir.sub_jaxprs(eqn).values():
        for body in bodies:
            opened = ir.open_jaxpr(body)
            numbers = all(v.aval.shape == () and not is_key_dtype(v.aval.dtype) for v in opened.invars)
            if numbers and opened.eqns and (isinstance(body, ir.ClosedJaxpr) or not opened.constvars):
                yield closed_of(body)


def _elements(closed: ir.ClosedJaxpr, operands: Sequence[Any]) -> list[Any]:
    """One element of the operands for each input, of its dtype; zero where there is none."""
    made = []
    for k, aval in enumerate(closed.in_avals):
        alike = [np.ravel(x) for x in operands if getattr(x, "dtype", None) == aval.dtype and np.size(x)]
        turn, which = divmod(k, len(alike)) if alike else (0, 0)
        made.append(jnp.asarray(alike[which][turn % alike[which].size] if alike else 0, aval.dtype))
    return made


@reduction_pass("reduce plainly", order=92)
def reduce_plainly(problem: Problem) -> Candidates:
    """Have a general reduction reduce one operand, by an operation of one equation."""
    used = ir.used_variables(problem.jaxpr)
    for i, eqn in enumerate(problem.eqns):
        read = [k for k, v in enumerate(eqn.outvars) if v in used]
        if eqn.primitive.name != "reduce" or len(read) != 1 or ir.count_equations(eqn.params["jaxpr"]) == 1:
            continue
        for plain in _plain_reductions(eqn, read[0]):
            eqns = [plain if j == i else e for j, e in enumerate(problem.eqns)]
            if (yield clean(problem.edited(eqns, problem.jaxpr.outvars, "reduce plainly"))):
                return


def _plain_reductions(eqn: ir.JaxprEqn, result: int) -> Iterator[ir.JaxprEqn]:
    """Reductions of one operand to this result of the equation."""
    operand, start = eqn.invars[result], eqn.invars[result + len(eqn.invars) // 2]
    structs: Any = [jax.ShapeDtypeStruct(v.aval.shape, v.aval.dtype) for v in (operand, start)]
    for operation in _PLAIN:
        try:
            made = jax.make_jaxpr(lambda x, y, f=operation: lax.reduce(x, y, f, eqn.params["dimensions"]))(
                *structs
            )
        except TypeError:  # bits of floats
            continue
        if [e.primitive.name for e in made.jaxpr.eqns] == ["reduce"]:
            yield made.jaxpr.eqns[0].replace(invars=[operand, start], outvars=[eqn.outvars[result]])
