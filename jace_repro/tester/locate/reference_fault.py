"""The first equation that XLA has wrong: the reference's own faults, localised as DaCe's are.

Equation by equation, what JAX gives (each compiled alone by XLA) is put before the oracle. When every equation is
right alone, XLA takes the place of DaCe in the search for the smallest window of equations that fails together.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import Any

from jax.extend.core import ClosedJaxpr, JaxprEqn

from jace.ir import entries, eval_equation
from jace_repro.tester.execute import backends, xla
from jace_repro.tester.execute.traced import TracedProgram, base_array
from jace_repro.tester.locate.localize import localize
from jace_repro.tester.locate.localized import Localized
from jace_repro.tester.locate.side_by_side import single
from jace_repro.tester.numerics import native
from jace_repro.tester.numerics.errormodel import budgets
from jace_repro.tester.verdict.oracle import Oracle

#: Iterations of a guilty loop that are looked into.
MAX_ENTRIES = 64
_NOTE = "wrong under XLA"


def localize_reference(
    prog: TracedProgram, outputs: Sequence[Any], max_compilations: int
) -> Localized | None:
    """The first equation of `prog` whose result under XLA the oracle convicts; None when there is none.

    Args:
        outputs: what XLA gave for the whole program. For a program of one equation they are taken as they are:
            a fault of memory may not show a second time.
        max_compilations: programs that XLA may compile in the search for a window; single equations are free.
    """
    jaxpr = prog.plain.jaxpr
    lone = len(jaxpr.eqns) == 1 and list(jaxpr.outvars) == jaxpr.eqns[0].outvars
    found = _first_wrong(prog.plain, prog.flat, (), outputs if lone else None)
    found = found or localize(
        prog.plain,
        prog.flat,
        lambda closed: xla.backend(closed, "", backends.no_stages),
        max_compilations=max_compilations,
        is_xla=True,
    )
    return found or (_only(prog, outputs) if lone else None)


def _only(prog: TracedProgram, outputs: Sequence[Any]) -> Localized:
    """The one equation of a program that is known to be wrong, whatever the oracle grants it."""
    (eqn,) = prog.plain.jaxpr.eqns
    best = Oracle(prog.plain, prog.flat, budgets(prog.plain)).best
    expected, got = ([base_array(out) for out in outs] for outs in (best, outputs))
    return Localized.of(eqn, prog.plain, prog.flat, expected, got, confirmed=True, note=_NOTE)


def _first_wrong(
    closed: ClosedJaxpr, args: Sequence[Any], path: tuple[str, ...], outputs: Sequence[Any] | None = None
) -> Localized | None:
    for index, eqn, operands, _ in native.evaluate_each(closed, args):
        if eqn.effects:
            continue
        got = [base_array(out) for out in outputs or eval_equation(eqn, operands)]
        alone = single(eqn)
        inputs = alone.inputs(operands)
        oracle = Oracle(alone.closed, inputs, budgets(alone.closed))
        kind = oracle.assess(got).kind
        if kind is None:
            continue
        inner = _within(eqn, operands, path)
        if inner is not None:
            return inner.known(index=index)
        return Localized.of(
            eqn,
            alone.closed,
            inputs,
            [base_array(out) for out in oracle.best],
            got,
            path=path,
            index=index,
            difference=kind,
            confirmed=True,
            note=_NOTE,
        )
    return None


def _within(eqn: JaxprEqn, operands: Sequence[Any], path: tuple[str, ...]) -> Localized | None:
    """The culprit in the body of a guilty loop or cond."""
    for label, body, args in islice(entries(eqn, operands), MAX_ENTRIES):
        found = _first_wrong(body, args, (*path, label))
        if found is not None:
            return found
    return None
