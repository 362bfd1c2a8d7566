"""Whether a call of a public function of JAX's is traced to the very equations that it would stand for: it is tried.

Public functions run on each release of JAX, which group what an equation keeps in ways of their own. What they make of
their arguments is theirs: they take defaults for what is not given, find out what a body takes from outside, take apart
what a loop hands on unchanged.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import jax
import numpy as np
from jax.extend.core import ClosedJaxpr, JaxprEqn, Literal, Var, jaxpr_as_fun

from jace import ir
from jace_repro.emitter.core import grouping
from jace_repro.emitter.flat.normal import literal_value

#: Makes the call, given the values of the operands.
Call = Callable[..., Any]


def retraced(
    eqns: Sequence[JaxprEqn], operands: Sequence[Var | Literal], texts: Sequence[str], call: Call
) -> Any:
    """The types of the call's results, in the structure that it gives them in; None where it is other equations.

    Args:
        eqns: one after the other, of which the last gives the results.
        operands: what the call gets, in order.
        texts: the operands in the script, where a name in capitals is an array and no operand to JAX.
        call: of the operands.
    """
    own: dict[Var, Var] = {}
    constants: dict[Var, Any] = {}
    for atom, text in zip(operands, texts, strict=True):
        if isinstance(atom, Literal) or atom in own:
            continue
        own[atom] = Var(atom.aval)
        if text[0].isupper():
            aval: Any = atom.aval
            if not isinstance(aval.dtype, np.dtype) or aval.weak_type:
                return None
            constants[own[atom]] = np.zeros(aval.shape, aval.dtype)
    wanted = _alone(eqns, own, constants)
    given = [var for var in own.values() if var not in constants]

    def traced(*values: Any) -> Any:
        known = {**constants, **dict(zip(given, values, strict=True))}
        return call(*(literal_value(v) if isinstance(v, Literal) else known[own[v]] for v in operands))

    types = [jax.ShapeDtypeStruct(v.aval.shape, v.aval.dtype, weak_type=_weak(v)) for v in given]
    try:
        with eqns[-1].ctx.manager:
            found, results = jax.make_jaxpr(traced, return_shape=True)(*types)
    except Exception:  # JAX does not take such arguments: whatever it raises, the call is not the equation
        return None
    return results if ir.fingerprint(found) == ir.fingerprint(wanted) else None


def returning(body: ClosedJaxpr) -> Call:
    """What `JaxprWriter.function` writes, as a function."""
    flat = jaxpr_as_fun(body)

    def function(*operands: Any) -> Any:
        results = flat(*operands)
        return results[0] if len(results) == 1 else tuple(results)

    return function


def grouped(body: ClosedJaxpr, last: int, results: grouping.Sizes) -> Call:
    """What `JaxprWriter.grouped` writes, as a function: as many `last` arguments are groups."""
    flat = jaxpr_as_fun(body)

    def function(*args: Any) -> Any:
        bare, groups = args[: len(args) - last], args[len(args) - last :]
        outs = [grouping.value(g) for g in grouping.split(flat(*bare, *jax.tree.leaves(groups)), results)]
        return outs[0] if len(outs) == 1 else tuple(outs)

    return function


def _alone(eqns: Sequence[JaxprEqn], own: dict[Var, Var], constants: dict[Var, Any]) -> ClosedJaxpr:
    """The equations as a program of their operands."""
    known, moved = dict(own), []
    for eqn in eqns:
        outs = [Var(v.aval) for v in eqn.outvars]
        moved.append(
            eqn.replace(invars=[v if isinstance(v, Literal) else known[v] for v in eqn.invars], outvars=outs)
        )
        known.update(zip(eqn.outvars, outs, strict=True))
    invars = [var for var in own.values() if var not in constants]
    return ir.make_closed(invars, moved[-1].outvars, moved, constants)


def _weak(atom: Any) -> bool:
    return bool(getattr(atom.aval, "weak_type", False))
