"""Reductions, cumulative reductions, argmax and argmin."""

from __future__ import annotations

from collections.abc import Callable

from jax.extend.core import JaxprEqn

from jace.rules.combining import REDUCTIONS
from jace.rules.operations import Cumulation, Extreme, GeneralReduction, Reduction
from jace.rules.structured import computes


def _reduction(kind: str) -> Callable[[JaxprEqn], Reduction]:
    def reduction(eqn: JaxprEqn) -> Reduction:
        return Reduction(eqn, eqn.invars[0], tuple(sorted(eqn.params["axes"])), kind)

    return reduction


for _kind in REDUCTIONS:
    computes(Reduction, f"reduce_{_kind}")(_reduction(_kind))


@computes(GeneralReduction, "reduce")
def _general_reduction(eqn: JaxprEqn) -> GeneralReduction:
    return GeneralReduction(eqn, eqn.invars[0], tuple(sorted(eqn.params["dimensions"])))


def _extreme(kind: str) -> Callable[[JaxprEqn], Extreme]:
    def extreme(eqn: JaxprEqn) -> Extreme:
        (axis,) = eqn.params["axes"]
        return Extreme(eqn, eqn.invars[0], axis, kind)

    return extreme


for _kind in ("max", "min"):
    computes(Extreme, f"arg{_kind}")(_extreme(_kind))


def _cumulation(kind: str) -> Callable[[JaxprEqn], Cumulation]:
    def cumulation(eqn: JaxprEqn) -> Cumulation:
        return Cumulation(eqn, eqn.invars[0], eqn.params["axis"], kind, eqn.params["reverse"])

    return cumulation


for _kind in ("sum", "prod", "max", "min"):
    computes(Cumulation, f"cum{_kind}")(_cumulation(_kind))
