"""What is left of a program without an equation that is known to be wrong: whether something else is wrong, too."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from jace import ir
from jace_repro.emitter import EmitError, emit_flat
from jace_repro.reducer.passes.common import restrict
from jace_repro.reducer.passes.equations import inlined
from jace_repro.reducer.problem import Problem, is_trivial
from jace_repro.reducer.run import fingerprinted
from jace_repro.repro import Repro, trace_repro
from jace_repro.tester.verdict.culprit import Culprit


def rest_of(repro: Repro, guilty: Culprit, name: str) -> Repro | None:
    """The program without what is guilty, whose results become inputs, with the values that plain JAX gives them.

    What only the guilty equation reads becomes an output. A primitive that fails by itself fails wherever it stands:
    all of its equations go. One that fails in its context goes alone, as does a loop or branch, with all that is in it.

    Args:
        repro: the program.
        guilty: the equation, as a verdict of this repro names it.
        name: of what is left.
    Returns:
        None when nothing is left that computes an output, or it cannot be written.
    """
    with repro.configured():
        closed, args = trace_repro(repro)
        problem = inlined(Problem(closed, tuple(args)))
        gone = _guilty_equations(problem.eqns, guilty)
        kept = [i for i in range(len(problem.eqns)) if i not in gone]
        rest = restrict(problem, kept, name) if gone and kept else None
        if rest is None or is_trivial(rest):
            return None
        header = dataclasses.replace(
            repro.header,
            name=name,
            outcome=None,
            signature=None,
            fingerprint=None,
            outputs_sha256=None,
            self_check=None,
            relation=None,
            eager=False,
            donated=(),
            notes=(*repro.header.notes, f"without {guilty.primitive}: what it gives is an input"),
        )
        try:
            return fingerprinted(emit_flat(rest.closed, rest.args, header=header))
        except EmitError:
            return None


def _guilty_equations(eqns: Sequence[ir.JaxprEqn], guilty: Culprit) -> set[int]:
    """Positions of the top-level equations that are guilty, or hold what is."""
    at = guilty.index
    if (
        at is not None
        and at < len(eqns)
        and (guilty.path or not guilty.confirmed or guilty.primitive in ir.CONTROL)
    ):
        outermost = guilty.path[0].partition(".")[0] if guilty.path else guilty.primitive
        if eqns[at].primitive.name == outermost:
            return {at}
    return {i for i, eqn in enumerate(eqns) if guilty.primitive in _primitives(eqn)}


def _primitives(eqn: ir.JaxprEqn) -> set[str]:
    inside = map(ir.primitives, ir.inner_jaxprs(eqn))
    return {eqn.primitive.name}.union(*inside)
