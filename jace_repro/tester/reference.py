"""The first equation that XLA has wrong: the reference's own faults, localised as DaCe's are.

Equation by equation, what JAX gives (each compiled alone by XLA) is put before the judge. When every equation is
right alone, XLA takes the place of DaCe in the search for the smallest window of equations that fails together.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import Any

from jax.extend.core import ClosedJaxpr, JaxprEqn, Literal, Var

from jace.ir import describe, eval_equation, make_closed, source_of
from jace_repro.tester import native, oracles
from jace_repro.tester.entries import ENTRIES
from jace_repro.tester.errormodel import budgets
from jace_repro.tester.judge import Judge
from jace_repro.tester.localize import Localized, localize
from jace_repro.tester.oracles import Program, base_array

#: Iterations of a guilty loop that are looked into.
MAX_ENTRIES = 64


def localize_reference(prog: Program, max_compilations: int) -> Localized | None:
    """The first equation of `prog` whose result under XLA the judge convicts; None when there is none.

    Args:
        max_compilations: programs that XLA may compile in the search for a window; single equations are free.
    """
    alone = _first_wrong(prog.plain, prog.flat, ())
    if alone is not None:
        return alone
    return localize(
        prog.plain,
        prog.flat,
        lambda closed: oracles.xla_backend(closed, "", oracles.no_stages),
        max_compilations=max_compilations,
    )


def _first_wrong(closed: ClosedJaxpr, args: Sequence[Any], path: tuple[str, ...]) -> Localized | None:
    for index, eqn, operands, _ in native.evaluate_each(closed, args):
        if eqn.effects:
            continue
        got = [base_array(out) for out in eval_equation(eqn, operands)]
        program, inputs = _alone(eqn, operands)
        judge = Judge(program, inputs, budgets(program))
        kind = judge.assess(got).kind
        if kind is None:
            continue
        expected = [base_array(out) for out in judge.best]
        inner = _within(eqn, operands, path)
        if inner is not None:
            return inner
        return Localized(
            path=path,
            index=index,
            primitive=eqn.primitive.name,
            equation=describe(eqn),
            source=source_of(eqn),
            jaxpr=program,
            operands=tuple(inputs),
            expected=tuple(expected),
            got=tuple(got),
            difference=kind,
            confirmed_in_isolation=True,
            note="wrong under XLA",
        )
    return None


def _within(eqn: JaxprEqn, operands: Sequence[Any], path: tuple[str, ...]) -> Localized | None:
    """The culprit in the body of a guilty loop or cond."""
    entries = ENTRIES.get(eqn.primitive.name)
    for label, body, args in islice(entries(eqn, operands), MAX_ENTRIES) if entries is not None else ():
        found = _first_wrong(body, args, (*path, label))
        if found is not None:
            return found
    return None


def _alone(eqn: JaxprEqn, operands: Sequence[Any]) -> tuple[ClosedJaxpr, list[Any]]:
    """An equation as a program of its own, and its inputs."""
    inputs = {v: x for v, x in zip(eqn.invars, operands, strict=True) if not isinstance(v, Literal)}
    outvars = [Var(v.aval) for v in eqn.outvars]
    return make_closed(list(inputs), outvars, [eqn.replace(outvars=outvars)]), list(inputs.values())
