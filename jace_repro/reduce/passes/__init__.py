"""The reduction passes, in the order they are tried."""

from __future__ import annotations

from collections.abc import Callable

from jace_repro.reduce.driver import Pass
from jace_repro.reduce.passes.bodies import cut_in_bodies, freeze_carries, unwrap_bodies
from jace_repro.reduce.passes.equations import drop_outputs, inline, jump, minimize_equations, tidy
from jace_repro.reduce.passes.shapes import shrink_axes
from jace_repro.reduce.passes.values import simplify_values
from jace_repro.reduce.problem import Problem

#: Answers the position of the guilty equation among the equations of `inline_calls(problem)`, None when
#: unknown.
Locate = Callable[[Problem], int | None]


def standard_passes(locate: Locate | None = None) -> tuple[Pass, ...]:
    """All passes; the jump to the guilty equation comes first where a localizer is there to tell it."""
    first = (Pass("jump to the guilty equation", jump(locate)),) if locate is not None else ()
    return (
        *first,
        Pass("inline calls", inline),
        Pass("keep fewer equations", minimize_equations),
        Pass("drop outputs", drop_outputs, depends=2),
        Pass("unwrap control flow", unwrap_bodies),
        Pass("drop what is dead", tidy),
        Pass("freeze carries", freeze_carries),
        Pass("cut equations in bodies", cut_in_bodies),
        Pass("shrink axes", shrink_axes),
        Pass("simplify values", simplify_values, depends=3),
    )


__all__ = ["Locate", "standard_passes"]
