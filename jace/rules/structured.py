"""Rules that say what is computed: of an equation an operation, which is printed as loops or as nodes.

One table says by which functions. So what an operation means stands in one place, and both ways down read it there.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from jax.extend.core import JaxprEqn

from jace.plan import Planner
from jace.registry import IndexMap, Region, add_rule
from jace.rules import loops, nodes
from jace.rules.operations import (
    LU,
    Cholesky,
    Concatenation,
    Contraction,
    Convolution,
    Cumulation,
    Extreme,
    Gather,
    GeneralReduction,
    GeneralWindowReduction,
    Operation,
    Reduction,
    Reshape,
    Scatter,
    Slice,
    Transform,
    Transposition,
    Update,
    WindowReduction,
)

#: Operands after the first: they may be recomputed where they are read.
_ALL_BUT_FIRST = tuple(range(1, 64))
#: What combines many elements is computed once.
_STORED: Mapping[str, Any] = {"cost": 32, "materialize": True}


@dataclass(frozen=True)
class Printers:
    """How operations of a type are printed.

    Attributes:
        loops: a rule whose functions take an operation for an equation.
        nodes: fn(planner, operation) -> bool, tried first on `canonical`; None: DaCe has nothing for it.
    """

    loops: IndexMap | Region
    nodes: Callable[[Planner, Any], bool] | None = None


PRINTERS: Mapping[type[Operation], Printers] = {
    Slice: Printers(IndexMap(loops.movement.sliced), nodes.movement.sliced),
    Reshape: Printers(IndexMap(loops.movement.reshaped), nodes.movement.reshaped),
    Transposition: Printers(IndexMap(loops.movement.transposed), nodes.movement.transposed),
    Concatenation: Printers(IndexMap(loops.movement.concatenated, cost=1), nodes.movement.concatenated),
    Update: Printers(Region(loops.movement.updated, lazy=_ALL_BUT_FIRST, updates=0), nodes.movement.updated),
    Gather: Printers(IndexMap(loops.gathers.gathered, cost=4), nodes.gathers.gathered),
    Scatter: Printers(Region(loops.scatters.scattered, lazy=(1, 2), updates=0), nodes.scatters.scattered),
    Reduction: Printers(
        IndexMap(loops.reductions.reduced, **_STORED, build=loops.reductions.by_rows),
        nodes.reductions.reduced,
    ),
    GeneralReduction: Printers(IndexMap(loops.reductions.generally_reduced, **_STORED)),
    Extreme: Printers(
        IndexMap(loops.reductions.place_of_extreme, **_STORED), nodes.reductions.place_of_extreme
    ),
    Cumulation: Printers(Region(loops.reductions.cumulated, lazy=(0,)), nodes.reductions.cumulated),
    WindowReduction: Printers(
        IndexMap(loops.windows.reduced, **_STORED, build=loops.windows.by_rows),
        nodes.reductions.reduced_in_windows,
    ),
    GeneralWindowReduction: Printers(IndexMap(loops.windows.generally_reduced, **_STORED)),
    Contraction: Printers(Region(loops.contractions.contracted), nodes.products.contracted),
    Convolution: Printers(Region(loops.convolutions.convolved), nodes.products.convolved),
    Cholesky: Printers(Region(loops.factorisations.cholesky, lazy=(0,)), nodes.factorisations.cholesky),
    LU: Printers(Region(loops.factorisations.lu, lazy=(0,)), nodes.factorisations.lu),
    Transform: Printers(Region(loops.transforms.transformed), nodes.transforms.transformed),
}

Described = TypeVar("Described", bound=Operation)
Describe = Callable[[JaxprEqn], Described]


def computes(operation: type[Described], *names: str) -> Callable[[Describe[Described]], Describe[Described]]:
    """Decorator: the rule of these primitives, of a function that answers the operation of an equation."""

    def decorate(describe: Describe[Described]) -> Describe[Described]:
        for name in names:
            add_rule(name, operation_rule(operation, describe))
        return describe

    return decorate


def operation_rule(operation: type[Described], describe: Describe[Described]) -> IndexMap | Region:
    """The rule of what computes operations of a type."""

    def described(fun: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(describe)
        def of_equation(printer: Any, eqn: JaxprEqn, *rest: Any) -> Any:
            return fun(printer, describe(eqn), *rest)

        return of_equation

    printers = PRINTERS[operation]
    form, node = printers.loops, described(printers.nodes) if printers.nodes else None
    if isinstance(form, Region):
        return replace(form, build=described(form.build), node=node)
    build = described(form.build) if form.build else None
    return replace(form, value=described(form.value), build=build, node=node)
