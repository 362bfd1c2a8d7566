"""Evaluating a jaxpr equation by equation, with plain JAX or with whatever evaluates an equation."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from typing import Any

from jax.extend.core import ClosedJaxpr, JaxprEqn, Literal, Var

from jace.jax_internals import user_context

#: (equation, values of its operands) -> values of its results.
Equation = Callable[[JaxprEqn, list[Any]], Sequence[Any]]


def eval_equation(eqn: JaxprEqn, invals: Sequence[Any]) -> list[Any]:
    """Bind one equation on concrete values (or tracers); answer the list of its outputs.

    Traced anew, the equation keeps its source line.
    """
    params = eqn.primitive.get_bind_params(eqn.params)
    with user_context(eqn.source_info.traceback), eqn.ctx.manager:
        outs = eqn.primitive.bind(*invals, **params)
    return list(outs) if eqn.primitive.multiple_results else [outs]


def eval_each(
    closed: ClosedJaxpr, args: Sequence[Any], equation: Equation = eval_equation
) -> Generator[tuple[int, JaxprEqn, list[Any], list[Any]], None, list[Any]]:
    """Evaluate the top-level equations in order, yielding (index, equation, operand values, results).

    A value is held until its last use. Returns the values of the outputs.

    Args:
        equation: evaluates one equation.
    """
    jaxpr = closed.jaxpr
    last_use = {v: i for i, eqn in enumerate(jaxpr.eqns) for v in eqn.invars if isinstance(v, Var)}
    kept = {v for v in jaxpr.outvars if isinstance(v, Var)}
    env: dict[Var, Any] = dict(zip(jaxpr.constvars, closed.consts, strict=True))
    env.update(zip(jaxpr.invars, args, strict=True))

    def read(atom: Var | Literal) -> Any:
        return atom.val if isinstance(atom, Literal) else env[atom]

    for index, eqn in enumerate(jaxpr.eqns):
        invals = [read(v) for v in eqn.invars]
        outvals = list(equation(eqn, invals))
        env.update(zip(eqn.outvars, outvals, strict=True))
        yield index, eqn, invals, outvals
        del invals, outvals
        for var in eqn.invars:
            if isinstance(var, Var) and last_use[var] == index and var not in kept:
                env.pop(var, None)
    return [read(v) for v in jaxpr.outvars]


def evaluate(closed: ClosedJaxpr, args: Sequence[Any], equation: Equation = eval_equation) -> list[Any]:
    """The values of the outputs.

    Args:
        closed: the program.
        args: one value an input.
        equation: evaluates one equation; calls and loops are its own affair.
    """
    steps = eval_each(closed, args, equation)
    while True:
        try:
            next(steps)
        except StopIteration as end:
            return end.value
