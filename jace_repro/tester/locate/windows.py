"""Failures that need their context: the smallest window of equations that fails together.

Ever larger windows of the program before the first diverging intermediate are tried, until one fails.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from jax.extend.core import ClosedJaxpr, Var, jaxpr_as_fun

from jace.ir import DropVar, make_closed, slice_to
from jace_repro.tester.execute.traced import base_array, from_jaxpr
from jace_repro.tester.locate.conviction import Judge, LimitedBuilder, call, try_program
from jace_repro.tester.locate.localized import Localized
from jace_repro.tester.locate.side_by_side import Instance
from jace_repro.tester.numerics.compare import compare
from jace_repro.tester.numerics.errormodel import budgets
from jace_repro.tester.verdict.oracle import Oracle

#: Sizes of the windows tried when no single equation fails.
WINDOWS = (2, 3, 5, 8, 16, 32, 64)


def in_context(
    builder: LimitedBuilder,
    closed: ClosedJaxpr,
    args: Sequence[Any],
    instances: Sequence[Instance],
    path: tuple[str, ...],
) -> Localized | None:
    """The smallest window of equations that fails together, ending where the program first diverges.

    Raises:
        SpentError: there are no compilations left.
    """
    if len(instances) < 2:
        return None
    values: dict[Var, Any] = dict(zip(closed.jaxpr.invars, args, strict=True))
    values.update(zip(closed.jaxpr.constvars, closed.consts, strict=True))
    for instance in instances:
        values.update(zip(instance.eqn.outvars, instance.results, strict=True))
    for last in _diverging_positions(builder, closed, args, instances, values):
        for size in WINDOWS:
            window = _window(closed, instances, last, size)
            operands = [values[v] for v in window.jaxpr.invars]
            expected = [base_array(out) for out in jaxpr_as_fun(window)(*operands)]
            conviction = try_program(builder, Judge.of(window, operands, expected))
            if conviction is None:
                if size >= last + 1:
                    break
                continue
            return Localized.of(
                instances[last].eqn,
                window,
                operands,
                expected,
                conviction.got,
                path=path,
                index=instances[last].index,
                difference=conviction.difference,
                confirmed=False,
                note=f"{len(window.jaxpr.eqns)} equations fail together, none of them alone",
            )
    return None


def _diverging_positions(
    builder: LimitedBuilder,
    closed: ClosedJaxpr,
    args: Sequence[Any],
    instances: Sequence[Instance],
    values: Mapping[Var, Any],
) -> Iterator[int]:
    """Positions among `instances` to suspect: the first diverging intermediate, then those of the outputs."""
    made = [(p, v) for p, i in enumerate(instances) for v in i.eqn.outvars if not isinstance(v, DropVar)]
    everything = make_closed(
        closed.jaxpr.invars,
        [v for _, v in made],
        [i.eqn for i in instances],
        dict(zip(closed.jaxpr.constvars, closed.consts, strict=True)),
    )
    executable = builder.try_build(everything)
    first: int | None = None
    if executable is not None:
        got = call(executable, everything, args)
        expected = [base_array(values[v]) for _, v in made]
        prog = from_jaxpr(everything, args)
        granted = budgets(prog.plain)
        found = compare(expected, got, granted)
        if not found.within_budget:
            wrong = Oracle(prog.plain, prog.flat, granted).assess(got)
            positions = [made[d.output][0] for d in wrong.differences]
            first = min(positions, default=None)
    if first is not None:
        yield first
    where = {v: p for p, v in made}
    ends = {where[v] for v in closed.jaxpr.outvars if isinstance(v, Var) and v in where}
    yield from sorted(ends - {first}, reverse=True)[:2]


def _window(closed: ClosedJaxpr, instances: Sequence[Instance], last: int, size: int) -> ClosedJaxpr:
    """The `size` equations nearest before position `last` that it depends on, itself included; the rest is cut.

    Operands from outside the window become inputs; its outputs are those of the last equation.
    """
    producer = {v: p for p, i in enumerate(instances) for v in i.eqn.outvars}
    chosen: set[int] = set()
    frontier = [last]
    while frontier and len(chosen) < size:
        position = frontier.pop(0)
        if position in chosen:
            continue
        chosen.add(position)
        operands = [v for v in instances[position].eqn.invars if isinstance(v, Var) and v in producer]
        frontier.extend(sorted((producer[v] for v in operands), reverse=True))
    eqns = [instances[p].eqn for p in sorted(chosen)]
    inside = {v for eqn in eqns for v in eqn.outvars}
    outvars = [v for v in instances[last].eqn.outvars if not isinstance(v, DropVar)]
    invars = dict.fromkeys(v for e in eqns for v in e.invars if isinstance(v, Var) and v not in inside)
    sliced, _ = slice_to(make_closed(list(invars), outvars, eqns), outvars)
    return sliced
