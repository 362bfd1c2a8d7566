"""The reduction passes, in the order they are tried."""

from __future__ import annotations

from jace_repro.reducer.loop import Pass
from jace_repro.reducer.passes.bodies import (
    bypass,
    count_bodies,
    cut_in_bodies,
    freeze_carries,
    other_results,
    unwrap_bodies,
)
from jace_repro.reducer.passes.equations import Locate, drop_outputs, inline, jump, minimize_equations, tidy
from jace_repro.reducer.passes.shapes import shrink_axes
from jace_repro.reducer.passes.values import simplify_values
from jace_repro.reducer.problem import Problem


def standard_passes(locate: Locate | None = None) -> tuple[Pass, ...]:
    """All passes; the jump to the guilty equation comes first where a localizer is there to tell it."""
    first = (Pass("jump to the guilty equation", jump(locate)),) if locate is not None else ()
    return (
        *first,
        Pass("inline calls", inline),
        Pass("keep fewer equations", minimize_equations),
        Pass("drop outputs", drop_outputs, _results),
        Pass("unwrap control flow", unwrap_bodies, count_bodies),
        Pass("drop what is dead", tidy),
        Pass("give out another result", other_results),
        Pass("freeze carries", freeze_carries),
        Pass("cut equations in bodies", cut_in_bodies),
        Pass("bypass equations", bypass),
        Pass("shrink axes", shrink_axes),
        Pass("simplify values", simplify_values, _shapes),
    )


def _results(problem: Problem) -> tuple[int, int]:
    return problem.key.equations, len(problem.jaxpr.outvars)


def _shapes(problem: Problem) -> tuple[int, int]:
    return problem.key.equations, problem.key.elements


__all__ = ["Locate", "standard_passes"]
