"""Evaluating a jaxpr equation by equation with plain JAX."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from jax.extend.core import ClosedJaxpr, JaxprEqn, Literal, Var

from jace.jax_internals import user_context


def eval_equation(eqn: JaxprEqn, invals: Sequence[Any]) -> list[Any]:
    """Bind one equation on concrete values (or tracers); answer the list of its outputs.

    Traced anew, the equation keeps its source line.
    """
    params = eqn.primitive.get_bind_params(eqn.params)
    with user_context(eqn.source_info.traceback), eqn.ctx.manager:
        outs = eqn.primitive.bind(*invals, **params)
    return list(outs) if eqn.primitive.multiple_results else [outs]


def eval_each(
    closed: ClosedJaxpr, args: Sequence[Any]
) -> Iterator[tuple[int, JaxprEqn, list[Any], list[Any]]]:
    """Evaluate the top-level equations in order, yielding (index, equation, operand values, results)."""
    env: dict[Var, Any] = dict(zip(closed.jaxpr.constvars, closed.consts, strict=True))
    env.update(zip(closed.jaxpr.invars, args, strict=True))
    for index, eqn in enumerate(closed.jaxpr.eqns):
        invals = [v.val if isinstance(v, Literal) else env[v] for v in eqn.invars]
        outvals = eval_equation(eqn, invals)
        env.update(zip(eqn.outvars, outvals, strict=True))
        yield index, eqn, invals, outvals
