"""Windowed reductions, and what scatters to the element that a window selects (max-pooling's gradient).

select_and_gather_add has no rule: its CPU lowering is a reduce_window of pairs, which the generic expansion traces.
"""

from __future__ import annotations

from collections.abc import Callable

from jax.extend.core import JaxprEqn

from jace.registry import register_region
from jace.rules.loops import windows
from jace.rules.operations import GeneralWindowReduction, WindowReduction, Windows
from jace.rules.structured import computes


def _window_reduction(kind: str) -> Callable[[JaxprEqn], WindowReduction]:
    def window_reduction(eqn: JaxprEqn) -> WindowReduction:
        return WindowReduction(eqn, eqn.invars[0], Windows.of(eqn.params), kind)

    return window_reduction


for _kind in ("sum", "max", "min"):
    computes(WindowReduction, f"reduce_window_{_kind}")(_window_reduction(_kind))


@computes(GeneralWindowReduction, "reduce_window")
def _general_window_reduction(eqn: JaxprEqn) -> GeneralWindowReduction:
    return GeneralWindowReduction(eqn, eqn.invars[0], Windows.of(eqn.params))


register_region("select_and_scatter", lazy=(2,))(windows.select_and_scatter)
register_region("select_and_scatter_add")(windows.select_and_scatter_add)
