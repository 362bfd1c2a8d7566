"""Calls and their bodies, one line a primitive: jit, custom derivatives, checkpoint, linear solves, ..."""

from __future__ import annotations

import functools
from collections.abc import Callable

import numpy as np
from jax.extend.core import JaxprEqn, Literal

from jace.ir.control import taken_branch
from jace.ir.core import make_closed
from jace.ir.rewrite import Splice
from jace.ir.trace import trace_on
from jace.releases.jaxprs import closed_of


def _body(*names: str) -> Callable[[JaxprEqn], Splice]:
    """What takes a call's place is its body, the parameter that has one of these names."""

    def splice(eqn: JaxprEqn) -> Splice:
        body = next(eqn.params[name] for name in names if name in eqn.params)
        return Splice(closed_of(body), eqn.invars, from_user=True)

    return splice


def _custom_linear_solve(eqn: JaxprEqn) -> Splice:
    # operands: consts of matvec, vecmat, solve, transpose_solve, then b (lax/control_flow/solves.py)
    lengths, jaxprs = eqn.params["const_lengths"], eqn.params["jaxprs"]
    start = lengths.matvec + lengths.vecmat
    solve_consts = eqn.invars[start : start + lengths.solve]
    b = eqn.invars[sum(lengths) :]
    return Splice(closed_of(jaxprs.solve), [*solve_consts, *b], from_user=True)


def _high(eqn: JaxprEqn) -> Splice:
    """An operation of JAX's own on a level of its own (from jax 0.12 on: nonzero, einsum, ...), as JAX lowers it."""
    return Splice(trace_on(functools.partial(eqn.primitive.to_lojax, **eqn.params), eqn), eqn.invars)


#: primitive -> what takes the call's place.
CALLS: dict[str, Callable[[JaxprEqn], Splice]] = {
    "call_hi_primitive": _high,
    "jit": _body("jaxpr"),
    "closed_call": _body("call_jaxpr"),
    "core_call": _body("call_jaxpr"),
    "call": _body("call_jaxpr"),
    "custom_jvp_call": _body("call_jaxpr"),
    "custom_vjp_call": _body("call_jaxpr"),
    "checkpoint": _body("jaxpr"),
    "remat2": _body("jaxpr"),
    "remat_opt": _body("fwd_jaxpr"),
    "custom_vmap_call": _body("call"),
    "custom_partitioning": _body("call"),
    "linear_call": _body("callee"),
    "composite": _body("call_jaxpr", "jaxpr"),  # the first from jax 0.12 on
    "compute_on": _body("jaxpr"),
    "fused_call": _body("jaxpr"),
    "eval_jaxpr": _body("call_jaxpr", "jaxpr"),  # the first from jax 0.11 on
    "program_order": _body("call_jaxpr"),
    "xla_metadata_call": _body("jaxpr"),
    "jace_call": _body("jaxpr"),
    "custom_linear_solve": _custom_linear_solve,
}


def _platform_index(eqn: JaxprEqn) -> Splice:
    """The branch for CPU: `platforms` lists names by branch, None is the rest."""
    platforms = list(eqn.params["platforms"])
    index = next((i for i, names in enumerate(platforms) if names is not None and "cpu" in names), None)
    aval = eqn.outvars[0].aval
    value = np.asarray(platforms.index(None) if index is None else index, aval.dtype)
    return Splice(make_closed([], [Literal(value[()], aval)], []), ())


def _known_branch(eqn: JaxprEqn) -> Splice | None:
    """The branch that a literal index selects, clamped as XLA does."""
    which, *operands = eqn.invars
    if not isinstance(which, Literal):
        return None
    branches = eqn.params["branches"]
    return Splice(branches[taken_branch(len(branches), which.val)], operands, from_user=True)


#: What is decided when the program is translated: on CPU, the code for other platforms must not count.
DECIDED: dict[str, Callable[[JaxprEqn], Splice | None]] = {
    "platform_index": _platform_index,
    "cond": _known_branch,
}


def expand_call(eqn: JaxprEqn) -> Splice | None:
    """The body of a call equation, or of a branch that is decided; None when the equation is neither."""
    name = eqn.primitive.name
    rule = CALLS.get(name) or DECIDED.get(name)
    return rule(eqn) if rule else None
